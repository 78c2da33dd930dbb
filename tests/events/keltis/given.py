"""Given what happened, when a seat asks for something, then this happens: scenes of Keltis for one rule each.

A scene's hands hold every card unless a test says otherwise, and its stones carry only the tiles that a test names.
"""

from collections.abc import Mapping, Sequence

from events.actions import FigureKind, Move, OptionValue
from events.cards import VALUES, Card, Colour, card
from events.catalogue import BoardEvent, CardPlayed, FigureMoved, GameStarted, Tile, TurnBegan
from events.deal import ALL, Deal
from events.games.hands import Hands
from events.games.keltis import DECK, TILES, Board, Options, State, decide, evolve
from events.refusals import IllegalAction

Stone = tuple[Colour, int]


def given(
    *happened: BoardEvent | Sequence[BoardEvent],
    seats: int = 3,
    tiles: Mapping[Stone, Tile] | None = None,
    hands: Mapping[int, Sequence[Card]] | None = None,
    deck_left: int | None = None,
    turn: int | None = None,
    to_act: int = 0,
    **options: OptionValue,
) -> State:
    """Return the state after `happened`, at the beginning of the turn of seat `to_act`, the `turn`th of the game."""
    board = Board(Options(**options), GameStarted(tuple(range(seats)), 0, TILES))  # type: ignore[arg-type]  # options come by name
    board.tiles = dict(tiles or {})
    cards: list[list[Card | None]] = [list((hands or {}).get(seat, DECK * 2)) for seat in range(seats)]
    state = State(board, Hands(Deal(DECK, ALL), cards, 0))
    for event in _flat(happened):
        evolve(state, event)
    if board.turns.phase != "over":
        evolve(state, TurnBegan(to_act))
    board.deck_left = board.deck_left if deck_left is None else deck_left
    board.turns.number = board.turns.number if turn is None else turn
    return state


def when(state: State, seat: int, action: Move) -> tuple[BoardEvent, ...]:
    """Let `action` of `seat` happen in `state`, and return what happened."""
    events = decide(state, seat, action)
    for event in events:
        evolve(state, event)
    return events


def refusal(state: State, seat: int, action: Move) -> str | None:
    """Return the name of the rule that `action` of `seat` breaks, or None if it is legal."""
    try:
        decide(state, seat, action)
    except IllegalAction as refused:
        return refused.rule.name
    return None


def laid(seat: int, colour: Colour, *values: int) -> list[BoardEvent]:
    """Return how a small figure walked on the path of `colour` while cards of these values were laid."""
    events: list[BoardEvent] = []
    for row, value in enumerate(values, 1):
        events += [CardPlayed(seat, card(colour, value)), FigureMoved(seat, colour, row, "small")]
    return events


def walked(seat: int, path: Colour, row: int, figure: FigureKind = "small") -> list[BoardEvent]:
    """Return how a figure came to `row` of `path` by laying 0, 1, 2 and so on."""
    events: list[BoardEvent] = []
    for step, value in zip(range(1, row + 1), VALUES, strict=False):
        events += [CardPlayed(seat, card(path, value)), FigureMoved(seat, path, step, figure)]
    return events


def kinds(events: Sequence[BoardEvent]) -> list[str]:
    """Return the stored names of what happened."""
    return [str(event.__struct_config__.tag) for event in events]


def _flat(happened: Sequence[BoardEvent | Sequence[BoardEvent]]) -> list[BoardEvent]:
    return [event for part in happened for event in (part if isinstance(part, Sequence) else (part,))]
