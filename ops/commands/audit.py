"""`cairn audit`: are these records right? Offline; the exit status tells."""

import sys
from pathlib import Path
from typing import BinaryIO

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from events.codec import canonical
from replay.audit import audit
from replay.record import FILE_LIMIT, KEY_BYTES, is_base64
from replay.verdict import Check, Verdict

MARKS = {"ok": ("ok", "green"), "failed": ("FAILED", "bold red"), "not-applicable": ("-", "dim")}


def _key(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and not is_base64(value, KEY_BYTES):
        raise click.BadParameter("an Ed25519 public key is 32 bytes in base64")
    return value


@click.command("audit")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.File("rb"))
@click.option("--key", callback=_key, help="The service's public key in base64; others' signatures are refused.")
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each file, for programs.")
def command(files: tuple[BinaryIO, ...], key: str | None, as_json: bool) -> None:
    """Check records: signature, chain, shuffle, every action and the score, without any service.

    The exit status is 0 if all is right, 1 if a check failed, 2 if a file could not be read.
    """
    good = True
    for file in files:
        verdict = audit(_read(file), key)
        good = good and verdict.good
        if as_json:
            click.echo(_line(file.name, verdict))
        else:
            show(file.name, verdict)
    sys.exit(0 if good else 1)


def show(name: str, verdict: Verdict) -> None:
    """Print what was checked of a record, and in the last line the result."""
    console = Console(highlight=False)
    table = Table.grid(padding=(0, 2, 0, 0))
    for check in verdict.checks:
        mark, style = MARKS[check.result]
        table.add_row(check.name, Text(mark, style=style), Text(_note(check)))
    console.print(table)
    console.print(Text(f"{Path(name).name}: {conclusion(verdict)}", style="bold"), soft_wrap=True)


def conclusion(verdict: Verdict) -> str:
    """Return the verdict in a sentence, which names the first bad ply if there is one."""
    failed = verdict.first_failed
    if failed is None:
        state = "a closed game" if verdict.closed else "a game that goes on"
        return f"good; {state} of {verdict.plies} plies"
    return f"bad at {_place(verdict, failed)}; {failed.name}: {failed.note}"


def _place(verdict: Verdict, failed: Check) -> str:
    if failed.ply == 0:
        return "ply 0, the header"
    footer = failed.ply == verdict.plies + 1 and failed.name != "layout"
    return f"ply {failed.ply}, the footer" if footer else f"ply {failed.ply}"


def _note(check: Check) -> str:
    return f"ply {check.ply}: {check.note}" if check.ply is not None else check.note


def _line(name: str, verdict: Verdict) -> str:
    failed = verdict.first_failed
    told = {"file": Path(name).name, "good": verdict.good, "first_bad_ply": failed.ply if failed else None}
    return canonical({**told, "verdict": verdict}).decode()


def _read(file: BinaryIO) -> bytes:
    """Return the file's bytes, one more than a record may have at most."""
    try:
        return file.read(FILE_LIMIT + 1)
    except OSError as error:
        raise click.UsageError(f"{file.name} cannot be read: {error.strerror}") from error
