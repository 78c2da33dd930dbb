"""Figures on the paths (rules, 2.1, 2.2 and 2.4)."""

import pytest

from events.actions import DrawCard, MoveFigure, PlayCard
from events.cards import COLOURS, card
from events.catalogue import CardPlayed, FigureMoved
from events.games.keltis import legal_actions
from tests.events.keltis.given import given, kinds, laid, refusal, walked, when

PINK5 = card("pink", 5)


@pytest.mark.parametrize("figure", ["small", "large"])
def test_the_first_card_puts_any_figure_on_row_1(figure):
    """The first card of a colour puts a figure from the start stone, of the seat's choice, on row 1."""
    events = when(given(), 0, PlayCard(PINK5, figure))
    assert events == (CardPlayed(0, PINK5), FigureMoved(0, "pink", 1, figure))


def test_the_first_card_asks_for_a_figure():
    """Whoever opens a path says which figure goes."""
    assert refusal(given(), 0, PlayCard(PINK5)) == "figure-needed"


def test_later_cards_move_the_figure_on_that_path():
    """A later card moves the figure of its path one stone forward."""
    state = given(laid(0, "pink", 3), walked(0, "green", 4))
    assert when(state, 0, PlayCard(PINK5)) == (CardPlayed(0, PINK5), FigureMoved(0, "pink", 2, "small"))


@pytest.mark.parametrize("value", [3, 4, 10, 0])
def test_the_cards_value_plays_no_part_in_the_distance(value):
    """Whatever the value, the figure goes one stone."""
    state = given(laid(0, "pink", 3))
    assert when(state, 0, PlayCard(card("pink", value)))[1] == FigureMoved(0, "pink", 2, "small")


@pytest.mark.parametrize("figure", ["small", "large"])
def test_later_cards_ask_for_no_figure(figure):
    """A later card cannot put a second figure on the path: a seat has at most one there."""
    assert refusal(given(laid(0, "pink", 3)), 0, PlayCard(PINK5, figure)) == "figure-not-asked"


def test_there_is_one_large_figure():
    """Once the large figure stands on a path, no other path can be opened with it."""
    state = given(walked(0, "green", 1, "large"))
    assert refusal(state, 0, PlayCard(PINK5, "large")) == "figure-used"
    assert refusal(state, 0, PlayCard(PINK5, "small")) is None


def test_there_are_four_small_figures():
    """With four small figures on paths only the large one can open the fifth."""
    state = given(*(laid(0, colour, 5) for colour in COLOURS if colour != "pink"))
    assert refusal(state, 0, PlayCard(PINK5, "small")) == "figure-used"
    openings = [action for action in legal_actions(state, 0) if isinstance(action, PlayCard) and action.figure]
    assert {action.figure for action in openings} == {"large"}


def test_the_large_figure_stays_large():
    """The large figure is moved as the large figure."""
    state = given(walked(0, "pink", 3, "large"))
    assert when(state, 0, PlayCard(PINK5))[1] == FigureMoved(0, "pink", 4, "large")


def test_each_seat_has_its_own_figures():
    """Another seat's large figure leaves one's own on the start stone."""
    assert refusal(given(walked(1, "green", 1, "large")), 0, PlayCard(PINK5, "large")) is None


def test_figures_share_stones():
    """Any number of seats' figures may stand on one stone."""
    state = given(walked(0, "pink", 4), walked(1, "pink", 4), walked(2, "pink", 3))
    when(state, 0, PlayCard(PINK5))
    assert [seat.figures["pink"] for seat in state.board.seats] == [5, 4, 3]


def test_a_laid_card_must_move_its_figure():
    """Laying a card moves the figure at once; nothing is asked before the draw."""
    state = given(laid(0, "pink", 3))
    when(state, 0, PlayCard(PINK5))
    assert all(isinstance(action, DrawCard) for action in legal_actions(state, 0))


def test_no_figure_moves_without_a_cause():
    """A figure cannot be moved at the beginning of a turn or before the draw."""
    state = given(laid(0, "pink", 3))
    assert refusal(state, 0, MoveFigure("pink")) == "no-move-due"
    when(state, 0, PlayCard(PINK5))
    assert refusal(state, 0, MoveFigure("pink")) == "no-move-due"


def test_a_figure_may_step_onto_the_end_stone():
    """Row 9 is reached like any other row."""
    state = given(walked(0, "pink", 8))
    assert kinds(when(state, 0, PlayCard(card("pink", 10)))) == ["card-played", "figure-moved"]
    assert state.board.seats[0].figures["pink"] == 9
