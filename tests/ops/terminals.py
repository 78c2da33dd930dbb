"""A terminal of its own for a command: keys go in, and what is drawn comes out."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from contextlib import suppress

PATIENCE_S = 20.0


class Terminal:
    """`cairn` with arguments in a terminal of its own, 100 columns by 34 lines; it ends with the block."""

    def __init__(self, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 34, 100, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color"}
        environment.pop("COLUMNS", None)
        code = "from ops.cli import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment
        )
        os.close(slave)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def reads(self, text: str) -> bool:
        """Tell whether `text` comes onto the screen soon."""
        deadline, read = time.monotonic() + PATIENCE_S, b""
        while text.encode() not in read and time.monotonic() < deadline:
            read += self._read()
        return text.encode() in read

    def end(self) -> int:
        """Wait for the end, and return the exit status."""
        deadline = time.monotonic() + PATIENCE_S
        while self._process.poll() is None and time.monotonic() < deadline:
            self._read()
        return self._process.wait(1)

    def _read(self) -> bytes:
        """Return what came within a moment; a terminal whose program has ended reads as an error."""
        with suppress(OSError):
            if select.select([self._master], [], [], 0.1)[0]:
                return os.read(self._master, 65536)
        return b""
