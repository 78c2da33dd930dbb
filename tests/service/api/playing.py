"""A whole service in one process, and people who use it over HTTP: what the API's tests are played with."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from werkzeug.test import TestResponse

from events.codec import decode
from events.seal import KeyRing
from events.store import EventStore, Stream, connect
from projections.follower import Follower
from projections.lobby import NAME, Lobby, LobbyProjection
from projections.view_store import ViewStore
from service.api.app import build_app
from service.clock import Clock, utc_now
from service.commands import Commands

SEED = "5eed" * 16
TEST_TABLE = {"mode": "unrated-test", "seed": SEED}
ORDER = {"game": "keltis", "seats": 2}
"""What a plain table is ordered with."""

PROBLEM = "application/problem+json"

_fresh = count()


class Service:
    """One process' part of the service: its app, its caches, and the follower of its lists."""

    def __init__(self, url: str, keys: KeyRing, clock: Clock = utc_now, **options: Any) -> None:
        self.store = EventStore(connect(url, **options), 4)
        self.store.prepare()
        self.commands = Commands(self.store, keys, clock)
        self._client = connect(url, **options)
        views = ViewStore(self._client, NAME)
        self._lists = Follower(self.store, views, LobbyProjection(self.store, views))
        self.app = build_app(self.commands, Lobby(self._client), list)

    def ask(self, method: str, path: str, **options: Any) -> TestResponse:
        """Send one request, from any thread."""
        return self.app.test_client().open(path, method=method, **options)

    def get(self, path: str, **headers: str) -> TestResponse:
        """Look, as nobody known."""
        return self.ask("GET", path, headers=headers)

    def follow(self) -> None:
        """Let the lists catch up with the log."""
        self._lists.drain()

    def player(self, name: str) -> Person:
        """Make a player."""
        made = self.ask("POST", "/api/players", json={"name": name})
        assert made.status_code == 201, made.text
        return Person(self, made.json["id"], name, made.json["token"])

    def bodies(self, game_id: str) -> list[bytes]:
        """Return the bodies of all entries of a game, as they are stored."""
        return [stored.body for stored in self.store.read(Stream("game", game_id))]

    def close(self) -> None:
        """Stop reading and close all connections."""
        self.app.extensions["cairn-hub"].stop()
        self.store.close()
        self._client.close()


@dataclass
class Person:
    """Somebody with a token."""

    service: Service
    id: str
    name: str
    token: str
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Keep what every request of this person carries."""
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def at(self, service: Service) -> Person:
        """Return the same person, who asks another process."""
        return Person(service, self.id, self.name, self.token)

    def ask(self, method: str, path: str, headers: dict[str, str] | None = None, **options: Any) -> TestResponse:
        """Send one request as this person."""
        return self.service.ask(method, path, headers={**self.headers, **(headers or {})}, **options)

    def get(self, path: str, **headers: str) -> TestResponse:
        """Look at something."""
        return self.ask("GET", path, headers)

    def post(self, path: str, body: Any = None, key: str | None = None) -> TestResponse:
        """Ask for something; each request has a key of its own unless `key` is given."""
        return self.ask("POST", path, {"Idempotency-Key": key or fresh_key()}, json=body if body is not None else {})

    def open(self, seats: int = 2, key: str | None = None, **order: Any) -> str:
        """Open a table of Keltis and return its id."""
        opened = self.post("/api/games", {"game": "keltis", "seats": seats, **order}, key)
        assert opened.status_code == 201, opened.text
        return opened.json["id"]

    def view(self, game_id: str) -> dict[str, Any]:
        """Return what this person sees of a game."""
        seen = self.get(f"/api/games/{game_id}")
        assert seen.status_code == 200, seen.text
        return seen.json

    def act(self, game_id: str, move: Any, version: int | str | None, key: str | None = None) -> TestResponse:
        """Ask for a move at `version` (a number, or the whole header)."""
        headers = {"Idempotency-Key": key or fresh_key()}
        if version is not None:
            headers["If-Match"] = f'"{version}"' if isinstance(version, int) else version
        return self.ask("POST", f"/api/games/{game_id}/actions", headers, json=move)


@dataclass
class Match:
    """A running game and who sits on its seats, in seat order."""

    id: str
    people: list[Person]

    @property
    def path(self) -> str:
        """Return the game's address."""
        return f"/api/games/{self.id}"

    def to_act(self) -> tuple[Person, dict[str, Any]]:
        """Return whose decision is awaited, and what that person sees."""
        for person in self.people:
            view = person.view(self.id)
            if len(view["legal_actions"]) > 1:
                return person, view
        raise AssertionError("nobody is to act")

    def play(self, plies: int, choose: Callable[[list[Any]], Any] = lambda moves: moves[0]) -> list[TestResponse]:
        """Let the seats do legal things, but not resign, and return the answers."""
        answers = []
        for _ in range(plies):
            person, view = self.to_act()
            answers.append(person.act(self.id, choose(view["legal_actions"][:-1]), view["version"]))
            assert answers[-1].status_code == 201, answers[-1].text
        return answers

    def finish(self, random: Random) -> None:
        """Play to the end, laying cards rather than discarding them, and write the closing entry."""
        while self.people[0].view(self.id)["status"] == "running":
            self.play(1, lambda moves: random.choice([m for m in moves if m["type"] != "discard-card"] or moves))
        assert self.people[0].service.commands.close(self.id) is not None


def match(people: list[Person], key: str | None = None, **order: Any) -> Match:
    """Open a table for `people` and let all of them sit down, so that the game starts."""
    game_id = people[0].open(seats=len(people), key=key, **order)
    for number, person in enumerate(people[1:]):
        joined = person.post(f"/api/games/{game_id}/seats", key=f"{key}-{number}" if key else None)
        assert joined.status_code == 201, joined.text
    return Match(game_id, people)


def send(
    game: Match,
    path: str,
    body: str | bytes,
    kind: str = "application/json",
    key: str | None = None,
    **headers: str,
) -> TestResponse:
    """Send a raw body to an address or to the game's, as its first player and at its version."""
    headers = {"If-Match": '"2"', **({"Idempotency-Key": key} if key is not None else {}), **headers}
    address = path if path.startswith("/") else f"{game.path}/{path}"
    return game.people[0].ask("POST", address, headers, data=body, content_type=kind)


def fresh_key() -> str:
    """Return an idempotency key that nobody used yet."""
    return f"test-key-{next(_fresh):08d}"


def problem(answer: TestResponse, status: int, name: str) -> dict[str, Any]:
    """Check that `answer` is the problem `name`, small and complete, and return it."""
    assert answer.status_code == status, answer.text[:500]
    assert answer.content_type == PROBLEM
    told = answer.json
    assert (told["type"], told["status"]) == (f"/api/problems/{name}", status)
    assert told["title"]
    assert told["detail"]
    assert len(answer.data) < 10_000
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    return told


def paths(answer: TestResponse) -> set[str]:
    """Return the paths of the fields that a problem names."""
    return {error["path"] for error in answer.json["errors"]}


def events_of(body: bytes) -> list[str]:
    """Return the types of the events in an entry's body."""
    decode(body)
    return [event["type"] for event in json.loads(body)["events"]]
