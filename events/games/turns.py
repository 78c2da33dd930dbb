"""Turns: whose they are, how far they have come, and the guards that make every game end (rules, sections 1 and 7)."""

from typing import Literal

from events.cards import Pile
from events.catalogue import EndReason, GrantCause

Phase = Literal["play", "move", "draw", "over"]
"""What the acting seat owes: a card, a figure's move, a draw; or nothing any more."""

STALLED_ROUNDS = 4
"""After this many turns for each seat without a card laid or drawn from the deck, the deck is due (our choice)."""

TURN_CAP = 500
"""A game ends after the draw of this turn at the latest (our choice)."""


class Turns:
    """The course of a game in turns. `number` counts the turns of all seats together, from 1.

    `discarded` are the piles on which the seat put a card in this turn, `owed` the draws that end the turn.
    """

    __slots__ = (
        "cause",
        "discarded",
        "ended",
        "from_deck",
        "laid",
        "number",
        "owed",
        "phase",
        "resigned",
        "seat",
        "seats",
        "stalled",
    )

    def __init__(self, seats: int, first: int) -> None:
        self.seats = seats
        self.seat = first
        self.number = 1
        self.phase: Phase = "play"
        self.cause: GrantCause | None = None
        self.discarded: tuple[Pile, ...] = ()
        self.laid = False
        self.from_deck = False
        self.owed = 1
        self.stalled = 0
        self.resigned: list[int] = []
        self.ended: EndReason | None = None

    def copy(self) -> "Turns":
        """Return turns that change apart from these."""
        twin = Turns.__new__(Turns)
        for name in Turns.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.resigned = list(self.resigned)
        return twin

    @property
    def deck_due(self) -> bool:
        """Tell whether the stall guard wants the next draw to come from the deck."""
        return bool(self.discarded) and self.stalled >= STALLED_ROUNDS * self.seats

    @property
    def next_seat(self) -> int:
        """Return the next seat in turn order that has not resigned; the seat to act comes last."""
        seat = self.seat
        for _ in range(self.seats):
            seat = (seat + 1) % self.seats
            if seat not in self.resigned:
                return seat
        raise AssertionError("a game is over when one seat is left")

    def lay(self) -> None:
        """A card was laid: the draw is next, and nobody stalls."""
        self.phase = "draw"
        self.laid = True
        self.stalled = 0

    def discard(self, pile: Pile) -> None:
        """A card was discarded: the draw is next."""
        self.phase = "draw"
        self.discarded = (*self.discarded, pile)

    def grant(self, cause: GrantCause) -> None:
        """A figure's move is owed before the draw."""
        self.phase = "move"
        self.cause = cause

    def move(self) -> None:
        """The owed move was made, or none was owed."""
        self.phase = "draw"
        self.cause = None

    def draw(self, from_deck: bool) -> None:
        """A card was drawn; a turn whose draws all came from piles, with no card laid, brought the game no nearer."""
        self.owed -= 1
        if from_deck:
            self.stalled = 0
            self.from_deck = True
        elif not (self.owed or self.laid or self.from_deck):
            self.stalled += 1

    def begin(self, seat: int) -> None:
        """The next turn is `seat`'s."""
        self.seat = seat
        self.number += 1
        self.phase = "play"
        self.cause = None
        self.discarded = ()
        self.laid = False
        self.from_deck = False
        self.owed = 1

    def end(self, reason: EndReason) -> None:
        """Nobody is to act any more."""
        self.phase = "over"
        self.cause = None
        self.ended = reason
