"""The follower of ends and a queue that is out of order: it tries again, goes on following, and loses no job."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import redis
from rq.worker_registration import get_keys

from events.store import TIMEOUT_S, StoreUnavailable, connect
from projections import lobby
from projections.follower import lag
from projections.view_store import ViewStore
from service import ends, followers, simulation
from service.config import Settings
from service.demo import running_demo
from service.followers import TURNS, Turn
from service.jobs import open_parts, open_queue, open_records, queue_of
from service.simulation import Plan, burst, given, kept_signals
from service.wiring import open_commands
from tests import servers
from tests.outages import MENDING, OUTAGES
from tests.wires import Wire

PLAN = Plan("keltis", 2, "followers", ("random", "random"))
ROOT = Path(__file__).parents[2]


@pytest.fixture
def jobs() -> Iterator[servers.Server]:
    """A server of its own for the queue."""
    server = servers.Server(servers.get_binary_path(), **servers.DURABLE)
    yield server
    server.thaw()
    server.stop()


@pytest.fixture
def settings(fresh_redis_url: str, jobs: servers.Server, tmp_path: Path) -> Settings:
    return Settings.from_environment(
        {"CAIRN_DATA": str(tmp_path), "CAIRN_REDIS_URL": fresh_redis_url, "CAIRN_QUEUE_URL": jobs.url}
    )


def ended(settings: Settings, number: int = 0) -> str:
    """Play a game to its end and return its id; nobody has followed it yet."""
    commands = open_commands(settings)
    game_id = simulation.play(PLAN, number, commands)
    commands.store.close()
    return game_id


def closing(settings: Settings) -> list[str]:
    views = ViewStore(connect(settings.redis_url), ends.NAME)
    return views.members(views.key(ends.CLOSING))


def waiting(settings: Settings) -> list[str]:
    with redis.Redis.from_url(settings.queue_url) as connection:
        return sorted(open_queue(connection).get_job_ids())


def until_it_fails(turn: Turn) -> float:
    """Take turns until one fails as the queue is out of order, and return how many seconds that one took."""
    for _ in range(100):
        begun = time.monotonic()
        try:
            turn()
        except StoreUnavailable:
            return time.monotonic() - begun
    raise AssertionError("no turn failed")


@pytest.mark.parametrize("outage", OUTAGES)
def test_a_queue_that_is_out_of_order_loses_no_job(settings: Settings, jobs: servers.Server, monkeypatch, outage: str):
    """Full, away or silent: the turn fails in time, games are followed on, and at last each job is queued once."""
    monkeypatch.setattr(followers, "WAIT_MS", 0)
    monkeypatch.setattr(followers, "SWEEP_S", 0)
    first = ended(settings)
    turn = TURNS[ends.NAME](settings)
    OUTAGES[outage](jobs)
    assert until_it_fails(turn) < TIMEOUT_S + 2
    second = ended(settings, 1)
    games = sorted([first, second])
    while closing(settings) != games:
        until_it_fails(turn)
    MENDING[outage](jobs)
    turn()
    turn()
    assert waiting(settings) == [f"close-{game}" for game in games]
    with given(open_parts(settings)), kept_signals():
        burst(queue_of(settings))
        turn()
        assert waiting(settings) == [f"export-{game}" for game in games]
        burst(queue_of(settings))
    assert all(map(open_records(settings).holds, games))


@pytest.mark.parametrize("command", [b"LRANGE", b"ZRANGEBYSCORE", b"HGETALL", b"SADD", b"EVALSHA"])
def test_an_answer_of_the_queue_that_is_lost_doubles_no_job(
    settings: Settings, jobs: servers.Server, monkeypatch, command: bytes
):
    """Whichever command's answer is lost on the way, the job is in the queue once."""
    monkeypatch.setattr(followers, "WAIT_MS", 0)
    monkeypatch.setattr(followers, "SWEEP_S", 0)
    game_id = ended(settings)
    wire = Wire(jobs.port)
    try:
        turn = TURNS[ends.NAME](replace(settings, queue_url=f"redis://{servers.HOST}:{wire.port}"))
        wire.lose_answer_to(command)
        while not waiting(settings):
            with suppress(StoreUnavailable):
                turn()
        turn()
    finally:
        wire.close()
    assert wire.lost == 1
    assert waiting(settings) == [f"close-{game_id}"]


class Following:
    """A process that follows, and a worker, as `cairn follow` and `cairn work` are."""

    def __init__(self, settings: Settings) -> None:
        self._environ = os.environ | settings.as_environment() | {"PYTHONPATH": str(ROOT)}
        self._told = settings.data / "told"
        self.running = [self.start("follow"), self.start("work")]

    def start(self, command: str) -> subprocess.Popen[bytes]:
        """Start one of the commands."""
        with self._told.open("ab") as told:
            python = [sys.executable, "-m", "ops.cli", command]
            return subprocess.Popen(python, env=self._environ, stdout=told, stderr=told)

    @property
    def told(self) -> str:
        """What the followers and the worker have printed."""
        return self._told.read_text()

    def stop(self) -> list[int]:
        """Tell both to stop, and return their exit statuses; they have to stop before anybody would kill them."""
        for process in self.running:
            process.send_signal(signal.SIGTERM)
        return [process.wait(timeout=10) for process in self.running]

    def kill(self) -> None:
        """End whatever still runs."""
        for process in self.running:
            process.kill()
            process.wait()


@pytest.mark.crash
@pytest.mark.parametrize("outage", OUTAGES)
def test_games_end_while_the_queue_is_out_of_order(settings: Settings, jobs: servers.Server, outage: str):
    """Bots play on, lists are kept, and the game that ended meanwhile is closed and recorded once the queue is back."""
    settings = replace(settings, bot_pause=0.0)
    commands = open_commands(settings)
    following = Following(settings)
    try:
        servers.wait_until(lambda: bool(get_keys(queue_of(settings))), "the worker has signed on")
        OUTAGES[outage](jobs)
        game_id = running_demo(commands)
        servers.wait_until(lambda: closing(settings) == [game_id], "the game has ended")
        servers.wait_until(lambda: "ends waits: " in following.told, "the outage is told")
        views = ViewStore(connect(settings.redis_url), lobby.NAME)
        servers.wait_until(lambda: lag(commands.store, views) == 0, "the lobby is up to date")
        MENDING[outage](jobs)
        servers.wait_until(lambda: open_records(settings).holds(game_id), "the game is recorded")
        assert commands.live.get(game_id).game.table.scored is not None
        assert following.told.count("ends waits: ") == 1
        assert "Traceback" not in following.told
        assert following.stop() == [0, 0]
    finally:
        following.kill()
        commands.store.close()


@pytest.mark.crash
@pytest.mark.parametrize("outage", OUTAGES)
def test_followers_stop_while_the_queue_is_out_of_order(settings: Settings, jobs: servers.Server, outage: str):
    """Told to stop in the midst of an outage, followers and worker end in time and with status 0."""
    ended(settings)
    following = Following(settings)
    try:
        servers.wait_until(lambda: bool(get_keys(queue_of(settings))), "the worker has signed on")
        OUTAGES[outage](jobs)
        time.sleep(1)
        assert following.stop() == [0, 0]
    finally:
        following.kill()
