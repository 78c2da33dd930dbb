"""Games of Keltis on a stacked deck, looked at with any eyes, without a seed."""

from collections.abc import Sequence
from random import Random

from events.actions import Action, CloseGame, CreateGame, PlayCard, Resign, StartGame
from events.cards import Card
from events.catalogue import CardDiscarded, CardDrawn, CardPlayed, DiscardTaken, GameStarted
from events.deal import ALL, SPECTATOR, Deal
from events.entries import SCHEMA, Entry
from events.game import Game, create, decide
from events.games.hands import HAND_SIZE, removed
from events.games.keltis import DECK, TILES
from events.table import Occupant

SEED = bytes(32)
NAMES = ("Ada", "Ben", "Caro", "Dan")
OPTIONS = {"tiebreak": "shared", "direction": "both", "redraw_own_discard": True}


class Staged:
    """A running game on a deck of the test's choice: `order[0]` is the first card to be dealt or put aside."""

    def __init__(self, seats: int, order: Sequence[Card], tiles: Sequence[str] = TILES) -> None:
        host = Occupant("ada", "Ada", None)
        action = CreateGame("keltis", seats, dict(OPTIONS), "open", "rated", True, ("random",) * (seats - 1))
        events = create("g1", action, host, "c0ffee", "sealed")
        self.game = Game("g1", events[0])
        self.entries: list[Entry] = []
        self.order = tuple(order)
        self._append(None, "ada", action, events)
        started = GameStarted(tuple(range(seats)), 0, tuple(tiles))
        self._append(None, "ada", StartGame(), (started,))
        self.game.deal = Deal(self.order, ALL)
        for eyes in (ALL, SPECTATOR, *range(seats)):
            self.game.watch(eyes)

    @property
    def last(self) -> Entry:
        """Return the latest entry."""
        return self.entries[-1]

    def act(self, seat: int, action: Action) -> Entry:
        """Let `seat` do `action`; raise `IllegalAction` if it may not."""
        by = Occupant(f"player-{seat}", "", None)
        return self._append(seat, by.player, action, decide(self.game, seat, by, action, SEED))

    def act_at_random(self, random: Random) -> Entry:
        """Let the seat to act do something legal, to lay a card if it can; now and then somebody resigns."""
        seat = self.game.board.turns.seat
        actions = self.game.rules.legal_actions(self.game.look(ALL), seat)
        laying = [action for action in actions if isinstance(action, PlayCard)]
        if random.random() < 0.003:
            return self.act(seat, Resign())
        return self.act(seat, random.choice(laying if laying and random.random() < 0.8 else actions))

    def close(self) -> Entry:
        """Write the closing entry."""
        service = Occupant("service", "", None)
        return self._append(None, "service", CloseGame(), decide(self.game, None, service, CloseGame(), SEED))

    def is_running(self) -> bool:
        """Tell whether anybody is still to act."""
        return self.game.table.status == "running"

    def _append(self, seat: int | None, by: str, action: Action, events: tuple) -> Entry:
        at = "2026-12-01T10:00:00.000Z"
        entry = Entry(SCHEMA, self.game.version + 1, at, seat, by, "r", action, tuple(events))
        self.game.apply(entry)
        self.entries.append(entry)
        return entry


def shuffled_deck(random: Random) -> tuple[Card, ...]:
    """Return the cards in some order."""
    return tuple(random.sample(DECK, len(DECK)))


def unseen_positions(staged: Staged) -> dict[int, int | None]:
    """Return the deck's positions whose cards nobody but their holder has seen, each with its holder's seat.

    This follows the cards one by one, apart from the hands of the game itself.
    """
    seats = len(staged.game.board.seats)
    top = removed(seats) + HAND_SIZE * seats
    holders: dict[int, int | None] = dict.fromkeys(range(len(staged.order)))
    holders.update({position: (position - removed(seats)) % seats for position in range(removed(seats), top)})
    taken: list[tuple[int, Card]] = []
    for event in (event for entry in staged.entries for event in entry.events):
        match event:
            case CardDrawn(seat):
                holders[top] = seat
                top += 1
            case DiscardTaken(seat, card):
                taken.append((seat, card))
            case CardPlayed(seat, card) | CardDiscarded(seat, card) if (seat, card) in taken:
                taken.remove((seat, card))
            case CardPlayed(seat, card) | CardDiscarded(seat, card):
                shown = (at for at, holder in holders.items() if holder == seat and staged.order[at] == card)
                del holders[next(shown)]
    return holders
