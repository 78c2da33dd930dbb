"""What an audit finds: every check with its result, and where the first fault lies."""

from typing import Literal

import msgspec

Result = Literal["ok", "failed", "not-applicable"]


class Fault(msgspec.Struct, frozen=True):
    """Something wrong, and the first ply where it is. Ply 0 is a record's header, one after the last its footer."""

    ply: int
    reason: str


class Check(msgspec.Struct, frozen=True):
    """One check. `ply` is the first bad one if it failed; `note` says why, or what was looked at."""

    name: str
    result: Result
    ply: int | None = None
    note: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """The checks of one record in the order in which they rest on each other.

    `plies` is how many entries were read; `closed` tells whether the last one closes the game.
    """

    game_id: str | None
    plies: int
    closed: bool
    checks: tuple[Check, ...]

    @property
    def good(self) -> bool:
        """Tell whether no check failed."""
        return self.first_failed is None

    @property
    def first_failed(self) -> Check | None:
        """Return the first check that failed."""
        return next((check for check in self.checks if check.result == "failed"), None)

    @property
    def sound_plies(self) -> int:
        """Return how many entries from the first on no check finds fault with."""
        bad = (check.ply for check in self.checks if check.ply is not None and check.ply >= 1)
        return min((ply - 1 for ply in bad), default=self.plies)


def checked(name: str, fault: Fault | None, note: str = "") -> Check:
    """Return the check of `name`: failed by `fault`, or ok."""
    return Check(name, "ok", None, note) if fault is None else Check(name, "failed", fault.ply, fault.reason)


def passed_over(name: str, note: str) -> Check:
    """Return the check of `name`, not applied for the reason in `note`."""
    return Check(name, "not-applicable", None, note)
