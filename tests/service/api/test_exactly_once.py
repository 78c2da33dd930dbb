"""Exactly once over HTTP: races, repeats, reused keys, and answers that are lost on their way."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest

from tests.servers import Running
from tests.service.api.playing import SEED, Service, match, problem
from tests.wires import wired


def at_once(requests):
    """Send all requests at the same moment and return their answers, in the order of the requests."""
    barrier = Barrier(len(requests))

    def send(request):
        barrier.wait()
        return request()

    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(send, requests))


@pytest.mark.parametrize("processes", [1, 2])
def test_of_twenty_moves_at_one_version_one_wins(people, other, processes):
    """One of twenty different legal moves is 201; the others are 412 and name the version there is now."""
    game = match(people[:2])
    mover, view = game.to_act()
    version, moves = view["version"], (view["legal_actions"][:-1] * 3)[:20]
    assert len(moves) == 20
    askers = [mover.at(other) if processes == 2 and n % 2 else mover for n in range(20)]
    answers = at_once(
        [lambda who=who, move=move: who.act(game.id, move, version) for who, move in zip(askers, moves, strict=True)]
    )
    assert Counter(answer.status_code for answer in answers) == {201: 1, 412: 19}
    for refused in (answer for answer in answers if answer.status_code == 412):
        assert problem(refused, 412, "version-conflict")["version"] == version + 1
        assert refused.headers["ETag"] == f'"{version + 1}"'
    (won,) = (answer for answer in answers if answer.status_code == 201)
    assert won.json["view"]["version"] == won.json["entry"]["version"] == version + 1
    assert len(mover.service.bodies(game.id)) == version + 1


@pytest.mark.parametrize("processes", [1, 2])
def test_one_request_ten_times_is_one_entry(people, other, processes):
    """The same request in parallel, later, after other moves and after the end has one entry and one answer."""
    game = match(people[:2], **{"mode": "unrated-test", "seed": SEED})
    game.play(2)
    mover, view = game.to_act()
    move, version = view["legal_actions"][0], view["version"]
    askers = [mover.at(other) if processes == 2 and n % 2 else mover for n in range(10)]

    def ask_all():
        return at_once([lambda who=who: who.act(game.id, move, version, "ten-times") for who in askers])

    answers = ask_all()
    assert len(mover.service.bodies(game.id)) == version + 1
    game.play(3)
    answers += ask_all()
    people[0].act(game.id, {"type": "resign"}, "*")
    answers += ask_all()
    mover.service.commands.close(game.id)
    answers += ask_all()
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert len({answer.headers["ETag"] for answer in answers}) == 1
    assert len(mover.service.bodies(game.id)) == version + 6


def test_every_kind_of_request_is_answered_alike_twice(people, other):
    """Opening, joining, seating a bot, leaving, starting, acting: a repeat at any process gets the same bytes."""
    ada, ben = people[:2]
    order = {"game": "keltis", "seats": 4, "access": "private"}

    def twice(person, method, path, body, **headers):
        first, second, third = (
            who.ask(method, path, {"Idempotency-Key": f"{method}-{path}-{len(str(body))}", **headers}, json=body)
            for who in (person, person, person.at(other))
        )
        assert first.status_code == 201, first.text
        assert first.data == second.data == third.data
        assert first.headers["ETag"] == second.headers["ETag"] == third.headers["ETag"]
        return first.json

    opened = twice(ada, "POST", "/api/games", order)
    table = f"/api/games/{opened['id']}"
    join = {"link": opened["link"], "entropy": "of mine"}
    twice(ben, "POST", f"{table}/seats", join)
    twice(ada, "POST", f"{table}/seats", {"bot": "greedy"})
    twice(ben, "DELETE", f"{table}/seats/mine", {})
    twice(ben, "POST", f"{table}/seats", {"link": opened["link"]})
    twice(ada, "POST", f"{table}/start", {"entropy": "of the host"})
    twice(ben, "POST", f"{table}/actions", {"type": "resign"}, **{"If-Match": "*"})
    assert len(ada.service.bodies(opened["id"])) == 7


def test_a_key_used_for_something_else_is_refused_and_leaks_nothing(people, other):
    """Another body, route or version under a used key is refused with a bare sentence."""
    game = match(people[:2])
    mover, view = game.to_act()
    version = view["version"]
    moves = view["legal_actions"]
    first = mover.act(game.id, moves[0], version, "used")
    for process in (mover, mover.at(other)):
        for refused in (
            process.act(game.id, moves[1], version, "used"),
            process.act(game.id, moves[1], version + 1, "used"),
            process.act(game.id, {"type": "resign"}, "*", "used"),
            process.post(f"{game.path}/start", {}, "used"),
        ):
            told = problem(refused, 422, "idempotency-key-reused")
            assert set(told) == {"type", "title", "status", "detail"}
            assert first.json["entry"]["action"].get("card", "no card") not in refused.text
    assert len(mover.service.bodies(game.id)) == version + 1


def test_a_key_of_another_player_is_ones_own(people):
    """Two players may use the same key: neither gets the other's answer or is hindered by it."""
    game = match(people[:2])
    mover, view = game.to_act()
    rival = next(person for person in game.people if person is not mover)
    first = mover.act(game.id, view["legal_actions"][0], view["version"], "one-key")
    refused = rival.act(game.id, view["legal_actions"][0], view["version"], "one-key")
    problem(refused, 412, "version-conflict")
    outsider = people[2].act(game.id, view["legal_actions"][0], view["version"] + 1, "one-key")
    problem(outsider, 403, "not-seated")
    resigned = rival.act(game.id, {"type": "resign"}, "*", "one-key")
    assert resigned.status_code == 201
    assert resigned.data != first.data


