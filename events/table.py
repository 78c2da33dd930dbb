"""A table around a game: who sits where, when it starts, and how it is closed. The same for every game."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from events.actions import (
    Access,
    CloseGame,
    CreateGame,
    JoinGame,
    LeaveGame,
    Mode,
    OptionValue,
    SeatBot,
    StartGame,
    TableAction,
)
from events.catalogue import Event, GameCreated, GameScored, GameStarted, SeatLeft, SeatTaken, SeedRevealed
from events.refusals import (
    BOT_UNKNOWN,
    FIRST_WRONGLY,
    INVITED_WRONGLY,
    LINKED_WRONGLY,
    NOT_A_PLAYER,
    NOT_HOST,
    NOT_INVITED,
    NOT_SEATED,
    RESERVED,
    RESERVED_WRONGLY,
    SEATED,
    STARTED,
    TABLE_FULL,
    TOO_FEW,
    IllegalAction,
    Rule,
)

BOT_PREFIX = "bot:"
BOTS = ("random", "greedy")
"""The bots that can take a seat, by name."""

SERVICE = "service"
"""Who closes games, and does nothing else."""

PLAYER_ID = re.compile("[a-z][a-z0-9]{0,39}")
"""How a player's id is written in a log, so that it is no bot's."""

Status = Literal["open", "running", "ended", "closed"]


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits on a seat; `player` is a player's id, or `bot:` and a bot's name."""

    player: str
    name: str
    entropy: str | None

    @property
    def bot(self) -> str | None:
        """Return the bot's name, if a bot sits here."""
        return self.player.removeprefix(BOT_PREFIX) if self.player.startswith(BOT_PREFIX) else None


@dataclass(slots=True)
class Table:
    """The fold of a game's stream as far as it concerns the table. `chairs` are by seat, None when free."""

    created: GameCreated
    chairs: list[Occupant | None]
    status: Status = "open"
    started: GameStarted | None = None
    seed: str | None = None
    scored: GameScored | None = None

    def copy(self) -> "Table":
        """Return a table that changes apart from this one."""
        return replace(self, chairs=list(self.chairs))

    @property
    def game(self) -> str:
        """Return the game's name."""
        return self.created.game

    @property
    def options(self) -> dict[str, OptionValue]:
        """Return the options, every one with its value."""
        return self.created.options

    @property
    def access(self) -> Access:
        """Return who may join."""
        return self.created.access

    @property
    def mode(self) -> Mode:
        """Return whether the game counts."""
        return self.created.mode

    @property
    def occupants(self) -> list[Occupant]:
        """Return who sits here, by seat once the game has started."""
        return [chair for chair in self.chairs if chair is not None]

    def seat_of(self, player: str) -> int | None:
        """Return the seat of `player`, or None."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair and chair.player == player), None)

    def entropy(self, host: str | None) -> list[str | None]:
        """Return what the seats added to the shuffle, in the order of seats, and at the end what the host added."""
        return [*(occupant.entropy for occupant in self.occupants), host]


def open_table(created: GameCreated) -> Table:
    """Return the table that `created` opens."""
    return Table(created, [None] * created.seats)


def evolve_table(table: Table, event: Event) -> None:
    """Let `event` change the table."""
    match event:
        case SeatTaken(seat, player, name, entropy):
            table.chairs[seat] = Occupant(player, name, entropy)
        case SeatLeft(seat):
            table.chairs[seat] = None
        case GameStarted(seats):
            table.chairs = [table.chairs[seat] for seat in seats]
            table.started = event
            table.status = "running"
        case SeedRevealed(seed):
            table.seed = seed
        case GameScored():
            table.scored = event
            table.status = "closed"
        case _:
            pass  # what happens on the board leaves the table as it is


def decide_creation(action: CreateGame, host: Occupant, revision: int, commitment: str, seal: str) -> tuple[Event, ...]:
    """Return what opening a table makes happen; raise `IllegalAction`."""
    _require_fitting(action, host.player)
    created = GameCreated(
        game=action.game,
        revision=revision,
        seats=action.seats,
        options=action.options,
        access=action.access,
        mode=action.mode,
        host=host.player,
        commitment=commitment,
        seal=seal,
        invited=action.invited,
        link=action.link,
        reserved=action.reserved,
        first=action.first,
        rematch_of=action.rematch_of,
    )
    table = open_table(created)
    events: list[Event] = [created]
    arriving: list[Occupant | str] = [*((host,) if action.host_plays else ()), *action.bots]
    for one in arriving:
        events.append(_seat(table, bot_occupant(table, one) if isinstance(one, str) else one))
        evolve_table(table, events[-1])
    return tuple(events)


def decide_seating(table: Table, by: Occupant, action: TableAction) -> tuple[SeatTaken | SeatLeft, ...]:
    """Return what joining, seating a bot or leaving makes happen; raise `IllegalAction`."""
    if table.status != "open":
        raise IllegalAction(STARTED)
    match action:
        case JoinGame(entropy):
            _require(is_player(by.player), NOT_A_PLAYER)
            _require(table.seat_of(by.player) is None, SEATED)
            _require(_may_sit(table.created, table.created.host, by.player), NOT_INVITED)
            return (SeatTaken(_free_seat(table, by.player), by.player, by.name, entropy),)
        case SeatBot(bot):
            _require(by.player == table.created.host, NOT_HOST)
            return (_seat(table, bot_occupant(table, bot)),)
        case LeaveGame():
            _require(is_player(by.player), NOT_A_PLAYER)
            seat = table.seat_of(by.player)
            if seat is None:
                raise IllegalAction(NOT_SEATED)
            return (SeatLeft(seat),)
        case CreateGame() | StartGame() | CloseGame():
            raise IllegalAction(STARTED)


def require_startable(table: Table, by: str) -> None:
    """Raise `IllegalAction` unless `by` may start the game now."""
    _require(table.status == "open", STARTED)
    _require(by == table.created.host, NOT_HOST)
    _require(len(table.occupants) >= 2, TOO_FEW)


def bot_occupant(table: Table, bot: str) -> Occupant:
    """Return `bot` as somebody new at the table, with a name of its own; raise `IllegalAction` if there is none."""
    _require(bot in BOTS, BOT_UNKNOWN)
    names = {occupant.name for occupant in table.occupants}
    free = (f"{bot} bot{number}" for number in ("", *(f" {n}" for n in range(2, len(table.chairs) + 2))))
    return Occupant(BOT_PREFIX + bot, next(name for name in free if name not in names), None)


def is_player(actor: str) -> bool:
    """Tell whether `actor` is written as a player's id: it is neither a bot, nor the service, nor anything unknown."""
    return actor != SERVICE and PLAYER_ID.fullmatch(actor) is not None


