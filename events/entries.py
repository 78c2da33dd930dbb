"""An entry: one accepted action, and the events that it caused. Nothing else is state."""

import msgspec

from events.actions import Action
from events.catalogue import Event

SCHEMA = 1
"""The stored format that is written today."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One record of a stream.

    `version` counts from 1. `at` is UTC with milliseconds, as RFC 3339. `seat` is the acting seat, if one acted;
    `by` is a player's id, `bot:` and its name, or `service`. `request` names the request that brought the
    action, so that a repeated one is known.
    """

    schema: int
    version: int
    at: str
    seat: int | None
    by: str
    request: str
    action: Action
    events: tuple[Event, ...]
