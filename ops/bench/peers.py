"""Peers: libraries to measure against, left out where they are not installed (the extra `bench` names them)."""

from importlib.util import find_spec

PEERS = {
    "eventsourcing": "rebuilding aggregates from their events",
    "pokerkit": "playouts of no-limit hold'em",
    "pyspiel": "playouts of gin rummy",
    "granian": "the other web server",
}
"""Every peer by its module, and what it is measured at."""


def installed(peer: str) -> bool:
    """Tell whether `peer` can be imported."""
    return find_spec(peer) is not None


def missing() -> list[str]:
    """Return the peers that are not installed."""
    return [peer for peer in PEERS if not installed(peer)]
