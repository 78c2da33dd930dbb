"""Who may act, and when: what every game asks of an action before its own rules (rules, sections 1 and 7)."""

from events.actions import DiscardCard, Move, PlayCard, Resign
from events.cards import FACES
from events.games.turns import Phase, Turns
from events.refusals import (
    DRAW_NOW,
    GAME_OVER,
    MOVE_NOW,
    NO_MOVE_DUE,
    NOT_YOUR_TURN,
    PLAY_FIRST,
    SEAT_RESIGNED,
    Rule,
)

# Actions are values: each is made once, since listing them is most of a playout's work.
PLAYS = {card: PlayCard(card) for card in FACES}
DISCARDS = {card: DiscardCard(card) for card in FACES}

BEFORE_ALL: dict[Phase, Rule] = {"move": MOVE_NOW}
"""What has to be done in a phase before anything else."""

NOT_DUE: dict[Phase, Rule] = {"move": NO_MOVE_DUE}
"""What is done in its own phase alone."""


def broken_by_acting(turns: Turns, seat: int, action: Move) -> Rule | None:
    """Return the rule that `seat` breaks by doing anything of this kind now; resigning is allowed off turn too."""
    if turns.phase == "over":
        return GAME_OVER
    if turns.seat == seat:
        return None
    if seat in turns.resigned:
        return SEAT_RESIGNED
    return None if isinstance(action, Resign) else NOT_YOUR_TURN


def out_of_phase(phase: Phase, asked: Phase) -> Rule | None:
    """Return the rule that is broken in `phase` by what belongs to another one."""
    if phase == asked:
        return None
    if phase in BEFORE_ALL:
        return BEFORE_ALL[phase]
    if asked in NOT_DUE:
        return NOT_DUE[asked]
    return DRAW_NOW if phase == "draw" else PLAY_FIRST
