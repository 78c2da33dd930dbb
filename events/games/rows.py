"""Rows of cards that rise or fall: what Keltis and its sisters share (rules, section 1)."""

from events.cards import Card


class Row:
    """One seat's cards of one colour, in the order in which they were laid.

    `direction` is 1 once a value differed upwards, -1 downwards, 0 while all values are equal.
    """

    __slots__ = ("cards", "direction", "last")

    def __init__(self) -> None:
        self.cards: list[Card] = []
        self.direction = 0
        self.last = 0

    def copy(self) -> "Row":
        """Return a row that grows apart from this one."""
        twin = Row()
        twin.cards, twin.direction, twin.last = list(self.cards), self.direction, self.last
        return twin

    def turns_back(self, value: int) -> bool:
        """Tell whether `value` would make a rising row fall, or a falling one rise; equal values never do."""
        return (value - self.last) * self.direction < 0

    def lay(self, card: Card, value: int) -> None:
        """Put `card`, which is worth `value` in this row, at the end."""
        if self.cards and not self.direction and value != self.last:
            self.direction = 1 if value > self.last else -1
        self.last = value
        self.cards.append(card)
