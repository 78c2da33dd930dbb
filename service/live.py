"""Games kept in memory: each is a prefix of its stream, so it may be old but never wrong."""

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from threading import RLock

from events import chain
from events.catalogue import GameCreated
from events.codec import decode
from events.deal import ALL, Eyes
from events.entries import Entry
from events.game import Game
from events.seal import KeyRing
from events.store import EventStore, Stored, Stream

KEPT = 2000
"""Games that a process keeps; the one unused for longest goes first."""


class UnknownGameId(LookupError):
    """No game has this id."""


class LiveGame:
    """One game at the version up to which this process has read, and what the next append needs."""

    __slots__ = ("game", "head", "last", "lock", "requests", "seed")

    def __init__(self, game_id: str, first: Entry, seed: bytes) -> None:
        created = first.events[0]
        assert isinstance(created, GameCreated)
        self.game = Game(game_id, created)
        self.seed = seed
        self.head = chain.GENESIS
        self.last = first
        self.requests: dict[int, int] = {}
        self.lock = RLock()

    def apply(self, entry: Entry, link: bytes) -> None:
        """Let `entry` happen; everybody's cards are known here, and each seat's eyes look from the deal on."""
        self.game.apply(entry, eyes=(ALL, *range(len(self.game.table.chairs))), seed=self.seed)
        self.head = link
        self.last = entry
        self.requests[request_number(entry.request)] = entry.version


class LiveGames:
    """The games that this process has read, caught up on demand."""

    def __init__(self, store: EventStore, keys: KeyRing, kept: int = KEPT) -> None:
        self._store = store
        self._keys = keys
        self._kept = kept
        self._games: OrderedDict[str, LiveGame] = OrderedDict()

    def cached(self, game_id: str) -> LiveGame:
        """Return a game as far as this process knows it; raise `UnknownGameId` if there is none."""
        live = self._games.get(game_id)
        if live is None:
            return self._load(game_id)
        with suppress(KeyError):  # another thread may have let go of it just now
            self._games.move_to_end(game_id)
        return live

    def get(self, game_id: str, *eyes: Eyes) -> LiveGame:
        """Return a game caught up with its stream, ready to be looked at with `eyes`."""
        live = self.cached(game_id)
        with live.lock:
            self.catch_up(live)
            self.open_eyes(live, *eyes)
        return live

    def catch_up(self, live: LiveGame) -> None:
        """Read what was appended to the game since."""
        with live.lock:
            self._apply(live, self._store.read(Stream("game", live.game.id), after=live.game.version))

    def open_eyes(self, live: LiveGame, *eyes: Eyes) -> None:
        """Make sure that the game can be looked at with `eyes`."""
        game = live.game
        missing = tuple(viewer for viewer in eyes if not game.sees(viewer))
        if game.board is None or not missing:
            return
        folded = self.at(game.id, game.version, *missing)
        for viewer in missing:
            game.adopt(viewer, folded)

    def at(self, game_id: str, version: int, *eyes: Eyes) -> Game:
        """Return the game as it stood at `version`, folded anew, ready to be looked at with `eyes`."""
        entries = [decode(stored.body) for stored in self._store.read(Stream("game", game_id), until=version)]
        if len(entries) < version or not entries:
            raise UnknownGameId(game_id)
        return fold(game_id, entries, self._seed(entries[0]), *eyes)

    def entry(self, game_id: str, version: int) -> Entry:
        """Return the entry at `version`; raise `UnknownGameId` if there is none."""
        for stored in self._store.read(Stream("game", game_id), after=version - 1, until=version):
            return decode(stored.body)
        raise UnknownGameId(game_id)

    def keep(self, live: LiveGame) -> None:
        """Keep `live`, and let go of the game that was unused for longest."""
        self._games[live.game.id] = live
        if len(self._games) > self._kept:
            self._games.popitem(last=False)

    def _load(self, game_id: str) -> LiveGame:
        stored = self._store.read(Stream("game", game_id))
        if not stored:
            raise UnknownGameId(game_id)
        first = decode(stored[0].body)
        live = LiveGame(game_id, first, self._seed(first))
        self._apply(live, stored)
        self.keep(live)
        return live

    def _apply(self, live: LiveGame, stored: Sequence[Stored]) -> None:
        for version, body, link in stored:
            if version > live.game.version:
                live.apply(decode(body), link)

    def _seed(self, first: Entry) -> bytes:
        created = first.events[0]
        assert isinstance(created, GameCreated)
        return self._keys.unseal(created.seal)


def fold(game_id: str, entries: Sequence[Entry], seed: bytes | None, *eyes: Eyes) -> Game:
    """Return the game that `entries` make, ready to be looked at with `eyes`."""
    created = entries[0].events[0]
    assert isinstance(created, GameCreated)
    game = Game(game_id, created)
    for entry in entries:
        game.apply(entry, eyes=eyes, seed=seed)
    return game


def request_number(request: str) -> int:
    """Return the whole of `request` as a number, which takes less memory than text.

    A part of it would not do: whoever found another key with the same part could bar the service's own requests,
    whose names are known.
    """
    return int.from_bytes(request.encode(), "big")
