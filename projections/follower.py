"""The follower: reads the feeds from a checkpoint on and lets a projection change its view, batch by batch."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from events.store import EventStore, Pointer, Stored, Stream
from projections.view_store import Overtaken, ViewStore, Writes

BATCH = 1_000
"""Pointers that are taken in at once, about: each shard that had something gets an equal share of them."""


class Projection(Protocol):
    """What turns pointers into changes of a view."""

    def project(self, pointers: Sequence[Pointer], writes: Writes) -> None:
        """Queue on `writes` what the entries at `pointers`, in the feeds' order, change."""


class Follower:
    """One projection's way along the feeds."""

    def __init__(self, store: EventStore, views: ViewStore, projection: Projection, batch: int = BATCH) -> None:
        self._store = store
        self._views = views
        self._projection = projection
        self._batch = batch
        self._share = 1 + batch // 64
        self._known: dict[int, int] | None = None

    def step(self, block_ms: int = 0) -> int:
        """Take in one batch and return how many pointers it held; wait up to `block_ms` for the first.

        Raise `StoreUnavailable`; then nothing of the batch is saved, or all of it.
        """
        since = self._known or self._saved()
        self._known = None  # whatever goes wrong from here on, the saved one counts
        feeds = self._store.read_feeds(since, self._share, block_ms)
        if feeds:
            self._share = max(1, self._batch // len(feeds))
            self._known = self._take_in(feeds, since)
        else:
            self._known = since
        return sum(map(len, feeds.values())) if self._known is not None else 0

    def _take_in(self, feeds: Mapping[int, list[Pointer]], since: dict[int, int]) -> dict[int, int] | None:
        """Save what `feeds` change and return the new checkpoint, or None if another follower was faster."""
        until = since | {shard: pointers[-1].position for shard, pointers in feeds.items()}
        pointers = [pointer for shard in feeds.values() for pointer in shard]
        try:
            with self._views.saving(since, until) as writes:
                self._projection.project(pointers, writes)
        except Overtaken:
            return None
        return until

    def _saved(self) -> dict[int, int]:
        return dict.fromkeys(range(len(self._store.feed_lengths())), 0) | self._views.checkpoint()

    def drain(self) -> int:
        """Take in all that is there now, and return how many pointers that were."""
        total = 0
        while taken := self.step():
            total += taken
        return total


def lag(store: EventStore, views: ViewStore) -> int:
    """Return how many pointers the view has not taken in yet."""
    return sum(store.feed_lengths()) - sum(views.checkpoint().values())


def last_versions(pointers: Sequence[Pointer], kind: str) -> dict[str, int]:
    """Return the highest version that `pointers` name of each stream of `kind`, by its id."""
    versions: dict[str, int] = {}
    for pointer in pointers:
        if pointer.stream.kind == kind:
            versions[pointer.stream.id] = max(pointer.version, versions.get(pointer.stream.id, 0))
    return versions


def read_after(store: EventStore, wanted: Mapping[Stream, tuple[int, int]]) -> dict[Stream, list[Stored]]:
    """Return the entries of each stream above its first and up to its second version; empty ones are left out."""
    found = {stream: store.read(stream, after, until) for stream, (after, until) in wanted.items()}
    return {stream: entries for stream, entries in found.items() if entries}
