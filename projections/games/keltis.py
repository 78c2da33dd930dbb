"""The board of Keltis as some eyes see it: paths, rows, figures, piles, hands and the score so far.

The hands come masked from the deal; nothing here decides who may see what. A view shares nothing with the game that
goes on: what can change is copied or drawn anew, and what cannot is made once, since a view is drawn after every move.
"""

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec

from events.actions import FigureKind
from events.cards import COLOURS, FACES, Card, Colour
from events.catalogue import GrantCause, ScoreSheet, Tile
from events.games.keltis import State, score_sheets
from events.games.keltis.state import Board, SeatBoard
from events.games.keltis.tables import END_ROW, GOAL_ROW, LARGE_FIGURES, ROW_VALUES, SEATS, SMALL_FIGURES
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


PATH_ROWS = range(1, END_ROW + 1)
KINDS: tuple[FigureKind, ...] = get_args(FigureKind)
CODES: tuple[tuple[int, int], ...] = tuple((3**seat, 2 * 3**seat) for seat in range(max(SEATS)))
"""Who stands on a stone is one number in base 3: seat n's digit is 0 for nobody, 1 for its small figure, 2 for its
large one. These are what each seat's small and large figure add to it."""


def _standing(code: int) -> tuple[FigureOnStone, ...]:
    digits = [(seat, code // 3**seat % 3) for seat in range(max(SEATS))]
    return tuple(FigureOnStone(seat, KINDS[digit - 1]) for seat, digit in digits if digit)


def _stones(tile: Tile | None, row: int) -> list[Stone]:
    return [Stone(row, ROW_VALUES[row], area(row), tile, _standing(code)) for code in range(3 ** max(SEATS))]


# Every stone that there can be is made once: by row, tile and who stands there. Row 0 is no stone.
TILED = [{tile: _stones(tile, row) for tile in get_args(Tile)} for row in range(END_ROW + 1)]
BARE = [_stones(None, row) for _ in COLOURS for row in PATH_ROWS]
"""All stones without tiles, path by path."""
BEFORE: dict[Colour, int] = {path: END_ROW * n - 1 for n, path in enumerate(COLOURS)}
"""What to add to a row to find a path's stone among all."""
PATHS: dict[Colour, slice] = {path: slice(END_ROW * n, END_ROW * (n + 1)) for n, path in enumerate(COLOURS)}
SMALL_IN = [FigureOnPath(row, "small") for row in range(END_ROW + 1)]
LARGE_IN = [FigureOnPath(row, "large") for row in range(END_ROW + 1)]
AT_START = [[FiguresAtStart(small, large) for large in range(LARGE_FIGURES + 1)] for small in range(SMALL_FIGURES + 1)]
NO_ROWS: dict[Colour, RowOfCards] = dict.fromkeys(COLOURS, RowOfCards((), "open"))
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
    """Return the paths, drawn anew only after something has moved: mostly seats discard and draw cards."""
    if board.drawn is None:
        board.drawn = _draw(board)
    paths: dict[Colour, tuple[Stone, ...]] = board.drawn
    return paths


def _draw(board: Board) -> dict[Colour, tuple[Stone, ...]]:
    lying = BARE.copy()
    for (path, row), tile in board.tiles.items():
        lying[BEFORE[path] + row] = TILED[row][tile]
    standing = [0] * len(lying)
    for mine, (small, large) in zip(board.seats, CODES, strict=False):  # fewer seats than could sit there
        for path, row in mine.figures.items():
            standing[BEFORE[path] + row] += large if mine.large == path else small
    stones = tuple([by_code[code] for by_code, code in zip(lying, standing, strict=True)])
    return {path: stones[part] for path, part in PATHS.items()}


def _seat(mine: SeatBoard, hand: Sequence[Card | None], score: ScoreSheet, resigned: bool) -> SeatView:
    rows = {colour: RowOfCards(tuple(row.cards), DIRECTIONS[row.direction]) for colour, row in mine.rows.items()}
    return SeatView(
        hand=tuple(sorted(hand, key=HAND_ORDER.__getitem__)),
        hand_size=len(hand),
        rows=NO_ROWS | rows,
        figures=_figures(mine),
        start=AT_START[mine.small_left][mine.left("large")],
        wish_stones=mine.wish_stones,
        score=score,
        resigned=resigned,
    )


def _figures(mine: SeatBoard) -> dict[Colour, FigureOnPath]:
    figures = {path: SMALL_IN[row] for path, row in mine.figures.items()}
    if mine.large is not None:
        figures[mine.large] = LARGE_IN[mine.figures[mine.large]]
    return figures


def _turn(turns: Turns) -> TurnView:
    return TurnView(turns.number, turns.seat, turns.phase, turns.cause)
