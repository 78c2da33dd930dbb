"""A turn: one card, then one draw, then the next seat (rules, sections 1 and 2.4)."""

import pytest

from events.actions import DiscardCard, DrawCard, PlayCard
from events.cards import card
from events.catalogue import CardDiscarded, CardDrawn, DiscardTaken, TurnBegan
from events.games.keltis import legal_actions
from tests.events.keltis.given import given, laid, refusal, when

PINK5, GREEN5 = card("pink", 5), card("green", 5)


def test_a_turn_is_a_card_and_a_draw():
    """After the draw the next seat begins."""
    state = given()
    assert when(state, 0, DiscardCard(PINK5)) == (CardDiscarded(0, PINK5),)
    assert when(state, 0, DrawCard("deck")) == (CardDrawn(0), TurnBegan(1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_go_round(seats):
    """Turns go clockwise, and after the last seat comes the first."""
    state = given(seats=seats)
    order = []
    for _ in range(2 * seats):
        order.append(state.board.turns.seat)
        when(state, order[-1], DiscardCard(PINK5))
        when(state, order[-1], DrawCard("deck"))
    assert order == [*range(seats)] * 2


def test_a_draw_needs_a_card_played_first():
    """Nobody draws at the beginning of a turn."""
    assert refusal(given(), 0, DrawCard("deck")) == "play-first"


def test_one_card_is_played_in_a_turn():
    """After a card was laid or discarded only a draw is left."""
    state = given(laid(0, "pink", 3))
    when(state, 0, PlayCard(PINK5))
    assert refusal(state, 0, PlayCard(GREEN5, "small")) == "draw-now"
    assert refusal(state, 0, DiscardCard(GREEN5)) == "draw-now"


@pytest.mark.parametrize("action", [PlayCard(PINK5, "small"), DiscardCard(PINK5), DrawCard("deck")])
def test_only_the_seat_to_act_acts(action):
    """The other seats wait, and have no legal actions."""
    state = given()
    assert refusal(state, 1, action) == "not-your-turn"
    assert legal_actions(state, 1) == []


def test_only_cards_of_the_hand_are_played():
    """A card that the seat does not hold can be neither laid nor discarded."""
    state = given(hands={0: [GREEN5]})
    assert refusal(state, 0, PlayCard(PINK5, "small")) == "card-not-held"
    assert refusal(state, 0, DiscardCard(PINK5)) == "card-not-held"
    assert refusal(state, 0, DiscardCard(GREEN5)) is None


def test_the_top_card_of_any_pile_may_be_drawn():
    """Each colour has one pile; its latest card alone can be drawn."""
    state = given(
        CardDiscarded(1, PINK5), CardDiscarded(1, card("pink", 6)), CardDiscarded(2, GREEN5), hands={0: [PINK5]}
    )
    when(state, 0, DiscardCard(PINK5))
    assert legal_actions(state, 0) == [DrawCard("deck"), DrawCard("pink"), DrawCard("green")]
    assert when(state, 0, DrawCard("green")) == (DiscardTaken(0, GREEN5), TurnBegan(1))
    assert state.hands.cards[0] == [GREEN5]
    assert state.board.piles["green"] == []
    assert state.board.piles["pink"] == [PINK5, card("pink", 6), PINK5]


def test_an_empty_pile_gives_nothing():
    """A pile without cards cannot be drawn from."""
    state = given()
    when(state, 0, DiscardCard(PINK5))
    assert refusal(state, 0, DrawCard("green")) == "pile-empty"


def test_a_discard_goes_on_the_pile_of_its_colour():
    """A discarded card lies open on its colour's pile and leaves the hand."""
    state = given(hands={0: [PINK5, GREEN5]})
    when(state, 0, DiscardCard(PINK5))
    assert state.board.piles["pink"] == [PINK5]
    assert state.hands.cards[0] == [GREEN5]


def test_equal_cards_are_never_told_apart():
    """A seat that holds a card twice has one action for it, and keeps the other one."""
    state = given(hands={0: [PINK5, PINK5]})
    assert legal_actions(state, 0) == [PlayCard(PINK5, "small"), PlayCard(PINK5, "large"), DiscardCard(PINK5)]
    when(state, 0, DiscardCard(PINK5))
    assert state.hands.cards[0] == [PINK5]


def test_resigning_is_not_listed():
    """The list holds what plays on; resigning is always allowed besides."""
    assert {type(action) for action in legal_actions(given(), 0)} == {PlayCard, DiscardCard}
