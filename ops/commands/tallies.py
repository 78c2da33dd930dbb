"""The tables that `cairn simulate` prints: how games ended, how long they were, who scored and won what."""

from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import mean

from rich.table import Table

from events.games import GAMES
from service.simulation import Plan, Played


def tables(plan: Plan, played: list[Played]) -> Iterator[Table]:
    """Yield what is to be told of `played`, without anything that differs between two runs of one plan."""
    yield _ends(played)
    yield _lengths(played)
    yield _seats(plan, played)


def _ends(played: list[Played]) -> Table:
    table = Table("end", "games")
    for reason, count in sorted(Counter(game.scored.reason for game in played).items()):
        table.add_row(reason, str(count))
    return table


def _lengths(played: list[Played]) -> Table:
    table = Table("length", "least", "mean", "most")
    for name, numbers in (("plies", [game.plies for game in played]), ("turns", [game.turns for game in played])):
        table.add_row(name, str(min(numbers)), f"{mean(numbers):.1f}", str(max(numbers)))
    return table


def _seats(plan: Plan, played: list[Played]) -> Table:
    categories = (*GAMES[plan.game].CATEGORIES, "total")
    table = Table("seat", "bot", *(name.replace("_", " ") for name in categories), "wins")
    for seat, bot in enumerate(plan.bots):
        sheets = [game.scored.sheets[seat] for game in played]
        wins = sum(game.scored.ranks[seat] == 1 for game in played)
        table.add_row(str(seat), bot, *(_mean(sheet[name] for sheet in sheets) for name in categories), str(wins))
    return table


def _mean(points: Iterable[int]) -> str:
    return f"{mean(points):.2f}"
