"""Forged games, chained and signed anew: the check that finds them, and the ply that it names."""

from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.actions import CloseGame, DiscardCard, DrawCard, JoinGame, LeaveGame, PlayCard, StartGame
from events.catalogue import CardDiscarded, DiscardTaken, GameScored, GameStarted, SeedRevealed
from replay.audit import audit
from tests.replay.played import (
    GAME_ID,
    Playing,
    changed,
    failed,
    finished,
    opened_by_host,
    record,
    renumbered,
    results,
    ring,
    with_fields,
)


def first_ply(kind: type, after: int = 0) -> int:
    """Return the first ply after `after` whose action is of `kind`, in the usual game."""
    return next(entry.version for entry in finished() if entry.version > after and isinstance(entry.action, kind))


def forged(entries: Any, **known: Any) -> tuple[str, int | None]:
    """Return the first check that fails on `entries`, chained and signed anew by somebody else."""
    return failed(audit(record(entries, ring(b"x")), **known))


def test_another_key_is_named_if_the_right_one_is_known():
    """An honest copy signed by somebody else is told from the service's own by the trusted key."""
    data = record(finished(), ring(b"x"))
    assert audit(data).good
    assert failed(audit(data, ring().public_key)) == ("signature", len(finished()) + 1)


def test_a_clock_that_runs_back_is_named():
    """Times may stand still, never run back, and are written in one way."""
    assert forged(changed(finished(), 30, at="2026-12-01T09:00:00.000Z")) == ("times", 30)
    assert forged(changed(finished(), 30, at="2026-12-01T10:00:99.000Z")) == ("times", 30)
    assert forged(changed(finished(), 30, at="2026-12-01 10:00:30")) == ("times", 30)
    still = changed(finished(), 30, at=finished()[28].at)
    assert audit(record(still)).good


def test_another_seed_breaks_the_commitment():
    """A seed revealed at the end that is not the committed one is named at the closing entry."""
    last = len(finished())
    events = finished()[-1].events
    assert isinstance(events[0], SeedRevealed)
    assert forged(changed(finished(), last, events=(SeedRevealed("00" * 32), *events[1:]))) == ("commitment", last)
    assert forged(changed(finished(), last, events=(SeedRevealed("seed"), *events[1:]))) == ("commitment", last)


def test_another_shuffle_is_named_at_the_start():
    """Tiles or a first seat that do not follow from the seed are named where the cards are dealt."""
    ply = next(entry.version for entry in finished() if isinstance(entry.events[-1], GameStarted))
    *before, started = finished()[ply - 1].events
    turned = with_fields(started, tiles=started.tiles[::-1])
    assert forged(changed(finished(), ply, events=(*before, turned))) == ("shuffle", ply)
    moved = with_fields(started, first=(started.first + 1) % 3)
    assert forged(changed(finished(), ply, events=(*before, moved))) == ("shuffle", ply)


def test_another_entropy_is_named_at_the_start():
    """The shuffle follows from what every player added; a changed addition does not go with it."""
    entry = finished()[1]
    taken = with_fields(entry.events[0], entropy="other")
    assert forged(changed(finished(), 2, action=JoinGame("other"), events=(taken,)))[0] == "shuffle"


def test_a_card_that_was_not_held_is_named():
    """With the deck open, a card that the seat did not hold is an illegal action of that ply."""
    ply = first_ply(DiscardCard, after=30)
    cards = {f"{colour}-{value}" for colour in ("red", "pink", "blue") for value in range(11)}
    entry = finished()[ply - 1]
    found = {forged(changed(finished(), ply, action=DiscardCard(card))) for card in cards - {entry.action.card}}
    assert found <= {("legality", ply), ("events", ply)}
    assert ("legality", ply) in found


def test_an_action_of_another_seat_or_player_is_named():
    """Who acts is checked: the seat has to be the one whose turn it is, and the actor the one who sits there."""
    ply = first_ply(DrawCard, after=20)
    entry = finished()[ply - 1]
    other = (entry.seat + 1) % 3
    assert forged(changed(finished(), ply, by="p9")) == ("legality", ply)
    assert forged(changed(finished(), ply, by=f"p{other}")) == ("legality", ply)
    assert forged(changed(finished(), ply, seat=other, by=f"p{other}")) == ("legality", ply)
    assert forged(changed(finished(), ply, seat=99)) == ("legality", ply)
    assert forged(changed(finished(), ply, seat=-1)) == ("legality", ply)
    assert forged(changed(finished(), ply, seat=None)) == ("legality", ply)


