"""The bots: what a seat without a person does. A bot sees its seat's view, and nothing that a person would not."""

from collections.abc import Callable
from random import Random

from events.actions import Move, Resign
from projections.views import GameView
from service.greedy import WORTHS

Bot = Callable[[GameView, Random], Move]
"""Chooses one of the view's legal actions; there must be one besides resigning."""


def choose_randomly(view: GameView, rng: Random) -> Move:
    """Return any legal action, each as likely as the others, but never resign."""
    return rng.choice(choices(view))


def choose_greedily(view: GameView, rng: Random) -> Move:
    """Return the action that looks best one ply ahead; equal ones are as likely as each other."""
    worth = WORTHS[view.game]
    worths = [(worth(view, action), action) for action in choices(view)]
    best = max(value for value, _ in worths)
    return rng.choice([action for value, action in worths if value == best])


BOTS: dict[str, Bot] = {"random": choose_randomly, "greedy": choose_greedily}
"""Every bot, by its name."""


def choices(view: GameView) -> list[Move]:
    """Return what a seat may do to play on."""
    return [action for action in view.legal_actions if not isinstance(action, Resign)]
