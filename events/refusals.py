"""Why an action is refused: each reason has a stable name, a sentence and the section of the rules it rests on."""

from typing import NamedTuple


class Rule(NamedTuple):
    """A rule that can be broken."""

    name: str
    sentence: str
    section: str


class IllegalAction(Exception):
    """An action that breaks a rule."""

    def __init__(self, rule: Rule) -> None:
        super().__init__(f"{rule.name}: {rule.sentence}")
        self.rule = rule


RULES: dict[str, Rule] = {}
"""Every rule that can be broken, by its name."""


def rule(name: str, sentence: str, section: str) -> Rule:
    """Name a rule; a name stands for one rule only."""
    if name in RULES:
        raise ValueError(f"the rule {name} is named twice")
    RULES[name] = Rule(name, sentence, section)
    return RULES[name]


NOT_STARTED = rule("game-not-started", "The game has not started yet.", "tables")
STARTED = rule("game-started", "The game has started already.", "tables")
GAME_OVER = rule("game-over", "The game is over.", "2.6")
NOT_CLOSABLE = rule("game-not-over", "The game is not over yet.", "tables")
CLOSED = rule("game-closed", "The game is closed already.", "tables")
TABLE_FULL = rule("table-full", "Every seat of this table is taken.", "tables")
SEATED = rule("already-seated", "This player has a seat at this table already.", "tables")
NOT_SEATED = rule("not-seated", "Only somebody who has a seat here may do this.", "tables")
NOT_INVITED = rule("not-invited", "This table is for the players whom its host invited.", "tables")
NOT_HOST = rule("not-the-host", "Only the host of this table may do this.", "tables")
TOO_FEW = rule("too-few-seats", "At least two seats must be taken.", "1")
SEATS_NOT_OFFERED = rule("seats-not-offered", "This game is not played by so many.", "1")
BOT_UNKNOWN = rule("unknown-bot", "There is no bot of this name.", "tables")
RESERVED = rule("seat-reserved", "The free seats are kept for the players of the game before.", "tables")
NOT_A_PLAYER = rule("not-a-player", "This is for players, and not for bots or the service.", "tables")
INVITED_WRONGLY = rule("not-an-invited-table", "Only a table for invited players has a list of them.", "tables")
LINKED_WRONGLY = rule("not-a-private-table", "Only a private table has a link.", "tables")
RESERVED_WRONGLY = rule(
    "seats-kept-wrongly", "Either no seat is kept, or each for a bot or for one player who may sit here.", "tables"
)
FIRST_WRONGLY = rule("no-such-first-seat", "The seat that is to begin is not at this table.", "tables")

NOT_YOUR_TURN = rule("not-your-turn", "Another seat is to act.", "1")
SEAT_RESIGNED = rule("seat-resigned", "This seat has resigned.", "7")
PLAY_FIRST = rule("play-first", "Play or discard a card before you draw.", "2.4")
DRAW_NOW = rule("draw-now", "A card was played in this turn already; draw one.", "2.4")
MOVE_NOW = rule("move-now", "A figure has to be moved first.", "2.5")
NO_MOVE_DUE = rule("no-move-due", "No figure may be moved without a card, a clover or an end stone.", "2.4")
CARD_NOT_HELD = rule("card-not-held", "This card is not in the hand.", "2.4")
ROW_TURNS_BACK = rule(
    "row-turns-back", "A row that rises may not fall, and one that falls may not rise.", "1, direction"
)
ROW_ASCENDS = rule("row-ascends-only", "At this table rows may only rise.", "5, X9")
FIGURE_NEEDED = rule("figure-needed", "The first card of a row puts a figure on the path: say which.", "2.4")
FIGURE_NOT_ASKED = rule("figure-not-asked", "The figure on this path moves; there is none to choose.", "2.4")
FIGURE_USED = rule("figure-used", "No figure of this kind stands on the start stone any more.", "2.4")
NO_FIGURE_THERE = rule("no-figure-there", "No figure of this seat stands on this path.", "2.5")
FIGURE_AT_END = rule("figure-at-end", "This figure stands on the end stone and cannot move on.", "2.4")
PILE_EMPTY = rule("pile-empty", "This discard pile is empty.", "1")
OWN_DISCARD = rule("own-discard", "A card just discarded may not be drawn back at this table.", "5, X17")
DECK_DRAW_DUE = rule("deck-draw-due", "After so many turns without a card laid, draw from the deck.", "1, guard")
