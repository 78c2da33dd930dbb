"""Ways to play, for tests that need whole games: each chooses among the legal actions, by dice."""

from collections.abc import Callable, Sequence
from typing import Protocol

from events.actions import DECK, DiscardCard, DrawCard, Move, MoveFigure, PlayCard
from events.cards import FACES, Card
from events.games.keltis import State
from events.shuffle import Dice
from tests.events.seated import Match


class Chance(Protocol):
    """Dice of any kind."""

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1."""
        ...


Play = Callable[[State, int, Sequence[Move], Chance], Move]
"""Choose one of a seat's legal actions."""


def at_random(state: State, seat: int, moves: Sequence[Move], dice: Chance) -> Move:
    """Choose anything."""
    return moves[dice.below(len(moves))]


def keen(state: State, seat: int, moves: Sequence[Move], dice: Chance) -> Move:
    """Lay the card that leaves the smallest gap, on few paths; move the figure that is ahead; draw from the deck."""
    mine = state.board.seats[seat]

    def cost(move: Move) -> int:
        match move:
            case PlayCard(card, None):
                return abs(FACES[card].value - mine.rows[FACES[card].colour].last)
            case PlayCard(card, figure):
                return 1 if min(FACES[card].value, 10 - FACES[card].value) == 0 and figure == "small" else 7
            case DiscardCard(card):
                return 5 + (FACES[card].colour in mine.figures)
            case MoveFigure(path):
                return -mine.figures[path]
            case DrawCard(source):
                return 0 if source == DECK else 1
            case _:
                raise AssertionError(move)

    least = min(cost(move) for move in moves)
    return at_random(state, seat, [move for move in moves if cost(move) == least], dice)


def stalling(state: State, seat: int, moves: Sequence[Move], dice: Chance) -> Move:
    """Only discard, and draw from piles while that is allowed."""
    discards = [move for move in moves if isinstance(move, DiscardCard)]
    piles = [move for move in moves if move != DrawCard(DECK)]
    return at_random(state, seat, discards or piles or moves, dice)


def play_on(match: Match, play: Play, plies: int = 10_000) -> None:
    """Play at most `plies` plies; the dice follow from the match's seed."""
    dice = Dice(match.seed, "test")
    while match.is_running and plies:
        match.move(play(match.game.look("all"), match.to_act, match.moves(), dice))
        plies -= 1


def cards_of(state: State) -> list[Card | None]:
    """Return every card that lies in a hand, a row or a discard pile."""
    rows = [row.cards for seat in state.board.seats for row in seat.rows.values()]
    places: list[Sequence[Card | None]] = [*state.hands.cards, *state.board.piles.values(), *rows]
    return [card for place in places for card in place]
