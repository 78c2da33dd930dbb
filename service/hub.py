"""The hub: one reader of the feeds in each process, which wakes whoever waits for a game.

A watcher so costs no connection to the store, however many there are.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import sleep

from events.store import EventStore, StoreUnavailable

BATCH = 1000
BLOCK_MS = 1000
PAUSE = 0.5
"""Seconds to wait before the store is asked again after it could not be reached."""

log = logging.getLogger(__name__)


class Hub:
    """Wakes waiters when their game's stream has grown. It says that something came, never what."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._waiting: dict[str, set[Event]] = {}
        self._lock = Lock()
        self._thread: Thread | None = None
        self._stopped = False

    @contextmanager
    def waiting(self, game_id: str) -> Iterator[Event]:
        """Give an event that is set whenever `game_id` grows; clear it before you look."""
        bell = Event()
        with self._lock:
            self._start()
            self._waiting.setdefault(game_id, set()).add(bell)
        try:
            yield bell
        finally:
            with self._lock:
                self._waiting[game_id].discard(bell)
                if not self._waiting[game_id]:
                    del self._waiting[game_id]

    def stop(self) -> None:
        """Stop reading."""
        self._stopped = True

    def _start(self) -> None:
        """Begin to read with the first waiter, so that a forked worker reads for itself; and anew if that failed."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=self._read, name="hub", daemon=True)
            self._thread.start()

    def _read(self) -> None:
        positions: dict[int, int] | None = None
        away = False
        while not self._stopped:
            try:
                if positions is None:
                    positions = dict(enumerate(self._store.feed_lengths()))
                    self._wake()  # whoever began to wait before the first position was known looks again
                self._read_once(positions)
                away = False
            except StoreUnavailable as error:
                if not (away or self._stopped):  # an outage is told once
                    log.warning("the hub waits for the store: %s", error)
                away = True
                sleep(PAUSE)

    def _read_once(self, positions: dict[int, int]) -> None:
        for shard, pointers in self._store.read_feeds(positions, BATCH, BLOCK_MS).items():
            for pointer in pointers:
                positions[shard] = pointer.position
                self._wake(pointer.stream.id)

    def _wake(self, *game_ids: str) -> None:
        with self._lock:
            for game_id in game_ids or self._waiting:
                for bell in self._waiting.get(game_id, ()):
                    bell.set()
