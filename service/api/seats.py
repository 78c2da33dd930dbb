"""Seats: joining, leaving, bots, the start, and a rematch."""

from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Any

from flask import Response
from flask.views import MethodView

from events.actions import JoinGame, LeaveGame, SeatBot, StartGame
from events.table import Table
from service.api.actions import IDEMPOTENCY_KEY
from service.api.identity import TOKEN, commands, required_player
from service.api.limits import spend_creation
from service.api.presenting import answered
from service.api.problems import Problem
from service.api.reading import StrictBlueprint, idempotency_key
from service.api.schemas import SeatSchema, StartSchema
from service.commands import Actor, Seating
from service.rematch import rematch

blueprint = StrictBlueprint("seats", "seats", url_prefix="/api/games", description="Who sits where.")


@blueprint.route("/<game_id>/seats")
class Seats(MethodView):
    """A table's seats."""

    @blueprint.arguments(SeatSchema, required=False, example={"entropy": "42 sheep"})
    @blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=TOKEN)
    @blueprint.response(201, {"$ref": "#/components/schemas/Answer"})
    def post(self, data: dict[str, Any], game_id: str) -> Response:
        """Take a seat, or let a bot take one.

        When somebody takes the last seat, the game starts. `entropy` is mixed into the shuffle.
        """
        required_player()
        if "bot" in data:
            return _sit(game_id, SeatBot(data["bot"]))
        _check_link(commands().live.cached(game_id).game.table, data.get("link"))
        return _sit(game_id, JoinGame(data.get("entropy")))


@blueprint.route("/<game_id>/seats/mine")
class MySeat(MethodView):
    """The asking player's seat."""

    @blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=TOKEN)
    @blueprint.response(201, {"$ref": "#/components/schemas/Answer"})
    def delete(self, game_id: str) -> Response:
        """Leave the table before the start."""
        required_player()
        headers = spend_creation()
        response = _sit(game_id, LeaveGame())
        response.headers.update(headers)
        return response


@blueprint.route("/<game_id>/start")
class Start(MethodView):
    """A table's start."""

    @blueprint.arguments(StartSchema, required=False, example={})
    @blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=TOKEN)
    @blueprint.response(201, {"$ref": "#/components/schemas/Answer"})
    def post(self, data: dict[str, Any], game_id: str) -> Response:
        """Start the game with the seats that are taken (the host only)."""
        return _sit(game_id, StartGame(data["entropy"]))


@blueprint.route("/<game_id>/rematch")
class Rematch(MethodView):
    """A table's next game."""

    @blueprint.doc(security=TOKEN)
    @blueprint.response(201, {"$ref": "#/components/schemas/Answer"})
    def post(self, game_id: str) -> Response:
        """Open a table for the same players and sit down, or sit down at the one that another opened.

        The seats are kept for the players of the game before; the next seat goes first.
        """
        player = required_player()
        return answered(rematch(commands(), game_id, player), player)


def _sit(game_id: str, action: Seating) -> Response:
    player = required_player()
    key = idempotency_key() or token_urlsafe()
    return answered(commands().seat(game_id, Actor(player.id, player.name), action, key), player)


def _check_link(table: Table, link: str | None) -> None:
    wanted = table.created.link
    if wanted is None:
        return
    if link is None or not compare_digest(sha256(link.encode()).hexdigest(), wanted):
        raise Problem("forbidden", "This table is private: send the link's secret that its host handed out.")
