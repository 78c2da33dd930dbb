"""The log: raw entries, the chain's head, the history in sentences, and the record. All of it is public at any time."""

from typing import Any

from flask import Response
from flask.views import MethodView

from events.codec import decode
from events.store import Stream
from projections.sentences import history
from replay.record import record_bytes
from service.api.identity import commands
from service.api.presenting import JSON, json_answer
from service.api.reading import StrictBlueprint
from service.api.schemas import LogQuery

blueprint = StrictBlueprint("log", "log", url_prefix="/api/games", description="What happened.")


@blueprint.route("/<game_id>/log")
class Log(MethodView):
    """A game's raw entries."""

    @blueprint.arguments(LogQuery, location="query")
    @blueprint.response(200, {"$ref": "#/components/schemas/Log"})
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read the raw log.

        Each entry's `body` is the canonical JSON that was stored and hashed, as a string; `link` is the SHA-256 of
        the link before (32 zero bytes at first) and the body.
        """
        after = query["after"]
        commands().live.cached(game_id)
        stored = commands().store.read(Stream("game", game_id), after=after, until=after + query["limit"])
        entries = [{"version": item.version, "body": item.body.decode(), "link": item.link.hex()} for item in stored]
        return json_answer({"entries": entries, "next": stored[-1].version if stored else after})


@blueprint.route("/<game_id>/head")
class Head(MethodView):
    """The chain's head."""

    @blueprint.response(200, {"$ref": "#/components/schemas/Head"})
    def get(self, game_id: str) -> Response:
        """Tell the last link of the chain, which binds everything before it."""
        live = commands().live.get(game_id)
        with live.lock:
            return json_answer({"version": live.game.version, "head": live.head.hex()})


@blueprint.route("/<game_id>/history")
class History(MethodView):
    """A game's history."""

    @blueprint.arguments(LogQuery, location="query")
    @blueprint.response(200, {"$ref": "#/components/schemas/History"})
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read what happened, in sentences."""
        after = query["after"]
        commands().live.cached(game_id)
        stored = commands().store.read(Stream("game", game_id), until=after + query["limit"])
        told = history([decode(item.body) for item in stored])[after:]  # who sits where follows from the beginning
        return json_answer({"history": told, "next": told[-1].version if told else after})


@blueprint.route("/<game_id>/record")
class Record(MethodView):
    """A game's record."""

    @blueprint.response(200, {"type": "object"}, description="The record, a `.cairn.json` file.")
    def get(self, game_id: str) -> Response:
        """Download the signed record, complete once the game is closed."""
        live = commands().live.get(game_id)
        stored = commands().store.read(Stream("game", game_id), until=live.game.version)
        response = Response(record_bytes(game_id, stored, commands().keys), content_type=JSON)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Disposition"] = f'attachment; filename="{game_id}.cairn.json"'
        return response
