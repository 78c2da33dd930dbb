"""The OpenAPI document: complete, valid, and true of the running service."""

import json
import re
from typing import get_args
from urllib.parse import urljoin, urlsplit

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig

from events.actions import Action
from events.catalogue import Event
from service.api import streams
from service.api.document import METHODS
from tests.service.api.playing import match

NOT_DOCUMENTED = {
    "/",  # leads to the page that shows the document
    "/api/openapi.json",  # the document itself
    "/api/docs/",  # the page that shows it
    "/api/docs/<path:path>",
    "/api/docs/dist/<path:path>",
}

EXAMPLES = 40
HEALTH = list(HealthCheck)  # what fits a schema and what does not is slow to find, here and there

BEYOND_THE_SCHEMA = ["2xx", "401", "403", "404", "409", "412", "422", "400"]
"""What a request that fits the document may be answered with: rules of the game and the state decide the rest."""


@pytest.fixture(scope="module")
def document(service):
    """The document, as it is served."""
    return service.get("/api/openapi.json").json


def operations(document):
    """Yield the method, path and operation of all that is documented."""
    for path, methods in document["paths"].items():
        yield from ((method, path, methods[method]) for method in METHODS if method in methods)


def test_the_document_is_valid(document):
    """It is OpenAPI 3.1 and its references all lead somewhere."""
    assert document["openapi"].startswith("3.1")
    schemathesis.openapi.from_dict(document).validate()
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document)):
        place = document
        for step in reference.split("/"):
            place = place[step]


def test_every_operation_has_a_name_of_its_own(document):
    """A client made from the document can call each operation by a name that no other has."""
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]+(_[a-z]+)+", name) for name in names)
    assert "post_games_game_id_actions" in names


def test_every_route_is_documented_and_every_documented_route_exists(service, document):
    """Routes and document are one list, method by method."""
    routes = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in service.app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.rule not in NOT_DOCUMENTED
    }
    assert {(method, path) for method, path, _ in operations(document)} == routes


def test_every_operation_says_what_it_does(document):
    """Each has a summary, a tag, a schema for what it answers, and the problem for what it refuses."""
    for method, path, operation in operations(document):
        where = f"{method} {path}"
        assert operation["summary"].endswith("."), where
        assert operation["tags"], where
        good = [operation["responses"][status] for status in operation["responses"] if status.startswith("2")]
        assert len(good) == 1, where
        assert all("schema" in kind for kind in good[0]["content"].values()), where
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/Problem"}, where
    refused = document["components"]["responses"]["Problem"]["content"]
    assert refused == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


def test_every_body_has_an_example(document):
    """Whoever reads what an operation takes finds an example of it."""
    for method, path, operation in operations(document):
        body = operation.get("requestBody")
        if body:
            (kind,) = body["content"].items()
            assert kind[0] == "application/json"
            assert "example" in kind[1] or "examples" in kind[1], f"{method} {path}"


def test_the_parts_of_addresses_have_a_shape(document):
    """Every id in an address is described by a pattern."""
    for path, methods in document["paths"].items():
        named = {place["name"]: place for place in methods.get("parameters", ())}
        assert set(named) == set(re.findall(r"{(\w+)}", path))
        assert all(place["schema"]["pattern"] and place["description"] for place in named.values())


def test_headers_are_documented_where_they_count(document):
    """If-Match stands at actions, Idempotency-Key at all that happens once, Last-Event-ID at the stream."""
    named: dict[str, set[str]] = {}
    for method, path, operation in operations(document):
        for place in operation.get("parameters", ()):
            if place["in"] == "header":
                named.setdefault(place["name"], set()).add(f"{method} {path.removeprefix('/api')}")
    game = "/games/{game_id}"
    assert named == {
        "If-Match": {f"post {game}/actions"},
        "Last-Event-ID": {f"get {game}/stream"},
        "Idempotency-Key": {
            "post /players",
            "post /games",
            f"post {game}/seats",
            f"delete {game}/seats/mine",
            f"post {game}/start",
            f"post {game}/actions",
        },
    }


def test_tokens_are_documented_where_they_count(service, document):
    """What needs a token says so and refuses without one; where a token shows more, it is optional."""
    optional = {("get", "/api/games"), ("get", "/api/games/{game_id}")}
    for method, path, operation in operations(document):
        address = path.replace("{game_id}", "0" * 20).replace("{player_id}", "p" + "0" * 19).replace("{name}", "x")
        body = {"game": "keltis", "seats": 2} if path == "/api/games" else {}
        answer = service.ask(method.upper(), address, **({} if method == "get" else {"json": body}))
        needed = answer.status_code == 401
        expected = [{"token": []}] if needed else [{}, {"token": []}] if (method, path) in optional else None
        assert operation.get("security") == expected, f"{method} {path}"


def test_every_event_action_and_option_is_documented(service, document):
    """All that a log can hold is in the components, by its stored name; all options are in the catalogue."""
    schemas = document["components"]["schemas"]
    for union, name in ((Event, "Event"), (Action, "Action")):
        kinds = {kind.__struct_config__.tag: kind for kind in get_args(union)}
        assert schemas[name]["discriminator"]["mapping"] == {
            tag: f"#/components/schemas/{kind.__name__}" for tag, kind in kinds.items()
        }
        for tag, kind in kinds.items():
            assert schemas[kind.__name__]["properties"]["type"] == {"enum": [tag]}
            assert schemas[kind.__name__]["description"]
    for game in service.get("/api/catalogue").json["games"]:
        assert all(option["meaning"] and option["source"] for option in game["options"])


def test_the_readable_page_needs_nothing_from_outside(service):
    """The documentation page loads what it needs from this service alone, and asks nobody else about the document."""
    page = service.get("/api/docs/")
    assert page.status_code == 200
    assert '"url": "/api/openapi.json"' in page.text
    assert '"validatorUrl": "none"' in page.text
    outside = [link for link in re.findall(r"""["'(](https?:)?(//[^"')]+)""", page.text) if "localhost" not in link[1]]
    assert outside == []
    for link in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        part = service.get(urlsplit(urljoin("/api/docs/", link)).path)
        text = part.data.decode(errors="replace")
        part.close()
        assert part.status_code == 200, link
        assert part.headers["X-Content-Type-Options"] == "nosniff"
        if link.endswith(".css"):
            assert not re.search(r"url\(\s*[\"']?(https?:)?//|@import", text)


@pytest.fixture
def schema(service, people, monkeypatch):
    """What schemathesis knows: the document, a player's token, and a running game to ask about."""
    monkeypatch.setattr(streams, "LONGEST_WAIT", 0.01)
    game = match(people[:2])
    game.play(4)
    config = SchemathesisConfig.from_dict(
        {
            "checks": {
                "positive_data_acceptance": {"expected-statuses": BEYOND_THE_SCHEMA},
                "missing_required_header": {"expected-statuses": ["401", "404", "422", "428"]},
            },
            "parameters": {"path.game_id": game.id, "path.player_id": people[0].id, "path.name": "not-found"},
            "auth": {"openapi": {"token": {"bearer": people[0].token}}},
        }
    )
    loaded = schemathesis.openapi.from_wsgi("/api/openapi.json", service.app, config=config)
    return loaded.exclude(path_regex="/stream$")  # an answer without an end


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_the_service_does_what_the_document_says(schema, mode):
    """Whatever fits the document, and what does not, is answered as the document says, operation by operation."""
    asked = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.headers):
            continue  # nothing but the address is asked for, and that is given

        @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=HEALTH)
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case):
            case.call_and_validate()

        ask()
        asked += 1
    assert asked >= 10
