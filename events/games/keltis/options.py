"""What can be chosen when a Keltis table is opened."""

from typing import Literal

import msgspec

from events.games.contract import Option


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of one table, each with its default."""

    tiebreak: Literal["shared", "wish_stones"] = "shared"
    direction: Literal["both", "ascending"] = "both"
    redraw_own_discard: bool = True


CATALOGUE: tuple[Option, ...] = (
    Option(
        "tiebreak",
        ("shared", "wish_stones"),
        "shared",
        "Whether equal totals share a rank, or the seat with more wish stones ranks higher.",
        "S1, X6",
    ),
    Option(
        "direction",
        ("both", "ascending"),
        "both",
        "Whether rows may rise or fall, or only rise; equal values are always allowed.",
        "S1, O2, X9",
    ),
    Option(
        "redraw_own_discard",
        (True, False),
        True,
        "Whether a card may be drawn back in the turn in which it was discarded.",
        "S1, X17",
    ),
)
