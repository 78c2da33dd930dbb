"""What the service is and has: games, options, bots, problems, keys, and whether it is ready."""

from typing import Any

from flask import Response, current_app
from flask.views import MethodView

from events.games import GAMES
from events.table import BOTS
from service.api.identity import commands
from service.api.presenting import for_everybody, json_answer
from service.api.problems import Problem, catalogue
from service.api.reading import StrictBlueprint

blueprint = StrictBlueprint("meta", "meta", url_prefix="/api", description="What there is.")


@blueprint.route("/catalogue")
class Catalogue(MethodView):
    """The games."""

    @blueprint.response(200, {"$ref": "#/components/schemas/Catalogue"})
    def get(self) -> Response:
        """List the games with player counts and options, and the bots."""
        return for_everybody({"games": [_game(rules) for rules in GAMES.values()], "bots": BOTS})


@blueprint.route("/problems")
class Problems(MethodView):
    """All problem types."""

    @blueprint.response(200, {"$ref": "#/components/schemas/Problems"})
    def get(self) -> Response:
        """List every problem type, those of broken rules with the section of the rules."""
        return for_everybody({"problems": catalogue()})


@blueprint.route("/problems/<name>")
class OneProblem(MethodView):
    """One problem type."""

    @blueprint.response(200, {"$ref": "#/components/schemas/ProblemType"})
    def get(self, name: str) -> Response:
        """Describe a problem type."""
        for kind in catalogue():
            if kind["name"] == name:
                return for_everybody(kind)
        raise Problem("not-found", "There is no problem type of this name.")


@blueprint.route("/key")
class Key(MethodView):
    """The key that checks signatures."""

    @blueprint.response(200, {"$ref": "#/components/schemas/PublicKey"})
    def get(self) -> Response:
        """Tell the Ed25519 public key (base64) that checks the signatures of this service's records."""
        return for_everybody({"key": commands().keys.public_key})


@blueprint.route("/ready")
class Ready(MethodView):
    """Whether the service is ready."""

    @blueprint.response(200, {"$ref": "#/components/schemas/Readiness"})
    @blueprint.alt_response(503, schema={"$ref": "#/components/schemas/Readiness"}, description="Not ready.")
    def get(self) -> Response:
        """Check the Redis server, keys, queue and followers; 503 if something has to be mended first."""
        checks = current_app.extensions["cairn-health"]()
        ready = all(check.ok for check in checks if check.vital)
        listed = [{"name": check.name, "ok": check.ok, "found": check.found, "mend": check.mend} for check in checks]
        return json_answer({"ready": ready, "checks": listed}, 200 if ready else 503)


def _game(rules: Any) -> dict[str, object]:
    options = [
        {
            "name": option.name,
            "choices": option.choices,
            "default": option.default,
            "meaning": option.meaning,
            "source": option.source,
        }
        for option in rules.CATALOGUE
    ]
    return {
        "name": rules.NAME,
        "title": rules.TITLE,
        "seats": rules.SEATS,
        "revision": rules.REVISION,
        "options": options,
    }
