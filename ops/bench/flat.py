"""Flatness: an action late in a game against one early on, and in a store of many games against one of few.

Plies are compared within the same games, which one client plays over HTTP; stores lie on two Valkey servers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from statistics import median
from time import perf_counter

from events.codec import encode
from events.entries import SCHEMA, Entry
from events.store import EventStore, Stream
from ops.bench.actions import Clients, Service, against, service
from ops.bench.load import one_by_one
from ops.bench.rounds import Effort, Figure, Measures, Rounds, at_most, milliseconds
from ops.bench.tables import Tables, requests
from service.commands import Commands

EARLY = range(8, 14)
LATE = range(148, 154)
SEATS = 3
FEW = 100
COPIED = 10
"""Entries that each game of a full store has."""


def figures(effort: Effort) -> list[Figure]:
    """Return the time of an action at ply 150 against ply 10, and in a full store against a small one."""
    with service(seats=SEATS) as ours:
        told = [_plies(ours, effort)]
    return [*told, _stores(effort)]


def _plies(ours: Service, effort: Effort) -> Figure:
    pairs: list[tuple[Measures, Measures]] = []
    for _ in range(effort.rounds):
        late, early = _times(ours, effort.seconds)
        pairs.append(({"time": median(late)}, {"time": median(early)}))
    return Rounds(pairs[1:]).figure("an action at ply 150, against ply 10", "time", at_most(1.1), milliseconds)


def _times(ours: Service, seconds: float) -> tuple[list[float], list[float]]:
    """Play whole games for `seconds` and return the times of late and of early actions."""
    late: list[float] = []
    early: list[float] = []
    began = perf_counter()
    while perf_counter() - began < seconds or not late:
        table = ours.tables.plan()
        times = one_by_one(ours.address, requests(table))
        first = table.game.version + 1
        for ply, spent in enumerate(times, first):
            if ply in EARLY:
                early.append(spent)
            elif ply in LATE:
                late.append(spent)
    return late, early


def _stores(effort: Effort) -> Figure:
    with _stored(effort.stored) as full, _stored(min(FEW, effort.stored)) as small:
        ours, others = (Clients.of(side.address, side.tables, 1) for side in (full, small))
        rounds = against(ours, others, effort)
    name = f"an action with {effort.stored:,} games stored, against {min(FEW, effort.stored):,}"
    return rounds.figure(name, "p50", at_most(1.1), milliseconds)


@contextmanager
def _stored(games: int) -> Iterator[Service]:
    """Run the service on a store that has so many games."""
    with service() as ours:
        fill(ours.tables.commands, ours.tables, games)
        yield ours


def fill(commands: Commands, tables: Tables, games: int) -> None:
    """Store the first entries of one planned game again and again, each time under another id."""
    table = tables.plan()
    bodies = [stored.body for stored in commands.store.read(Stream("game", table.id))]
    for version, (seat, move) in enumerate(islice(table.moves, COPIED - len(bodies)), table.game.version + 1):
        bodies.append(encode(Entry(SCHEMA, version, "2026-12-01T10:00:00.000Z", seat, "p", "r", move, ())))
    for number in range(games):
        _copy(commands.store, Stream("game", f"stored{number}"), bodies)


def _copy(store: EventStore, stream: Stream, bodies: list[bytes]) -> None:
    for expected, body in enumerate(bodies):
        store.append(stream, expected, body, bytes(32))
