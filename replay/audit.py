"""The audit: was this record written by that service, was the shuffle the promised one, and were the rules kept?

Offline: everything is in the record. The checks run in an order in which each rests on those before it; all that can
be made are made, and each names the first ply that it finds wrong.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from events import chain
from events.catalogue import Event, GameCreated, GameScored, GameStarted, SeatTaken
from events.entries import Entry
from events.seal import is_signed
from events.shuffle import commitment
from replay.record import Record, UnreadableRecord, parse_record
from replay.recount import RECOUNTS
from replay.redecision import redecide_all, revelation, unknown_rules
from replay.stepper import creation, seed_of
from replay.verdict import Check, Fault, Verdict, checked, passed_over

CHECKS = (
    "layout",
    "versions",
    "chain",
    "signature",
    "times",
    "rules",
    "commitment",
    "shuffle",
    "legality",
    "events",
    "scores",
    "ranks",
)
"""Every check by name, in order."""

UNREAD = "the record could not be read"
UNSEALED = "the seed is not revealed yet"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


def audit(data: bytes, trusted_key: str | None = None) -> Verdict:
    """Return what is right and wrong with the record in `data`; it never raises for what stands in there.

    `trusted_key` is the service's Ed25519 public key in base64; without it anybody's signature is good.
    """
    try:
        record = parse_record(data)
    except UnreadableRecord as error:
        layout = checked("layout", Fault(error.ply, error.reason))
        rest = tuple(passed_over(name, UNREAD) for name in CHECKS[1:])
        return Verdict(None, max(error.ply - 1, 0), False, (layout, *rest))
    entries = [recorded.entry for recorded in record.entries]
    checks = (
        checked("layout", None),
        checked("versions", _versions(entries)),
        checked("chain", _chain(record)),
        _signature(record, trusted_key),
        checked("times", _times(entries)),
        *_rules_checks(record.game_id, entries),
    )
    return Verdict(record.game_id, len(entries), revelation(entries) is not None, checks)


def _versions(entries: Sequence[Entry]) -> Fault | None:
    for ply, entry in enumerate(entries, 1):
        if entry.version != ply:
            return Fault(ply, f"the entry in this place has version {entry.version}")
    return None


def _chain(record: Record) -> Fault | None:
    """Compare the header's digest, every link and the head with what the bytes before them yield."""
    footer = len(record.entries) + 1
    digest = sha256(record.header).digest()
    if digest != record.header_digest:
        return _header_fault(record, digest, footer)
    head = chain.GENESIS
    for ply, (_, body, link) in enumerate(record.entries, 1):
        head = chain.link(head, body)
        if link != head:
            return Fault(ply, "the link does not follow from this entry and those before it")
    return None if head == record.head else Fault(footer, "the head is not the last entry's link")


def _header_fault(record: Record, digest: bytes, footer: int) -> Fault:
    """Tell which of the two was changed: if the signature holds for the right digest, the header is as it was."""
    mended = record.signed.removesuffix(record.header_digest.hex().encode() + b'"') + digest.hex().encode() + b'"'
    intact = is_signed(mended, record.signature, record.key)
    return Fault(footer if intact else 0, "the header and its digest in the footer do not belong together")


def _signature(record: Record, trusted_key: str | None) -> Check:
    footer = len(record.entries) + 1
    if not is_signed(record.signed, record.signature, record.key):
        return checked("signature", Fault(footer, "the signature is not that of these bytes by this key"))
    if trusted_key is None:
        return checked("signature", None, f"by {record.key}, which was not compared with a known key")
    if trusted_key != record.key:
        return checked("signature", Fault(footer, f"signed with {record.key}, not with the trusted key"))
    return checked("signature", None, "by the trusted key")


def _times(entries: Sequence[Entry]) -> Fault | None:
    before = ""
    for ply, entry in enumerate(entries, 1):
        if not _is_time(entry.at):
            return Fault(ply, "the time is not RFC 3339 in UTC with milliseconds")
        if entry.at < before:
            return Fault(ply, f"the clock ran back from {before} to {entry.at}")
        before = entry.at
    return None


