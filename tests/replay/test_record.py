"""The record: one layout, one signature, the same bytes for the same game, and named errors for everything else."""

import json
from base64 import b64decode
from hashlib import sha256
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events import chain
from events.codec import encode
from replay import record as layout
from replay.record import BrokenChain, UnknownFormat, UnreadableRecord, parse_record, record_bytes
from tests.replay.played import GAME_ID, finished, record, ring, short


class Held(NamedTuple):
    """An entry as a store returns it."""

    version: int
    body: bytes
    link: bytes


def stored() -> list[Held]:
    held, head = [], chain.GENESIS
    for entry in short():
        body = encode(entry)
        head = chain.link(head, body)
        held.append(Held(entry.version, body, head))
    return held


def unreadable(data: bytes) -> UnreadableRecord:
    with pytest.raises(UnreadableRecord) as caught:
        parse_record(data)
    return caught.value


def with_line(number: int, line: bytes) -> bytes:
    lines = record(short()).split(b"\n")
    lines[number] = line
    return b"\n".join(lines)


def line(number: int) -> bytes:
    return record(short()).split(b"\n")[number]


def test_a_record_is_json_with_a_line_for_each_entry():
    """A record is one JSON object, and has a line for each entry between its header and its footer."""
    data = record(short())
    assert data.count(b"\n") == len(short()) + 2
    told = json.loads(data)
    assert list(told) == ["format", "game_id", "producer", "entries", "head", "header", "key", "signature"]
    assert [item["body"]["version"] for item in told["entries"]] == list(range(1, len(short()) + 1))


def test_the_same_game_has_the_same_bytes():
    """Bodies alone, or entries as they are stored, whenever and how often: the bytes are the same."""
    first = record(short())
    assert record_bytes(GAME_ID, stored(), ring()) == first == record(short())


def test_reading_gives_back_what_was_written():
    """Header, entries and head come out of a record as they went in."""
    read = parse_record(record(finished()))
    assert (read.game_id, read.producer) == (GAME_ID, layout.PRODUCER)
    assert tuple(recorded.entry for recorded in read.entries) == finished()
    assert read.head == read.entries[-1].link


def test_the_layout_can_be_checked_with_common_tools():
    """SHA-256 over link and body, and Ed25519 over all before the key: nothing of this project is needed."""
    data = record(short())
    told = json.loads(data)
    head = bytes(32)
    for item in data.split(b"\n")[1:-2]:
        body = item[len(b'{"body":') : item.rindex(b',"link":"')]
        head = sha256(head + body).digest()
    assert head.hex() == told["head"]
    key = Ed25519PublicKey.from_public_bytes(b64decode(told["key"]))
    key.verify(b64decode(told["signature"]), data[: data.rindex(b',"key"')])


def test_a_game_whose_stored_chain_is_broken_gets_no_record():
    """Nobody signs a game that was changed in the store; the entry is named."""
    broken = stored()
    broken[4] = broken[4]._replace(link=bytes(32))
    with pytest.raises(BrokenChain) as caught:
        record_bytes(GAME_ID, broken, ring())
    assert caught.value.ply == 5


def test_a_running_game_has_a_record_at_every_version():
    """Before the start, in the middle and at the end there is a record, and it can be read."""
    for version in range(1, len(short()) + 1):
        assert len(parse_record(record(short()[:version])).entries) == version


