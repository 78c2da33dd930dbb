"""The audit of the audit: whatever is changed in a record, the right check fails and names the right ply."""

import random
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.actions import CloseGame, DiscardCard, DrawCard, JoinGame, PlayCard, StartGame
from events.catalogue import GameScored, GameStarted, SeedRevealed
from replay.audit import CHECKS, audit
from replay.verdict import Verdict
from tests.replay.played import (
    GAME_ID,
    Playing,
    changed,
    finished,
    opened_by_host,
    record,
    renumbered,
    ring,
    short,
)

with_fields = msgspec.structs.replace


def failed(verdict: Verdict) -> tuple[str, int | None]:
    check = verdict.first_failed
    assert check is not None
    return check.name, check.ply


def results(verdict: Verdict) -> dict[str, str]:
    return {check.name: check.result for check in verdict.checks}


def first_ply(kind: type, after: int = 0) -> int:
    """Return the first ply after `after` whose action is of `kind`, in the usual game."""
    return next(entry.version for entry in finished() if entry.version > after and isinstance(entry.action, kind))


def ply_of(data: bytes, place: int) -> int:
    """Return the ply whose line the byte at `place` belongs to."""
    return data.count(b"\n", 0, place)


# What is right


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_finished_game_passes_every_check(seats):
    """A whole game, closed and signed by the trusted key, is right in every respect."""
    verdict = audit(record(finished(seats, seats)), ring().public_key)
    assert verdict.good
    assert verdict.closed
    assert tuple(results(verdict)) == CHECKS
    assert set(results(verdict).values()) == {"ok"}


def test_a_running_game_passes_at_every_version():
    """Before the start and at any later version a record is right, as far as it can be judged without the seed."""
    for version in (*range(1, 12), *range(12, len(finished(2, 4)), 17)):
        verdict = audit(record(finished(2, 4)[:version]))
        assert verdict.good, (version, verdict.first_failed)
        assert not verdict.closed
        assert {name for name, result in results(verdict).items() if result == "not-applicable"} == {
            "commitment",
            "shuffle",
            "scores",
            "ranks",
        }


@pytest.mark.parametrize(
    "option", [("tiebreak", "wish_stones"), ("direction", "ascending"), ("redraw_own_discard", False)]
)
def test_every_option_is_judged_by_its_rules(option):
    """A game with an option changed is right under that option."""
    playing = Playing(2, 3, **dict([option]))
    playing.start()
    playing.finish()
    assert audit(record(playing.entries)).good


def test_a_game_that_its_host_starts_early_is_right():
    """Two of four seats taken, and the host's entropy mixed in: the shuffle follows from that."""
    playing = opened_by_host(4)
    playing.finish()
    assert audit(record(playing.entries)).good


# One byte


def test_any_changed_byte_of_a_short_record_names_its_ply():
    """Each byte of a whole record, structure and content alike: with one bit changed, its own ply is named."""
    data = record(short())
    for place in range(len(data)):
        for bit in (1, 32):
            spoiled = bytearray(data)
            spoiled[place] ^= bit
            assert failed(audit(bytes(spoiled)))[1] == ply_of(data, place), (place, bit, data[place - 20 : place + 5])


def test_any_changed_byte_around_the_structure_of_a_long_record_names_its_ply():
    """Around line ends, in header and footer: whatever byte is put there instead, its own ply is named."""
    data = record(finished(2, 2))
    dice = random.Random(3)
    footer = data.rindex(b"\n]") + 1
    ends = [place for place, byte in enumerate(data) if byte == 10]
    places = {*range(90), *range(footer, len(data)), *ends[::40], *(end - 1 for end in ends[::40])}
    for place in sorted(places):
        spoiled = bytearray(data)
        spoiled[place] ^= dice.randrange(1, 256)
        assert failed(audit(bytes(spoiled)))[1] == ply_of(data, place), place


LONG = record(finished(3, 1))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(LONG) - 1), st.integers(1, 255))
def test_any_byte_changed_to_any_other_names_its_ply(place, mask):
    """Wherever in a long record a byte becomes another one, its own ply is named."""
    spoiled = bytearray(LONG)
    spoiled[place] ^= mask
    assert failed(audit(bytes(spoiled)))[1] == ply_of(LONG, place)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(LONG) - 1))
def test_any_byte_taken_out_or_doubled_names_its_ply(place):
    """A byte that is missing or stands twice is found in its own line, or in the next if the line's end is gone."""
    for spoiled in (LONG[:place] + LONG[place + 1 :], LONG[:place] + LONG[place : place + 1] + LONG[place:]):
        if spoiled != LONG:
            ply = failed(audit(spoiled))[1]
            assert ply in (ply_of(LONG, place), ply_of(LONG, place) + 1)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(LONG)))
