"""Tables and games of people, played through `decide` as the service does, in memory."""

from collections.abc import Sequence

from events.actions import Action, CloseGame, CreateGame, JoinGame, Move, OptionValue
from events.catalogue import Event
from events.deal import ALL, SPECTATOR
from events.entries import SCHEMA, Entry
from events.game import Game, create, decide
from events.refusals import IllegalAction
from events.shuffle import commitment
from events.table import Occupant

SEED = bytes(range(32))
OPTIONS: dict[str, OptionValue] = {"tiebreak": "shared", "direction": "both", "redraw_own_discard": True}
PEOPLE = tuple(Occupant(name, name.title(), None) for name in ("ada", "ben", "caro", "dan"))
ADA, BEN, CARO, DAN = PEOPLE
SERVICE = Occupant("service", "", None)


def order(seats: int = 3, *, bots: Sequence[str] = (), host_plays: bool = True, **fields: object) -> CreateGame:
    """Return the wish to open a table, open and rated unless `fields` say otherwise."""
    asked = {"game": "keltis", "options": OPTIONS, "access": "open", "mode": "rated", **fields}
    return CreateGame(seats=seats, bots=tuple(bots), host_plays=host_plays, **asked)  # type: ignore[arg-type]  # fields come by name


class Match:
    """One game, its entries, and everybody's eyes on it."""

    def __init__(self, asked: CreateGame, seed: bytes = SEED, game_id: str = "g7", host: Occupant = ADA) -> None:
        self.seed = seed
        self.entries: list[Entry] = []
        events = create(game_id, asked, host, commitment(seed), "sealed")
        self.game = Game(game_id, events[0])  # type: ignore[arg-type]  # a creation begins with its own event
        self._append(None, host, asked, events)

    def ask(self, by: Occupant, action: Action, seat: int | None = None) -> tuple[Event, ...]:
        """Let `by` ask for `action`; raise `IllegalAction`."""
        events = decide(self.game, seat, by, action, self.seed)
        self._append(seat, by, action, events)
        return events

    def refusal(self, by: Occupant, action: Action, seat: int | None = None) -> str | None:
        """Return the name of the rule that `action` breaks, or None if it is legal."""
        try:
            decide(self.game, seat, by, action, self.seed)
        except IllegalAction as refused:
            return refused.rule.name
        return None

    def move(self, action: Move, seat: int | None = None) -> tuple[Event, ...]:
        """Let `seat`, or the seat to act, do `action`."""
        acting = self.to_act if seat is None else seat
        return self.ask(self.game.table.occupants[acting], action, acting)

    def moves(self) -> list[Move]:
        """Return everything that the seat to act may do."""
        listed: list[Move] = self.game.rules.legal_actions(self.game.look(ALL), self.to_act)
        return listed

    def close(self) -> tuple[Event, ...]:
        """Let the service write the closing entry."""
        return self.ask(SERVICE, CloseGame())

    @property
    def to_act(self) -> int:
        """Return the seat to act."""
        assert self.game.board is not None
        return self.game.board.turns.seat

    @property
    def is_running(self) -> bool:
        """Tell whether anybody is to act."""
        return self.game.table.status == "running"

    def _append(self, seat: int | None, by: Occupant, action: Action, events: tuple[Event, ...]) -> None:
        at = "2026-12-01T10:00:00.000Z"
        request = f"r{self.game.version + 1}"
        entry = Entry(SCHEMA, self.game.version + 1, at, seat, by.player, request, action, events)
        started = any(event.__struct_config__.tag == "game-started" for event in events)
        taken = len(self.game.table.occupants) + any(event.__struct_config__.tag == "seat-taken" for event in events)
        eyes = (ALL, SPECTATOR, *range(taken)) if started else ()
        self.game.apply(entry, eyes=eyes, seed=self.seed)
        self.entries.append(entry)


def unopened(asked: CreateGame, host: Occupant = ADA) -> str | None:
    """Return the name of the rule that keeps `host` from opening the table, or None if it opens."""
    try:
        create("g7", asked, host, commitment(SEED), "sealed")
    except IllegalAction as refused:
        return refused.rule.name
    return None


def started(seats: int, seed: bytes = SEED, **options: OptionValue) -> Match:
    """Return a game of `seats` people that has just started."""
    match = Match(order(seats, options={**OPTIONS, **options}), seed)
    for person in PEOPLE[1:seats]:
        match.ask(person, JoinGame())
    return match
