"""The load: clients that send prepared requests one after another over kept connections, all in one thread.

The clients share the machine with what they measure, so they do next to nothing: the bytes are made beforehand, and
of an answer only status and length are looked at.
"""

import re
import select
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import quantiles
from time import perf_counter

from ops.bench.rounds import Measures
from ops.bench.servers import Address

LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
CHUNK = 1 << 17


class UnexpectedAnswer(RuntimeError):
    """An answer that is no 201: what is measured would mean nothing."""


class Client:
    """One connection, and the requests that it has yet to send."""

    def __init__(self, address: Address, requests: Iterator[bytes]) -> None:
        self.socket = socket.create_connection(address, timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sent_at = 0.0
        self._requests = requests
        self._answer = b""
        self._head = self._wanted = 0

    def send(self) -> None:
        """Send the next request."""
        request = next(self._requests)
        self.sent_at = perf_counter()
        self.socket.sendall(request)

    def receive(self) -> int:
        """Take in what has come; return the size of the answer's body once all of it is there, else 0."""
        self._answer += self.socket.recv(CHUNK)
        if not self._wanted:
            self._head, self._wanted = _sizes(self._answer)
        if not self._wanted or len(self._answer) < self._head + self._wanted:
            return 0
        size, self._answer, self._wanted = self._wanted, b"", 0
        return size


def drive(address: Address, requests: Sequence[Iterator[bytes]], seconds: float) -> Measures:
    """Let one client for each of `requests` post for about `seconds`.

    Returns the `rate` of answers per second, their `p50` and `p99` in seconds, and their bodies' mean `size` in bytes.
    """
    times: list[float] = []
    size = 0
    began = perf_counter()
    for client in _posting(address, requests, lambda: perf_counter() - began < seconds):
        times.append(client[0])
        size += client[1]
    spent = perf_counter() - began
    cuts = quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 99
    return {"rate": len(times) / spent, "p50": cuts[49], "p99": cuts[98], "size": size / len(times)}


def one_by_one(address: Address, requests: Iterable[bytes]) -> list[float]:
    """Post all of `requests` with one client, and return the seconds that each took."""
    ready = list(requests)
    client = Client(address, iter(ready))
    times = []
    try:
        for _ in ready:
            client.send()
            while not client.receive():
                pass
            times.append(perf_counter() - client.sent_at)
    finally:
        client.socket.close()
    return times


def _posting(
    address: Address, requests: Sequence[Iterator[bytes]], going_on: Callable[[], bool]
) -> Iterator[tuple[float, int]]:
    """Yield each answer's time in seconds and size, until `going_on` is false and all answers are there."""
    clients = {client.socket.fileno(): client for client in (Client(address, queue) for queue in requests)}
    poll = select.poll()
    try:
        for number, client in clients.items():
            poll.register(number, select.POLLIN)
            client.send()
        waiting = len(clients)
        while waiting:
            for number, _ in poll.poll():
                client = clients[number]
                size = client.receive()
                if not size:
                    continue
                yield perf_counter() - client.sent_at, size
                if going_on():
                    client.send()
                else:
                    waiting -= 1
    finally:
        for client in clients.values():
            client.socket.close()


def _sizes(answer: bytes) -> tuple[int, int]:
    """Return how long head and body will be, 0 while that is unknown; raise `UnexpectedAnswer` unless it is a 201."""
    end = answer.find(b"\r\n\r\n")
    if end < 0:
        if not answer:
            raise UnexpectedAnswer("the connection was closed")
        return 0, 0
    length = LENGTH.search(answer, 0, end)
    if not answer.startswith(b"HTTP/1.1 201") or length is None:
        raise UnexpectedAnswer(answer[:500].decode(errors="replace"))
    return end + 4, int(length[1])
