"""Drawing, the same in every game: from the deck or a discard pile, and what follows a turn's last draw.

Rules, section 1: any pile's top card may be drawn, unless the table or the stall guard forbids it; the draw of the
deck's last card, or of the last turn there may be, ends the play.
"""

from collections.abc import Callable

from events.actions import DECK, DrawCard, Move, Source
from events.cards import COLOURS, Pile
from events.catalogue import BoardEvent, CardDrawn, DiscardTaken, EndReason, TurnBegan
from events.games.contract import Board
from events.games.turns import TURN_CAP, Turns
from events.refusals import DECK_DRAW_DUE, OWN_DISCARD, PILE_EMPTY, Rule

End = Callable[[EndReason], tuple[BoardEvent, ...]]
"""Says what happens when the play ends for a reason: mostly that the game ends."""

DRAW_FROM_DECK = DrawCard(DECK)
DRAWS: dict[Pile, Move] = {pile: DrawCard(pile) for pile in COLOURS}


def draws(board: Board) -> list[Move]:
    """Return every draw that is allowed now."""
    if board.turns.deck_due:
        return [DRAW_FROM_DECK]
    barred = _barred(board)
    return [DRAW_FROM_DECK, *[DRAWS[pile] for pile, cards in board.piles.items() if cards and pile not in barred]]


def broken_by_drawing(board: Board, source: Source) -> Rule | None:
    """Return the rule that a draw from `source` breaks; the deck may always be drawn from."""
    return None if source == "deck" else broken_by_taking(board, source)


def broken_by_taking(board: Board, pile: Pile) -> Rule | None:
    """Return the rule that drawing from the discard pile `pile` breaks."""
    if not board.piles.get(pile):
        return PILE_EMPTY
    if board.turns.deck_due:
        return DECK_DRAW_DUE
    return OWN_DISCARD if pile in _barred(board) else None


def _barred(board: Board) -> tuple[Pile, ...]:
    """Return the piles on which this turn's discards lie, where these may not be drawn back."""
    return () if board.options.redraw_own_discard else board.turns.discarded


def draw(board: Board, seat: int, source: Source, end: End) -> tuple[BoardEvent, ...]:
    """Return what a legal draw makes happen; with the deck's last card no further draw is owed."""
    drawn: BoardEvent
    if source == "deck":
        drawn = CardDrawn(seat)
        if board.deck_left == 1:
            return (drawn, *end("deck"))
    else:
        drawn = DiscardTaken(seat, board.piles[source][-1])
    if board.turns.owed > 1:
        return (drawn,)
    return (drawn, *follow(board.turns, end))


def follow(turns: Turns, end: End) -> tuple[BoardEvent, ...]:
    """Return what follows a complete turn: the next seat's, unless this was the last turn there may be."""
    if turns.number >= TURN_CAP:
        return end("turn-limit")
    return (TurnBegan(turns.next_seat),)
