"""Who asks: a bearer token names a player."""

import re

from flask import current_app, request

from service.api.problems import Problem
from service.commands import Commands, Player

TOKEN: list[dict[str, list[str]]] = [{"token": []}]
"""What the document says of a route that needs a player's token."""

TOKEN_OR_NONE: list[dict[str, list[str]]] = [{}, *TOKEN]
"""What the document says of a route that shows more to a player."""

BEARER = re.compile(r"(?i:Bearer) +([A-Za-z0-9_.-]{1,200})")


def commands() -> Commands:
    """Return the commands of the running app."""
    found: Commands = current_app.extensions["cairn-commands"]
    return found


def asking_player() -> Player | None:
    """Return the player who asks, or None for a request without a token; raise `Problem` for a wrong one."""
    header: str | None = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    match = BEARER.fullmatch(header)
    player = commands().player_of(match[1]) if match else None
    if player is None:
        raise Problem("unauthorised", "This token is none of a player.", headers={"WWW-Authenticate": "Bearer"})
    return player


def required_player() -> Player:
    """Return the player who asks; raise `Problem` if nobody does."""
    player = asking_player()
    if player is None:
        detail = "Make a player with POST /api/players and send its token as Authorization: Bearer TOKEN."
        raise Problem("unauthorised", detail, headers={"WWW-Authenticate": "Bearer"})
    return player
