"""Scoring (rules, 2.7), as if the game ended now."""

from events.catalogue import ScoreSheet
from events.games.keltis.state import Board, SeatBoard
from events.games.keltis.tables import LARGE_FACTOR, ROW_VALUES, WISH_TABLE


def wish_points(stones: int) -> int:
    """Return the points for `stones` wish stones.

    >>> [wish_points(stones) for stones in range(7)]
    [-4, -3, 2, 3, 6, 10, 10]
    """
    return WISH_TABLE[min(stones, len(WISH_TABLE) - 1)]


def figure_points(seat: SeatBoard) -> int:
    """Return the points for where a seat's figures stand; those on the start stone count nothing."""
    points = sum(ROW_VALUES[row] for row in seat.figures.values())
    if seat.large is not None:
        points += (LARGE_FACTOR - 1) * ROW_VALUES[seat.figures[seat.large]]
    return points


def score_sheet(seat: SeatBoard) -> ScoreSheet:
    """Return a seat's points by category."""
    tiles, figures, wishes = seat.tile_points, figure_points(seat), wish_points(seat.wish_stones)
    return ScoreSheet(tiles=tiles, figures=figures, wish_stones=wishes, total=tiles + figures + wishes)


def score_sheets(board: Board) -> tuple[ScoreSheet, ...]:
    """Return every seat's points by category, by seat."""
    return tuple(score_sheet(seat) for seat in board.seats)


def ranks(board: Board) -> tuple[int, ...]:
    """Return every seat's rank, from 1; equal seats share one, and the next ranks are left out (1, 1, 3).

    Seats that resigned rank behind all others, the last to resign first (rules, section 7).
    """
    keys = [_merit(board, seat) for seat in range(len(board.seats))]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def _merit(board: Board, seat: int) -> tuple[int, int, int]:
    resigned = board.turns.resigned
    if seat in resigned:
        return (0, resigned.index(seat), 0)
    wishes = board.seats[seat].wish_stones if board.options.tiebreak == "wish_stones" else 0
    return (1, score_sheet(board.seats[seat]).total, wishes)
