"""The demo: a table at which two greedy bots play, always found running, so that there is something to see."""

import msgspec

from events.actions import CreateGame, StartGame
from events.games import GAMES
from service.commands import Actor, Commands
from service.config import Settings
from service.wiring import open_commands

HOST = "demo"
BOTS = ("greedy", "greedy")


def open_demo(settings: Settings) -> str:
    """Return the id of the demo game that runs; begin the next one if the last has ended."""
    return running_demo(open_commands(settings))


def running_demo(commands: Commands) -> str:
    """Return the id of the first demo game that has not ended; all are named by their number, so none is made twice."""
    host = Actor(commands.create_player(HOST, HOST).id, HOST)
    options = msgspec.to_builtins(GAMES["keltis"].Options())
    order = CreateGame("keltis", len(BOTS), options, "open", "unrated", False, BOTS)
    number = 1
    while True:
        game = commands.create_game(host, order, f"demo-{number}").game
        status = commands.live.get(game.id).game.table.status
        if status == "open":
            commands.seat(game.id, host, StartGame(), f"demo-{number}-start")
        if status in ("open", "running"):
            return game.id
        number += 1
