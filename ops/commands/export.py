"""`cairn export`: download the record of a game from a running service."""

from pathlib import Path

import click

from ops.remote import SERVER, Remote, Unanswered


@click.command("export")
@click.argument("game")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Default: GAME.cairn.json.")
@click.option("--server", default=SERVER, show_default=True, help="The service's address.")
def command(game: str, output: Path | None, server: str) -> None:
    """Download the signed record of GAME, finished or running. `-o -` prints it."""
    try:
        record = Remote(server).record(game)
    except Unanswered as error:
        raise click.ClickException(str(error)) from error
    target = output or Path(f"{Path(game).name}.cairn.json")
    if str(target) == "-":
        click.echo(record, nl=False)
        return
    try:
        target.write_bytes(record)
    except OSError as error:
        raise click.ClickException(f"{target} cannot be written: {error.strerror}") from error
    click.echo(f"{target}: {len(record)} bytes")
