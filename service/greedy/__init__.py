"""How the greedy bot values an action: one module a game, under the game's name."""

from collections.abc import Callable

from events.actions import Move
from projections.views import GameView
from service.greedy import keltis

WORTHS: dict[str, Callable[[GameView, Move], float]] = {"keltis": keltis.worth}
"""What an action looks worth to the seat whose eyes a view has, in points, by the game's name."""
