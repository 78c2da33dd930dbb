"""`cairn watch`: a live table in the terminal."""

import time
from collections import deque
from collections.abc import Iterator
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.text import Text

from ops.remote import SERVER, Remote, Unanswered, Unreachable
from ops.terminal import draw, seen_by
from ops.terminal.text import plain

REMEMBERED = 4
"""Sentences of the past that stand above the board."""

PAUSES_S = (1, 2, 4, 8)
"""How long to wait before asking again, the last one from then on."""


@click.command("watch")
@click.argument("game")
@click.option("--server", default=SERVER, show_default=True, help="The service's address.")
@click.option("--token", envvar="CAIRN_TOKEN", help="A player's token, to see that seat's hand; also CAIRN_TOKEN.")
def command(game: str, server: str, token: str | None) -> None:
    """Watch GAME until it is closed; Ctrl-C stops."""
    remote = Remote(server, token)
    console = Console(highlight=False)
    try:
        if console.is_terminal:
            _show(console, remote, game)
        else:
            _tell(console, remote, game)
    except Unanswered as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        return


def _show(console: Console, remote: Remote, game: str) -> None:
    """Draw the table anew whenever it changes; leave the last picture standing."""
    story: deque[str] = deque(maxlen=REMEMBERED)
    picture: RenderableType = Text()
    with console.screen() as screen:
        for seen, told, trouble in following(remote, game):
            story.extend(told)
            picture = draw(seen, heading=heading(seen, trouble), story=story, width=console.width)
            screen.update(picture)
    console.print(picture)


def _tell(console: Console, remote: Remote, game: str) -> None:
    """Print sentences as things happen, and the board at the end."""
    last: Any = None
    for seen, told, trouble in following(remote, game):
        last = seen
        for sentence in [trouble] if trouble else told:
            console.print(Text(plain(sentence)), soft_wrap=True)
    console.print(draw(last, heading=heading(last, ""), story=(), width=console.width))


def heading(seen: Any, trouble: str) -> str:
    """Return the line above the board."""
    line = f"{seen['title']} {seen['id']}, version {seen['version']}, {seen_by(seen['eyes'])}"
    return f"{line}: {trouble}, asking again" if trouble else line


def following(remote: Remote, game: str) -> Iterator[tuple[Any, list[str], str]]:
    """Yield the view whenever the game has gone on, with what happened since, until it is closed.

    When the service cannot be reached for a while, the last view comes again with the trouble in words. Raise
    `Unanswered` if it refuses, or cannot be reached at the start.
    """
    seen = remote.game(game)
    yield seen, list(seen["happened"]), ""
    failures = 0
    while seen["status"] != "closed":
        try:
            fresh = remote.game(game, beyond=seen["version"])
            told = _sentences(remote, game, seen["version"], fresh["version"])
        except Unreachable as error:
            yield seen, [], str(error)
            time.sleep(PAUSES_S[min(failures, len(PAUSES_S) - 1)])
            failures += 1
            continue
        if failures or fresh["version"] > seen["version"]:
            seen = fresh
            yield seen, told, ""
        failures = 0


def _sentences(remote: Remote, game: str, after: int, until: int) -> list[str]:
    """Return what happened from version `after` to `until`, in the order in which it did."""
    told: list[str] = []
    while after < until:
        page = remote.history(game, after)
        told += [sentence for line in page["history"] if line["version"] <= until for sentence in line["sentences"]]
        if page["next"] <= after:
            break
        after = page["next"]
    return told
