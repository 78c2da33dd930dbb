"""Scoring, as far as all games share it: sheets that add up, tables that go on, ranks that are shared."""

from collections.abc import Sequence

from events.catalogue import ScoreSheet

Merit = tuple[int, ...]
"""What a seat is ranked by, the weightiest first."""


def sheet(**categories: int) -> ScoreSheet:
    """Return the sheet with these points by category.

    >>> sheet(tiles=4, figures=-2)
    {'tiles': 4, 'figures': -2, 'total': 2}
    """
    return {**categories, "total": sum(categories.values())}


def table_points(table: Sequence[int], number: int) -> int:
    """Return the points for `number` things by `table`, whose last entry stands for every larger number too.

    >>> [table_points((-4, -3, 2), number) for number in (0, 2, 7)]
    [-4, 2, 2]
    """
    return table[min(number, len(table) - 1)]


def shared_ranks(merits: Sequence[Merit], resigned: Sequence[int]) -> tuple[int, ...]:
    """Return every seat's rank, from 1, by its merit; equal seats share one, and the next ranks are left out.

    Seats that resigned rank behind all others, the last to resign first (rules, section 7).

    >>> shared_ranks([(7,), (9,), (7,), (30,)], resigned=[3])
    (2, 1, 2, 4)
    """
    keys = [(0, resigned.index(seat)) if seat in resigned else (1, *merit) for seat, merit in enumerate(merits)]
    return tuple(1 + sum(other > key for other in keys) for key in keys)
