"""Stepping through a game: forward, back, to any ply, with anybody's eyes.

Pure: entries go in, games come out. Going back folds again from the nearest keyframe, so a step never costs more
than a few plies.
"""

from collections.abc import Iterator, Sequence

from events.catalogue import GameCreated, GameStarted, SeedRevealed
from events.deal import ALL, SPECTATOR, Eyes
from events.entries import Entry
from events.game import Game

KEYFRAME = 16
"""Plies from one kept copy of the game to the next."""


class NoGame(ValueError):
    """Entries that do not begin with the creation of a game."""


class Stepper:
    """A position in a game: `ply` entries have happened, 1 to `length`. It starts at the first."""

    def __init__(self, entries: Sequence[Entry], game_id: str) -> None:
        self._entries = entries
        self.seed = revealed_seed(entries)
        self.eyes: tuple[Eyes, ...] = (*range(_seats(entries)), SPECTATOR, ALL) if self.seed else (SPECTATOR,)
        self._keyframes = {0: Game(game_id, creation(entries))}
        self.game = self._keyframes[0].copy()
        self.jump(1)

    @property
    def ply(self) -> int:
        """Return how many entries have happened."""
        return self.game.version

    @property
    def length(self) -> int:
        """Return the last ply."""
        return len(self._entries)

    @property
    def entry(self) -> Entry:
        """Return the entry that happened last."""
        return self._entries[self.ply - 1]

    def forward(self) -> bool:
        """Go one ply on; tell whether there was one."""
        if self.ply >= self.length:
            return False
        self._step()
        return True

    def back(self) -> bool:
        """Go one ply back; tell whether there was one."""
        if self.ply <= 1:
            return False
        self.jump(self.ply - 1)
        return True

    def jump(self, ply: int) -> None:
        """Go to `ply`, or to the nearest that there is."""
        wanted = min(max(ply, 1), self.length)
        nearest = max(frame for frame in self._keyframes if frame <= wanted)
        if not nearest <= self.ply <= wanted:
            self.game = self._keyframes[nearest].copy()
        while self.ply < wanted:
            self._step()

    def __iter__(self) -> Iterator[tuple[Entry, Game]]:
        """Yield every entry with the game after it, from the first; the game goes on with the next one."""
        self.jump(1)
        yield self.entry, self.game
        while self.forward():
            yield self.entry, self.game

    def _step(self) -> None:
        self.game.apply(self._entries[self.ply], eyes=self.eyes, seed=self.seed)
        if self.ply % KEYFRAME == 0 and self.ply not in self._keyframes:
            self._keyframes[self.ply] = self.game.copy()


def creation(entries: Sequence[Entry]) -> GameCreated:
    """Return the event that opened the table; raise `NoGame` if the entries do not begin with it."""
    created = entries[0].events[0] if entries and entries[0].events else None
    if not isinstance(created, GameCreated):
        raise NoGame("the first entry does not create a game")
    return created


def revealed_seed(entries: Sequence[Entry]) -> bytes | None:
    """Return the seed if the last entry reveals it, else None."""
    for event in entries[-1].events if entries else ():
        if isinstance(event, SeedRevealed):
            return seed_of(event)
    return None


def seed_of(revealed: SeedRevealed) -> bytes | None:
    """Return the 32 bytes that `revealed` writes in lower-case hex, or None if it does not."""
    try:
        seed = bytes.fromhex(revealed.seed)
    except ValueError:
        return None
    return seed if len(seed) == 32 and seed.hex() == revealed.seed else None


def viewer(game: Game, eyes: Eyes) -> Eyes:
    """Return `eyes`, or a spectator's if the game cannot be looked at with them."""
    return eyes if game.board is None or game.sees(eyes) else SPECTATOR


def _seats(entries: Sequence[Entry]) -> int:
    started = (event for entry in entries for event in entry.events if isinstance(event, GameStarted))
    return max((len(event.seats) for event in started), default=0)
