"""Whose turn it is when it is a bot's, and the bots' moves.

The set of games that wait for a bot follows from the feed, so that after any crash every waiting bot moves. A bot
that moves twice does no harm: it chooses the same at the same version, and the log takes it once.
"""

import logging
from collections.abc import Callable, Sequence
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from events.game import Game, UnknownGame
from events.refusals import IllegalAction
from events.seal import BrokenSeal
from events.store import Pointer, VersionConflict
from events.table import Occupant
from projections.follower import last_versions
from projections.view_store import ViewStore, Writes
from projections.views import view
from service.bots import BOTS
from service.commands import Actor, Commands

NAME: Final = "bots"
WAITING = "waiting"
UNOPENABLE = (BrokenSeal, UnknownGame)
"""What a game raises that is sealed with keys that are lost, or follows rules that this code does not know."""

PATIENCE_S = 5.0
"""Seconds after which a bot is tried again in a game that could not be opened."""

log = logging.getLogger(__name__)


class ToAct(NamedTuple):
    """A bot whose decision is awaited."""

    seat: int
    occupant: Occupant
    bot: str


class BotsProjection:
    """Keeps the set of games that wait for a bot."""

    def __init__(self, commands: Commands, views: ViewStore) -> None:
        self._commands = commands
        self._views = views

    def project(self, pointers: Sequence[Pointer], writes: Writes) -> None:
        """Queue the set's changes. A game may have gone on since; then a later pointer sets it right."""
        for game_id in last_versions(pointers, "game"):
            change = writes.sadd if self._waits(game_id) else writes.srem
            change(self._views.key(WAITING), game_id)

    def _waits(self, game_id: str) -> bool:
        try:
            return bot_to_act(self._commands.live.get(game_id).game) is not None
        except UNOPENABLE as unopened:  # the other games go on
            log.warning("no bot can move in %s: %s", game_id, unopened)
            return False


class BotMoves:
    """Lets the bots move, each game's after a pause of at least `pause_s` seconds."""

    def __init__(
        self, commands: Commands, views: ViewStore, pause_s: float = 0.0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._commands = commands
        self._views = views
        self._pause_s = pause_s
        self._clock = clock
        self._due: dict[str, float] = {}

    def move_all(self) -> float | None:
        """Let every bot move that is due; return in how many seconds the next one is, or None if none waits."""
        waiting = self._views.members(self._views.key(WAITING))
        now = self._clock()
        self._due = {game_id: self._due.get(game_id, now + self._pause_s) for game_id in waiting}
        for game_id in [game_id for game_id, due in self._due.items() if due <= now]:
            self._due[game_id] = self._move(game_id)
        return max(0.0, min(self._due.values()) - self._clock()) if waiting else None

    def _move(self, game_id: str) -> float:
        """Let the game's bot move, and return when to look again."""
        try:
            move_bot(self._commands, game_id)
        except UNOPENABLE:  # it was told when the game came to wait
            return self._clock() + max(self._pause_s, PATIENCE_S)
        return self._clock() + self._pause_s


def bot_to_act(game: Game) -> ToAct | None:
    """Return the bot whose decision is awaited, or None."""
    if game.board is None or game.table.status != "running":
        return None
    seat = game.board.turns.seat
    occupant = game.table.chairs[seat]
    if occupant is None or occupant.bot is None:
        return None
    return ToAct(seat, occupant, occupant.bot)


def move_bot(commands: Commands, game_id: str, luck: str | None = None) -> bool:
    """Let the bot that is to act move; False if none is, or if the game went on meanwhile.

    What a bot leaves to chance follows from the game's version and from `luck`, or else from a secret of the service.
    """
    live = commands.live.get(game_id)
    waiting = bot_to_act(live.game)
    if waiting is None:
        return False
    commands.live.open_eyes(live, waiting.seat)
    version = live.game.version
    chance = commands.keys.derive("bot", f"{game_id}/{version}") if luck is None else f"{luck}/{version}"
    action = BOTS[waiting.bot](view(live.game, waiting.seat, live.last), Random(chance))
    by = Actor(waiting.occupant.player, waiting.occupant.name, waiting.seat)
    try:
        commands.act(game_id, by, action, f"bot-{version}", version)
    except (VersionConflict, IllegalAction):
        return False
    return True
