"""Health: what the service leans on, checked, each fault with one sentence on how to mend it.

It decides which servers are safe for a log, and which faults are vital: with one of those the service is not ready,
so whoever shares out requests sends none here. It does not keep the service from accepting what reaches it.
Anybody may read the findings, so they hold no address, path or secret.
"""

import logging
import stat
from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from time import monotonic
from typing import Any, Final, NamedTuple

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.worker_registration import get_keys

from events.store import FORMAT, MARK, Client, EventStore, StoreUnavailable, connect
from projections.follower import lag
from projections.view_store import ViewStore
from service.config import Settings
from service.jobs import open_queue

FOLLOWERS: Final = ("lobby", "ends", "bots")

OLDEST: Final = {"redis": (7, 0), "valkey": (8, 0)}
"""The oldest version of each kind of server that knows what the store needs."""

FULL: Final = 0.9
"""The share of its memory limit from which a server counts as full: it will soon refuse to append."""

LONGEST_LAG: Final = 200
"""Entries that a follower may be behind in passing."""

MEGABYTE: Final = 1_000_000
PATIENCE_S: Final = 2.0
_AWAY = (redis.RedisError, OSError, StoreUnavailable)

KEPT_S: Final = 1.0
"""How long findings are kept, so that asking often costs the servers nothing."""

log = logging.getLogger(__name__)

Info = Mapping[str, Any]


class Check(NamedTuple):
    """One finding: whether all is well, what was found, what to do if not, and whether readiness hangs on it."""

    name: str
    ok: bool
    found: str
    mend: str = ""
    vital: bool = True


class Kept:
    """Findings that are looked for anew once they are older than `KEPT_S`; whoever asks meanwhile gets the same."""

    def __init__(self, find: Callable[[], list[Check]], clock: Callable[[], float] = monotonic) -> None:
        self._find = find
        self._clock = clock
        self._lock = Lock()
        self._found: list[Check] = []
        self._until = float("-inf")

    def __call__(self) -> list[Check]:
        """Return the findings; one caller looks for them while the others wait."""
        with self._lock:
            if self._clock() >= self._until:
                self._found = self._find()
                self._until = self._clock() + KEPT_S
            return self._found


def checks(settings: Settings) -> list[Check]:
    """Check everything, within a few seconds even if nothing answers."""
    found = [*_store_checks(settings), check_keys(settings), *_queue_checks(settings)]
    return [check._replace(mend="") if check.ok else check for check in found]


def check_version(info: Info) -> Check:
    """Check kind and version of the server by its INFO."""
    kind = "valkey" if info.get("server_name") == "valkey" else "redis"
    version = str(info[f"{kind}_version"])
    oldest = OLDEST[kind]
    return Check(
        "server-version",
        tuple(int(part) for part in version.split(".")[:2]) >= oldest,
        f"{kind} {version}",
        f"Use Redis 7.0 or newer, or Valkey 8.0 or newer; this is {kind} {version}.",
    )


def check_persistence(info: Info, fsync: str = "unknown") -> Check:
    """Check by the server's INFO that it writes what it acknowledges to an append-only file, and can."""
    if not info["aof_enabled"]:
        mend = "Turn append-only persistence on: `appendonly yes` in the server's configuration."
        return Check("persistence", False, "appendonly is off", mend)
    written = info.get("aof_last_write_status", "ok") == "ok"
    return Check(
        "persistence",
        written,
        f"appendonly is on, appendfsync {fsync}" if written else "the last write to the append-only file failed",
        "Make room on the disk of the server's append-only file, or mend the disk.",
    )


def check_eviction(info: Info) -> Check:
    """Check by the server's INFO that it never drops entries to make room."""
    policy = str(info["maxmemory_policy"])
    mend = "Set `maxmemory-policy noeviction` in the server's configuration."
    return Check("eviction", policy == "noeviction", policy, mend)


def check_memory(info: Info) -> Check:
    """Check by the server's INFO that its memory is not nearly used up."""
    used, limit = int(info["used_memory"]), int(info.get("maxmemory", 0))
    told = f"{used / MEGABYTE:.0f} MB of {limit / MEGABYTE:.0f} MB" if limit else f"{used / MEGABYTE:.0f} MB, no limit"
    mend = "Give the server more memory (`maxmemory`) before it refuses to append."
    return Check("memory", not limit or used < FULL * limit, told, mend)


