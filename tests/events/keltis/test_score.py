"""Scoring and ranks (rules, 2.7 and section 7)."""

import pytest

from events.actions import PlayCard, Resign
from events.cards import COLOURS, card
from events.catalogue import PointsScored, ScoreSheet, WishStoneTaken
from events.games.keltis import ranks, score_sheets
from events.games.keltis.tables import TILE_STONES
from tests.events.keltis.given import given, walked, when


def wishes(seat, number, start=0):
    return [WishStoneTaken(seat, *stone) for stone in TILE_STONES[start : start + number]]


def scene(*happened, **options):
    return given(*happened, tiles=dict.fromkeys(TILE_STONES, "wish"), **options)


@pytest.mark.parametrize(("row", "points"), [*enumerate((-4, -3, -2, 1, 2, 3, 6, 7, 10), 1)])
def test_a_figure_scores_its_row(row, points):
    """Rows 1 to 9 are worth -4, -3, -2, 1, 2, 3, 6, 7 and 10."""
    assert score_sheets(given(walked(0, "pink", row)).board)[0]["figures"] == points


@pytest.mark.parametrize(("row", "points"), [(1, -8), (3, -4), (4, 2), (9, 20)])
def test_the_large_figure_counts_double_below_zero_too(row, points):
    """The large figure counts twice, also where that costs."""
    assert score_sheets(given(walked(0, "pink", row, "large")).board)[0]["figures"] == points


def test_figures_add_up():
    """All five figures count, the large one twice."""
    small = [walked(0, path, row) for path, row in zip(COLOURS, (1, 4, 7, 9), strict=False)]
    assert score_sheets(given(*small, walked(0, "blue", 2, "large")).board)[0]["figures"] == -4 + 1 + 6 + 10 - 6


def test_figures_on_the_start_stone_count_nothing():
    """A seat that opened no path has no points from figures."""
    assert score_sheets(given().board)[0] == ScoreSheet(tiles=0, figures=0, wish_stones=-4, total=-4)


@pytest.mark.parametrize(("stones", "points"), [*enumerate((-4, -3, 2, 3, 6, 10, 10, 10, 10, 10))])
def test_wish_stones_score_by_their_number(stones, points):
    """0 to 4 wish stones are worth -4, -3, 2, 3 and 6; five or more 10."""
    assert score_sheets(scene(wishes(0, stones)).board)[0]["wish_stones"] == points


def test_the_total_is_tiles_and_figures_and_wish_stones():
    """A sheet's total is the sum of its three categories."""
    state = scene(walked(0, "pink", 7), wishes(0, 2), PointsScored(0, 3), PointsScored(0, 1))
    assert score_sheets(state.board)[0] == ScoreSheet(tiles=4, figures=6, wish_stones=2, total=12)


def test_a_score_may_be_negative():
    """Nothing stops a score from falling below zero."""
    assert score_sheets(given(walked(0, "pink", 1, "large")).board)[0]["total"] == -12


def test_the_highest_total_ranks_first():
    """Ranks follow the totals."""
    state = given(PointsScored(0, 1), PointsScored(1, 3), PointsScored(2, 2))
    assert ranks(state.board) == (3, 1, 2)


@pytest.mark.parametrize(
    ("points", "shared"),
    [((3, 3, 1), (1, 1, 3)), ((1, 3, 3), (3, 1, 1)), ((3, 1, 1), (1, 2, 2)), ((2, 2, 2), (1, 1, 1))],
)
def test_equal_totals_share_their_rank(points, shared):
    """All tied seats win, and the ranks that they fill are left out after them (1, 1, 3)."""
    state = given(*(PointsScored(seat, number) for seat, number in enumerate(points)))
    assert ranks(state.board) == shared


def test_wish_stones_break_no_tie_unless_the_table_says_so():
    """With equal totals more wish stones count nothing by default (X6)."""
    state = scene(wishes(0, 2), PointsScored(1, 5), wishes(1, 1, start=2))
    assert [sheet["total"] for sheet in score_sheets(state.board)] == [2, 2, -4]
    assert ranks(state.board) == (1, 1, 3)


def test_a_resigned_seat_ranks_last_whatever_its_score():
    """The score of a seat that resigned is for information."""
    state = given(PointsScored(1, 50), PointsScored(2, 1))
    when(state, 1, Resign())
    assert score_sheets(state.board)[1]["total"] == 46
    assert ranks(state.board) == (2, 3, 1)


def test_who_resigned_last_ranks_best_among_the_resigned():
    """Resigned seats rank among themselves in the reverse order of resigning."""
    state = given(PointsScored(1, 50), PointsScored(3, 9), seats=4)
    for seat in (1, 2, 3):
        when(state, seat, Resign())
    assert ranks(state.board) == (1, 4, 3, 2)


def test_with_two_seats_the_other_wins_whatever_the_score():
    """A seat that resigns while it leads loses."""
    state = given(PointsScored(0, 50), seats=2)
    when(state, 0, Resign())
    assert ranks(state.board) == (2, 1)


def test_the_fifth_figure_scores_where_it_stands():
    """The figure that ends the game counts with its new row, and its tile with nothing."""
    happened = [walked(1, path, 7) for path in ("red", "yellow", "pink", "blue")]
    state = given(*happened, walked(0, "green", 6, "large"), tiles={("green", 7): "points-3"})
    when(state, 0, PlayCard(card("green", 9)))
    assert score_sheets(state.board)[0] == ScoreSheet(tiles=0, figures=12, wish_stones=-4, total=8)