def test_a_key_opens_one_table(people, other):
    """The same order under one key is one table; another order, or another seed, under that key is refused."""
    ada, ben = people[:2]
    order = {"game": "keltis", "seats": 2, "mode": "unrated-test", "seed": SEED}
    answers = at_once([lambda who=who: who.post("/api/games", order, "a-table") for who in [ada, ada.at(other)] * 5])
    assert len({answer.data for answer in answers}) == 1
    for changed in (
        {"seats": 3},
        {"seed": "ab" * 32},
        {"seed": None},
        {"bots": ["random"]},
        {"mode": "rated", "seed": None},
    ):
        for process in (ada, ada.at(other)):
            problem(process.post("/api/games", {**order, **changed}, "a-table"), 422, "idempotency-key-reused")
    assert ben.post("/api/games", order, "a-table").json["id"] != answers[0].json["id"]


def test_the_commitment_of_a_repeated_opening_is_the_first_ones(people, other):
    """A repeat without a chosen seed draws a fresh one and throws it away: the table keeps the first."""
    order = {"game": "keltis", "seats": 2}
    answers = [who.post("/api/games", order, "drawn") for who in (people[0], people[0].at(other), people[0])]
    assert len({answer.data for answer in answers}) == 1


def test_the_log_keeps_no_key(people):
    """What stands in the log of a key is a digest."""
    game = match(people[:2], key="quite-a-secret-key")
    assert not any(b"quite-a-secret-key" in body for body in people[0].service.bodies(game.id))


def test_a_lost_answer_of_the_store_doubles_nothing(api_server: Running, keys):
    """When the store's answer to an append is lost, the request is answered as if nothing had been."""
    random = Random(1)
    with wired(api_server) as wire:
        lossy = Service(wire.url, keys, **wire.options)
        ada, ben = lossy.player("Ada"), lossy.player("Ben")
        game = match([ada, ben])
        for number in range(8):
            mover, view = game.to_act()
            wire.wires[0].lose_answer_to(b"FCALL")
            move = random.choice(view["legal_actions"][:-1])
            answer = mover.act(game.id, move, view["version"], f"lost-{number}")
            assert answer.status_code == 201
            assert mover.act(game.id, move, view["version"], f"lost-{number}").data == answer.data
            assert len(lossy.bodies(game.id)) == view["version"] + 1
        assert wire.wires[0].lost == 8
        lossy.close()


def test_a_lost_answer_that_is_not_asked_for_again_is_found_by_the_repeat(api_server: Running, keys):
    """When the service gives up, the client's repeat finds what was appended; opening and joining too."""
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    with wired(api_server) as wire:
        lossy = Service(wire.url, keys, retry=Retry(NoBackoff(), 0), **wire.options)
        ada, ben = lossy.player("Ada"), lossy.player("Ben")

        def lost_then_found(ask):
            wire.wires[0].lose_answer_to(b"FCALL")
            refused = ask()
            problem(refused, 503, "store-unavailable")
            assert refused.headers["Retry-After"]
            found = ask()
            assert found.status_code == 201
            assert ask().data == found.data
            return found

        opened = lost_then_found(lambda: ada.post("/api/games", {"game": "keltis", "seats": 2}, "open"))
        table = opened.json["id"]
        lost_then_found(lambda: ben.post(f"/api/games/{table}/seats", {}, "join"))
        mover = ada if len(ada.view(table)["legal_actions"]) > 1 else ben
        move = mover.view(table)["legal_actions"][0]
        lost_then_found(lambda: mover.act(table, move, 2, "act"))
        assert len(lossy.bodies(table)) == 3
        lossy.close()
