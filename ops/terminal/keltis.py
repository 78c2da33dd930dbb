"""Keltis in the terminal: five paths of stones."""

from rich import box
from rich.table import Table
from rich.text import Text

from events.cards import COLOURS
from ops.terminal.drawing import Column, Drawing
from ops.terminal.text import STYLES, View

AREAS = {"minus": "dim", "middle": "", "goal": "bold"}
TILES = {"wish": "◆", "clover": "♣", "points-1": "+1", "points-2": "+2", "points-3": "+3"}
FIGURES = {"small": "⓪①②③", "large": "⓿❶❷❸"}


def paths(board: View) -> Table:
    """Return the paths, with what lies and who stands on each stone."""
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


DRAWING = Drawing(
    board=paths,
    legend="◆ wish stone  ♣ clover  +1 points  ① small figure of seat 1, ❶ its large one",
    stands=lambda board: f"goal figures {board['goal_figures']} of 5",
    due={
        ("play", None): "plays a card",
        ("draw", None): "draws a card",
        ("move", "clover"): "moves a figure (clover)",
        ("move", "end-stone"): "moves another figure (end stone)",
    },
    columns=(Column("◆", lambda seat: seat["wish_stones"]),),
    categories={"tiles": "tile", "figures": "fig", "wish_stones": "wish"},
    last=Column("start", lambda seat: f"{seat['start']['small']}+{seat['start']['large']}"),
)
