"""Who stands on an entry: a forged actor is refused at its own ply, running games and closed ones alike."""

from collections.abc import Sequence
from functools import cache

import pytest

from events.actions import CloseGame, CreateGame, JoinGame, LeaveGame, Resign, SeatBot, StartGame
from events.catalogue import SeatLeft, SeatTaken
from events.entries import Entry
from replay.audit import audit
from tests.events.seated import ADA, BEN, Match, order
from tests.replay.played import changed, failed, record, renumbered, with_fields

UNKNOWN = ["", "bot:", "bot:grumpy", "robot:x", "BOT:greedy", "service ", "p0\n", "Ada"]
"""Actors who are written as nobody is."""


@cache
def mixed() -> tuple[Entry, ...]:
    """Return a closed game of two people and a bot: opened, a bot seated, joined, left, joined, moves, resignations."""
    match = Match(order(4, host_plays=True))
    match.ask(ADA, SeatBot("greedy"))
    match.ask(BEN, JoinGame("salt"))
    match.ask(BEN, LeaveGame())
    match.ask(BEN, JoinGame("pepper"))
    match.ask(ADA, StartGame("more salt"))
    for _ in range(12):
        match.move(match.moves()[0])
    match.move(Resign(), 0)
    match.move(Resign(), 2)
    match.close()
    return tuple(match.entries)


def ply_of(action: type, seat: int | None = None) -> int:
    """Return the first ply at which `seat` (None for the table) asked for `action`."""
    return next(entry.version for entry in mixed() if isinstance(entry.action, action) and entry.seat == seat)


def refused(entries: Sequence[Entry], ply: int) -> bool:
    """Tell whether the audit names `ply` as illegal, in the whole record and in one that breaks off there."""
    return all(failed(audit(record(part))) == ("legality", ply) for part in (entries, entries[:ply]))


def move_of(seat: int) -> int:
    """Return the ply of the first move of `seat`."""
    return next(entry.version for entry in mixed() if entry.seat == seat)


PLIES = range(1, len(mixed()) + 1)


def test_a_game_of_people_and_bots_is_right():
    """Each entry by the one who may: players at the table, players and bots on their seats, the service at the end."""
    assert audit(record(mixed())).good
    assert [entry.by for entry in mixed()][:6] == ["ada", "ada", "ben", "ben", "ben", "ada"]
    assert {entry.by for entry in mixed()[6:]} == {"ada", "ben", "bot:greedy", "service"}


@pytest.mark.parametrize("by", UNKNOWN)
@pytest.mark.parametrize("ply", PLIES)
def test_nobody_acts_who_is_unknown(ply: int, by: str):
    """Whatever an entry does, it is refused at its ply if an actor of unknown form stands on it."""
    assert refused(with_actor(ply, by), ply)


def with_actor(ply: int, by: str) -> list[Entry]:
    """Return the game with another actor at `ply`, and what that entry says of the actor made to fit."""
    entry = mixed()[ply - 1]
    events = []
    for event in entry.events:
        if isinstance(event, SeatTaken) and event.player == entry.by:
            event = with_fields(event, player=by)  # noqa: PLW2901  # the same event, told of somebody else
        if hasattr(event, "host"):
            event = with_fields(event, host=by)  # noqa: PLW2901  # as above
        events.append(event)
    return changed(mixed(), ply, by=by, events=tuple(events))


@pytest.mark.parametrize("ply", [ply for ply in PLIES if not isinstance(mixed()[ply - 1].action, CloseGame)])
def test_the_service_does_nothing_but_close(ply: int):
    """No entry but the closing one is by the service."""
    assert refused(with_actor(ply, "service"), ply)


@pytest.mark.parametrize("by", ["ada", "ben", "bot:greedy", *UNKNOWN])
def test_nobody_but_the_service_closes(by: str):
    """The closing entry is by the service, not by the host, a player or a bot."""
    last = len(mixed())
    assert isinstance(mixed()[-1].action, CloseGame)
    assert failed(audit(record(changed(mixed(), last, by=by)))) == ("legality", last)


@pytest.mark.parametrize("action", [CreateGame, SeatBot, JoinGame, LeaveGame, StartGame])
def test_bots_do_nothing_at_a_table(action: type):
    """A bot hosts no table, seats no bot, neither joins nor leaves, and starts no game, though it sits there."""
    ply = ply_of(action)
    assert refused(with_actor(ply, "bot:greedy"), ply)
    assert refused(with_actor(ply, "bot:random"), ply)


def test_a_bot_does_not_leave_the_seat_that_it_has():
    """An entry with which a bot gives its seat back is refused, though the bot sits there."""
    leaving = with_fields(mixed()[3], by="bot:greedy", events=(SeatLeft(1),))
    assert refused(renumbered([*mixed()[:3], leaving, *mixed()[5:]]), 4)


def test_a_bot_does_not_act_for_a_persons_seat_nor_a_person_for_a_bots():
    """A move, and a resignation too, is by the one who sits on the seat that it names."""
    for ply in (move_of(0), move_of(2), ply_of(Resign, 0)):
        assert refused(changed(mixed(), ply, by="bot:greedy"), ply)
    for ply in (move_of(0), move_of(2)):
        assert refused(changed(mixed(), ply, by="bot:greedy", seat=1), ply)
    for by in ("ada", "ben", "bot:random"):
        assert refused(changed(mixed(), move_of(1), by=by), move_of(1))


def test_a_bot_that_sits_down_is_seated_by_the_host():
    """Neither another player nor the bot itself stands on the entry that seats a bot."""
    ply = ply_of(SeatBot)
    for by in ("ben", "bot:greedy", "service"):
        assert refused(changed(mixed(), ply, by=by), ply)


# Orders


@pytest.mark.parametrize(
    "wrong",
    [
        {"reserved": ("ada",)},
        {"reserved": ("ada", "ben", "bot:greedy", "bot:grumpy")},
        {"reserved": ("ada", "ada", "ben", "bot:greedy")},
        {"first": 4},
        {"first": -1},
        {"invited": ("ben",)},
        {"access": "invited", "invited": ("bot:greedy",)},
        {"link": "00" * 32},
    ],
    ids=str,
)
def test_a_table_that_does_not_go_together_is_refused(wrong: dict[str, object]):
    """An order that the rules of tables refuse is refused in a record, though the table is as it was ordered."""
    entry = mixed()[0]
    created = with_fields(entry.events[0], **wrong)
    events = (created, *entry.events[1:])
    assert refused(changed(mixed(), 1, action=with_fields(entry.action, **wrong), events=events), 1)


@pytest.mark.parametrize("wrong", [{"reserved": ("ada",)}, {"first": 9}, {"invited": ("ben",)}, {"link": "x"}], ids=str)
def test_a_table_that_was_not_ordered_so_is_named(wrong: dict[str, object]):
    """A table that differs from its order is not what the rules yield."""
    entry = mixed()[0]
    events = (with_fields(entry.events[0], **wrong), *entry.events[1:])
    assert failed(audit(record(changed(mixed(), 1, events=events)))) == ("events", 1)
