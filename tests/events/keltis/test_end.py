"""How a game ends (rules, 2.6 and section 1)."""

import pytest

from events.actions import DiscardCard, DrawCard, MoveFigure, PlayCard, Resign
from events.cards import card
from events.catalogue import CardDrawn, CardPlayed, FigureMoved, GameEnded, MoveGranted, TurnBegan, WishStoneTaken
from events.games.keltis import legal_actions
from tests.events.keltis.given import given, kinds, laid, refusal, walked, when

GREEN9 = card("green", 9)


def four_in_the_goal():
    return [*walked(1, "red", 7), *walked(1, "pink", 8), *walked(2, "red", 9), *walked(0, "blue", 7)]


def test_the_fifth_figure_in_the_goal_ends_the_game():
    """The moment five figures of all seats together stand in rows 7 to 9, on whatever paths, the game is over."""
    state = given(four_in_the_goal(), walked(0, "green", 6))
    events = when(state, 0, PlayCard(GREEN9))
    assert events == (CardPlayed(0, GREEN9), FigureMoved(0, "green", 7, "small"), GameEnded("goal"))


def test_the_fourth_figure_ends_nothing():
    """Four figures in the goal are not enough."""
    state = given(four_in_the_goal()[:-1], walked(0, "green", 6))
    assert when(state, 0, PlayCard(GREEN9))[-1] == FigureMoved(0, "green", 7, "small")
    assert legal_actions(state, 0) == [DrawCard("deck")]


def test_the_end_comes_at_once():
    """After the fifth figure nobody draws and nobody plays."""
    state = given(four_in_the_goal(), walked(0, "green", 6))
    when(state, 0, PlayCard(GREEN9))
    assert [legal_actions(state, seat) for seat in range(3)] == [[], [], []]
    assert refusal(state, 0, DrawCard("deck")) == "game-over"
    assert refusal(state, 1, PlayCard(GREEN9, "small")) == "game-over"
    assert refusal(state, 1, Resign()) == "game-over"


def test_five_figures_of_one_seat_end_the_game():
    """The five figures may all be one seat's."""
    state = given(*(walked(0, path, 7) for path in ("red", "yellow", "pink", "blue")), walked(0, "green", 6, "large"))
    assert when(state, 0, PlayCard(GREEN9))[-1] == GameEnded("goal")


def test_a_figure_counts_once_however_far_it_goes():
    """A figure that moves on inside the goal is not counted again."""
    state = given(four_in_the_goal())
    assert when(state, 0, PlayCard(card("blue", 9))) == (
        CardPlayed(0, card("blue", 9)),
        FigureMoved(0, "blue", 8, "small"),
    )
    assert state.board.goal_figures == 4


@pytest.mark.parametrize("tile", ["wish", "points-3", "clover"])
def test_the_tile_under_the_fifth_figure_is_not_carried_out(tile):
    """The fifth figure's tile stays where it is and gives nothing."""
    state = given(four_in_the_goal(), walked(0, "green", 6), tiles={("green", 7): tile})
    assert when(state, 0, PlayCard(GREEN9))[-1] == GameEnded("goal")
    assert state.board.tiles == {("green", 7): tile}
    assert (state.board.seats[0].tile_points, state.board.seats[0].wish_stones) == (0, 0)


def test_the_fifth_figure_may_enter_by_a_clover_chain():
    """A chain ends the game where it brings the fifth figure in; what it did before stands."""
    tiles = {("pink", 2): "clover", ("green", 6): "clover", ("green", 7): "wish"}
    state = given(four_in_the_goal(), laid(0, "pink", 3), walked(0, "green", 5), tiles=tiles)
    assert when(state, 0, PlayCard(card("pink", 5)))[-1] == MoveGranted(0, "clover")
    assert when(state, 0, MoveFigure("green"))[-1] == MoveGranted(0, "clover")
    assert when(state, 0, MoveFigure("green")) == (FigureMoved(0, "green", 7, "small"), GameEnded("goal"))
    assert state.board.seats[0].figures == {"blue": 7, "pink": 2, "green": 7}
    assert state.board.seats[0].wish_stones == 0


def test_a_wish_stone_taken_earlier_in_the_game_stands():
    """The end takes nothing back."""
    state = given(four_in_the_goal(), walked(0, "green", 6), WishStoneTaken(0, "red", 2), tiles={("red", 2): "wish"})
    when(state, 0, PlayCard(GREEN9))
    assert state.board.seats[0].wish_stones == 1


def test_a_clover_within_the_goal_is_carried_out_while_fewer_than_five_stand_there():
    """The fourth figure's clover asks as usual, and its move may bring the fifth figure in."""
    tiles = {("green", 7): "clover"}
    state = given(four_in_the_goal()[:-1], walked(0, "green", 6), tiles=tiles)
    assert when(state, 0, PlayCard(GREEN9))[-1] == MoveGranted(0, "clover")
    assert legal_actions(state, 0) == [MoveFigure("green"), MoveFigure("blue")]
    assert when(state, 0, MoveFigure("blue")) == (FigureMoved(0, "blue", 7, "small"), GameEnded("goal"))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_card_of_the_deck_ends_the_game(seats):
    """The game ends at once when the last card is drawn; that draw is still made, nobody gets a further turn."""
    state = given(seats=seats, deck_left=1)
    when(state, 0, DiscardCard(GREEN9))
    assert when(state, 0, DrawCard("deck")) == (CardDrawn(0), GameEnded("deck"))
    assert len(state.hands.cards[0]) == 220
    assert [legal_actions(state, seat) for seat in range(seats)] == [[]] * seats


def test_the_last_but_one_card_ends_nothing():
    """With one card left the next seat plays."""
    state = given(deck_left=2)
    when(state, 0, DiscardCard(GREEN9))
    assert when(state, 0, DrawCard("deck")) == (CardDrawn(0), TurnBegan(1))


def test_a_discard_pile_can_be_drawn_from_while_one_card_is_left():
    """Drawing from a pile leaves the last card of the deck, and the game goes on."""
    state = given(deck_left=1)
    when(state, 0, DiscardCard(GREEN9))
    assert kinds(when(state, 0, DrawCard("green"))) == ["discard-taken", "turn-began"]
    assert state.board.deck_left == 1


def test_what_comes_first_counts():
    """A fifth figure that enters before the last card is drawn ends the game as a goal."""
    state = given(four_in_the_goal(), walked(0, "green", 6), deck_left=1)
    assert when(state, 0, PlayCard(GREEN9))[-1] == GameEnded("goal")


def test_the_goal_counts_figures_of_resigned_seats():
    """What a resigned seat moved into the goal counts for the common end."""
    state = given(four_in_the_goal(), walked(0, "green", 6))
    when(state, 1, Resign())
    assert when(state, 0, PlayCard(GREEN9))[-1] == GameEnded("goal")


@pytest.mark.parametrize(("seats", "left"), [(2, 64), (3, 86), (4, 78)])
def test_the_deck_after_the_deal(seats, left):
    """After the deal the deck holds 64, 86 or 78 cards for two, three or four seats."""
    assert given(seats=seats).board.deck_left == left
