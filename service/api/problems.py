"""Refusals over HTTP: RFC 9457 problems, each with a stable type, a status and a sentence.

A broken rule of a game or table is a problem of its own type, named as in `events.refusals`. A problem's `type` is
the address of its description under `/api/problems/`.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple

from flask import Flask, Response
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from events.codec import canonical
from events.game import UnknownGame
from events.refusals import RULES, IllegalAction
from events.store import StoreUnavailable, VersionConflict
from service.commands import KeyReused
from service.live import UnknownGameId

RETRY_AFTER = "1"
LONGEST_TEXT = 200
"""Characters of a path or reason that a refusal tells."""


class Kind(NamedTuple):
    """A kind of problem."""

    name: str
    status: int
    title: str


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("malformed-request", 400, "The request cannot be read."),
        Kind("invalid-content", 422, "The request can be read, but what it says does not fit."),
        Kind("unauthorised", 401, "This needs a player's token."),
        Kind("forbidden", 403, "This player may not do this."),
        Kind("not-found", 404, "There is no such thing."),
        Kind("wrong-method", 405, "This address does not take this method."),
        Kind("not-acceptable", 406, "There is no such representation."),
        Kind("conflict", 409, "This does not fit the present state."),
        Kind("version-conflict", 412, "The game has gone on since."),
        Kind("content-too-large", 413, "The request is too large."),
        Kind("address-too-long", 414, "The address is too long."),
        Kind("wrong-content-type", 415, "The body has to be JSON."),
        Kind("idempotency-key-reused", 422, "This idempotency key named another request before."),
        Kind("version-needed", 428, "An action has to name the version that it saw, in If-Match."),
        Kind("too-many-requests", 429, "Too many requests."),
        Kind("headers-too-large", 431, "The request's headers are too large."),
        Kind("internal-error", 500, "Something is wrong with the service."),
        Kind("store-unavailable", 503, "The store cannot be reached or cannot write at the moment."),
    )
}
"""Every kind of problem that is no broken rule, by its name."""

FORBIDDEN_RULES = {"not-the-host", "not-invited", "not-seated", "seat-reserved"}
CONFLICT_RULES = {
    "already-seated",
    "game-closed",
    "game-not-over",
    "game-not-started",
    "game-started",
    "table-full",
    "too-few-seats",
}


class Problem(Exception):
    """A request that is answered with a problem."""

    def __init__(
        self,
        name: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        **members: object,
    ) -> None:
        super().__init__(f"{name}: {detail}")
        self.kind = KINDS[name]
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members


class FieldError(NamedTuple):
    """What is wrong with one field; `path` leads to it, as in `options.direction`."""

    path: str
    reason: str


def invalid(*errors: FieldError) -> Problem:
    """Return the problem of content that does not fit, with each field's path."""
    listed = [{"path": printable(error.path), "reason": printable(error.reason)} for error in errors[:20]]
    return Problem(
        "invalid-content", "; ".join(f"{error['path']}: {error['reason']}" for error in listed), errors=listed
    )


def printable(text: str) -> str:
    """Return `text` short enough to be echoed, cut between two words, and so that it can be written as UTF-8.

    >>> printable("must be one of: " + "lay, " * 100)[-14:]
    'lay, lay, lay…'
    """
    if len(text) > LONGEST_TEXT:
        kept = text[:LONGEST_TEXT]
        text = (kept.rpartition(" ")[0] or kept).rstrip(" ,;") + "…"
    return text.encode(errors="backslashreplace").decode()


def status_of_rule(name: str) -> int:
    """Return the status with which a broken rule is answered."""
    if name in FORBIDDEN_RULES:
        return HTTPStatus.FORBIDDEN
    return HTTPStatus.CONFLICT if name in CONFLICT_RULES else HTTPStatus.UNPROCESSABLE_ENTITY


def kind_of_status(status: int) -> Kind:
    """Return the kind of problem that a bare HTTP status stands for, or the nearest there is."""
    by_status = {kind.status: kind for kind in reversed(KINDS.values())}
    return by_status.get(status) or by_status[400 if status < HTTPStatus.INTERNAL_SERVER_ERROR else 500]


def answer(kind: Kind, detail: str, headers: Mapping[str, str], members: Mapping[str, object]) -> Response:
    """Return the response that tells a problem."""
    body = {"type": f"/api/problems/{kind.name}", "title": kind.title, "status": kind.status, "detail": detail}
    response = Response(canonical({**body, **members}), kind.status, content_type="application/problem+json")
    response.headers.update(headers)
    response.headers["Cache-Control"] = "no-store"
    return response


def register(app: Flask) -> None:
    """Answer every refusal of `app` with its problem."""
    app.register_error_handler(Problem, _problem)
    app.register_error_handler(IllegalAction, _illegal)
    app.register_error_handler(VersionConflict, _conflict)
    app.register_error_handler(KeyReused, _key_reused)
    app.register_error_handler(UnknownGameId, _unknown_game)
    app.register_error_handler(UnknownGame, _unknown_rules)
    app.register_error_handler(StoreUnavailable, _unavailable)
    app.register_error_handler(HTTPException, _http)


def _problem(problem: Problem) -> Response:
    return answer(problem.kind, problem.detail, problem.headers, problem.members)


def _illegal(error: IllegalAction) -> Response:
    rule = error.rule
    kind = Kind(rule.name, status_of_rule(rule.name), rule.sentence)
    return answer(kind, rule.sentence, {}, {"rule": rule.name, "section": rule.section})


def _conflict(error: VersionConflict) -> Response:
    detail = f"The game is at version {error.actual} now."
    return answer(KINDS["version-conflict"], detail, {"ETag": f'"{error.actual}"'}, {"version": error.actual})


def _key_reused(_error: KeyReused) -> Response:
    return answer(KINDS["idempotency-key-reused"], "Take a fresh key for a new request.", {}, {})


def _unknown_game(_error: UnknownGameId) -> Response:
    return answer(KINDS["not-found"], "There is no game with this id.", {}, {})


def _unknown_rules(error: UnknownGame) -> Response:
    return answer(KINDS["invalid-content"], printable(str(error)), {}, {})


def _unavailable(_error: StoreUnavailable) -> Response:
    detail = "Nothing was lost. Send the same request with the same idempotency key again."
    return answer(KINDS["store-unavailable"], detail, {"Retry-After": RETRY_AFTER}, {})


def _http(error: HTTPException) -> Response:
    kind = kind_of_status(error.code or HTTPStatus.INTERNAL_SERVER_ERROR)
    methods = error.valid_methods if isinstance(error, MethodNotAllowed) else None
    return answer(kind, kind.title, {"Allow": ", ".join(sorted(methods))} if methods else {}, {})


def catalogue() -> list[dict[str, object]]:
    """Return every problem type there is, with status and sentence."""
    kinds = [{"name": kind.name, "status": kind.status, "title": kind.title} for kind in KINDS.values()]
    rules = [
        {"name": rule.name, "status": int(status_of_rule(rule.name)), "title": rule.sentence, "section": rule.section}
        for rule in RULES.values()
    ]
    return [*kinds, *rules]