@pytest.mark.parametrize(
    ("data", "ply"),
    [
        (b"", 0),
        (b"\n", 0),
        (b"\x89PNG\r\n\x1a\n", 0),
        (b"[" * 100_000, 0),
        (line(0), 1),
        (line(0) + b"\n" + line(1), 2),
        (line(0) + b"\n" + line(-2) + b"\n", 1),
        (record(short())[:-1], len(short()) + 1),
        (record(short()) + b"\n", len(short()) + 1),
        (record(short()) + b"more", len(short()) + 1),
        (record(short()).replace(b"\n", b"\r\n"), 0),
    ],
)
def test_what_is_no_record_is_refused_where_it_stops_being_one(data, ply):
    """Nothing, other files, and records that break off or go on too long name the ply where reading stops."""
    assert unreadable(data).ply == ply


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"seat":', b'"seat": '),
        (b'"schema":1', b'"schema":1.0'),
        (b'"schema":1', b'"schema":true'),
        (b'"schema":1', b'"schema":NaN'),
        (b'"schema":1', b'"schema":' + b"9" * 30),
        (b'"version":3', b'"version":' + b"9" * 10_000),
        (b'"version":3', b'"version":"3"'),
        (b'"version":3', b'"version":3,"version":3'),
        (b'"version":3', b'"more":1,"version":3'),
        (b'"by":"', b'"by":"\\ud800'),
        (b'"by":"', b'"by":"\xff'),
        (b'"by":"p', b'"by":"\\u0070'),
        (b'"seat":', b'"seat":' + b"[" * 20_000),
        (b'"events":[', b'"events":[' + b'{"a":' * 20_000),
        (b'"type":"', b'"type":"un'),
    ],
)
def test_a_line_that_is_not_canonical_is_refused(old, new):
    """White space, other numbers, NaN, doubled or foreign fields, bad text and nesting bombs: the ply is named."""
    good = line(3)
    assert old in good
    assert unreadable(with_line(3, good.replace(old, new, 1))).ply == 3


@pytest.mark.parametrize(
    "bad", [b"", b",", b"{},", b"null,", b'{"body":,"link":""},', b'{"body":1,"link":"' + b"0" * 64 + b'"},']
)
def test_a_line_of_something_else_is_refused(bad):
    """A line that holds no body and link names its ply."""
    assert unreadable(with_line(3, bad)).ply == 3


def test_links_are_lower_case_hex():
    """The same link in capitals is another file, and refused."""
    body, link = line(3).split(b',"link":')
    assert unreadable(with_line(3, body + b',"link":' + link.upper())).ply == 3


def test_commas_stand_between_entries_and_nowhere_else():
    """A comma too few or too many names the line that it belongs to."""
    last = len(short())
    assert unreadable(with_line(3, line(3)[:-1])).ply == 3
    assert unreadable(with_line(3, line(3) + b",")).ply == 3
    assert unreadable(with_line(last, line(last) + b",")).ply == last + 1


def test_an_unknown_format_and_an_unknown_schema_are_named():
    """Formats and schemas of the future are told apart from damage."""
    with pytest.raises(UnknownFormat, match="format 2 is unknown"):
        parse_record(record(short()).replace(b'{"format":1', b'{"format":2', 1))
    with pytest.raises(UnknownFormat, match="schema 2 is unknown") as caught:
        parse_record(with_line(3, line(3).replace(b'"schema":1', b'"schema":2')))
    assert caught.value.ply == 3


def test_long_lines_and_long_files_are_refused(monkeypatch):
    """A line has at most a mebibyte, a record 64; more is not even read."""
    long = line(3).replace(b'"by":"', b'"by":"' + b"x" * layout.LINE_LIMIT)
    assert "at most 1 MiB" in unreadable(with_line(3, long)).reason
    assert "at most 1 MiB" in unreadable(with_line(0, b"x" * layout.LINE_LIMIT + line(0))).reason
    monkeypatch.setattr(layout, "FILE_LIMIT", 1000)
    assert "a record has at most" in unreadable(record(short())).reason


def test_spare_bits_of_base64_are_no_hiding_place():
    """A key or signature has one spelling: the bits that base64 leaves over have to be zero."""
    data = record(short())
    spare = bytearray(data)
    place = data.index(b'=","signature"') - 1
    spare[place] = ord("B") if data[place] == ord("A") else data[place] + 1
    assert unreadable(bytes(spare)).ply == len(short()) + 1


def test_ids_of_games_are_plain():
    """A game's id in the header is letters, digits, `-` and `_`; a path or markup is refused."""
    assert unreadable(record(short()).replace(b'"game_id":"g7"', b'"game_id":"../g7"')).ply == 0
