"""What the terminal asks of each game: how to draw its board, and what to tell of it and of its seats."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rich.table import Table

from ops.terminal.text import View


class Column(NamedTuple):
    """A column of the table of seats: its title, and what it tells of a seat."""

    title: str
    tell: Callable[[View], object]


class Drawing(NamedTuple):
    """How a game is drawn.

    `stands` says in a few words how far the board is, `due` what the seat to act owes, by phase and cause; `columns`
    come before the score's `categories`, which are told under short titles, and `last` after them.
    """

    board: Callable[[View], Table]
    legend: str
    stands: Callable[[View], str]
    due: Mapping[tuple[str, str | None], str]
    columns: tuple[Column, ...]
    categories: Mapping[str, str]
    last: Column
