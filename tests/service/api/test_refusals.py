"""Refusals over HTTP: whatever is sent, the answer is a small problem with the right status, and nothing changes."""

import json
import re
import time

import pytest

from tests.service.api.playing import ORDER, match, paths, problem, send

LIMIT = 16 * 1024
BOMB = "[" * 7_000

UNREADABLE = {
    "cut off": '{"name": "Ada"',
    "two values": '{"name": "Ada"} {"name": "Ben"}',
    "a comma too many": '{"name": "Ada",}',
    "single quotes": "{'name': 'Ada'}",
    "no quotes": "{name: 1}",
    "a comment": '{"name": "Ada"} // Ada',
    "a bare control character": '{"name": "A\nda"}',
    "a wrong escape": '{"name": "\\x41"}',
    "not UTF-8": b'{"name": "\xff"}',
    "UTF-16": '{"name": "Ada"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "Ada"}',
    "white space": "   ",
    "a tower of brackets": BOMB,
    "a tower of objects": '{"name":' * 2_000,
    "a hexadecimal number": '{"name": 0x10}',
    "a number with a leading zero": '{"name": 05}',
    "a number of 5000 digits": '{"name": %s}' % ("9" * 5_000),
}

OUR_WORDS = (
    r"The body is not JSON: (it cannot be read on from line \d+, column \d+|byte \d+ is not UTF-8"
    r"|it is nested too deeply|a number has too many digits)\."
)
"""What a client reads of it: nothing that a library says, which may speak of Python and may change."""


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE.keys())
@pytest.mark.parametrize("path", ["/api/players", "/api/games", "actions", "seats", "start"])
def test_what_is_not_json_is_400(game, path, body):
    """A body that is not JSON is refused wherever a body is read."""
    refused = send(game, path, body)
    problem(refused, 400, "malformed-request")
    assert re.fullmatch(OUR_WORDS, refused.json["detail"])


@pytest.mark.parametrize("body", ["[]", "[{}]", "5", "null", "true", '"name"', "1e3"])
@pytest.mark.parametrize("path", ["/api/players", "/api/games", "actions", "seats", "start"])
def test_a_body_is_an_object(game, path, body):
    """JSON that is no object is refused."""
    problem(send(game, path, body), 422, "invalid-content")


SEATS = [
    "true",
    "false",
    "null",
    '"5"',
    '"2"',
    "2.0",
    "5.0",
    "1e3",
    "2e0",
    "-0.0",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
]
SEATS += ["[2]", "{}", "9" * 30, "-2", "1", "5", '""']


@pytest.mark.parametrize("number", SEATS)
def test_what_only_looks_like_a_number_is_refused(game, number):
    """A number of seats is a whole number from 2 to 4, written as one."""
    refused = send(game, "/api/games", f'{{"game": "keltis", "seats": {number}}}')
    problem(refused, 422, "invalid-content")
    assert paths(refused) == {"seats"}


FIELDS = [
    ({**ORDER, "nope": 1}, {"nope"}),
    ({"game": "keltis"}, {"seats"}),
    ({}, {"game", "seats"}),
    ({**ORDER, "game": "Keltis"}, {"game"}),
    ({**ORDER, "game": ["keltis"]}, {"game"}),
    ({**ORDER, "game": {"keltis": 1}, "options": {"direction": "both"}}, {"game"}),
    ({**ORDER, "access": "secret"}, {"access"}),
    ({**ORDER, "mode": None}, {"mode"}),
    ({**ORDER, "host_plays": 1}, {"host_plays"}),
    ({**ORDER, "host_plays": "true"}, {"host_plays"}),
    ({**ORDER, "bots": "greedy"}, {"bots"}),
    ({**ORDER, "bots": [1]}, {"bots.0"}),
    ({**ORDER, "bots": ["greedy", "hal"]}, {"bots.1"}),
    ({**ORDER, "bots": ["greedy"] * 5}, {"bots"}),
    ({**ORDER, "options": []}, {"options"}),
    ({**ORDER, "options": None}, {"options"}),
    ({**ORDER, "options": {"nope": 1}}, {"options.nope"}),
    ({**ORDER, "options": {"direction": "down"}}, {"options.direction"}),
    ({**ORDER, "options": {"direction": ["both"]}}, {"options.direction"}),
    ({**ORDER, "options": {"redraw_own_discard": 1}}, {"options.redraw_own_discard"}),
    ({**ORDER, "options": {"redraw_own_discard": "true"}}, {"options.redraw_own_discard"}),
    (
        {**ORDER, "options": {"direction": {"a": {"b": {"c": {"d": {"e": {"f": {}}}}}}}}},
        {"options.direction.a.b.c.d.e.f"},
    ),
    ({**ORDER, "mode": "unrated-test", "seed": "AB" * 32}, {"seed"}),
    ({**ORDER, "mode": "unrated-test", "seed": "ab" * 32 + "\n"}, {"seed"}),
    ({**ORDER, "mode": "unrated-test", "seed": "ab" * 33}, {"seed"}),
    ({**ORDER, "reserved": ["x"]}, {"reserved"}),
    ({**ORDER, "link": "x"}, {"link"}),
]


