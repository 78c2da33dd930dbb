"""What can be done to players and games: decide, append exactly once, and only then tell.

Every command names the request that brings it. A repeated request finds the entry that the first one appended and
answers with it; the same name for something else is refused. A hot move costs one round trip to the store.
"""

from base64 import urlsafe_b64encode
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from events import chain
from events.actions import (
    Action,
    CloseGame,
    CreateGame,
    CreatePlayer,
    JoinGame,
    LeaveGame,
    Move,
    SeatBot,
    StartGame,
)
from events.catalogue import Event, PlayerCreated
from events.codec import decode, encode
from events.entries import SCHEMA, Entry
from events.game import Game, create, decide
from events.refusals import CLOSED, NOT_CLOSABLE, IllegalAction
from events.seal import KeyRing, new_seed
from events.shuffle import commitment
from events.store import EventStore, Stream, VersionConflict
from events.table import SERVICE, Occupant
from replay.redecision import redecide_all
from service.clock import Clock, stamp
from service.live import LiveGame, LiveGames, request_number

Seating = JoinGame | SeatBot | LeaveGame | StartGame
ATTEMPTS = 50
"""How often a command that does not name a version is decided anew when others were faster."""

KEPT_TOKENS = 100_000
"""Tokens that a process remembers as good, as digests; further ones are looked up each time."""


class KeyReused(ValueError):
    """An idempotency key that named another request before."""


class CorruptGame(ValueError):
    """A stored game that is not what the rules yield."""


class Actor(NamedTuple):
    """Who acts: a player's id or `bot:` and its name, and the seat of a running game it acts for.

    For a player the seat is left out: it is the one where the player sits when the action is decided.
    """

    player: str
    name: str
    seat: int | None = None


class NewPlayer(NamedTuple):
    """A player just made; the token is not kept anywhere."""

    id: str
    name: str
    token: str


class Player(NamedTuple):
    """A known player."""

    id: str
    name: str


class Answer(NamedTuple):
    """What a command did: its entry, and the game, which may have gone on since."""

    entry: Entry
    live: LiveGame
    repeated: bool

    @property
    def game(self) -> Game:
        """Return the game, at the entry's version or later."""
        return self.live.game


