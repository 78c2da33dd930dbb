"""`cairn replay`: step through a game in the terminal, or print it ply by ply."""

import sys
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console, Group, RenderableType
from rich.text import Text

from events.deal import ALL, SPECTATOR, Eyes
from ops.commands.audit import conclusion
from ops.keys import Position, pressed, typed_keys
from ops.remote import SERVER, Remote, Unanswered
from ops.terminal import draw, seen_by
from ops.terminal.text import plain
from projections.sentences import sentences
from projections.views import view
from replay.audit import audit
from replay.record import FILE_LIMIT, UnreadableRecord, parse_record
from replay.stepper import Stepper, viewer
from replay.verdict import Verdict

HELP = "→n next  ←p back  g go to  Home End  eyes: 0-3 seat, a all, s spectator  q quit"


@click.command("replay")
@click.argument("game", metavar="FILE|GAME")
@click.option("--seat", type=click.IntRange(0, 3), help="Look with this seat's eyes; default: everybody's, if closed.")
@click.option("--ply", type=click.IntRange(1), help="Begin there; with --plain, end there.")
@click.option("--plain", "as_text", is_flag=True, help="Print every ply's sentences and the board, ask nothing.")
@click.option("--server", default=SERVER, show_default=True, help="The service that a GAME is fetched from.")
def command(game: str, seat: int | None, ply: int | None, as_text: bool, server: str) -> None:
    """Step through a record, or through the game with the id GAME of a running service.

    What an audit finds fault with is not shown: the replay ends before the first bad ply.
    """
    stepper, title, warning = opened(_load(game, server))
    eyes: Eyes = seat if seat is not None else ALL if stepper.seed else SPECTATOR
    console = Console(highlight=False)
    if warning:
        Console(stderr=True, highlight=False).print(Text(warning, style="bold red"))
    if as_text or not (console.is_terminal and sys.stdin.isatty()):
        tell(console, stepper, title, eyes, ply or stepper.length)
        return
    stepper.jump(ply or 1)
    _step(console, stepper, title, Position(stepper.ply, eyes))


def opened(data: bytes) -> tuple[Stepper, str, str]:
    """Return a stepper for the sound part of a record, the game's title, and a warning if not all of it is sound."""
    verdict = audit(data)
    try:
        record = parse_record(data)
    except UnreadableRecord as error:
        raise click.ClickException(f"this record cannot be read; {error}") from error
    if not verdict.sound_plies:
        raise click.ClickException(f"there is nothing to show; {conclusion(verdict)}")
    entries = [recorded.entry for recorded in record.entries[: verdict.sound_plies]]
    stepper = Stepper(entries, record.game_id)
    return stepper, f"{stepper.game.rules.TITLE} {record.game_id}", _warning(verdict)


def tell(console: Console, stepper: Stepper, title: str, eyes: Eyes, last: int) -> None:
    """Print the sentences of every ply up to `last`, then the board."""
    for entry, game in stepper:
        names = [chair.name if chair else "" for chair in game.table.chairs]
        said = " ".join(plain(sentence) for sentence in sentences(entry, names))
        console.print(Text(f"{entry.version:4}  {said}"), soft_wrap=True)
        if entry.version >= last:
            break
    console.print()
    console.print(picture(stepper, title, eyes, console.width))


def picture(stepper: Stepper, title: str, eyes: Eyes, width: int) -> RenderableType:
    """Return the game as it stands at the stepper's ply, drawn for `width` columns."""
    seen = as_json(stepper, eyes)
    heading = f"{title}, ply {stepper.ply} of {stepper.length}, {seen_by(seen['eyes'])}"
    return draw(seen, heading=heading, story=seen["happened"], width=width)


def as_json(stepper: Stepper, eyes: Eyes) -> Any:
    """Return the view at the stepper's ply, as the service would serve it."""
    seen = view(stepper.game, viewer(stepper.game, eyes), stepper.entry)
    return msgspec.json.decode(msgspec.json.encode(seen))


def _step(console: Console, stepper: Stepper, title: str, position: Position) -> None:
    """Show the game and let keys move through it until `q`."""
    with console.screen() as screen:
        screen.update(_page(console, stepper, title, position))
        for key in typed_keys(sys.stdin.fileno()):
            position = pressed(position, key, stepper.length)
            if position.done:
                return
            stepper.jump(position.ply)
            screen.update(_page(console, stepper, title, position))


def _page(console: Console, stepper: Stepper, title: str, position: Position) -> Group:
    prompt = HELP if position.typed is None else f"go to ply: {position.typed}▏ (Enter goes, Esc does not)"
    return Group(Text(prompt, style="dim"), picture(stepper, title, position.eyes, console.width))


def _warning(verdict: Verdict) -> str:
    return "" if verdict.good else f"This record is {conclusion(verdict)}. Shown are {verdict.sound_plies} plies."


def _load(game: str, server: str) -> bytes:
    """Return the record in the file `game`, or that of the game with this id."""
    path = Path(game)
    try:
        if path.is_file():
            with path.open("rb") as file:
                return file.read(FILE_LIMIT + 1)
        if path.suffix or len(path.parts) > 1:
            raise click.UsageError(f"there is no file {game}")
        return Remote(server).record(game)
    except OSError as error:
        raise click.UsageError(f"{game} cannot be read: {error.strerror}") from error
    except Unanswered as error:
        raise click.ClickException(str(error)) from error
