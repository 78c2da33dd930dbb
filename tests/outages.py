"""Ways in which a real server is out of order, and how each is mended."""

from collections.abc import Callable

from tests.servers import Server


def _fill(server: Server) -> None:
    with server.client() as client:
        client.config_set("maxmemory", 1)


def _make_room(server: Server) -> None:
    with server.client() as client:
        client.config_set("maxmemory", 0)


OUTAGES: dict[str, Callable[[Server], None]] = {"full": _fill, "away": Server.kill, "frozen": Server.freeze}
"""Full: it refuses to write. Away: nobody answers. Frozen: it takes what it is sent, and answers once it is thawed."""

MENDING: dict[str, Callable[[Server], None]] = {"full": _make_room, "away": Server.start, "frozen": Server.thaw}
"""What ends each of them; a durable server has then what it had acknowledged."""
