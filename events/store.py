"""The log's store: streams of entries in Redis or Valkey, on one server or on a cluster, and the feeds over them.

It knows keys, versions and feeds, and decides who wins when two append at once. Bodies and links are bytes to it:
it reads no entry, knows no game, and makes no time. Nothing that it has stored is ever changed or removed.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from time import sleep
from typing import Any, NamedTuple, Self, TypeAlias, cast
from zlib import crc32

import redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.retry import Retry

from events.wire import Cluster, Wire, as_it_comes, as_lists

FORMAT = 1
"""The layout of keys and fields that is written today."""

MARK = "cairn:store"
"""The key that says with which format and how many shards the store was first used."""

OWNER = "cairn:owner"
"""The key that says by whose keys the seeds of the store are sealed."""

LIBRARY = files("events").joinpath("store.lua").read_bytes()
"""The server-side library `cairn` with its function `append`."""

TIMEOUT_S = 5.0
"""How long one command may take."""

LONGEST_WAIT_MS = 3_000
"""The longest that one read of the feeds waits, well below the time that a command may take."""

POLL_MS = 20
"""How often a cluster's feeds are looked at while waiting."""

RETRIES = 3
CONNECTIONS = 1_000  # at most, for each server; opened as needed

Client: TypeAlias = redis.Redis | redis.RedisCluster

_OUTAGES = (redis.ConnectionError, redis.TimeoutError, redis.OutOfMemoryError, redis.ReadOnlyError)
_CLUSTER_OUTAGES = (redis.exceptions.ClusterError, redis.exceptions.TryAgainError, redis.RedisClusterException)
_OUTAGE_WORDS = ("MISCONF", "NOREPLICAS", "BUSY ", "UNBLOCKED")


class Stream(NamedTuple):
    """The name of one stream: what it is of (`game` or `player`), and whose."""

    kind: str
    id: str


class Stored(NamedTuple):
    """An entry as it is stored: its version, its body, and the 32 bytes of the hash chain beside it."""

    version: int
    body: bytes
    link: bytes


class Pointer(NamedTuple):
    """One element of a feed: at `position` (from 1, dense) it names the entry `version` of `stream`."""

    position: int
    stream: Stream
    version: int


class VersionConflict(Exception):
    """The stream is not at the version that the writer saw; nothing was written.

    `actual` is the stream's version; `standing` the entry that stands where the refused one was to go, if one does.
    """

    def __init__(self, actual: int, standing: Stored | None) -> None:
        super().__init__(f"the stream is at version {actual}")
        self.actual = actual
        self.standing = standing


