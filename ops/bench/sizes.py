"""Sizes: what a finished game of 150 plies takes in Redis, and what a live game takes in the web process.

In Redis: the memory of the game's stream and its share of the feed, as MEMORY USAGE tells. In the process: what Python
has allocated for many games at their middles, read as a web process reads them, divided by their number.
"""

import gc
import tracemalloc
from contextlib import ExitStack
from statistics import median
from typing import Any

from events.deal import ALL
from events.store import EventStore, Stream, connect
from ops.bench import servers
from ops.bench.rounds import Effort, Figure, Spread, at_most
from ops.bench.tables import Planned, Tables
from service.commands import Actor, Commands
from service.live import LiveGames

PLIES = 150
KB = 1000.0


def figures(effort: Effort) -> list[Figure]:
    """Return both sizes, in kB (1000 bytes)."""
    with ExitStack() as stack:
        url, data = stack.enter_context(servers.valkey()), stack.enter_context(servers.folder())
        commands = servers.commands(url, data)
        stack.callback(commands.store.close)
        client = stack.enter_context(connect(url))
        tables = Tables(commands)
        stored = [_played(commands, tables.plan(), PLIES) for _ in range(effort.played)]
        half = [_played(commands, tables.plan(), PLIES // 2) for _ in range(effort.played)]
        live = [_live(commands, half) for _ in range(min(effort.rounds, 8))]
        entries = median(commands.store.version(Stream("game", game)) for game in stored)
        return [
            Figure(
                f"a game of {PLIES} plies in Redis, with its share of the feed",
                Spread.of(_in_redis(client, commands.store, game) for game in stored),
                "kB",
                at_most(80),
                f"{entries:.0f} entries",
            ),
            Figure(
                "a cached live game in the web process", Spread.of(live), "kB", at_most(40), f"{effort.played} games"
            ),
        ]


def _played(commands: Commands, table: Planned, plies: int) -> str:
    """Play the table up to the entry `plies` or to its end, and return its id."""
    for version, (seat, move) in enumerate(table.moves, table.game.version):
        if version >= plies:
            break
        player = table.players[seat]
        commands.act(table.id, Actor(player.id, player.name, seat), move, f"move {version}", version)
    return table.id


def _in_redis(client: Any, store: EventStore, game_id: str) -> float:
    stream = Stream("game", game_id)
    tag = f"{{s{store.shard(stream):02d}}}"
    feed = client.memory_usage(f"{tag}:feed", samples=0) / client.xlen(f"{tag}:feed")
    entries = store.version(stream)
    own = client.memory_usage(f"{tag}:game:{game_id}", samples=0)
    return float(own + feed * entries) / KB


def _live(commands: Commands, games: list[str]) -> float:
    """Return what a game takes once it was read and looked at by both seats."""
    cache = LiveGames(commands.store, commands.keys)
    cache.get(games[0], ALL, 0, 1)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for game in games[1:]:
        cache.get(game, ALL, 0, 1)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / (len(games) - 1) / KB
