"""The hash chain's share of an action: linking an entry, against the whole action in this process, view and all."""

from contextlib import ExitStack
from statistics import median
from time import perf_counter

from events import chain
from events.store import Stored, Stream
from ops.bench import servers
from ops.bench.rounds import Effort, Figure, Measures, Rounds, at_most
from ops.bench.tables import Planned, Tables
from projections.views import encode, view
from service.commands import Actor, Commands


def figures(effort: Effort) -> list[Figure]:
    """Return the chain's share."""
    with ExitStack() as stack:
        url, data = stack.enter_context(servers.valkey()), stack.enter_context(servers.folder())
        commands = servers.commands(url, data)
        stack.callback(commands.store.close)
        tables = Tables(commands)
        pairs = [_round(commands, tables, effort.seconds) for _ in range(effort.rounds)]
    rounds = Rounds(pairs[1:])
    share = rounds.ratio("time")
    told = [f"{median(pair[side]['time'] for pair in rounds.pairs) * 1e6:.3g} µs" for side in (0, 1)]
    return [Figure("the hash chain's share of an action", share, "%", at_most(0.03), *told)]


def _round(commands: Commands, tables: Tables, seconds: float) -> tuple[Measures, Measures]:
    """Return the mean seconds of a link and of an action, over the same entries."""
    spent = 0.0
    played: list[Planned] = []
    while spent < seconds or not played:
        table = tables.plan()
        began = perf_counter()
        _play(commands, table)
        spent += perf_counter() - began
        played.append(table)
    logs = [commands.store.read(Stream("game", table.id)) for table in played]
    began = perf_counter()
    for log in logs:
        _link(log)
    linking = perf_counter() - began
    return {"time": linking / sum(map(len, logs))}, {"time": spent / sum(len(table.moves) for table in played)}


def _play(commands: Commands, table: Planned) -> None:
    for version, (seat, move) in enumerate(table.moves, table.game.version):
        player = table.players[seat]
        answer = commands.act(table.id, Actor(player.id, player.name), move, f"{version}", version)
        commands.live.open_eyes(answer.live, seat)
        encode(view(answer.game, seat, answer.entry))


def _link(log: list[Stored]) -> None:
    head = chain.GENESIS
    for stored in log:
        head = chain.link(head, stored.body)
    assert head == log[-1].link
