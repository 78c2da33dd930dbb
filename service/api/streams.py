"""Live: server-sent events with exact resume, and waiting for the next version."""

from collections.abc import Iterator
from time import monotonic

from flask import Response, current_app, request
from flask.views import MethodView

from events.codec import canonical, decode
from events.entries import Entry
from events.store import StoreUnavailable, Stream
from projections.sentences import history, sentences
from service.api.identity import commands
from service.api.reading import DIGITS, StrictBlueprint
from service.commands import Commands
from service.hub import Hub
from service.live import LiveGame

LONGEST_WAIT = 25.0
"""Seconds after which a long poll is answered though nothing came."""

HEARTBEAT = 15.0
"""Seconds after which an idle stream says that it is alive."""

PAUSE = 1.0
"""Seconds after which a stream looks again when the store is away."""

blueprint = StrictBlueprint("streams", "streams", url_prefix="/api/games", description="What happens, as it happens.")


@blueprint.route("/<game_id>/stream")
class GameStream(MethodView):
    """A game's server-sent events."""

    @blueprint.doc(
        parameters=[
            {
                "name": "Last-Event-ID",
                "in": "header",
                "schema": {"type": "string"},
                "description": "The last version seen; the stream goes on right after it.",
            }
        ]
    )
    @blueprint.response(200, {"type": "string"}, content_type="text/event-stream")
    def get(self, game_id: str) -> Response:
        """Follow a game: one event per entry, with the entry's version as id.

        Without Last-Event-ID the stream begins after the present version. An id that this game never had gets an
        event `reset` with the present version.
        """
        live = commands().live.get(game_id)
        stream = _events(commands(), hub(), live, request.headers.get("Last-Event-ID"))
        response = Response(stream, content_type="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response


def hub() -> Hub:
    """Return the running app's hub."""
    found: Hub = current_app.extensions["cairn-hub"]
    return found


def wait_beyond(live: LiveGame, version: int) -> None:
    """Return when the game has gone beyond `version`, or after the longest wait."""
    games, deadline = commands().live, monotonic() + LONGEST_WAIT
    with hub().waiting(live.game.id) as bell:
        while True:
            bell.clear()
            games.catch_up(live)
            left = deadline - monotonic()
            if live.game.version > version or left <= 0 or live.game.table.status == "closed":
                return
            bell.wait(left)


def _events(known: Commands, bells: Hub, live: LiveGame, last_seen: str | None) -> Iterator[bytes]:
    current = live.game.version
    seen = current if last_seen is None else _version(last_seen, current)
    if seen is None:
        seen = current
        yield _event("reset", current, {"version": current})
    else:
        yield b": following\n\n"
    with bells.waiting(live.game.id) as bell:
        while True:
            bell.clear()
            try:
                told = _told_after(known, live, seen)
            except StoreUnavailable:
                yield b": the store is away\n\n"
                bell.wait(PAUSE)
                continue
            for entry, lines in told:
                seen = entry.version
                yield _event("entry", seen, {"entry": entry, "sentences": lines})
            if not bell.wait(HEARTBEAT):
                yield b": alive\n\n"


def _told_after(known: Commands, live: LiveGame, seen: int) -> list[tuple[Entry, list[str]]]:
    """Return the entries after version `seen`, each with its sentences."""
    with live.lock:
        if live.game.version <= seen:
            known.live.catch_up(live)
        if live.game.version == seen:
            return []
        if live.game.version == seen + 1 and live.game.board is not None:
            return [(live.last, sentences(live.last, [occupant.name for occupant in live.game.table.occupants]))]
    entries = [decode(stored.body) for stored in known.store.read(Stream("game", live.game.id))]
    lines = history(entries)  # who sat where follows from the beginning
    return [(entry, line.sentences) for entry, line in zip(entries, lines, strict=True)][seen:]


def _version(last_seen: str, current: int) -> int | None:
    return int(last_seen) if DIGITS.fullmatch(last_seen) and int(last_seen) <= current else None


def _event(kind: str, version: int, data: dict[str, object]) -> bytes:
    return b"event: %s\nid: %d\ndata: %s\n\n" % (kind.encode(), version, canonical(data))
