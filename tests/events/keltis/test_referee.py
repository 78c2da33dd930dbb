"""The rules, written twice apart from each other, agree at every ply of random games."""

import msgspec
import pytest
from hypothesis import example, given

from events.deal import ALL
from events.game import deck_order
from events.games.keltis import legal_actions, score_sheets
from tests.events.keltis.referee import Referee
from tests.events.random_games import GAMES, bounded, played, plies


def said(value):
    """Return an action or event in plain words."""
    return (value.__struct_config__.tag, *msgspec.structs.astuple(value))


def referee_of(match, options):
    start = match.game.table.started
    order = deck_order(match.game, match.seed, None)
    return Referee(len(start.seats), list(order), list(start.tiles), start.first, options)


def agree(game):
    referee = None
    for match in plies(game):
        if referee is None:
            referee = referee_of(match, match.game.table.options)
        else:
            entry = match.entries[-1]
            assert [said(event) for event in entry.events] == referee.see(entry.seat, said(entry.action))
        state = match.game.look(ALL)
        assert {said(action) for action in legal_actions(state, match.to_act)} == referee.allowed()
        assert [sheet["total"] for sheet in score_sheets(state.board)] == referee.totals()
        assert state.hands.cards == list(referee.hands.values())


STALLING = {"seats": 2, "seed": bytes(32), "temper": "stalling", "quitting": 0, "options": {}}


@bounded(60)
@given(GAMES)
@example(STALLING)
def test_the_referee_agrees(game):
    """What happens, what may be done next, the hands and the points are the same by both, ply by ply."""
    agree(game)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_referee_agrees_on_games_that_end_in_the_goal(seats):
    """Keen players fill the goal now and then; these games do, and both see it."""
    found = 0
    for number in range(60):
        game = {**STALLING, "seats": seats, "seed": bytes([number]) * 32, "temper": "keen"}
        if played(game).game.board.turns.ended == "goal":
            agree(game)
            found += 1
    assert found >= 3
