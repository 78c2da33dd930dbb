"""`cairn follow`: all followers of the feeds in one process."""

import click

from service.config import Settings


@click.command("follow")
def command() -> None:
    """Keep the lobby, see games to their end and let bots move, until SIGTERM or Ctrl-C."""
    from service.followers import run

    run(Settings.from_environment())
