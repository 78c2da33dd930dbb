"""The supervisor: it stops what it started, in reverse order, whatever happens, and says which child ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event

import pytest

from ops.processes import ChildEnded, Stopped, Supervisor, answers_ok, supervising
from tests import servers

SLEEPING = [sys.executable, "-c", "import time; print('here', flush=True); time.sleep(60)"]
LAST_WORDS = """
import signal, sys, time
def stop(*_):
    print("stops", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
print("here", flush=True)
time.sleep(60)
"""
SUPERVISING = """
import os, sys, time
from threading import Event
from ops.processes import Supervisor
supervisor = Supervisor(Event())
supervisor.start("deaf", [sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(60)"],
                 os.environ)
time.sleep(60)
"""


def watch(**commands: list[str]) -> None:
    """Start each command under its name and watch them."""
    with supervising() as supervisor:
        for name, command in commands.items():
            supervisor.start(name, command, os.environ)
        supervisor.watch()


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_children_stop_in_reverse_order(capfd: pytest.CaptureFixture[str]):
    """At the end of the block the last child stops first, and each one's last words are printed under its name."""
    with supervising() as supervisor:
        for name in ("first", "second"):
            supervisor.start(name, [sys.executable, "-c", LAST_WORDS], os.environ)
        time.sleep(1)
    lines = [line for line in capfd.readouterr().out.splitlines() if "stops" in line]
    assert lines == ["second  | stops", "first   | stops"]


def test_a_child_that_ends_is_named():
    """A child that ends by itself is told with its name and status, and the others stop."""
    with pytest.raises(ChildEnded, match="second ended with status 3"):
        watch(first=SLEEPING, second=[sys.executable, "-c", "raise SystemExit(3)"])


def test_a_child_that_is_killed_is_named():
    """A child that a signal ended is told with the signal."""
    killing = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    with pytest.raises(ChildEnded, match="only was ended by SIGKILL"):
        watch(only=[sys.executable, "-c", killing])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_end_the_watch(number: signal.Signals):
    """SIGTERM, SIGINT and SIGHUP end the watch without an error; afterwards they mean what they meant before."""
    before = signal.getsignal(number)
    with supervising() as supervisor:
        supervisor.start("only", SLEEPING, os.environ)
        os.kill(os.getpid(), number)
        supervisor.watch()
    assert signal.getsignal(number) is before


def test_nothing_is_started_once_asked_to_stop():
    """Who is asked to stop while starting starts no further child."""
    asked = Event()
    asked.set()
    with pytest.raises(Stopped):
        Supervisor(asked).start("late", SLEEPING, os.environ)


def test_waiting_ends():
    """What never gets ready is told by its name after a while."""
    with pytest.raises(ChildEnded, match=r"the service was not ready after 0\.3 seconds"):
        Supervisor(Event()).wait_until(lambda: False, "the service", 0.3)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has ended")
def test_even_a_killed_supervisor_leaves_nothing_behind():
    """When the supervisor is killed, its children end by themselves."""
    command = [sys.executable, "-c", SUPERVISING]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as supervisor:
        assert supervisor.stdout is not None
        child = int(supervisor.stdout.readline().rpartition("|")[2])
        assert is_alive(child)
        supervisor.kill()
        servers.wait_until(lambda: not is_alive(child), "the child has ended")


def test_nobody_at_the_address_is_no_success():
    """An address where nothing listens is not ready, and no error."""
    assert not answers_ok(f"http://127.0.0.1:{servers.free_port()}/api/ready")()
