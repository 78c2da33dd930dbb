"""The peer of a stored game: an aggregate of the `eventsourcing` library, folding the same events by the same rules.

As the library suggests, each event is a method of the aggregate; what is stored and rebuilt is the library's work.
"""

from collections.abc import Sequence
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from events.actions import FigureKind
from events.cards import Card, Colour
from events.catalogue import (
    BoardEvent,
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    DiscardTaken,
    EndReason,
    FigureMoved,
    GameEnded,
    GameStarted,
    GrantCause,
    MoveGranted,
    PointsScored,
    Tile,
    TurnBegan,
    WishStoneTaken,
)
from events.deal import ALL, Deal
from events.games.hands import dealt
from events.games.keltis import Board, Options, State, evolve


class PeerGame(Aggregate):
    """A game of Keltis from its start on, with open cards."""

    def __init__(self, seats: int, first: int, tiles: list[Tile], deck: list[Card]) -> None:
        started = GameStarted(tuple(range(seats)), first, tuple(tiles), None)
        self.state = State(Board(Options(), started), dealt(Deal(tuple(deck), ALL), seats))

    @event("CardPlayed")
    def card_played(self, seat: int, card: Card) -> None:
        """A card was laid."""
        evolve(self.state, CardPlayed(seat, card))

    @event("CardDiscarded")
    def card_discarded(self, seat: int, card: Card) -> None:
        """A card was discarded."""
        evolve(self.state, CardDiscarded(seat, card))

    @event("CardDrawn")
    def card_drawn(self, seat: int) -> None:
        """A card was drawn from the deck."""
        evolve(self.state, CardDrawn(seat))

    @event("DiscardTaken")
    def discard_taken(self, seat: int, card: Card) -> None:
        """A card was drawn from a discard pile."""
        evolve(self.state, DiscardTaken(seat, card))

    @event("FigureMoved")
    def figure_moved(self, seat: int, path: Colour, row: int, figure: FigureKind) -> None:
        """A figure went one stone on."""
        evolve(self.state, FigureMoved(seat, path, row, figure))

    @event("PointsScored")
    def points_scored(self, seat: int, points: int) -> None:
        """A tile gave points."""
        evolve(self.state, PointsScored(seat, points))

    @event("WishStoneTaken")
    def wish_stone_taken(self, seat: int, path: Colour, row: int) -> None:
        """A wish stone was taken."""
        evolve(self.state, WishStoneTaken(seat, path, row))

    @event("MoveGranted")
    def move_granted(self, seat: int, cause: GrantCause) -> None:
        """A figure's move is owed."""
        evolve(self.state, MoveGranted(seat, cause))

    @event("TurnBegan")
    def turn_began(self, seat: int) -> None:
        """The next turn began."""
        evolve(self.state, TurnBegan(seat))

    @event("GameEnded")
    def game_ended(self, reason: EndReason) -> None:
        """The game ended."""
        evolve(self.state, GameEnded(reason))

    def happen(self, happened: BoardEvent) -> None:
        """Let an event of the catalogue happen."""
        values = {name: getattr(happened, name) for name in happened.__struct_fields__}
        name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in type(happened).__name__)
        getattr(self, name[1:])(**values)


def stored(started: GameStarted, deck: Sequence[Card], events: Sequence[BoardEvent]) -> PeerGame:
    """Return the aggregate to which `events` happened, to be saved."""
    game = PeerGame(len(started.seats), started.first, list(started.tiles), list(deck))
    for happened in events:
        game.happen(happened)
    return game


def application(environ: dict[str, str]) -> Any:
    """Return an application that keeps aggregates where `environ` says, and caches none."""
    return Application(env=environ)
