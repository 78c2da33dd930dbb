"""Where a projection keeps its view: keys of one hash tag, and the checkpoint that is saved together with them.

A view and its checkpoint change in one MULTI, and only if nobody saved since the checkpoint was read. So a crash
loses and doubles nothing, and a second follower of the same name can do no harm.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from redis.exceptions import RedisError, WatchError

from events.store import Client, StoreUnavailable

Writes = Any
"""A pipeline of redis-py, on one server or on a cluster: what a projection queues its changes on."""


class Overtaken(Exception):
    """Another follower of the same name saved first; nothing was saved here."""


class ViewStore:
    """The keys of one projection, all in one slot of a cluster."""

    def __init__(self, client: Client, name: str) -> None:
        self._client: Any = client
        self.name = name

    def key(self, *parts: str) -> str:
        """Return the name of one of the projection's keys."""
        return ":".join((f"{{{self.name}}}", *parts))

    def checkpoint(self) -> dict[int, int]:
        """Return, by shard, the position up to which the view has taken in the feed; 0 is left out."""
        with reaching():
            return _positions(self._client.hgetall(self.key("checkpoint")))

    @contextmanager
    def saving(self, since: Mapping[int, int], until: Mapping[int, int]) -> Iterator[Writes]:
        """Save what the block queues, and `until` as the new checkpoint, all at once or not at all.

        Raise `Overtaken` if the checkpoint is no longer `since`. What the block reads of the view is what it changes:
        whoever saves in between makes this one fail.
        """
        with reaching(), self._client.pipeline(transaction=True) as writes:
            writes.watch(self.key("checkpoint"))
            if _positions(writes.hgetall(self.key("checkpoint"))) != {shard: at for shard, at in since.items() if at}:
                raise Overtaken(self.name)
            writes.multi()
            yield writes
            writes.hset(self.key("checkpoint"), mapping={str(shard): at for shard, at in until.items() if at})
            writes.execute()

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Let the block read several keys as they stand at one moment, by a pipeline that it executes."""
        with reaching(), self._client.pipeline(transaction=True) as reads:
            yield reads

    def members(self, key: str) -> list[str]:
        """Return the members of the set at `key`, in the order of their names."""
        with reaching():
            return sorted(member.decode() for member in self._client.smembers(key))

    def remove(self, key: str, member: str) -> None:
        """Take `member` out of the set at `key`."""
        with reaching():
            self._client.srem(key, member)


@contextmanager
def reaching() -> Iterator[None]:
    """Raise `StoreUnavailable` or `Overtaken` in place of the client's own errors."""
    try:
        yield
    except WatchError as error:
        raise Overtaken(str(error)) from error
    except (RedisError, OSError) as error:
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error


def _positions(fields: Mapping[bytes, bytes]) -> dict[int, int]:
    return {int(shard): int(position) for shard, position in fields.items()}
