"""The command `cairn`: its commands by name, each loaded when it is called."""

import os
import sys
from importlib import import_module

import click

COMMANDS = {
    "up": "Start everything: embedded Valkey, web server, followers, worker and a demo table.",
    "serve": "Run the web server.",
    "work": "Run a worker for the jobs at the end of games.",
    "follow": "Run the followers: lobby, ends of games, bots.",
    "simulate": "Let bots play whole games, and audit every record.",
    "replay": "Step through a game.",
    "watch": "Show a live table.",
    "audit": "Verify a record file, offline.",
    "export": "Write the record of a game.",
    "crash": "Kill every part while games are played, and check that nothing is lost.",
    "bench": "Measure ratios against floors and peers.",
    "doctor": "Check server, keys, queue and followers, and say what to mend.",
}
"""Every command with what it does. `NAME` is `command` in the module `ops.commands.NAME`."""


class LazyCommands(click.Group):
    """A group that imports a command's module when the command is called, and never to list it."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return all names, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Return the command called `name`, if there is one."""
        if name not in COMMANDS:
            return None
        loaded = import_module(f"ops.commands.{name}").command
        assert isinstance(loaded, click.Command)
        return loaded

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their lines from `COMMANDS`."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyCommands)
@click.version_option(package_name="cairn")
def cairn() -> None:
    """Cairn: Keltis over HTTP, every action an event, and a shuffle that anyone can verify."""


def main() -> None:
    """Run the command line; what cannot be used is told in one sentence, with exit status 1."""
    try:
        cairn.main(prog_name="cairn")
    except Exception as error:
        sentence = _plainly(error)
        if sentence is None:
            raise
        click.echo(sentence, err=True)
        sys.exit(1)


def _plainly(error: Exception) -> str | None:
    """Return what an operator can mend as a sentence that names the setting, None for anything else."""
    from redis import RedisError

    from events.seal import UnusableKeys
    from events.store import StoreMismatch, StoreUnavailable
    from service.config import UnusableSettings

    server = f"The Redis server of {'CAIRN_REDIS_URL' if os.environ.get('CAIRN_REDIS_URL') else '`cairn up`'}"
    match error:
        case UnusableSettings():
            return str(error)
        case UnusableKeys():
            return f"CAIRN_KEYS cannot be used: {error}"
        case StoreMismatch():
            return f"{server} does not go with CAIRN_SHARDS or CAIRN_KEYS: {error}"
        case StoreUnavailable():
            return f"{server} does not answer: {error.reason}"
        case RedisError():
            return f"{server} refuses to work: {error}"
        case _:
            return None


if __name__ == "__main__":
    main()
