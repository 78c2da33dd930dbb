"""What a seat may do in Keltis, and why not: each rule once, asked by `decide` and by the list of legal actions."""

from typing import assert_never

from events.actions import DiscardCard, DrawCard, FigureKind, Move, MoveFigure, PlayCard, Resign
from events.cards import COLOURS, FACES, Card, Colour
from events.games.drawing import broken_by_drawing, draws
from events.games.hands import distinct
from events.games.keltis.state import Board, SeatBoard, State
from events.games.keltis.tables import END_ROW
from events.games.turns import Phase
from events.refusals import (
    CARD_NOT_HELD,
    DRAW_NOW,
    FIGURE_AT_END,
    FIGURE_NEEDED,
    FIGURE_NOT_ASKED,
    FIGURE_USED,
    GAME_OVER,
    MOVE_NOW,
    NO_FIGURE_THERE,
    NO_MOVE_DUE,
    NOT_YOUR_TURN,
    PLAY_FIRST,
    ROW_ASCENDS,
    ROW_TURNS_BACK,
    SEAT_RESIGNED,
    Rule,
)

FIGURE_KINDS: tuple[FigureKind, ...] = ("small", "large")

# Actions are values: each is made once, since listing them is most of a playout's work.
PLAYS = {card: PlayCard(card) for card in FACES}
OPENINGS = {(card, kind): PlayCard(card, kind) for card in FACES for kind in FIGURE_KINDS}
DISCARDS = {card: DiscardCard(card) for card in FACES}
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
    if turns.phase == "over":
        return GAME_OVER
    if seat in turns.resigned:
        return SEAT_RESIGNED
    if isinstance(action, Resign):
        return None
    if turns.seat != seat:
        return NOT_YOUR_TURN
    match action:
        case PlayCard(card, figure):
            return _out_of_phase(turns.phase, "play") or _broken_by_playing(state, seat, card, figure)
        case DiscardCard(card):
            return _out_of_phase(turns.phase, "play") or _broken_by_holding(state, seat, card)
        case MoveFigure(path):
            return _out_of_phase(turns.phase, "move") or _broken_by_moving(board.seats[seat], path)
        case DrawCard(source):
            return _out_of_phase(turns.phase, "draw") or broken_by_drawing(board, source)
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


def _out_of_phase(phase: Phase, asked: Phase) -> Rule | None:
    if phase == asked:
        return None
    if phase == "move":
        return MOVE_NOW
    if asked == "move":
        return NO_MOVE_DUE
    return DRAW_NOW if phase == "draw" else PLAY_FIRST


def _broken_by_holding(state: State, seat: int, card: Card) -> Rule | None:
    return None if card in state.hands.cards[seat] else CARD_NOT_HELD


def _broken_by_playing(state: State, seat: int, card: Card, figure: FigureKind | None) -> Rule | None:
    if card not in state.hands.cards[seat]:
        return CARD_NOT_HELD
    mine = state.board.seats[seat]
    if FACES[card].colour in mine.figures:
        return FIGURE_NOT_ASKED if figure is not None else _broken_by_laying(state.board, mine, card)
    if figure is None:
        return FIGURE_NEEDED
    return None if mine.left(figure) else FIGURE_USED


def _broken_by_laying(board: Board, mine: SeatBoard, card: Card) -> Rule | None:
    colour, value = FACES[card]
    row = mine.rows[colour]
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
    kinds = [kind for kind in FIGURE_KINDS if mine.left(kind)]
    for card in hand:
        if FACES[card].colour not in mine.figures:
            actions.extend(OPENINGS[card, kind] for kind in kinds)
        elif _broken_by_laying(board, mine, card) is None:
            actions.append(PLAYS[card])
        actions.append(DISCARDS[card])
    return actions
