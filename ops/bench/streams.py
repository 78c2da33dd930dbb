"""Web servers with many open live streams: gunicorn with gevent, as `cairn serve` runs it, against granian.

The streams are server-sent events of tables at which nobody acts just now; meanwhile 16 clients play at others.
Granian gives each open stream a thread of its own, so it gets as many threads as there are streams, and some more.
"""

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial

from ops.bench import servers
from ops.bench.actions import CLIENTS, Clients, against
from ops.bench.peers import installed
from ops.bench.rounds import Effort, Figure, milliseconds, per_second
from ops.bench.tables import Tables

Server = Callable[[str, Mapping[str, str]], AbstractContextManager[servers.Address]]
WATCHED = 50
SPARE_THREADS = 32


def figures(effort: Effort) -> list[Figure]:
    """Return gunicorn's throughput and times against granian's, with streams open at both."""
    if not installed("granian"):
        return []
    with ExitStack() as stack:
        gunicorn = _watched(stack, servers.gunicorn, effort)
        granian = _watched(stack, partial(servers.granian, threads=effort.streams + SPARE_THREADS), effort)
        rounds = against(gunicorn, granian, effort)
    name = f"gunicorn with gevent against granian, {effort.streams} open streams, {CLIENTS} clients"
    return [
        rounds.figure(f"{name}: actions per second", "rate", None, per_second),
        rounds.figure(f"{name}: p50", "p50", None, milliseconds),
        rounds.figure(f"{name}: p99", "p99", None, milliseconds),
    ]


def _watched(stack: ExitStack, server: Server, effort: Effort) -> Clients:
    """Start a web server of the service on a Valkey server of its own, and open the streams."""
    url, data = stack.enter_context(servers.valkey()), stack.enter_context(servers.folder())
    commands = servers.commands(url, data)
    stack.callback(commands.store.close)
    address = stack.enter_context(server(servers.CAIRN, servers.environment(url, data)))
    tables = Tables(commands)
    stack.enter_context(watching(address, tables, effort.streams))
    return Clients.of(address, tables, CLIENTS)


@contextmanager
def watching(address: servers.Address, tables: Tables, streams: int) -> Iterator[None]:
    """Hold so many live streams open for the block; each has had its first line."""
    games = [tables.plan().id for _ in range(min(WATCHED, streams))]
    with ExitStack() as stack:
        watchers = []
        for number in range(streams):
            watcher = stack.enter_context(socket.create_connection(address, timeout=60))
            path = f"/api/games/{games[number % len(games)]}/stream"
            watcher.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
            watchers.append(watcher)
        for watcher in watchers:
            _await(watcher, b": following")
        yield


def _await(watcher: socket.socket, words: bytes) -> None:
    heard = b""
    while words not in heard:
        part = watcher.recv(4096)
        if not part:
            raise RuntimeError(f"a live stream was closed: {heard[:300]!r}")
        heard += part
