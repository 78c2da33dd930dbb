"""The rules of Keltis: what an action makes happen, what that changes, what may be done now (rules, section 2).

Pure: the same state and action give the same events, whoever asks and whenever.
"""

from typing import assert_never

from events.actions import DiscardCard, DrawCard, Move, MoveFigure, PlayCard, Resign
from events.cards import FACES, Colour
from events.catalogue import (
    BoardEvent,
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    DiscardTaken,
    EndReason,
    FigureMoved,
    GameEnded,
    MoveGranted,
    PointsScored,
    SeatResigned,
    TurnBegan,
    WishStoneTaken,
)
from events.games.drawing import draw
from events.games.keltis import legality
from events.games.keltis.state import Board, SeatBoard, State
from events.games.keltis.tables import GOAL_FIGURES, GOAL_ROW, TILE_POINTS
from events.games.leaving import resign
from events.games.rows import Row
from events.refusals import IllegalAction

legal_actions = legality.legal_actions


def decide(state: State, seat: int, action: Move) -> tuple[BoardEvent, ...]:
    """Return what `action` of `seat` makes happen; raise `IllegalAction` with the rule that it breaks."""
    broken = legality.broken_rule(state, seat, action)
    if broken is not None:
        raise IllegalAction(broken)
    board = state.board
    match action:
        case PlayCard():
            return _play(board, seat, action)
        case DiscardCard(card):
            return (CardDiscarded(seat, card),)
        case MoveFigure(path):
            return _move(board, seat, path)
        case DrawCard(source):
            return draw(board, seat, source, _end)
        case Resign():
            return resign(board.turns, seat, _end)
        case _:
            assert_never(action)


def evolve(state: State, event: BoardEvent) -> State:
    """Let `event` happen in `state`, which is changed and returned."""
    state.hands.evolve(event)
    evolve_board(state.board, event)
    return state


def evolve_board(board: Board, event: BoardEvent) -> None:
    """Let `event` happen on the open part of the state."""
    turns = board.turns
    match event:  # what happens in every turn comes first
        case TurnBegan(seat):
            turns.begin(seat)
        case CardDiscarded(_, card):
            colour = FACES[card].colour
            board.piles[colour].append(card)
            turns.discard(colour)
        case CardPlayed(seat, card):
            colour, value = FACES[card]
            board.seats[seat].rows.setdefault(colour, Row()).lay(card, value)
            turns.lay()
        case CardDrawn():
            board.deck_left -= 1
            turns.draw(from_deck=True)
        case DiscardTaken(_, card):
            board.piles[FACES[card].colour].pop()
            turns.draw(from_deck=False)
        case FigureMoved():
            _step(board, event)
        case PointsScored(seat, points):
            board.seats[seat].tile_points += points
        case WishStoneTaken(seat, path, row):
            board.seats[seat].wish_stones += 1
            del board.tiles[path, row]
            board.drawn = None
        case MoveGranted(_, cause):
            turns.grant(cause)
        case SeatResigned(seat):
            turns.resigned.append(seat)
        case GameEnded(reason):
            turns.end(reason)
        case _:
            assert_never(event)


def _play(board: Board, seat: int, action: PlayCard) -> tuple[BoardEvent, ...]:
    path = FACES[action.card].colour
    played = CardPlayed(seat, action.card)
    mine = board.seats[seat]
    if path not in mine.figures:
        assert action.figure is not None  # legality saw to it
        return (played, *_land(board, FigureMoved(seat, path, 1, action.figure)))
    if legality.can_advance(mine, path):
        return (played, *_move(board, seat, path))
    if legality.movable_paths(mine):
        return (played, MoveGranted(seat, "end-stone"))
    return (played,)


def _move(board: Board, seat: int, path: Colour) -> tuple[BoardEvent, ...]:
    mine = board.seats[seat]
    return _land(board, FigureMoved(seat, path, mine.figures[path] + 1, mine.kind_on(path)))


def _land(board: Board, moved: FigureMoved) -> tuple[BoardEvent, ...]:
    """Return the move and what its stone brings about; a fifth figure in the goal ends the game first (2.6)."""
    if moved.row == GOAL_ROW and board.goal_figures + 1 == GOAL_FIGURES:
        return (moved, GameEnded("goal"))
    tile = board.tiles.get((moved.path, moved.row))
    if tile is None:
        return (moved,)
    if tile == "wish":
        return (moved, WishStoneTaken(moved.seat, moved.path, moved.row))
    if tile == "clover":
        return (moved, *_clover(board.seats[moved.seat], moved))
    return (moved, PointsScored(moved.seat, TILE_POINTS[tile]))


def _clover(mine: SeatBoard, moved: FigureMoved) -> tuple[BoardEvent, ...]:
    after = {**mine.figures, moved.path: moved.row}
    return (MoveGranted(moved.seat, "clover"),) if any(map(legality.may_go_on, after.values())) else ()


def _end(reason: EndReason) -> tuple[BoardEvent, ...]:
    return (GameEnded(reason),)


def _step(board: Board, event: FigureMoved) -> None:
    mine = board.seats[event.seat]
    if event.row == 1:
        if event.figure == "large":
            mine.large = event.path
        else:
            mine.small_left -= 1
    mine.figures[event.path] = event.row
    board.drawn = None
    board.goal_figures += event.row == GOAL_ROW
    board.turns.move()
