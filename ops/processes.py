"""The supervisor: starts processes, prefixes what they print, and stops every one of them, by its own handle.

Each child has a session of its own, so that Ctrl-C reaches the supervisor alone, which then stops the children in
the reverse order of their start.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, build_opener

import click

TETHER = Path(__file__).with_name("tether.py")

LOOK_S = 0.1
"""How often the supervisor looks after its children."""

GRACE_S = 10.0
"""How long a child may take to stop before it is killed."""

READY_S = 60.0
"""How long the web server may take to be ready."""

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(Exception):
    """Somebody asked the supervisor to stop."""


class ChildEnded(Exception):
    """A child ended by itself, or never got ready; says which and how, in one sentence."""


@dataclass(frozen=True)
class Child:
    """A running process under its name, and the thread that passes on what it prints."""

    name: str
    process: subprocess.Popen[str]
    printing: Thread

    def stop(self) -> None:
        """Stop the process with SIGTERM, by force if it takes longer than `GRACE_S`, and print its last words."""
        self.process.terminate()
        try:
            self.process.wait(timeout=GRACE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.printing.join(timeout=1)


class Supervisor:
    """The children of this process, in the order of their start."""

    def __init__(self, asked_to_stop: Event) -> None:
        self._asked_to_stop = asked_to_stop
        self._children: list[Child] = []

    def start(self, name: str, command: Sequence[str], environ: Mapping[str, str], fds: Sequence[int] = ()) -> None:
        """Start `command` as `name`; it inherits the open files `fds` and no other."""
        self.look()
        process = subprocess.Popen(
            [sys.executable, "-I", str(TETHER), str(os.getpid()), *command],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            pass_fds=tuple(fds),
            start_new_session=True,
        )
        assert process.stdout is not None
        printing = Thread(target=_pass_on, args=(name, process.stdout), name=f"log of {name}", daemon=True)
        printing.start()
        self._children.append(Child(name, process, printing))

    def wait_until(self, holds: Callable[[], bool], what: str, patience_s: float = READY_S) -> None:
        """Wait until `holds()`, looking after the children; raise `ChildEnded` after `patience_s` seconds."""
        until = monotonic() + patience_s
        while monotonic() < until:
            self.look()
            if holds():
                return
            self._asked_to_stop.wait(LOOK_S)
        raise ChildEnded(f"{what} was not ready after {patience_s:g} seconds")

    def watch(self) -> None:
        """Look after the children until asked to stop, or until one has ended (`ChildEnded`)."""
        try:
            while True:
                self.look()
                self._asked_to_stop.wait(LOOK_S)
        except Stopped:
            return

    def look(self) -> None:
        """Raise `Stopped` if asked to stop, `ChildEnded` if a child has ended."""
        if self._asked_to_stop.is_set():
            raise Stopped
        for child in self._children:
            if child.process.poll() is not None:
                raise ChildEnded(f"{child.name} {_ending(child.process.returncode)}")

    def stop(self) -> None:
        """Stop all children, the last one first; safe to call again."""
        while self._children:
            self._children[-1].stop()
            self._children.pop()


@contextmanager
def supervising() -> Iterator[Supervisor]:
    """Give a supervisor that hears SIGINT, SIGTERM and SIGHUP, and stop all its children at the end of the block."""
    asked_to_stop = Event()
    before = {number: signal.signal(number, lambda *_: asked_to_stop.set()) for number in STOPPING}
    supervisor = Supervisor(asked_to_stop)
    try:
        yield supervisor
    finally:
        supervisor.stop()
        for number, handler in before.items():
            signal.signal(number, handler)


def answers_ok(url: str) -> Callable[[], bool]:
    """Return a question: does `url` answer with a success? No proxy is asked."""
    opener = build_opener(ProxyHandler({}))

    def ask() -> bool:
        try:
            with opener.open(url, timeout=5) as answer:
                return bool(answer.status == 200)
        except HTTPError as error:
            error.close()
            return False
        except (URLError, OSError):
            return False

    return ask


def _pass_on(name: str, lines: IO[str]) -> None:
    with lines:
        for line in lines:
            with suppress(OSError):  # whoever read it is gone; the child is not to wait for them
                click.echo(f"{name:7} | {line.rstrip()}")


def _ending(status: int) -> str:
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with status {status}"
