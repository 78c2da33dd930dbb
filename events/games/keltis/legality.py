"""What a seat may do in Keltis, and why not: each rule once, asked by `decide` and by the list of legal actions."""

from typing import assert_never

from events.actions import DiscardCard, DrawCard, FigureKind, Move, MoveFigure, PlayCard, Resign
from events.cards import COLOURS, FACES, Card, Colour
from events.games.acting import DISCARDS, PLAYS, broken_by_acting, out_of_phase
from events.games.drawing import broken_by_drawing, draws
from events.games.hands import broken_by_holding, distinct
from events.games.keltis.state import Board, SeatBoard, State
from events.games.keltis.tables import END_ROW
from events.games.rows import Row
from events.refusals import (
    FIGURE_AT_END,
    FIGURE_NEEDED,
    FIGURE_NOT_ASKED,
    FIGURE_USED,
    NO_FIGURE_THERE,
    ROW_ASCENDS,
    ROW_TURNS_BACK,
    Rule,
)

FIGURE_KINDS: tuple[FigureKind, ...] = ("small", "large")

OPENINGS = {kind: {card: PlayCard(card, kind) for card in FACES} for kind in FIGURE_KINDS}
MOVES = {path: MoveFigure(path) for path in COLOURS}


def legal_actions(state: State, seat: int) -> list[Move]:
    """Return everything that `seat` may do now to play on; resigning, always allowed, is not listed."""
    board = state.board
    turns = board.turns
    if turns.seat != seat or turns.phase == "over":
        return []
    if turns.phase == "play":
        return _cards(board, board.seats[seat], distinct(state.hands.cards[seat]))
    if turns.phase == "move":
        return [MOVES[path] for path in movable_paths(board.seats[seat])]
    return draws(board)


def broken_rule(state: State, seat: int, action: Move) -> Rule | None:
    """Return the rule that `action` of `seat` breaks, or None if it is legal."""
    board = state.board
    turns = board.turns
    broken = broken_by_acting(turns, seat, action)
    if broken is not None:
        return broken
    match action:  # what happens in every turn comes first
        case DrawCard(source):
            return out_of_phase(turns.phase, "draw") or broken_by_drawing(board, source)
        case PlayCard():
            return out_of_phase(turns.phase, "play") or _broken_by_playing(state, seat, action)
        case DiscardCard(card):
            return out_of_phase(turns.phase, "play") or broken_by_holding(state.hands, seat, card)
        case MoveFigure(path):
            return out_of_phase(turns.phase, "move") or _broken_by_moving(board.seats[seat], path)
        case Resign():
            return None
        case _:
            assert_never(action)


def may_go_on(row: int) -> bool:
    """Tell whether a figure in `row` of a path has a stone ahead; one on the start stone has no path yet."""
    return row < END_ROW


def can_advance(mine: SeatBoard, path: Colour) -> bool:
    """Tell whether the seat's figure on `path` can go one stone on."""
    return path in mine.figures and may_go_on(mine.figures[path])


def movable_paths(mine: SeatBoard) -> list[Colour]:
    """Return the paths on which a clover or an end stone may move the seat's figure (2.4, 2.5)."""
    return [path for path in COLOURS if can_advance(mine, path)]


def _broken_by_playing(state: State, seat: int, action: PlayCard) -> Rule | None:
    card, figure = action.card, action.figure
    broken = broken_by_holding(state.hands, seat, card)
    if broken is not None:
        return broken
    mine, face = state.board.seats[seat], FACES[card]
    if face.colour in mine.rows:
        return FIGURE_NOT_ASKED if figure else _broken_by_laying(state.board, mine.rows[face.colour], face.value)
    if figure is None:
        return FIGURE_NEEDED
    return None if mine.left(figure) else FIGURE_USED


def _broken_by_laying(board: Board, row: Row, value: int) -> Rule | None:
    if row.turns_back(value):
        return ROW_TURNS_BACK
    if value < row.last and board.options.direction == "ascending":
        return ROW_ASCENDS
    return None


def _broken_by_moving(mine: SeatBoard, path: Colour) -> Rule | None:
    if path not in mine.figures:
        return NO_FIGURE_THERE
    return None if can_advance(mine, path) else FIGURE_AT_END


def _cards(board: Board, mine: SeatBoard, hand: list[Card]) -> list[Move]:
    actions: list[Move] = []
    openings = [OPENINGS[kind] for kind in FIGURE_KINDS if mine.left(kind)]
    for card in hand:
        face = FACES[card]
        row = mine.rows.get(face.colour)
        if row is None:
            actions += [opening[card] for opening in openings]
        elif _broken_by_laying(board, row, face.value) is None:
            actions.append(PLAYS[card])
        actions.append(DISCARDS[card])
    return actions
