"""What every game's package offers: the rest of Cairn asks a game for nothing else."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, Self

from events.actions import Move, OptionValue
from events.cards import Card, Pile
from events.catalogue import BoardEvent, ScoreSheet, Tile
from events.games.turns import Turns


class Option(NamedTuple):
    """What there is to say about an option of a game's tables."""

    name: str
    choices: tuple[OptionValue, ...]
    default: OptionValue
    meaning: str
    source: str


class SharedOptions(Protocol):
    """The options that every game has."""

    @property
    def redraw_own_discard(self) -> bool:
        """Tell whether a card may be drawn back in the turn in which it was discarded."""


class Board(Protocol):
    """Everything that lies open in a game of any kind."""

    @property
    def turns(self) -> Turns:
        """Return whose turn it is, and how far the game has come."""

    deck_left: int
    """How many cards the deck still has."""

    @property
    def piles(self) -> dict[Pile, list[Card]]:
        """Return the discard piles, each from bottom to top."""

    @property
    def options(self) -> SharedOptions:
        """Return the options of the table."""

    def copy(self) -> Self:
        """Return a board that changes apart from this one."""


class Rules(Protocol):
    """The rules of one game, as its package has them. A board is always one that its own `Board` made."""

    NAME: str
    TITLE: str
    REVISION: int
    DECK: tuple[Card, ...]
    TILES: tuple[Tile, ...]
    CATALOGUE: tuple[Option, ...]
    CATEGORIES: dict[str, str]

    @property
    def SEATS(self) -> Sequence[int]:  # noqa: N802  # as the tables write it
        """Return how many can play."""

    @property
    def Options(self) -> type[Any]:  # noqa: N802  # a class of the package
        """Return the type of the options that a table is opened with."""

    @property
    def Board(self) -> type[Any]:  # noqa: N802  # a class of the package
        """Return the type of the board, made of the options and of how the game started."""

    def decide(self, state: Any, seat: int, action: Move) -> tuple[BoardEvent, ...]:
        """Return what `action` of `seat` makes happen; raise `IllegalAction` with the rule that it breaks."""

    def evolve_board(self, board: Any, event: BoardEvent) -> None:
        """Let `event` happen on `board`."""

    def legal_actions(self, state: Any, seat: int) -> list[Move]:
        """Return everything that `seat` may do now to play on."""

    def score_sheets(self, board: Any) -> tuple[ScoreSheet, ...]:
        """Return every seat's points by category, as if the game ended now."""

    def ranks(self, board: Any) -> tuple[int, ...]:
        """Return every seat's rank, from 1; equal seats share one."""
