"""The OpenAPI document: what the types of the answers look like, taken from the types themselves, and how it is served.

What every route has in common is said here once: its problems, and the shape of the ids in its address.
"""

from typing import Any, get_args

import msgspec
from flask import Flask, Response
from flask_smorest import Api

from events.actions import Action, Move
from events.cards import FACES
from events.catalogue import Event
from events.entries import Entry
from projections.sentences import HistoryLine
from projections.summary import Summary
from projections.views import GameView
from service.api.presenting import unless_known

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
TRUTH = {"type": "boolean"}

PLAIN: dict[str, dict[str, Any]] = {
    "PlayerWithToken": {"id": TEXT, "name": TEXT, "token": TEXT},
    "Player": {"id": TEXT, "name": TEXT},
    "LogEntry": {"version": NUMBER, "body": TEXT, "link": TEXT},
    "Log": {"entries": {"type": "array", "items": {"$ref": "#/components/schemas/LogEntry"}}, "next": NUMBER},
    "Head": {"version": NUMBER, "head": TEXT},
    "History": {"history": {"type": "array", "items": {"$ref": "#/components/schemas/HistoryLine"}}, "next": NUMBER},
    "Games": {
        "games": {"type": "array", "items": {"$ref": "#/components/schemas/Summary"}},
        "next": {"type": ["string", "null"]},
    },
    "Option": {"name": TEXT, "choices": {"type": "array"}, "default": {}, "meaning": TEXT, "source": TEXT},
    "GameKind": {
        "name": TEXT,
        "title": TEXT,
        "seats": {"type": "array", "items": NUMBER},
        "revision": NUMBER,
        "options": {"type": "array", "items": {"$ref": "#/components/schemas/Option"}},
    },
    "Catalogue": {
        "games": {"type": "array", "items": {"$ref": "#/components/schemas/GameKind"}},
        "bots": {"type": "array", "items": TEXT},
    },
    "PublicKey": {"key": TEXT},
    "Check": {"name": TEXT, "ok": TRUTH, "found": TEXT, "mend": TEXT},
    "Readiness": {"ready": TRUTH, "checks": {"type": "array", "items": {"$ref": "#/components/schemas/Check"}}},
}
"""Answers that are no type of their own: each field with its schema; all are required."""

ANSWER: dict[str, Any] = {
    "type": "object",
    "required": ["entry", "view"],
    "properties": {
        "entry": {"$ref": "#/components/schemas/Entry"},
        "view": {"$ref": "#/components/schemas/GameView"},
        "id": {"type": "string", "description": "The new table's id, when one was opened."},
        "link": {"type": "string", "description": "A private table's secret, for those who may join."},
    },
}

PROBLEM_TYPE: dict[str, Any] = {
    "type": "object",
    "required": ["name", "status", "title"],
    "properties": {"name": TEXT, "status": NUMBER, "title": TEXT, "section": TEXT},
}

PROBLEM: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": TEXT,
        "title": TEXT,
        "status": NUMBER,
        "detail": TEXT,
        "rule": TEXT,
        "section": TEXT,
        "version": NUMBER,
        "errors": {"type": "array", "items": {"type": "object", "properties": {"path": TEXT, "reason": TEXT}}},
    },
}


PLACES: dict[str, dict[str, Any]] = {
    "game_id": {"description": "A game's id.", "schema": {"type": "string", "pattern": "^[0-9a-f]{20}$"}},
    "player_id": {"description": "A player's id.", "schema": {"type": "string", "pattern": "^p[0-9a-f]{19}$"}},
    "name": {"description": "A problem type's name.", "schema": {"type": "string", "pattern": "^[a-z-]{1,60}$"}},
}
"""What the parts of addresses look like."""

PROBLEM_ANSWER: dict[str, Any] = {
    "description": "The request is refused; `type` says why.",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}

METHODS = ("get", "post", "put", "patch", "delete")


def serve(app: Flask, api: Api, address: str) -> None:
    """Serve the document of all that is registered on `api` at `address`."""
    body = msgspec.json.encode(document(api))

    def read_document() -> Response:
        response = Response(body, content_type="application/json")
        response.headers["Cache-Control"] = "public, no-cache"
        response.add_etag()
        return unless_known(response)

    app.add_url_rule(address, "document", read_document)


def document(api: Api) -> dict[str, Any]:
    """Return the document of all that is registered on `api`."""
    told: dict[str, Any] = api.spec.to_dict()
    for address, path in told["paths"].items():
        for place in path.get("parameters", ()):
            place.update(PLACES[place["name"]])
        for method in filter(path.__contains__, METHODS):
            path[method]["operationId"] = operation_id(method, address)
            responses = path[method]["responses"]
            responses.pop("422", None)  # the library's own; ours is the default one
            responses["default"] = {"$ref": "#/components/responses/Problem"}
    told["components"]["responses"] = {"Problem": PROBLEM_ANSWER}
    for unused in ("Error", "PaginationMetadata"):
        told["components"]["schemas"].pop(unused, None)
    return told


def operation_id(method: str, address: str) -> str:
    """Return the name of an operation for clients that are made from the document.

    >>> operation_id("post", "/api/games/{game_id}/actions")
    'post_games_game_id_actions'
    """
    parts = address.removeprefix("/api").replace("{", "").replace("}", "").split("/")
    return "_".join(filter(None, (method, *parts)))


def describe(api: Api) -> None:
    """Add the answers' types to the document of `api`."""
    _, components = msgspec.json.schema_components(
        [Entry, GameView, HistoryLine, Summary, Event], ref_template="#/components/schemas/{name}"
    )
    for schema in components.values():
        if "card" in schema.get("properties", {}):
            schema["properties"]["card"] = {"enum": list(FACES)}
    components["Move"] = _one_of(get_args(Move))
    components["Event"] = _one_of(get_args(Event))
    components["Action"] = _one_of(get_args(Action))
    for name, fields in PLAIN.items():
        components[name] = {"type": "object", "required": list(fields), "properties": fields}
    components |= {
        "Answer": ANSWER,
        "Problem": PROBLEM,
        "ProblemType": PROBLEM_TYPE,
        "Problems": {
            "type": "object",
            "required": ["problems"],
            "properties": {"problems": {"type": "array", "items": {"$ref": "#/components/schemas/ProblemType"}}},
        },
    }
    for name, schema in components.items():
        api.spec.components.schema(name, schema)


def _one_of(types: tuple[type[msgspec.Struct], ...]) -> dict[str, Any]:
    """Return the schema of a value of any of `types`, told apart by its `type`."""
    places = {str(kind.__struct_config__.tag): f"#/components/schemas/{kind.__name__}" for kind in types}
    return {
        "oneOf": [{"$ref": place} for place in places.values()],
        "discriminator": {"propertyName": "type", "mapping": places},
    }
