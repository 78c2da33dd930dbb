"""Drawing a game in the terminal from its view, the JSON that the service serves: board, scores, cards, story.

Meant for 100 columns; at 80 the scores go to the end. Everything can be read without colours.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from events.cards import COLOURS

View = Mapping[str, Any]
"""A view of a game, as its JSON says it."""

STYLES = {"red": "red", "yellow": "yellow", "pink": "magenta", "green": "green", "blue": "cyan"}
AREAS = {"minus": "dim", "middle": "", "goal": "bold"}
TILES = {"wish": "◆", "clover": "♣", "points-1": "+1", "points-2": "+2", "points-3": "+3"}
FIGURES = {"small": "⓪①②③", "large": "⓿❶❷❸"}
DIRECTIONS = {"open": "", "rising": "↑", "falling": "↓"}
DUE = {
    ("play", None): "plays a card",
    ("draw", None): "draws a card",
    ("move", "clover"): "moves a figure (clover)",
    ("move", "end-stone"): "moves another figure (end stone)",
}
GAP = 2
"""Columns between the board and the scores."""

LEGEND = "◆ wish stone  ♣ clover  +1 points  ① small figure of seat 1, ❶ its large one"


def draw(view: View, *, heading: str, story: Sequence[str], width: int) -> RenderableType:
    """Return `view` as something that rich prints in `width` columns, with what just happened on top."""
    parts: list[RenderableType] = [Text(heading, style="bold"), status(view)]
    parts += [Text(f"  {plain(sentence)}") for sentence in story]
    board = view["board"]
    if board is None:
        return Group(*parts, Text(), _table_before_start(view))
    paths, scores, legend = _paths(board), _scores(view), Text(LEGEND, style="dim")
    if _fit_beside(paths, scores, width):
        beside = Table.grid(padding=(0, GAP, 0, 0))
        beside.add_row(paths, scores)
        return Group(*parts, Text(), beside, legend, Text(), _cards(view))
    return Group(*parts, paths, legend, _cards(view), scores)  # close together, for small terminals


def plain(text: str) -> str:
    """Return `text` without characters that would steer a terminal.

    >>> plain("Zoë\\x1b[2J")
    'Zoë�[2J'
    """
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def name_of(view: View, seat: int) -> str:
    """Return who sits on `seat`, fit for a terminal."""
    return plain(view["table"][seat]["name"] or "free")


def status(view: View) -> Text:
    """Return one line that says how the game stands: whose decision it is, or how it ended."""
    board = view["board"]
    if board is None:
        free = sum(chair["free"] for chair in view["table"])
        return Text(f"open: {free} of {view['seats']} seats are free", style="italic")
    if view["outcome"] is not None:
        winners = " and ".join(name_of(view, seat) for seat in view["outcome"]["winners"])
        return Text(f"over ({view['outcome']['reason']}): {winners} won", style="italic")
    turn = board["turn"]
    due = DUE.get((turn["phase"], turn["cause"]), turn["phase"])
    deck = f"deck {board['deck_count']}, goal figures {board['goal_figures']} of 5"
    forced = "; the deck is due" if board["deck_due"] else ""
    return Text(f"turn {turn['number']}: {name_of(view, turn['seat'])} {due}; {deck}{forced}", style="italic")


def seen_by(eyes: int | str) -> str:
    """Return whose eyes a view shows, in words."""
    return {"all": "every hand open", "spectator": "as a spectator"}.get(str(eyes), f"with the eyes of seat {eyes}")


def _fit_beside(left: Table, right: Table, width: int) -> bool:
    console = Console(width=2 * width)
    return sum(console.measure(part).maximum for part in (left, right)) + GAP <= width


def _table_before_start(view: View) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("seat")
    table.add_column("who")
    for chair in view["table"]:
        table.add_row(str(chair["seat"]), name_of(view, chair["seat"]))
    return table


def _paths(board: View) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("path", no_wrap=True)
    for stone in board["paths"][COLOURS[0]]:
        table.add_column(
            Text(str(stone["value"]), style=AREAS[stone["area"]]), justify="center", min_width=3, no_wrap=True
        )
    for path in COLOURS:
        table.add_row(Text(path, style=STYLES[path]), *(_stone(stone, path) for stone in board["paths"][path]))
    return table


def _stone(stone: View, path: str) -> Text:
    text = Text(TILES.get(stone["tile"], ""), style=STYLES[path], no_wrap=True)
    for figure in stone["figures"]:
        text.append(FIGURES[figure["figure"]][figure["seat"]], style="bold default")
    return text if text else Text("·", style="dim")


def _scores(view: View) -> Table:
    outcome = view["outcome"]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("seat", no_wrap=True, overflow="ellipsis", max_width=18)
    for title in ("◆", "tile", "fig", "wish", "sum"):
        table.add_column(title, justify="right")
    table.add_column("rank" if outcome else "start", justify="right")
    for seat, mine in enumerate(view["board"]["seats"]):
        sheet = mine["score"]
        last = str(outcome["ranks"][seat]) if outcome else f"{mine['start']['small']}+{mine['start']['large']}"
        table.add_row(
            _who(view, seat),
            str(mine["wish_stones"]),
            *(str(sheet[part]) for part in ("tiles", "figures", "wish_stones")),
            Text(str(sheet["total"]), style="bold"),
            last,
        )
    return table


def _who(view: View, seat: int) -> Text:
    board = view["board"]
    acts = board["turn"]["seat"] == seat and board["turn"]["phase"] != "over"
    style = "strike" if board["seats"][seat]["resigned"] else "bold" if acts else ""
    return Text(f"{'▶' if acts else ' '}{seat} {name_of(view, seat)}", style=style)


def _cards(view: View) -> Table:
    board = view["board"]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("cards", no_wrap=True, overflow="ellipsis", max_width=18)
    table.add_column("")
    for colour in COLOURS:
        table.add_column(Text(colour, style=STYLES[colour]), min_width=6)
    table.add_column("hidden", justify="right")
    for seat, mine in enumerate(board["seats"]):
        table.add_row(_who(view, seat), "rows", *(_row(mine["rows"][colour], colour) for colour in COLOURS), "")
        table.add_row("", Text("hand", style="dim"), *_hand(mine["hand"]))
    piles = board["discard_piles"]
    table.add_row("discard piles", "top", *(_pile(piles[colour], colour) for colour in COLOURS), "")
    return table


def _row(row: View, colour: str) -> Text:
    values = " ".join(_value(card) for card in row["cards"])
    return Text(f"{values}{DIRECTIONS[row['direction']]}", style=f"bold {STYLES[colour]}")


def _hand(hand: Sequence[str | None]) -> list[Text]:
    known = [card for card in hand if card is not None]
    hidden = len(hand) - len(known)
    cells = [
        Text(" ".join(_value(card) for card in known if card.startswith(f"{colour}-")), style=STYLES[colour])
        for colour in COLOURS
    ]
    return [*cells, Text(str(hidden) if hidden else "", style="dim")]


def _pile(pile: Sequence[str], colour: str) -> Text:
    return Text(f"{_value(pile[-1])} ({len(pile)})" if pile else "", style=STYLES[colour])


def _value(card: str) -> str:
    return card.rpartition("-")[2]
