"""The record: one game as one file that says by itself who wrote it, and in which damage can be located.

A record is JSON as a whole, in lines that end in a line feed. The first is the header, each further one holds an
entry as it is stored with its link, and the last is the footer:

    {"format":1,"game_id":"…","producer":"…","entries":[
    {"body":{…},"link":"…"},
    {"body":{…},"link":"…"}
    ],"head":"…","header":"…","key":"…","signature":"…"}

`head` is the last link, `header` the SHA-256 of the first line without its line feed, both in hex; `key` is the
Ed25519 public key and `signature` the signature, in base64, of every byte before `,"key"`. Everything is canonical
and no clock is read, so the same game gives the same bytes.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from events import chain
from events.codec import UnreadableEntry, canonical, decode_strictly
from events.entries import SCHEMA, Entry
from events.seal import KeyRing

T = TypeVar("T")

FORMAT = 1
PRODUCER = "cairn 0.1.0"
"""The version that introduced this format; it changes with the format only, so that a game's bytes never do."""

LINE_LIMIT = 1 << 20
FILE_LIMIT = 64 << 20
"""Bytes of a line and of a record at most."""

KEY_BYTES, SIGNATURE_BYTES = 32, 64
GAME_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
HEX = re.compile(rb"[0-9a-f]{64}")
BODY, LINK, END = b'{"body":', b',"link":"', b'"}'
LINK_TAIL = len(LINK) + 64 + len(END)


class UnreadableRecord(ValueError):
    """Bytes that are no record. `ply` is where reading stops: 0 the header, n an entry, one more the footer."""

    def __init__(self, ply: int, reason: str) -> None:
        super().__init__(f"ply {ply}: {reason}")
        self.ply = ply
        self.reason = reason


class UnknownFormat(UnreadableRecord):
    """A record, or an entry in it, in a format that this version does not read."""


class BrokenChain(ValueError):
    """A stored entry whose link does not follow from the entries before it; such a game is not vouched for."""

    def __init__(self, ply: int) -> None:
        super().__init__(f"the link of entry {ply} does not follow from the entries before it")
        self.ply = ply


class StoredEntry(Protocol):
    """What the store returns of an entry."""

    @property
    def body(self) -> bytes:
        """Return the entry's canonical JSON."""

    @property
    def link(self) -> bytes:
        """Return the entry's link in the chain, 32 bytes."""


class RecordedEntry(NamedTuple):
    """An entry as it stands in a record."""

    entry: Entry
    body: bytes
    link: bytes


class Record(NamedTuple):
    """A record that was read; whether it is right is for the audit to say. `signed` is what the signature covers."""

    game_id: str
    producer: str
    entries: tuple[RecordedEntry, ...]
    head: bytes
    header: bytes
    header_digest: bytes
    key: str
    signature: str
    signed: bytes


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    game_id: str
    producer: str


class _Footer(msgspec.Struct, forbid_unknown_fields=True):
    head: str
    header: str
    key: str
    signature: str


class _Schema(msgspec.Struct):
    schema: int


def record_bytes(game_id: str, entries: Iterable[StoredEntry | bytes], keys: KeyRing) -> bytes:
    """Return the record of the game, signed with the ring's key. Entries come as stored, or as bodies alone.

    Raise `BrokenChain` if a stored link does not fit.
    """
    header = canonical(_Header(FORMAT, game_id, PRODUCER))[:-1] + b',"entries":['
    lines: list[bytes] = []
    head = chain.GENESIS
    for ply, stored in enumerate(entries, 1):
        body = stored if isinstance(stored, bytes) else stored.body
        head = chain.link(head, body)
        if not isinstance(stored, bytes) and stored.link != head:
            raise BrokenChain(ply)
        lines.append(BODY + body + LINK + head.hex().encode() + END)
    digest = sha256(header).hexdigest()
    footer = f'],"head":"{head.hex()}","header":"{digest}"'.encode()
    signed = header + b"\n" + b",\n".join(lines) + b"\n" + footer
    return signed + f',"key":"{keys.public_key}","signature":"{keys.sign(signed)}"}}\n'.encode()