class StoreUnavailable(Exception):
    """The store cannot answer now: away, too slow, full, read-only, loading. An append may or may not stand.

    `reason` is the server's or the connection's own word, with addresses: for operators, not for clients.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class StoreMismatch(Exception):
    """The store was first used with another number of shards or another format."""


def connect(url: str, **options: Any) -> Client:
    """Return a client for `url` that repeats a command whose connection was lost; `options` go to redis-py.

    `redis://`, `rediss://` and `unix://` name one server, `redis+cluster://` and `rediss+cluster://` any node
    of a cluster. One server is first spoken to by the first command, a cluster at once (`StoreUnavailable`).
    """
    settings: dict[str, Any] = {
        "protocol": 2,  # quicker than 3 with hiredis, and no push messages are used
        "socket_timeout": TIMEOUT_S,
        "socket_connect_timeout": TIMEOUT_S,
        "max_connections": CONNECTIONS,
        "retry": Retry(ExponentialWithJitterBackoff(cap=0.5, base=0.02), RETRIES),
        **options,
    }
    scheme, _, rest = url.partition("://")
    if scheme.endswith("+cluster"):
        with _outages:
            return Cluster(url=f"{scheme.removesuffix('+cluster')}://{rest}", **settings)
    return redis.Redis.from_url(url, **settings)


class EventStore:
    """The streams of one deployment, spread over `shards` by their ids.

    The client becomes the store's own; it must answer bytes (no `decode_responses`). One store serves any number of
    threads. Every method raises `StoreUnavailable` when the server cannot answer now.
    """

    def __init__(self, client: Client, shards: int = 64) -> None:
        if shards < 1:
            raise ValueError("a store has at least one shard")
        self._client = client
        self._commands: Any = client  # redis-py leaves open whether these calls answer or await
        self._wire = Wire(client) if isinstance(client, redis.Redis) else None
        self._shortly: Any = self._wire.ask if self._wire else self._commands.execute_command
        self._tags = [f"{{s{shard:02d}}}" for shard in range(shards)]
        for command in ("XRANGE", "XREAD"):  # taken as they come: a quarter quicker for a whole game
            self._commands.set_response_callback(command, as_it_comes)

    @classmethod
    def from_url(cls, url: str, shards: int = 64) -> Self:
        """Return a store on the server or cluster at `url`; see `connect`."""
        return cls(connect(url), shards)

    def prepare(self) -> None:
        """Record the number of shards or check it (`StoreMismatch`); load the server-side library where it differs.

        To be called once before the first append; safe to call at any time and by any number of processes.
        """
        self._hold(MARK, f"format {FORMAT}, {len(self._tags)} shards")
        self._load()

    def belong_to(self, owner: str) -> None:
        """Record by whose keys the seeds here are sealed, or check it (`StoreMismatch`): others open none of them."""
        self._hold(OWNER, owner)

    def append(self, stream: Stream, expected: int, body: bytes, link: bytes) -> int:
        """Append an entry after version `expected`, with its pointer in the feed, and return the new version.

        One round trip. Raises `VersionConflict` if the stream is at any other version. If the very same body and link
        stand there already, an earlier answer was lost on the way and this is the success that it reported.
        """
        answer = self._call_append(stream, expected, body, link)
        if isinstance(answer, int):
            return answer
        actual, *held = answer
        standing = Stored(expected + 1, *held) if held else None
        if standing and (standing.body, standing.link) == (body, link):
            return standing.version
        raise VersionConflict(actual, standing)

    def read(self, stream: Stream, after: int = 0, until: int | None = None) -> list[Stored]:
        """Return the entries with versions above `after` and up to `until`, in order; an unknown stream has none."""
        if until is not None and until <= after:
            return []
        last = "+" if until is None else f"{until}-0"
        entries = self._ask("XRANGE", self._key(stream), f"{max(after, 0) + 1}-0", last)
        return [Stored(int(place[:-2]), body, link) for place, (_, body, _, link) in as_lists(entries)]

    def version(self, stream: Stream) -> int:
        """Return the version of the stream's last entry, 0 for an unknown stream."""
        return cast("int", self._ask("XLEN", self._key(stream)))

    def read_feeds(self, after: Mapping[int, int], count: int, block_ms: int) -> dict[int, list[Pointer]]:
        """Return new pointers of the shards in `after` (shard to position read), at most `count` for each shard.

        Shards with nothing new are left out. If none has anything, waits up to `block_ms` milliseconds, though never
        longer than `LONGEST_WAIT_MS`; 0 does not wait.
        """
        if not after:
            return {}
        wait_ms = min(block_ms, LONGEST_WAIT_MS)
        if isinstance(self._client, redis.RedisCluster):
            return self._poll_feeds(after, count, wait_ms)
        return self._await_feeds(after, count, wait_ms)

    def feed_lengths(self) -> list[int]:
        """Return, for each shard, the position of the last pointer in its feed."""
        return cast("list[int]", self._ask_each([("XLEN", self._feed(shard)) for shard in range(len(self._tags))]))

    def close(self) -> None:
        """Close all connections."""
        if self._wire is not None:
            self._wire.close()
        self._client.close()

    def shard(self, stream: Stream) -> int:
        """Return the shard in which the stream and its pointers lie."""
        return crc32(stream.id.encode()) % len(self._tags)

    def _key(self, stream: Stream) -> str:
        return f"{self._tags[self.shard(stream)]}:{stream.kind}:{stream.id}"

    def _feed(self, shard: int) -> str:
        return f"{self._tags[shard]}:feed"

    def _call_append(self, stream: Stream, expected: int, body: bytes, link: bytes) -> Any:
        tag = self._tags[self.shard(stream)]
        keys = (f"{tag}:{stream.kind}:{stream.id}", f"{tag}:feed")
        call = ("FCALL", "append", len(keys), *keys, expected, body, link, *stream)
        try:
            with _outages:
                return self._shortly(*call)
        except redis.ResponseError as error:
            if "function not found" not in str(error).lower():
                raise
        self._load()  # the server was started anew without what it had loaded
        return self._ask(*call)

    def _await_feeds(self, after: Mapping[int, int], count: int, wait_ms: int) -> dict[int, list[Pointer]]:
        shards = {self._feed(shard).encode(): shard for shard in after}
        block = ("BLOCK", wait_ms) if wait_ms > 0 else ()
        places = (f"{position}-0" for position in after.values())
        answer = self._ask("XREAD", "COUNT", count, *block, "STREAMS", *shards, *places) or ()
        feeds = answer.items() if isinstance(answer, dict) else answer
        return {shards[feed]: _pointers(elements) for feed, elements in feeds}

    def _poll_feeds(self, after: Mapping[int, int], count: int, wait_ms: int) -> dict[int, list[Pointer]]:
        asked = [("XRANGE", self._feed(shard), f"{n + 1}-0", "+", "COUNT", count) for shard, n in after.items()]
        while True:
            answers = self._ask_each(asked)
            found = {shard: _pointers(answer) for shard, answer in zip(after, answers, strict=True) if answer}
            if found or wait_ms <= 0:
                return found
            sleep(min(wait_ms, POLL_MS) / 1000)
            wait_ms -= POLL_MS

    def _hold(self, key: str, ours: str) -> None:
        self._ask("SET", key, ours, "NX")
        recorded = self._ask("GET", key).decode()
        if recorded != ours:
            raise StoreMismatch(f"the store has {recorded}; asked for {ours}")

    def _load(self) -> None:
        with _outages:
            for server in self._primaries():
                libraries = server.execute_command("FUNCTION LIST", "LIBRARYNAME", "cairn", "WITHCODE")
                if not any(LIBRARY in (lib.values() if isinstance(lib, dict) else lib) for lib in libraries):
                    server.execute_command("FUNCTION LOAD", "REPLACE", LIBRARY)

    def _primaries(self) -> list[Any]:
        if not isinstance(self._client, redis.RedisCluster):
            return [self._commands]
        return [self._commands.get_redis_connection(node) for node in self._commands.get_primaries()]

    def _ask(self, *command: str | bytes | int) -> Any:
        with _outages:
            return self._commands.execute_command(*command)

    def _ask_each(self, commands: Sequence[tuple[str | int, ...]]) -> list[Any]:
        with _outages, self._commands.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            return cast("list[Any]", pipeline.execute())


class _Outages:
    """Turns the errors that mean "not now" into `StoreUnavailable`; every append passes it, so it is no generator."""

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        words = isinstance(error, redis.ResponseError) and str(error).startswith(_OUTAGE_WORDS)
        if words or isinstance(error, _OUTAGES + _CLUSTER_OUTAGES):
            raise StoreUnavailable(str(error)) from error


_outages = _Outages()


def _pointers(elements: Sequence[Any]) -> list[Pointer]:
    return [
        Pointer(int(place[:-2]), Stream(kind.decode(), name.decode()), int(version))
        for place, (_, kind, _, name, _, version) in as_lists(elements)
    ]
