"""`cairn serve`: the web server, gunicorn with gevent, so that one process carries thousands of live streams."""

import os
import socket
import sys
from dataclasses import replace
from typing import Any

import click

from service.config import Settings, UnusableSettings

GRACE_S = 3
"""How long requests may go on once the server is to stop; live streams resume elsewhere."""


@click.command("serve")
@click.option("--host", help="Where to listen; CAIRN_HOST, else 127.0.0.1.")
@click.option("--port", type=click.IntRange(1, 65_535), help="CAIRN_PORT, else 8000.")
@click.option("--workers", type=click.IntRange(1), help="Processes; CAIRN_WORKERS, else 1.")
@click.option("--allow-unsafe-redis", is_flag=True, help="Be ready with a server that may lose what it acknowledged.")
def command(**given: Any) -> None:
    """Run the web server until SIGTERM or Ctrl-C."""
    settings = chosen(Settings.from_environment(), given)
    try_to_listen(settings)
    try_the_store(settings)
    serve(settings)


def chosen(settings: Settings, given: dict[str, Any]) -> Settings:
    """Return `settings` with what the command line gave in their place."""
    return replace(settings, **{name: value for name, value in given.items() if value})


def try_to_listen(settings: Settings) -> None:
    """Raise `UnusableSettings` with the reason if nothing can listen where the web server is to."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]  # the rest repeats the address
        raise UnusableSettings(
            f"Nothing can listen at port {settings.port} of {settings.host}: {reason}. "
            "Choose another with --port and --host, or with CAIRN_PORT and CAIRN_HOST."
        ) from error


def try_the_store(settings: Settings) -> None:
    """End this process unless store and keys can be used, which is tried, and told, by a process of its own.

    So one sentence is all that is told; and this process imports nothing that a worker has to patch before.
    """
    child = os.fork()
    if child == 0:
        from service.wiring import open_commands

        open_commands(settings).store.close()
        sys.exit()
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(1)


def serve(settings: Settings) -> None:
    """Serve with `settings` until told to stop.

    Nothing that needs sockets or threads is imported before a worker has been patched by gevent.
    """
    from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]  # it ships no types

    os.environ.update(settings.as_environment())

    class Server(BaseApplication):  # type: ignore[misc]  # for the same reason
        """Gunicorn with these settings, whatever lies in its own environment and folder."""

        def load_config(self) -> None:
            """Set what differs from gunicorn's own choice."""
            for name, value in gunicorn_settings(settings).items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            """Return the application, in a worker."""
            from service.api.app import create_app

            return create_app()

    Server().run()


def gunicorn_settings(settings: Settings) -> dict[str, object]:
    """Return gunicorn's settings."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return {
        "bind": f"{host}:{settings.port}",
        "workers": settings.workers,
        "worker_class": "ops.web_worker.WebWorker",
        "worker_connections": 10_000,
        "graceful_timeout": GRACE_S,
        "keepalive": 30,
        "forwarder_headers": "",  # else a client's SCRIPT_NAME or PATH_INFO would stand for the address it asked for
        "loglevel": "warning",
        "control_socket_disable": True,
        "proc_name": "cairn",
    }