@pytest.mark.parametrize(("body", "where"), FIELDS, ids=[json.dumps(body)[:60] for body, _ in FIELDS])
def test_a_field_that_does_not_fit_is_named(game, body, where):
    """What is missing, unknown or of the wrong kind is told by its path."""
    refused = game.people[0].post("/api/games", body)
    problem(refused, 422, "invalid-content")
    assert paths(refused) == where


MOVES = [
    ({}, {"type"}),
    ({"type": None}, {"type"}),
    ({"type": ["play-card"]}, {"type"}),
    ({"type": "join-game"}, {"type"}),
    ({"type": "close-game"}, {"type"}),
    ({"type": "play-card"}, {"card"}),
    ({"type": "play-card", "card": "pink-11"}, {"card"}),
    ({"type": "play-card", "card": 7}, {"card"}),
    ({"type": "play-card", "card": "pink-7", "figure": "tall"}, {"figure"}),
    ({"type": "play-card", "card": "pink-7", "seat": 1}, {"seat"}),
    ({"type": "discard-card", "card": "pink-7", "figure": "small"}, {"figure"}),
    ({"type": "move-figure", "path": "grey"}, {"path"}),
    ({"type": "draw-card", "source": True}, {"source"}),
    ({"type": "draw-card"}, {"source"}),
    ({"type": "resign", "reason": "x"}, {"reason"}),
    ({"type": "resign", "\ud800": 1}, {"\\ud800"}),
    ({"type": "draw-card", "source": "\udfff"}, {"source"}),
]


@pytest.mark.parametrize(("move", "where"), MOVES, ids=[json.dumps(move)[:60] for move, _ in MOVES])
def test_a_move_that_is_none_is_named(game, move, where):
    """A move has a known type and exactly the fields of that type."""
    refused = send(game, "actions", json.dumps(move))
    problem(refused, 422, "invalid-content")
    assert paths(refused) == where


DOUBLED = [
    ('{"game": "keltis", "game": "keltis", "seats": 2}', {"game"}),
    ('{"game": "keltis", "seats": 2, "seats": 3}', {"seats"}),
    ('{"game": "keltis", "seats": 2, "options": {"direction": "both", "direction": "both"}}', {"options.direction"}),
    ('{"game": "keltis", "seats": 2, "bots": [{"a": 1, "a": 1}]}', {"bots.0.a"}),
    ('{"game": "keltis", "seats": 2, "s\\u0065ats": 2}', {"seats"}),
    ('{"game": "keltis", "seats": NaN, "options": {"direction": -Infinity}}', {"seats", "options.direction"}),
]


@pytest.mark.parametrize(("body", "where"), DOUBLED, ids=[body[:60] for body, _ in DOUBLED])
def test_what_json_readers_let_pass_is_named(game, body, where):
    """A name that stands twice, even with the same value, and a number that is none are refused by their paths."""
    refused = send(game, "/api/games", body)
    problem(refused, 422, "invalid-content")
    assert paths(refused) == where


def test_a_surrogate_that_stands_alone_is_refused_wherever_text_is_read(game):
    """Half a character cannot be stored, so it is refused by the path of its field, also as a field's name."""
    for path, body, where in (
        ("/api/players", '{"name": "\\ud83d"}', "name"),
        ("seats", '{"entropy": "\\ude00x"}', "entropy"),
        ("seats", '{"link": "\\ud800"}', "link"),
        ("start", '{"entropy": "\\ud800"}', "entropy"),
        ("/api/games", '{"game": "keltis", "seats": 2, "options": {"\\ud800": "x"}}', "options.\\ud800"),
    ):
        refused = send(game, path, body)
        problem(refused, 422, "invalid-content")
        assert paths(refused) == {where}


