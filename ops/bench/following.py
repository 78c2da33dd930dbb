"""Followers: how fast the lobby and the ends of games take in the feeds, against a bare XREADGROUP and XACK loop.

Games are stored move by move in turns, as they come in where many are played at once. Each round a follower begins anew
with an empty view; the bare loop reads the same feeds with as many pointers at a time.
"""

from collections.abc import Callable
from contextlib import ExitStack
from itertools import zip_longest
from time import perf_counter
from typing import Any

from events.store import Client, EventStore, Stream, connect
from ops.bench import servers
from ops.bench.rebuild import play
from ops.bench.rounds import Effort, Figure, Measures, Side, at_least, interleave, per_second
from projections.follower import BATCH, Follower, Projection
from projections.lobby import NAME as LOBBY
from projections.lobby import LobbyProjection
from projections.view_store import ViewStore
from service.ends import NAME as ENDS
from service.ends import EndsProjection

Making = Callable[[EventStore, ViewStore], Projection]


def figures(effort: Effort) -> list[Figure]:
    """Return the rate of each follower against the bare loop."""
    with ExitStack() as stack:
        url, data = stack.enter_context(servers.valkey()), stack.enter_context(servers.folder())
        store, client = _filled(stack, url, data, effort.played)
        bare = _again(_Bare(client, len(store.feed_lengths())))
        told = []
        for name, projection in ((LOBBY, LobbyProjection), (ENDS, EndsProjection)):
            rounds = interleave(_again(_Following(store, client, name, projection)), bare, effort)
            title = f"events followed for the {name}, against bare XREADGROUP and XACK"
            told.append(rounds.figure(title, "rate", at_least(0.25), per_second))
    return told


def _filled(stack: ExitStack, url: str, data: Any, games: int) -> tuple[EventStore, Client]:
    """Return a store in which games stand that were played in turns, and a client for views."""
    client = stack.enter_context(connect(url))
    with ExitStack() as aside:
        commands = servers.commands(aside.enter_context(servers.valkey()), data)
        aside.callback(commands.store.close)
        streams = [Stream("game", table.id) for table in play(commands, games)]
        logs = [[(stream, stored) for stored in commands.store.read(stream)] for stream in streams]
    store = EventStore.from_url(url)
    stack.callback(store.close)
    store.prepare()
    for turn in zip_longest(*logs):
        for stream, stored in filter(None, turn):
            store.append(stream, stored.version - 1, stored.body, stored.link)
    return store, client


class _Following:
    """A follower that takes in all feeds from their beginnings."""

    def __init__(self, store: EventStore, client: Client, name: str, projection: Making) -> None:
        self._store, self._client, self._name, self._projection = store, client, name, projection

    def prepare(self) -> None:
        """Forget the view."""
        keys = self._client.keys(f"{{{self._name}}}:*")
        if keys:
            self._client.delete(*keys)

    def run(self) -> int:
        """Take everything in and return how much that was."""
        views = ViewStore(self._client, self._name)
        return Follower(self._store, views, self._projection(self._store, views)).drain()


class _Bare:
    """A consumer group that reads all feeds and acknowledges, and does nothing else."""

    def __init__(self, client: Client, shards: int) -> None:
        self._client: Any = client
        self._feeds = {f"{{s{shard:02d}}}:feed": ">" for shard in range(shards)}
        for feed in self._feeds:
            self._client.xgroup_create(feed, "bare", id="0", mkstream=True)

    def prepare(self) -> None:
        """Begin anew."""
        for feed in self._feeds:
            self._client.xgroup_setid(feed, "bare", "0")

    def run(self) -> int:
        """Read everything and return how much that was."""
        taken = 0
        while found := self._client.xreadgroup("bare", "one", self._feeds, count=1 + BATCH // len(self._feeds)):
            for feed, elements in found:
                self._client.xack(feed, "bare", *[place for place, _ in elements])
                taken += len(elements)
        return taken


def _again(work: _Following | _Bare) -> Side:
    """Return the side that does `work` again and again; the time to prepare it does not count."""

    def side(seconds: float) -> Measures:
        spent, taken = 0.0, 0
        while spent < seconds or not taken:
            work.prepare()
            began = perf_counter()
            taken += work.run()
            spent += perf_counter() - began
        return {"rate": taken / spent}

    return side
