"""Hands under a deal: who holds which card, as far as the eyes of the deal may know (rules, section 1).

A hand is a list of cards in which None stands for a card that these eyes may not know. A card taken from a
discard pile is known to everybody; when a card leaves a hand, a known card of that name goes first.
"""

from collections.abc import Sequence

from events.cards import Card
from events.catalogue import BoardEvent, CardDiscarded, CardDrawn, CardPlayed, DiscardTaken
from events.deal import Deal
from events.refusals import CARD_NOT_HELD, Rule

HAND_SIZE = 8
"""Cards that each seat is dealt (seeds S1 to S4)."""

REMOVED_FOR_TWO = 30
"""Cards that go out of a two-seat game unseen (seeds S1 and S2)."""


class ImpossibleEvent(ValueError):
    """An event that cannot follow what happened before, so the log was not written by these rules."""


class Hands:
    """Every seat's hand, and how far the deck has been drawn."""

    __slots__ = ("cards", "deal", "drawn")

    def __init__(self, deal: Deal, cards: list[list[Card | None]], drawn: int) -> None:
        self.deal = deal
        self.cards = cards
        self.drawn = drawn

    def copy(self) -> "Hands":
        """Return hands that change apart from these."""
        return Hands(self.deal, [list(hand) for hand in self.cards], self.drawn)

    def evolve(self, event: BoardEvent) -> None:
        """Let `event` change the hands; raise `ImpossibleEvent` if a card leaves a hand that lacks it."""
        kind = type(event)
        if kind is CardPlayed or kind is CardDiscarded:
            self._spend(event.seat, event.card)  # type: ignore[union-attr]  # as `kind` says
        elif kind is CardDrawn:
            self._draw(event.seat)  # type: ignore[union-attr]  # as `kind` says
        elif kind is DiscardTaken:
            self.cards[event.seat].append(event.card)  # type: ignore[union-attr]  # as `kind` says

    def _spend(self, seat: int, card: Card) -> None:
        hand = self.cards[seat]
        if card in hand:
            hand.remove(card)
        elif None in hand:
            hand.remove(None)
        else:
            raise ImpossibleEvent(f"seat {seat} does not hold {card}")

    def _draw(self, seat: int) -> None:
        self.cards[seat].append(self.deal.card(self.drawn, seat))
        self.drawn += 1


def dealt(deal: Deal, seats: int) -> Hands:
    """Return the hands after the deal: cards out of the game first, then one card to each seat, eight times."""
    position = removed(seats)
    cards: list[list[Card | None]] = [[] for _ in range(seats)]
    for _ in range(HAND_SIZE):
        for seat in range(seats):
            cards[seat].append(deal.card(position, seat))
            position += 1
    return Hands(deal, cards, position)


def removed(seats: int) -> int:
    """Return how many cards of the deck are out of the game."""
    return REMOVED_FOR_TWO if seats == 2 else 0


def broken_by_holding(hands: Hands, seat: int, card: Card) -> Rule | None:
    """Return the rule that `seat` breaks by spending `card`."""
    return None if card in hands.cards[seat] else CARD_NOT_HELD


def distinct(hand: Sequence[Card | None]) -> list[Card]:
    """Return the known cards of `hand`, each name once, in the hand's order."""
    return [card for card in dict.fromkeys(hand) if card is not None]
