"""The OpenAPI document: what the types of the answers look like, taken from the types themselves."""

from typing import Any

import msgspec
from flask_smorest import Api

from events.catalogue import Event
from events.entries import Entry
from projections.sentences import HistoryLine
from projections.summary import Summary
from projections.views import GameView

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


def describe(api: Api) -> None:
    """Add the answers' types to the document of `api`."""
    _, components = msgspec.json.schema_components(
        [Entry, GameView, HistoryLine, Summary, Event], ref_template="#/components/schemas/{name}"
    )
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
