"""What happened: every event that an entry can hold, in the past tense.

Events are facts. A stored game folds the same for ever, so a name or a field here is never changed or reused;
what rules decide may change with a game's revision, what an event means may not. No event of a running game
says anything about a hidden card.
"""

from typing import Literal, TypeAlias

import msgspec

from events.actions import Access, FigureKind, Mode, OptionValue
from events.cards import Card, Colour

Tile = Literal["wish", "clover", "points-1", "points-2", "points-3"]
GrantCause = Literal["clover", "end-stone"]
EndReason = Literal["goal", "deck", "turn-limit", "resignation"]
ResignReason = Literal["resignation"]


ScoreSheet: TypeAlias = dict[str, int]
"""One seat's points by category, as the game's own `CATEGORIES` name them; `total` is their sum."""


class Happened(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """An event, told apart by its `type`."""


class PlayerCreated(Happened, frozen=True, tag="player-created"):
    """A player exists; `token` is the SHA-256 of the secret, in hex."""

    name: str
    token: str


class GameCreated(Happened, frozen=True, tag="game-created"):
    """A table is open. `commitment` is the SHA-256 of the seed in hex, `seal` the encrypted seed."""

    game: str
    revision: int
    seats: int
    options: dict[str, OptionValue]
    access: Access
    mode: Mode
    host: str
    commitment: str
    seal: str
    invited: tuple[str, ...] = ()
    link: str | None = None
    reserved: tuple[str, ...] = ()
    first: int | None = None
    rematch_of: str | None = None


class SeatTaken(Happened, frozen=True, tag="seat-taken"):
    """Somebody sits down. `player` is a player's id, or `bot:` and a bot's name."""

    seat: int
    player: str
    name: str
    entropy: str | None = None


class SeatLeft(Happened, frozen=True, tag="seat-left"):
    """A seat is free again."""

    seat: int


class GameStarted(Happened, frozen=True, tag="game-started"):
    """The cards are dealt. `seats` are the taken seats, numbered anew from 0 in this order.

    `tiles` lie on the stones in the order of the game's table; `entropy` is the host's.
    """

    seats: tuple[int, ...]
    first: int
    tiles: tuple[Tile, ...]
    entropy: str | None = None


class CardPlayed(Happened, frozen=True, tag="card-played"):
    """A seat laid a card of its hand in its row of that colour."""

    seat: int
    card: Card


class CardDiscarded(Happened, frozen=True, tag="card-discarded"):
    """A seat put a card of its hand on the discard pile of that colour."""

    seat: int
    card: Card


class FigureMoved(Happened, frozen=True, tag="figure-moved"):
    """A seat's figure on `path` now stands in `row`, 1 to 9."""

    seat: int
    path: Colour
    row: int
    figure: FigureKind


class PointsScored(Happened, frozen=True, tag="points-scored"):
    """A number tile gave a seat `points`."""

    seat: int
    points: int


class WishStoneTaken(Happened, frozen=True, tag="wish-stone-taken"):
    """A seat took the wish stone from `row` of `path`."""

    seat: int
    path: Colour
    row: int


class MoveGranted(Happened, frozen=True, tag="move-granted"):
    """A seat must now choose a figure to move one stone."""

    seat: int
    cause: GrantCause


class CardDrawn(Happened, frozen=True, tag="card-drawn"):
    """A seat drew the next card of the deck; which card is for its own eyes."""

    seat: int


class DiscardTaken(Happened, frozen=True, tag="discard-taken"):
    """A seat drew the top card of a discard pile."""

    seat: int
    card: Card


class TurnBegan(Happened, frozen=True, tag="turn-began"):
    """It is a seat's turn to play a card."""

    seat: int


class SeatResigned(Happened, frozen=True, tag="seat-resigned"):
    """A seat is out of the game; what it has laid and moved stays."""

    seat: int
    reason: ResignReason


class GameEnded(Happened, frozen=True, tag="game-ended"):
    """The game is over; nothing can be played any more."""

    reason: EndReason


class SeedRevealed(Happened, frozen=True, tag="seed-revealed"):
    """The seal is open: 32 bytes, in hex."""

    seed: str


class GameScored(Happened, frozen=True, tag="game-scored"):
    """The final score sheets and shared ranks (1, 1, 3), by seat."""

    reason: EndReason
    sheets: tuple[ScoreSheet, ...]
    ranks: tuple[int, ...]


TableEvent = GameCreated | SeatTaken | SeatLeft | GameStarted | SeedRevealed | GameScored
BoardEvent = (
    CardPlayed
    | CardDiscarded
    | FigureMoved
    | PointsScored
    | WishStoneTaken
    | MoveGranted
    | CardDrawn
    | DiscardTaken
    | TurnBegan
    | SeatResigned
    | GameEnded
)
Event = PlayerCreated | TableEvent | BoardEvent
