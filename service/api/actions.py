"""Actions: what a seat does in a running game."""

from functools import lru_cache
from secrets import token_urlsafe

from flask import Response, request
from flask.views import MethodView
from marshmallow import ValidationError

from events.actions import Move, Resign
from service.api.identity import TOKEN, commands, required_player
from service.api.presenting import answered
from service.api.problems import FieldError, invalid
from service.api.reading import StrictBlueprint, field_errors, idempotency_key, if_match, parse_object, read_json
from service.api.schemas import MOVES
from service.commands import Actor

blueprint = StrictBlueprint("actions", "actions", url_prefix="/api/games", description="What a seat does.")

IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "pattern": '^("(0|[1-9][0-9]{0,8})(-[a-z0-9]{1,9})?"|\\*)$'},
    "description": "The version that the seat saw, in double quotes, or its view's ETag. `*` (any) is for resigning.",
    "example": '"12"',
}
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
    "description": "Names this request; sent again, it gets the first one's answer, and nothing happens twice.",
}


EXAMPLES: dict[str, dict[str, str]] = {
    "open a path": {"type": "play-card", "card": "pink-7", "figure": "small"},
    "lay a card": {"type": "play-card", "card": "pink-8"},
    "discard a card": {"type": "discard-card", "card": "red-0"},
    "go on after a clover": {"type": "move-figure", "path": "pink"},
    "draw a card": {"type": "draw-card", "source": "deck"},
    "resign": {"type": "resign"},
}


@blueprint.route("/<game_id>/actions")
class Actions(MethodView):
    """A game's actions."""

    init_every_request = False

    @blueprint.doc(
        parameters=[IF_MATCH, IDEMPOTENCY_KEY],
        security=TOKEN,
        requestBody={
            "required": True,
            "content": {
                "application/json": {
                    "schema": {"$ref": "#/components/schemas/Move"},
                    "examples": {name: {"value": example} for name, example in EXAMPLES.items()},
                }
            },
        },
    )
    @blueprint.response(201, {"$ref": "#/components/schemas/Answer"})
    def post(self, game_id: str) -> Response:
        """Act: lay, discard or draw a card, move a figure, or resign.

        What is legal now stands in the view's `legal_actions`. A refusal names the broken rule.
        """
        player = required_player()
        move = read_move()
        expected = if_match(any_version=isinstance(move, Resign))
        key = idempotency_key() or token_urlsafe()
        return answered(commands().act(game_id, Actor(player.id, player.name), move, key, expected), player)


def read_move() -> Move:
    """Return the move in the request's body; raise `Problem` with the path of each field that does not fit."""
    return _move_in(read_json(request))


@lru_cache(maxsize=1024)
def _move_in(body: bytes) -> Move:
    """There are few moves and few ways to write them, so what was read once is not read again."""
    data = parse_object(body)
    kind = data.pop("type", None)
    known = MOVES.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise invalid(FieldError("type", f"Must be one of: {', '.join(MOVES)}."))
    schema, move = known
    try:
        return move(**schema.load(data))
    except ValidationError as error:
        raise invalid(*field_errors(error.normalized_messages(), error.data)) from error
