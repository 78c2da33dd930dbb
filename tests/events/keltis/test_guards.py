"""The guards that make every game end (rules, section 1)."""

import pytest

from events.actions import DiscardCard, DrawCard, PlayCard, Resign
from events.cards import card
from events.catalogue import CardDiscarded, CardDrawn, DiscardTaken, GameEnded, TurnBegan
from events.games.keltis import legal_actions
from tests.events.keltis.given import given, kinds, refusal, when

PINK5, GREEN5 = card("pink", 5), card("green", 5)


def turn(state, source="pink"):
    """Discard pink 5 and draw from `source`."""
    seat = state.board.turns.seat
    when(state, seat, DiscardCard(PINK5))
    return when(state, seat, DrawCard(source))


def stall(state, turns):
    for _ in range(turns):
        turn(state)


def deck_is_due(state):
    """Tell whether the seat to act, once it has discarded, must draw from the deck."""
    seat = state.board.turns.seat
    when(state, seat, DiscardCard(PINK5))
    due = refusal(state, seat, DrawCard("pink")) == "deck-draw-due"
    assert (legal_actions(state, seat) == [DrawCard("deck")]) == due
    return due


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_after_four_stalled_rounds_the_deck_is_due(seats):
    """After 4 turns for each seat that discarded and drew from a pile, the next discarding turn draws from the deck."""
    state = given(seats=seats)
    stall(state, 4 * seats)
    assert deck_is_due(state)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_one_stalled_turn_less_leaves_the_choice(seats):
    """One turn before that every pile is still free."""
    state = given(seats=seats)
    stall(state, 4 * seats - 1)
    assert not deck_is_due(state)


def test_a_draw_from_the_deck_resets_the_guard():
    """After the deck was drawn from, the count begins anew."""
    state = given(seats=2)
    stall(state, 8)
    turn(state, "deck")
    stall(state, 7)
    assert not deck_is_due(state)
    when(state, state.board.turns.seat, DrawCard("pink"))
    assert deck_is_due(state)


@pytest.mark.parametrize("source", ["deck", "pink"])
def test_a_laid_card_resets_the_guard(source):
    """A laid card resets the count, wherever its turn draws from, and its turn is not counted itself."""
    state = given(CardDiscarded(1, PINK5), seats=2)
    stall(state, 7)
    when(state, 1, PlayCard(GREEN5, "small"))
    when(state, 1, DrawCard(source))
    stall(state, 7)
    assert not deck_is_due(state)
    when(state, state.board.turns.seat, DrawCard("pink"))
    assert deck_is_due(state)


def test_a_laying_turn_may_draw_from_a_pile_while_the_deck_is_due():
    """The guard binds turns that discard: whoever lays a card chooses freely."""
    state = given(CardDiscarded(1, PINK5), seats=2)
    stall(state, 8)
    when(state, 0, PlayCard(GREEN5, "small"))
    assert refusal(state, 0, DrawCard("pink")) is None


def test_the_guard_counts_the_seats_of_the_table():
    """A resigned seat does not shorten the guard."""
    state = given(seats=3)
    when(state, 2, Resign())
    stall(state, 11)
    assert not deck_is_due(state)
    when(state, state.board.turns.seat, DrawCard("pink"))
    assert deck_is_due(state)


def test_a_turn_that_is_not_complete_counts_nothing():
    """A seat that discards and resigns neither stalls nor resets the count."""
    state = given(seats=4)
    stall(state, 5)
    when(state, 1, DiscardCard(PINK5))
    when(state, 1, Resign())
    assert state.board.turns.stalled == 5


def test_the_guard_comes_before_the_bar_of_own_discards():
    """Where both forbid a pile, the guard is named; an empty pile is named as empty."""
    state = given(seats=2, redraw_own_discard=False)
    when(state, 0, DiscardCard(GREEN5))
    when(state, 0, DrawCard("deck"))
    state.board.turns.stalled = 8
    when(state, 1, DiscardCard(PINK5))
    assert refusal(state, 1, DrawCard("pink")) == "deck-draw-due"
    assert refusal(state, 1, DrawCard("green")) == "deck-draw-due"
    assert refusal(state, 1, DrawCard("red")) == "pile-empty"


@pytest.mark.parametrize(("source", "drawn"), [("deck", CardDrawn(0)), ("pink", DiscardTaken(0, PINK5))])
def test_turn_500_is_the_last(source, drawn):
    """The game ends after the draw of turn 500 of all seats together."""
    state = given(turn=500)
    assert turn(state, source) == (drawn, GameEnded("turn-limit"))


def test_turn_499_is_not_the_last():
    """After turn 499 the next seat plays turn 500."""
    state = given(turn=499)
    assert turn(state) == (DiscardTaken(0, PINK5), TurnBegan(1))
    assert state.board.turns.number == 500


def test_turns_are_counted_from_1():
    """The first turn is turn 1, and each turn of any seat counts one."""
    state = given(turn=1)
    stall(state, 5)
    assert state.board.turns.number == 6


def test_an_empty_deck_on_turn_500_is_an_empty_deck():
    """The reason is the deck if the draw of turn 500 empties it."""
    state = given(turn=500, deck_left=1)
    assert turn(state, "deck")[-1] == GameEnded("deck")


def test_the_card_of_turn_500_is_not_the_end():
    """Turn 500 still has its draw."""
    state = given(turn=500)
    assert kinds(when(state, 0, DiscardCard(PINK5))) == ["card-discarded"]
    assert state.board.turns.phase == "draw"
