"""How often one address may make players and tables, and leave tables: a limit per web process, told in headers.

Moves are not limited, a game's rules say how many there can be; nor is joining, as nobody joins a table twice without
leaving it. So nothing that is free makes a log grow without end.
"""

from math import ceil
from time import time

import limits
from flask import current_app, request
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from service.api.problems import Problem


class CreationLimit:
    """Counts what each address makes or leaves. Without a rate nothing is counted."""

    def __init__(self, rate: str) -> None:
        self._rate = limits.parse(rate) if rate else None
        self._windows = SlidingWindowCounterRateLimiter(MemoryStorage())

    def spend(self, address: str) -> dict[str, str]:
        """Count one of them and return what is left, as headers; raise `Problem` if nothing is."""
        if self._rate is None:
            return {}
        allowed = self._windows.hit(self._rate, address)
        reset, remaining = self._windows.get_window_stats(self._rate, address)
        seconds = str(max(1, ceil(reset - time())))
        headers = {
            "RateLimit-Limit": str(self._rate.amount),
            "RateLimit-Remaining": str(remaining),
            "RateLimit-Reset": seconds,
        }
        if not allowed:
            detail = f"At most {self._rate} players and tables may be made or left from one address."
            raise Problem("too-many-requests", detail, headers={**headers, "Retry-After": seconds})
        return headers


def spend_creation() -> dict[str, str]:
    """Count a creation by the asking address against the running app's limit, and return the headers that tell it."""
    limit: CreationLimit = current_app.extensions["cairn-creation-limit"]
    return limit.spend(request.remote_addr or "")
