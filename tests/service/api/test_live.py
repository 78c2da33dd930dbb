"""Live over HTTP: server-sent events that resume exactly, and long polling."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from service.api import streams
from tests.service.api.playing import match


class Watcher:
    """Somebody who reads a game's stream."""

    def __init__(self, service, game_id, last_seen=None):
        headers = {} if last_seen is None else {"Last-Event-ID": last_seen}
        self.answer = service.get(f"/api/games/{game_id}/stream", **headers)
        assert self.answer.status_code == 200
        self._parts = iter(self.answer.response)

    def begin(self):
        """Return what the stream begins with."""
        return parsed(next(self._parts))

    def next(self, number):
        """Return the next `number` events, comments left out."""
        told = (parsed(part) for part in self._parts)
        return list(islice((event for event in told if "comment" not in event), number))

    def close(self):
        """Stop reading."""
        self.answer.close()


def parsed(part):
    text = part.decode()
    assert text.endswith("\n\n")
    if text.startswith(":"):
        return {"comment": text[1:].strip()}
    fields = dict(line.split(": ", 1) for line in text.strip().split("\n"))
    return {"event": fields["event"], "id": fields["id"], "data": json.loads(fields["data"])}


@pytest.fixture
def watch(service):
    """Makes watchers, and stops all of them in the end."""
    watchers = []

    def make(game_id, last_seen=None, at=service):
        watchers.append(Watcher(at, game_id, last_seen))
        return watchers[-1]

    yield make
    for watcher in watchers:
        watcher.close()


def test_a_stream_is_one_that_nobody_keeps(game, watch):
    """A stream says what it is, and that neither caches nor proxies may hold it back."""
    watcher = watch(game.id)
    assert watcher.answer.content_type == "text/event-stream"
    assert watcher.answer.headers["Cache-Control"] == "no-store"
    assert watcher.answer.headers["X-Accel-Buffering"] == "no"
    assert watcher.answer.headers["X-Content-Type-Options"] == "nosniff"


def test_every_entry_is_one_event(game, watch, service):
    """Whoever watches gets each entry once, as it stands in the log, with its version as id and its sentences."""
    watcher = watch(game.id)
    assert watcher.begin() == {"comment": "following"}
    game.play(6)
    told = watcher.next(6)
    assert [event["id"] for event in told] == [str(version) for version in range(3, 9)]
    assert {event["event"] for event in told} == {"entry"}
    assert [event["data"]["entry"] for event in told] == [json.loads(body) for body in service.bodies(game.id)[2:]]
    lines = service.get(f"{game.path}/history?after=2").json["history"]
    assert [event["data"]["sentences"] for event in told] == [line["sentences"] for line in lines]


@pytest.mark.parametrize("seen", range(9))
def test_a_stream_goes_on_right_after_what_was_seen(game, watch, seen):
    """Whatever version was seen last, the next one follows, and none is left out or told twice."""
    game.play(6)
    watcher = watch(game.id, str(seen))
    assert watcher.begin() == {"comment": "following"}
    game.play(1)
    assert [event["id"] for event in watcher.next(9 - seen)] == [str(version) for version in range(seen + 1, 10)]


@pytest.mark.parametrize("seen", ["9", "999999999", "99999999999", "x", "", "-1", "3.0", "03", "٣", "null"])
def test_an_id_that_this_game_never_had_is_reset(game, watch, seen):
    """A foreign or future id gets an event with the present version, and the stream goes on from there."""
    watcher = watch(game.id, seen.encode().decode("latin-1"))
    assert watcher.begin() == {"event": "reset", "id": "2", "data": {"version": 2}}
    game.play(1)
    assert [event["id"] for event in watcher.next(1)] == ["3"]


def test_what_another_process_writes_is_seen_here(people, watch, other):
    """A watcher at one process gets what another process appended, at once."""
    game = match(people[:2])
    watcher = watch(game.id, at=other)
    watcher.begin()
    began = time.monotonic()
    game.play(3)
    assert [event["id"] for event in watcher.next(3)] == ["3", "4", "5"]
    assert time.monotonic() - began < 3


