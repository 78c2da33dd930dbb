"""Keys in the terminal: what was pressed, and where that leads in a game that is stepped through."""

import os
import re
import termios
import tty
from collections.abc import Iterator
from dataclasses import dataclass, replace

from events.deal import ALL, SPECTATOR, Eyes

KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|.", re.DOTALL)
"""A key: an escape sequence, or a single character."""

FORWARD = {"\x1b[C", "\x1bOC", "n", " "}
BACK = {"\x1b[D", "\x1bOD", "p", "\x7f"}
HOME = {"\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"}
END = {"\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"}
QUIT = {"q", "Q", "\x03", "\x04"}
ENTER = {"\r", "\n"}
LONGEST = 6
"""Digits of a ply."""


@dataclass(frozen=True)
class Position:
    """Where somebody looks: the ply, whose eyes, and the digits typed so far after `g`, if any."""

    ply: int
    eyes: Eyes
    typed: str | None = None
    done: bool = False


def typed_keys(terminal: int) -> Iterator[str]:
    """Yield keys from the terminal with this file descriptor until it is closed or somebody stops asking.

    The terminal stays in one mode between two keys, so that quick typing is neither echoed nor lost.
    """
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        while read := os.read(terminal, 1024):
            yield from split_keys(read.decode(errors="replace"))
    except KeyboardInterrupt:
        return
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def split_keys(read: str) -> Iterator[str]:
    """Yield the keys in what was read from the terminal at once.

    >>> list(split_keys("n\\x1b[Cq"))
    ['n', '\\x1b[C', 'q']
    """
    yield from KEY.findall(read)


def pressed(position: Position, key: str, length: int) -> Position:
    """Return where `key` leads in a game of `length` plies."""
    if position.typed is not None:
        return _typing(position, position.typed, key, length)
    if key in FORWARD:
        return replace(position, ply=min(position.ply + 1, length))
    if key in BACK:
        return replace(position, ply=max(position.ply - 1, 1))
    if key in HOME:
        return replace(position, ply=1)
    if key in END:
        return replace(position, ply=length)
    if key in QUIT:
        return replace(position, done=True)
    if key == "g":
        return replace(position, typed="")
    return replace(position, eyes=_eyes(key, position.eyes))


def _typing(position: Position, typed: str, key: str, length: int) -> Position:
    if key in ENTER:
        ply = min(max(int(typed), 1), length) if typed else position.ply
        return replace(position, ply=ply, typed=None)
    if key == "\x7f":
        return replace(position, typed=typed[:-1])
    if key in "0123456789" and len(typed) < LONGEST:
        return replace(position, typed=typed + key)
    return position if key in "0123456789" else replace(position, typed=None)


def _eyes(key: str, eyes: Eyes) -> Eyes:
    if key in ("0", "1", "2", "3"):
        return int(key)
    if key == "a":
        return ALL
    return SPECTATOR if key == "s" else eyes