def parse_record(data: bytes) -> Record:
    """Return the record in `data`; raise `UnreadableRecord` with the first ply that is not laid out as one."""
    if len(data) > FILE_LIMIT:
        raise UnreadableRecord(0, f"a record has at most {FILE_LIMIT >> 20} MiB")
    lines = data.split(b"\n")
    header = _parse_header(lines[0])
    entries = _parse_entries(lines)
    ply = len(entries) + 1
    if len(lines) != ply + 2 or lines[-1]:
        raise UnreadableRecord(ply, "the record does not end with one line feed after its last line")
    footer = _parse_footer(ply, lines[ply])
    signed = data[: data.rindex(b',"key":')]
    head, digest = bytes.fromhex(footer.head), bytes.fromhex(footer.header)
    return Record(
        header.game_id, header.producer, entries, head, lines[0], digest, footer.key, footer.signature, signed
    )


def _parse_header(line: bytes) -> _Header:
    ending = b',"entries":['
    if not line.endswith(ending):
        raise UnreadableRecord(0, "the first line is not the header of a record")
    header = _canonical_object(0, line.removesuffix(ending) + b"}", _Header)
    if header.format != FORMAT:
        raise UnknownFormat(0, f"format {header.format} is unknown; this version reads format {FORMAT}")
    if not GAME_ID.fullmatch(header.game_id):
        raise UnreadableRecord(0, "the game's id is none")
    return header


def _parse_entries(lines: list[bytes]) -> tuple[RecordedEntry, ...]:
    """Return the entries; a comma at the end of a line says that one more follows."""
    entries: list[RecordedEntry] = []
    more = True
    while more:
        ply = len(entries) + 1
        if ply >= len(lines):
            raise UnreadableRecord(ply, "the record breaks off")
        line = lines[ply]
        more = line.endswith(b",")
        if not more and ply + 1 < len(lines) and lines[ply + 1].startswith(BODY):
            raise UnreadableRecord(ply, "a comma is missing at the end of the line")
        entries.append(_parse_entry(ply, line.removesuffix(b",")))
    return tuple(entries)


def _parse_entry(ply: int, line: bytes) -> RecordedEntry:
    if len(line) > LINE_LIMIT:
        raise UnreadableRecord(ply, f"a line has at most {LINE_LIMIT >> 20} MiB")
    body, tail = line[len(BODY) : -LINK_TAIL], line[-LINK_TAIL:]
    link = tail[len(LINK) : -len(END)]
    if line != BODY + body + LINK + link + END or not HEX.fullmatch(link):
        raise UnreadableRecord(ply, "the line is not an entry's body and link")
    try:
        schema = msgspec.json.decode(body, type=_Schema).schema
        if schema != SCHEMA:
            raise UnknownFormat(ply, f"schema {schema} is unknown; this version reads schema {SCHEMA}")
        return RecordedEntry(decode_strictly(body), body, bytes.fromhex(link.decode()))
    except (UnreadableEntry, msgspec.DecodeError, UnicodeError, OverflowError, RecursionError) as error:
        raise UnreadableRecord(ply, f"the entry cannot be read: {_brief(error)}") from error


def _parse_footer(ply: int, line: bytes) -> _Footer:
    if not line.startswith(b"],"):
        raise UnreadableRecord(ply, "the last line is not the footer of a record")
    footer = _canonical_object(ply, b"{" + line.removeprefix(b"],"), _Footer)
    if not (HEX.fullmatch(footer.head.encode()) and HEX.fullmatch(footer.header.encode())):
        raise UnreadableRecord(ply, "the head or the header's digest is not 64 digits of hex")
    if not (is_base64(footer.key, KEY_BYTES) and is_base64(footer.signature, SIGNATURE_BYTES)):
        raise UnreadableRecord(ply, "the key or the signature is not in base64 or not of the right length")
    return footer


def is_base64(text: str, length: int) -> bool:
    """Tell whether `text` is the one base64 form of `length` bytes; spare bits must be zero."""
    try:
        value = b64decode(text, validate=True)
    except ValueError:
        return False
    return len(value) == length and b64encode(value).decode() == text


def _canonical_object(ply: int, text: bytes, kind: type[T]) -> T:
    """Return the struct in `text`, a single line in canonical form; a longer one is refused unread."""
    if len(text) > LINE_LIMIT:
        raise UnreadableRecord(ply, f"a line has at most {LINE_LIMIT >> 20} MiB")
    try:
        value = msgspec.json.decode(text, type=kind)
        if canonical(value) != text:
            raise UnreadableRecord(ply, "the line is not in canonical form")
    except (msgspec.DecodeError, UnicodeError, OverflowError, RecursionError) as error:
        raise UnreadableRecord(ply, f"the line cannot be read: {_brief(error)}") from error
    return value


def _brief(error: Exception) -> str:
    return str(error)[:200]
