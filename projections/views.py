"""What a player or a spectator gets to see of a game: the table, the board under some eyes, what they may do, what
just happened and how it ended.

Whose eyes they are is decided by who asks; what those eyes may know, by the deal alone.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from events.actions import Access, Mode, Move, OptionValue, Resign
from events.catalogue import EndReason, ScoreSheet
from events.deal import Eyes
from events.entries import Entry
from events.game import Game
from events.table import Occupant, Status
from projections.games import BOARDS, BoardView
from projections.sentences import sentences

RESIGN = Resign()
_encoder = msgspec.json.Encoder()


class Chair(msgspec.Struct, frozen=True, gc=False):
    """A place at the table and who sits there; `player` is a player's id, or `bot:` and a bot's name."""

    seat: int
    player: str | None
    name: str | None
    bot: str | None
    free: bool


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """How a game ended: score sheets and shared ranks by seat, and the seats that won."""

    reason: EndReason
    sheets: tuple[ScoreSheet, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]


class GameView(msgspec.Struct, frozen=True, gc=False):
    """A game at one version, as `eyes` see it. `seats` is how many the table has, `title` the game's.

    `board` is null before the start, `outcome` before the end, `seed` (hex) until it is revealed.
    """

    id: str
    game: str
    title: str
    status: Status
    version: int
    mode: Mode
    access: Access
    host: str
    options: dict[str, OptionValue]
    seats: int
    eyes: int | Literal["all", "spectator"]
    commitment: str
    table: list[Chair]
    board: BoardView | None
    legal_actions: list[Move]
    happened: list[str]
    outcome: Outcome | None
    seed: str | None


def view(game: Game, eyes: Eyes, last: Entry) -> GameView:
    """Return `game` as `eyes` see it, after `last`, the entry of its version.

    A game that has started must be watched with `eyes`.
    """
    table = game.table
    created = table.created
    return GameView(
        id=game.id,
        game=created.game,
        title=game.rules.TITLE,
        status=table.status,
        version=game.version,
        mode=created.mode,
        access=created.access,
        host=created.host,
        options=created.options,
        seats=created.seats,
        eyes=eyes,
        commitment=created.commitment,
        table=chairs(table.chairs),
        board=None if game.board is None else BOARDS[created.game](game.look(eyes)),
        legal_actions=legal_actions(game, eyes),
        happened=sentences(last, [occupant.name if occupant else "" for occupant in table.chairs]),
        outcome=outcome(game),
        seed=table.seed,
    )


def chairs(occupants: Sequence[Occupant | None]) -> list[Chair]:
    """Return the places at a table, by seat."""
    return [
        _chair(seat, occupant.player, occupant.name) if occupant else _free_chair(seat)
        for seat, occupant in enumerate(occupants)
    ]


def encode(view: GameView) -> bytes:
    """Return the JSON of `view`."""
    return _encoder.encode(view)


def legal_actions(game: Game, eyes: Eyes) -> list[Move]:
    """Return everything that these eyes may do if they are a seat's, to resign last; outsiders may do nothing."""
    if not isinstance(eyes, int) or game.board is None or game.table.status != "running":
        return []
    if eyes in game.board.turns.resigned:
        return []
    return [*game.rules.legal_actions(game.look(eyes), eyes), RESIGN]


def outcome(game: Game) -> Outcome | None:
    """Return how `game` ended, or None: as it is written in the closing entry, before that as the rules yield it."""
    scored = game.table.scored
    if scored is not None:
        return _outcome(scored.reason, scored.sheets, scored.ranks)
    if game.board is None or game.board.turns.ended is None:
        return None
    return _outcome(game.board.turns.ended, game.rules.score_sheets(game.board), game.rules.ranks(game.board))


def _outcome(reason: EndReason, sheets: tuple[ScoreSheet, ...], ranks: tuple[int, ...]) -> Outcome:
    return Outcome(reason, sheets, ranks, tuple(seat for seat, rank in enumerate(ranks) if rank == 1))


@lru_cache(maxsize=4096)
def _chair(seat: int, player: str, name: str) -> Chair:
    return Chair(seat, player, name, Occupant(player, name, None).bot, False)


def _free_chair(seat: int) -> Chair:
    return Chair(seat, None, None, None, True)
