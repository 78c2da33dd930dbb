"""The README's console lines are run as they stand, against everything that `cairn up` starts."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.actions import Action
from events.catalogue import Event
from service.config import Settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
MARK = "\x01"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Everything that `cairn up` starts, on a free port with empty data."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
    environ |= {"CAIRN_DATA": str(tmp_path / "data"), "CAIRN_PORT": str(port), "CAIRN_BOT_PAUSE": "0"}
    command = [sys.executable, "-m", "ops.cli", "up"]
    told = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=told, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        seen = []
        for line in process.stdout:
            seen.append(line)
            if "demo table" in line:
                break
        assert process.poll() is None, "".join(seen)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=30)
        process.stdout.close()


def console(text: str) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with the answer that stands below it."""
    steps: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], ""))
        elif line.startswith("> "):
            steps[-1] = (f"{steps[-1][0]}\n{line[2:]}", "")
        else:
            steps[-1] = (steps[-1][0], f"{steps[-1][1]}{line}\n")
    return steps


def answers(steps: list[tuple[str, str]], folder: Path) -> list[str]:
    """Run the commands in one shell and return what each printed."""
    (folder / "cairn").write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m ops.cli "$@"\n')
    (folder / "cairn").chmod(0o755)
    script = "\n".join(f"{command}\nprintf '{MARK}'" for command, _ in steps)
    environ = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "COLUMNS": "100"}
    run = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environ, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.stderr == ""
    return run.stdout.split(MARK)[:-1]


def matches(shown: str, real: str) -> bool:
    """Tell whether `real` is `shown`, in which `…` stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), real, re.DOTALL) is not None


def test_the_readme_plays_a_whole_game(address: str, tmp_path: Path):
    """Copied line by line, the README plays a three-seat game to its audited record, and finds a forged one."""
    block = re.search(r"<!-- tested -->\n```console\n(.*?)```", README, re.DOTALL)
    assert block
    steps = console(block[1].replace("http://127.0.0.1:8000", address))
    for (command, shown), real in zip(steps, answers(steps, tmp_path), strict=True):
        assert matches(shown, real), f"{command}\n{real}"


def tags(union: object) -> list[str]:
    return [member.__struct_config__.tag for member in union.__args__]  # type: ignore[attr-defined]  # a union of structs


@pytest.mark.parametrize("tag", tags(Event))
def test_every_event_is_in_the_catalogue(tag: str):
    """The README's event catalogue names every event."""
    assert f"`{tag}`" in README


def test_every_move_is_spoken_of_somewhere():
    """Every action has a name of lower-case words with hyphens."""
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", tag) for tag in tags(Action))


def test_every_command_is_listed():
    """The README names every command of the command line."""
    from ops.cli import COMMANDS

    assert all(f"`cairn {name}" in README for name in COMMANDS)


def test_every_setting_is_listed():
    """The README names every setting, and none that there is not."""
    known = Settings.from_environment({"CAIRN_REDIS_URL": "redis://localhost"}).as_environment()
    assert set(re.findall(r"CAIRN_[A-Z_]+", README)) == set(known)
