"""How much an action in Keltis looks worth to the seat whose view it is: points now, and what may come of them.

One ply ahead, by the seat's own view alone. All weights are in points and our own choice, tuned by playing.
"""

from typing import NamedTuple, assert_never

from events.actions import DiscardCard, DrawCard, FigureKind, Move, MoveFigure, PlayCard, Resign
from events.cards import FACES, Card, Colour
from events.games.keltis.tables import (
    END_ROW,
    GOAL_FIGURES,
    GOAL_ROW,
    LARGE_FACTOR,
    ROW_VALUES,
    TILE_POINTS,
    WISH_TABLE,
)
from events.games.scoring import table_points
from projections.games.keltis import BoardView, RowOfCards, SeatView
from projections.views import GameView

HOPES = (0.0, 1.0, 1.8, 2.6, 3.4, 4.2, 5.2, 7.0, 8.0, 10.0)
"""What a figure in a row may still become with the whole game ahead; in the end only its row's value counts."""

FULL_DECK = 80
CLOVER = 2.5
"""A free move, before it is known where."""

GAP = 0.45
"""Lost for each value that a card leaves out in its row."""

FOLLOWER = 1.1
"""Gained for each further card in hand that could go on a new row."""

USEFUL = 2.5
UNKNOWN_CARD = 0.6
"""What a card from the deck is hoped to be worth."""

RIVALS_CARD = 0.3
"""Lost by a discard for what the next seat may make of it, as a share of its use to that seat."""

LAST_WORD = 8.0
"""Gained by ending the game as the leader, lost by ending it as another."""


class Outlook(NamedTuple):
    """What a seat sees: the board, its own side of it, and how much of the game is ahead, from 0 to 1."""

    board: BoardView
    me: int
    mine: SeatView
    ahead: float


def worth(view: GameView, action: Move) -> float:
    """Return what `action` looks worth to the seat whose eyes the view has, in points."""
    outlook = _outlook(view)
    match action:
        case PlayCard(card, figure):
            return _laying(outlook, card) + _first_or_next(outlook, card, figure)
        case MoveFigure(path):
            return _step(outlook, path, outlook.mine.figures[path].row, outlook.mine.figures[path].kind)
        case DiscardCard(card):
            return -use_of(outlook, outlook.mine, card) - RIVALS_CARD * _use_to_next(outlook, card)
        case DrawCard(source):
            return UNKNOWN_CARD if source == "deck" else use_of(outlook, outlook.mine, _top(outlook, source))
        case Resign():
            return float("-inf")
        case _:
            assert_never(action)


def use_of(outlook: Outlook, seat: SeatView, card: Card) -> float:
    """Return how useful `card` is to `seat` in its hand: it must fit a row, without a large gap."""
    colour, value = FACES[card]
    row = seat.rows[colour]
    if not row.cards:
        return max(0.0, outlook.ahead - 0.5) * USEFUL - GAP * min(value, 10 - value) / 2
    if not fits(row, value):
        return -0.5
    figure = seat.figures.get(colour)
    rest = USEFUL if figure is None or figure.row < END_ROW else USEFUL / 2
    return max(0.0, rest - GAP * left_out(row, value))


def fits(row: RowOfCards, value: int) -> bool:
    """Tell whether a card of `value` can go on `row`."""
    if not row.cards or row.direction == "open":
        return True
    last = FACES[row.cards[-1]].value
    return value >= last if row.direction == "rising" else value <= last


def left_out(row: RowOfCards, value: int) -> int:
    """Return how many values a card of `value` closes for ever on `row`, the shorter way for a first card."""
    if not row.cards:
        return min(value, 10 - value)
    last = FACES[row.cards[-1]].value
    if row.direction == "open" and value != last:
        return min(abs(value - last), 10) - 1 + (last if value > last else 10 - last) // 2
    return max(0, abs(value - last) - 1)


def _outlook(view: GameView) -> Outlook:
    board = view.board
    assert isinstance(board, BoardView)
    assert isinstance(view.eyes, int)
    ahead = min(1.0, board.deck_count / FULL_DECK, (GOAL_FIGURES - board.goal_figures + 1) / 4)
    return Outlook(board, view.eyes, board.seats[view.eyes], ahead)


def _laying(outlook: Outlook, card: Card) -> float:
    """What the card itself costs: the values that it closes in its row."""
    colour, value = FACES[card]
    return -GAP * left_out(outlook.mine.rows[colour], value)


def _first_or_next(outlook: Outlook, card: Card, kind: FigureKind | None) -> float:
    colour = FACES[card].colour
    figure = outlook.mine.figures.get(colour)
    if figure is None:
        assert kind is not None
        return _step(outlook, colour, 0, kind) + _support(outlook, card) * (LARGE_FACTOR if kind == "large" else 1)
    if figure.row < END_ROW:
        return _step(outlook, colour, figure.row, figure.kind)
    movable = [(path, other) for path, other in outlook.mine.figures.items() if other.row < END_ROW]
    return max((_step(outlook, path, other.row, other.kind) for path, other in movable), default=0.0)


def _support(outlook: Outlook, card: Card) -> float:
    """What the rest of the hand promises a new row that `card` begins; a large figure wants much of it."""
    colour, value = FACES[card]
    others = [FACES[held].value for held in outlook.mine.hand if held and held != card and FACES[held].colour == colour]
    longer_way = max(sum(other >= value for other in others), sum(other <= value for other in others))
    return outlook.ahead * FOLLOWER * longer_way - 1.0


def _step(outlook: Outlook, path: Colour, row: int, kind: FigureKind) -> float:
    """What it is worth to move a figure from `row` of `path` to the next one."""
    factor = LARGE_FACTOR if kind == "large" else 1
    gained = factor * (_standing(outlook, row + 1) - _standing(outlook, row))
    if row + 1 == GOAL_ROW and outlook.board.goal_figures + 1 == GOAL_FIGURES:
        return gained + _ending(outlook, factor * (ROW_VALUES[row + 1] - ROW_VALUES[row]))
    return gained + _tile(outlook, path, row + 1)


def _standing(outlook: Outlook, row: int) -> float:
    return (1 - outlook.ahead) * ROW_VALUES[row] + outlook.ahead * HOPES[row]


def _ending(outlook: Outlook, points: int) -> float:
    """Ending the game is good for who leads, with the `points` of the last move."""
    others = [seat.score["total"] for number, seat in enumerate(outlook.board.seats) if number != outlook.me]
    return LAST_WORD if outlook.mine.score["total"] + points >= max(others) else -LAST_WORD


def _tile(outlook: Outlook, path: Colour, row: int) -> float:
    tile = outlook.board.paths[path][row - 1].tile
    if tile is None:
        return 0.0
    if tile == "clover":
        return CLOVER
    if tile == "wish":
        stones = outlook.mine.wish_stones
        gained = table_points(WISH_TABLE, stones + 1) - table_points(WISH_TABLE, stones)
        return max(1.5, gained) if stones < 5 else 0.0
    return float(TILE_POINTS[tile])


def _use_to_next(outlook: Outlook, card: Card) -> float:
    following = outlook.board.seats[(outlook.me + 1) % len(outlook.board.seats)]
    return max(0.0, use_of(outlook, following, card))


def _top(outlook: Outlook, pile: Colour) -> Card:
    return outlook.board.discard_piles[pile][-1]
