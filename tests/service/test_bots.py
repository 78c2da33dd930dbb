"""The bots: they choose what is legal, see what their seat sees, and each moves once at each version."""

from random import Random

import pytest

from events.actions import CreateGame, Resign, StartGame
from events.store import EventStore, Stream, connect
from projections.follower import Follower
from projections.view_store import ViewStore
from projections.views import view
from service import simulation
from service.bot_moves import BotMoves, BotsProjection, bot_to_act, move_bot
from service.bots import BOTS, choices
from service.clock import utc_now
from service.commands import Actor, Commands
from service.demo import running_demo

OPTIONS = {"tiebreak": "shared", "direction": "both", "redraw_own_discard": True}


@pytest.fixture
def commands(fresh_redis_url):
    store = EventStore.from_url(fresh_redis_url, shards=4)
    store.prepare()
    yield Commands(store, simulation.keys_of("bots"), utc_now)
    store.close()


@pytest.fixture
def views(fresh_redis_url):
    with connect(fresh_redis_url) as client:
        yield ViewStore(client, "bots")


def table(commands: Commands, *bots: str, host_plays: bool = False, key: str = "t") -> str:
    """Return the id of a game that has started, with the host on seat 0 if it plays."""
    host = Actor(commands.create_player("Ada", "ada").id, "Ada")
    seats = len(bots) + host_plays
    order = CreateGame("keltis", seats, OPTIONS, "open", "unrated-test", host_plays, bots, first=0)
    game_id = commands.create_game(host, order, key, bytes(32)).game.id
    commands.seat(game_id, host, StartGame(), f"{key}-start")
    return game_id


def version(commands: Commands, game_id: str) -> int:
    """Return how many entries the game has."""
    return commands.store.version(Stream("game", game_id))


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_bot_plays_to_the_end_without_resigning(commands, bot, seats):
    """A game of bots comes to its end by the rules of the game alone."""
    game_id = table(commands, *[bot] * seats)
    while move_bot(commands, game_id):
        pass
    game = commands.live.get(game_id).game
    assert game.table.status == "ended"
    assert game.board.turns.ended in ("goal", "deck", "turn-limit")


def test_a_bot_sees_its_own_hand_and_no_other(commands):
    """The view that a bot chooses by hides the cards of all other seats."""
    game_id = table(commands, "greedy", "random")
    live = commands.live.get(game_id, 0)
    seen = view(live.game, 0, live.last)
    assert None not in seen.board.seats[0].hand
    assert set(seen.board.seats[1].hand) == {None}


def test_a_bot_never_resigns(commands):
    """What bots choose from does not hold resigning."""
    live = commands.live.get(table(commands, "random", "random"), 0)
    seen = view(live.game, 0, live.last)
    assert Resign() in seen.legal_actions
    assert Resign() not in choices(seen)


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_view_and_luck_give_the_same_choice(commands, bot):
    """A bot has no memory: it chooses by the view and the dice it is given."""
    live = commands.live.get(table(commands, "greedy", "greedy"), 0)
    seen = view(live.game, 0, live.last)
    assert {BOTS[bot](seen, Random(3)) for _ in range(5)} == {BOTS[bot](seen, Random(3))}


def test_the_greedy_bot_beats_the_random_one(commands):
    """Over ten games from fixed seeds the greedy bot wins at least eight."""
    plan = simulation.Plan("keltis", 10, "strength", ("random", "greedy"))
    wins = 0
    for number in range(plan.games):
        game = commands.live.get(simulation.play(plan, number, commands)).game
        wins += game.rules.ranks(game.board)[1] == 1
    assert wins >= 8


def test_a_bot_does_not_move_for_a_person(commands):
    """While a person is to act, no bot does."""
    game_id = table(commands, "greedy", host_plays=True)
    assert bot_to_act(commands.live.get(game_id).game) is None
    assert not move_bot(commands, game_id)
    assert version(commands, game_id) == 2


