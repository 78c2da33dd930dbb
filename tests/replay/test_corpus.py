"""The corpus: stored games that have to read as they did when they were played, whatever becomes of the rules.

Each is a record with a digest of the state after every ply beside it. Records and digests are added (`python -m
tests.replay.test_corpus FILE` prints a record's digests) and never written anew: where one differs, the code is wrong.
"""

import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from events.catalogue import GameScored
from events.codec import canonical
from events.deal import ALL
from events.game import Game
from events.games.keltis.state import Board, SeatBoard
from replay.audit import audit
from replay.record import parse_record
from replay.stepper import Stepper

FOLDER = Path(__file__).parent / "corpus"
RECORDS = sorted(FOLDER.glob("*.cairn.json"))


def digests(data: bytes) -> list[str]:
    """Return a digest of the state after every ply of a record, from the first."""
    record = parse_record(data)
    stepper = Stepper([recorded.entry for recorded in record.entries], record.game_id)
    return [sha256(canonical(state_of(game))).hexdigest()[:16] for _, game in stepper]


def state_of(game: Game) -> dict[str, Any]:
    """Return everything that a game's state says, in words of its own, so that the code's may change."""
    chairs = [chair and [chair.player, chair.name, chair.entropy] for chair in game.table.chairs]
    told: dict[str, Any] = {"version": game.version, "status": game.table.status, "chairs": chairs}
    if game.board is None:
        return told
    return told | board_of(game.board) | {"hands": [sorted(map(str, hand)) for hand in game.look(ALL).hands.cards]}


def board_of(board: Board) -> dict[str, Any]:
    """Return what lies open."""
    turns = board.turns
    return {
        "seats": [side_of(seat) for seat in board.seats],
        "tiles": {f"{path} {row}": tile for (path, row), tile in board.tiles.items()},
        "piles": board.piles,
        "deck": board.deck_left,
        "goal": board.goal_figures,
        "turn": [turns.number, turns.seat, turns.phase, turns.cause, next(iter(turns.discarded), None), turns.laid],
        "stalled": turns.stalled,
        "resigned": turns.resigned,
        "ended": turns.ended,
    }


def side_of(seat: SeatBoard) -> dict[str, Any]:
    """Return what lies and stands before a seat."""
    return {
        "rows": {colour: [row.cards, row.direction] for colour, row in seat.rows.items()},
        "figures": seat.figures,
        "large": seat.large,
        "start": [seat.left("small"), seat.left("large")],
        "tiles": seat.tile_points,
        "wishes": seat.wish_stones,
    }


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name.partition(".")[0])
def test_a_stored_game_reads_as_it_did_when_it_was_played(path: Path):
    """After every ply the state is what it was, and the record still audits clean."""
    data = path.read_bytes()
    assert digests(data) == path.with_suffix("").with_suffix(".digests").read_text().split()
    assert audit(data).good


def test_the_corpus_has_every_number_of_seats_and_way_of_ending():
    """There is a stored game for two, three and four seats, and for each way in which a game ends."""
    scored = [parse_record(path.read_bytes()).entries[-1].entry.events[-1] for path in RECORDS]
    ends = [event for event in scored if isinstance(event, GameScored)]
    assert {len(event.sheets) for event in ends} == {2, 3, 4}
    assert {event.reason for event in ends} == {"goal", "deck", "turn-limit", "resignation"}


if __name__ == "__main__":
    print(*digests(Path(sys.argv[1]).read_bytes()), sep="\n")
