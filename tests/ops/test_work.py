"""`cairn work`: it outlives an outage of its queue, stops when told to, and tells every outage in a plain sentence."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from rq import Queue
from rq.worker_registration import get_keys

from service import simulation
from service.config import Settings
from service.jobs import queue_of
from service.simulation import Plan
from service.wiring import open_commands
from tests import servers
from tests.outages import MENDING, OUTAGES

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "ops.cli", "work"]
AWAY = "work waits for the queue: "
UNSIGNED = "work could not sign off, and is forgotten after a while: "


class Work:
    """A running `cairn work` on two servers, one for the log and one for the jobs, and what it says."""

    def __init__(self, folder: Path, store: servers.Server, jobs: servers.Server) -> None:
        self.store, self.jobs = store, jobs
        own = {"CAIRN_DATA": str(folder), "CAIRN_REDIS_URL": store.url, "CAIRN_QUEUE_URL": jobs.url}
        self.settings = Settings.from_environment(own)
        self.queue: Queue = queue_of(self.settings)
        self.environ = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
        self.environ |= own | {"PYTHONPATH": str(ROOT)}
        self._told = folder / "told"
        with self._told.open("wb") as told:
            self.process = subprocess.Popen(COMMAND, env=self.environ, stdout=told, stderr=told)

    @property
    def told(self) -> list[str]:
        """The lines that it has printed so far."""
        return self._told.read_text().splitlines()

    def is_known(self) -> bool:
        """Tell whether it has signed on and waits for a job."""
        with self.jobs.client() as client:
            return bool(get_keys(self.queue)) and client.info("clients")["blocked_clients"] == 1

    def wake(self) -> None:
        """Break its connection, so that it has to ask anew."""
        with self.jobs.client() as client:
            client.execute_command("CLIENT KILL TYPE normal SKIPME yes")

    def works(self) -> bool:
        """Tell whether it does a job: here one that fails, as there is no such game."""
        self.queue.failed_job_registry.cleanup()
        job = self.queue.enqueue_call("service.jobs.export_record", args=("nobody",), result_ttl=0)
        servers.wait_until(lambda: job.get_status() == "failed", "the job has run")
        return True

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to stop, and return its exit status; it has to stop before anybody would kill it."""
        self.process.send_signal(number)
        return self.process.wait(timeout=10)


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    store, jobs = (servers.Server(servers.get_binary_path(), **servers.DURABLE) for _ in range(2))
    running = Work(tmp_path, store, jobs)
    try:
        servers.wait_until(running.is_known, "the worker has signed on")
        yield running
    finally:
        running.process.kill()
        running.process.wait()
        for server in (store, jobs):
            server.thaw()
            server.stop()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_without_a_word(work: Work, number: signal.Signals):
    """Told to stop, it signs off and ends with status 0; nothing is to be said."""
    assert work.stop(number) == 0
    assert not get_keys(work.queue)
    assert work.told == []


@pytest.mark.parametrize("outage", OUTAGES)
def test_it_stops_while_its_queue_is_out_of_order(work: Work, outage: str):
    """With a queue that is full, away or silent it stops with status 0, in time, and one sentence says the rest."""
    OUTAGES[outage](work.jobs)
    time.sleep(0.2 if outage == "frozen" else 0)
    assert work.stop() == 0
    said = [line for line in work.told if not line.startswith(AWAY)]
    assert len(said) == 1
    assert said[0].startswith(UNSIGNED)
    assert len(work.told) <= 2


@pytest.mark.parametrize("outage", ["full", "away"])
def test_it_outlives_an_outage_of_its_queue(work: Work, outage: str):
    """It says once that it waits for the queue, and goes on when the queue is back."""
    OUTAGES[outage](work.jobs)
    if outage == "full":
        work.wake()
    servers.wait_until(lambda: bool(work.told), "the outage is told")
    time.sleep(1.5)
    assert len(work.told) == 1
    assert work.told[0].startswith(AWAY)
    MENDING[outage](work.jobs)
    assert work.works()
    assert work.stop() == 0


@pytest.mark.parametrize("outage", ["full", "away"])
def test_a_job_that_an_outage_of_the_store_ends_is_told_in_a_sentence(work: Work, outage: str):
    """A job that cannot reach the log says so without a traceback, and does its work when it is run again."""
    commands = open_commands(work.settings)
    game_id = simulation.play(Plan("keltis", 1, "work", ("random", "random")), 0, commands)
    close = partial(work.queue.enqueue_call, "service.jobs.close_game", args=(game_id,), result_ttl=0)
    OUTAGES[outage](work.store)
    job = close(job_id="close")
    servers.wait_until(lambda: job.get_status() == "failed", "the job has failed")
    assert work.told
    assert [line for line in work.told if "close is left for later: " in line] == work.told
    MENDING[outage](work.store)
    assert commands.live.get(game_id).game.table.scored is None
    close(job_id="close-again")
    servers.wait_until(lambda: commands.live.get(game_id).game.table.scored is not None, "the game is closed")
    commands.store.close()


@pytest.mark.parametrize("outage", OUTAGES)
def test_it_does_not_begin_without_its_queue(work: Work, outage: str):
    """With a queue that is full, away or silent from the start it ends with status 1, and one sentence names it."""
    OUTAGES[outage](work.jobs)
    other = subprocess.run(COMMAND, env=work.environ, capture_output=True, text=True, timeout=30, check=False)
    assert (other.returncode, other.stdout) == (1, "")
    assert other.stderr.startswith("The Redis server of CAIRN_QUEUE_URL cannot be used: ")
    assert len(other.stderr.splitlines()) == 1


def test_a_job_that_fails_of_itself_is_told_in_full(work: Work):
    """What is no outage is a fault to look into, and keeps its traceback."""
    assert work.works()
    assert any("UnknownGameId" in line for line in work.told)
    assert any(line.startswith("Traceback") for line in work.told)
