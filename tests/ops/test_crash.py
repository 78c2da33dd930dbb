"""Whatever is killed, whenever: nothing is lost and nothing happens twice."""

from pathlib import Path

import pytest

from ops.commands.crash import free_port
from ops.crash import PARTS, run


@pytest.mark.crash
def test_kills_lose_nothing(tmp_path: Path):
    """While games are played, kill -9 hits every part; what was acknowledged is in the log once, each game closes."""
    report = run(tmp_path, free_port(), games=2, kills=10, seed="small", tell=lambda _line: None)
    assert report.acknowledged > 50
    assert all(report.kills[part] for part in PARTS)
