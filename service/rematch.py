"""A rematch: the same table again, for the same players in the same seats, with the next seat going first."""

from hashlib import sha256

from events.actions import CreateGame, JoinGame
from events.refusals import NOT_CLOSABLE, NOT_SEATED, IllegalAction
from events.seal import new_seed
from events.store import VersionConflict
from events.table import Table
from service.commands import Actor, Answer, Commands, KeyReused, Player


def rematch(commands: Commands, game_id: str, player: Player) -> Answer:
    """Open the game after `game_id`, or join it if somebody else opened it; raise `IllegalAction`.

    There is one rematch of a game, whoever asks for it first and however often.
    """
    live = commands.live.get(game_id)
    table = live.game.table
    if table.seat_of(player.id) is None:
        raise IllegalAction(NOT_SEATED)
    if table.status in ("open", "running"):
        raise IllegalAction(NOT_CLOSABLE)
    next_id = sha256(f"rematch\n{game_id}".encode()).hexdigest()[:20]
    by = Actor(player.id, player.name)
    try:
        answer = commands.open_game(next_id, by, _order(table, game_id), "rematch", new_seed())
    except (KeyReused, VersionConflict):
        answer = commands.seat(next_id, by, JoinGame(), "rematch")
    return _sit_again(commands, answer, by)


def _sit_again(commands: Commands, answer: Answer, by: Actor) -> Answer:
    """Let somebody who left the rematch's table sit down again."""
    table = answer.game.table
    if table.status == "open" and table.seat_of(by.player) is None:
        return commands.seat(answer.game.id, by, JoinGame(), f"rematch-{answer.game.version}")
    return answer


def _order(table: Table, game_id: str) -> CreateGame:
    assert table.started is not None
    occupants = table.occupants
    return CreateGame(
        game=table.game,
        seats=len(occupants),
        options=table.options,
        access="invited",
        mode=table.mode if table.mode != "unrated-test" else "unrated",
        host_plays=True,
        bots=tuple(occupant.bot for occupant in occupants if occupant.bot is not None),
        invited=tuple(occupant.player for occupant in occupants if occupant.bot is None),
        reserved=tuple(occupant.player for occupant in occupants),
        first=(table.started.first + 1) % len(occupants),
        rematch_of=game_id,
    )
