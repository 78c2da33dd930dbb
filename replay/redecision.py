"""Deciding a whole game anew: was every action allowed, and did it make happen what is written?

With the seed everything follows. Without it the actions of a running game are decided as far as a spectator knows:
a hand's hidden cards may be any that the deck still has, and the tiles and the first seat are taken as written.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from events.actions import CloseGame, DiscardCard, PlayCard
from events.cards import Card
from events.catalogue import Event, GameStarted, SeedRevealed
from events.deal import ALL
from events.entries import Entry
from events.game import Game, ImpossibleEntry, UnknownGame, options_of, redecide, rules_of
from events.refusals import IllegalAction
from events.table import SERVICE
from replay.stepper import NoGame, creation
from replay.verdict import Fault


class Redecision(NamedTuple):
    """What deciding anew found: the first fault of each kind. After a fault nothing more is decided."""

    shuffle: Fault | None = None
    legality: Fault | None = None
    events: Fault | None = None
    started: bool = False

    @property
    def fault(self) -> Fault | None:
        """Return the fault that ended it."""
        return self.shuffle or self.legality or self.events


def unknown_rules(entries: Sequence[Entry]) -> Fault | None:
    """Return why this code cannot judge the game: no creation, or another game, revision, options or seats."""
    try:
        created = creation(entries)
        rules = rules_of(created)
        options_of(created)
    except (NoGame, UnknownGame) as error:
        return Fault(1, str(error))
    offered = created.seats in rules.SEATS
    return None if offered else Fault(1, f"{rules.TITLE} is not played by {created.seats} seats")


def redecide_all(game_id: str, entries: Sequence[Entry], seed: bytes | None) -> Redecision:
    """Decide every entry anew, on the state before it. `unknown_rules` must have found no fault."""
    game: Game | None = None
    started = False
    answered: set[str] = set()
    for ply, entry in enumerate(entries, 1):
        if entry.request in answered:
            return Redecision(legality=Fault(ply, "this request was answered before"), started=started)
        answered.add(entry.request)
        try:
            decided = _decide(game, game_id, entry, seed)
        except IllegalAction as refused:
            return Redecision(legality=Fault(ply, str(refused)), started=started)
        except (ImpossibleEntry, UnknownGame) as error:
            return Redecision(legality=Fault(ply, str(error)), started=started)
        if _start(decided) != _start(entry.events):
            return Redecision(shuffle=Fault(ply, "tiles, first seat or seats are not what the shuffle yields"))
        if decided != entry.events:
            return Redecision(events=Fault(ply, _difference(decided, entry.events)), started=started)
        started = started or _start(decided) is not None
        game = game or Game(game_id, creation(entries))
        game.apply(entry, eyes=(ALL,), seed=seed)
    return Redecision(started=started)


def _decide(game: Game | None, game_id: str, entry: Entry, seed: bytes | None) -> tuple[Event, ...]:
    if isinstance(entry.action, CloseGame) != (entry.by == SERVICE):
        raise ImpossibleEntry("games are closed by the service, and the service does nothing else")
    if isinstance(entry.action, CloseGame) and seed is None:
        raise ImpossibleEntry("the closing entry reveals no seed")
    if seed is not None:
        return redecide(game, game_id, entry, seed)
    if game is not None:
        _suppose_held(game, entry)
    decided = redecide(game, game_id, entry, bytes(32))
    lot = game is not None and game.table.created.first is None
    return tuple(_take_chance(event, written, lot) for event, written in _pairs(decided, entry.events))


def _suppose_held(game: Game, entry: Entry) -> None:
    """Let a hidden card of the acting hand be the one that was spent, if the deck can still have one of it."""
    action, seat = entry.action, entry.seat
    if not isinstance(action, PlayCard | DiscardCard) or seat is None or game.board is None:
        return
    hands = game.look(ALL).hands.cards
    if not 0 <= seat < len(hands) or action.card in hands[seat] or None not in hands[seat]:
        return
    if Counter(game.rules.DECK)[action.card] > _seen(game)[action.card]:
        hands[seat][hands[seat].index(None)] = action.card


def _seen(game: Game) -> Counter[Card]:
    """Count the cards that everybody has seen: laid, discarded, or taken from a discard pile."""
    state = game.look(ALL)
    seen = Counter(card for hand in state.hands.cards for card in hand if card is not None)
    for pile in state.board.piles.values():
        seen.update(pile)
    for mine in state.board.seats:
        for row in mine.rows.values():
            seen.update(row.cards)
    return seen


def _pairs(decided: tuple[Event, ...], written: tuple[Event, ...]) -> Iterator[tuple[Event, Event | None]]:
    for place, event in enumerate(decided):
        yield event, written[place] if place < len(written) else None


def _take_chance(decided: Event, written: Event | None, lot: bool) -> Event:
    """Return `decided`; a start with the tiles as `written`, and the first seat too if it was drawn by lot."""
    if not isinstance(decided, GameStarted) or not isinstance(written, GameStarted):
        return decided
    if Counter(written.tiles) != Counter(decided.tiles) or not 0 <= written.first < len(decided.seats):
        return decided
    first = written.first if lot else decided.first
    return msgspec.structs.replace(decided, tiles=written.tiles, first=first)


def _start(events: tuple[Event, ...]) -> GameStarted | None:
    return next((event for event in events if isinstance(event, GameStarted)), None)


def _difference(decided: tuple[Event, ...], written: tuple[Event, ...]) -> str:
    for event, other in _pairs(decided, written):
        if event != other:
            return f"the rules yield {event}, written is {'nothing' if other is None else other}"[:300]
    return f"the rules yield {len(decided)} events, written are {len(written)}"


def revelation(entries: Sequence[Entry]) -> SeedRevealed | None:
    """Return the event of the last entry that reveals the seed, if it does."""
    last = entries[-1].events if entries else ()
    return next((event for event in last if isinstance(event, SeedRevealed)), None)
