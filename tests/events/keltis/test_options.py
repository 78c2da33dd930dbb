"""The options of a table (rules, section 5: X6, X9, X17)."""

import msgspec
import pytest

from events.actions import DiscardCard, DrawCard, PlayCard
from events.cards import VALUES, card
from events.catalogue import CardDiscarded, PointsScored, WishStoneTaken
from events.games.keltis import CATALOGUE, Options, legal_actions, ranks
from events.games.keltis.tables import TILE_STONES
from tests.events.keltis.given import given, laid, refusal, when

PINK5, PINK6, GREEN5 = card("pink", 5), card("pink", 6), card("green", 5)


def test_the_defaults_follow_the_seeds():
    """Ties are shared, rows go both ways, a discard may be drawn back."""
    assert Options() == Options(tiebreak="shared", direction="both", redraw_own_discard=True)


def test_the_catalogue_lists_every_option_with_its_default_first():
    """What is told about the options is what the options are."""
    assert {option.name: option.default for option in CATALOGUE} == msgspec.structs.asdict(Options())
    for option in CATALOGUE:
        assert option.choices[0] == option.default
        for choice in option.choices:
            msgspec.convert({option.name: choice}, Options)


@pytest.mark.parametrize("options", [{"direction": "down"}, {"redraw_own_discard": 1}, {"house_rule": True}])
def test_other_options_do_not_exist(options):
    """An unknown option or value is refused."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)


def wish_stones(*numbers):
    stones = iter(TILE_STONES)
    return [WishStoneTaken(seat, *next(stones)) for seat, number in enumerate(numbers) for _ in range(number)]


def test_most_wish_stones_win_a_tie_if_the_table_says_so():
    """X6: with equal totals the seat with more wish stones ranks higher."""
    state = given(
        wish_stones(2, 1), PointsScored(1, 5), tiles=dict.fromkeys(TILE_STONES, "wish"), tiebreak="wish_stones"
    )
    assert ranks(state.board) == (1, 2, 3)


def test_the_tie_break_orders_every_rank():
    """Ties below the first rank are broken too, and what is still equal is shared."""
    state = given(
        wish_stones(1, 2, 0, 0),
        PointsScored(0, 5),
        PointsScored(2, 20),
        PointsScored(3, 6),
        seats=4,
        tiles=dict.fromkeys(TILE_STONES, "wish"),
        tiebreak="wish_stones",
    )
    assert ranks(state.board) == (3, 2, 1, 4)


def test_a_tie_in_points_and_wish_stones_is_shared():
    """Still equal after the wish stones: shared."""
    assert ranks(given(tiebreak="wish_stones").board) == (1, 1, 1)


def test_more_than_five_wish_stones_still_break_a_tie():
    """Six stones are worth as many points as five, but are more stones."""
    state = given(wish_stones(5, 6), tiles=dict.fromkeys(TILE_STONES, "wish"), tiebreak="wish_stones")
    assert ranks(state.board) == (2, 1, 3)


def test_wish_stones_never_outweigh_points():
    """The tie-break is only for ties."""
    state = given(
        wish_stones(2, 0), PointsScored(1, 7), tiles=dict.fromkeys(TILE_STONES, "wish"), tiebreak="wish_stones"
    )
    assert ranks(state.board) == (2, 1, 3)


@pytest.mark.parametrize("values", [(5,), (5, 5), (3, 5)])
def test_rows_only_rise_if_the_table_says_so(values):
    """X9: with ascending rows a lower card is refused, equal values stay legal."""
    state = given(laid(0, "pink", *values), direction="ascending")
    legal = [value for value in VALUES if refusal(state, 0, PlayCard(card("pink", value))) is None]
    assert legal == [5, 6, 7, 8, 9, 10]


def test_the_refusal_names_the_tables_rule():
    """A row that could fall elsewhere is refused because of this table's option; one that rises, as everywhere."""
    state = given(laid(0, "pink", 5), direction="ascending")
    assert refusal(state, 0, PlayCard(card("pink", 4))) == "row-ascends-only"
    state = given(laid(0, "pink", 4, 5), direction="ascending")
    assert refusal(state, 0, PlayCard(card("pink", 4))) == "row-turns-back"


def test_the_first_card_of_an_ascending_row_is_free():
    """A row that may only rise may begin with 10."""
    assert refusal(given(direction="ascending"), 0, PlayCard(card("pink", 10), "small")) is None


def test_a_discard_may_be_drawn_back():
    """X17: by default the card just discarded may be drawn from its pile."""
    state = given()
    when(state, 0, DiscardCard(PINK5))
    assert refusal(state, 0, DrawCard("pink")) is None


def test_a_discard_may_not_be_drawn_back_if_the_table_says_so():
    """X17: the pile on which the seat discarded in this turn is barred, the other piles are not."""
    state = given(CardDiscarded(1, PINK6), CardDiscarded(1, GREEN5), redraw_own_discard=False)
    when(state, 0, DiscardCard(PINK5))
    assert refusal(state, 0, DrawCard("pink")) == "own-discard"
    assert legal_actions(state, 0) == [DrawCard("deck"), DrawCard("green")]


def test_the_bar_lasts_for_one_turn_of_one_seat():
    """The next seat may take the card, and so may the seat itself in its next turn."""
    state = given(redraw_own_discard=False, seats=2)
    when(state, 0, DiscardCard(PINK5))
    when(state, 0, DrawCard("deck"))
    when(state, 1, DiscardCard(GREEN5))
    assert refusal(state, 1, DrawCard("pink")) is None
    when(state, 1, DrawCard("deck"))
    when(state, 0, DiscardCard(GREEN5))
    assert refusal(state, 0, DrawCard("pink")) is None


def test_who_lays_a_card_may_draw_from_every_pile():
    """The bar is for discards: a laid card bars no pile."""
    state = given(CardDiscarded(1, PINK6), redraw_own_discard=False)
    when(state, 0, PlayCard(PINK5, "small"))
    assert refusal(state, 0, DrawCard("pink")) is None
