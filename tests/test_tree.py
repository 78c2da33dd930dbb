"""The tree itself: what no linter knows about this project's layout and manner."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

import events

ROOT = Path(__file__).parent.parent
PACKAGES = ("events", "projections", "replay", "service", "ops")
TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", *PACKAGES, "tests"}
VAGUE_NAMES = {"utils", "util", "helpers", "common", "manager", "base", "misc"}
LONGEST_FILE = 300
LONGEST_FUNCTION = 40


def tracked(pattern: str = "") -> list[str]:
    listed = subprocess.run(["git", "ls-files", pattern or "."], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_the_top_level_is_the_layout():
    """Nothing stands at the top but the layout's folders, dotfiles and a licence."""
    top = {path.split("/")[0] for path in tracked()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_the_packages_are_those_of_this_tree():
    """`import events` finds this tree's package, not another of the same common name."""
    assert Path(events.__file__).parent == ROOT / "events"


def test_no_package_below_tests_shadows_a_real_one():
    """There is no `__init__.py` below tests."""
    assert not list((ROOT / "tests").rglob("__init__.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path):
    """A file has at most 300 lines, a function at most 40, a name says something, a module says what it knows."""
    text = path.read_text()
    tree = ast.parse(text)
    assert len(text.splitlines()) <= LONGEST_FILE
    assert path.stem not in VAGUE_NAMES
    assert ast.get_docstring(tree)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION]
    assert not long


def test_every_lint_exception_is_explained():
    """Whatever a checker is told to let pass, the same line says why."""
    exception = re.compile(r"# (noqa|type: ignore)\b(?!.*  # \w)")
    lines = [(path, line) for path in tracked("*.py") for line in (ROOT / path).read_text().splitlines()]
    assert not [(path, line) for path, line in lines if exception.search(line) and "re.compile" not in line]


def test_every_decision_is_numbered_once():
    """Decisions are numbered without gaps, each number once."""
    numbers = sorted(int(path.name[:4]) for path in (ROOT / "ops" / "decisions").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))
