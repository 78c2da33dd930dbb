"""The lobby: what the lists of games hold, for whom, and that pages skip and repeat nothing."""

import random

import pytest

from events import chain
from events.actions import CreateGame, JoinGame
from events.catalogue import (
    GameCreated,
    GameEnded,
    GameScored,
    GameStarted,
    ScoreSheet,
    SeatLeft,
    SeatTaken,
    TurnBegan,
)
from events.codec import encode
from events.entries import SCHEMA, Entry
from events.games.keltis.tables import TILES
from events.store import EventStore, Stream, connect
from projections.follower import Follower
from projections.lobby import BadCursor, Filters, Lobby, LobbyProjection, read_cursor, write_cursor
from projections.view_store import ViewStore


class World:
    """A store with games whose entries are told directly, and the lobby over it."""

    def __init__(self, store: EventStore, client) -> None:
        self.store = store
        self.views = ViewStore(client, "lobby")
        self.lobby = Lobby(client)
        self.follower = Follower(store, self.views, LobbyProjection(store, self.views), batch=16)

    def create(self, game: str, *taken: SeatTaken, seats: int = 2, host: str = "ada", **also: object) -> None:
        """Open a table."""
        words = {"access": "open", "mode": "rated", **also}
        created = GameCreated("keltis", 1, seats, {}, host=host, commitment="c", seal="s", **words)
        self.tell(game, created, *taken)

    def start(self, game: str, seats: tuple[int, ...] = (0, 1), first: int = 0) -> None:
        """Start a game."""
        self.tell(game, GameStarted(seats, first, TILES))

    def tell(self, game: str, *events) -> None:
        """Append an entry with `events`."""
        stream = Stream("game", game)
        stored = self.store.read(stream)
        version = len(stored) + 1
        head = stored[-1].link if stored else chain.GENESIS
        at = f"2026-12-01T10:00:00.{version:03d}Z"
        action = JoinGame() if version > 1 else CreateGame("keltis", 2, {}, "open", "rated", True, ())
        body = encode(Entry(SCHEMA, version, at, None, "ada", "r", action, events))
        self.store.append(stream, version - 1, body, chain.link(head, body))

    def ids(self, cursor: str | None = None, limit: int = 50, **filters: object) -> list[str]:
        """Return the ids in a list, after the follower has read all."""
        self.follower.drain()
        return [item.id for item in self.lobby.games(Filters(**filters), cursor, limit).items]


@pytest.fixture
def world(store, server):
    with connect(server.url) as client:
        yield World(store, client)


SHEET = ScoreSheet(tiles=1, figures=2, wish_stones=3, total=6)
ADA, BEN = SeatTaken(0, "ada", "Ada"), SeatTaken(1, "ben", "Ben")


def test_a_summary_follows_a_game_from_the_table_to_the_ranks(world):
    """A game's summary tells who sits where, whose turn it is and how it ended, at the version of its last entry."""
    world.create("g", ADA, seats=3, rematch_of="f")
    world.tell("g", SeatTaken(1, "cem", "Cem"))
    world.tell("g", SeatTaken(2, "bot:greedy", "greedy bot"))
    world.tell("g", SeatLeft(1))
    world.follower.drain()
    open_ = world.lobby.game("g")
    assert (open_.status, open_.free, open_.version, open_.title, open_.rematch_of) == ("open", 1, 4, "Keltis", "f")
    world.start("g", seats=(0, 2), first=1)
    world.tell("g", TurnBegan(0))
    world.follower.drain()
    running = world.lobby.game("g")
    assert [(taken.seat, taken.player, taken.bot) for taken in running.table] == [
        (0, "ada", None),
        (1, "bot:greedy", "greedy"),
    ]
    assert (running.status, running.to_act, running.turn, running.free) == ("running", 0, 2, 0)
    world.tell("g", GameEnded("goal"))
    world.follower.drain()
    assert (world.lobby.game("g").status, world.lobby.game("g").to_act) == ("ended", None)
    world.tell("g", GameScored("goal", (SHEET, SHEET), (1, 1)))
    world.follower.drain()
    closed = world.lobby.game("g")
    assert (closed.status, closed.reason, closed.ranks) == ("closed", "goal", (1, 1))
    assert (closed.created_at, closed.updated_at) == ("2026-12-01T10:00:00.001Z", "2026-12-01T10:00:00.008Z")


def test_an_unknown_game_has_no_summary(world):
    """The lobby says nothing of a game that it has not met."""
    assert world.lobby.game("nobody") is None


