"""Rounds: two sides take turns within the same minutes, and what counts is the ratio within each round.

The first round warms both sides up and is dropped. The sides change places from round to round, so that neither
gains by being the first.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter
from typing import NamedTuple, Self

Measures = Mapping[str, float]
"""What one side measured in one round, by name: `rate` in things per second, `p50` and `p99` in seconds, …"""

Side = Callable[[float], Measures]
"""Works for about so many seconds and returns what it measured."""


class Spread(NamedTuple):
    """Values of several rounds: their median, quartiles and ends."""

    median: float
    low: float
    quarter: float
    three_quarters: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        """Return the spread of `values`, which has at least one.

        >>> Spread.of([4, 1, 3, 2, 5])
        Spread(median=3, low=1, quarter=2.0, three_quarters=4.0, high=5)
        """
        known = sorted(values)
        first, _, third = quantiles(known, n=4, method="inclusive") if len(known) > 1 else known * 3
        return cls(median(known), known[0], first, third, known[-1])


@dataclass(frozen=True)
class Effort:
    """How much is measured: rounds (the first is dropped), seconds a side and round, games in a full store, streams,
    and games that are played beforehand where whole games are needed.
    """

    rounds: int = 8
    seconds: float = 1.0
    stored: int = 100_000
    streams: int = 500
    played: int = 40


class Bound(NamedTuple):
    """What a figure is to reach."""

    value: float
    at_least: bool

    def holds(self, value: float) -> bool:
        """Tell whether `value` is good enough."""
        return value >= self.value if self.at_least else value <= self.value


def at_least(value: float) -> Bound:
    """Return the bound that wants `value` or more."""
    return Bound(value, at_least=True)


def at_most(value: float) -> Bound:
    """Return the bound that wants `value` or less."""
    return Bound(value, at_least=False)


TIMES = "×"  # noqa: RUF001  # the real sign


class Figure(NamedTuple):
    """One measured figure. `spread` is in `unit`; of a ratio, `ours` and `theirs` are the two sides' medians, told."""

    name: str
    spread: Spread
    unit: str
    bound: Bound | None = None
    ours: str = ""
    theirs: str = ""


class Rounds:
    """What two sides measured in the rounds that count."""

    def __init__(self, pairs: list[tuple[Measures, Measures]]) -> None:
        self.pairs = pairs

    def ratio(self, measure: str) -> Spread:
        """Return our side's `measure` over the other's, round by round."""
        return Spread.of(ours[measure] / theirs[measure] for ours, theirs in self.pairs)

    def figure(self, name: str, measure: str, bound: Bound | None, told: Callable[[float], str]) -> Figure:
        """Return the ratio of `measure` as a figure; `told` writes one side's value."""
        ours, theirs = (median(pair[side][measure] for pair in self.pairs) for side in (0, 1))
        return Figure(name, self.ratio(measure), TIMES, bound, told(ours), told(theirs))


def interleave(ours: Side, theirs: Side, effort: Effort, each_round: Callable[[], object] = lambda: None) -> Rounds:
    """Let both sides work in turns and return what they measured, without the first round.

    `each_round` is called before each round, outside of what is measured.
    """
    pairs = []
    for number in range(effort.rounds):
        each_round()
        if number % 2:
            second = theirs(effort.seconds)
            pairs.append((ours(effort.seconds), second))
        else:
            pairs.append((ours(effort.seconds), theirs(effort.seconds)))
    return Rounds(pairs[1:])


def repeating(work: Callable[[], int]) -> Side:
    """Return the side that does `work` again and again; `work` returns how many things it did."""

    def side(seconds: float) -> Measures:
        done, began = 0, perf_counter()
        while (spent := perf_counter() - began) < seconds or not done:
            done += work()
        return {"rate": done / spent}

    return side


def per_second(rate: float) -> str:
    """Return a rate as it is told.

    >>> per_second(1234.5), per_second(12.34)
    ('1,234/s', '12.3/s')
    """
    return f"{rate:,.0f}/s" if rate >= 100 else f"{rate:.3g}/s"


def milliseconds(seconds: float) -> str:
    """Return a time as it is told.

    >>> milliseconds(0.00125)
    '1.25 ms'
    """
    return f"{seconds * 1000:.3g} ms"
