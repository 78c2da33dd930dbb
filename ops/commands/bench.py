"""`cairn bench`: measure ratios against floors and peers, and tell which targets are reached."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ops.bench.rounds import Effort, Figure

BENCHMARKS = {
    "actions": "accepted actions over HTTP, against a route that does one XADD",
    "durable": "fsync before each answer, against fsync every second",
    "flat": "late plies against early ones, a full store against a small one",
    "rebuild": "games from their streams, against the eventsourcing library",
    "playouts": "random games, against pokerkit and OpenSpiel",
    "chaining": "the hash chain's share of an action",
    "following": "followers, against a bare XREADGROUP and XACK loop",
    "sizes": "a stored game, and a cached one",
    "streams": "gunicorn against granian, with open live streams",
}
"""Every benchmark by its module in `ops.bench`, and what it compares."""


@click.command("bench", epilog=" · ".join(f"{name}: {what}" for name, what in BENCHMARKS.items()))
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)), metavar="[NAME]...")
@click.option("--rounds", type=click.IntRange(8), default=8, show_default=True, help="The first one is dropped.")
@click.option("--seconds", type=click.FloatRange(1), default=1.0, show_default=True, help="For each side and round.")
@click.option("--stored", type=click.IntRange(100), default=100_000, show_default=True, help="Games in a full store.")
@click.option("--streams", type=click.IntRange(1), default=500, show_default=True, help="Live streams held open.")
@click.option("--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Write the table to this file too.")
def command(
    names: Sequence[str], rounds: int, seconds: float, stored: int, streams: int, markdown: Path | None
) -> None:
    """Measure NAMEs, or everything: both sides in turns, medians of the ratios within each round, and their spread."""
    from rich.console import Console

    from ops.bench import report
    from ops.bench.peers import missing
    from ops.bench.rounds import Effort

    console = Console()
    if absent := missing():
        console.print(f"Left out, as they are not installed (the extra `bench` has them): {', '.join(absent)}.")
    figures = measured(names or list(BENCHMARKS), Effort(rounds, seconds, stored, streams), console.print)
    console.print(report.table(figures))
    if markdown is not None:
        asked = " ".join(("cairn bench", *names, f"--rounds {rounds} --seconds {seconds:g} --stored {stored}"))
        markdown.write_text(report.markdown(figures, asked))


def measured(names: Sequence[str], effort: "Effort", tell: Callable[[str], object]) -> "list[Figure]":
    """Return the figures of the benchmarks called `names`, telling each before it begins."""
    figures: list[Figure] = []
    for name in names:
        tell(f"{name}: {BENCHMARKS[name]} …")
        figures += import_module(f"ops.bench.{name}").figures(effort)
    return figures
