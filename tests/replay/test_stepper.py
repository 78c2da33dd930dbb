"""Stepping: every ply can be reached from every other, and looks the same however one came there."""

import random
from itertools import pairwise

import msgspec
import pytest

from events.deal import ALL, SPECTATOR
from projections.views import view
from replay.stepper import KEYFRAME, NoGame, Stepper, viewer
from tests.replay.played import GAME_ID, finished, opened_by_host, short


def seen(stepper: Stepper, eyes=SPECTATOR) -> bytes:
    return msgspec.json.encode(view(stepper.game, viewer(stepper.game, eyes), stepper.entry))


def test_it_starts_with_the_open_table():
    """A stepper stands at the first ply, where the table was opened."""
    stepper = Stepper(finished(), GAME_ID)
    assert (stepper.ply, stepper.length) == (1, len(finished()))
    assert stepper.entry == finished()[0]
    assert stepper.game.board is None


def test_forward_and_back_end_at_the_ends():
    """One can step to the last ply and back to the first, and no further."""
    stepper = Stepper(short(), GAME_ID)
    assert not stepper.back()
    steps = 1
    while stepper.forward():
        steps += 1
    assert steps == stepper.ply == len(short())
    while stepper.back():
        steps -= 1
    assert steps == stepper.ply == 1


def test_every_ply_looks_the_same_from_wherever_one_comes():
    """Jumping back and forth shows, with every pair of eyes, what a straight walk showed."""
    walked = Stepper(finished(4, 3), GAME_ID)
    straight = {(game.version, eyes): seen(walked, eyes) for _, game in walked for eyes in (0, 3, SPECTATOR, ALL)}
    jumper = Stepper(finished(4, 3), GAME_ID)
    dice = random.Random(1)
    for _ in range(120):
        jumper.jump(dice.randint(1, jumper.length))
        eyes = dice.choice((0, 3, SPECTATOR, ALL))
        assert seen(jumper, eyes) == straight[jumper.ply, eyes]


def test_a_jump_past_the_ends_goes_to_them():
    """Ply 0 is the first and ply a million the last."""
    stepper = Stepper(short(), GAME_ID)
    stepper.jump(10**6)
    assert stepper.ply == len(short())
    stepper.jump(0)
    assert stepper.ply == 1


def test_going_back_folds_a_few_plies_only(monkeypatch):
    """However long the game, a step back applies fewer entries than lie between two keyframes."""
    stepper = Stepper(finished(), GAME_ID)
    stepper.jump(stepper.length)
    applied = []
    happen = type(stepper.game).apply
    monkeypatch.setattr(type(stepper.game), "apply", lambda *a, **k: (applied.append(1), happen(*a, **k)))
    plies = stepper.length
    while stepper.back():
        assert len(applied) < KEYFRAME
        applied.clear()
    assert plies > 4 * KEYFRAME


def test_iterating_yields_every_entry_and_its_game():
    """The iterator yields each entry with the game at that version, from the first on."""
    stepper = Stepper(finished(), GAME_ID)
    stepper.jump(50)
    versions = [(entry.version, game.version) for entry, game in stepper]
    assert versions == [(n, n) for n in range(1, len(finished()) + 1)]


def test_a_closed_game_opens_every_hand_and_a_running_one_none():
    """With the seed revealed, every eye can look; without it all see what a spectator sees."""
    closed, running = Stepper(finished(3, 1), GAME_ID), Stepper(finished(3, 1)[:4], GAME_ID)
    assert closed.eyes == (0, 1, 2, SPECTATOR, ALL)
    for stepper in (closed, running):
        stepper.jump(4)
    assert None not in closed.game.look(ALL).hands.cards[1]
    assert None not in closed.game.look(1).hands.cards[1]
    assert set(closed.game.look(1).hands.cards[0]) == {None}
    assert set(running.game.look(SPECTATOR).hands.cards[1]) == {None}
    assert viewer(running.game, ALL) == viewer(running.game, 1) == SPECTATOR


def test_a_table_that_started_before_it_was_full_has_fewer_eyes():
    """Three of four seats free at the start: only the seats that play can be looked at."""
    playing = opened_by_host(4)
    playing.finish()
    stepper = Stepper(playing.entries, GAME_ID)
    assert stepper.eyes == (0, 1, SPECTATOR, ALL)
    stepper.jump(stepper.length)
    assert viewer(stepper.game, 2) == SPECTATOR


def test_hands_are_conserved_through_keyframes():
    """A kept copy never changes with the game that goes on."""
    stepper = Stepper(finished(), GAME_ID)
    stepper.jump(KEYFRAME * 2)
    before = seen(stepper, ALL)
    stepper.jump(stepper.length)
    stepper.jump(KEYFRAME * 2)
    assert seen(stepper, ALL) == before


@pytest.mark.parametrize("entries", [(), short()[1:]])
def test_without_a_creation_there_is_no_game(entries):
    """Entries that do not begin with an open table are refused by name."""
    with pytest.raises(NoGame):
        Stepper(entries, GAME_ID)


def test_versions_follow_each_other():
    """The games that the tests play are dense."""
    assert all(later.version == entry.version + 1 for entry, later in pairwise(finished()))
