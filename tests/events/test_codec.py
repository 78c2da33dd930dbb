"""Canonical JSON and the entries in it."""

import json
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.actions import Action, JoinGame, PlayCard
from events.cards import card
from events.catalogue import CardPlayed, Event, FigureMoved, PointsScored, SeatTaken
from events.codec import UnreadableEntry, canonical, decode, decode_strictly, encode
from events.entries import SCHEMA, Entry

PINK7 = card("pink", 7)
ENTRY = Entry(
    schema=SCHEMA,
    version=13,
    at="2026-12-01T10:00:00.123Z",
    seat=1,
    by="p1",
    request="r1",
    action=PlayCard(PINK7),
    events=(CardPlayed(1, PINK7), FigureMoved(1, "pink", 3, "small"), PointsScored(1, 2)),
)
BODY = (
    b'{"action":{"card":"pink-7","type":"play-card"},"at":"2026-12-01T10:00:00.123Z","by":"p1",'
    b'"events":[{"card":"pink-7","seat":1,"type":"card-played"},'
    b'{"figure":"small","path":"pink","row":3,"seat":1,"type":"figure-moved"},'
    b'{"points":2,"seat":1,"type":"points-scored"}],'
    b'"request":"r1","schema":1,"seat":1,"version":13}'
)


def test_an_entry_has_these_bytes():
    """An entry is JSON with sorted keys and no white space; what has its default is left out."""
    assert encode(ENTRY) == BODY


def test_an_entry_comes_back_from_its_bytes():
    """Decoding gives the very entry that was encoded."""
    assert decode(BODY) == decode_strictly(BODY) == ENTRY


def test_names_in_any_script_are_kept():
    """Text is written as UTF-8, unescaped and unchanged."""
    name = "Ñandú 漢字 🍀 e\u0301"
    entry = msgspec.structs.replace(ENTRY, action=JoinGame("salt"), events=(SeatTaken(0, "p1", name, "salt"),))
    assert name.encode() in encode(entry)
    assert decode(encode(entry)).events == (SeatTaken(0, "p1", name, "salt"),)


@given(st.recursive(st.integers(-(2**53), 2**53) | st.text() | st.booleans() | st.none(), st.lists))
def test_canonical_json_is_json(value):
    """Any JSON reader reads what `canonical` writes."""
    assert json.loads(canonical(value)) == value


@given(st.dictionaries(st.text(), st.integers(0, 9)))
def test_keys_are_sorted(values):
    """Equal dicts have equal bytes, in whatever order they were filled; keys are in the order of their UTF-8 bytes."""
    backwards = dict(reversed(values.items()))
    assert canonical(values) == canonical(backwards)
    assert list(json.loads(canonical(values))) == sorted(values, key=str.encode)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"null",
        b"\xff",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        BODY[:-1],
        BODY + b"x",
        BODY.replace(b'"version":13', b'"version":13.0'),
        BODY.replace(b'"version":13', b'"version":true'),
        BODY.replace(b'"version":13', b'"version":"13"'),
        BODY.replace(b'"version":13', b'"version":13,"more":1'),
        BODY.replace(b'"points":2', b'"points":2,"more":1'),
        BODY.replace(b'"points":2', b'"points":NaN'),
        BODY.replace(b'"type":"points-scored"', b'"type":"points-given"'),
        BODY.replace(b'"path":"pink"', b'"path":"black"'),
        BODY.replace(b'"request":"r1"', b'"request":"\\ud800"'),
        BODY.replace(b'"request":"r1",', b""),
    ],
    ids=lambda body: body[-40:].decode("latin-1"),
)
def test_what_is_no_entry_is_unreadable(body):
    """Malformed JSON, wrong types, unknown fields, names and values, missing fields and nesting bombs are refused."""
    with pytest.raises(UnreadableEntry):
        decode(body)


def test_an_unknown_schema_is_unreadable():
    """An entry of a format that this version does not know is refused by its number."""
    with pytest.raises(UnreadableEntry, match="schema 2 is unknown"):
        decode(BODY.replace(b'"schema":1', b'"schema":2'))


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace(b'":', b'": '),
        BODY + b"\n",
        BODY.replace(b'"request":"r1"', b'"request":"r0","request":"r1"'),
        BODY.replace(b'"by":"p1"', b'"by":"\\u00701"'),
        BODY.replace(b'"schema":1,"seat":1', b'"seat":1,"schema":1'),
        BODY.replace(b'"card":"pink-7","type":"play-card"', b'"card":"pink-7","figure":null,"type":"play-card"'),
    ],
)
def test_only_the_canonical_form_is_read_strictly(body):
    """White space, repeated keys, needless escapes, another order or defaults that are written out are refused."""
    assert decode(body) == ENTRY
    with pytest.raises(UnreadableEntry, match="canonical"):
        decode_strictly(body)


@settings(max_examples=300)
@given(at=st.integers(0, len(BODY) - 1), byte=st.integers(0, 255))
def test_one_changed_byte_is_unreadable_or_another_entry(at, byte):
    """No two entries share bytes, and no garbage breaks the decoder in another way."""
    body = BODY[:at] + bytes([byte]) + BODY[at + 1 :]
    try:
        entry = decode_strictly(body)
    except UnreadableEntry:
        return
    assert (entry == ENTRY) == (body == BODY)


@pytest.mark.parametrize("kind", [*get_args(Action), *get_args(Event)], ids=lambda kind: kind.__name__)
def test_stored_names_are_words_with_hyphens(kind):
    """Each action and event is stored under its own name in lower case with hyphens."""
    words = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__).lstrip("-")
    assert kind.__struct_config__.tag == words


def test_stored_names_are_unique():
    """No name stands for two actions, or for two events."""
    for kinds in (get_args(Action), get_args(Event)):
        names = [kind.__struct_config__.tag for kind in kinds]
        assert len(set(names)) == len(names)
