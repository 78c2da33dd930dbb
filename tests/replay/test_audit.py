"""The audit of the audit: whatever is changed in a record, the right check fails and names the right ply."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.actions import JoinGame, LeaveGame, Resign, StartGame
from replay.audit import CHECKS, audit
from tests.events.seated import ADA, BEN, Match, order
from tests.replay.played import (
    Playing,
    failed,
    finished,
    opened_by_host,
    record,
    results,
    ring,
    short,
)


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


def shuffle_note(entries) -> str:
    """Return what the audit says of the shuffle of `entries`."""
    return next(check.note for check in audit(record(entries)).checks if check.name == "shuffle")


def test_the_audit_says_what_the_shuffle_follows_from():
    """It counts the additions of the seats that play, and the host's; it tells a seed that the host may have chosen."""
    early = opened_by_host(4)
    early.finish()
    assert shuffle_note(finished()) == "from the seed and 2 of 4 possible additions"
    assert shuffle_note(early.entries) == "from the seed and 1 of 3 possible additions"
    assert shuffle_note(short()) == "from the seed alone"
    rehearsed = Match(order(2, mode="unrated-test"))
    rehearsed.ask(BEN, JoinGame())
    rehearsed.move(Resign(), 1)
    rehearsed.close()
    assert shuffle_note(rehearsed.entries) == "from the seed alone; the host may have chosen the seed"


def test_what_was_added_by_those_who_left_is_not_counted():
    """Only the last one to take a seat has added something to the shuffle."""
    match = Match(order(3))
    for action in (JoinGame("salt"), LeaveGame(), JoinGame()):
        match.ask(BEN, action)
    match.ask(ADA, StartGame())
    match.move(Resign(), 1)
    match.close()
    assert shuffle_note(match.entries) == "from the seed alone"


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