def _require_fitting(action: CreateGame, host: str) -> None:
    """Raise `IllegalAction` unless what is asked of a table goes together."""
    _require(is_player(host) and all(map(is_player, action.invited)), NOT_A_PLAYER)
    _require(action.access == "invited" or not action.invited, INVITED_WRONGLY)
    _require(action.access == "private" or action.link is None, LINKED_WRONGLY)
    _require(not action.reserved or _can_all_sit(action, host), RESERVED_WRONGLY)
    _require(action.first is None or 0 <= action.first < action.seats, FIRST_WRONGLY)


def _can_all_sit(action: CreateGame, host: str) -> bool:
    """Tell whether everybody for whom a seat is kept can take it, and no seat is left over."""
    bots = [BOT_PREFIX + bot for bot in BOTS]
    people = [one for one in action.reserved if one not in bots]
    seated_once = len(set(people)) == len(people) and len(action.reserved) == action.seats
    return seated_once and all(is_player(one) and _may_sit(action, host, one) for one in people)


def _may_sit(opened: CreateGame | GameCreated, host: str, player: str) -> bool:
    return opened.access != "invited" or player in (*opened.invited, host)


def _seat(table: Table, occupant: Occupant) -> SeatTaken:
    return SeatTaken(_free_seat(table, occupant.player), occupant.player, occupant.name, occupant.entropy)


def _free_seat(table: Table, player: str) -> int:
    free = [seat for seat, chair in enumerate(table.chairs) if chair is None]
    _require(bool(free), TABLE_FULL)
    reserved = table.created.reserved
    if not reserved:
        return free[0]
    own = [seat for seat in free if reserved[seat] == player]
    _require(bool(own), RESERVED)
    return own[0]


def _require(holds: bool, rule: Rule) -> None:
    if not holds:
        raise IllegalAction(rule)
