"""Requests over HTTP that are refused for what stands around the body, and how a refusal tells what is wrong inside."""

import json
import re
from io import BytesIO

import pytest

from service.api.reading import BODY_LIMIT
from tests.service.api.playing import ORDER, paths, problem, send


@pytest.mark.parametrize(
    "header",
    ["", "12", 'W/"3"', '"3", "4"', '"03"', '"-1"', '"3.0"', '"1e1"', '"x"', '"٣"', '"9999999999"', "*", '" 3"'],
)
def test_an_odd_if_match_is_refused(game, header):
    """If-Match is one version in quotes; `*` is for resigning alone."""
    move = {"type": "draw-card", "source": "deck"}
    refused = game.people[0].ask(
        "POST", f"{game.path}/actions", {"If-Match": header.encode().decode("latin-1")}, json=move
    )
    problem(refused, 400, "malformed-request")


def test_a_missing_if_match_is_428(game):
    """An action without a version is asked to bring one, resigning too."""
    for move in ({"type": "draw-card", "source": "deck"}, {"type": "resign"}):
        problem(game.people[0].act(game.id, move, None), 428, "version-needed")


@pytest.mark.parametrize("version", [0, 1, 3, 999_999_999])
def test_another_version_than_the_present_one_is_412(game, version):
    """A version that has passed or is still to come is refused with the present one."""
    refused = game.people[0].act(game.id, {"type": "draw-card", "source": "deck"}, version)
    assert problem(refused, 412, "version-conflict")["version"] == 2
    assert refused.headers["ETag"] == '"2"'


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "x" * 201, "tab\tkey"])
@pytest.mark.parametrize("path", ["/api/players", "/api/games", "actions", "seats", "start"])
def test_an_odd_idempotency_key_is_refused(game, path, key):
    """A key is visible ASCII without spaces, up to 200 characters."""
    bodies = {"/api/players": {"name": "Ada"}, "/api/games": ORDER, "actions": {"type": "resign"}}
    refused = send(game, path, json.dumps(bodies.get(path, {})), key=key)
    problem(refused, 400, "malformed-request")


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json", "", "json"],
)
@pytest.mark.parametrize("path", ["/api/players", "/api/games", "actions", "seats", "start"])
def test_a_body_that_says_it_is_no_json_is_415(game, path, kind):
    """Only application/json is read."""
    problem(send(game, path, "{}", kind=kind), 415, "wrong-content-type")


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate, gzip", "GZIP"])
@pytest.mark.parametrize("path", ["/api/players", "/api/games", "actions", "seats", "start"])
def test_a_packed_body_is_415(game, path, coding):
    """A body is read as it is; one that says it is packed is refused, whatever it holds."""
    refused = send(game, path, "{}", **{"Content-Encoding": coding})
    problem(refused, 415, "wrong-content-type")
    assert refused.headers["Accept-Encoding"] == "identity"


def test_a_body_may_say_that_it_is_not_packed(service):
    """The coding `identity` says that there is none."""
    headers = {"Content-Type": "application/json", "Content-Encoding": "Identity"}
    assert service.ask("POST", "/api/players", data='{"name": "Ada"}', headers=headers).status_code == 201


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_json_may_say_its_character_set(service, kind):
    """Parameters and the case of the content type do not matter."""
    assert service.ask("POST", "/api/players", data=b'{"name":"Ada"}', content_type=kind).status_code == 201


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("status=none", "status"),
        ("game=chess", "game"),
        ("seats=5", "seats"),
        ("seats=1", "seats"),
        ("seats=true", "seats"),
        ("seats=2.0", "seats"),
        ("seats=02", "seats"),
        ("seats=%2B2", "seats"),
        ("seats=²", "seats"),
        ("free=-1", "free"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=1e2", "limit"),
        ("limit=" + "9" * 30, "limit"),
        ("limit=", "limit"),
        ("player=x", "player"),
        ("player=p0000000000000000000x", "player"),
        ("player=p0000000000000000000%0a", "player"),
        ("cursor=x", "cursor"),
        ("cursor=", "cursor"),
        ("cursor=" + "A" * 61, "cursor"),
        ("cursor=%C3%A9", "cursor"),
        ("sort=name", "sort"),
        ("Limit=5", "Limit"),
        ("seats=2&seats=3", "seats"),
        ("limit=5&status=open&limit=5", "limit"),
    ],
)
def test_a_query_that_does_not_fit_names_its_field(service, query, path):
    """A filter, limit or cursor that is none is refused, by its name."""
    refused = service.get(f"/api/games?{query}")
    problem(refused, 422, "invalid-content")
    assert paths(refused) == {path}


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("?wait=x", "wait"),
        ("?wait=-1", "wait"),
        ("?version=0", "version"),
        ("?version=1.0", "version"),
        ("?view=all", "view"),
        ("/log?after=x", "after"),
        ("/log?limit=0", "limit"),
        ("/log?limit=1001", "limit"),
        ("/history?after=1e1", "after"),
        ("/history?seat=1", "seat"),
        ("?wait=1&wait=1", "wait"),
        ("/log?after=1&after=2", "after"),
    ],
)
def test_a_games_query_that_does_not_fit_names_its_field(game, path, field):
    """What is asked about a game is read as strictly as everything else."""
    refused = game.people[0].get(game.path + path)
    problem(refused, 422, "invalid-content")
    assert paths(refused) == {field}


