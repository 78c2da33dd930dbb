"""Ways to a server that are shorter than redis-py's own, for the one command that everything waits for: the append.

redis-py takes a connection out of a pool, looks at its socket, counts and measures, for each command; for an append
that is more work than the append. And it would ask a cluster where the keys of an FCALL are, body and all.
"""

import os
import select
from collections.abc import Sequence
from typing import Any

import redis
from redis.crc import key_slot

COOPERATIVE = select.poll.__module__.startswith("gevent")
"""Whether whoever works must step aside for others to have a turn. Under gevent nobody else would, as long as answers
come faster than they are looked for: one quick client would keep all others waiting."""


class Wire:
    """Connections to one server that are kept for one command at a time; any number of threads may ask at once."""

    def __init__(self, client: redis.Redis) -> None:
        self._client: Any = client
        self._process = os.getpid()
        self._idle: list[Any] = []

    def ask(self, *command: str | bytes | int) -> Any:
        """Return the answer to `command`, which is sent anew if a connection was lost, as the client would."""
        connection = self._take()

        def exchange() -> Any:
            connection.send_command(*command)
            if COOPERATIVE:
                _await_answer(connection)
            return connection.read_response()

        try:
            return connection.retry.call_with_retry(exchange, lambda _error: connection.disconnect())
        except redis.ResponseError:
            raise  # this was the answer
        except BaseException:
            connection.disconnect()  # else whoever asks next would take a late answer for their own
            raise
        finally:
            self._idle.append(connection)  # a lost one connects anew when it is used next

    def close(self) -> None:
        """Close all connections."""
        while self._idle:
            self._idle.pop().disconnect()

    def _take(self) -> Any:
        if self._process != os.getpid():  # a fork must not talk on its parent's connections
            self._process, self._idle = os.getpid(), []
        try:
            return self._idle.pop()
        except IndexError:
            return self._client.connection_pool.make_connection()


def _await_answer(connection: Any) -> None:
    """Wait until there is something to read, in the event loop with all others."""
    waiting = select.poll()
    waiting.register(connection._sock, select.POLLIN)
    waiting.poll(connection.socket_timeout and connection.socket_timeout * 1000)


class Cluster(redis.RedisCluster):
    """A client that knows where the keys of an FCALL are."""

    def determine_slot(self, *args: Any) -> Any:
        """Return the slot of a command's keys."""
        if args[0] != "FCALL":
            return super().determine_slot(*args)
        return key_slot(args[3].encode())


def as_lists(elements: Sequence[Any]) -> Sequence[Any]:
    """Return elements with names and values in a list, in the order written; a cluster's client makes dicts of them."""
    if not elements or not isinstance(elements[0][1], dict):
        return elements
    return [(place, [part for field in fields.items() for part in field]) for place, fields in elements]


def as_it_comes(answer: Any, **_options: Any) -> Any:
    """Return `answer`: as a callback, this keeps redis-py from making something else of it."""
    return answer