def check_keys(settings: Settings) -> Check:
    """Check that the key ring's file is there and readable by its owner alone."""
    path = settings.keys
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        path.open("rb").close()
    except FileNotFoundError:
        return Check("keys", False, "no key file", "Put the key file at CAIRN_KEYS; without it no sealed seed opens.")
    except OSError:
        return Check("keys", False, "unreadable", "Let the service's user own and read the key file at CAIRN_KEYS.")
    mend = f"Take the key file from everybody else: chmod 600 {path.name}"
    return Check("keys", mode == 0o600, f"readable, mode {mode:04o}", mend)


def check_mark(recorded: bytes | None, shards: int) -> Check:
    """Check the store's own mark against the settings; a store that was never used has none."""
    if recorded is None:
        return Check("store", True, "not used yet")
    ours = f"format {FORMAT}, {shards} shards"
    mend = f"Set CAIRN_SHARDS to what the store was first used with; asked for was {ours}."
    return Check("store", recorded.decode() == ours, recorded.decode(errors="replace"), mend)


def check_lag(name: str, behind: int) -> Check:
    """Check how many entries a follower is behind."""
    told = f"{behind} entries behind"
    mend = "Start `cairn follow`, or look into its log for what holds it up."
    return Check(f"follower-{name}", behind <= LONGEST_LAG, told, mend, vital=False)


def _store_checks(settings: Settings) -> list[Check]:
    return _reaching("server", settings.redis_url, lambda client: list(_store_findings(client, settings)))


def _store_findings(client: Client, settings: Settings) -> Iterator[Check]:
    nodes = _nodes(client)
    for number, node in enumerate(nodes, 1):
        which = f"node {number} of {len(nodes)}: " if len(nodes) > 1 else ""
        for check in _server_findings(node):
            yield check._replace(found=which + check.found, vital=not settings.allow_unsafe_redis)
        memory = check_memory(node.info("memory"))
        yield memory._replace(found=which + memory.found)
    mark = check_mark(_commands(client).get(MARK), settings.shards)
    yield mark
    if mark.ok:
        yield from _lags(client, settings)


def _server_findings(node: Any) -> Iterator[Check]:
    yield check_version(node.info("server"))
    yield check_persistence(node.info("persistence"), _fsync(node))
    yield check_eviction(node.info("memory"))


def _lags(client: Client, settings: Settings) -> Iterator[Check]:
    store = EventStore(client, settings.shards)
    for name in FOLLOWERS:
        yield check_lag(name, max(0, lag(store, ViewStore(client, name))))


def _queue_checks(settings: Settings) -> list[Check]:
    return _reaching("queue", settings.queue_url, lambda client: list(_queue_findings(client)))


def _queue_findings(client: Any) -> Iterator[Check]:
    queue = open_queue(client)
    workers = get_keys(queue)
    live = client.exists(*workers) if workers else 0
    failed = queue.failed_job_registry.count
    yield Check("queue", True, f"{queue.count} jobs waiting", vital=False)
    yield Check("workers", live > 0, f"{live} live", "Start `cairn work`, or no game is closed.", vital=False)
    mend = "Look into the worker's log for why; each failed job is tried again after a while."
    yield Check("failed-jobs", failed == 0, f"{failed} failed", mend, vital=False)


def _reaching(name: str, url: str, find: Callable[[Any], list[Check]]) -> list[Check]:
    """Return what `find` finds with a client for `url`, or that the server does not answer."""
    try:
        once = Retry(NoBackoff(), 0)
        client = connect(url, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S, retry=once)
        try:
            return find(client)
        finally:
            client.close()
    except _AWAY as error:
        log.warning("%s: %s", name, error)
        setting = "CAIRN_REDIS_URL" if name == "server" else "CAIRN_QUEUE_URL"
        return [Check(name, False, "no answer", f"Start the Redis server that {setting} names, or name another.")]


def _nodes(client: Client) -> list[Any]:
    """Return a client for each server that takes appends, always in the same order: that of their addresses."""
    if not isinstance(client, redis.RedisCluster):
        return [client]
    commands = _commands(client)
    return [
        commands.get_redis_connection(node) for node in sorted(commands.get_primaries(), key=lambda node: node.name)
    ]


def _commands(client: Client) -> Any:
    return client  # redis-py leaves open whether its calls answer or await


def _fsync(node: Any) -> str:
    try:
        return str(node.config_get("appendfsync").get("appendfsync", "unknown"))
    except redis.ResponseError:
        return "unknown"  # hosted servers keep CONFIG to themselves
