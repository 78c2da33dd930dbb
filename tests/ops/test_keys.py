"""Keys of the replay: where each one leads."""

import pytest

from events.deal import ALL, SPECTATOR
from ops.keys import Position, pressed, split_keys

LENGTH = 90


def after(keys: str) -> Position:
    position = Position(10, ALL)
    for key in split_keys(keys):
        position = pressed(position, key, LENGTH)
    return position


@pytest.mark.parametrize(
    ("keys", "ply"),
    [
        ("n", 11),
        ("\x1b[C", 11),
        ("\x1bOC", 11),
        ("nnn\x1b[C", 14),
        ("p", 9),
        ("\x1b[D", 9),
        ("\x1b[H", 1),
        ("\x1b[1~", 1),
        ("\x1b[F", LENGTH),
        ("\x1b[4~", LENGTH),
        ("\x1b[Fn", LENGTH),
        ("\x1b[Hp", 1),
        ("g42\r", 42),
        ("g4\x7f7\n", 7),
        ("g999999999\r", LENGTH),
        ("g0\r", 1),
        ("g\r", 10),
        ("g42\x1b", 10),
        ("g4xn", 11),
        ("é", 10),
        ("\x1b[99;5Z", 10),
    ],
)
def test_keys_that_move(keys, ply):
    """Arrows, n and p, Home and End, g with a number: each leads to its ply, and never past the ends."""
    assert after(keys).ply == ply


@pytest.mark.parametrize(
    ("keys", "eyes"), [("0", 0), ("3", 3), ("s", SPECTATOR), ("sa", ALL), ("2n", 2), ("g1\r", ALL)]
)
def test_keys_that_change_eyes(keys, eyes):
    """A digit takes a seat's eyes, s a spectator's, a everybody's; digits after g are a number."""
    assert after(keys).eyes == eyes


@pytest.mark.parametrize("key", ["q", "Q", "\x03", "\x04"])
def test_keys_that_end(key):
    """Q, Ctrl-C and Ctrl-D end the replay."""
    assert after(key).done
    assert not after("n").done
