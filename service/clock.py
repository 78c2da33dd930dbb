"""The clock: an argument everywhere, chosen where real parts are wired."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Tells the time now, with its zone."""


def utc_now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Return `moment` as entries keep it: RFC 3339, UTC, milliseconds.

    >>> stamp(datetime(2026, 12, 1, 10, 0, 0, 123456, tzinfo=UTC))
    '2026-12-01T10:00:00.123Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
