"""Tables for benchmarks: games played in memory beforehand, and the requests with which clients then play them.

The seed is chosen, so every move is known before the first is sent; the service decides them all the same.
"""

import random
from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from typing import NamedTuple

from events.actions import CreateGame, JoinGame, Move, OptionValue
from events.codec import canonical
from events.deal import ALL
from events.entries import SCHEMA, Entry
from events.game import Game, decide
from events.table import Occupant
from service.commands import Actor, Commands, NewPlayer

OPTIONS: dict[str, OptionValue] = {"direction": "both", "redraw_own_discard": True, "tiebreak": "shared"}
AT = "2026-12-01T10:00:00.000Z"


class Planned(NamedTuple):
    """A table that waits for its first move: who sits there, the game now, its seed, and every move by seat."""

    id: str
    players: tuple[NewPlayer, ...]
    game: Game
    seed: bytes
    moves: list[tuple[int, Move]]


class Tables:
    """Opens tables in a store and plans their games; equal calls open equal tables, save for their ids."""

    def __init__(self, commands: Commands, seats: int = 2) -> None:
        self.commands = commands
        self._players = tuple(commands.create_player(f"Player {n}", f"benchmark player {n}") for n in range(seats))
        self._numbers = count()

    def plan(self) -> Planned:
        """Open a table, let its players sit down, and plan the game that they play at random."""
        number = next(self._numbers)
        seed = sha256(f"benchmark {number}".encode()).digest()
        host, *others = (Actor(player.id, player.name) for player in self._players)
        order = CreateGame("keltis", len(self._players), OPTIONS, "private", "unrated-test", True, ())
        game_id = self.commands.create_game(host, order, f"benchmark {number}", seed).game.id
        for player in others:
            self.commands.seat(game_id, player, JoinGame(), f"benchmark {number}")
        game = self.commands.live.get(game_id).game
        return Planned(game_id, self._by_seat(game), game.copy(), seed, planned(game.copy(), seed, number))

    def _by_seat(self, game: Game) -> tuple[NewPlayer, ...]:
        known = {player.id: player for player in self._players}
        return tuple(known[occupant.player] for occupant in game.table.occupants)


class Queue(Iterator[bytes]):
    """One client's requests, table after table, without end."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._ready: deque[bytes] = deque()

    def __next__(self) -> bytes:
        if not self._ready:
            self._ready.extend(requests(self._tables.plan()))
        return self._ready.popleft()

    def fill(self, wanted: int) -> None:
        """Plan until at least `wanted` requests are ready."""
        while len(self._ready) < wanted:
            self._ready.extend(requests(self._tables.plan()))


def planned(game: Game, seed: bytes, luck: int) -> list[tuple[int, Move]]:
    """Play `game` to its end at random and return every move with its seat."""
    chance = random.Random(luck)  # a benchmark's moves are no secret
    moves: list[tuple[int, Move]] = []
    while game.table.status == "running":
        assert game.board is not None
        seat = game.board.turns.seat
        move: Move = chance.choice(game.rules.legal_actions(game.look(ALL), seat))
        happens = decide(game, seat, Occupant("", "", None), move, seed)
        game.apply(Entry(SCHEMA, game.version + 1, AT, seat, "", "", move, happens))
        moves.append((seat, move))
    return moves


def requests(table: Planned) -> Iterator[bytes]:
    """Yield the requests that play a planned game."""
    for version, (seat, move) in enumerate(table.moves, table.game.version):
        body = canonical(move).decode()
        head = (
            f"POST /api/games/{table.id}/actions HTTP/1.1",
            "Host: localhost",
            f"Authorization: Bearer {table.players[seat].token}",
            f'If-Match: "{version}"',
            f"Idempotency-Key: {table.id}-{version}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        )
        yield "\r\n".join((*head, "", body)).encode()
