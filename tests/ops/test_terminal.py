"""Drawing: what the terminal shows of a table, at the widths it is made for."""

from io import StringIO
from typing import Any

import msgspec
import pytest
from rich.console import Console

from events.deal import ALL, SPECTATOR
from ops.terminal import draw, seen_by
from ops.terminal.text import plain
from projections.views import view
from replay.stepper import Stepper
from tests.replay.played import GAME_ID, finished, short


def seen(seats: int, ply: int, eyes: Any = ALL) -> Any:
    stepper = Stepper(finished(seats, seats), GAME_ID)
    stepper.jump(ply)
    return msgspec.json.decode(msgspec.json.encode(view(stepper.game, eyes, stepper.entry)))


def drawn(shown: Any, width: int = 100, story: tuple[str, ...] = ()) -> str:
    console = Console(width=width, file=StringIO(), force_terminal=False, highlight=False)
    console.print(draw(shown, heading="a heading", story=story or shown["happened"], width=width))
    return console.file.getvalue()


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_cut_off(seats, width):
    """At 80 and 100 columns no line is longer than the terminal, and nothing is shortened with dots."""
    for ply in range(1, len(finished(seats, seats)), 40):
        text = drawn(seen(seats, ply), width)
        assert max(map(len, text.splitlines())) <= width
        assert "…" not in text


def test_a_table_of_four_fits_a_small_terminal():
    """At 80 columns paths, hands and piles of four seats stand in the first 23 lines; the scores follow."""
    rows = drawn(seen(4, 300), 80).splitlines()
    assert any(row.startswith("discard piles") for row in rows[:23])
    assert any("sum" in row for row in rows)


def test_figures_tiles_and_cards_are_shown():
    """Stones show their tile and figures, seats their rows, hands and scores, piles their top card."""
    shown = seen(4, 300)
    text = drawn(shown)
    board = shown["board"]
    for seat, mine in enumerate(board["seats"]):
        large = [path for path, figure in mine["figures"].items() if figure["kind"] == "large"]
        assert ("⓿❶❷❸"[seat] in text.split("◆ wish stone")[0]) == bool(large)
        assert str(mine["score"]["total"]) in text
    assert f"deck {board['deck_count']}" in text
    assert "▶1 Ánna 1" in text


def test_hidden_cards_are_counted_and_not_shown():
    """A spectator sees how many cards are hidden in a hand, and no more."""
    text = drawn(seen(3, 10, SPECTATOR))
    assert text.count("hand") == 3
    assert "8" in [row.split()[-1] for row in text.splitlines() if "hand" in row]


def test_before_the_start_the_seats_are_listed():
    """An open table shows who has come and which seats are free."""
    text = drawn(seen(3, 2))
    assert "1 of 3 seats are free" in text
    assert "free" in text.splitlines()[-1]


def test_the_end_names_reason_winner_and_ranks():
    """After the end the reason, the winners and the ranks are shown."""
    stepper = Stepper(short(), GAME_ID)
    stepper.jump(stepper.length)
    text = drawn(msgspec.json.decode(msgspec.json.encode(view(stepper.game, ALL, stepper.entry))))
    assert "over (resignation): Ánna 0 won" in text
    assert "rank" in text


def test_names_neither_steer_the_terminal_nor_are_read_as_markup():
    """A name with escape codes, line feeds, reversed writing or markup is shown as harmless text."""
    shown = seen(2, 300)
    shown["table"][0]["name"] = "\x1b[2J\n\u202e[red]x"
    text = drawn(shown, story=("\x1b]0;title\x07 [bold]said",))
    assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert "[red]x" in text
    assert "[bold]said" in text


def test_wide_names_do_not_break_the_table():
    """Long names and those in wide letters are shortened, and the columns stay in place."""
    shown = seen(2, 300)
    shown["table"][0]["name"] = "漢字" * 30
    shown["table"][1]["name"] = "x" * 100
    rows = drawn(shown, 80).splitlines()
    assert max(map(len, rows)) <= 80
    assert plain("漢字") == "漢字"


def test_eyes_are_told_in_words():
    """Whose eyes see is said in words."""
    assert seen_by("all") == "every hand open"
    assert seen_by("spectator") == "as a spectator"
    assert seen_by(2) == "with the eyes of seat 2"
