"""The rules of Keltis: what an action makes happen, what that changes, what may be done now (rules, section 2).

Pure: the same state and action give the same events, whoever asks and whenever.
"""

from typing import assert_never

from events.actions import DiscardCard, DrawCard, Move, MoveFigure, PlayCard, Resign
from events.cards import FACES, Colour
from events.catalogue import (
    BoardEvent,
    CardDiscarded,
    CardPlayed,
    EndReason,
    FigureMoved,
    GameEnded,
    MoveGranted,
    PointsScored,
    WishStoneTaken,
)
from events.games.course import evolving
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
        case DrawCard(source):
            return draw(board, seat, source, _end)
        case PlayCard():
            return _play(board, seat, action)
        case DiscardCard(card):
            return (CardDiscarded(seat, card),)
        case MoveFigure(path):
            return _move(board, seat, path)
        case Resign():
            return resign(board.turns, seat, _end)
        case _:
            assert_never(action)


def evolve(state: State, event: BoardEvent) -> State:
    """Let `event` happen in `state`, which is changed and returned."""
    state.hands.evolve(event)
    evolve_board(state.board, event)
    return state


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


def _lay(board: Board, event: CardPlayed) -> None:
    colour, value = FACES[event.card]
    board.seats[event.seat].rows.setdefault(colour, Row()).lay(event.card, value)
    board.turns.lay()


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


def _score(board: Board, event: PointsScored) -> None:
    board.seats[event.seat].tile_points += event.points


def _take(board: Board, event: WishStoneTaken) -> None:
    board.seats[event.seat].wish_stones += 1
    del board.tiles[event.path, event.row]
    board.drawn = None


def _grant(board: Board, event: MoveGranted) -> None:
    board.turns.grant(event.cause)


evolve_board = evolving(
    {
        CardPlayed: _lay,
        FigureMoved: _step,
        PointsScored: _score,
        WishStoneTaken: _take,
        MoveGranted: _grant,
    }
)
"""Let an event happen on the open part of the state."""
