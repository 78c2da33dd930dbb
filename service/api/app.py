"""The web application: routes and what they need, put together."""

import gc
import os
from collections.abc import Callable, Mapping
from typing import Any, NoReturn
from urllib.parse import urlsplit

from flask import Flask, Request, Response, redirect
from flask_smorest import Api, Blueprint
from flask_swagger_ui import get_swaggerui_blueprint
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response as Redirect

from events.store import connect
from projections.lobby import Lobby
from service.api import actions, document, games, log, meta, players, problems, seats, streams
from service.api.limits import CreationLimit
from service.api.reading import BODY_LIMIT
from service.commands import Commands
from service.hub import Hub

BLUEPRINTS: tuple[Blueprint, ...] = (
    meta.blueprint,
    players.blueprint,
    games.blueprint,
    seats.blueprint,
    actions.blueprint,
    streams.blueprint,
    log.blueprint,
)

DOCUMENT = "/api/openapi.json"
"""Where the OpenAPI document lies."""

DOCS = "/api/docs/"
"""Where people read it."""

SETTINGS: dict[str, Any] = {
    "API_TITLE": "Cairn",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.0",
    "MAX_CONTENT_LENGTH": BODY_LIMIT,
    "PROPAGATE_EXCEPTIONS": False,
    "API_SPEC_OPTIONS": {
        "info": {"description": "Keltis over HTTP: every action an event, a log without secrets, a shuffle to verify."},
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    },
}


class App(Flask):
    """Flask for views that are plain functions, which leads nobody to another server than this."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return `func`: there are no coroutines to look for at every call."""
        return func

    def raise_routing_exception(self, request: Request) -> NoReturn:
        """Raise what routing found; a redirect names a path alone, as the host is whatever the client wrote."""
        error = request.routing_exception
        if isinstance(error, RequestRedirect):
            raise RequestRedirect(_path_alone(error.new_url))
        super().raise_routing_exception(request)


def build_app(commands: Commands, lobby: Lobby, health: Callable[[], list[Any]], creation_rate: str = "") -> Flask:
    """Return the application on `commands`, with lists from `lobby` and readiness by `health`."""
    app = App("cairn", static_folder=None)
    app.config.update(SETTINGS)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the document reads better in its own order
    app.extensions["cairn-commands"] = commands
    app.extensions["cairn-lobby"] = lobby
    app.extensions["cairn-hub"] = Hub(commands.store)
    app.extensions["cairn-health"] = health
    app.extensions["cairn-creation-limit"] = CreationLimit(creation_rate)
    api = Api(app)
    document.describe(api)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    document.serve(app, api, DOCUMENT)
    app.register_blueprint(get_swaggerui_blueprint(DOCS.rstrip("/"), DOCUMENT, {"validatorUrl": "none"}))
    app.add_url_rule("/", "start", _start)
    problems.register(app)
    app.after_request(_harden)
    return app


def create_app(environ: Mapping[str, str] = os.environ) -> Flask:
    """Return the application on the parts that the environment's settings choose."""
    from service.config import Settings
    from service.health import Kept, checks
    from service.wiring import open_commands

    settings = Settings.from_environment(environ)
    commands = open_commands(settings)
    lobby = Lobby(connect(settings.redis_url))
    app = build_app(commands, lobby, Kept(lambda: checks(settings)), settings.creation_rate)
    if settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, *[settings.proxies] * 3)  # type: ignore[method-assign]  # as Flask says
    _spare_the_collector()
    return app


def _start() -> Redirect:
    """Lead whoever opens the bare address to what there is to read."""
    return redirect(DOCS)


def _path_alone(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(scheme="", netloc="", path="/" + parts.path.lstrip("/")).geturl()


def _spare_the_collector() -> None:
    """Let the collector leave alone what stays, and come less often: its pauses are an action's longest waits."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _harden(response: Response) -> Response:
    """Tell browsers to take answers for what they say they are."""
    response.headers.add("X-Content-Type-Options", "nosniff")
    response.headers.add("Referrer-Policy", "no-referrer")
    return response
