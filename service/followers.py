"""The followers: the lobby, the ends of games and the bots, each reading the feeds in a thread of its own."""

import logging
import signal
from collections.abc import Callable
from threading import Event, Thread
from time import monotonic, sleep

from events.store import StoreUnavailable, connect
from projections import lobby
from projections.follower import Follower
from projections.lobby import LobbyProjection
from projections.view_store import ViewStore
from service import bot_moves, ends
from service.bot_moves import BotMoves, BotsProjection
from service.config import Settings
from service.ends import Ends, EndsProjection
from service.jobs import open_records, queue_of
from service.wiring import open_commands, open_store

WAIT_MS = 1_000
"""How long a follower waits for news before it looks whether it is to stop."""

SWEEP_S = 5.0
"""How often lost jobs are looked for."""

SHORT_S = 0.15
"""Waits up to this long are slept: a server ends a wait for news only ten times a second."""

RETRY_S = 0.5
"""How long a follower waits when the store is away."""

Turn = Callable[[], object]
log = logging.getLogger(__name__)


class EndsTurn:
    """Reads, and looks after the jobs when there is an end, and at times for what was lost."""

    def __init__(self, follower: Follower, projection: EndsProjection, ends: Ends) -> None:
        self._follower = follower
        self._projection = projection
        self._ends = ends
        self._swept = 0.0

    def __call__(self) -> None:
        """Take one turn."""
        self._follower.step(WAIT_MS)
        if self._projection.found or monotonic() - self._swept >= SWEEP_S:
            self._projection.found = False
            self._swept = monotonic()
            self._ends.sweep()


class BotsTurn:
    """Reads until the next bot is due, and lets it move."""

    def __init__(self, follower: Follower, moves: BotMoves) -> None:
        self._follower = follower
        self._moves = moves
        self._wait_ms = 0

    def __call__(self) -> None:
        """Take one turn."""
        self._follower.step(self._wait_ms)
        due_s = self._moves.move_all()
        if due_s is None or due_s > SHORT_S:
            self._wait_ms = WAIT_MS if due_s is None else min(WAIT_MS, int((due_s - SHORT_S) * 1000))
        else:
            sleep(due_s)
            self._wait_ms = 0


def run(settings: Settings) -> None:
    """Follow until SIGTERM or SIGINT; a store that is away is waited for. To be called in the main thread."""
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    failures: list[BaseException] = []
    threads = [Thread(target=_follow, args=(name, settings, stop, failures), name=name) for name in TURNS]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():  # a join without a limit would keep signals waiting
            thread.join(0.2)
    if failures:
        raise failures[0]


def _follow(name: str, settings: Settings, stop: Event, failures: list[BaseException]) -> None:
    """Take one follower's turns until told to stop; a failure that is no outage stops all of them."""
    turn: Turn | None = None
    away = False
    try:
        while not stop.is_set():
            try:
                turn = turn or TURNS[name](settings)
                turn()
                away = False
            except StoreUnavailable as outage:
                if not away:  # an outage is told once
                    log.warning("%s waits: %s", name, outage.reason)
                away = True
                stop.wait(RETRY_S)
    except BaseException as failure:
        failures.append(failure)
        stop.set()


def _lobby(settings: Settings) -> Turn:
    store = open_store(settings)
    views = ViewStore(connect(settings.redis_url), lobby.NAME)
    follower = Follower(store, views, LobbyProjection(store, views))
    return lambda: follower.step(WAIT_MS)


def _ends(settings: Settings) -> Turn:
    store = open_store(settings)
    views = ViewStore(connect(settings.redis_url), ends.NAME)
    projection = EndsProjection(store, views)
    keeper = Ends(views, queue_of(settings), open_records(settings))
    return EndsTurn(Follower(store, views, projection), projection, keeper)


def _bots(settings: Settings) -> Turn:
    commands = open_commands(settings)
    views = ViewStore(connect(settings.redis_url), bot_moves.NAME)
    follower = Follower(commands.store, views, BotsProjection(commands, views))
    return BotsTurn(follower, BotMoves(commands, views, settings.bot_pause))


TURNS: dict[str, Callable[[Settings], Turn]] = {lobby.NAME: _lobby, ends.NAME: _ends, bot_moves.NAME: _bots}
"""How each follower is put together, by its name."""
