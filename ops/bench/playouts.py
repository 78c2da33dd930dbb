"""Playouts: random games through the real rules, with the full list of legal actions at each ply.

Against the libraries that people simulate card games with, from Python as well: pokerkit's no-limit hold'em (six
seats) and OpenSpiel's gin rummy, whose draws count as actions here though chance makes them.
"""

import random
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from typing import Any

from events.catalogue import GameStarted
from events.deal import ALL, Deal
from events.games.hands import dealt
from events.games.keltis import Board, Options, State, decide, evolve, legal_actions
from events.games.keltis.tables import DECK, TILES
from events.shuffle import Dice
from ops.bench.peers import installed
from ops.bench.rounds import Effort, Figure, at_least, interleave, per_second, repeating

SEATS = 3
STACK = 200


def figures(effort: Effort) -> list[Figure]:
    """Return how many actions are played per second, against each peer that is installed."""
    told = []
    if installed("pokerkit"):
        rounds = interleave(repeating(keltis()), repeating(holdem()), effort)
        told.append(rounds.figure("playouts, against pokerkit's hold'em", "rate", at_least(10), per_second))
    if installed("pyspiel"):
        rounds = interleave(repeating(keltis()), repeating(gin_rummy()), effort)
        told.append(rounds.figure("playouts, against OpenSpiel's gin rummy", "rate", at_least(2), per_second))
    return told


def keltis() -> Callable[[], int]:
    """Return what plays one game of Keltis and returns how many actions that took."""
    chance, numbers = random.Random(1), count()

    def play() -> int:
        state = _dealt(sha256(b"%d" % next(numbers)).digest())
        turns, actions = state.board.turns, 0
        while turns.ended is None:
            seat = turns.seat
            for event in decide(state, seat, chance.choice(legal_actions(state, seat))):
                evolve(state, event)
            actions += 1
        return actions

    return play


def _dealt(secret: bytes) -> State:
    tiles = Dice(secret, "tiles").shuffled(TILES)
    board = Board(Options(), GameStarted(tuple(range(SEATS)), Dice(secret, "first").below(SEATS), tiles, None))
    return State(board, dealt(Deal(Dice(secret, "deck").shuffled(DECK), ALL), SEATS))


def holdem() -> Callable[[], int]:
    """Return what plays one hand of hold'em with pokerkit; chance, blinds and the showdown are automatic."""
    from pokerkit import Automation, NoLimitTexasHoldem

    chance = random.Random(1)

    def play() -> int:
        state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, (STACK,) * 6, 6)
        actions = 0
        while state.status:
            chance.choice(_bets(state, chance))()
            actions += 1
        return actions

    return play


def _bets(state: Any, chance: random.Random) -> list[Callable[[], object]]:
    """Return everything that may be done: to fold, to check or call, and one raise for the many there are."""
    bets: list[Callable[[], object]] = []
    if state.can_fold():
        bets.append(state.fold)
    if state.can_check_or_call():
        bets.append(state.check_or_call)
    if state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        bets.append(lambda: state.complete_bet_or_raise_to(chance.randint(least, most)))
    return bets


def gin_rummy() -> Callable[[], int]:
    """Return what plays one game of gin rummy with OpenSpiel."""
    import pyspiel

    chance, game = random.Random(1), pyspiel.load_game("gin_rummy")

    def play() -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            actions += 1
        return actions

    return play
