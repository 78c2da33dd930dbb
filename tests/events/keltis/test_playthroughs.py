"""Whole games, one for each number of seats and way of ending, are played as they always were."""

from typing import get_args

import pytest

from events.catalogue import EndReason
from tests.events.keltis.playthrough import FOLDER, SCRIPTS, playthrough

REWRITE = "if that is meant, python -m tests.events.keltis.playthrough --write"


def test_every_way_of_ending_is_played():
    """There is a game of two, three and four seats for each reason to end, and no file besides."""
    names = {f"{seats}-seats-{reason}" for seats in (2, 3, 4) for reason in get_args(EndReason)}
    assert set(SCRIPTS) == {path.stem for path in FOLDER.iterdir()} == names


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_game_reads_as_it_always_did(name):
    """Every ply, what happened, what each seat saw and what could be done next is as written down."""
    played = playthrough(SCRIPTS[name]).splitlines()
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    differing = next((n for n, (ours, theirs) in enumerate(zip(played, written, strict=False), 1) if ours != theirs), 0)
    assert not differing, f"line {differing} of {name}.txt differs: {played[differing - 1]!r}; {REWRITE}"
    assert len(played) == len(written), f"{name}.txt has another length; {REWRITE}"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_game_ends_as_its_file_is_called(name):
    """The file's name tells how the game ends."""
    closing = next(line for line in (FOLDER / f"{name}.txt").read_text().splitlines() if "service close-game" in line)
    assert closing.split(": ")[1].startswith(name.split("seats-")[1])
