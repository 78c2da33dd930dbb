"""`cairn serve` alone: where it cannot serve, it says so in one sentence, and the web server below it says nothing."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from events.seal import KeyRing
from events.store import EventStore
from tests import servers

ROOT = Path(__file__).parent.parent.parent
SECRET = "kept-to-oneself"


def serve(data: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
    environ |= {"CAIRN_DATA": str(data), "CAIRN_PORT": str(servers.free_port()), "PYTHONPATH": str(ROOT), **settings}
    command = [sys.executable, "-m", "ops.cli", "serve"]
    return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)


@contextmanager
def answering(words: bytes) -> Iterator[str]:
    """Give the URL of something that listens, answers everything with `words`, and is no Redis server."""

    def answer() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(1024)
                connection.sendall(words)

    with socket.create_server((servers.HOST, 0)) as listener:
        thread = Thread(target=answer, daemon=True)
        thread.start()
        yield f"redis://{servers.HOST}:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(timeout=5)


@pytest.fixture(scope="module")
def locked() -> Iterator[int]:
    """The port of a server that asks for a password."""
    server = servers.Server(servers.get_binary_path())
    with server.client() as client:
        client.config_set("requirepass", SECRET)
    yield server.port
    server.stop()


def test_a_server_that_does_not_answer_is_told_of(tmp_path: Path, locked: int):
    """Nobody there, no such name, no such file, no password or a wrong one: one sentence names the setting and why."""
    at = f"127.0.0.1:{locked}"
    for url, reason in {
        "redis://127.0.0.1:1": r"Error \d+ connecting to 127\.0\.0\.1:1\. Connection refused\.",
        "redis://host.invalid": r"Error -\d connecting to host\.invalid:6379\. .+",
        "unix:///no/such/socket": r"Error 2 connecting to /no/such/socket\. No such file or directory\.",
        f"redis://{at}": r"Authentication required\.",
        f"redis://:{SECRET[:-1]}@{at}": r"invalid username-password pair or user is disabled\.",
    }.items():
        refused = serve(tmp_path, CAIRN_REDIS_URL=url)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert re.fullmatch(f"The Redis server of CAIRN_REDIS_URL does not answer: {reason}\n", refused.stderr)


def test_a_server_that_is_none_is_told_of(tmp_path: Path, locked: int):
    """Another kind of server, or a database that there is not: one sentence names the setting and what came back."""
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as other:
        refused = [serve(tmp_path, CAIRN_REDIS_URL=url) for url in (other, f"redis://:{SECRET}@127.0.0.1:{locked}/99")]
    assert [(done.returncode, done.stdout) for done in refused] == [(1, ""), (1, "")]
    assert [done.stderr for done in refused] == [
        'The Redis server of CAIRN_REDIS_URL refuses to work: Protocol error, got "H" as reply type byte\n',
        "The Redis server of CAIRN_REDIS_URL refuses to work: DB index is out of range\n",
    ]


def test_a_store_that_does_not_fit_is_told_of(tmp_path: Path, fresh_redis_url: str):
    """Other shards than the store has, keys that are none, keys of another store: one sentence names the setting."""
    store = EventStore.from_url(fresh_redis_url, shards=64)
    store.prepare()
    store.belong_to("somebody else")
    store.close()
    (tmp_path / "no-keys").write_text("{}")
    KeyRing.load_or_create(tmp_path / "keys")
    for name, value in {
        "CAIRN_SHARDS": "8",
        "CAIRN_KEYS": str(tmp_path / "no-keys"),
        "CAIRN_KEYS ": str(tmp_path / "keys"),
    }.items():
        refused = serve(tmp_path, CAIRN_REDIS_URL=fresh_redis_url, **{name.strip(): value})
        assert (refused.returncode, refused.stdout) == (1, "")
        assert len(refused.stderr.splitlines()) == 1
        assert name.strip() in refused.stderr


def test_a_place_where_nothing_can_listen_is_told_of(tmp_path: Path, redis_url: str):
    """A taken port, another machine's address, a name that there is not: one sentence names both settings, at once."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = str(other.getsockname()[1])
        for settings, reason in [
            ({"CAIRN_PORT": taken}, f"port {taken} of 127.0.0.1: Address already in use."),
            ({"CAIRN_HOST": "192.0.2.1"}, "of 192.0.2.1: Cannot assign requested address."),
            ({"CAIRN_HOST": "::2"}, " of ::2: "),
            ({"CAIRN_HOST": "host.invalid"}, " of host.invalid: "),
        ]:
            refused = serve(tmp_path, CAIRN_REDIS_URL=redis_url, **settings)
            assert (refused.returncode, refused.stdout) == (1, "")
            assert reason in refused.stderr
            assert refused.stderr.endswith(" with CAIRN_PORT and CAIRN_HOST.\n")
            assert len(refused.stderr.splitlines()) == 1
