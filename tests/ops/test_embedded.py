"""The embedded server: durable, for its owner alone, once per data folder, found again at the same address."""

import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from ops.embedded import LONGEST_PATH, AlreadyRunning, EmbeddedValkey
from service.config import Settings, UnusableSettings
from service.jobs import open_queue
from service.simulation import burst, kept_signals
from tests import servers


@contextmanager
def running(valkey: EmbeddedValkey) -> Iterator[redis.Redis]:
    process = subprocess.Popen(valkey.command, stdout=subprocess.DEVNULL, pass_fds=[valkey.lock])
    try:
        servers.wait_until(valkey.answers, "the embedded server answers")
        with redis.Redis.from_url(valkey.url) as client:
            yield client
    finally:
        process.terminate()
        process.wait()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_keeps_what_it_acknowledged(tmp_path: Path):
    """What was written is there after another start, at the same address."""
    with EmbeddedValkey(tmp_path) as valkey, running(valkey) as client:
        client.set("stone", "on stone")
        first = valkey.url
    with EmbeddedValkey(tmp_path) as valkey, running(valkey) as client:
        assert client.get("stone") == b"on stone"
        assert valkey.url == first


def test_it_is_durable_and_evicts_nothing(tmp_path: Path):
    """It answers once a write is on disk, and drops nothing."""
    with EmbeddedValkey(tmp_path) as valkey, running(valkey) as client:
        told = client.config_get("*")
    assert (told["appendonly"], told["appendfsync"]) == ("yes", "always")
    assert told["maxmemory-policy"] == "noeviction"


@pytest.mark.parametrize("name", ["data", "d" * LONGEST_PATH])
def test_nobody_else_can_speak_to_it(tmp_path: Path, name: str):
    """It listens on no port, only on a socket of its owner's, in a folder that nobody else may enter."""
    (tmp_path / name / "valkey").mkdir(parents=True)
    (tmp_path / name / "valkey").chmod(0o755)
    with EmbeddedValkey(tmp_path / name) as valkey, running(valkey) as client:
        told = client.config_get("*port")
        assert (told["port"], told["tls-port"]) == ("0", "0")
        assert mode(valkey.socket) == mode(valkey.socket.parent) == mode(tmp_path / name / "valkey") == 0o700
        assert valkey.socket.owner() == valkey.socket.parent.owner() == tmp_path.owner()


def test_a_data_folder_that_it_makes_is_its_owners(tmp_path: Path):
    """What lies beside the server's data is nobody else's either."""
    with EmbeddedValkey(tmp_path / "data"):
        assert mode(tmp_path / "data") == 0o700


@pytest.mark.parametrize("name", ["a folder = two words", "Ärger#1?", "d" * 90, "d" * 200, "deep/" * 100])
def test_wherever_the_data_lie_it_is_reached(tmp_path: Path, name: str):
    """Whatever the data folder is called, and however long its path, clients and workers reach the server."""
    data = tmp_path / name
    with EmbeddedValkey(data) as valkey, running(valkey) as client, kept_signals():
        assert Settings.from_environment({"CAIRN_DATA": str(data)}).redis_url == valkey.url
        queue = open_queue(client)
        queue.enqueue_call("time.sleep", args=(0,), result_ttl=0)
        burst(queue)
        assert (queue.count, queue.failed_job_registry.count) == (0, 0)


def test_a_folder_for_a_long_path_goes_with_the_server(tmp_path: Path):
    """Where the path is too long the socket has a folder of its own, which goes once the server has gone."""
    data = tmp_path / ("d" * LONGEST_PATH)
    with EmbeddedValkey(data) as valkey, running(valkey):
        assert valkey.socket.parent.exists()
    assert not valkey.socket.parent.exists()
    outlived = EmbeddedValkey(data)
    with running(outlived):
        outlived.close()
        assert outlived.answers()
    outlived.socket.parent.rmdir()


def test_a_socket_that_a_killed_server_left_is_no_hindrance(tmp_path: Path):
    """After a kill the next server listens at the very same place."""
    for _ in range(2):
        with EmbeddedValkey(tmp_path) as valkey:
            process = subprocess.Popen(valkey.command, stdout=subprocess.DEVNULL, pass_fds=[valkey.lock])
            servers.wait_until(valkey.answers, "the embedded server answers")
            process.kill()
            process.wait()
            assert valkey.socket.exists()
            assert not valkey.answers()


def test_other_commands_find_it(tmp_path: Path):
    """The address that it leaves in the data folder is where settings look for it."""
    with EmbeddedValkey(tmp_path) as valkey:
        assert Settings.from_environment({"CAIRN_DATA": str(tmp_path)}).redis_url == valkey.url


def test_a_data_folder_has_one_owner(tmp_path: Path):
    """A second owner is refused in a sentence that names the folder and the process."""
    with EmbeddedValkey(tmp_path), pytest.raises(AlreadyRunning, match=f"already runs on .*process {os.getpid()}"):
        EmbeddedValkey(tmp_path)
    EmbeddedValkey(tmp_path).close()


def test_a_server_that_outlives_its_starter_keeps_the_folder(tmp_path: Path):
    """As long as the server itself lives, nobody can start another on its data."""
    valkey = EmbeddedValkey(tmp_path)
    with running(valkey):
        valkey.close()
        with pytest.raises(AlreadyRunning):
            EmbeddedValkey(tmp_path)
    EmbeddedValkey(tmp_path).close()


@pytest.mark.parametrize("place", ["/proc/none", "file", "file/below"])
def test_a_folder_that_cannot_be_written_is_told_of(tmp_path: Path, place: str):
    """Where no data can be kept, one sentence names the folder, the setting and the reason."""
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UnusableSettings, match=r"CAIRN_DATA cannot be written: \w"):
        EmbeddedValkey(tmp_path / place)