@pytest.mark.parametrize("ply", [1, 2, 3])
@pytest.mark.parametrize("seat", [0, 1, 2, 99])
def test_what_concerns_the_table_is_done_for_no_seat(ply: int, seat: int):
    """An entry that opens, joins or starts a table names no seat, not even the actor's own."""
    assert forged(changed(finished(), ply, seat=seat)) == ("legality", ply)


def test_who_leaves_leaves_for_no_seat():
    """Somebody who sits there leaves the table, not the seat of a game."""
    playing = Playing(3, 1)
    playing.act(None, playing.people[1], JoinGame())
    playing.act(None, playing.people[1], LeaveGame())
    assert audit(record(playing.entries)).good
    assert forged(changed(playing.entries, 3, seat=1)) == ("legality", 3)


@pytest.mark.parametrize("first", [1, 2, 20])
def test_a_request_that_was_answered_twice_is_named(first: int):
    """No two entries carry one request, whatever they do."""
    again = finished()[first - 1].request
    assert forged(changed(finished(), 30, request=again)) == ("legality", 30)


def test_only_the_service_closes_and_it_does_nothing_else():
    """A closing entry by a player, or a player's action by the service, is named."""
    assert forged(changed(finished(), len(finished()), by="p0")) == ("legality", len(finished()))
    assert forged(changed(finished(), 2, by="service")) == ("legality", 2)


def test_a_stranger_cannot_start_a_table():
    """The start is checked like every action: only the host may ask for it."""
    playing = opened_by_host(3)
    assert forged(changed(playing.entries, 3, by="p1")) == ("legality", 3)
    assert isinstance(playing.entries[2].action, StartGame)


def test_events_that_did_not_follow_are_named():
    """An event left out, added or changed is not what the rules yield."""
    ply = first_ply(PlayCard, after=10)
    events = finished()[ply - 1].events
    assert forged(changed(finished(), ply, events=events[:-1])) == ("events", ply)
    assert forged(changed(finished(), ply, events=(*events, events[-1]))) == ("events", ply)
    assert forged(changed(finished(), ply, events=())) == ("events", ply)


def test_a_left_out_ply_is_found_when_everything_is_made_to_fit():
    """Leaving an entry out and numbering, chaining and signing the rest anew does not help."""
    ply = first_ply(DrawCard, after=50)
    name, at = forged(renumbered([*finished()[: ply - 1], *finished()[ply:]]))
    assert (name, at) == ("legality", ply)


def test_forged_score_sheets_are_named_by_two_checks():
    """A score that the events do not add up to is found by deciding anew and by counting anew."""
    last = len(finished())
    revealed, scored = finished()[-1].events
    assert isinstance(scored, GameScored)
    sheet = scored.sheets[0] | {"tiles": scored.sheets[0]["tiles"] + 1, "total": scored.sheets[0]["total"] + 1}
    events = (revealed, with_fields(scored, sheets=(sheet, *scored.sheets[1:])))
    verdict = audit(record(changed(finished(), last, events=events), ring(b"x")), ring().public_key)
    wrong = {check.name: check.ply for check in verdict.checks if check.result == "failed"}
    assert wrong == {"signature": last + 1, "events": last, "scores": last}


def test_forged_ranks_are_named():
    """Ranks are counted anew from the sheets and the order of resigning."""
    last = len(finished())
    revealed, scored = finished()[-1].events
    events = (revealed, with_fields(scored, ranks=scored.ranks[::-1]))
    verdict = audit(record(changed(finished(), last, events=events)))
    assert {check.name for check in verdict.checks if check.result == "failed"} == {"events", "ranks"}


def test_nothing_follows_the_end():
    """A closed game takes no further entry."""
    again = with_fields(finished()[-1], version=len(finished()) + 1)
    assert forged([*finished(), again]) == ("legality", len(finished()) + 1)


