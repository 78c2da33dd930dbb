"""`cairn crash`: kill every part of a deployment while games are played, and check that nothing is lost."""

import socket
import tempfile
from pathlib import Path

import click

from ops.crash import run


@click.command("crash")
@click.option("--games", default=8, show_default=True, type=click.IntRange(1, 200), help="Games played at once.")
@click.option("--kills", default=60, show_default=True, type=click.IntRange(0), help="How often something is killed.")
@click.option("--seed", default="storm", show_default=True, help="What is killed when follows from it.")
def command(games: int, kills: int, seed: str) -> None:
    """Play games over HTTP while Valkey, web server, followers and worker are killed and started again.

    Every acknowledged action has to be in the log, once, and every game has to come to its audited record. Uses a
    folder and a port of its own.
    """
    with tempfile.TemporaryDirectory(prefix="cairn-crash-") as folder:
        report = run(Path(folder), free_port(), games, kills, seed, click.echo)
    killed = ", ".join(f"{part} {times}" for part, times in report.kills.items())
    click.echo(f"{report.games} games closed and audited; {report.acknowledged} acknowledged actions, all in the log")
    click.echo(f"killed: {killed}")


def free_port() -> int:
    """Return a port of loopback that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
