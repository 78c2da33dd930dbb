"""Whole games by bots through the real service path: commands, store, feeds, jobs, records, audits.

Everything that happens in a simulated game follows from the seed text, so the same text gives the same games.
"""

import signal
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

import msgspec
from rq import Queue, SimpleWorker

from events.actions import CreateGame, StartGame
from events.catalogue import GameScored
from events.games import GAMES
from events.seal import KeyRing
from projections.follower import Follower
from projections.view_store import ViewStore
from replay.audit import audit
from replay.verdict import Check
from service import jobs
from service.bot_moves import move_bot
from service.commands import Actor, Commands
from service.ends import Ends, EndsProjection
from service.jobs import Parts

ROUNDS = 20
"""How often jobs are run before games that are still not closed and recorded count as stuck."""


class StuckGames(RuntimeError):
    """Games that no job closes or records."""


class Plan(NamedTuple):
    """What is to be played: `games` games of `bots`, one for each seat, all following from `seed`."""

    game: str
    games: int
    seed: str
    bots: tuple[str, ...]


class Played(NamedTuple):
    """A game that was played, closed, recorded and audited; `fault` is the first check that failed."""

    id: str
    plies: int
    turns: int
    scored: GameScored
    fault: Check | None


class Progress(NamedTuple):
    """What is called after each step of each game."""

    played: Callable[[], None]
    audited: Callable[[], None]


def simulate(plan: Plan, parts: Parts, views: ViewStore, queue: Queue, progress: Progress) -> list[Played]:
    """Play, close, record and audit what `plan` says; raise `StuckGames` if jobs do not get done.

    `views` is the view store of the ends of games.
    """
    games = []
    for number in range(plan.games):
        games.append(play(plan, number, parts.commands))
        progress.played()
    finish(parts, views, queue)
    done = []
    for game_id in games:
        done.append(check(game_id, parts))
        progress.audited()
    return done


def play(plan: Plan, number: int, commands: Commands) -> str:
    """Play game `number` of `plan` to its end, and return its id."""
    luck = f"{plan.seed}/{number}"
    host = Actor(commands.create_player("simulation", host_key(plan)).id, "simulation")
    opened = commands.create_game(host, order(plan), luck_key(plan, number), sha256(luck.encode()).digest())
    live = commands.live.get(opened.game.id)
    if live.game.table.status == "open":
        commands.seat(live.game.id, host, StartGame(), f"{luck}/start")
    while live.game.table.status == "running":
        move_bot(commands, live.game.id, luck)
    return live.game.id


def order(plan: Plan) -> CreateGame:
    """Return the order for a table of `plan`: options as by default, in nobody's list."""
    options = msgspec.to_builtins(GAMES[plan.game].Options())
    return CreateGame(plan.game, len(plan.bots), options, "private", "unrated-test", False, plan.bots)


def host_key(plan: Plan) -> str:
    """Return the key of the host of `plan`: with a space, so that nobody can ask for its token over HTTP."""
    return f"simulate {plan.seed}"


def luck_key(plan: Plan, number: int) -> str:
    """Return the key that names game `number` of `plan`."""
    return f"simulate/{plan.game}/{','.join(plan.bots)}/{plan.seed}/{number}"


def finish(parts: Parts, views: ViewStore, queue: Queue) -> None:
    """Follow the feeds and run jobs in this process until every game that is over has its record."""
    store = parts.commands.store
    follower = Follower(store, views, EndsProjection(store, views))
    ends = Ends(views, queue, parts.records)
    with given(parts), kept_signals():
        for _ in range(ROUNDS):
            follower.drain()
            ends.sweep()
            if not ends.pending():
                return
            burst(queue)
    raise StuckGames(f"{ends.pending()} games are not closed and recorded after {ROUNDS} rounds of jobs")


def burst(queue: Queue) -> None:
    """Run the jobs that wait, in this process."""
    SimpleWorker([queue], connection=queue.connection, serializer="json").work(burst=True, logging_level="CRITICAL")


def check(game_id: str, parts: Parts) -> Played:
    """Audit the record of a game and return what is to be told of it."""
    game = parts.commands.live.get(game_id).game
    assert game.table.scored is not None
    assert game.board is not None
    verdict = audit(parts.records.read(game_id), parts.commands.keys.public_key)
    return Played(game_id, game.version, game.board.turns.number, game.table.scored, verdict.first_failed)


def keys_of(seed: str) -> KeyRing:
    """Return a key ring that follows from `seed`, so that ids do and all that follows from them; for rehearsals."""

    def key(purpose: str) -> bytes:
        return sha256(f"rehearsal/{purpose}/{seed}".encode()).digest()

    sealing = urlsafe_b64encode(key("seal")).decode()
    return KeyRing([sealing], b64encode(key("sign")).decode(), b64encode(key("token")).decode())


@contextmanager
def given(parts: Parts) -> Iterator[None]:
    """Let jobs of this process work with `parts`."""
    before, jobs.Given.parts = jobs.Given.parts, parts
    try:
        yield
    finally:
        jobs.Given.parts = before


@contextmanager
def kept_signals() -> Iterator[None]:
    """Put back the handlers of SIGINT and SIGTERM, which a worker replaces."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
