"""Setting up: the locks are whole and neutral, and the scripts say plainly what is missing."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LOCKS = ROOT / "ops" / "lock"
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)")


def pins(name: str) -> dict[str, str]:
    found = (PIN.match(line) for line in (LOCKS / name).read_text().splitlines())
    return {match[1]: match[2] for match in found if match}


def asked_for(extra: str | None = None) -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + (project["optional-dependencies"][extra] if extra else [])
    return {re.split(r"[><=\[]", name)[0] for name in wanted}


def test_the_locks_hold_what_the_project_asks_for():
    """Every dependency is pinned in its lock, and both locks pin the same versions."""
    run, test = pins("run.txt"), pins("test.txt")
    assert asked_for() <= set(run)
    assert asked_for("test") <= set(test)
    assert run.items() <= test.items()


@pytest.mark.parametrize("name", ["run.txt", "test.txt"])
def test_every_pin_has_hashes_and_no_host(name: str):
    """Each pinned package is told by its hashes, and none by where it is fetched."""
    text = (LOCKS / name).read_text()
    requirements = text.replace("\\\n", " ").splitlines()
    assert all("--hash=sha256:" in line for line in requirements if PIN.match(line))
    assert "://" not in text
    assert "index-url" not in text


def run(script: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run bash lines after those of `ops/setup`, copied into a checkout of its own at `folder`."""
    (folder / "ops").mkdir()
    (folder / "ops" / "setup").write_text((ROOT / "ops" / "setup").read_text())
    lines = f"source {folder}/ops/setup\n{script}"
    return subprocess.run(["/bin/bash", "-c", lines], capture_output=True, text=True, check=False, env=environ)


def python_in(folder: Path, name: str, status: int) -> Path:
    """Put a pretended Python into `folder` that ends with `status` whatever it is asked."""
    folder.mkdir(exist_ok=True)
    script = folder / name
    script.write_text(f"#!/bin/sh\nexit {status}\n")
    script.chmod(0o755)
    return script


def test_no_python_is_told_in_one_sentence(tmp_path: Path):
    """Without a Python that is new enough, one plain sentence says so."""
    python_in(tmp_path / "bin", "python3", 1)
    done = run("find_python", tmp_path, PATH=str(tmp_path / "bin"))
    assert done.returncode == 1
    assert done.stderr == "Cairn needs Python 3.11 or newer: install it, or name one in CAIRN_PYTHON.\n"


def test_the_named_python_is_taken_first_then_python3_then_a_newer_name(tmp_path: Path):
    """The Python that CAIRN_PYTHON names goes before `python3`, and that before a Python by its version."""
    old, new, newer = tmp_path / "old", tmp_path / "new", tmp_path / "newer"
    python_in(old, "python3", 1)
    python_in(new, "python3.12", 0)
    python_in(newer, "python3", 0)
    own = python_in(tmp_path / "own", "py", 0)
    too_old = python_in(tmp_path / "own", "py2", 1)
    script = "find_python; PATH=$NEWER:$PATH find_python; for CAIRN_PYTHON in $OWN $TOO_OLD; do find_python; done"
    folders = {"PATH": f"{old}:{new}", "NEWER": str(newer)}
    done = run(script, tmp_path, **folders, OWN=str(own), TOO_OLD=str(too_old))
    assert done.stdout.split() == ["python3.12", "python3", str(own), "python3.12"]


def test_a_missing_venv_module_is_told_with_debians_package(tmp_path: Path):
    """A Python that cannot make virtual environments is told with the package that mends it."""
    python = tmp_path / "bin" / "python3"
    python_in(tmp_path / "bin", "python3", 0)
    python.write_text('#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\n')
    done = run("make_environment", tmp_path, PATH=str(tmp_path / "bin"))
    assert done.returncode == 1
    assert "python3-venv" in done.stderr
    assert len(done.stderr.splitlines()) == 1


PRESENT = "#!/bin/sh\n"
WITHOUT_VENV = '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\n'
APT = '#!/bin/sh\nprintf "%s " "$@" >>"$TOLD"\n'


def run_ci(folder: Path, **commands: str) -> tuple[int, str]:
    """Run `.ci/run` in a checkout of its own where nothing but `commands` is installed.

    Return the exit status, here that of a pretended `ops/test`, and what apt-get was asked for.
    """
    for place, text in {".ci/run": None, "ops/setup": None, "ops/test": "#!/bin/sh\nexit 42\n"}.items():
        script = folder / "checkout" / place
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(text or (ROOT / place).read_text())
        script.chmod(0o755)
    (folder / "bin").mkdir()
    (folder / "bin" / "dirname").symlink_to("/usr/bin/dirname")
    for name, text in {"apt-get": APT, **commands}.items():
        script = folder / "bin" / name
        script.write_text(text)
        script.chmod(0o755)
    environ = {"PATH": str(folder / "bin"), "TOLD": str(folder / "told")}
    command = ["/bin/bash", str(folder / "checkout" / ".ci" / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ, cwd=folder)
    told = folder / "told"
    return done.returncode, told.read_text() if told.exists() else done.stderr


def test_ci_installs_nothing_where_all_is_there(tmp_path: Path):
    """With everything there CI goes on to the tests at once, and ends as they end."""
    all_there = {"redis-server": PRESENT, "git": PRESENT, "curl": PRESENT, "python3": PRESENT}
    assert run_ci(tmp_path, **all_there) == (42, "")


def test_ci_makes_no_environment_anew(tmp_path: Path):
    """With an environment that is new enough, CI needs nothing to make one with."""
    python = tmp_path / "checkout" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(PRESENT)
    python.chmod(0o755)
    assert run_ci(tmp_path, **{"redis-server": PRESENT, "git": PRESENT, "curl": PRESENT}) == (42, "")


@pytest.mark.parametrize("python", [{}, {"python3": WITHOUT_VENV}, {"python3": "#!/bin/sh\nexit 1\n"}])
def test_ci_installs_what_a_bare_machine_lacks(tmp_path: Path, python: dict[str, str]):
    """Without Python, or with one that is old or makes no environments, and with nothing else, all is installed."""
    status, told = run_ci(tmp_path, **python)
    assert status == 42
    assert told.startswith("update -qq install -qq -y --no-install-recommends ")
    assert told.split()[-5:] == ["redis-server", "git", "curl", "python3", "python3-venv"]


def test_scripts_can_be_run():
    """The scripts for people and for CI are executable."""
    for name in ("ops/up", "ops/test", ".ci/run"):
        assert os.access(ROOT / name, os.X_OK)