def test_a_stream_tells_seats_as_they_were(people, watch):
    """Entries from before a start that closed gaps are told with the names that belonged to the seats then."""
    ada, ben, caro, _ = people
    table = ada.open(seats=4)
    ben.post(f"/api/games/{table}/seats")
    caro.post(f"/api/games/{table}/seats")
    ben.ask("DELETE", f"/api/games/{table}/seats/mine")
    ada.post(f"/api/games/{table}/start")
    told = watch(table, "0").next(5)
    lines = ada.get(f"/api/games/{table}/history").json["history"]
    assert [event["data"]["sentences"] for event in told] == [line["sentences"] for line in lines]
    assert told[3]["data"]["sentences"] == ["Ben leaves the table."]


@pytest.mark.parametrize("after", range(6))
def test_a_history_reads_the_same_from_any_version(people, after):
    """A part of a history is that part of the whole, also where seats changed hands and numbers."""
    ada, ben, caro, _ = people
    table = ada.open(seats=4)
    for person in (ben, caro):
        person.post(f"/api/games/{table}/seats")
    ben.ask("DELETE", f"/api/games/{table}/seats/mine")
    ada.post(f"/api/games/{table}/start")
    whole = ada.get(f"/api/games/{table}/history").json
    assert whole["next"] == 5
    for limit in (1, 2, 10):
        part = ada.get(f"/api/games/{table}/history?after={after}&limit={limit}").json
        assert part["history"] == whole["history"][after : after + limit]
        assert part["next"] == min(5, after + limit)


def test_many_watchers_cost_no_connection_each(game, watch, service):
    """Thirty watchers of one game share the process' reader, and all of them get the entry."""
    watchers = [watch(game.id) for _ in range(30)]
    for watcher in watchers:
        watcher.begin()
    clients = service.store._client.info("clients")["connected_clients"]  # the server's own count
    game.play(1)
    with ThreadPoolExecutor(30) as pool:
        told = list(pool.map(lambda watcher: watcher.next(1)[0]["id"], watchers))
    assert told == ["3"] * 30
    assert service.store._client.info("clients")["connected_clients"] <= clients + 31


def test_an_idle_stream_says_that_it_is_alive(game, watch, monkeypatch):
    """When nothing happens for a while, a comment keeps the connection open."""
    monkeypatch.setattr(streams, "HEARTBEAT", 0.05)
    watcher = watch(game.id)
    assert [watcher.begin()["comment"] for _ in range(3)] == ["following", "alive", "alive"]


def test_a_long_poll_is_answered_when_something_happens(people, other):
    """`wait` answers with the first version above the given one, also one written by another process."""
    game = match(people[:2])
    mover, view = game.to_act()
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(person.at(other).get, f"{game.path}?wait=2") for person in game.people]
        time.sleep(0.2)
        assert not any(answer.done() for answer in waiting)
        mover.act(game.id, view["legal_actions"][0], 2)
        answers = [answer.result(timeout=5) for answer in waiting]
    for seat, (person, answer) in enumerate(zip(game.people, answers, strict=True)):
        assert answer.data == person.get(game.path).data
        assert answer.headers["ETag"] == f'"3-{seat}"'


def test_a_long_poll_for_what_has_passed_is_answered_at_once(game):
    """Who waits for less than there is does not wait."""
    began = time.monotonic()
    assert game.people[0].get(f"{game.path}?wait=1").json["version"] == 2
    assert time.monotonic() - began < 1


def test_a_long_poll_ends_when_nothing_happens(game, monkeypatch):
    """After the longest wait the present version is the answer."""
    monkeypatch.setattr(streams, "LONGEST_WAIT", 0.1)
    assert game.people[0].get(f"{game.path}?wait=2").json["version"] == 2


def test_nobody_waits_for_a_closed_game(game, service):
    """A game that is closed never changes, so a long poll is answered at once."""
    game.people[0].act(game.id, {"type": "resign"}, "*")
    service.commands.close(game.id)
    began = time.monotonic()
    assert game.people[0].get(f"{game.path}?wait=9").json["status"] == "closed"
    assert time.monotonic() - began < 1
