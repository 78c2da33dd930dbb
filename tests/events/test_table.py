"""The table around a game: sitting down, starting, closing."""

import msgspec
import pytest

from events.actions import CreatePlayer, DiscardCard, JoinGame, LeaveGame, Resign, SeatBot, StartGame
from events.catalogue import GameCreated, GameStarted, SeatLeft, SeatTaken
from events.game import UnknownGame, options_of
from events.refusals import IllegalAction
from events.shuffle import commitment
from tests.events.seated import ADA, BEN, CARO, DAN, OPTIONS, SEED, Match, order, started


def players(match):
    return [chair and chair.player for chair in match.game.table.chairs]


def test_a_table_opens_with_what_was_asked():
    """The first event holds every wish, the rules' revision, the seed's commitment and its seal."""
    match = Match(order(4, access="invited", invited=("ben",), mode="unrated"))
    created = match.entries[0].events[0]
    assert created == GameCreated(
        game="keltis",
        revision=1,
        seats=4,
        options=OPTIONS,
        access="invited",
        mode="unrated",
        host="ada",
        commitment=commitment(SEED),
        seal="sealed",
        invited=("ben",),
    )
    assert match.game.table.status == "open"


def test_the_host_sits_down_first_if_it_plays():
    """A playing host takes seat 0, the bots that it asked for the next ones."""
    assert players(Match(order(4, bots=("greedy", "random")))) == ["ada", "bot:greedy", "bot:random", None]
    assert players(Match(order(3, host_plays=False))) == [None, None, None]


def test_a_table_has_no_more_bots_than_seats():
    """A table that would overflow is not opened."""
    with pytest.raises(IllegalAction, match="table-full"):
        Match(order(2, bots=("greedy", "greedy")))


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 100])
def test_keltis_is_for_two_to_four(seats):
    """A table for another number of seats is not opened."""
    with pytest.raises(IllegalAction, match="seats-not-offered"):
        Match(order(seats))


@pytest.mark.parametrize("options", [{"direction": "down"}, {"mulligan": True}, {"redraw_own_discard": "yes"}])
def test_a_table_has_its_games_options(options):
    """A table with an unknown option or value is not opened."""
    with pytest.raises(UnknownGame, match="options"):
        Match(order(options=options))


def test_unknown_games_are_not_played():
    """A table for a game that nobody here knows is not opened."""
    with pytest.raises(UnknownGame, match="chess"):
        Match(order(game="chess"))


@pytest.mark.parametrize("fields", [{"revision": 2}, {"game": "chess"}])
def test_other_revisions_are_not_folded(fields):
    """A log of rules that this code does not hold is refused, never guessed."""
    created = msgspec.structs.replace(Match(order()).game.table.created, **fields)
    with pytest.raises(UnknownGame, match="unknown here"):
        options_of(created)


def test_who_joins_takes_the_first_free_seat():
    """Seats fill from 0 on, also those that were given back."""
    match = Match(order(4))
    match.ask(BEN, JoinGame())
    match.ask(CARO, JoinGame())
    assert match.ask(BEN, LeaveGame()) == (SeatLeft(1),)
    assert match.ask(DAN, JoinGame("salt")) == (SeatTaken(1, "dan", "Dan", "salt"),)
    assert players(match) == ["ada", "dan", "caro", None]


def test_nobody_sits_twice():
    """A player has one seat at a table."""
    assert Match(order()).refusal(ADA, JoinGame()) == "already-seated"


def test_the_host_may_sit_down_later():
    """A host that did not play at first may join, an invited table included."""
    match = Match(order(access="invited", host_plays=False))
    assert match.refusal(ADA, JoinGame()) is None


def test_an_invited_table_is_for_the_invited():
    """Others may not sit down."""
    match = Match(order(access="invited", invited=("ben",)))
    assert match.refusal(BEN, JoinGame()) is None
    assert match.refusal(CARO, JoinGame()) == "not-invited"


def test_reserved_seats_are_kept_for_their_players():
    """In a rematch everybody gets the seat that is reserved, and nobody else a seat."""
    match = Match(order(3, reserved=("caro", "ada", "bot:greedy"), bots=("greedy",), first=1))
    assert players(match) == [None, "ada", "bot:greedy"]
    assert match.refusal(BEN, JoinGame()) == "seat-reserved"
    assert match.refusal(ADA, SeatBot("random")) == "seat-reserved"
    assert match.ask(CARO, JoinGame())[0] == SeatTaken(0, "caro", "Caro")
    assert match.game.board.turns.seat == 1


