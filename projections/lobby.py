"""The lobby: which games there are, for lists with filters. Kept in Redis by a follower, read by the service.

Every game has a number, given once in the order in which the lobby met it, and every list runs from the highest
number down. So a game that moves from one list to another between two pages is never shown twice, and new games
come before the first page, never between two. A list holds what its viewer may know of: open tables and what
became of them; one's own games; tables that one is invited to. Private tables are in nobody else's list.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, get_args

import msgspec

from events.actions import Mode
from events.codec import canonical, decode
from events.store import Client, EventStore, Pointer, Stored, Stream
from events.table import Status
from projections.follower import last_versions, read_after
from projections.summary import Summary, evolve_summary, summarise
from projections.view_store import ViewStore, Writes

NAME: Final = "lobby"
STATUSES: tuple[Status, ...] = get_args(Status)

CHUNK = 200
"""Games that are looked at in one go."""

SCANNED = 5_000
"""Games that one page looks at, at most; a page whose filters fit few games may so be short, and has a next one."""

_summaries = msgspec.json.Decoder(Summary)


class BadCursor(ValueError):
    """A cursor that no page of a list gave out."""


class Filters(NamedTuple):
    """What a list is to hold. `viewer` is the player who looks, `free` how many seats must be free at least."""

    viewer: str | None = None
    status: Status | None = None
    game: str | None = None
    mode: Mode | None = None
    seats: int | None = None
    player: str | None = None
    free: int | None = None


class Page(NamedTuple):
    """A part of a list, newest games first, and the cursor of the part that follows, if one does."""

    items: list[Summary]
    next: str | None


class Lobby:
    """Reads the lobby."""

    def __init__(self, client: Client) -> None:
        self._views = ViewStore(client, NAME)

    def game(self, game_id: str) -> Summary | None:
        """Return what is known of a game, or None if the lobby has not met it."""
        return next(iter(_known(self._views, [game_id]).values()), None)

    def games(self, filters: Filters, cursor: str | None = None, limit: int = 50) -> Page:
        """Return a page of at most `limit` games; raise `BadCursor`."""
        before = read_cursor(cursor) if cursor is not None else None
        found: list[Summary] = []
        for _ in range(SCANNED // CHUNK):
            candidates = self._below(before, filters)
            for summary in candidates:
                if not fits(summary, filters):
                    continue
                if len(found) == limit:
                    return Page(found, write_cursor(found[-1].number))
                found.append(summary)
            if len(candidates) < CHUNK:
                return Page(found, None)
            before = candidates[-1].number
        return Page(found, write_cursor(before or 1))

    def _below(self, before: int | None, filters: Filters) -> list[Summary]:
        """Return the next games, at most `CHUNK`, of all lists that can hold what is looked for."""
        highest = "+inf" if before is None else f"({before}"
        with self._views.reading() as reads:
            for key in _lists(filters):
                where = (self._views.key(key), highest, "-inf", "WITHSCORES", "LIMIT", 0, CHUNK)
                reads.execute_command("ZREVRANGEBYSCORE", *where)  # as it comes, on one server as on a cluster
            parts = [(part[place], part[place + 1]) for part in reads.execute() for place in range(0, len(part), 2)]
        numbers = {game.decode(): int(number) for game, number in parts}
        newest = sorted(numbers, key=lambda game: -numbers[game])[:CHUNK]
        return list(_known(self._views, newest).values())


class LobbyProjection:
    """Keeps the lobby."""

    def __init__(self, store: EventStore, views: ViewStore) -> None:
        self._store = store
        self._views = views

    def project(self, pointers: Sequence[Pointer], writes: Writes) -> None:
        """Queue the new summaries of all games that `pointers` name, and the changes of their lists."""
        versions = last_versions(pointers, "game")
        known = _known(self._views, list(versions))
        met = {game: summary.version for game, summary in known.items()}
        wanted = {Stream("game", game): (met.get(game, 0), until) for game, until in versions.items()}
        number = self._count()
        changed: dict[str, bytes] = {}
        for stream, entries in read_after(self._store, wanted).items():
            before = known.get(stream.id)
            lists = set() if before is None else lists_of(before)
            number += before is None
            summary = _evolved(before, number, stream.id, entries)
            changed[stream.id] = canonical(summary)
            self._move(summary, lists, writes)
        if changed:
            writes.hset(self._views.key("games"), mapping=changed)

    def _count(self) -> int:
        with self._views.reading() as reads:
            reads.hlen(self._views.key("games"))
            return int(reads.execute()[0])

    def _move(self, summary: Summary, before: set[str], writes: Writes) -> None:
        after = lists_of(summary)
        for gone in before - after:
            writes.zrem(self._views.key(gone), summary.id)
        for new in after - before:
            writes.zadd(self._views.key(new), {summary.id: summary.number})


def lists_of(summary: Summary) -> set[str]:
    """Return the names of the lists that a game is in."""
    lists = {f"player:{player}" for player in summary.players}
    if summary.access == "open":
        lists.add(f"status:{summary.status}")
    if summary.access == "invited":
        lists.update(f"invited:{player}" for player in summary.invited)
    return lists


def fits(summary: Summary, filters: Filters) -> bool:
    """Tell whether a game is one that `filters` ask for and that their viewer may find in a list."""
    wanted = (
        (filters.status, summary.status),
        (filters.game, summary.game),
        (filters.mode, summary.mode),
        (filters.seats, summary.seats),
    )
    return (
        all(asked is None or asked == there for asked, there in wanted)
        and (filters.player is None or filters.player in summary.players)
        and (filters.free is None or (summary.status == "open" and summary.free >= filters.free))
        and may_list(summary, filters.viewer)
    )


def may_list(summary: Summary, viewer: str | None) -> bool:
    """Tell whether `viewer`, a player or nobody known, may find the game in a list."""
    if summary.access == "open":
        return True
    invited = summary.invited if summary.access == "invited" else ()
    return viewer is not None and (viewer in summary.players or viewer in invited)


def write_cursor(number: int) -> str:
    """Return the cursor of the games below `number`."""
    return urlsafe_b64encode(b"below:%d" % number).rstrip(b"=").decode()


def read_cursor(cursor: str) -> int:
    """Return the number below which the page of `cursor` begins; raise `BadCursor`."""
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        number = int(text.removeprefix("below:"))
    except ValueError as error:
        raise BadCursor(cursor[:40]) from error
    if number > 2**53 or write_cursor(number) != cursor:
        raise BadCursor(cursor[:40])
    return number


def _lists(filters: Filters) -> list[str]:
    if filters.player is not None:
        return [f"player:{filters.player}"]
    public = [f"status:{status}" for status in STATUSES if filters.status in (None, status)]
    own = [] if filters.viewer is None else [f"player:{filters.viewer}", f"invited:{filters.viewer}"]
    return public + own


def _known(views: ViewStore, games: Sequence[str]) -> dict[str, Summary]:
    if not games:
        return {}
    with views.reading() as reads:
        reads.hmget(views.key("games"), games)
        bodies: Iterable[bytes | None] = reads.execute()[0]
    return {game: _summaries.decode(body) for game, body in zip(games, bodies, strict=True) if body is not None}


def _evolved(summary: Summary | None, number: int, game: str, entries: Sequence[Stored]) -> Summary:
    for stored in entries:
        entry = decode(stored.body)
        if summary is None:
            summary = summarise(number, game, entry)
        evolve_summary(summary, entry)
    assert summary is not None
    return summary
