"""Text in the terminal: the colours of the games, and names that steer nothing."""

from collections.abc import Mapping
from typing import Any

from rich.text import Text

View = Mapping[str, Any]
"""A view of a game, or a part of one, as its JSON says it."""

STYLES = {"red": "red", "yellow": "yellow", "pink": "magenta", "green": "green", "blue": "cyan"}


def plain(text: str) -> str:
    """Return `text` without characters that would steer a terminal.

    >>> plain("Zoë\\x1b[2J")
    'Zoë�[2J'
    """
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def name_of(view: View, seat: int) -> str:
    """Return who sits on `seat`, fit for a terminal."""
    return plain(view["table"][seat]["name"] or "free")


def who(view: View, seat: int) -> Text:
    """Return seat and name, marked if it is to act and struck out if it resigned."""
    board = view["board"]
    acts = board["turn"]["seat"] == seat and board["turn"]["phase"] != "over"
    style = "strike" if board["seats"][seat]["resigned"] else "bold" if acts else ""
    return Text(f"{'▶' if acts else ' '}{seat} {name_of(view, seat)}", style=style)