@pytest.mark.parametrize("path", ["/api/players", "/api/games", "actions", "seats", "start"])
def test_a_body_over_the_limit_is_413(game, path):
    """One byte more than the limit is too many, whatever the rest says; arrays of 100,000 are as well."""
    padded = '{"name": "%s"}' % ("a" * LIMIT)
    for body in (padded[: LIMIT + 1], json.dumps({"bots": [0] * 100_000}), "[" * 100_000):
        problem(send(game, path, body), 413, "content-too-large")


def test_a_body_of_unknown_length_is_limited_too(service):
    """A body in chunks is read no further than the limit."""
    from io import BytesIO

    refused = service.ask(
        "POST",
        "/api/players",
        input_stream=BytesIO(b"{" + b" " * 10 * LIMIT),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True},
    )
    problem(refused, 413, "content-too-large")


@pytest.mark.parametrize(
    "body",
    [
        {**ORDER, "bots": [0] * 5_000},
        {**ORDER, "invited": ["x"] * 3_000},
        {f"\x01{number}": number for number in range(700)},
        {"\ud800" * 2_000: 1},
        {"x" * 16_000: 1},
        {"game": "x" * 16_000, "seats": 2},
        {**ORDER, "options": {str(number): "\x01" * 50 for number in range(35)}},
    ],
)
def test_a_refusal_is_small_and_quick(game, body):
    """However much is wrong, the answer names some of it, stays small and comes soon."""
    began = time.perf_counter()
    refused = send(game, "/api/games", json.dumps(body))
    assert time.perf_counter() - began < 5  # a tenth of a second, on a machine that does nothing else
    problem(refused, 422, "invalid-content")
    assert paths(refused)


def test_a_seat_does_what_is_legal_and_in_its_turn(game):
    """Each broken rule is a problem of its own, with its name, sentence and section."""
    mover, view = game.to_act()
    rival = next(person for person in game.people if person is not mover)
    version = view["version"]
    outsider = mover.service.player("Eve")
    told = problem(rival.act(game.id, view["legal_actions"][0], version), 422, "not-your-turn")
    assert (told["rule"], told["section"]) == ("not-your-turn", "1")
    problem(mover.act(game.id, {"type": "draw-card", "source": "deck"}, version), 422, "play-first")
    problem(mover.act(game.id, {"type": "move-figure", "path": "red"}, version), 422, "no-move-due")
    missing = next(
        f"{colour}-{value}"
        for colour in ("red", "blue")
        for value in range(11)
        if f"{colour}-{value}" not in str(view["legal_actions"])
    )
    problem(mover.act(game.id, {"type": "discard-card", "card": missing}, version), 422, "card-not-held")
    problem(outsider.act(game.id, view["legal_actions"][0], version), 403, "not-seated")
    problem(outsider.act(game.id, {"type": "resign"}, "*"), 403, "not-seated")
    table = mover.open()
    problem(mover.act(table, {"type": "resign"}, "*"), 409, "game-not-started")


def test_refusals_change_nothing(people, service):
    """After every kind of refusal the version, the log and the views are what they were, byte for byte."""
    game = match(people[:2])
    before = snapshot(game)
    mover, view = game.to_act()
    for body in UNREADABLE.values():
        send(game, "actions", body)
    for move, _ in MOVES:
        send(game, "actions", json.dumps(move))
    for person in people:
        person.act(game.id, {"type": "draw-card", "source": "red"}, 2)
        person.act(game.id, {"type": "resign"}, 1)
        person.post(f"{game.path}/seats", {"entropy": "x"})
        person.post(f"{game.path}/seats", {"bot": "random"})
        person.post(f"{game.path}/start")
        person.post(f"{game.path}/rematch")
        person.ask("DELETE", f"{game.path}/seats/mine")
    assert snapshot(game) == before
    assert mover.act(game.id, view["legal_actions"][0], view["version"]).status_code == 201


def snapshot(game):
    service = game.people[0].service
    tails = ("", "/log", "/history", "/head")
    seen = [service.get(game.path + tail).data for tail in tails]
    return seen, [person.get(game.path).data for person in game.people], service.bodies(game.id)
