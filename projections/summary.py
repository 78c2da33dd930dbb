"""What a list says of a game: a fold of the entries as far as lists care, without board and cards."""

import msgspec

from events.actions import Access, Mode, OptionValue
from events.catalogue import (
    EndReason,
    Event,
    GameCreated,
    GameEnded,
    GameScored,
    GameStarted,
    SeatLeft,
    SeatTaken,
    TurnBegan,
)
from events.entries import Entry
from events.games import GAMES
from events.table import Occupant, Status


class Sitting(msgspec.Struct, frozen=True):
    """Who sits on a seat; `bot` is the bot's name, if one sits there."""

    seat: int
    player: str
    name: str
    bot: str | None


class Summary(msgspec.Struct):
    """One game in a list. `number` counts the games from 1, in the order in which the lobby met them.

    `seats` is how many can sit here, `to_act` the seat whose decision is awaited, `turn` the number of its turn.
    Times are RFC 3339, UTC. `reason` is known from the end on, `ranks`, by seat, once the game is closed.
    """

    number: int
    id: str
    game: str
    title: str
    mode: Mode
    access: Access
    seats: int
    options: dict[str, OptionValue]
    host: str
    invited: tuple[str, ...]
    rematch_of: str | None
    created_at: str
    updated_at: str
    version: int = 0
    status: Status = "open"
    table: list[Sitting] = []
    to_act: int | None = None
    turn: int | None = None
    reason: EndReason | None = None
    ranks: tuple[int, ...] | None = None

    @property
    def free(self) -> int:
        """Return how many seats can still be taken."""
        return self.seats - len(self.table) if self.status == "open" else 0

    @property
    def players(self) -> set[str]:
        """Return the players, bots apart, that have a seat or are the host."""
        return {sitting.player for sitting in self.table if sitting.bot is None} | {self.host}


def summarise(number: int, game_id: str, first: Entry) -> Summary:
    """Return the summary of a game of which nothing but the first entry is known yet, at version 0."""
    created = first.events[0]
    assert isinstance(created, GameCreated)
    rules = GAMES.get(created.game)
    return Summary(
        number=number,
        id=game_id,
        game=created.game,
        title=rules.TITLE if rules else created.game,
        mode=created.mode,
        access=created.access,
        seats=created.seats,
        options=created.options,
        host=created.host,
        invited=created.invited,
        rematch_of=created.rematch_of,
        created_at=first.at,
        updated_at=first.at,
    )


def evolve_summary(summary: Summary, entry: Entry) -> None:
    """Let `entry` change `summary`."""
    for event in entry.events:
        _happen(summary, event)
    summary.version = entry.version
    summary.updated_at = entry.at


def _happen(summary: Summary, event: Event) -> None:
    match event:
        case TurnBegan(seat):
            summary.to_act = seat
            summary.turn = (summary.turn or 0) + 1
        case SeatTaken(seat, player, name):
            bot = Occupant(player, name, None).bot
            summary.table = sorted([*summary.table, Sitting(seat, player, name, bot)], key=lambda taken: taken.seat)
        case SeatLeft(seat):
            summary.table = [sitting for sitting in summary.table if sitting.seat != seat]
        case GameStarted(seats, first):
            numbers = {old: new for new, old in enumerate(seats)}
            summary.table = [msgspec.structs.replace(taken, seat=numbers[taken.seat]) for taken in summary.table]
            summary.status, summary.to_act, summary.turn = "running", first, 1
        case GameEnded(reason):
            summary.status, summary.to_act, summary.reason = "ended", None, reason
        case GameScored(reason, _, ranks):
            summary.status, summary.reason, summary.ranks = "closed", reason, ranks
        case _:
            pass  # what happens on the board is not told in lists
