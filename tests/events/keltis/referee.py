"""Keltis a second time: slow, in plain words, from the rules alone, to check the service's rules against.

It speaks in tuples of words and numbers, trusts that what it sees is allowed, and shares no code and no table with
`events.games`.
"""

from itertools import pairwise
from typing import Any

PATHS = ["red", "yellow", "pink", "green", "blue"]
DARK = {"red": "2467", "yellow": "2358", "pink": "3568", "green": "2457", "blue": "3467"}
WORTH = dict(zip("123456789", [-4, -3, -2, 1, 2, 3, 6, 7, 10], strict=True))
Said = tuple[Any, ...]
"""An action or an event in plain words: its name, then its fields."""


class Referee:
    """Watches one game."""

    def __init__(self, seats: int, deck: list[str], tiles: list[str], first: int, options: dict[str, Any]) -> None:
        stones = [(path, int(row)) for path in PATHS for row in DARK[path] + "9"]
        self.tiles = dict(zip(stones, tiles, strict=True))
        self.seats, self.options = seats, options
        deck = deck[30:] if seats == 2 else deck
        self.hands = {seat: [deck[seat + seats * n] for n in range(8)] for seat in range(seats)}
        self.deck = deck[8 * seats :]
        self.rows: dict[int, dict[str, list[int]]] = {seat: {} for seat in range(seats)}
        self.figures: dict[int, dict[str, int]] = {seat: {} for seat in range(seats)}
        self.large: dict[int, str] = {}
        self.piles: dict[str, list[str]] = {path: [] for path in PATHS}
        self.points, self.wishes = dict.fromkeys(range(seats), 0), dict.fromkeys(range(seats), 0)
        self.gone: list[int] = []
        self.turn, self.to_act, self.due = 1, first, "card"
        self.discarded: str | None = None
        self.stalls = 0
        self.over: str | None = None

    def allowed(self) -> set[Said]:
        """Return what the seat to act may do."""
        if self.over:
            return set()
        return {"card": self._cards, "move": self._moves, "draw": self._draws}[self.due]()

    def see(self, seat: int, action: Said) -> list[Said]:
        """Let an allowed action happen, and tell what happened."""
        name, *words = action
        if name == "resign":
            return self._resign(seat)
        if name == "discard-card":
            return self._discard(seat, words[0])
        if name == "play-card":
            return self._lay(seat, words[0], words[1])
        if name == "move-figure":
            return self._step(seat, words[0], "large" if self.large.get(seat) == words[0] else "small")
        return self._draw(seat, words[0])

    def totals(self) -> list[int]:
        """Return every seat's points."""
        totals = []
        for seat in range(self.seats):
            worth = [WORTH[str(row)] * (1 + (self.large.get(seat) == path)) for path, row in self.figures[seat].items()]
            totals.append(self.points[seat] + sum(worth) + [-4, -3, 2, 3, 6, 10][min(5, self.wishes[seat])])
        return totals

    def _cards(self) -> set[Said]:
        hand = set(self.hands[self.to_act])
        allowed: set[Said] = {("discard-card", card) for card in hand}
        for card in hand:
            colour, value = card.split("-")
            row = self.rows[self.to_act].get(colour)
            if row is None:
                small = len(self.figures[self.to_act]) - (self.to_act in self.large)
                allowed |= {("play-card", card, "small")} if small < 4 else set()
                allowed |= {("play-card", card, "large")} if self.to_act not in self.large else set()
            elif self._fits([*row, int(value)]):
                allowed.add(("play-card", card, None))
        return allowed

    def _fits(self, row: list[int]) -> bool:
        rises = all(low <= high for low, high in pairwise(row))
        falls = all(high >= low for high, low in pairwise(row))
        return rises or (falls and self.options["direction"] == "both")

    def _movable(self, seat: int) -> list[str]:
        return [path for path, row in self.figures[seat].items() if row != 9]

    def _moves(self) -> set[Said]:
        return {("move-figure", path) for path in self._movable(self.to_act)}

    def _draws(self) -> set[Said]:
        allowed: set[Said] = {("draw-card", "deck")}
        if self.discarded and self.stalls >= 4 * self.seats:
            return allowed
        barred = None if self.options["redraw_own_discard"] else self.discarded
        return allowed | {("draw-card", path) for path, pile in self.piles.items() if pile and path != barred}

    def _discard(self, seat: int, card: str) -> list[Said]:
        self.hands[seat].remove(card)
        self.discarded = card.split("-", maxsplit=1)[0]
        self.piles[self.discarded].append(card)
        self.due = "draw"
        return [("card-discarded", seat, card)]

    def _lay(self, seat: int, card: str, figure: str | None) -> list[Said]:
        colour, value = card.split("-")
        self.hands[seat].remove(card)
        self.rows[seat].setdefault(colour, []).append(int(value))
        self.due, self.stalls = "draw", 0
        played = ("card-played", seat, card)
        if figure:
            if figure == "large":
                self.large[seat] = colour
            return [played, *self._step(seat, colour, figure)]
        if self.figures[seat][colour] < 9:
            return [played, *self._step(seat, colour, "large" if self.large.get(seat) == colour else "small")]
        if self._movable(seat):
            self.due = "move"
            return [played, ("move-granted", seat, "end-stone")]
        return [played]

    def _step(self, seat: int, path: str, figure: str) -> list[Said]:
        row = self.figures[seat][path] = self.figures[seat].get(path, 0) + 1
        self.due = "draw"
        told: list[Said] = [("figure-moved", seat, path, row, figure)]
        if row == 7 and sum(at >= 7 for mine in self.figures.values() for at in mine.values()) == 5:
            return [*told, self._end("goal")]
        tile = self.tiles.get((path, row), "none")
        if tile == "wish":
            self.wishes[seat] += 1
            del self.tiles[path, row]
            told.append(("wish-stone-taken", seat, path, row))
        elif tile == "clover" and self._movable(seat):
            self.due = "move"
            told.append(("move-granted", seat, "clover"))
        elif tile.startswith("points"):
            self.points[seat] += int(tile[-1])
            told.append(("points-scored", seat, int(tile[-1])))
        return told

    def _draw(self, seat: int, source: str) -> list[Said]:
        if source == "deck":
            self.hands[seat].append(self.deck.pop(0))
            self.stalls = 0
            told: Said = ("card-drawn", seat)
        else:
            self.hands[seat].append(self.piles[source].pop())
            self.stalls += 1 if self.discarded else 0
            told = ("discard-taken", seat, self.hands[seat][-1])
        if not self.deck:
            return [told, self._end("deck")]
        return [told, self._next()]

    def _resign(self, seat: int) -> list[Said]:
        self.gone.append(seat)
        told: Said = ("seat-resigned", seat, "resignation")
        if self.seats - len(self.gone) == 1:
            return [told, self._end("resignation")]
        return [told, self._next()] if seat == self.to_act else [told]

    def _next(self) -> Said:
        if self.turn == 500:
            return self._end("turn-limit")
        self.turn += 1
        self.to_act = (self.to_act + 1) % self.seats
        while self.to_act in self.gone:
            self.to_act = (self.to_act + 1) % self.seats
        self.due, self.discarded = "card", None
        return ("turn-began", self.to_act)

    def _end(self, reason: str) -> Said:
        self.over = reason
        return ("game-ended", reason)
