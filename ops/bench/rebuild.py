"""Rebuilding games from their events: read, decode, verify the chain and fold, in events per second.

Against aggregates of the `eventsourcing` library with the same events and the same rules, kept in memory and in a
SQLite file. The service reads from its server over a socket and checks hashes, which the peers need not.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import chain as chained
from typing import Any, NamedTuple

from events import chain
from events.catalogue import GameCreated, GameStarted
from events.codec import decode
from events.deal import ALL
from events.game import Game, deck_order
from events.store import EventStore, Stream
from ops.bench import servers
from ops.bench.peers import installed
from ops.bench.rounds import Effort, Figure, at_least, interleave, per_second, repeating
from ops.bench.tables import Planned, Tables
from service.commands import Actor, Commands


class BrokenChain(RuntimeError):
    """A stored entry whose link does not fit: what is measured would mean nothing."""


class Stored(NamedTuple):
    """A finished game in the store, and its seed."""

    id: str
    seed: bytes


def figures(effort: Effort) -> list[Figure]:
    """Return how many events are folded per second, against the peer in memory and on SQLite."""
    if not installed("eventsourcing"):
        return []
    with ExitStack() as stack:
        url, data = stack.enter_context(servers.valkey()), stack.enter_context(servers.folder())
        commands = servers.commands(url, data)
        stack.callback(commands.store.close)
        games = [Stored(table.id, table.seed) for table in play(commands, effort.played)]
        ours = repeating(rebuilding(commands.store, games))
        told = []
        sqlite = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(data / "peer.sqlite")}
        for where, environ, bound in (("in memory", {}, 5), ("on SQLite", sqlite, 6)):
            rounds = interleave(ours, repeating(_rebuilding_peers(commands.store, games, environ)), effort)
            name = f"events rebuilt from the store, against eventsourcing {where}"
            told.append(rounds.figure(name, "rate", at_least(bound), per_second))
    return told


def play(commands: Commands, games: int, seats: int = 2) -> list[Planned]:
    """Play so many planned games to their ends through the commands, and return them."""
    tables = Tables(commands, seats)
    played = [tables.plan() for _ in range(games)]
    for table in played:
        for version, (seat, move) in enumerate(table.moves, table.game.version):
            player = table.players[seat]
            commands.act(table.id, Actor(player.id, player.name, seat), move, f"{version}", version)
    return played


def rebuilding(store: EventStore, games: Sequence[Stored]) -> Callable[[], int]:
    """Return what rebuilds all `games` and returns how many events they have."""

    def rebuild() -> int:
        return sum(_rebuilt(store, game)[1] for game in games)

    return rebuild


def _rebuilt(store: EventStore, stored: Stored) -> tuple[Game, int]:
    """Return the game that is stored, and how many events it has."""
    head = chain.GENESIS
    game: Game | None = None
    events = 0
    for _, body, link in store.read(Stream("game", stored.id)):
        head = chain.link(head, body)
        if head != link:
            raise BrokenChain(stored.id)
        entry = decode(body)
        if game is None:
            created = entry.events[0]
            assert isinstance(created, GameCreated)
            game = Game(stored.id, created)
        game.apply(entry, eyes=(ALL,), seed=stored.seed)
        events += len(entry.events)
    assert game is not None
    return game, events


def _rebuilding_peers(store: EventStore, games: Sequence[Stored], environ: dict[str, str]) -> Callable[[], int]:
    """Return what rebuilds the same games as aggregates; they are saved first."""
    from ops.bench import peer_aggregate

    application = peer_aggregate.application(environ)
    saved: list[tuple[Any, int]] = []
    for stored in games:
        game, _ = _rebuilt(store, stored)
        log = store.read(Stream("game", stored.id))
        happened = list(chained.from_iterable(decode(entry.body).events for entry in log))
        start = next(place for place, event in enumerate(happened) if isinstance(event, GameStarted))
        started = happened[start]
        assert isinstance(started, GameStarted)
        deck = deck_order(game, stored.seed, started.entropy)
        aggregate = peer_aggregate.stored(started, deck, happened[start + 1 :])  # type: ignore[arg-type]  # board events
        application.save(aggregate)
        _check(application.repository.get(aggregate.id), game)
        saved.append((aggregate.id, len(happened) - start))

    def rebuild() -> int:
        for identity, _ in saved:
            application.repository.get(identity)
        return sum(events for _, events in saved)

    return rebuild


def _check(aggregate: Any, game: Game) -> None:
    """Make sure that both sides fold to the same state."""
    hands = game.look(ALL).hands
    assert aggregate.state.hands.cards == hands.cards
    assert aggregate.state.board.deck_left == game.look(ALL).board.deck_left
