"""A game is closed only if its whole log is what the rules yield."""

import msgspec
import pytest

from events import chain
from events.actions import CreateGame, DrawCard, Resign, StartGame
from events.catalogue import PointsScored
from events.codec import encode
from events.entries import SCHEMA, Entry
from events.games.keltis import Options
from events.store import EventStore, Stream
from service import simulation
from service.clock import utc_now
from service.commands import Actor, Commands, CorruptGame

ADA = Actor("ada", "Ada")
ORDER = CreateGame("keltis", 2, msgspec.to_builtins(Options()), "open", "unrated", True, ("greedy",))


@pytest.fixture
def commands(store: EventStore) -> Commands:
    return Commands(store, simulation.keys_of("closing"), utc_now)


def started(commands: Commands) -> str:
    game_id = commands.create_game(ADA, ORDER, "a table").game.id
    commands.seat(game_id, ADA, StartGame(), "start")
    return game_id


def test_a_game_that_is_over_is_closed_once(commands: Commands):
    """The closing entry reveals the seed and is written once, however often a game is closed."""
    game_id = started(commands)
    commands.act(game_id, ADA, Resign(), "resign", None)
    assert commands.close(game_id) is not None
    commands.close(game_id)
    assert commands.live.get(game_id).game.version == 4


def test_a_running_game_is_not_closed(commands: Commands):
    """While a game runs its seed stays sealed."""
    game_id = started(commands)
    assert commands.close(game_id) is None
    assert commands.live.get(game_id).game.table.seed is None


def test_a_log_that_the_rules_do_not_yield_is_not_closed(commands: Commands):
    """An entry that somebody wrote past the rules is named, and the game is not closed."""
    game_id = started(commands)
    live = commands.live.get(game_id)
    forged = Entry(SCHEMA, 3, live.last.at, 0, "ada", "forged", DrawCard("deck"), (PointsScored(0, 3),))
    body = encode(forged)
    commands.store.append(Stream("game", game_id), 2, body, chain.link(live.head, body))
    commands.act(game_id, ADA, Resign(), "resign", None)
    with pytest.raises(CorruptGame, match="entry 3 "):
        commands.close(game_id)
