"""Whole games of Keltis as text: each ply, what happened, what everybody saw, what could be done next.

One game for each number of seats and way of ending. `python -m tests.events.keltis.playthrough --write` writes the
files anew; the tests compare. The plies in the middle of a long game take one line each, with a checksum of all
that can be seen.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec

from events.actions import DiscardCard, DrawCard, Move, OptionValue, PlayCard, Resign
from events.catalogue import GameStarted
from events.codec import canonical
from events.deal import ALL, SPECTATOR, Eyes
from events.games.keltis.tables import TILE_ROWS
from events.shuffle import Dice
from tests.events.keltis.playing import Play, at_random, keen, stalling
from tests.events.seated import Match, started

FOLDER = Path(__file__).parent / "playthroughs"
SHOWN = 50
"""Plies at the beginning and at the end that are shown in full."""


class Script(NamedTuple):
    """How to come to an ending. `resigning` maps a ply to how far from the seat to act the resigning seat sits."""

    seats: int
    seed: int
    play: Play
    resigning: Mapping[int, int]
    options: Mapping[str, OptionValue]


SCRIPTS = {
    "2-seats-goal": Script(2, 14, keen, {}, {}),
    "3-seats-goal": Script(3, 6, keen, {}, {}),
    "4-seats-goal": Script(4, 3, keen, {}, {}),
    "2-seats-deck": Script(2, 0, keen, {}, {"redraw_own_discard": False}),
    "3-seats-deck": Script(3, 0, at_random, {}, {"redraw_own_discard": False}),
    "4-seats-deck": Script(4, 0, keen, {}, {"direction": "ascending"}),
    "2-seats-turn-limit": Script(2, 0, stalling, {}, {"tiebreak": "wish_stones"}),
    "3-seats-turn-limit": Script(3, 0, stalling, {}, {}),
    "4-seats-turn-limit": Script(4, 0, stalling, {}, {"redraw_own_discard": False}),
    "2-seats-resignation": Script(2, 1, keen, {42: 1}, {}),
    "3-seats-resignation": Script(3, 1, keen, {30: 1, 55: 0}, {}),
    "4-seats-resignation": Script(4, 1, keen, {30: 2, 55: 0, 80: 0}, {"tiebreak": "wish_stones"}),
}


def playthrough(script: Script) -> str:
    """Play the game and return it as text."""
    match = started(script.seats, bytes([script.seed]) * 32, **script.options)
    dice = Dice(match.seed, "test")
    full, brief = [_ply(match)], [""]
    top = _top(match)
    for number in range(3, 5000):
        if not match.is_running:
            break
        offset = script.resigning.get(number - script.seats)
        if offset is None:
            seat = match.to_act
            move: Move = script.play(match.game.look(ALL), seat, match.moves(), dice)
        else:
            seat, move = (match.to_act + offset) % script.seats, Resign()
        match.move(move, seat)
        full.append(_ply(match))
        brief.append(_line(match))
    match.close()
    kept = [*full[:SHOWN], *brief[SHOWN:-SHOWN], *full[-SHOWN:]] if len(full) > 2 * SHOWN else full
    return "\n".join([*top, *kept, *_bottom(match)]) + "\n"


def _top(match: Match) -> Iterator[str]:
    started_as = match.game.table.started
    assert started_as is not None
    yield f"Keltis, {len(started_as.seats)} seats"
    yield f"options: {_fields(match.game.table.options)}"
    yield f"seed: {match.seed.hex()}"
    yield f"first: seat {started_as.first}"
    tiles = iter(started_as.tiles)
    for path, rows in TILE_ROWS.items():
        yield f"{path}: " + ", ".join(f"{row} {next(tiles)}" for row in rows)
    yield ""


def _ply(match: Match) -> str:
    """Return the last entry in full."""
    lines = [_asked(match)]
    lines += [f"  {_named(event)}" for event in match.entries[-1].events if not isinstance(event, GameStarted)]
    lines += [f"  hand of {seat}: {text}" for seat in _changed(match) for text in _seen(match, seat)]
    if match.is_running:
        lines.append(f"  {match.to_act} may:")
        tags = dict.fromkeys(_tag(move) for move in match.moves())
        lines += [
            f"    {tag}: {', '.join(_values(move) for move in match.moves() if _tag(move) == tag)}" for tag in tags
        ]
    return "\n".join(lines)


def _line(match: Match) -> str:
    """Return the last entry in brief."""
    happened = ", ".join(_named(event) for event in match.entries[-1].events)
    legal = len(match.moves()) if match.is_running else 0
    return f"{_asked(match)} -> {happened}; {legal} legal, {_checksum(match):08x}"


def _asked(match: Match) -> str:
    entry = match.entries[-1]
    return f"{entry.version}. {entry.by if entry.seat is None else entry.seat} {_named(entry.action)}"


def _tag(value: msgspec.Struct) -> str:
    return str(value.__struct_config__.tag)


def _named(value: msgspec.Struct) -> str:
    return f"{_tag(value)} {_values(value)}".rstrip()


def _values(value: msgspec.Struct) -> str:
    return " ".join(str(field) for field in msgspec.structs.astuple(value) if field is not None)


def _fields(values: Mapping[str, OptionValue]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _changed(match: Match) -> list[int]:
    """Return the seats whose hands the last entry can have changed."""
    entry = match.entries[-1]
    if entry.seat is None:
        return list(range(len(match.game.table.chairs)))
    return [entry.seat] if isinstance(entry.action, PlayCard | DiscardCard | DrawCard) else []


def _seen(match: Match, seat: int) -> Iterator[str]:
    """Return a hand as everybody sees it; those who see the same are told together."""
    views: dict[str, list[str]] = {}
    for eyes in _eyes(match):
        cards = match.game.look(eyes).hands.cards[seat]
        views.setdefault(" ".join(card or "?" for card in cards), []).append(str(eyes))
    return (f"{text} (seen by {' '.join(eyes)})" for text, eyes in views.items())


def _eyes(match: Match) -> list[Eyes]:
    return [ALL, *range(len(match.game.table.chairs)), SPECTATOR]


def _checksum(match: Match) -> int:
    """Return a number for everything that can be seen on the board and in the hands, by any eyes."""
    board = match.game.board
    assert board is not None
    tiles = [[path, row, tile] for (path, row), tile in board.tiles.items()]
    seats = [
        [{colour: row.cards for colour, row in seat.rows.items()}, seat.figures, seat.tile_points, seat.wish_stones]
        for seat in board.seats
    ]
    hands = [match.game.look(eyes).hands.cards for eyes in _eyes(match)]
    return crc32(canonical([tiles, board.piles, board.deck_left, board.turns.stalled, seats, hands]))


def _bottom(match: Match) -> Iterator[str]:
    board, scored = match.game.board, match.game.table.scored
    assert board is not None
    assert scored is not None
    yield f"{_asked(match)}: {scored.reason} after {board.turns.number} turns, {board.deck_left} cards left"
    for seat, mine in enumerate(board.seats):
        yield f"seat {seat}: rank {scored.ranks[seat]}, {_fields(scored.sheets[seat])}"
        for path, row in mine.rows.items():
            yield f"  {path}: {mine.kind_on(path)} in row {mine.figures[path]}, {' '.join(row.cards)}"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.events.keltis.playthrough --write")
    FOLDER.mkdir(exist_ok=True)
    for name, script in SCRIPTS.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(script), encoding="utf-8")
