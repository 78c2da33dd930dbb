"""Leaving a running game (rules, section 7)."""

import pytest

from events.actions import DiscardCard, DrawCard, MoveFigure, PlayCard, Resign
from events.cards import card
from events.catalogue import GameEnded, SeatResigned, TurnBegan
from events.games.keltis import legal_actions, score_sheets
from tests.events.keltis.given import given, laid, refusal, walked, when

PINK5, GREEN5 = card("pink", 5), card("green", 5)
CLOVER = {("pink", 2): "clover"}


@pytest.mark.parametrize("seat", [0, 1])
def test_with_two_seats_the_game_ends_at_once(seat):
    """With two seats a resignation ends the game, on turn or off turn."""
    state = given(seats=2)
    assert when(state, seat, Resign()) == (SeatResigned(seat, "resignation"), GameEnded("resignation"))
    assert legal_actions(state, 0) == legal_actions(state, 1) == []


def test_resigning_on_turn_passes_the_turn():
    """With three seats the next one begins its turn."""
    state = given()
    assert when(state, 0, Resign()) == (SeatResigned(0, "resignation"), TurnBegan(1))
    assert legal_actions(state, 0) == []
    assert legal_actions(state, 1) != []


def test_resigning_off_turn_changes_no_turn():
    """The seat to act goes on as if nothing had happened."""
    state = given()
    before = legal_actions(state, 0)
    assert when(state, 2, Resign()) == (SeatResigned(2, "resignation"),)
    assert legal_actions(state, 0) == before


def test_turns_leave_out_the_resigned_seat():
    """The others go on in turn order without the resigned seat."""
    state = given(seats=4)
    when(state, 1, Resign())
    when(state, 0, DiscardCard(PINK5))
    assert when(state, 0, DrawCard("deck"))[-1] == TurnBegan(2)


def test_the_turn_passes_over_seats_that_resigned_before():
    """A seat that resigns on turn hands over to the next seat that is still in the game."""
    state = given(seats=4)
    when(state, 1, Resign())
    assert when(state, 0, Resign())[-1] == TurnBegan(2)
    when(state, 2, DiscardCard(PINK5))
    assert when(state, 2, DrawCard("deck"))[-1] == TurnBegan(3)
    when(state, 3, DiscardCard(PINK5))
    assert when(state, 3, DrawCard("deck"))[-1] == TurnBegan(2)


@pytest.mark.parametrize("last", [0, 1])
def test_the_game_ends_when_one_seat_is_left(last):
    """The last but one of three to resign ends the game, on turn or off turn."""
    state = given()
    when(state, 2, Resign())
    assert when(state, last, Resign()) == (SeatResigned(last, "resignation"), GameEnded("resignation"))


def test_the_last_but_one_of_four_ends_the_game():
    """With four seats the third resignation ends the game, not the second."""
    state = given(seats=4)
    assert when(state, 3, Resign())[-1] == SeatResigned(3, "resignation")
    assert when(state, 1, Resign())[-1] == SeatResigned(1, "resignation")
    assert when(state, 2, Resign())[-1] == GameEnded("resignation")


@pytest.mark.parametrize("seats", [2, 3])
def test_resigning_closes_a_pending_decision(seats):
    """An open chain stops where it stands: the granted move is not made and no card is drawn."""
    state = given(laid(0, "pink", 3), walked(0, "green", 4), tiles=CLOVER, seats=seats)
    when(state, 0, PlayCard(PINK5))
    when(state, 0, Resign())
    assert state.board.seats[0].figures == {"pink": 2, "green": 4}
    assert state.board.turns.cause is None
    if seats == 3:
        assert state.board.turns.phase == "play"
        assert refusal(state, 1, MoveFigure("pink")) == "no-move-due"


def test_resigning_off_turn_leaves_anothers_decision_open():
    """Another seat's clover still has to be carried out."""
    state = given(laid(0, "pink", 3), walked(0, "green", 4), tiles=CLOVER)
    when(state, 0, PlayCard(PINK5))
    when(state, 1, Resign())
    assert legal_actions(state, 0) == [MoveFigure("pink"), MoveFigure("green")]


def test_resigning_before_the_draw_forgoes_it():
    """A seat that discarded and resigns draws nothing; its card lies on the pile for the next."""
    state = given(redraw_own_discard=False)
    when(state, 0, DiscardCard(PINK5))
    assert when(state, 0, Resign())[-1] == TurnBegan(1)
    when(state, 1, DiscardCard(GREEN5))
    assert refusal(state, 1, DrawCard("pink")) is None
    assert len(state.hands.cards[0]) == 219


@pytest.mark.parametrize("action", [DiscardCard(PINK5), PlayCard(PINK5, "small"), DrawCard("deck"), Resign()])
def test_a_resigned_seat_does_nothing_more(action):
    """Whoever resigned cannot act again, nor resign twice."""
    state = given()
    when(state, 0, Resign())
    assert refusal(state, 0, action) == "seat-resigned"


def test_what_was_laid_and_moved_stays():
    """Rows, figures, points and wish stones of the resigned seat stay on the board and in its sheet."""
    state = given(walked(0, "pink", 7), walked(1, "pink", 7))
    when(state, 0, Resign())
    assert state.board.goal_figures == 2
    assert len(state.board.seats[0].rows["pink"].cards) == 7
    assert score_sheets(state.board)[0]["figures"] == 6


def test_the_hand_stays_out_of_play():
    """The resigned seat keeps its hand; nobody gets a card of it."""
    state = given(hands={0: [PINK5, GREEN5]})
    when(state, 0, Resign())
    assert state.hands.cards[0] == [PINK5, GREEN5]


def test_resigning_on_turn_500_ends_the_game():
    """No turn follows turn 500, so its seat's resignation ends a game of three by the turn limit."""
    state = given(turn=500)
    assert when(state, 0, Resign()) == (SeatResigned(0, "resignation"), GameEnded("turn-limit"))


def test_resigning_off_turn_on_turn_500_leaves_the_draw():
    """Turn 500 is played to its draw though another seat resigns."""
    state = given(turn=500)
    assert when(state, 1, Resign()) == (SeatResigned(1, "resignation"),)
    when(state, 0, DiscardCard(PINK5))
    assert when(state, 0, DrawCard("deck"))[-1] == GameEnded("turn-limit")


def test_the_last_resignation_on_turn_500_is_a_resignation():
    """The one seat that is left wins by resignation, also on turn 500."""
    state = given(turn=500)
    when(state, 1, Resign())
    assert when(state, 0, Resign())[-1] == GameEnded("resignation")
