"""Playouts: random games with full lists of legal actions, through the real rules, against two well-known libraries."""

import random
from collections.abc import Callable
from typing import Any, TypeVar

from events.catalogue import GameStarted
from events.deal import ALL, Deal
from events.games import keltis
from events.games.hands import dealt
from ops.bench.rounds import Effort, Figure, at_least, interleave, per_second, repeating

T = TypeVar("T")

SEATS = 2


def figures(effort: Effort) -> list[Figure]:
    """Return our actions per second against pokerkit's and OpenSpiel's."""
    peers: tuple[tuple[str, Callable[[random.Random], int], float], ...] = (
        ("pokerkit's no-limit hold'em", play_holdem, 10),
        ("OpenSpiel's gin rummy", play_gin_rummy, 2),
    )
    told = []
    for name, play, bound in peers:
        ours, theirs = random.Random(1), random.Random(1)  # chance of a benchmark is no secret
        sides = repeating(lambda: play_keltis(ours)), repeating(lambda: play(theirs))  # noqa: B023  # run at once
        rounds = interleave(*sides, effort)
        told.append(rounds.figure(f"random playouts, actions, against {name}", "rate", at_least(bound), per_second))
    return told


def play_keltis(chance: random.Random) -> int:
    """Play one random game of Keltis and return how many actions it had."""
    deck, tiles = list(keltis.DECK), list(keltis.TILES)
    chance.shuffle(deck)
    chance.shuffle(tiles)
    board = keltis.Board(keltis.Options(), GameStarted(tuple(range(SEATS)), 0, tuple(tiles)))
    state = keltis.State(board, dealt(Deal(tuple(deck), ALL), SEATS))
    turns, actions = board.turns, 0
    while turns.ended is None:
        legal = keltis.legal_actions(state, turns.seat)
        for event in keltis.decide(state, turns.seat, _any(legal, chance)):
            keltis.evolve(state, event)
        actions += 1
    return actions


def play_gin_rummy(chance: random.Random) -> int:
    """Play one random game of gin rummy and return how many actions it had."""
    import pyspiel

    state = pyspiel.load_game("gin_rummy").new_initial_state()
    actions = 0
    while not state.is_terminal():
        state.apply_action(_any(state.legal_actions(), chance))
        actions += 1
    return actions


def play_holdem(chance: random.Random) -> int:
    """Play one random hand of two-seat no-limit hold'em and return how many actions it had."""
    from pokerkit import Automation, NoLimitTexasHoldem

    state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, 200, 2)
    actions = 0
    while state.status:
        choices: list[Callable[[], object]] = []
        if state.can_fold():
            choices.append(state.fold)
        if state.can_check_or_call():
            choices.append(state.check_or_call)
        if state.can_complete_bet_or_raise_to():
            choices.append(lambda: _raise(state, chance))
        _any(choices, chance)()
        actions += 1
    return actions


def _raise(state: Any, chance: random.Random) -> None:
    least, most = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
    state.complete_bet_or_raise_to(chance.randint(least, most))


def _any(choices: list[T], chance: random.Random) -> T:
    return choices[int(chance.random() * len(choices))]
