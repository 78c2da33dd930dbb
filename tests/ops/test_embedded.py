"""The embedded server: durable, on loopback, once per data folder, found again at the same port."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from ops.embedded import AlreadyRunning, EmbeddedValkey, is_free
from service.config import Settings, UnusableSettings
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


def test_it_keeps_what_it_acknowledged(tmp_path: Path):
    """What was written is there after another start, at the same port."""
    with EmbeddedValkey(tmp_path) as valkey, running(valkey) as client:
        client.set("stone", "on stone")
        first = valkey.url
    with EmbeddedValkey(tmp_path) as valkey, running(valkey) as client:
        assert client.get("stone") == b"on stone"
        assert valkey.url == first


def test_it_is_durable_and_evicts_nothing(tmp_path: Path):
    """It answers once a write is on disk, drops nothing, and listens on loopback alone."""
    with EmbeddedValkey(tmp_path) as valkey, running(valkey) as client:
        told = client.config_get("*")
    assert (told["appendonly"], told["appendfsync"]) == ("yes", "always")
    assert (told["maxmemory-policy"], told["bind"]) == ("noeviction", "127.0.0.1")


def test_other_commands_find_it(tmp_path: Path):
    """The port that it leaves in the data folder is where settings look for it."""
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


def test_a_taken_port_is_left_alone(tmp_path: Path):
    """When something else listens at the remembered port, another is chosen."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        (tmp_path / "valkey").mkdir()
        (tmp_path / "valkey" / "port").write_text(str(taken))
        assert not is_free("127.0.0.1", taken)
        with EmbeddedValkey(tmp_path) as valkey:
            assert valkey.port != taken


def test_an_unreadable_port_is_chosen_anew(tmp_path: Path):
    """Nonsense in the port's file does not keep the server from starting."""
    (tmp_path / "valkey").mkdir()
    (tmp_path / "valkey" / "port").write_text("nowhere")
    with EmbeddedValkey(tmp_path) as valkey:
        assert valkey.port > 0


@pytest.mark.parametrize("place", ["/proc/none", "file", "file/below"])
def test_a_folder_that_cannot_be_written_is_told_of(tmp_path: Path, place: str):
    """Where no data can be kept, one sentence names the folder, the setting and the reason."""
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UnusableSettings, match=r"CAIRN_DATA cannot be written: \w"):
        EmbeddedValkey(tmp_path / place)
