"""The command line: every command is listed, quick to list, and loaded by its name."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.cli import COMMANDS, cairn
from ops.commands import serve
from service.config import Settings

HEAVY = ("redis", "flask", "rq", "gevent", "gunicorn", "rich", "cryptography", "msgspec", "service", "events")


def test_help_lists_every_command():
    """`cairn --help` names every command with its line."""
    told = CliRunner().invoke(cairn, ["--help"]).output
    for name in COMMANDS:
        assert f"\n  {name} " in told


def test_help_imports_nothing_heavy():
    """`cairn --help` imports neither server clients nor the service."""
    code = (
        "import sys\nfrom ops.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_loaded(name: str):
    """Each listed command has a module whose `command` bears its name and explains itself."""
    done = CliRunner().invoke(cairn, [name, "--help"])
    assert done.exit_code == 0, done.output
    assert f"Usage: cairn {name}" in done.output


def test_an_unknown_command_is_refused():
    """A name that is no command is refused with the usual status."""
    done = CliRunner().invoke(cairn, ["fly"])
    assert done.exit_code == 2
    assert "No such command 'fly'" in done.output


def test_what_an_operator_can_mend_is_told_in_one_sentence(tmp_path: Path):
    """Settings that cannot be used end in one sentence and status 1, without a traceback."""
    environ = {"CAIRN_DATA": str(tmp_path), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "ops.cli", "doctor"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "No Redis server is known: start `cairn up`, or set CAIRN_REDIS_URL.\n"


def test_the_web_server_is_set_by_settings_alone(tmp_path: Path):
    """Address and processes of the web server are those of the settings; an IPv6 host gets its brackets."""
    settings = Settings(tmp_path, "redis://r", "redis://q", tmp_path / "k", "records", host="::1", port=81, workers=2)
    told = serve.gunicorn_settings(settings)
    assert (told["bind"], told["workers"]) == ("[::1]:81", 2)


def test_the_command_line_goes_before_the_environment(tmp_path: Path):
    """An option that is given wins over the setting; one that is not leaves it."""
    settings = Settings(tmp_path, "redis://r", "redis://q", tmp_path / "k", "records", host="::1", port=81)
    chosen = serve.chosen(settings, {"host": None, "port": 82, "allow_unsafe_redis": False})
    assert (chosen.host, chosen.port, chosen.allow_unsafe_redis) == ("::1", 82, False)
