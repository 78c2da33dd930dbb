"""The floor: a Flask route that does one XADD of a body of the service's size, and nothing else.

Sizes come from the environment (`FLOOR_BODY` and `FLOOR_ANSWER`, in bytes), the server from `CAIRN_REDIS_URL`.
"""

import os

from flask import Flask, Response

from events.store import connect


def create_app() -> Flask:
    """Return the application of the floor."""
    app = Flask("floor", static_folder=None)
    client = connect(os.environ["CAIRN_REDIS_URL"])
    body = b"x" * int(os.environ["FLOOR_BODY"])
    answer = b"y" * int(os.environ["FLOOR_ANSWER"])

    @app.post("/api/games/<game_id>/actions")
    def add(game_id: str) -> Response:
        client.xadd(f"floor:{game_id}", {"b": body})
        return Response(answer, 201, content_type="application/json")

    return app
