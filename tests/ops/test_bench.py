"""Benchmarks: the arithmetic of rounds, what is told, and one tiny round of each."""

from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.bench import peers, report
from ops.bench.rounds import TIMES, Effort, Figure, Measures, Rounds, Spread, at_least, at_most, interleave
from ops.commands import bench

TINY = Effort(rounds=2, seconds=0.02, stored=3, streams=3, played=3)
PEERS = {"playouts": 2, "rebuild": 2, "streams": 3}
"""Figures that need peers, by benchmark."""


def test_a_spread_tells_median_quartiles_and_ends():
    """The spread of nine values names the middle one, those a quarter from each end, and the ends."""
    assert Spread.of([9, 1, 8, 2, 7, 3, 6, 4, 5]) == Spread(median=5, low=1, quarter=3, three_quarters=7, high=9)


def test_one_value_is_its_own_spread():
    """A single round is its median, quartiles and ends."""
    assert Spread.of([3.0]) == Spread(3.0, 3.0, 3.0, 3.0, 3.0)


def test_a_ratio_is_taken_within_each_round():
    """A machine that is slow in one round slows both sides, and the ratio stays."""
    rounds = Rounds([({"rate": 10}, {"rate": 5}), ({"rate": 2}, {"rate": 1}), ({"rate": 300}, {"rate": 100})])
    assert rounds.ratio("rate") == Spread(median=2, low=2, quarter=2, three_quarters=2.5, high=3)


def test_sides_change_places_and_the_first_round_is_dropped():
    """Of three rounds the last two count, and each side has begun once."""
    calls: list[str] = []

    def side(name: str, rate: float) -> Measures:
        calls.append(name)
        return {"rate": rate * len(calls)}

    sides = (lambda _: side("ours", 2)), (lambda _: side("theirs", 1))
    rounds = interleave(*sides, Effort(rounds=3), lambda: calls.append("-"))
    assert calls == ["-", "ours", "theirs", "-", "theirs", "ours", "-", "ours", "theirs"]
    assert len(rounds.pairs) == 2


def test_a_missed_target_is_marked():
    """The report says of each figure what it was to reach, and marks the one that does not."""
    spread = Spread(0.5, 0.4, 0.45, 0.55, 0.6)
    good, bad = (Figure(name, spread, TIMES, bound) for name, bound in (("good", at_most(0.6)), ("bad", at_least(0.7))))
    told = report.markdown([good, bad], "cairn bench").splitlines()
    assert told[0] == "`cairn bench`"
    assert told[4].startswith(f"| good | 0.50 {TIMES} | ≤ 0.60 {TIMES} |")
    assert told[5].startswith(f"| bad | **0.50 {TIMES}** (missed) | ≥ 0.70 {TIMES} |")
    assert report.table([good, bad]).row_count == 2


@pytest.mark.parametrize("name", bench.BENCHMARKS)
def test_each_benchmark_runs_a_tiny_round(name: str):
    """Every benchmark measures what it says on real parts; figures of absent peers are left out, no others."""
    figures = import_module(f"ops.bench.{name}").figures(TINY)
    assert all(figure.spread.median > 0 for figure in figures)
    assert figures or (name in PEERS and peers.missing())


@pytest.mark.parametrize("name", PEERS)
def test_peers_that_are_not_installed_are_left_out(name: str, monkeypatch: pytest.MonkeyPatch):
    """Without its peers a benchmark measures nothing and fails at nothing."""
    monkeypatch.setattr(f"ops.bench.{name}.installed", lambda _: False)
    assert import_module(f"ops.bench.{name}").figures(TINY) == []


def test_the_command_writes_the_table_as_markdown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`cairn bench sizes --markdown FILE` writes what it tells, under the command that measures it."""
    spread = Spread(61.0, 60.0, 60.5, 61.5, 62.0)
    monkeypatch.setattr("ops.bench.sizes.figures", lambda _: [Figure("a stored game", spread, "kB", at_most(80))])
    told = CliRunner().invoke(bench.command, ["sizes", "--markdown", str(tmp_path / "table.md")])
    assert told.exit_code == 0, told.output
    assert "a stored game" in told.output
    written = (tmp_path / "table.md").read_text()
    assert written.startswith("`cairn bench sizes --rounds 8")
    assert "| a stored game | 61.0 kB | ≤ 80.0 kB | 60.5–61.5 kB | 60.0–62.0 kB |" in written  # noqa: RUF001  # a real dash


def test_fewer_than_seven_counted_rounds_are_refused():
    """A median of fewer than seven rounds is not told."""
    assert CliRunner().invoke(bench.command, ["sizes", "--rounds", "7"]).exit_code == 2
