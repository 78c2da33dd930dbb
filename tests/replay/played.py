"""Whole games played in memory by random seats, and records made of them, right and wrong."""

import random
from base64 import b64encode
from collections.abc import Sequence
from functools import cache

import msgspec
from cryptography.fernet import Fernet

from events.actions import Action, CloseGame, CreateGame, JoinGame, Resign, StartGame
from events.codec import decode, encode
from events.deal import ALL
from events.entries import SCHEMA, Entry
from events.game import Game, create, decide
from events.seal import KeyRing
from events.shuffle import commitment
from events.table import Occupant
from replay.record import record_bytes
from replay.verdict import Verdict

GAME_ID = "g7"
SEED = bytes(range(32))

with_fields = msgspec.structs.replace


def ring(letter: bytes = b"a") -> KeyRing:
    """Return a key ring that is always the same for `letter`."""
    key = b64encode(letter * 32).decode()
    return KeyRing([Fernet.generate_key().decode()], key, key)


class Playing:
    """A game in memory, and its entries."""

    def __init__(self, seats: int, lot: int, **options: str | bool) -> None:
        self.random = random.Random(lot)
        self.people = [Occupant(f"p{seat}", f"Ánna {seat}", None) for seat in range(seats)]
        chosen = {"tiebreak": "shared", "direction": "both", "redraw_own_discard": True, **options}
        order = CreateGame("keltis", seats, chosen, "open", "rated", True, ())
        events = create(GAME_ID, order, self.people[0], commitment(SEED), "sealed")
        self.entries: list[Entry] = []
        self.game = Game(GAME_ID, events[0])
        self._append(None, "p0", order, events)

    def act(self, seat: int | None, by: Occupant, action: Action) -> None:
        """Let an action be decided and happen."""
        self._append(seat, by.player, action, decide(self.game, seat, by, action, SEED))

    def start(self, entropy: str | None = None) -> None:
        """Let the others join one by one; the last one starts the game."""
        for person in self.people[1:-1]:
            self.act(None, person, JoinGame(entropy))
        self.act(None, self.people[-1], JoinGame(entropy))

    def play(self, plies: int) -> None:
        """Play at random, at most `plies` plies."""
        while plies and self.game.table.status == "running":
            seat = self.game.board.turns.seat
            self.act(seat, self.people[seat], self.random.choice(self.moves(seat)))
            plies -= 1

    def moves(self, seat: int) -> list[Action]:
        """Return what `seat` may do."""
        return self.game.rules.legal_actions(self.game.look(ALL), seat)

    def finish(self) -> None:
        """Play to the end and close the game."""
        self.play(10**6)
        self.act(None, Occupant("service", "service", None), CloseGame())

    def _append(self, seat, by, action, events) -> None:
        version = len(self.entries) + 1
        at = f"2026-12-01T10:{version // 60 % 60:02}:{version % 60:02}.000Z"
        entry = Entry(SCHEMA, version, at, seat, by, f"request-{version}", action, events)
        self.game.apply(entry, eyes=(ALL,), seed=SEED)
        self.entries.append(entry)


@cache
def finished(seats: int = 3, lot: int = 1) -> tuple[Entry, ...]:
    """Return the entries of a whole game, closed."""
    playing = Playing(seats, lot)
    playing.start("a pinch of salt")
    playing.finish()
    return tuple(playing.entries)


@cache
def short() -> tuple[Entry, ...]:
    """Return the entries of a game of two that a resignation ends after a few plies, closed."""
    playing = Playing(2, 5)
    playing.start()
    playing.play(6)
    playing.act(1, playing.people[1], Resign())
    playing.finish()
    return tuple(playing.entries)


def record(entries: Sequence[Entry], keys: KeyRing | None = None) -> bytes:
    """Return the record of `entries`, chained and signed as they are, right or wrong."""
    return record_bytes(GAME_ID, [encode(entry) for entry in entries], keys or ring())


def changed(entries: Sequence[Entry], ply: int, **fields: object) -> list[Entry]:
    """Return the entries with some fields of one changed."""
    entry = msgspec.structs.replace(entries[ply - 1], **fields)
    return [*entries[: ply - 1], entry, *entries[ply:]]


def renumbered(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with versions that count their places."""
    return [msgspec.structs.replace(entry, version=place) for place, entry in enumerate(entries, 1)]


def reread(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries as they come out of their bytes."""
    return [decode(encode(entry)) for entry in entries]


def opened_by_host(seats: int) -> Playing:
    """Return a game that its host starts before the table is full."""
    playing = Playing(seats, 2)
    playing.act(None, playing.people[1], JoinGame())
    playing.act(None, playing.people[0], StartGame("host's salt"))
    playing.people = playing.people[:2]
    return playing


def failed(verdict: Verdict) -> tuple[str, int | None]:
    """Return the name and the ply of the first check that failed."""
    check = verdict.first_failed
    assert check is not None
    return check.name, check.ply


def results(verdict: Verdict) -> dict[str, str]:
    """Return each check's result by its name."""
    return {check.name: check.result for check in verdict.checks}
