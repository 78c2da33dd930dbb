"""The cards: five colours, and a name for each card such as `pink-7`.

Cards are plain strings, so that they are written in the log as they are spoken of. Two cards of one colour
and value are never told apart (rules, section 1).
"""

from typing import Literal, NamedTuple, NewType, get_args

Colour = Literal["red", "yellow", "pink", "green", "blue"]
"""A card's and a path's colour; red stands for the red-brown of the board (source W)."""

Pile = Colour
"""A discard pile, named by the colour of its cards."""

COLOURS: tuple[Colour, ...] = get_args(Colour)

Card = NewType("Card", str)


class Face(NamedTuple):
    """What is printed on a number card."""

    colour: Colour
    value: int


def card(colour: Colour, value: int) -> Card:
    """Return the name of the card of `colour` and `value`.

    >>> card("pink", 7)
    'pink-7'
    """
    return Card(f"{colour}-{value}")


VALUES = range(11)
"""Number cards show 0 to 10 (seed S1)."""

FACES: dict[Card, Face] = {card(colour, value): Face(colour, value) for colour in COLOURS for value in VALUES}
"""Each number card's face, by its name."""