def test_the_future_of_a_game_is_not_found(game):
    """A version that the game has not reached is not there."""
    problem(game.people[0].get(f"{game.path}?version=3"), 404, "not-found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE"])
@pytest.mark.parametrize(
    "path", ["/api/players", "/api/games", "/api/catalogue", "{game}", "{game}/actions", "{game}/log"]
)
def test_a_wrong_method_is_405(game, method, path):
    """A method that an address does not take is refused with those that it takes."""
    refused = game.people[0].ask(method, path.replace("{game}", game.path))
    problem(refused, 405, "wrong-method")
    assert "OPTIONS" in refused.headers["Allow"].split(", ")
    assert method not in refused.headers["Allow"]


@pytest.mark.parametrize("path", ["/api", "/api/nothing", "/api/games/", "/api/problems/nothing", "/api/problems/%0a"])
def test_an_unknown_address_is_404(service, path):
    """There is nothing at an address that is none."""
    problem(service.get(path), 404, "not-found")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/", "/api/docs/"),
        ("/api/docs", "/api/docs/"),
        ("/api/docs?x=//evil", "/api/docs/?x=//evil"),
        ("/api//games", "/api/games"),
        ("/api/docs///evil", "/api/docs/evil"),
    ],
)
@pytest.mark.parametrize("host", ["evil.example", "a b/<x>", "evil.example:99999", ""])
def test_a_redirect_stays_on_this_server(service, host, path, place):
    """A redirect is a path alone, whatever host the request names; the bare address leads to the documentation."""
    answer = service.get(path, Host=host)
    assert answer.status_code in (302, 308)
    assert answer.headers["Location"] == place


def _chunked(service, body: bytes):
    """Make a player with a body of unsaid length, as a server hands on what comes in chunks."""
    return service.app.test_client().post(
        "/api/players",
        input_stream=BytesIO(body),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True},
    )


def test_a_body_in_chunks_is_read_whole_or_refused(service):
    """A body that comes without its length is never cut: it is read to its end, or too large."""
    assert _chunked(service, b'{"name": "Ada"}').status_code == 201
    cut = b'{"name": "Ada"}' + b" " * BODY_LIMIT
    assert _chunked(service, cut).status_code == 413


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/api/players", {**dict.fromkeys([f"f{n}" for n in range(15, 0, -1)], 1), "name": 5}, None),
        (
            "actions",
            {"z": 1, "type": "play-card", "figure": 1, "b": 1, "card": 7, "a": 1},
            ["z", "figure", "b", "card", "a"],
        ),
        ("actions", {"b": 1, "a": 1, "type": "play-card"}, ["b", "a", "card"]),
        ("/api/games", {"bots": ["x", "greedy", "y"], "access": "x"}, ["bots.0", "bots.2", "access", "game", "seats"]),
        ("/api/games", {**ORDER, "options": {"z": 1, "a": 1}}, ["options.z", "options.a"]),
    ],
)
def test_fields_that_do_not_fit_are_told_in_the_order_of_the_body(game, path, body, told):
    """However many fields are wrong, they are listed as they were sent, and what is missing after them."""
    refused = send(game, path, json.dumps(body))
    assert [error["path"] for error in refused.json["errors"]] == (told or list(body))


def test_a_long_reason_is_cut_between_two_words(game):
    """Of what may stand in a field, a refusal names as much as fits, in whole words."""
    reason = send(game, "actions", '{"type": "play-card", "card": "joker"}').json["errors"][0]["reason"]
    assert len(reason) <= 201
    assert re.fullmatch(r"Must be one of: [a-z0-9, -]*[a-z]+-[0-9]+…", reason)
