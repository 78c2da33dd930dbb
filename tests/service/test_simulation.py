"""`cairn simulate`: whole games on real parts, the same for the same seed, and every record audited."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
from click.testing import CliRunner, Result

from ops.commands.simulate import command, opened
from service.api.reading import KEY
from service.records import Records
from service.simulation import Plan, host_key


def run(*words: str) -> Result:
    """Call the command without a server of the environment."""
    return CliRunner(env={"CAIRN_REDIS_URL": None, "COLUMNS": "120"}).invoke(command, words)


def test_simulated_games_are_recorded_and_audited(tmp_path):
    """The command plays, closes, records and audits, and says so."""
    result = run("--games", "3", "--players", "3", "--bots", "greedy,random", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "all 3 records audited clean" in result.output
    assert len(list(tmp_path.glob("*.cairn.json"))) == 3


def test_the_same_seed_gives_the_same_table():
    """Nothing in the table depends on the run; another seed gives another one."""
    first, second, other = (run("--games", "2", "--seed", seed) for seed in ("one", "one", "two"))
    assert first.output == second.output
    assert first.output != other.output


@pytest.mark.parametrize("place", ["short", "two words", "long" * 40])
def test_nobody_else_can_speak_to_its_server(tmp_path, monkeypatch, place):
    """The server of a run listens on no port, wherever temporary files lie, and nothing of it is left."""
    monkeypatch.delenv("CAIRN_REDIS_URL", raising=False)
    (tmp_path / place).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / place))
    with ExitStack() as stack:
        url = opened(stack, tmp_path / place, "seed").redis_url
        with redis.Redis.from_url(url) as client:
            assert client.config_get("port") == {"port": "0"}
        socket = Path(url.removeprefix("unix://"))
        assert (socket.stat().st_mode & 0o777, socket.parent.stat().st_mode & 0o777) == (0o700, 0o700)
    assert not socket.parent.exists()


def test_nobody_gets_the_hosts_token_by_asking():
    """The key from which the host's token follows can stand in no request."""
    assert not KEY.fullmatch(host_key(Plan("keltis", 1, "spring-of-next-year", ("greedy", "greedy"))))


def test_a_bad_record_is_told_and_fails_the_command(tmp_path, monkeypatch):
    """If a record does not audit clean, the command names its game and ply, and exits with status 1."""
    write = Records.write
    monkeypatch.setattr(
        Records,
        "write",
        lambda self, game_id, record: write(self, game_id, record.replace(b'"by":"bot:', b'"by":"BOT:', 1)),
    )
    result = run("--games", "1", "--out", str(tmp_path))
    assert result.exit_code == 1
    assert "failed at ply" in result.output
    assert "1 of 1 records failed their audit" in result.output


def test_an_unknown_bot_is_refused():
    """Only bots that exist can be named."""
    result = run("--bots", "clever")
    assert result.exit_code == 2
    assert "there is no bot 'clever'" in result.output
