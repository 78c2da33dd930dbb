"""Canonical JSON: the one way in which entries, and everything that is hashed or signed, become bytes.

Keys are sorted, text is UTF-8, there is no white space and there are no floats, so equal values have equal bytes.
"""

from typing import Any

import msgspec

from events.entries import SCHEMA, Entry

_encoder = msgspec.json.Encoder(order="sorted")
_entry_decoder = msgspec.json.Decoder(Entry)


class UnreadableEntry(ValueError):
    """Bytes that are no entry of a known schema, or not in canonical form."""


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of a struct, dict, list or plain value."""
    return _encoder.encode(value)


def encode(entry: Entry) -> bytes:
    """Return the body of `entry`, as it is stored and hashed."""
    return _encoder.encode(entry)


def decode(body: bytes) -> Entry:
    """Return the entry that `body` holds; raise `UnreadableEntry` if it holds none."""
    try:
        entry = _entry_decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableEntry(str(error)) from error
    if entry.schema != SCHEMA:
        raise UnreadableEntry(f"schema {entry.schema} is unknown; this version reads schema {SCHEMA}")
    return entry


def decode_strictly(body: bytes) -> Entry:
    """Return the entry that `body` holds, if `body` is its canonical form; else raise `UnreadableEntry`."""
    entry = decode(body)
    if encode(entry) != body:
        raise UnreadableEntry("the entry is not in canonical form")
    return entry
