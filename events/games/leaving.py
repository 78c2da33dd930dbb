"""Leaving a running game, the same in every game (rules, section 7)."""

from events.catalogue import BoardEvent, GameEnded, SeatResigned
from events.games.drawing import End, follow
from events.games.turns import Turns


def resign(turns: Turns, seat: int, end: End) -> tuple[BoardEvent, ...]:
    """Return what resigning makes happen: a game with one seat left is over, else the others go on."""
    resigned = SeatResigned(seat, "resignation")
    if len(turns.resigned) + 2 >= turns.seats:
        return (resigned, GameEnded("resignation"))
    if turns.seat != seat:
        return (resigned,)
    return (resigned, *follow(turns, end))