def _is_time(text: str) -> bool:
    if not TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _rules_checks(game_id: str, entries: Sequence[Entry]) -> tuple[Check, ...]:
    """Return the checks from `rules` on, which need a game that this code knows."""
    unknown = unknown_rules(entries)
    if unknown is not None:
        note = "the rules of this game are not known here"
        return (checked("rules", unknown), *(passed_over(name, note) for name in CHECKS[6:]))
    created = creation(entries)
    return (
        checked("rules", None, f"{created.game}, revision {created.revision}"),
        _commitment(entries),
        *_decisions(game_id, entries),
        *_scores(entries),
    )


def _commitment(entries: Sequence[Entry]) -> Check:
    revealed = revelation(entries)
    if revealed is None:
        return passed_over("commitment", UNSEALED)
    seed = seed_of(revealed)
    if seed is None:
        return checked("commitment", Fault(len(entries), "the revealed seed is not 32 bytes in hex"))
    kept = commitment(seed) == creation(entries).commitment
    reason = "the revealed seed is not the one that was committed to in entry 1"
    return checked("commitment", None if kept else Fault(len(entries), reason))


def _decisions(game_id: str, entries: Sequence[Entry]) -> tuple[Check, Check, Check]:
    revealed = revelation(entries)
    found = redecide_all(game_id, entries, seed_of(revealed) if revealed else None)
    eyes = "with every card known" if revealed else "as a spectator: hidden cards may be any that the deck still has"
    halted = f"decided up to ply {found.fault.ply - 1}" if found.fault else eyes
    shuffle = checked("shuffle", found.shuffle, _sources(entries))
    if found.shuffle is None and not found.started:
        shuffle = passed_over("shuffle", "the game was not seen to start")
    elif found.shuffle is None and revealed is None:
        shuffle = passed_over("shuffle", UNSEALED + "; the tiles are the right ones")
    return shuffle, checked("legality", found.legality, halted), checked("events", found.events, halted)


def _sources(entries: Sequence[Entry]) -> str:
    """Say what the shuffle follows from: whoever alone knows all of that could have chosen it."""
    happened = [event for entry in entries for event in entry.events]
    started = next((event for event in happened if isinstance(event, GameStarted)), None)
    if started is None:
        return ""
    by_seat = {event.seat: event.entropy for event in happened if isinstance(event, SeatTaken)}
    possible = [*(by_seat.get(seat) for seat in started.seats), started.entropy]
    made = sum(addition is not None for addition in possible)
    followed = f"from the seed and {made} of {len(possible)} possible additions" if made else "from the seed alone"
    chosen = creation(entries).mode == "unrated-test"
    return followed + "; the host may have chosen the seed" if chosen else followed


def _scores(entries: Sequence[Entry]) -> tuple[Check, Check]:
    happened = [event for entry in entries for event in entry.events]
    scored = next((event for event in happened if isinstance(event, GameScored)), None)
    started = next((event for event in happened if isinstance(event, GameStarted)), None)
    if scored is None or started is None:
        note = "the game is not closed yet"
        return passed_over("scores", note), passed_over("ranks", note)
    ply = next(ply for ply, entry in enumerate(entries, 1) if scored in entry.events)
    return _recounted(happened, creation(entries), started, scored, ply)


def _recounted(
    happened: Sequence[Event], created: GameCreated, started: GameStarted, scored: GameScored, ply: int
) -> tuple[Check, Check]:
    count, rank = RECOUNTS[created.game]
    try:
        sheets = count(happened, len(started.seats))
        ranks = rank(happened, sheets, created.options)
    except LookupError:  # events that no game can have; the re-decision names the ply
        note = "the events cannot be counted"
        return passed_over("scores", note), passed_over("ranks", note)
    wrong = next((seat for seat, sheet in enumerate(sheets) if scored.sheets[seat : seat + 1] != (sheet,)), None)
    if wrong is None and len(scored.sheets) != len(sheets):
        wrong = len(sheets)
    scores = None if wrong is None else Fault(ply, f"the score sheet of seat {wrong} is not what its events add up to")
    ordered = None if ranks == scored.ranks else Fault(ply, f"the ranks are {ranks}, written are {scored.ranks}")
    return checked("scores", scores, "recounted from the events"), checked("ranks", ordered)