def test_bots_sit_down_for_the_host_alone():
    """Only the host seats bots, only known ones, and as many of a kind as it likes."""
    match = Match(order(4))
    assert match.refusal(BEN, SeatBot("greedy")) == "not-the-host"
    assert match.refusal(ADA, SeatBot("grumpy")) == "unknown-bot"
    match.ask(ADA, SeatBot("greedy"))
    match.ask(ADA, SeatBot("greedy"))
    assert players(match) == ["ada", "bot:greedy", "bot:greedy", None]
    assert match.game.table.occupants[1].bot == "greedy"
    assert match.game.table.occupants[0].bot is None


def test_the_last_seat_starts_the_game():
    """A table starts by itself when somebody takes its last seat."""
    match = Match(order(2))
    events = match.ask(BEN, JoinGame())
    assert [type(event) for event in events] == [SeatTaken, GameStarted]
    assert match.game.table.status == "running"


def test_a_bot_on_the_last_seat_leaves_the_start_to_the_host():
    """The host of a table that a bot filled may still add entropy, and starts the game."""
    match = Match(order(2))
    assert len(match.ask(ADA, SeatBot("greedy"))) == 1
    assert match.ask(ADA, StartGame("salt"))[0].entropy == "salt"


def test_a_table_is_never_overfilled():
    """When every seat is taken nobody else sits down, whether the game has started or not."""
    match = Match(order(2, bots=("greedy",)))
    assert match.refusal(BEN, JoinGame()) == "table-full"
    match.ask(ADA, StartGame())
    assert match.refusal(BEN, JoinGame()) == "game-started"


def test_the_host_starts_with_the_seats_that_are_taken():
    """Free seats are left out, and the taken ones are numbered anew in their order."""
    match = Match(order(4))
    for person in (BEN, CARO):
        match.ask(person, JoinGame())
    match.ask(BEN, LeaveGame())
    (event,) = match.ask(ADA, StartGame())
    assert event.seats == (0, 2)
    assert players(match) == ["ada", "caro"]
    assert match.game.table.seat_of("caro") == 1
    assert len(match.game.board.seats) == 2
    assert match.game.board.deck_left == 64


def test_only_the_host_starts():
    """Another player at the table cannot start it."""
    match = Match(order(3))
    match.ask(BEN, JoinGame())
    assert match.refusal(BEN, StartGame()) == "not-the-host"


def test_a_host_that_does_not_play_starts_too():
    """The host need not sit at the table."""
    match = Match(order(3, host_plays=False))
    for person in (BEN, CARO):
        match.ask(person, JoinGame())
    assert match.refusal(ADA, StartGame()) is None


def test_nobody_plays_alone():
    """At least two seats must be taken."""
    assert Match(order()).refusal(ADA, StartGame()) == "too-few-seats"


@pytest.mark.parametrize("action", [JoinGame(), LeaveGame(), StartGame(), SeatBot("greedy"), order()])
def test_the_start_closes_the_table(action):
    """Once the game has started nobody joins, leaves, seats a bot or starts it again."""
    match = started(2)
    assert match.refusal(ADA, action) == "game-started"


def test_a_player_is_no_game():
    """An action of another stream is refused by a game."""
    assert Match(order()).refusal(ADA, CreatePlayer("Ada", "")) == "game-started"


def test_who_has_no_seat_gives_none_back():
    """Leaving is for those who sit."""
    assert Match(order()).refusal(BEN, LeaveGame()) == "not-seated"


@pytest.mark.parametrize("action", [DiscardCard("pink-7"), Resign()])
def test_nobody_moves_before_the_start(action):
    """Moves and resignations need a running game."""
    assert Match(order()).refusal(ADA, action, 0) == "game-not-started"


def test_only_seats_move():
    """Somebody without a seat cannot move."""
    match = started(2)
    assert match.refusal(CARO, match.moves()[0]) == "not-seated"


def test_a_first_seat_that_was_chosen_begins():
    """A rematch names who begins; if fewer seats are taken at the start, the number is taken round those."""
    for first in range(4):
        match = Match(order(4, first=first))
        match.ask(BEN, JoinGame())
        match.ask(ADA, StartGame())
        assert match.to_act == first % 2