def test_batches_of_any_size_make_the_same_lobby(world, server):
    """It does not matter into which batches the feeds are cut."""
    for number in range(6):
        world.create(f"g{number}", ADA, BEN)
        world.start(f"g{number}")
        world.tell(f"g{number}", TurnBegan(1))
    world.follower.drain()
    once = {f"g{number}": world.lobby.game(f"g{number}") for number in range(6)}
    world.views._client.delete(*world.views._client.keys("{lobby}:*"))
    small = Follower(world.store, world.views, LobbyProjection(world.store, world.views), batch=1)
    small.drain()
    again = {f"g{number}": world.lobby.game(f"g{number}") for number in range(6)}
    for one, other in zip(once.values(), again.values(), strict=True):
        one.number = other.number = 0
        assert one == other


def test_private_tables_are_in_nobody_elses_list(world):
    """A private table is listed for its host and its players alone, whatever is asked for."""
    world.create("g", ADA, access="private")
    world.tell("g", BEN)
    assert (
        world.ids() == world.ids(viewer="cem") == world.ids(player="ada") == world.ids(viewer="cem", player="ada") == []
    )
    assert world.ids(viewer="ada") == world.ids(viewer="ben") == world.ids(viewer="ben", player="ada") == ["g"]


def test_invited_tables_are_listed_for_the_invited(world):
    """A table for invited players is listed for those, for its host and its players."""
    world.create("g", ADA, access="invited", invited=("ben",))
    assert world.ids(viewer="ben") == world.ids(viewer="ada") == world.ids(viewer="ben", status="open") == ["g"]
    assert world.ids() == world.ids(viewer="cem") == []


def test_filters_keep_what_they_ask_for(world):
    """Lists can be cut by status, game, mode, seats, player and free seats."""
    world.create("two", ADA)
    world.create("four", seats=4, mode="unrated", host="cem")
    world.create("runs", ADA, BEN)
    world.start("runs")
    assert set(world.ids()) == {"two", "four", "runs"}
    assert world.ids(status="running") == ["runs"]
    assert world.ids(mode="unrated") == world.ids(seats=4) == world.ids(free=2) == world.ids(player="cem") == ["four"]
    assert set(world.ids(player="ada")) == {"two", "runs"}
    assert set(world.ids(free=1)) == {"two", "four"}
    assert world.ids(game="orakel") == []


def test_somebody_who_left_is_no_longer_a_player(world):
    """A seat given back takes the game out of the player's list."""
    world.create("g", seats=3)
    world.tell("g", SeatTaken(0, "ben", "Ben"))
    assert world.ids(player="ben") == ["g"]
    world.tell("g", SeatLeft(0))
    assert world.ids(player="ben") == []
    assert world.ids(player="ada") == ["g"]


def test_pages_skip_and_repeat_nothing_while_games_come_and_change(world):
    """Whoever turns pages meets every game that was there at the start once, though others are added and all change."""
    rng = random.Random(7)
    for number in range(40):
        world.create(f"g{number:02d}", ADA, BEN)
    world.follower.drain()
    there = {f"g{number:02d}" for number in range(40)}
    seen: list[str] = []
    cursor = None
    while True:
        page = world.lobby.games(Filters(), cursor, 7)
        seen.extend(item.id for item in page.items)
        if page.next is None:
            break
        cursor = page.next
        world.create(f"new{len(seen)}", ADA)
        for name in rng.sample(sorted(there), 3):
            if world.lobby.game(name).status == "open":
                world.start(name)
                world.tell(name, GameEnded("deck"))
        world.follower.drain()
    assert len(seen) == len(set(seen)) == 40
    assert set(seen) == there


def test_newest_games_come_first(world):
    """A list runs from the last game that the lobby met to the first."""
    for name in ("a", "b", "c"):
        world.create(name)
        world.follower.drain()
    assert world.ids() == ["c", "b", "a"]
    page = world.lobby.games(Filters(), None, 2)
    assert [item.id for item in world.lobby.games(Filters(), page.next, 2).items] == ["a"]


def test_a_full_last_page_has_no_next(world):
    """There is a cursor only if a game follows."""
    world.create("a")
    world.create("b")
    world.follower.drain()
    assert world.lobby.games(Filters(), None, 2).next is None


@pytest.mark.parametrize("cursor", ["", "x", "YmVsb3c6", "YmVsb3c6MDc", write_cursor(7) + "=", "ä", "A" * 5000])
def test_a_bad_cursor_is_an_error(cursor):
    """Only a cursor that a page gave out is one."""
    with pytest.raises(BadCursor):
        read_cursor(cursor)


def test_a_cursor_reads_back():
    """A cursor names the number below which its page begins."""
    assert read_cursor(write_cursor(123)) == 123
