"""The ends of games: which are over but not closed, which are closed but have no record, and the jobs for them.

The two sets follow from the feed. A game leaves the first when its closing entry is in the log, the second when
its record lies in its place; until then its job is put in the queue again and again, whatever became of it.
"""

from collections.abc import Sequence
from typing import Final

from rq import Queue

from events.catalogue import GameEnded, GameScored
from events.codec import decode
from events.store import EventStore, Pointer, Stored, Stream
from projections.follower import read_after
from projections.view_store import ViewStore, Writes, reaching
from service.jobs import CLOSE, EXPORT, ensure
from service.records import Records

NAME: Final = "ends"
CLOSING = "closing"
EXPORTING = "exporting"
MARKS = (b'"game-ended"', b'"game-scored"')


class EndsProjection:
    """Keeps the two sets, of games to close and of games to export."""

    def __init__(self, store: EventStore, views: ViewStore) -> None:
        self._store = store
        self._views = views
        self.found = True
        """Whether there may be ends that nobody has looked after yet."""

    def project(self, pointers: Sequence[Pointer], writes: Writes) -> None:
        """Queue the changes of both sets."""
        for stream, entries in read_after(self._store, _spans(pointers)).items():
            for stored in entries:
                self._project(stream.id, stored, writes)

    def _project(self, game_id: str, stored: Stored, writes: Writes) -> None:
        if not any(mark in stored.body for mark in MARKS):
            return  # only a mark is worth a closer look
        self.found = True
        for event in decode(stored.body).events:
            if isinstance(event, GameEnded):
                writes.sadd(self._views.key(CLOSING), game_id)
            elif isinstance(event, GameScored):
                writes.srem(self._views.key(CLOSING), game_id)
                writes.sadd(self._views.key(EXPORTING), game_id)


class Ends:
    """Sees to it that every end gets its jobs."""

    def __init__(self, views: ViewStore, queue: Queue, records: Records) -> None:
        self._views = views
        self._queue = queue
        self._records = records

    def pending(self) -> int:
        """Return how many games wait for being closed or exported."""
        return len(self._closing()) + len(self._exporting())

    def sweep(self) -> int:
        """Put in the queue what is pending and not there, and return how many jobs that were."""
        with reaching():  # the queue, or where records lie, may be away: then the rest waits, and games are closed
            closing = ensure(self._queue, CLOSE, self._closing())
            for game_id in filter(self._records.holds, self._exporting()):
                self._views.remove(self._views.key(EXPORTING), game_id)
            return closing + ensure(self._queue, EXPORT, self._exporting())

    def _closing(self) -> list[str]:
        return self._views.members(self._views.key(CLOSING))

    def _exporting(self) -> list[str]:
        return self._views.members(self._views.key(EXPORTING))


def _spans(pointers: Sequence[Pointer]) -> dict[Stream, tuple[int, int]]:
    """Return from which to which version `pointers` go in each game's stream."""
    spans: dict[Stream, tuple[int, int]] = {}
    for _, stream, version in pointers:
        if stream.kind == "game":
            first, last = spans.get(stream, (version - 1, version))
            spans[stream] = (min(first, version - 1), max(last, version))
    return spans
