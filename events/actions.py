"""What can be asked for: every action of tables, players and games, in the imperative.

An action says what is asked and nothing about who asks: the seat and the actor stand on the entry. Field names
and type names are stored for ever.
"""

from typing import Literal

import msgspec

from events.cards import Card, Colour

DECK: Literal["deck"] = "deck"
Source = Literal["deck", "red", "yellow", "pink", "green", "blue"]
"""Where a card is drawn from: the face-down deck, or the discard pile of a colour."""

FigureKind = Literal["small", "large"]
Access = Literal["open", "invited", "private"]
Mode = Literal["rated", "unrated", "unrated-test"]
OptionValue = str | bool


class Asked(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """An action, told apart by its `type`."""


class CreatePlayer(Asked, frozen=True, tag="create-player"):
    """Begin a player's stream. `token` is the SHA-256 of the secret, in hex."""

    name: str
    token: str


class CreateGame(Asked, frozen=True, tag="create-game"):
    """Open a table for `seats` players; `bots` sit down at once, the host too if `host_plays`.

    `reserved` (rematches) names who may take each seat, `first` which of them begins. `link` is the SHA-256
    of a private table's secret, in hex.
    """

    game: str
    seats: int
    options: dict[str, OptionValue]
    access: Access
    mode: Mode
    host_plays: bool
    bots: tuple[str, ...]
    invited: tuple[str, ...] = ()
    link: str | None = None
    reserved: tuple[str, ...] = ()
    first: int | None = None
    rematch_of: str | None = None


class JoinGame(Asked, frozen=True, tag="join-game"):
    """Take a seat. `entropy` is mixed into the shuffle."""

    entropy: str | None = None


class SeatBot(Asked, frozen=True, tag="seat-bot"):
    """Let a bot take a seat."""

    bot: str


class LeaveGame(Asked, frozen=True, tag="leave-game"):
    """Give one's seat back before the start."""


class StartGame(Asked, frozen=True, tag="start-game"):
    """Begin with the seats that are taken. `entropy` is mixed into the shuffle."""

    entropy: str | None = None


class CloseGame(Asked, frozen=True, tag="close-game"):
    """Reveal the seed and write the final score sheets, after the end."""


class PlayCard(Asked, frozen=True, tag="play-card"):
    """Lay a hand card in one's row of its colour; `figure` opens the path if the row is new."""

    card: Card
    figure: FigureKind | None = None


class DiscardCard(Asked, frozen=True, tag="discard-card"):
    """Put a hand card on the discard pile of its colour."""

    card: Card


class MoveFigure(Asked, frozen=True, tag="move-figure"):
    """Answer a clover or an end stone: move one's figure on `path` one stone forward."""

    path: Colour


class DrawCard(Asked, frozen=True, tag="draw-card"):
    """Draw one card from the deck or from the top of a discard pile."""

    source: Source


class Resign(Asked, frozen=True, tag="resign"):
    """Leave a running game for good."""


Move = PlayCard | DiscardCard | MoveFigure | DrawCard | Resign
"""What a seat of a running game may ask for."""

TableAction = CreateGame | JoinGame | SeatBot | LeaveGame | StartGame | CloseGame
Action = CreatePlayer | TableAction | Move
