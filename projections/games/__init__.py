"""What the players of each game see of its board: one module a game, under the game's name."""

from collections.abc import Callable

from events.games.keltis import State
from projections.games import keltis

BoardView = keltis.BoardView
"""A board, as some eyes see it."""

BOARDS: dict[str, Callable[[State], BoardView]] = {"keltis": keltis.view_board}
"""How each game's board is viewed, by the game's name."""
