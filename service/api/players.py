"""Players: a name, and a token that says who asks."""

from secrets import token_urlsafe
from typing import Any

from flask import Response
from flask.views import MethodView

from service.api.identity import TOKEN, commands, required_player
from service.api.limits import spend_creation
from service.api.presenting import json_answer
from service.api.problems import Problem
from service.api.reading import StrictBlueprint, idempotency_key
from service.api.schemas import NewPlayerSchema

WEAK_KEY = 16

SECRET_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": "^[!-~]{16,200}$"},
    "description": "A secret that names this request; sent again, it gets the same player with the same token.",
}

blueprint = StrictBlueprint("players", "players", url_prefix="/api/players", description="Players and their tokens.")


@blueprint.route("")
class Players(MethodView):
    """All players."""

    @blueprint.arguments(NewPlayerSchema, example={"name": "Ada"})
    @blueprint.doc(parameters=[SECRET_KEY])
    @blueprint.response(
        201, {"$ref": "#/components/schemas/PlayerWithToken"}, description="The token is shown this once."
    )
    def post(self, data: dict[str, Any]) -> Response:
        """Make a player.

        The token in the answer says who asks, as `Authorization: Bearer TOKEN`. It is not kept and cannot be shown
        again. With an Idempotency-Key of at least 16 characters, which has to be secret, a lost answer can be asked
        for again.
        """
        key = idempotency_key()
        if key is not None and len(key) < WEAK_KEY:
            raise Problem(
                "malformed-request", f"Here an Idempotency-Key is a secret: take {WEAK_KEY} characters or more."
            )
        headers = spend_creation()
        made = commands().create_player(data["name"], key or token_urlsafe())
        return json_answer({"id": made.id, "name": made.name, "token": made.token}, 201, headers)


@blueprint.route("/me")
class Me(MethodView):
    """The player who asks."""

    @blueprint.doc(security=TOKEN)
    @blueprint.response(200, {"$ref": "#/components/schemas/Player"})
    def get(self) -> Response:
        """Tell who asks."""
        player = required_player()
        return json_answer({"id": player.id, "name": player.name})


@blueprint.route("/<player_id>")
class OnePlayer(MethodView):
    """One player."""

    @blueprint.response(200, {"$ref": "#/components/schemas/Player"})
    def get(self, player_id: str) -> Response:
        """Tell a player's name."""
        player = commands().player(player_id)
        if player is None:
            raise Problem("not-found", "There is no player with this id.")
        return json_answer({"id": player.id, "name": player.name})
