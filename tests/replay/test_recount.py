"""Counting a second time: the sheets and ranks that the rules find are those that the events add up to."""

import random

import pytest

from events.actions import Resign
from events.catalogue import FigureMoved, GameScored, PointsScored, ScoreSheet, SeatResigned, WishStoneTaken
from replay.recount import rank_keltis, recount_keltis
from tests.replay.played import Playing


def sheet(total: int) -> ScoreSheet:
    return ScoreSheet(tiles=total, figures=0, wish_stones=0, total=total)


def test_points_figures_and_wish_stones_are_added_up():
    """Tiles as scored, each figure by its last row, the large one twice, wish stones by the table."""
    events = [
        FigureMoved(0, "red", 1, "large"),
        PointsScored(0, 3),
        FigureMoved(0, "red", 2, "large"),
        FigureMoved(0, "blue", 9, "small"),
        WishStoneTaken(0, "red", 2),
        WishStoneTaken(0, "blue", 9),
    ]
    expected = ScoreSheet(tiles=3, figures=-6 + 10, wish_stones=2, total=9)
    nothing = ScoreSheet(tiles=0, figures=0, wish_stones=-4, total=-4)
    assert recount_keltis(events, 2) == (expected, nothing)


def test_more_than_five_wish_stones_count_as_five():
    """The table of wish stones ends at five."""
    stones = [WishStoneTaken(0, "red", 2)] * 7
    assert recount_keltis(stones, 1)[0]["wish_stones"] == 10


def test_equal_totals_share_a_rank_and_the_next_is_left_out():
    """Totals of 5, 9, 5 and 1 rank 2, 1, 2, 4."""
    assert rank_keltis([], [sheet(5), sheet(9), sheet(5), sheet(1)], {"tiebreak": "shared"}) == (2, 1, 2, 4)


def test_wish_stones_can_break_a_tie():
    """Where the table says so, the seat with more wish stones ranks higher."""
    events = [WishStoneTaken(1, "red", 2)]
    assert rank_keltis(events, [sheet(5), sheet(5)], {"tiebreak": "wish_stones"}) == (2, 1)
    assert rank_keltis(events, [sheet(5), sheet(5)], {"tiebreak": "shared"}) == (1, 1)


def test_who_resigns_ranks_last_whatever_the_score():
    """The first to resign is the very last, the last to resign right behind those who played on."""
    events = [SeatResigned(2, "resignation"), SeatResigned(0, "resignation")]
    assert rank_keltis(events, [sheet(50), sheet(1), sheet(60), sheet(9)], {}) == (3, 2, 4, 1)


@pytest.mark.parametrize("lot", range(24))
def test_both_ways_of_counting_agree_on_random_games(lot):
    """Games of two to four, with either tie-break and with resignations, are counted and ranked alike."""
    playing = Playing(2 + lot % 3, lot, tiebreak="wish_stones" if lot % 2 else "shared")
    playing.start()
    dice = random.Random(lot)
    if lot % 4 == 0:
        playing.play(dice.randint(1, 60))
        seat = dice.randrange(len(playing.people))
        playing.act(seat, playing.people[seat], Resign())
    playing.finish()
    scored = playing.entries[-1].events[-1]
    assert isinstance(scored, GameScored)
    events = [event for entry in playing.entries for event in entry.events]
    sheets = recount_keltis(events, len(playing.people))
    assert sheets == scored.sheets
    assert rank_keltis(events, sheets, playing.game.table.options) == scored.ranks