def test_bots_wait_in_the_view_while_it_is_their_turn(commands, views):
    """The set of waiting games follows the feed: a game is in it when a bot is to act."""
    mine, theirs = table(commands, "greedy", host_plays=True, key="a"), table(commands, "greedy", "random", key="b")
    follower = Follower(commands.store, views, BotsProjection(commands, views))
    follower.drain()
    assert views.members(views.key("waiting")) == [theirs]
    host = Actor(commands.create_player("Ada", "ada").id, "Ada", 0)
    while bot_to_act(commands.live.get(mine, 0).game) is None:
        live = commands.live.get(mine, 0)
        action = view(live.game, 0, live.last).legal_actions[0]
        commands.act(mine, host, action, f"k{live.game.version}", live.game.version)
    follower.drain()
    assert views.members(views.key("waiting")) == sorted([mine, theirs])


def test_a_second_process_moves_the_same_and_doubles_nothing(commands, views):
    """Two processes whose bots move at once come to one entry for each version."""
    game_id = table(commands, "random", "random")
    other = Commands(commands.store, commands.keys, utc_now)
    for _ in range(30):
        before = version(commands, game_id)
        live = other.live.get(game_id, 0, 1)
        seat = bot_to_act(live.game).seat
        seen = view(live.game, seat, live.last)
        assert move_bot(commands, game_id)
        chance = commands.keys.derive("bot", f"{game_id}/{before}")
        by = Actor("bot:random", "random bot", seat)
        other.act(game_id, by, BOTS["random"](seen, Random(chance)), f"bot-{before}", before)
        assert version(commands, game_id) == before + 1


def test_after_a_restart_every_waiting_bot_moves(commands, views):
    """A bot whose turn was known before a crash moves after it, though the feed brings nothing new."""
    games = [table(commands, "greedy", "random", key=f"t{number}") for number in range(3)]
    Follower(commands.store, views, BotsProjection(commands, views)).drain()
    restarted = Commands(commands.store, commands.keys, utc_now)
    BotMoves(restarted, views).move_all()
    assert [version(commands, game_id) for game_id in games] == [3, 3, 3]


def test_a_game_that_cannot_be_opened_holds_up_no_other(commands, views):
    """A game whose keys are lost is left alone, looked at again later, and the bots of all other games move."""
    strangers = Commands(commands.store, simulation.keys_of("lost"), utc_now)
    sealed, known = table(strangers, "greedy", "greedy"), table(commands, "greedy", "greedy")
    Follower(commands.store, views, BotsProjection(commands, views)).drain()
    assert views.members(views.key("waiting")) == [known]
    with views.saving(views.checkpoint(), views.checkpoint()) as writes:
        writes.sadd(views.key("waiting"), sealed)  # as it was before the keys were lost
    moves = BotMoves(commands, views, clock=lambda: 100.0)
    moves.move_all()
    assert [version(commands, game_id) for game_id in (sealed, known)] == [2, 3]


def test_bots_wait_for_their_pause(commands, views):
    """With a pause each game's bots move at most once in it, and games do not wait for each other."""
    games = [table(commands, "greedy", "greedy", key=f"t{number}") for number in range(2)]
    Follower(commands.store, views, BotsProjection(commands, views)).drain()
    now = 100.0
    moves = BotMoves(commands, views, pause_s=0.5, clock=lambda: now)
    assert moves.move_all() == pytest.approx(0.5)
    assert [version(commands, game_id) for game_id in games] == [2, 2]
    now += 0.5
    assert moves.move_all() == pytest.approx(0.5)
    assert [version(commands, game_id) for game_id in games] == [3, 3]


def test_the_demo_is_found_again_and_followed_by_the_next(commands):
    """A second start finds the running demo; once that has ended, a new one begins."""
    first = running_demo(commands)
    assert running_demo(commands) == first
    while move_bot(commands, first):
        pass
    assert running_demo(commands) != first
