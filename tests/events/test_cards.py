"""The cards and their names."""

import pytest

from events.cards import COLOURS, FACES, VALUES, Face, card


def test_a_card_is_called_by_colour_and_value():
    """Pink 7 is `pink-7`."""
    assert card("pink", 7) == "pink-7"
    assert FACES[card("pink", 7)] == Face("pink", 7)


def test_there_are_five_colours_of_eleven_values():
    """Number cards show 0 to 10 in red, yellow, pink, green and blue."""
    assert COLOURS == ("red", "yellow", "pink", "green", "blue")
    assert list(VALUES) == list(range(11))
    assert len(FACES) == 55


@pytest.mark.parametrize("name", FACES)
def test_a_name_gives_back_its_card(name):
    """The face of a name has that name."""
    assert card(*FACES[name]) == name
