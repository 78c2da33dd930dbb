"""The web server's worker: gunicorn's for gevent, which tells its own refusals as the service tells all others.

What gunicorn cannot read never reaches the application; gunicorn would answer it with a page of HTML that repeats
parts of the request.
"""

from http import HTTPStatus
from socket import socket

import gunicorn.util  # type: ignore[import-untyped]  # it ships no types
from gunicorn.workers.ggevent import GeventWorker  # type: ignore[import-untyped]  # for the same reason

STALL_S = 10
"""How long a client may send nothing, or take nothing, in the midst of a request."""


class WebWorker(GeventWorker):  # type: ignore[misc]  # for the same reason
    """A worker of the web server."""

    def init_process(self) -> None:
        """Begin to work."""
        gunicorn.util.write_error = write_problem
        super().init_process()

    def handle_request(self, listener_name: object, req: object, sock: socket, addr: object) -> object:
        """Handle one request; a client that stalls is not waited for without end."""
        sock.settimeout(STALL_S)
        try:
            return super().handle_request(listener_name, req, sock, addr)
        finally:
            sock.settimeout(None)  # between requests gunicorn's own keepalive counts


def write_problem(client: socket, status: int, _reason: str, _detail: str) -> None:
    """Answer `client` with the problem that `status` stands for, in place of gunicorn's page."""
    gunicorn.util.write_nonblock(client, refusal(status))


def refusal(status: int) -> bytes:
    """Return the whole HTTP answer to a request that was refused with `status` before it could be read.

    What went wrong is the request's fault, save where gunicorn says 500; a transfer coding that it does not know
    (501) is no fault of the service.
    """
    from service.api.problems import answer, kind_of_status

    kind = kind_of_status(HTTPStatus.BAD_REQUEST if status == HTTPStatus.NOT_IMPLEMENTED else status)
    response = answer(kind, kind.title, {}, {})
    body = response.get_data()
    headers = "".join(f"{name}: {value}\r\n" for name, value in response.headers.items())
    head = f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}\r\nConnection: close\r\n{headers}\r\n"
    return head.encode() + body
