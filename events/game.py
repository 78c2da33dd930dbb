"""A game as a fold of its entries: the table, and from the start on the board and the hands under a deal.

`decide` asks what an action makes happen, `apply` lets an entry happen. One game holds one table and board, and as
many hands as there are eyes that look at it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, assert_never

import msgspec

from events.actions import (
    Action,
    CloseGame,
    CreateGame,
    CreatePlayer,
    DiscardCard,
    DrawCard,
    JoinGame,
    LeaveGame,
    Move,
    MoveFigure,
    OptionValue,
    PlayCard,
    Resign,
    SeatBot,
    StartGame,
)
from events.cards import Card
from events.catalogue import (
    Event,
    GameCreated,
    GameEnded,
    GameScored,
    GameStarted,
    PlayerCreated,
    SeatTaken,
    SeedRevealed,
)
from events.deal import ALL, UNKNOWN, Deal, Eyes
from events.entries import Entry
from events.games import GAMES
from events.games.contract import Board, Rules
from events.games.hands import Hands, dealt
from events.games.state import State
from events.refusals import (
    CLOSED,
    GAME_OVER,
    NOT_CLOSABLE,
    NOT_SEATED,
    NOT_STARTED,
    SEATS_NOT_OFFERED,
    STARTED,
    IllegalAction,
)
from events.shuffle import Dice, game_secret
from events.table import (
    Occupant,
    Table,
    decide_creation,
    decide_seating,
    evolve_table,
    open_table,
    require_startable,
)


class UnknownGame(ValueError):
    """A game, or a revision of its rules, that this code does not know."""


class ImpossibleEntry(ValueError):
    """An entry that cannot stand where it stands, whatever the rules say."""


class Game:
    """One game at one version."""

    __slots__ = ("_evolve_board", "_hands", "board", "deal", "id", "table", "version")

    def __init__(self, game_id: str, created: GameCreated) -> None:
        self.id = game_id
        self.version = 0
        self.table: Table = open_table(created)
        self._evolve_board: Callable[..., None] = _not_started
        self.board: Board | None = None
        self.deal: Deal = UNKNOWN
        self._hands: dict[Eyes, Hands] = {}

    def copy(self) -> "Game":
        """Return the same game at the same version, which goes on apart from this one."""
        twin = Game(self.id, self.table.created)
        twin.version, twin.deal, twin._evolve_board = self.version, self.deal, self._evolve_board
        twin.table = self.table.copy()
        twin.board = self.board.copy() if self.board is not None else None
        twin._hands = {eyes: hands.copy() for eyes, hands in self._hands.items()}
        return twin

    @property
    def rules(self) -> Rules:
        """Return the rules of this game."""
        return rules_of(self.table.created)

    def look(self, eyes: Eyes) -> State[Any]:
        """Return the running game as `eyes` see it; only eyes that `watch` was called for can look."""
        assert self.board is not None
        return State(self.board, self._hands[eyes])

    def sees(self, eyes: Eyes) -> bool:
        """Tell whether hands are kept for `eyes`."""
        return eyes in self._hands

    def watch(self, eyes: Eyes) -> None:
        """Keep hands for `eyes` from the deal on; to be called before the game starts or through `adopt`."""
        assert self.table.started is not None
        self._hands[eyes] = dealt(self.deal.seen_by(eyes), len(self.table.started.seats))

    def adopt(self, eyes: Eyes, other: "Game") -> None:
        """Take over the hands that `other`, the same game at the same version, keeps for `eyes`."""
        self._hands[eyes] = other.look(eyes).hands

    def apply(self, entry: Entry, *, eyes: tuple[Eyes, ...] = (), seed: bytes | None = None) -> None:
        """Let `entry` happen. At the start, deal by `seed` if it is known, and watch with `eyes`."""
        for event in entry.events:
            if self.table.status == "running":
                self._evolve(event)
            else:
                self._happen(event, eyes, seed)
        self.version = entry.version

    def _happen(self, event: Event, eyes: tuple[Eyes, ...], seed: bytes | None) -> None:
        match event:
            case GameCreated() | PlayerCreated():
                pass  # a game begins with the one, and the other stands in another stream
            case GameStarted():
                self._start(event, eyes, seed)
            case _:
                evolve_table(self.table, event)

    def _start(self, started: GameStarted, eyes: tuple[Eyes, ...], seed: bytes | None) -> None:
        evolve_table(self.table, started)
        rules = self.rules
        self.board = rules.Board(options_of(self.table.created), started)
        self._evolve_board = rules.evolve_board
        if seed is not None:
            self.deal = Deal(deck_order(self, seed, started.entropy), ALL)
        for viewer in eyes:
            self.watch(viewer)

    def _evolve(self, event: Event) -> None:
        """Let `event` happen on the board of a running game, which nothing but board events reach."""
        for hands in self._hands.values():
            hands.evolve(event)  # type: ignore[arg-type]  # no other events reach a running game
        self._evolve_board(self.board, event)
        if type(event) is GameEnded:
            self.table.status = "ended"


def _not_started(*_: object) -> None:
    raise ImpossibleEntry("nothing happens on a board before the start")


def rules_of(created: GameCreated) -> Rules:
    """Return the rules that `created` names; raise `UnknownGame`."""
    rules = GAMES.get(created.game)
    if rules is None or created.revision != rules.REVISION:
        raise UnknownGame(f"{created.game} in revision {created.revision} is unknown here")
    return rules


def options_of(created: GameCreated) -> object:
    """Return the options of `created` as the game's own type; raise `UnknownGame` if they are not its options."""
    return _read_options(rules_of(created), created.options)


