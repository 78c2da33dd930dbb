"""Wires between a client and a real server that lose an answer when told to."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from tests import servers


class Wire:
    """A TCP relay before a server. Once told to, it lets the next matching request through and loses its answer."""

    def __init__(self, port: int) -> None:
        self._target = (servers.HOST, port)
        self._listener = socket.create_server((servers.HOST, 0))
        self.port = int(self._listener.getsockname()[1])
        self._losing: bytes | None = None
        self.lost = 0
        self._clients: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def lose_answer_to(self, word: bytes) -> None:
        """Lose the answer to the next request that holds `word`, and break its connection."""
        self._losing = word

    def close(self) -> None:
        """Stop accepting and break every connection."""
        for end in (self._listener, *self._clients):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(timeout=5)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._clients.append(client)
            thread = threading.Thread(target=self._relay, args=(client,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _relay(self, client: socket.socket) -> None:
        with client, suppress(OSError), socket.create_connection(self._target) as server:
            losing = False
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(1 << 16)
                    if not data or (losing and source is server):
                        return
                    if source is client and self._losing is not None and self._losing in data:
                        losing, self._losing = True, None
                        self.lost += 1
                    (server if source is client else client).sendall(data)


class Wired(NamedTuple):
    """Wires before every node of a server, and the options for redis-py that lead a client through them."""

    wires: list[Wire]
    url: str
    options: dict[str, object]


@contextmanager
def wired(server: servers.Running) -> Iterator[Wired]:
    """Put a wire before every node of `server`."""
    wires = {node.port: Wire(node.port) for node in server.nodes}
    first = next(iter(wires.values()))
    options: dict[str, object] = {}
    if isinstance(server, servers.Cluster):
        options["address_remap"] = lambda at: (at[0], wires[at[1]].port if at[1] in wires else at[1])
    url = server.url.replace(str(server.nodes[0].port), str(first.port))
    try:
        yield Wired(list(wires.values()), url, options)
    finally:
        for wire in wires.values():
            wire.close()
