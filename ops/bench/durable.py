"""Durability: actions that are each on disk before they are answered, against a file synced every second."""

from ops.bench.actions import CLIENTS, Clients, against, service
from ops.bench.rounds import Effort, Figure, at_least, milliseconds, per_second


def figures(effort: Effort) -> list[Figure]:
    """Return the throughput with `appendfsync always` against `everysec`."""
    with service("always") as durable, service("everysec") as quick:
        ours, others = (Clients.of(side.address, side.tables, CLIENTS) for side in (durable, quick))
        rounds = against(ours, others, effort)
    name = f"durable actions (fsync before each answer), {CLIENTS} clients"
    return [
        rounds.figure(f"{name}: per second, against fsync each second", "rate", at_least(0.70), per_second),
        rounds.figure(f"{name}: p50, against fsync each second", "p50", None, milliseconds),
    ]
