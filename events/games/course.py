"""How events change a board: those that belong to the course of every game, and each game's own beside them."""

from collections.abc import Callable, Mapping
from typing import Any

from events.cards import FACES
from events.catalogue import BoardEvent, CardDiscarded, CardDrawn, DiscardTaken, GameEnded, SeatResigned, TurnBegan
from events.games.contract import Board
from events.games.hands import ImpossibleEvent

Evolver = Callable[[Any, Any], None]
"""Lets an event of one type happen on a board of one game."""


def evolving(own: Mapping[type, Evolver]) -> Callable[[Any, BoardEvent], None]:
    """Return what lets any event of a game happen on its board, `own` being what this game alone does.

    An event that the game does not know raises `ImpossibleEvent`.
    """
    evolvers = {**COURSE, **own}

    def evolve_board(board: Any, event: BoardEvent) -> None:
        evolver = evolvers.get(type(event))
        if evolver is None:
            raise ImpossibleEvent(f"{event} does not happen in this game")
        evolver(board, event)

    return evolve_board


def _begin(board: Board, event: TurnBegan) -> None:
    board.turns.begin(event.seat)


def _discard(board: Board, event: CardDiscarded) -> None:
    pile = FACES[event.card].colour
    board.piles[pile].append(event.card)
    board.turns.discard(pile)


def _draw(board: Board, _: CardDrawn) -> None:
    board.deck_left -= 1
    board.turns.draw(from_deck=True)


def _take_discard(board: Board, event: DiscardTaken) -> None:
    board.piles[FACES[event.card].colour].pop()
    board.turns.draw(from_deck=False)


def _resign(board: Board, event: SeatResigned) -> None:
    board.turns.resigned.append(event.seat)


def _end(board: Board, event: GameEnded) -> None:
    board.turns.end(event.reason)


COURSE: dict[type, Evolver] = {
    TurnBegan: _begin,
    CardDiscarded: _discard,
    CardDrawn: _draw,
    DiscardTaken: _take_discard,
    SeatResigned: _resign,
    GameEnded: _end,
}
"""What happens in every game."""