class Commands:
    """Everything that appends to a stream."""

    def __init__(self, store: EventStore, keys: KeyRing, clock: Clock) -> None:
        self.store = store
        self.keys = keys
        self.clock = clock
        self.live = LiveGames(store, keys)
        self._tokens: dict[bytes, Player] = {}

    def create_player(self, name: str, key: str) -> NewPlayer:
        """Make a player; the same key and name make the same player with the same token."""
        player_id = "p" + sha256(self.keys.derive("player", key).encode()).hexdigest()[:19]
        secret = self.keys.derive("token", key)
        digest = sha256(secret.encode()).hexdigest()
        action = CreatePlayer(name, digest)
        entry = self._entry(1, None, player_id, _digest(player_id, key), action, (PlayerCreated(name, digest),), None)
        body = encode(entry)
        try:
            self.store.append(Stream("player", player_id), 0, body, chain.link(chain.GENESIS, body))
        except VersionConflict as conflict:
            if conflict.standing is None or decode(conflict.standing.body).action != action:
                raise KeyReused(key) from conflict
        return NewPlayer(player_id, name, f"{player_id}.{secret}")

    def player_of(self, token: str) -> Player | None:
        """Return the player whose token this is, or None."""
        digest = sha256(token.encode()).digest()
        known = self._tokens.get(digest)
        if known is None:
            known = self._check_token(token)
            if known is not None and len(self._tokens) < KEPT_TOKENS:
                self._tokens[digest] = known
        return known

    def player(self, player_id: str) -> Player | None:
        """Return the player with this id, or None."""
        created = self._player(player_id)
        return Player(player_id, created.name) if created else None

    def create_game(self, by: Actor, order: CreateGame, key: str, seed: bytes | None = None) -> Answer:
        """Open a table; its id follows from the player and the key. `seed` is for tables of mode `unrated-test`."""
        secret = self.keys.derive("game", f"{by.player}\n{key}")  # so that nobody guesses a private table's id
        game_id = sha256(secret.encode()).hexdigest()[:20]
        if seed is None:
            return self.open_game(game_id, by, order, key, new_seed())
        return self.open_game(game_id, by, order, f"{key}\n{seed.hex()}", seed)

    def open_game(self, game_id: str, by: Actor, order: CreateGame, key: str, seed: bytes) -> Answer:
        """Open the table `game_id`, or find it if the same request opened it before."""
        request = _digest(by.player, key)
        events = create(game_id, order, Occupant(by.player, by.name, None), commitment(seed), self.keys.seal(seed))
        entry = self._entry(1, None, by.player, request, order, events, None)
        live = LiveGame(game_id, entry, seed)
        try:
            self._append(live, entry)
        except VersionConflict as conflict:
            live = self.live.get(game_id)
            return self._repeated(live, by, request, order, 1, conflict)
        self.live.keep(live)
        return Answer(entry, live, repeated=False)

    def seat(self, game_id: str, by: Actor, action: Seating, key: str) -> Answer:
        """Join, leave, seat a bot or start; whatever version the table has."""
        return self._act(self.live.cached(game_id), by, action, _digest(by.player, key), None)

    def act(self, game_id: str, by: Actor, action: Move, key: str, expected: int | None) -> Answer:
        """Let a seat act at the version that it saw; None stands for whatever version there is.

        Raise `IllegalAction`, `VersionConflict`, `KeyReused`, `UnknownGameId` or `StoreUnavailable`; then nothing
        was appended, but for a lost answer of the store, which a repeat of the request finds.
        """
        return self._act(self.live.cached(game_id), by, action, _digest(by.player, key), expected)

    def close(self, game_id: str) -> Answer | None:
        """Close a game that is over, after its whole log was decided anew; None if there is nothing to do."""
        self._verify(game_id)
        try:
            by, request = Actor(SERVICE, SERVICE), _digest(SERVICE, "close")
            answer = self._act(self.live.get(game_id), by, CloseGame(), request, None)
        except IllegalAction as refused:
            if refused.rule in (CLOSED, NOT_CLOSABLE):
                return None
            raise
        return None if answer.repeated else answer

    def _act(self, live: LiveGame, by: Actor, action: Action, request: str, expected: int | None) -> Answer:
        with live.lock:
            for _ in range(ATTEMPTS):
                done = live.requests.get(request_number(request))
                if done is not None:
                    return self._repeated(live, by, request, action, done, None)
                if expected is not None and expected != live.game.version:
                    self._meet(live, expected, request)
                    continue
                try:
                    return self._decide_and_append(live, by, action, request)
                except (VersionConflict, IllegalAction) as refused:
                    if not self._fell_behind(live) or (expected is not None and isinstance(refused, IllegalAction)):
                        raise
            raise VersionConflict(live.game.version, None)

    def _meet(self, live: LiveGame, expected: int, request: str) -> None:
        """Catch up with the stream; raise `VersionConflict` unless that helps a writer who saw `expected`."""
        self.live.catch_up(live)
        if request_number(request) not in live.requests and expected != live.game.version:
            raise VersionConflict(live.game.version, None)

    def _fell_behind(self, live: LiveGame) -> bool:
        before = live.game.version
        self.live.catch_up(live)
        return live.game.version > before

    def _decide_and_append(self, live: LiveGame, by: Actor, action: Action, request: str) -> Answer:
        occupant = Occupant(by.player, by.name, None)
        seat = _seat_of(by, action, live.game)
        events = decide(live.game, seat, occupant, action, live.seed)
        entry = self._entry(live.game.version + 1, seat, by.player, request, action, events, live.last)
        self._append(live, entry)
        return Answer(entry, live, repeated=False)

    def _append(self, live: LiveGame, entry: Entry) -> None:
        body = encode(entry)
        link = chain.link(live.head, body)
        self.store.append(Stream("game", live.game.id), entry.version - 1, body, link)
        live.apply(entry, link)

    def _repeated(
        self, live: LiveGame, by: Actor, request: str, action: Action, version: int, cause: Exception | None
    ) -> Answer:
        entry = live.last if live.last.version == version else self.live.entry(live.game.id, version)
        if by.seat not in (None, entry.seat) or (entry.by, entry.request, entry.action) != (by.player, request, action):
            raise KeyReused(request) from cause
        return Answer(entry, live, repeated=True)

    def _entry(
        self,
        version: int,
        seat: int | None,
        by: str,
        request: str,
        action: Action,
        events: tuple[Event, ...],
        before: Entry | None,
    ) -> Entry:
        now = stamp(self.clock())
        at = max(now, before.at) if before else now  # a clock set back never makes the log run backwards
        return Entry(SCHEMA, version, at, seat, by, request, action, events)

    def _check_token(self, token: str) -> Player | None:
        player_id, _, secret = token.partition(".")
        created = self._player(player_id)
        digest = sha256(secret.encode()).hexdigest()
        return Player(player_id, created.name) if created and compare_digest(created.token, digest) else None

    def _player(self, player_id: str) -> PlayerCreated | None:
        for stored in self.store.read(Stream("player", player_id), until=1):
            created = decode(stored.body).events[0]
            assert isinstance(created, PlayerCreated)
            return created
        return None

    def _verify(self, game_id: str) -> None:
        """Decide every stored entry anew; raise `CorruptGame` with the first that the rules do not yield."""
        entries = [decode(stored.body) for stored in self.store.read(Stream("game", game_id))]
        fault = redecide_all(game_id, entries, self.live.get(game_id).seed).fault
        if fault is not None:
            raise CorruptGame(f"entry {fault.ply} of {game_id}: {fault.reason}")


def _seat_of(by: Actor, action: Action, game: Game) -> int | None:
    """Return the seat for which `by` acts now; what concerns the table is done for no seat."""
    return game.table.seat_of(by.player) if by.seat is None and isinstance(action, Move) else by.seat


def _digest(player: str, key: str) -> str:
    """Return what the log keeps of an idempotency key: a digest of fixed size that tells nothing."""
    digest = sha256(f"{player}\n{key}".encode()).digest()[:15]
    return urlsafe_b64encode(digest).decode()
