"""The table around a game: sitting down, starting, closing."""

import msgspec
import pytest

from events.actions import CloseGame, CreatePlayer, DiscardCard, JoinGame, LeaveGame, Resign, SeatBot, StartGame
from events.catalogue import GameCreated, GameScored, GameStarted, SeatLeft, SeatTaken, SeedRevealed
from events.deal import ALL, SPECTATOR
from events.game import Game, ImpossibleEntry, UnknownGame, options_of, redecide
from events.refusals import IllegalAction
from events.shuffle import commitment
from tests.events.seated import ADA, BEN, CARO, DAN, OPTIONS, SEED, SERVICE, Match, order, started


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
    """A rematch names who begins; the number is taken round the seats."""
    for first in range(4):
        match = Match(order(2, first=first))
        match.ask(BEN, JoinGame())
        assert match.to_act == first % 2


def finished():
    match = started(2)
    match.move(Resign(), 1)
    return match


def test_only_a_game_that_is_over_is_closed():
    """Before the end, and before the start, there is nothing to close."""
    assert Match(order()).refusal(SERVICE, CloseGame()) == "game-not-over"
    assert started(2).refusal(SERVICE, CloseGame()) == "game-not-over"


def test_the_closing_entry_reveals_and_scores():
    """It opens the seed and writes every seat's sheet and rank, and the reason of the end."""
    match = finished()
    assert match.game.table.status == "ended"
    revealed, scored = match.close()
    assert revealed == SeedRevealed(SEED.hex())
    assert isinstance(scored, GameScored)
    assert (scored.reason, scored.ranks) == ("resignation", (1, 2))
    assert scored.sheets == match.game.table.sheets == match.game.rules.score_sheets(match.game.board)
    assert (match.game.table.status, match.game.table.seed) == ("closed", SEED.hex())


def test_a_game_is_closed_once():
    """A second closing entry is refused."""
    match = finished()
    match.close()
    assert match.refusal(SERVICE, CloseGame()) == "game-closed"


@pytest.mark.parametrize("closed", [False, True])
def test_after_the_end_nobody_moves(closed):
    """A game that is over or closed takes no move and no resignation."""
    match = finished()
    if closed:
        match.close()
    assert match.refusal(ADA, DiscardCard("pink-7"), 0) == "game-over"
    assert match.refusal(ADA, Resign(), 0) == "game-over"


def test_a_copied_game_goes_on_apart():
    """What happens in a copy does not happen in the game."""
    match = started(2)
    copy = match.game.copy()
    before = str(match.game.look(ALL).hands.cards)
    match.move(DiscardCard(match.game.look(ALL).hands.cards[match.to_act][0]))
    assert str(copy.look(ALL).hands.cards) == before
    assert (copy.version, match.game.version) == (2, 3)
    assert sum(map(len, copy.board.piles.values())) == 0


def test_eyes_are_adopted_from_the_same_game():
    """A game takes over the hands that another fold of it keeps for some eyes."""
    match = started(2)
    blind = Game("g7", match.game.table.created)
    for entry in match.entries:
        blind.apply(entry, eyes=(SPECTATOR,), seed=SEED)
    assert not blind.sees(0)
    blind.adopt(0, match.game)
    assert blind.look(0).hands.cards == match.game.look(0).hands.cards


def test_without_the_seed_every_card_is_unknown():
    """A log folds without its seed too; then no eyes know a card that was not laid open."""
    match = started(2)
    blind = Game("g7", match.game.table.created)
    for entry in match.entries:
        blind.apply(entry, eyes=(ALL, 0))
    assert blind.look(ALL).hands.cards == blind.look(0).hands.cards == [[None] * 8] * 2


def test_every_entry_is_decided_anew():
    """From the entries and the seed the same events follow, one by one."""
    match = finished()
    match.close()
    game = None
    for entry in match.entries:
        assert redecide(game, "g7", entry, SEED) == entry.events
        game = game or Game("g7", entry.events[0])
        game.apply(entry, eyes=(ALL,), seed=SEED)


@pytest.mark.parametrize("fields", [{"action": order()}, {"by": "ada"}, {"seat": 7}, {"seat": -1}])
def test_entries_that_cannot_stand_are_named(fields):
    """A second creation, or an actor who does not sit on the acting seat, is impossible whatever the rules say."""
    match = finished()
    resigned = match.entries[-1]
    assert (resigned.by, resigned.seat) == ("ben", 1)
    with pytest.raises(ImpossibleEntry):
        redecide(match.game, "g7", msgspec.structs.replace(resigned, **fields), SEED)


@pytest.mark.parametrize("place", [0, 1])
def test_a_log_begins_with_its_creation(place):
    """The first entry creates the game, with its own event."""
    entry = msgspec.structs.replace(finished().entries[place], events=())
    with pytest.raises(ImpossibleEntry):
        redecide(None, "g7", entry, SEED)