def _read_options(rules: Rules, options: Mapping[str, OptionValue]) -> object:
    try:
        return msgspec.convert(options, rules.Options)
    except msgspec.ValidationError as error:
        raise UnknownGame(f"the options do not fit: {error}") from error


def set_up(game: Game, seed: bytes, entropy: str | None) -> GameStarted:
    """Return how the game at an open table starts: tiles and the first seat follow from `seed` and all entropy."""
    chairs = game.table.chairs
    seats = tuple(seat for seat, chair in enumerate(chairs) if chair is not None)
    secret = game_secret(seed, game.id, game.table.entropy(entropy))
    chosen = game.table.created.first
    first = Dice(secret, "first").below(len(seats)) if chosen is None else chosen % len(seats)
    return GameStarted(seats, first, Dice(secret, "tiles").shuffled(game.rules.TILES), entropy)


def deck_order(game: Game, seed: bytes, entropy: str | None) -> tuple[Card, ...]:
    """Return the shuffled deck of a game that has started."""
    secret = game_secret(seed, game.id, game.table.entropy(entropy))
    return Dice(secret, "deck").shuffled(game.rules.DECK)


def create(game_id: str, action: CreateGame, host: Occupant, commitment: str, seal: str) -> tuple[Event, ...]:
    """Return what opening a table makes happen; raise `IllegalAction` or `UnknownGame`."""
    rules = GAMES.get(action.game)
    if rules is None:
        raise UnknownGame(f"there is no game {action.game}")
    if action.seats not in rules.SEATS:
        raise IllegalAction(SEATS_NOT_OFFERED)
    _read_options(rules, action.options)
    return decide_creation(action, host, rules.REVISION, commitment, seal)


def decide(game: Game, seat: int | None, by: Occupant, action: Action, seed: bytes) -> tuple[Event, ...]:
    """Return what `action` makes happen; raise `IllegalAction` with the rule that it breaks.

    `seat` is the acting seat, for moves; the game must be watched with its eyes or with all eyes.
    """
    match action:
        case JoinGame():
            seated = decide_seating(game.table, by, action)
            return (*seated, *_start_if_full(game, seated, seed))
        case SeatBot() | LeaveGame():
            return decide_seating(game.table, by, action)
        case StartGame(entropy):
            require_startable(game.table, by.player)
            started = set_up(game, seed, entropy)
            return (started,)
        case CloseGame():
            return _close(game, seed)
        case PlayCard() | DiscardCard() | MoveFigure() | DrawCard() | Resign():
            return _move(game, seat, action)
        case CreateGame() | CreatePlayer():
            raise IllegalAction(STARTED)
        case _:
            assert_never(action)


def _start_if_full(game: Game, seated: Iterable[Event], seed: bytes) -> tuple[Event, ...]:
    """A table starts by itself when somebody takes its last seat."""
    table = replace(game.table, chairs=list(game.table.chairs))
    for event in seated:
        evolve_table(table, event)
    if None in table.chairs:
        return ()
    full = Game(game.id, table.created)
    full.table = table
    return (set_up(full, seed, None),)


def _move(game: Game, seat: int | None, action: Move) -> tuple[Event, ...]:
    if game.board is None:
        raise IllegalAction(NOT_STARTED)
    if seat is None:
        raise IllegalAction(NOT_SEATED)
    if game.table.status == "closed":
        raise IllegalAction(GAME_OVER)
    eyes: Eyes = ALL if game.sees(ALL) else seat
    return game.rules.decide(game.look(eyes), seat, action)


def _close(game: Game, seed: bytes) -> tuple[Event, ...]:
    if game.table.status == "closed":
        raise IllegalAction(CLOSED)
    if game.board is None or game.board.turns.ended is None:
        raise IllegalAction(NOT_CLOSABLE)
    sheets, ranks = game.rules.score_sheets(game.board), game.rules.ranks(game.board)
    return (SeedRevealed(seed.hex()), GameScored(game.board.turns.ended, sheets, ranks))


def redecide(game: Game | None, game_id: str, entry: Entry, seed: bytes) -> tuple[Event, ...]:
    """Return the events that the rules yield for `entry`'s action on `game`, the state before it.

    Names, the commitment and the seal are facts from outside the rules and are taken from the entry itself. Raise
    `IllegalAction`, `UnknownGame`, or `ImpossibleEntry` if no game can hold the entry here.
    """
    by = _stated_actor(entry)
    if entry.seat is not None and not isinstance(entry.action, Move):
        raise ImpossibleEntry("what concerns the table is done for no seat")
    if isinstance(entry.action, CreateGame):
        created = entry.events[0] if entry.events else None
        if game is not None or not isinstance(created, GameCreated):
            raise ImpossibleEntry("a game is created once, by its first entry")
        return create(game_id, entry.action, by, created.commitment, created.seal)
    if game is None:
        raise ImpossibleEntry("the first entry does not create a game")
    if entry.seat is not None and not _sits_at(game, entry.seat, entry.by):
        raise ImpossibleEntry(f"{entry.by} does not sit on seat {entry.seat}")
    return decide(game, entry.seat, by, entry.action, seed)


def _stated_actor(entry: Entry) -> Occupant:
    taken = (event for event in entry.events if isinstance(event, SeatTaken) and event.player == entry.by)
    name = next((event.name for event in taken), "")
    return Occupant(entry.by, name, None)


def _sits_at(game: Game, seat: int, player: str) -> bool:
    chairs = game.table.chairs
    occupant = chairs[seat] if 0 <= seat < len(chairs) else None
    return occupant is not None and occupant.player == player
