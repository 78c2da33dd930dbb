"""What happened, in English: one sentence for every event. A sentence knows no more than the log, so no hidden card."""

from collections.abc import Iterable, Sequence
from typing import assert_never

import msgspec

from events.cards import Card
from events.catalogue import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    DiscardTaken,
    EndReason,
    Event,
    FigureMoved,
    GameCreated,
    GameEnded,
    GameScored,
    GameStarted,
    GrantCause,
    MoveGranted,
    PlayerCreated,
    PointsScored,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeedRevealed,
    TableEvent,
    TurnBegan,
    WishStoneTaken,
)
from events.entries import Entry
from events.games import GAMES
from events.games.keltis.tables import ROW_VALUES
from events.games.turns import TURN_CAP

ENDS: dict[EndReason, str] = {
    "goal": "five figures stand in the goal area",
    "deck": "the last card of the deck is drawn",
    "turn-limit": f"{TURN_CAP} turns are played",
    "resignation": "only one seat is left",
}

GRANTS: dict[GrantCause, str] = {
    "clover": "A clover: {name} moves one figure one stone on.",
    "end-stone": "The figure on that path is at its end stone: {name} moves another one stone on.",
}


class HistoryLine(msgspec.Struct, frozen=True):
    """An entry as a person reads it. `at` is UTC, RFC 3339; `seat` is the acting seat, `by` the actor's id."""

    version: int
    at: str
    seat: int | None
    by: str
    sentences: list[str]


def sentences(entry: Entry, names: Sequence[str]) -> list[str]:
    """Return what `entry` made happen, a sentence an event.

    `names` are by seat, as the seats are numbered after the entry; an empty one stands for a free seat. They are put
    in as they are, so the sentences are plain text and no markup.
    """
    return [sentence(event, names) for event in entry.events]


def history(entries: Iterable[Entry], names: Sequence[str] = ()) -> list[HistoryLine]:
    """Return the story that `entries` tell.

    `names` are those by seat before the first of them: none if it creates the game.
    """
    lines = []
    for entry in entries:
        names = _seated(names, entry)
        lines.append(HistoryLine(entry.version, entry.at, entry.seat, entry.by, sentences(entry, names)))
    return lines


def sentence(event: Event, names: Sequence[str]) -> str:
    """Return what `event` says, in a sentence; `names` are by seat. What is frequent comes first."""
    match event:
        case CardPlayed(seat, card):
            return f"{names[seat]} lays {spoken(card)}."
        case FigureMoved(seat, path, row, figure):
            worth = _points(ROW_VALUES[row])
            return f"{names[seat]}'s {figure} figure steps to row {row} of the {path} path ({worth})."
        case CardDrawn(seat):
            return f"{names[seat]} draws from the deck."
        case TurnBegan(seat):
            return f"It is {names[seat]}'s turn."
        case CardDiscarded(seat, card):
            return f"{names[seat]} discards {spoken(card)}."
        case DiscardTaken(seat, card):
            return f"{names[seat]} draws {spoken(card)} from the discard pile."
        case PointsScored(seat, points):
            return f"{names[seat]} scores {_points(points)}."
        case MoveGranted(seat, cause):
            return GRANTS[cause].replace("{name}", names[seat])
        case WishStoneTaken(seat, path, row):
            return f"{names[seat]} takes the wish stone from row {row} of the {path} path."
        case SeatResigned(seat):
            return f"{names[seat]} resigns."
        case GameEnded(reason):
            return f"The game ends: {ENDS[reason]}."
        case _:
            return _off_the_board(event, names)


def _off_the_board(event: TableEvent | PlayerCreated, names: Sequence[str]) -> str:
    match event:
        case PlayerCreated(name):
            return f"{name} is a player now."
        case GameCreated(game=game, seats=seats):
            return f"A table for {seats} players of {GAMES[game].TITLE} is open."
        case SeatTaken(name=name):
            return f"{name} takes a seat."
        case SeatLeft(seat):
            return f"{names[seat]} leaves the table." if names[seat] else "A seat is free again."
        case GameStarted(first=first):
            return f"The cards are dealt; {names[first]} begins."
        case SeedRevealed():
            return "The seed of the shuffle is revealed."
        case GameScored():
            return _final(event, names)
        case _:
            assert_never(event)


def spoken(card: Card) -> str:
    """Return `card` as it is spoken of.

    >>> spoken(Card("pink-7"))
    'pink 7'
    """
    return card.replace("-", " ")


def _final(scored: GameScored, names: Sequence[str]) -> str:
    totals = ", ".join(f"{name} {sheet['total']}" for name, sheet in zip(names, scored.sheets, strict=True))
    winners = [name for name, rank in zip(names, scored.ranks, strict=True) if rank == 1]
    verdict = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the victory"
    return f"The final score: {totals}. {verdict}."


def _points(points: int) -> str:
    return f"{points} point" if points == 1 else f"{points} points"


def _seated(names: Sequence[str], entry: Entry) -> Sequence[str]:
    """Return the names by seat after `entry`; whoever left is still known until the seat is taken anew."""
    for event in entry.events:
        match event:
            case GameCreated(seats=seats):
                names = [""] * seats
            case SeatTaken(seat, name=name):
                names = [*names[:seat], name, *names[seat + 1 :]]
            case GameStarted(seats=kept):
                names = [names[seat] for seat in kept]
            case _:
                pass  # nobody sits down or moves
    return names
