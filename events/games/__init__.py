"""The games: each is a folder with the same file names, and every one that can be played is named here."""

from events.games import keltis
from events.games.contract import Rules

GAMES: dict[str, Rules] = {keltis.NAME: keltis}
"""Each game's rules, by its name."""
