"""Rows that rise or fall (rules, section 1)."""

import pytest

from events.actions import DiscardCard, PlayCard
from events.cards import COLOURS, VALUES, card
from events.games.keltis import legal_actions
from events.games.rows import Row
from tests.events.keltis.given import given, kinds, laid, refusal, when


@pytest.mark.parametrize("value", VALUES)
def test_the_first_card_of_a_row_is_free(value):
    """A row may begin with any value."""
    assert refusal(given(), 0, PlayCard(card("pink", value), "small")) is None


def test_a_rising_row_never_falls():
    """After 3 then 7 the row rises, so a second 3 is refused."""
    assert refusal(given(laid(0, "pink", 3, 7)), 0, PlayCard(card("pink", 3))) == "row-turns-back"


def test_a_falling_row_never_rises():
    """Once a row falls, a higher card is refused."""
    assert refusal(given(laid(0, "pink", 7, 3)), 0, PlayCard(card("pink", 4))) == "row-turns-back"


@pytest.mark.parametrize("value", [2, 4])
def test_equal_cards_do_not_fix_the_direction(value):
    """After 3 and 3 the row may still rise or fall."""
    assert refusal(given(laid(0, "pink", 3, 3)), 0, PlayCard(card("pink", value))) is None


@pytest.mark.parametrize(("values", "refused"), [((3, 3, 4), 2), ((3, 3, 2), 4)])
def test_the_first_differing_card_fixes_the_direction(values, refused):
    """After 3, 3 and a different value the way is fixed (X7)."""
    assert refusal(given(laid(0, "pink", *values)), 0, PlayCard(card("pink", refused))) == "row-turns-back"


@pytest.mark.parametrize("values", [(3, 7), (9, 7), (7,)])
def test_a_card_equal_to_the_last_is_always_legal(values):
    """A second 7 may follow a 7, whether the row rises, falls or is open."""
    assert refusal(given(laid(0, "pink", *values)), 0, PlayCard(card("pink", 7))) is None


@pytest.mark.parametrize("values", [(5, 7, 7), (9, 7, 7)])
def test_equal_cards_keep_the_direction(values):
    """A repeated value in a row that rises or falls does not open the direction again."""
    back = 6 if values[0] < 7 else 8
    assert refusal(given(laid(0, "pink", *values)), 0, PlayCard(card("pink", back))) == "row-turns-back"


def test_gaps_are_allowed():
    """After 0 a 10 may follow, and nothing but the other 10 after that."""
    state = given(laid(0, "pink", 0, 10))
    legal = [value for value in VALUES if refusal(state, 0, PlayCard(card("pink", value))) is None]
    assert legal == [10]


def test_each_seat_has_rows_of_its_own():
    """A seat's falling row leaves another seat's row of that colour free."""
    state = given(laid(1, "pink", 7, 3), laid(0, "pink", 1))
    assert refusal(state, 0, PlayCard(card("pink", 9))) is None


def test_each_colour_has_a_row_of_its_own():
    """The pink row's direction does not bind the green row."""
    state = given(laid(0, "pink", 7, 3), laid(0, "green", 1))
    assert refusal(state, 0, PlayCard(card("green", 9))) is None


def test_five_rows_are_the_most():
    """A seat has at most one row in each colour: with five rows begun no card asks for a figure."""
    state = given(*(laid(0, colour, 5) for colour in COLOURS))
    openings = [action for action in legal_actions(state, 0) if isinstance(action, PlayCard) and action.figure]
    assert openings == []


def test_a_card_is_discarded_though_it_could_be_laid():
    """Discarding is always legal."""
    state = given(laid(0, "pink", 3))
    assert kinds(when(state, 0, DiscardCard(card("pink", 4)))) == ["card-discarded"]


def test_a_card_that_fits_nowhere_is_discarded():
    """A card that turns its row back can still be discarded."""
    assert refusal(given(laid(0, "pink", 3, 4)), 0, DiscardCard(card("pink", 0))) is None


def test_a_copied_row_grows_apart():
    """A card laid in a copy is not laid in the row."""
    row = Row()
    row.lay(card("pink", 3), 3)
    twin = row.copy()
    twin.lay(card("pink", 5), 5)
    assert (row.cards, row.direction, row.last) == ([card("pink", 3)], 0, 3)
    assert (twin.direction, twin.turns_back(4), row.turns_back(1)) == (1, True, False)
