"""`cairn serve`: the web server, gunicorn with gevent, so that one process carries thousands of live streams."""

from dataclasses import replace
from typing import Any

import click

from service.config import Settings

GRACE_S = 3
"""How long requests may go on once the server is to stop; live streams resume elsewhere."""


@click.command("serve")
@click.option("--host", help="Where to listen; CAIRN_HOST, else 127.0.0.1.")
@click.option("--port", type=click.IntRange(1, 65_535), help="CAIRN_PORT, else 8000.")
@click.option("--workers", type=click.IntRange(1), help="Processes; CAIRN_WORKERS, else 1.")
@click.option("--allow-unsafe-redis", is_flag=True, help="Be ready with a server that may lose what it acknowledged.")
def command(**given: Any) -> None:
    """Run the web server until SIGTERM or Ctrl-C."""
    serve(chosen(Settings.from_environment(), given))


def chosen(settings: Settings, given: dict[str, Any]) -> Settings:
    """Return `settings` with what the command line gave in their place."""
    return replace(settings, **{name: value for name, value in given.items() if value})


def serve(settings: Settings) -> None:
    """Serve with `settings` until told to stop.

    Nothing that needs sockets or threads is imported before a worker has been patched by gevent.
    """
    import os

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
