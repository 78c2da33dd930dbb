"""Asking a running service over HTTP, from the command line."""

import json
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

SERVER = "http://127.0.0.1:8000"
"""Where a service listens unless it is told otherwise."""

ANSWER_LIMIT = 64 << 20
"""Bytes of an answer at most."""


class Unanswered(Exception):
    """The service could not be asked, or refused; the message says why in one sentence."""


class Unreachable(Unanswered):
    """Nobody answered, or the service is busy at the moment; asking again may help."""


class Remote(NamedTuple):
    """A service at an address, asked with a player's token or as anybody."""

    server: str
    token: str | None = None

    def game(self, game_id: str, beyond: int | None = None) -> Any:
        """Return the view of a game; with `beyond`, wait a while until its version is greater than that."""
        query = {} if beyond is None else {"wait": str(beyond)}
        return json.loads(self._get(f"/api/games/{quote(game_id, safe='')}", query))

    def history(self, game_id: str, after: int) -> Any:
        """Return what happened in a game after version `after`, a page of it: `history` and `next`."""
        return json.loads(self._get(f"/api/games/{quote(game_id, safe='')}/history", {"after": str(after)}))

    def record(self, game_id: str) -> bytes:
        """Return the record of a game."""
        return self._get(f"/api/games/{quote(game_id, safe='')}/record", {})

    def _get(self, path: str, query: dict[str, str]) -> bytes:
        """Return the body at `path`; raise `Unanswered` if it is not to be had."""
        if urlsplit(self.server).scheme not in ("http", "https"):
            raise Unanswered(f"{self.server} is no address of a service; it begins with http:// or https://")
        request = Request(f"{self.server.rstrip('/')}{path}{'?' if query else ''}{urlencode(query)}")
        if self.token is not None:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=40) as answer:  # longer than the service lets anybody wait
                body: bytes = answer.read(ANSWER_LIMIT + 1)
        except HTTPError as error:
            kind = Unreachable if error.code in (429, 503) else Unanswered
            raise kind(_problem(error)) from error
        except (URLError, OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise Unreachable(f"{self.server} does not answer: {reason}") from error
        if len(body) > ANSWER_LIMIT:
            raise Unanswered(f"the answer is longer than {ANSWER_LIMIT >> 20} MiB")
        return body


def _problem(error: HTTPError) -> str:
    """Return what the service said of its refusal."""
    try:
        problem = json.loads(error.read(1 << 16))
        return f"{problem.get('title', error.reason)} {problem.get('detail', '')}".strip()
    except (ValueError, AttributeError):
        return f"the service answers {error.code} {error.reason}"
