"""Games: opening a table, listing tables, and looking at one."""

from hashlib import sha256
from secrets import token_urlsafe
from typing import Any

from flask import Response, current_app
from flask.views import MethodView

from projections.lobby import BadCursor, Filters
from service.api.actions import IDEMPOTENCY_KEY
from service.api.identity import TOKEN, TOKEN_OR_NONE, asking_player, commands, required_player
from service.api.limits import spend_creation
from service.api.presenting import answered, eyes_of, for_viewer, json_answer, unless_known, view_bytes
from service.api.problems import FieldError, Problem, invalid
from service.api.reading import StrictBlueprint, idempotency_key
from service.api.schemas import GamesQuery, NewGameSchema, ViewQuery, new_game
from service.api.streams import wait_beyond
from service.commands import Actor, Player

blueprint = StrictBlueprint("games", "games", url_prefix="/api/games", description="Tables and games.")


@blueprint.route("")
class Games(MethodView):
    """All tables."""

    @blueprint.arguments(GamesQuery, location="query")
    @blueprint.doc(security=TOKEN_OR_NONE)
    @blueprint.response(200, {"$ref": "#/components/schemas/Games"})
    def get(self, query: dict[str, Any]) -> Response:
        """List tables, newest first: all open ones and what became of them, and those of the asking player.

        `next` is the cursor of the page that follows. No table is skipped or shown twice while others are added.
        The lists follow the log a moment later.
        """
        player = asking_player()
        cursor, limit = query.pop("cursor", None), query.pop("limit")
        filters = Filters(viewer=player.id if player else None, **query)
        try:
            page = current_app.extensions["cairn-lobby"].games(filters, cursor, limit)
        except BadCursor as error:
            raise invalid(FieldError("cursor", "No page gave out this cursor.")) from error
        response = json_answer({"games": page.items, "next": page.next})
        response.headers["Vary"] = "Authorization, Cookie"
        return response

    @blueprint.arguments(NewGameSchema, example={"game": "keltis", "seats": 3, "bots": ["greedy"]})
    @blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=TOKEN)
    @blueprint.response(201, {"$ref": "#/components/schemas/Answer"})
    def post(self, data: dict[str, Any]) -> Response:
        """Open a table.

        The seed is drawn and sealed, and its commitment published, before anybody else can join. A private table's
        answer has a `link`, the secret with which others join.
        """
        player = required_player()
        key = idempotency_key() or token_urlsafe()
        _check_invited(data["invited"])
        headers, known = spend_creation(), commands()
        secret = known.keys.derive("link", f"{player.id}\n{key}") if data["access"] == "private" else None
        order = new_game(data, sha256(secret.encode()).hexdigest() if secret else None)
        seed = bytes.fromhex(data["seed"]) if data["seed"] else None
        answer = known.create_game(Actor(player.id, player.name), order, key, seed)
        members = {"link": secret} if secret else {}
        response = answered(answer, player, id=answer.game.id, **members)
        response.headers.update(headers)
        return response


@blueprint.route("/<game_id>")
class OneGame(MethodView):
    """One game."""

    @blueprint.arguments(ViewQuery, location="query")
    @blueprint.doc(security=TOKEN_OR_NONE)
    @blueprint.response(200, {"$ref": "#/components/schemas/GameView"})
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Look at a game as the asking player may see it, or as a spectator.

        `wait` is long polling. The ETag is the game's version and whose eyes look; an action sends it back in If-Match.
        """
        player = asking_player()
        if "version" in query:
            return _as_it_stood(game_id, query["version"], player)
        live = commands().live.get(game_id)
        if "wait" in query:
            wait_beyond(live, query["wait"])
        with live.lock:
            eyes = eyes_of(live.game, player)
            commands().live.open_eyes(live, eyes)
            response = for_viewer(view_bytes(live.game, eyes, live.last), live.game.version, eyes)
        return unless_known(response)


def _as_it_stood(game_id: str, version: int, player: Player | None) -> Response:
    """Answer with an earlier view; what is seen is what may be seen today."""
    games = commands().live
    live = games.get(game_id)
    if version > live.game.version:
        raise Problem("not-found", f"This game is at version {live.game.version}.")
    eyes = eyes_of(live.game, player)
    game = games.at(game_id, version, eyes)
    if game.board is None:
        eyes = eyes_of(game, player)  # seats are numbered anew at the start
    return unless_known(for_viewer(view_bytes(game, eyes, games.entry(game_id, version)), version, eyes))


def _check_invited(invited: list[str]) -> None:
    known = commands()
    for place, player_id in enumerate(invited):
        if known.player(player_id) is None:
            raise invalid(FieldError(f"invited.{place}", "There is no player with this id."))
