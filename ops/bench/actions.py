"""Actions over HTTP: how many are accepted per second, and how long one takes, against a route that does one XADD.

The floor's clients post the very same bytes, the floor stores as many bytes as an entry has, and answers with as many
bytes as the service does on average, so that what is left is the service's own work. The web server, its settings
and the Valkey server are the same; only one of the two works at a time.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain

from events.store import Stream
from ops.bench import servers
from ops.bench.load import drive
from ops.bench.rounds import (
    Effort,
    Figure,
    Measures,
    Rounds,
    at_least,
    at_most,
    interleave,
    milliseconds,
    per_second,
)
from ops.bench.tables import Queue, Tables, requests

CLIENTS = 16
RATE = 2_500
"""Requests per second for which moves are planned before a round, so that none is planned within it."""


@dataclass
class Clients:
    """So many clients of one web server, each with its own tables."""

    address: servers.Address
    queues: Sequence[Queue]

    @classmethod
    def of(cls, address: servers.Address, tables: Tables, number: int) -> "Clients":
        """Return `number` clients that play at `tables`."""
        return cls(address, [Queue(tables) for _ in range(number)])

    def prepare(self, effort: Effort) -> None:
        """Plan what one round needs."""
        for queue in self.queues:
            queue.fill(int(RATE * effort.seconds / len(self.queues)))

    def __call__(self, seconds: float) -> Measures:
        """Post for so long."""
        return drive(self.address, self.queues, seconds)


@dataclass
class Service:
    """A running web server of the service."""

    url: str
    address: servers.Address
    tables: Tables


@contextmanager
def service(appendfsync: str = "everysec", seats: int = 2) -> Iterator[Service]:
    """Run the service on a Valkey server of its own, for the block."""
    with ExitStack() as stack:
        url = stack.enter_context(servers.valkey(appendfsync))
        data = stack.enter_context(servers.folder())
        commands = servers.commands(url, data)
        stack.callback(commands.store.close)
        address = stack.enter_context(servers.gunicorn(servers.CAIRN, servers.environment(url, data)))
        yield Service(url, address, Tables(commands, seats))


def figures(effort: Effort) -> list[Figure]:
    """Return the service's throughput and times against the floor's, with many clients and with one."""
    with service() as ours, servers.gunicorn("ops.bench.floor:create_app()", _sizes(ours)) as floor:
        return [*_many(ours, floor, effort), *_one(ours, floor, effort)]


def _many(ours: Service, floor: servers.Address, effort: Effort) -> list[Figure]:
    name = f"accepted actions over HTTP, {CLIENTS} clients"
    clients, others = (Clients.of(address, ours.tables, CLIENTS) for address in (ours.address, floor))
    rounds = against(clients, others, effort)
    return [
        rounds.figure(f"{name}: per second, against one XADD", "rate", at_least(0.70), per_second),
        rounds.figure(f"{name}: p99, against one XADD", "p99", at_most(1.5), milliseconds),
        rounds.figure(f"{name}: p50, against one XADD", "p50", None, milliseconds),
    ]


def _one(ours: Service, floor: servers.Address, effort: Effort) -> list[Figure]:
    client, other = (Clients.of(address, ours.tables, 1) for address in (ours.address, floor))
    rounds = against(client, other, effort)
    name = "accepted action over HTTP, one client: p50, against one XADD"
    return [rounds.figure(name, "p50", at_most(1.4), milliseconds)]


def against(ours: Clients, others: Clients, effort: Effort) -> Rounds:
    """Let both post in turns, from what was planned before each round."""

    def prepare() -> None:
        ours.prepare(effort)
        others.prepare(effort)

    return interleave(ours, others, effort, prepare)


def _sizes(ours: Service) -> dict[str, str]:
    """Return the floor's environment, with sizes as a game's actions have them on average."""
    tables = ours.tables
    game = tables.plan()
    answer = drive(ours.address, [chain(requests(game), Queue(tables))], 0.5)["size"]
    stored = tables.commands.store.read(Stream("game", game.id), after=game.game.version)
    body = sum(len(entry.body) + len(entry.link) for entry in stored) // len(stored)
    return {"CAIRN_REDIS_URL": ours.url, "FLOOR_BODY": str(body), "FLOOR_ANSWER": str(int(answer))}
