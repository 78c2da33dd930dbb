"""The cards of a game in the terminal: rows, hands and discard piles, a column for each pile."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from ops.terminal.text import STYLES, View, who

DIRECTIONS = {"open": "", "rising": "↑", "falling": "↓"}


def cards(view: View) -> Table:
    """Return every seat's rows and hand and the discard piles, with what is hidden as a number."""
    board = view["board"]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    piles = board["discard_piles"]
    table.add_column("cards", no_wrap=True, overflow="ellipsis", max_width=18)
    table.add_column("")
    for colour in piles:
        table.add_column(Text(colour, style=STYLES[colour]), min_width=6)
    table.add_column("hidden", justify="right")
    for seat, mine in enumerate(board["seats"]):
        table.add_row(who(view, seat), "rows", *(_row(mine["rows"][colour], colour) for colour in piles), "")
        table.add_row("", Text("hand", style="dim"), *_hand(mine["hand"], piles))
    table.add_row("discard piles", "top", *(_pile(piles[colour], colour) for colour in piles), "")
    return table


def _row(row: View, colour: str) -> Text:
    values = " ".join(_value(card) for card in row["cards"])
    return Text(f"{values}{DIRECTIONS[row['direction']]}", style=f"bold {STYLES[colour]}")


def _hand(hand: Sequence[str | None], piles: Iterable[str]) -> list[Text]:
    known = [card for card in hand if card is not None]
    hidden = len(hand) - len(known)
    cells = [
        Text(" ".join(_value(card) for card in known if card.startswith(f"{colour}-")), style=STYLES[colour])
        for colour in piles
    ]
    return [*cells, Text(str(hidden) if hidden else "", style="dim")]


def _pile(pile: Sequence[str], colour: str) -> Text:
    return Text(f"{_value(pile[-1])} ({len(pile)})" if pile else "", style=STYLES[colour])


def _value(card: str) -> str:
    return card.rpartition("-")[2]
