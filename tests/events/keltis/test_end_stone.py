"""Cards of a path whose figure stands on the end stone (rules, 2.4)."""

from events.actions import DrawCard, MoveFigure, PlayCard
from events.cards import card
from events.catalogue import CardPlayed, FigureMoved, GameEnded, MoveGranted, PointsScored
from events.games.keltis import legal_actions
from tests.events.keltis.given import given, laid, refusal, walked, when

PINK9 = card("pink", 9)


def test_a_card_of_a_finished_path_moves_any_other_own_figure():
    """With the figure on row 9, a legal card of that colour moves another figure of the seat's choice."""
    state = given(walked(0, "pink", 9), walked(0, "green", 4), walked(0, "blue", 1))
    assert when(state, 0, PlayCard(PINK9)) == (CardPlayed(0, PINK9), MoveGranted(0, "end-stone"))
    assert legal_actions(state, 0) == [MoveFigure("green"), MoveFigure("blue")]
    assert when(state, 0, MoveFigure("blue")) == (FigureMoved(0, "blue", 2, "small"),)


def test_the_figure_on_the_end_stone_itself_does_not_move():
    """The figure on row 9 cannot be the one that moves."""
    state = given(walked(0, "pink", 9), walked(0, "green", 4))
    when(state, 0, PlayCard(PINK9))
    assert refusal(state, 0, MoveFigure("pink")) == "figure-at-end"


def test_no_figure_leaves_the_start_stone_by_an_end_stone():
    """The figure that is moved must be on a path already."""
    state = given(walked(0, "pink", 9), walked(0, "green", 4))
    when(state, 0, PlayCard(PINK9))
    assert refusal(state, 0, MoveFigure("blue")) == "no-figure-there"


def test_a_figure_moves_if_one_can():
    """The move is owed: no draw before it."""
    state = given(walked(0, "pink", 9), walked(0, "green", 4))
    when(state, 0, PlayCard(PINK9))
    assert refusal(state, 0, DrawCard("deck")) == "move-now"


def test_without_another_figure_to_move_the_card_is_laid_without_a_move():
    """With all others on the start stone or on row 9 the card is laid and nothing is asked."""
    state = given(walked(0, "pink", 9), walked(0, "green", 9))
    assert when(state, 0, PlayCard(PINK9)) == (CardPlayed(0, PINK9),)
    assert legal_actions(state, 0) == [DrawCard("deck")]


def test_others_figures_are_of_no_use():
    """Another seat's figure is not one that can be moved."""
    state = given(walked(0, "pink", 9), walked(1, "green", 4))
    assert when(state, 0, PlayCard(PINK9)) == (CardPlayed(0, PINK9),)


def test_the_row_still_rises_or_falls():
    """A card that turns the finished path's row back is refused."""
    assert refusal(given(walked(0, "pink", 9)), 0, PlayCard(card("pink", 7))) == "row-turns-back"


def test_no_figure_is_asked_for_on_a_finished_path():
    """A finished path takes no second figure."""
    assert refusal(given(walked(0, "pink", 9)), 0, PlayCard(PINK9, "small")) == "figure-not-asked"


def test_the_moved_figures_tile_is_carried_out():
    """The tile that the other figure reaches works as after any move, a clover too."""
    tiles = {("green", 5): "points-2", ("blue", 3): "clover"}
    state = given(walked(0, "pink", 9), walked(0, "green", 4), walked(0, "blue", 2), tiles=tiles)
    when(state, 0, PlayCard(PINK9))
    assert when(state, 0, MoveFigure("blue"))[-1] == MoveGranted(0, "clover")
    assert when(state, 0, MoveFigure("green"))[-1] == PointsScored(0, 2)


def test_the_moved_figure_may_be_the_fifth_in_the_goal():
    """The goal count is checked after such a move too."""
    state = given(
        walked(0, "pink", 9), *(walked(1, path, 7) for path in ("red", "pink", "blue")), walked(0, "green", 6)
    )
    when(state, 0, PlayCard(PINK9))
    assert when(state, 0, MoveFigure("green")) == (FigureMoved(0, "green", 7, "small"), GameEnded("goal"))


def test_reaching_the_end_stone_by_this_card_grants_no_second_move():
    """The card that moves the figure onto row 9 moves nothing else."""
    state = given(walked(0, "pink", 8), laid(0, "green", 3))
    assert when(state, 0, PlayCard(PINK9)) == (CardPlayed(0, PINK9), FigureMoved(0, "pink", 9, "small"))
    assert legal_actions(state, 0) == [DrawCard("deck")]


def test_a_figure_that_a_clover_brought_to_the_end_stone_counts_too():
    """However a figure came to row 9, the next card of its colour moves another."""
    state = given(walked(0, "pink", 7), walked(0, "green", 4), tiles={("pink", 8): "clover"})
    when(state, 0, PlayCard(card("pink", 8)))
    when(state, 0, MoveFigure("pink"))
    when(state, 0, DrawCard("deck"))
    for seat in (1, 2):
        when(state, seat, PlayCard(PINK9, "small"))
        when(state, seat, DrawCard("deck"))
    assert when(state, 0, PlayCard(PINK9)) == (CardPlayed(0, PINK9), MoveGranted(0, "end-stone"))
