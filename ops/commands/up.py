"""`cairn up`: everything on this machine, until Ctrl-C."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

import ops
from ops.commands.serve import chosen, try_to_listen
from ops.embedded import AlreadyRunning, EmbeddedValkey
from ops.processes import ChildEnded, Stopped, Supervisor, answers_ok, supervising
from service.config import Settings, data_folder

ROOT = Path(ops.__file__).parent.parent
"""Where Cairn's packages are."""


class NotReady(Exception):
    """Something has to be mended before anything can be started: a line for each fault, with what to do."""


@click.command("up")
@click.option("--host", help="Where to listen; CAIRN_HOST, else 127.0.0.1.")
@click.option("--port", type=click.IntRange(1, 65_535), help="CAIRN_PORT, else 8000.")
@click.option("--allow-unsafe-redis", is_flag=True, help="Be ready with a server that may lose what it acknowledged.")
def command(**given: Any) -> None:
    """Start everything, open a demo table, and stop it all on Ctrl-C.

    The embedded Valkey keeps its data below CAIRN_DATA; with CAIRN_REDIS_URL that server is used instead.
    """
    try:
        with supervising() as supervisor, server(supervisor) as environ:
            settings = chosen(Settings.from_environment(environ), given)
            look(settings)
            start(supervisor, settings)
            welcome(settings)
            supervisor.watch()
    except Stopped:
        pass
    except (AlreadyRunning, ChildEnded, NotReady) as reason:
        click.echo(f"{reason}", err=True)
        sys.exit(1)
    click.echo("Everything is stopped.")


@contextmanager
def server(supervisor: Supervisor) -> Iterator[Mapping[str, str]]:
    """Give the environment with a Redis server in it: the one it names, or the embedded one, started."""
    if os.environ.get("CAIRN_REDIS_URL"):
        yield os.environ
        return
    with EmbeddedValkey(data_folder()) as valkey:
        supervisor.start("valkey", valkey.command, os.environ, [valkey.lock])
        supervisor.wait_until(valkey.answers, "valkey")
        try:
            yield os.environ | {"CAIRN_REDIS_URL": valkey.url}
        finally:
            supervisor.stop()


def look(settings: Settings) -> None:
    """Prepare the store and what lies beside it, and raise `NotReady` if the service could not be ready.

    So a fault is told once and at once, rather than by each process and after a long wait.
    """
    from service.health import checks
    from service.jobs import open_records
    from service.wiring import open_commands

    open_commands(settings).store.close()
    open_records(settings)
    faults = [
        f"{check.name}: {check.found}. {check.mend}" for check in checks(settings) if check.vital and not check.ok
    ]
    if faults:
        raise NotReady("\n".join(faults))


def start(supervisor: Supervisor, settings: Settings) -> None:
    """Start web server, followers and worker, and wait until the service is ready."""
    try_to_listen(settings)
    environ = os.environ | settings.as_environment() | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    for name, argument in (("web", "serve"), ("follow", "follow"), ("work", "work")):
        supervisor.start(name, [sys.executable, "-P", "-m", "ops.cli", argument], environ)
    supervisor.wait_until(answers_ok(f"{settings.address}/api/ready"), "the service")


def welcome(settings: Settings) -> None:
    """Open the demo table, and say where everything is."""
    from service.demo import open_demo

    api = f"{settings.address}/api"
    say = """curl -s -H 'Content-Type: application/json'"""
    click.echo(f"""
Cairn runs at {settings.address}   (Ctrl-C stops it)
API           {api}/docs
demo table    {api}/games/{open_demo(settings)}

Make a player, open a table and play against a bot:
  TOKEN=$({say} -d '{{"name": "Ada"}}' {api}/players | sed 's/.*"token": *"\\([^"]*\\)".*/\\1/')
  {say} -H "Authorization: Bearer $TOKEN" \\
    -d '{{"game": "keltis", "seats": 2, "bots": ["greedy"]}}' {api}/games
  {say} -H "Authorization: Bearer $TOKEN" -d '{{}}' {api}/games/ID/start     # ID is the table's, from the answer
""")
