"""The board of Keltis as some eyes see it: paths, rows, figures, piles, hands and the score so far.

The hands come masked from the deal; nothing here decides who may see what. A view shares nothing with the game that
goes on: what can change is copied, and what cannot is made once, since a view is drawn after every move.
"""

from collections.abc import Sequence
from itertools import product
from typing import Literal, get_args

import msgspec

from events.actions import FigureKind
from events.cards import COLOURS, FACES, Card, Colour
from events.catalogue import GrantCause, ScoreSheet, Tile
from events.games.keltis import State, score_sheets
from events.games.keltis.state import Board, SeatBoard
from events.games.keltis.tables import END_ROW, GOAL_ROW, LARGE_FIGURES, ROW_VALUES, SEATS, SMALL_FIGURES
from events.games.rows import Row
from events.games.turns import Phase, Turns

Area = Literal["minus", "middle", "goal"]
Direction = Literal["open", "rising", "falling"]


class FigureOnStone(msgspec.Struct, frozen=True, gc=False):
    """A figure that stands on a stone, and whose it is."""

    seat: int
    figure: FigureKind


class Stone(msgspec.Struct, frozen=True, gc=False):
    """A stone of a path. `row` is 1 to 9, `value` in points, `tile` what still lies there."""

    row: int
    value: int
    area: Area
    tile: Tile | None
    figures: tuple[FigureOnStone, ...]


class RowOfCards(msgspec.Struct, frozen=True, gc=False):
    """A seat's cards of one colour, in the order in which they were laid."""

    cards: tuple[Card, ...]
    direction: Direction


class FigureOnPath(msgspec.Struct, frozen=True, gc=False):
    """A seat's figure on a path: the row, 1 to 9, where it stands, and its kind."""

    row: int
    kind: FigureKind


class FiguresAtStart(msgspec.Struct, frozen=True, gc=False):
    """How many figures of each kind a seat has on the start stone."""

    small: int
    large: int


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """What a seat holds and has before it. In `hand`, a card that these eyes may not know is null.

    `score` is in points, what it would be if the game ended now.
    """

    hand: tuple[Card | None, ...]
    hand_size: int
    rows: dict[Colour, RowOfCards]
    figures: dict[Colour, FigureOnPath]
    start: FiguresAtStart
    wish_stones: int
    score: ScoreSheet
    resigned: bool


class TurnView(msgspec.Struct, frozen=True, gc=False):
    """Whose decision it is, and which. When the `phase` is over, `seat` is the one that had the last turn."""

    number: int
    seat: int
    phase: Phase
    cause: GrantCause | None


class BoardView(msgspec.Struct, frozen=True, gc=False):
    """The whole board. `paths` hold nine stones each, from row 1; piles run from bottom to top."""

    paths: dict[Colour, tuple[Stone, ...]]
    seats: tuple[SeatView, ...]
    discard_piles: dict[Colour, tuple[Card, ...]]
    deck_count: int
    turn: TurnView
    goal_figures: int
    deck_due: bool


def area(row: int) -> Area:
    """Return the area that `row`, 1 to 9, lies in.

    >>> [area(row) for row in (1, 3, 4, 6, 7, 9)]
    ['minus', 'minus', 'middle', 'middle', 'goal', 'goal']
    """
    if row >= GOAL_ROW:
        return "goal"
    return "minus" if ROW_VALUES[row] < 0 else "middle"


KINDS: tuple[FigureKind, ...] = get_args(FigureKind)
PATH_ROWS = range(1, END_ROW + 1)
BARE = tuple(Stone(row, ROW_VALUES[row], area(row), None, ()) for row in PATH_ROWS)
TILED = {(row, tile): Stone(row, ROW_VALUES[row], area(row), tile, ()) for row in PATH_ROWS for tile in get_args(Tile)}
ON_STONE = {(seat, kind): FigureOnStone(seat, kind) for seat in range(max(SEATS)) for kind in KINDS}
ON_PATH = {(row, kind): FigureOnPath(row, kind) for row in PATH_ROWS for kind in KINDS}
AT_START = {left: FiguresAtStart(*left) for left in product(range(SMALL_FIGURES + 1), range(LARGE_FIGURES + 1))}
NO_ROW = RowOfCards((), "open")
DIRECTIONS: dict[int, Direction] = {0: "open", 1: "rising", -1: "falling"}
HAND_ORDER: dict[Card | None, int] = {card: place for place, card in enumerate((*FACES, None))}
"""Hands are shown by colour, then value; what is unknown comes last."""


def view_board(state: State) -> BoardView:
    """Return the board of `state`, with hands as the eyes of `state` see them."""
    board = state.board
    turns = board.turns
    resigned = turns.resigned
    held = zip(board.seats, state.hands.cards, score_sheets(board), strict=True)
    return BoardView(
        paths=_paths(board),
        seats=tuple([_seat(mine, hand, sheet, seat in resigned) for seat, (mine, hand, sheet) in enumerate(held)]),
        discard_piles={colour: tuple(pile) for colour, pile in board.piles.items()},
        deck_count=board.deck_left,
        turn=_turn(turns),
        goal_figures=board.goal_figures,
        deck_due=turns.deck_due,
    )


def _paths(board: Board) -> dict[Colour, tuple[Stone, ...]]:
    paths = {path: list(BARE) for path in COLOURS}
    for (path, row), tile in board.tiles.items():
        paths[path][row - 1] = TILED[row, tile]
    for seat, mine in enumerate(board.seats):
        for path, row in mine.figures.items():
            figure = ON_STONE[seat, "large" if mine.large == path else "small"]
            stone = paths[path][row - 1]
            paths[path][row - 1] = Stone(row, stone.value, stone.area, stone.tile, (*stone.figures, figure))
    return {path: tuple(stones) for path, stones in paths.items()}


def _seat(mine: SeatBoard, hand: Sequence[Card | None], score: ScoreSheet, resigned: bool) -> SeatView:
    rows, large = mine.rows, mine.large
    return SeatView(
        hand=tuple(sorted(hand, key=HAND_ORDER.__getitem__)),
        hand_size=len(hand),
        rows={colour: _row(rows[colour]) if colour in rows else NO_ROW for colour in COLOURS},
        figures={path: ON_PATH[row, "large" if path == large else "small"] for path, row in mine.figures.items()},
        start=AT_START[mine.small_left, mine.left("large")],
        wish_stones=mine.wish_stones,
        score=score,
        resigned=resigned,
    )


def _row(row: Row) -> RowOfCards:
    return RowOfCards(tuple(row.cards), DIRECTIONS[row.direction])


def _turn(turns: Turns) -> TurnView:
    return TurnView(turns.number, turns.seat, turns.phase, turns.cause)
