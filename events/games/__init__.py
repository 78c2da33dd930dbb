"""The games: each is a folder with the same file names, and every one that can be played is named here."""

from types import ModuleType

from events.games import keltis

GAMES: dict[str, ModuleType] = {keltis.NAME: keltis}
"""Each game's rules, by its name."""
