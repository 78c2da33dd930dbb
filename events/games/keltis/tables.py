"""The numbers of Keltis, each with its source: a correction changes a table and no code."""

from events.cards import COLOURS, Card, Colour, card
from events.catalogue import Tile

NAME = "keltis"
TITLE = "Keltis"
REVISION = 1
"""The number of these rules. A change of what `decide` answers gets a new one; running games keep theirs."""

SEATS = (2, 3, 4)
"""S1."""

CATEGORIES = {
    "tiles": "the number tiles on which the seat's figures landed",
    "figures": "the rows in which the seat's figures stand; the large one counts double",
    "wish_stones": "the wish stones that the seat took",
}
"""What a score sheet tells apart (rules, 2.7)."""

DECK: tuple[Card, ...] = tuple(card(colour, value) for colour in COLOURS for value in range(11) for _ in range(2))
"""110 cards: 0 to 10, twice in each colour (S1)."""

SMALL_FIGURES = 4
LARGE_FIGURES = 1
"""S1."""

ROW_VALUES = (0, -4, -3, -2, 1, 2, 3, 6, 7, 10)
"""Points of a figure by its row; 0 is the start stone (S1 for the ends, B5, B6 and O2 for the whole)."""

END_ROW = 9
GOAL_ROW = 7
"""The goal area begins here (S1)."""

GOAL_FIGURES = 5
"""Figures of all seats in the goal area that end the game (S1, S3)."""

LARGE_FACTOR = 2
"""The large figure counts double, below zero too (S1)."""

TILES: tuple[Tile, ...] = (
    *("wish",) * 9,
    *("clover",) * 9,
    *("points-1",) * 2,
    *("points-2",) * 3,
    *("points-3",) * 2,
)
"""25 tiles (O1)."""

TILE_POINTS: dict[Tile, int] = {"points-1": 1, "points-2": 2, "points-3": 3}

TILE_ROWS: dict[Colour, tuple[int, ...]] = {
    "red": (2, 4, 6, 7, 9),
    "yellow": (2, 3, 5, 8, 9),
    "pink": (3, 5, 6, 8, 9),
    "green": (2, 4, 5, 7, 9),
    "blue": (3, 4, 6, 7, 9),
}
"""The dark stones and end stones that carry a tile (end stones: S1, O1; dark stones: our choice)."""

TILE_STONES: tuple[tuple[Colour, int], ...] = tuple((path, row) for path in COLOURS for row in TILE_ROWS[path])
"""Where the shuffled tiles go, path by path and stone by stone."""

WISH_TABLE = (-4, -3, 2, 3, 6, 10)
"""Points by wish stones, the last for five or more (B5; B4 and S3 agree)."""
