"""What is asked of a table has to go together, and those who sit down have to be players or known bots."""

import pytest

from events.actions import JoinGame, LeaveGame, SeatBot, StartGame
from events.table import Occupant, is_player
from tests.events.seated import ADA, BEN, CARO, SERVICE, Match, order, unopened

BOT = Occupant("bot:greedy", "greedy bot", None)
ODD = ["", "service", "bot:greedy", "bot:grumpy", "Ada", "p 0", "p0\n", "9", "ada/ben", "á", "p" * 41]
LINK = "00" * 32


@pytest.mark.parametrize("actor", ODD)
def test_only_players_open_tables(actor):
    """The host is a player: no bot opens a table, nor does the service, nor anybody of unknown form."""
    assert not is_player(actor)
    for host_plays in (True, False):
        assert unopened(order(3, host_plays=host_plays), Occupant(actor, "", None)) == "not-a-player"


@pytest.mark.parametrize("actor", ODD)
def test_only_players_join(actor):
    """Bots are seated by the host; they do not join by themselves, and nobody else but players does."""
    assert Match(order()).refusal(Occupant(actor, "", None), JoinGame()) == "not-a-player"


def test_bots_do_not_leave():
    """A bot that sits at a table stays there, and seats no other."""
    match = Match(order(4, bots=("greedy",)))
    assert match.refusal(BOT, LeaveGame()) == "not-a-player"
    assert match.refusal(BOT, SeatBot("random")) == "not-the-host"
    assert match.refusal(BOT, StartGame()) == "not-the-host"


def test_the_service_does_nothing_at_a_table():
    """The service closes games; it neither sits down, nor seats bots, nor starts a game."""
    match = Match(order(4, bots=("greedy",)))
    refused = [match.refusal(SERVICE, action) for action in (JoinGame(), LeaveGame(), SeatBot("random"), StartGame())]
    assert refused == ["not-a-player", "not-a-player", "not-the-host", "not-the-host"]


@pytest.mark.parametrize("access", ["open", "private"])
def test_only_an_invited_table_has_a_list_of_the_invited(access):
    """A list that nobody reads is refused."""
    assert unopened(order(access=access, invited=("ben",))) == "not-an-invited-table"
    assert unopened(order(access="invited", invited=("ben",))) is None
    assert unopened(order(access="invited")) is None


@pytest.mark.parametrize("actor", ODD)
def test_only_players_are_invited(actor):
    """Whoever could never sit down cannot be invited either."""
    assert unopened(order(access="invited", invited=("ben", actor))) == "not-a-player"


@pytest.mark.parametrize("access", ["open", "invited"])
def test_only_a_private_table_has_a_link(access):
    """A link that opens nothing is refused. A private table that bots fill needs none."""
    assert unopened(order(access=access, link=LINK)) == "not-a-private-table"
    assert unopened(order(access="private", link=LINK)) is None
    assert unopened(order(access="private")) is None


@pytest.mark.parametrize(
    "reserved",
    [
        ("ada",),
        ("ada", "ben"),
        ("ada", "ben", "caro", "dan"),
        ("ada", "ben", "ben"),
        ("ada", "ben", "bot:grumpy"),
        ("ada", "ben", "bot:"),
        ("ada", "ben", "service"),
        ("ada", "ben", ""),
        ("ada", "ben", "Caro"),
    ],
    ids=str,
)
def test_seats_are_kept_for_nobody_or_each_for_one_who_may_take_it(reserved):
    """As many names as seats, no player twice, and nobody who is neither a player nor a known bot."""
    assert unopened(order(3, reserved=reserved)) == "seats-kept-wrongly"


def test_seats_may_be_kept_for_players_and_bots():
    """Several bots of one name may have a seat each; so may a player whose id is a bot's bare name."""
    assert unopened(order(3, reserved=("bot:greedy", "ada", "bot:greedy"), bots=("greedy", "greedy"))) is None
    assert unopened(order(3, reserved=("greedy", "ada", "bot:greedy"), bots=("greedy",))) is None
    assert unopened(order(3, reserved=("greedy", "ada", "greedy"))) == "seats-kept-wrongly"


def test_seats_of_an_invited_table_are_kept_for_the_invited():
    """A seat that is kept for somebody who may not sit down would stay empty; host and bots need no invitation."""
    kept = ("ada", "ben", "bot:random")
    assert unopened(order(3, access="invited", reserved=kept)) == "seats-kept-wrongly"
    assert unopened(order(3, access="invited", reserved=kept, invited=("caro",))) == "seats-kept-wrongly"
    assert unopened(order(3, access="invited", reserved=kept, invited=("ben",), bots=("random",))) is None


def test_a_host_without_a_kept_seat_cannot_play():
    """Where every seat is kept for others the host may open the table, but not sit at it."""
    kept = order(2, reserved=("ben", "caro"), host_plays=False)
    assert unopened(kept) is None
    assert Match(kept).refusal(ADA, JoinGame()) == "seat-reserved"
    assert unopened(order(2, reserved=("ben", "caro"))) == "seat-reserved"


@pytest.mark.parametrize("first", [-1, 3, 4, 10**9])
def test_the_first_seat_is_one_of_the_table(first):
    """A table of three has the seats 0, 1 and 2 and no other."""
    assert unopened(order(3, first=first)) == "no-such-first-seat"
    assert all(unopened(order(3, first=seat)) is None for seat in range(3))


def test_an_order_as_a_rematch_makes_it_is_opened():
    """Seats kept for all, the people among them invited, the next seat first: everybody finds the own seat."""
    kept = ("ben", "bot:greedy", "ada", "caro")
    people = {"access": "invited", "invited": ("ben", "ada", "caro")}
    match = Match(order(4, bots=("greedy",), reserved=kept, first=3, rematch_of="g6", **people))
    for person in (CARO, BEN):
        match.ask(person, JoinGame())
    assert tuple(occupant.player for occupant in match.game.table.occupants) == kept
    assert match.to_act == 3
