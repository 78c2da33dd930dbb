"""Scoring (rules, 2.7), as if the game ended now."""

from events.catalogue import ScoreSheet
from events.games.keltis.state import Board, SeatBoard
from events.games.keltis.tables import LARGE_FACTOR, ROW_VALUES, WISH_TABLE
from events.games.scoring import Merit, shared_ranks, sheet, table_points


def figure_points(seat: SeatBoard) -> int:
    """Return the points for where a seat's figures stand; those on the start stone count nothing."""
    points = sum(ROW_VALUES[row] for row in seat.figures.values())
    if seat.large is not None:
        points += (LARGE_FACTOR - 1) * ROW_VALUES[seat.figures[seat.large]]
    return points


def score_sheet(seat: SeatBoard) -> ScoreSheet:
    """Return a seat's points by category."""
    wishes = table_points(WISH_TABLE, seat.wish_stones)
    return sheet(tiles=seat.tile_points, figures=figure_points(seat), wish_stones=wishes)


def score_sheets(board: Board) -> tuple[ScoreSheet, ...]:
    """Return every seat's points by category, by seat."""
    return tuple(score_sheet(seat) for seat in board.seats)


def ranks(board: Board) -> tuple[int, ...]:
    """Return every seat's rank, from 1; equal seats share one, unless wish stones are to decide (2.7)."""
    return shared_ranks([_merit(board, seat) for seat in board.seats], board.turns.resigned)


def _merit(board: Board, seat: SeatBoard) -> Merit:
    by_wishes = board.options.tiebreak == "wish_stones"
    return (score_sheet(seat)["total"], seat.wish_stones if by_wishes else 0)
