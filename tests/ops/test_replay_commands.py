"""`cairn replay` and `cairn audit`: what they print, and the exit status that tells."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ops import cli
from replay.audit import CHECKS
from tests.ops.terminals import Terminal
from tests.replay.played import GAME_ID, finished, record, ring


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.cairn, list(arguments), prog_name="cairn")


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """The record of a whole game, as a file."""
    path = tmp_path / "g7.cairn.json"
    path.write_bytes(record(finished()))
    return path


@pytest.fixture
def spoiled(tmp_path: Path) -> Path:
    """A record in which one letter of entry 77 was changed."""
    path = tmp_path / "spoiled.cairn.json"
    lines = record(finished()).split(b"\n")
    lines[77] = lines[77].replace(b'"request":"request', b'"request":"rEquest')
    path.write_bytes(b"\n".join(lines))
    return path


# audit


def test_audit_of_a_good_record(whole):
    """A good record: every check is listed, the status is 0."""
    result = run("audit", str(whole))
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.splitlines() if line[:1].strip()][: len(CHECKS)]
    assert all(name in result.output for name in CHECKS)
    assert f"g7.cairn.json: good; a closed game of {len(finished())} plies" in result.output


def test_audit_names_the_first_bad_ply(spoiled):
    """A changed letter: the ply and the check are named in the last line, the status is 1."""
    result = run("audit", str(spoiled))
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith("spoiled.cairn.json: bad at ply 77; chain:")


def test_audit_takes_many_files(whole, spoiled):
    """Every file is judged, and one bad one decides the status."""
    result = run("audit", str(whole), str(spoiled), str(whole))
    assert result.exit_code == 1
    assert [": good" in line for line in result.output.splitlines() if line[:2] in ("g7", "sp")] == [True, False, True]


def test_audit_with_the_services_key(whole):
    """With --key, only that key's signature is good."""
    assert run("audit", str(whole), "--key", ring().public_key).exit_code == 0
    other = run("audit", str(whole), "--key", ring(b"x").public_key)
    assert other.exit_code == 1
    assert "bad at ply" in other.output
    assert "the footer; signature" in other.output


def test_audit_for_programs(whole, spoiled):
    """With --json there is a line of JSON for each file."""
    result = run("audit", "--json", str(whole), str(spoiled))
    good, bad = map(json.loads, result.output.splitlines())
    assert (good["good"], good["first_bad_ply"]) == (True, None)
    assert (bad["good"], bad["first_bad_ply"]) == (False, 77)
    assert [check["name"] for check in bad["verdict"]["checks"]] == list(CHECKS)


def test_audit_of_no_file(tmp_path):
    """Files that are not there, folders, no file at all and a key that is none: status 2."""
    assert run("audit", str(tmp_path / "none")).exit_code == 2
    assert run("audit", str(tmp_path)).exit_code == 2
    assert run("audit").exit_code == 2
    assert run("audit", "--key", "abc", __file__).exit_code == 2


def test_audit_of_another_kind_of_file():
    """A file that is no record is bad at its header."""
    result = run("audit", __file__)
    assert result.exit_code == 1
    assert "bad at ply 0, the header; layout" in result.output


# replay


def test_replay_in_print(whole):
    """Without a terminal every ply's sentences are printed, then the board at the end."""
    result = run("replay", str(whole))
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "   1  A table for 3 players of Keltis is open. Ánna 0 takes a seat."
    assert [line[:4] for line in lines[: len(finished())]] == [f"{n:4}" for n in range(1, len(finished()) + 1)]
    assert f"ply {len(finished())} of {len(finished())}, every hand open" in result.output
    assert "discard piles" in result.output


def test_replay_up_to_a_ply_with_a_seats_eyes(whole):
    """--ply ends the printing there, --seat chooses whose hand is open."""
    result = run("replay", "--plain", "--ply", "20", "--seat", "1", str(whole))
    assert f"Keltis {GAME_ID}, ply 20 of {len(finished())}, with the eyes of seat 1" in result.output
    assert "  21  " not in result.output


def test_replay_of_a_running_game(tmp_path):
    """A running game's record is shown as a spectator sees it, whatever seat is asked for."""
    path = tmp_path / "running.cairn.json"
    path.write_bytes(record(finished()[:40]))
    for arguments in ([], ["--seat", "1"]):
        result = run("replay", str(path), *arguments)
        assert result.exit_code == 0
        assert "ply 40 of 40, as a spectator" in result.output


def test_replay_stops_before_the_first_bad_ply(spoiled):
    """What the audit finds fault with is not shown, and that is said."""
    result = run("replay", str(spoiled))
    assert result.exit_code == 0
    assert "This record is bad at ply 77; chain" in result.stderr
    assert "ply 76 of 76" in result.output


def test_replay_of_nothing(tmp_path):
    """A file that is not there, one that is no record, a service that is not there: one sentence each."""
    missing = run("replay", str(tmp_path / "no.cairn.json"))
    assert missing.exit_code == 2
    assert "there is no file" in missing.output
    other = run("replay", __file__)
    assert other.exit_code == 1
    assert "this record cannot be read; ply 0" in other.output
    nobody = run("replay", "g7", "--server", "http://127.0.0.1:9")
    assert nobody.exit_code == 1
    assert "http://127.0.0.1:9 does not answer" in nobody.output
    strange = run("replay", "g7", "--server", "ftp://127.0.0.1")
    assert "begins with http" in strange.output


def test_replay_in_a_terminal(whole):
    """In a terminal the keys step forward and back, jump, and change eyes; q ends with status 0."""
    with Terminal("replay", str(whole), "--ply", "10") as terminal:
        assert terminal.reads(f"ply 10 of {len(finished())}, every hand open")
        terminal.type("n\x1b[C")
        assert terminal.reads("ply 12 of")
        terminal.type("g30")
        assert terminal.reads("go to ply: 30")
        terminal.type("\r1")
        assert terminal.reads("with the eyes of seat 1")
        terminal.type("p")
        assert terminal.reads("ply 29 of")
        terminal.type("\x1b[F")
        assert terminal.reads("The final score")
        terminal.type("q")
        assert terminal.end() == 0