def test_a_closing_entry_needs_the_seed():
    """A closing entry that reveals no seed is not one that the rules yield."""
    last = len(finished())
    assert isinstance(finished()[-1].action, CloseGame)
    assert forged(changed(finished(), last, events=finished()[-1].events[1:])) == ("legality", last)


# Running games


def test_a_running_game_is_judged_as_far_as_a_spectator_can():
    """Without the seed, a third copy of a card, a wrong turn and wrong tiles are still found."""
    running = list(finished()[:120])
    ply = first_ply(DrawCard, after=90)
    assert forged(changed(running, ply, by="p9")) == ("legality", ply)
    start = next(entry.version for entry in running if isinstance(entry.events[-1], GameStarted))
    *before, started = running[start - 1].events
    tiles = ("wish",) * 25
    spoiled = changed(running, start, events=(*before, with_fields(started, tiles=tiles)))
    assert forged(spoiled) == ("shuffle", start)


def test_a_running_game_holds_no_third_copy_of_a_card():
    """Every card is there twice; a third one cannot come out of a hidden hand, a second one may."""
    entries = finished(2, 2)
    taken = {event.card for entry in entries for event in entry.events if isinstance(event, DiscardTaken)}
    spent: Counter[str] = Counter()
    judged: dict[int, bool] = {}
    for entry in entries:
        if isinstance(entry.action, DiscardCard):
            for copies in {1, 2} - set(judged):
                card = next((card for card, times in spent.items() if times == copies and card not in taken), None)
                if card is not None and entry.action.card not in taken:
                    event = CardDiscarded(entry.seat, card)
                    spoiled = changed(
                        entries[: entry.version], entry.version, action=DiscardCard(card), events=(event,)
                    )
                    judged[copies] = audit(record(spoiled)).good
        if isinstance(entry.action, DiscardCard | PlayCard):
            spent[entry.action.card] += 1
    assert judged == {1: True, 2: False}


# What is not known here


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("game", "orakel", "orakel in revision 1 is unknown here"),
        ("revision", 9, "keltis in revision 9 is unknown here"),
        ("options", {"tiebreak": "dice"}, "the options do not fit"),
        ("seats", 10**9, "not played by"),
        ("seats", -1, "not played by"),
    ],
)
def test_unknown_rules_are_said_to_be_unknown(field, value, said):
    """A game, revision, option or number of seats that this version does not know is no fault of the players."""
    created = with_fields(finished()[0].events[0], **{field: value})
    verdict = audit(record(changed(finished(), 1, events=(created, *finished()[0].events[1:]))))
    assert failed(verdict) == ("rules", 1)
    assert said in verdict.first_failed.note
    assert results(verdict)["legality"] == "not-applicable"


@pytest.mark.parametrize("action", [{"seats": 10**9}, {"seats": 0}, {"reserved": ("a",)}, {"game": "go"}])
def test_an_order_for_an_impossible_table_is_refused(action):
    """What was asked for is checked as well as what came of it; no order makes the audit build a giant table."""
    order = with_fields(finished()[0].action, **action)
    assert forged(changed(finished(), 1, action=order)) == ("legality", 1)


def test_records_that_begin_in_the_middle_are_refused():
    """Entries without the one that opened the table are no game."""
    assert forged(renumbered(finished()[3:])) == ("rules", 1)


MOVES = st.sampled_from([entry.action for entry in finished()])
EVENTS = st.sampled_from([event for entry in finished() for event in entry.events])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_forged_entry_upsets_the_audit(data):
    """Any action and any events in any place, of any seat: the audit answers, and finds it or it changed nothing."""
    ply = data.draw(st.integers(1, len(finished())))
    draw = partial(data.draw)
    fields = {
        "action": draw(st.one_of(MOVES, st.just(finished()[ply - 1].action))),
        "events": tuple(draw(st.lists(EVENTS, max_size=3))),
        "seat": draw(st.sampled_from([None, -1, 0, 1, 2, 7])),
        "by": draw(st.sampled_from(["p0", "p1", "p2", "service", "bot:greedy", ""])),
    }
    spoiled = changed(finished(), ply, **fields)
    verdict = audit(record(spoiled))
    assert verdict.game_id == GAME_ID
    assert verdict.good == (tuple(spoiled) == finished()) or verdict.sound_plies < ply
