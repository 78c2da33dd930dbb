"""Drawing a game in the terminal from its view, the JSON that the service serves: board, scores, cards, story.

Meant for 100 columns; at 80 the scores go to the end. Everything can be read without colours.
"""

from collections.abc import Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ops.terminal import keltis
from ops.terminal.cards import cards
from ops.terminal.drawing import Drawing
from ops.terminal.text import View, name_of, plain, who

DRAWINGS: dict[str, Drawing] = {"keltis": keltis.DRAWING}
"""How each game is drawn, by the game's name."""

GAP = 2
"""Columns between the board and the scores."""


def draw(view: View, *, heading: str, story: Sequence[str], width: int) -> RenderableType:
    """Return `view` as something that rich prints in `width` columns, with what just happened on top."""
    parts: list[RenderableType] = [Text(heading, style="bold"), status(view)]
    parts += [Text(f"  {plain(sentence)}") for sentence in story]
    if view["board"] is None:
        return Group(*parts, Text(), _table_before_start(view))
    drawing = DRAWINGS[view["game"]]
    board, scores, legend = drawing.board(view["board"]), _scores(view, drawing), Text(drawing.legend, style="dim")
    if _fit_beside(board, scores, width):
        beside = Table.grid(padding=(0, GAP, 0, 0))
        beside.add_row(board, scores)
        return Group(*parts, Text(), beside, legend, Text(), cards(view))
    return Group(*parts, board, legend, cards(view), scores)  # close together, for small terminals


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
    drawing = DRAWINGS[view["game"]]
    due = drawing.due.get((turn["phase"], turn["cause"]), turn["phase"])
    deck = f"deck {board['deck_count']}, {drawing.stands(board)}"
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


def _scores(view: View, drawing: Drawing) -> Table:
    outcome = view["outcome"]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("seat", no_wrap=True, overflow="ellipsis", max_width=18)
    titles = [*(column.title for column in drawing.columns), *drawing.categories.values(), "sum"]
    for title in (*titles, "rank" if outcome else drawing.last.title):
        table.add_column(title, justify="right")
    for seat, mine in enumerate(view["board"]["seats"]):
        sheet = mine["score"]
        table.add_row(
            who(view, seat),
            *(str(column.tell(mine)) for column in drawing.columns),
            *(str(sheet[category]) for category in drawing.categories),
            Text(str(sheet["total"]), style="bold"),
            str(outcome["ranks"][seat] if outcome else drawing.last.tell(mine)),
        )
    return table
