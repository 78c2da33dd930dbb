"""The deal: the deck's order as some eyes see it. Masking is decided here and nowhere else."""

from typing import Final, Literal

from events.cards import Card

ALL: Final = "all"
SPECTATOR: Final = "spectator"
Eyes = int | Literal["all", "spectator"]
"""Whose knowledge a view shows: a seat's own, everybody's after the end (`all`), or an outsider's."""


class Deal:
    """The deck's order under some eyes: card n of the deck, or None where these eyes may not look."""

    __slots__ = ("_order", "eyes")

    def __init__(self, order: tuple[Card, ...] | None, eyes: Eyes) -> None:
        self._order = order
        self.eyes: Final = eyes

    def card(self, position: int, owner: int) -> Card | None:
        """Return the card at `position`, which `owner` drew, or None if these eyes may not know it."""
        if self._order is None or self.eyes not in (ALL, owner):
            return None
        return self._order[position]

    def seen_by(self, eyes: Eyes) -> "Deal":
        """Return the same deal under other eyes."""
        return Deal(self._order, eyes)


UNKNOWN = Deal(None, SPECTATOR)
"""The deal of somebody who knows nothing of the seed."""
