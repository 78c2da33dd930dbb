"""Answers: bytes with the headers that keep them from the wrong eyes and caches."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
from flask import Response, request

from events.codec import canonical
from events.deal import ALL, SPECTATOR, Eyes
from events.entries import Entry
from events.game import Game
from projections.views import GameView, view
from service.api.identity import commands
from service.commands import Answer, Player

JSON = "application/json"

_encode = msgspec.json.Encoder().encode


def json_answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return `value` as JSON that nobody caches."""
    response = Response(canonical(value), status, content_type=JSON)
    response.headers["Cache-Control"] = "no-store"
    response.headers.update(headers or {})
    return response


def for_viewer(body: bytes, version: int, eyes: Eyes, status: int = 200) -> Response:
    """Return an answer that only its viewer may keep, and has to check before it shows it again.

    What other eyes see at the same version is another answer, so the ETag names them too.
    """
    response = Response(body, status, content_type=JSON)
    response.headers.add("ETag", f'"{version}-{eyes}"')
    response.headers.add("Cache-Control", "private, no-cache")
    response.headers.add("Vary", "Authorization, Cookie")
    return response


def for_everybody(value: Any) -> Response:
    """Return something public that can be checked for changes."""
    body = canonical(value)
    response = Response(body, content_type=JSON)
    response.headers["Cache-Control"] = "public, no-cache"
    response.set_etag(sha256(body).hexdigest()[:20])
    return unless_known(response)


def unless_known(response: Response) -> Response:
    """Return `response`, as 304 without a body if the client has it already; If-Match counts at actions alone."""
    etag, _ = response.get_etag()
    if etag is not None and request.if_none_match.contains_weak(etag):
        response.status_code = 304
        response.set_data(b"")
        del response.headers["Content-Type"], response.headers["Content-Length"]
    return response


def eyes_of(game: Game, player: Player | None) -> Eyes:
    """Return whose eyes `player` looks with: everybody's after the end, their seat's, or an outsider's."""
    if game.table.status == "closed":
        return ALL
    seat = game.table.seat_of(player.id) if player else None
    return SPECTATOR if seat is None else seat


def answered(answer: Answer, player: Player, **members: object) -> Response:
    """Return what a command did: its entry, and the game as the player then sees it.

    A repeated request is answered as the first one was, from the game as it stood then.
    """
    seen = _seen_then(answer, player)
    return for_viewer(_encode({"entry": answer.entry, "view": seen, **members}), seen.version, seen.eyes, 201)


def _seen_then(answer: Answer, player: Player) -> GameView:
    """Return what `player` saw right after the answer's entry, though others may have acted since."""
    entry, games = answer.entry, commands().live
    with answer.live.lock:
        if answer.game.version == entry.version:
            eyes = eyes_of(answer.game, player)
            games.open_eyes(answer.live, eyes)
            return view(answer.game, eyes, entry)
    game = games.at(answer.game.id, entry.version)
    eyes = eyes_of(game, player)
    if game.board is not None:
        game = games.at(game.id, entry.version, eyes)
    return view(game, eyes, entry)


def view_bytes(game: Game, eyes: Eyes, last: Entry) -> bytes:
    """Return a view as JSON."""
    return _encode(view(game, eyes, last))
