"""The state of a game of any kind: its board, which everybody sees, and the hands under a deal."""

from typing import Generic, TypeVar

from events.games.hands import Hands

B = TypeVar("B")


class State(Generic[B]):
    """A game as some eyes see it; `board` is of the game's own kind."""

    __slots__ = ("board", "hands")

    def __init__(self, board: B, hands: Hands) -> None:
        self.board = board
        self.hands = hands