def test_a_record_that_breaks_off_names_the_place(length):
    """A download that broke off is found where it ends."""
    if length < len(LONG):
        assert failed(audit(LONG[:length]))[1] in (ply_of(LONG, length), ply_of(LONG, length) + 1)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_at_all_upset_the_audit(data):
    """Whatever is given to the audit, it answers with a verdict."""
    assert not audit(data).good


# Whole lines


def lines() -> list[bytes]:
    return LONG.split(b"\n")


@pytest.mark.parametrize(
    ("spoil", "ply"),
    [
        (lambda rows: rows[:40] + rows[41:], 40),
        (lambda rows: [*rows[:40], rows[41], rows[40], *rows[42:]], 40),
        (lambda rows: rows[:41] + rows[40:], 41),
        (lambda rows: [*rows[:40], rows[100], *rows[40:]], 40),
        (lambda rows: [*rows[:40], rows[100], *rows[41:]], 40),
        (lambda rows: rows[:2] + rows[3:], 2),
        (lambda rows: [rows[0], *rows[2:]], 1),
    ],
    ids=["dropped", "swapped", "doubled", "inserted", "replaced", "second dropped", "first dropped"],
)
def test_lines_dropped_swapped_doubled_or_inserted_name_the_first_wrong_ply(spoil, ply):
    """Rearranged entries are found at the first place that holds another entry than it should."""
    assert failed(audit(b"\n".join(spoil(lines())))) == ("versions", ply)


def test_a_dropped_ending_is_found_in_the_footer():
    """Without its last entry a record no longer has the head that its footer names."""
    rows = lines()
    rows = [*rows[:-4], rows[-4].rstrip(b","), *rows[-2:]]
    assert failed(audit(b"\n".join(rows))) == ("chain", len(rows) - 2)


def test_another_games_footer_does_not_fit():
    """Header, entries and footer of different games do not go together."""
    rows, others = lines(), record(short()).split(b"\n")
    assert failed(audit(b"\n".join([*rows[:-2], *others[-2:]])))[0] == "chain"
    other_header = record(short()).split(b"\n")[0].replace(b"g7", b"g8")
    assert failed(audit(b"\n".join([other_header, *rows[1:]]))) == ("chain", 0)


def test_a_number_beyond_all_bounds_is_no_version():
    """A version of thirty digits can be read, and is not the next one."""
    rows = lines()
    rows[3] = rows[3].replace(b'"version":3}', b'"version":' + b"9" * 30 + b"}")
    assert failed(audit(b"\n".join(rows))) == ("versions", 3)


# Forged anew: chain and signature made afterwards with another key


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
    sheet = with_fields(scored.sheets[0], tiles=scored.sheets[0].tiles + 1, total=scored.sheets[0].total + 1)
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
    """Every card is there twice; a third one cannot come out of a hidden hand."""
    playing = Playing(2, 8)
    playing.start()
    playing.play(2)
    forging = list(playing.entries)
    discards = [entry for entry in forging if isinstance(entry.action, PlayCard | DiscardCard)]
    card = discards[0].action.card
    found = []
    for _ in range(40):
        seat = playing.game.board.turns.seat
        move = next(move for move in playing.moves(seat) if isinstance(move, DiscardCard | DrawCard))
        if isinstance(move, DiscardCard) and move.card != card:
            wrong = [*playing.entries, with_fields(_next(playing, seat, move), action=DiscardCard(card))]
            wrong[-1] = with_fields(wrong[-1], events=(with_fields(wrong[-1].events[0], card=card),))
            found.append(audit(record(wrong)).good)
        playing.act(seat, playing.people[seat], move)
    copies = sum(getattr(entry.action, "card", None) == card for entry in playing.entries)
    assert copies <= 2
    assert False in found or copies < 2


def _next(playing: Playing, seat: int, move: Any) -> Any:
    """Return the entry that `move` would be, without letting it happen."""
    twin = Playing.__new__(Playing)
    twin.game, twin.entries, twin.people = playing.game.copy(), list(playing.entries), playing.people
    twin.act(seat, twin.people[seat], move)
    return twin.entries[-1]


# What is not known here


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("game", "orakel", "orakel in revision 1 is unknown here"),
        ("revision", 9, "keltis in revision 9 is unknown here"),
        ("options", {"tiebreak": "dice"}, "the options do not fit"),
        ("seats", 10**9, "not played by"),
        ("seats", -1, "not played by"),
        ("reserved", ("p0",), "reserved wrongly"),
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
    assert not audit(record(changed(finished(), 1, action=order))).good


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
