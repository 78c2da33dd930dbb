"""Perft: how many ways there are to play on from fixed positions, ply by ply.

One forgotten or superfluous action anywhere in the tree changes a number.
"""

import pytest

from events.deal import ALL
from events.games.keltis import State, decide, evolve, legal_actions
from tests.events.keltis.playing import keen, play_on
from tests.events.seated import started

FRESH = {2: (21, 28, 672, 1051, 20572), 3: (24, 32, 768, 1205, 28920), 4: (24, 32, 768, 1205, 28920)}
MIDDLE = {2: (4, 72, 266, 3499, 12867), 3: (6, 108, 632, 13272, 75942), 4: (3, 63, 210, 3990, 13146)}
LATE = {2: (10, 53, 477, 2491, 23598), 3: (10, 52, 936, 5200, 45180), 4: (3, 15, 126, 714, 7770)}


def lines(state: State, depth: int) -> int:
    """Return how many lines of `depth` plies can be played from `state`; a game that is over has none."""
    seat = state.board.turns.seat
    actions = legal_actions(state, seat)
    if depth == 1:
        return len(actions)
    return sum(lines(after(state, seat, action), depth - 1) for action in actions)


def after(state, seat, action):
    following = State(state.board.copy(), state.hands.copy())
    for event in decide(state, seat, action):
        evolve(following, event)
    return following


def position(seats, plies, **options):
    match = started(seats, bytes([seats]) * 32, **options)
    play_on(match, keen, plies)
    assert match.is_running
    return match.game.look(ALL)


def counts(state, depth):
    return tuple(lines(state, plies) for plies in range(1, depth + 1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_lines_from_the_deal(seats):
    """From a fresh deal: a card, a draw, the next seat's card and draw, a card of the seat after."""
    assert counts(position(seats, 0), 5) == FRESH[seats]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_lines_from_the_middle(seats):
    """From a position with rows, piles and figures on many stones, clovers among them."""
    assert counts(position(seats, 60), 5) == MIDDLE[seats]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_lines_near_the_end(seats):
    """From a position in which some lines end the game, under the options that restrict."""
    state = position(seats, 120, direction="ascending", redraw_own_discard=False)
    state.board.deck_left = 2
    assert counts(state, 5) == LATE[seats]


def test_counting_changes_nothing():
    """The position is the same after its lines were counted."""
    state = position(2, 60)
    assert counts(state, 3) == counts(state, 3)
