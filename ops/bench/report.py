"""How figures are told: a table in the terminal and one in markdown, both with targets and spreads."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.table import Table

from ops.bench.rounds import Bound, Figure, Spread

HEADINGS = ("figure", "median", "to reach", "quartiles", "min–max", "ours", "against")  # noqa: RUF001  # a real dash


class Row(NamedTuple):
    """A figure as text; `reached` is None where nothing is to be reached."""

    cells: tuple[str, ...]
    reached: bool | None


def row(figure: Figure) -> Row:
    """Return `figure` as text."""
    spread, bound, unit = figure.spread, figure.bound, figure.unit
    cells = (
        figure.name,
        amount(spread.median, unit),
        "" if bound is None else f"{'≥' if bound.at_least else '≤'} {amount(bound.value, unit)}",
        span(spread.quarter, spread.three_quarters, unit),
        span(spread.low, spread.high, unit),
        figure.ours,
        figure.theirs,
    )
    return Row(cells, reached(spread, bound))


def reached(spread: Spread, bound: Bound | None) -> bool | None:
    """Tell whether the median is within its bound, None if it has none."""
    return None if bound is None else bound.holds(spread.median)


def amount(value: float, unit: str) -> str:
    """Return a value in its unit.

    >>> amount(0.7654, "×"), amount(12.34, "×"), amount(0.0041, "%"), amount(61.23, "kB")
    ('0.77 ×', '12.3 ×', '0.41 %', '61.2 kB')
    """
    if unit == "%":
        return f"{value * 100:.2g} %"
    return f"{value:.2f} {unit}" if value < 10 else f"{value:.1f} {unit}"


def span(low: float, high: float, unit: str) -> str:
    """Return from where to where values go, in one unit.

    >>> span(0.71, 0.82, "×")
    '0.71–0.82 ×'
    """
    return f"{amount(low, unit).removesuffix(f' {unit}')}–{amount(high, unit)}"  # noqa: RUF001  # a real dash


def table(figures: Sequence[Figure]) -> Table:
    """Return figures for the terminal: green where the target is reached, red where it is missed."""
    told = Table(*HEADINGS)
    for figure in figures:
        cells, good = row(figure)
        colour = {True: "green", False: "red", None: ""}[good]
        told.add_row(cells[0], f"[{colour}]{cells[1]}[/]" if colour else cells[1], *cells[2:])
    return told


def markdown(figures: Sequence[Figure], command: str) -> str:
    """Return figures as a markdown table, with the `command` that measured them."""
    lines = [f"| {' | '.join(HEADINGS)} |", f"|{'---|' * len(HEADINGS)}"]
    lines += [f"| {' | '.join((cells[0], _marked(cells[1], good), *cells[2:]))} |" for cells, good in map(row, figures)]
    return "\n".join([f"`{command}`", "", *lines, ""])


def _marked(text: str, good: bool | None) -> str:
    return f"**{text}** (missed)" if good is False else text
