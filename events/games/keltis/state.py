"""The board of a game of Keltis: everything that lies open."""

from typing import Any, TypeAlias

from events.actions import FigureKind
from events.cards import COLOURS, Card, Colour, Pile
from events.catalogue import GameStarted, Tile
from events.games.hands import HAND_SIZE, removed
from events.games.keltis.options import Options
from events.games.keltis.tables import DECK, LARGE_FIGURES, SMALL_FIGURES, TILE_STONES
from events.games.rows import Row
from events.games.state import State as AnyState
from events.games.turns import Turns


class SeatBoard:
    """What lies and stands before one seat. `figures` maps a path to the row, 1 to 9, of the figure on it."""

    __slots__ = ("figures", "large", "rows", "small_left", "tile_points", "wish_stones")

    def __init__(self) -> None:
        self.rows: dict[Colour, Row] = {}
        self.figures: dict[Colour, int] = {}
        self.large: Colour | None = None
        self.small_left = SMALL_FIGURES
        self.tile_points = 0
        self.wish_stones = 0

    def copy(self) -> "SeatBoard":
        """Return a seat's side that changes apart from this one."""
        twin = SeatBoard()
        twin.rows = {colour: row.copy() for colour, row in self.rows.items()}
        twin.figures = dict(self.figures)
        twin.large, twin.small_left = self.large, self.small_left
        twin.tile_points, twin.wish_stones = self.tile_points, self.wish_stones
        return twin

    def left(self, kind: FigureKind) -> int:
        """Return how many figures of `kind` stand on the start stone."""
        if kind == "small":
            return self.small_left
        return LARGE_FIGURES if self.large is None else 0

    def kind_on(self, path: Colour) -> FigureKind:
        """Return the kind of the figure that stands on `path`."""
        return "large" if self.large == path else "small"


class Board:
    """Everything that lies open. `tiles` maps a stone to the tile that is still there.

    `drawn` is what a view has made of the stones since they last changed, and of no matter to the rules.
    """

    __slots__ = ("deck_left", "drawn", "goal_figures", "options", "piles", "seats", "tiles", "turns")

    def __init__(self, options: Options, started: GameStarted) -> None:
        seats = len(started.seats)
        self.options = options
        self.seats = [SeatBoard() for _ in range(seats)]
        self.tiles: dict[tuple[Colour, int], Tile] = dict(zip(TILE_STONES, started.tiles, strict=True))
        self.piles: dict[Pile, list[Card]] = {colour: [] for colour in COLOURS}
        self.deck_left = len(DECK) - removed(seats) - HAND_SIZE * seats
        self.goal_figures = 0
        self.turns = Turns(seats, started.first)
        self.drawn: Any = None

    def copy(self) -> "Board":
        """Return a board that changes apart from this one."""
        twin = Board.__new__(Board)
        twin.options, twin.drawn = self.options, self.drawn
        twin.seats = [seat.copy() for seat in self.seats]
        twin.tiles = dict(self.tiles)
        twin.piles = {colour: list(pile) for colour, pile in self.piles.items()}
        twin.deck_left, twin.goal_figures = self.deck_left, self.goal_figures
        twin.turns = self.turns.copy()
        return twin


State: TypeAlias = AnyState[Board]
"""A game of Keltis as some eyes see it."""
