"""`cairn work`: one worker for the jobs."""

import click

from service.config import Settings


@click.command("work")
def command() -> None:
    """Close games that are over and write their records, until SIGTERM or Ctrl-C."""
    from service.worker import work

    work(Settings.from_environment())
