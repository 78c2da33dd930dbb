"""What holds in every game, whoever plays it and however badly."""

from collections import Counter

import pytest
from hypothesis import given

from events.actions import DiscardCard, DrawCard, MoveFigure, PlayCard
from events.cards import COLOURS, FACES
from events.catalogue import (
    FigureMoved,
    GameEnded,
    PointsScored,
    ScoreSheet,
    SeatResigned,
    WishStoneTaken,
)
from events.codec import decode, decode_strictly, encode
from events.deal import ALL
from events.game import Game, deck_order
from events.games.hands import removed
from events.games.keltis import DECK, TILES, State, decide, legal_actions
from events.refusals import IllegalAction
from tests.events.keltis.playing import cards_of
from tests.events.random_games import GAMES, bounded, events_of, everybody, picture, played, plies

UNIVERSE = [
    *(PlayCard(card, figure) for card in FACES for figure in (None, "small", "large")),
    *(DiscardCard(card) for card in FACES),
    *(MoveFigure(path) for path in COLOURS),
    *(DrawCard(source) for source in ("deck", *COLOURS)),
]
ROW_POINTS = {0: 0, 1: -4, 2: -3, 3: -2, 4: 1, 5: 2, 6: 3, 7: 6, 8: 7, 9: 10}
WISH_POINTS = {0: -4, 1: -3, 2: 2, 3: 3, 4: 6}


@bounded(25)
@given(GAMES)
def test_cards_are_conserved(game):
    """At every ply the 110 cards are the removed ones, the deck, the hands, the rows and the piles."""
    for match in plies(game):
        state = match.game.look(ALL)
        order = deck_order(match.game, match.seed, None)
        hidden = [*order[: removed(game["seats"])], *order[state.hands.drawn :]]
        assert Counter([*hidden, *cards_of(state)]) == Counter(DECK)
        assert state.board.deck_left == len(order) - state.hands.drawn


@bounded(25)
@given(GAMES)
def test_tiles_are_conserved(game):
    """At every ply the 25 tiles lie on their stones, but for the wish stones that seats took."""
    for match in plies(game):
        board = match.game.board
        taken = Counter(wish=sum(seat.wish_stones for seat in board.seats))
        assert Counter(board.tiles.values()) + taken == Counter(TILES)


@bounded(25)
@given(GAMES)
def test_hands_hold_eight_cards(game):
    """At the beginning of a turn every seat holds eight cards, but for those that resigned in the midst of one."""
    for match in plies(game):
        turns, hands = match.game.board.turns, match.game.look(ALL).hands.cards
        short = [seat for seat, hand in enumerate(hands) if len(hand) != 8]
        acting = turns.phase in ("move", "draw", "over")
        assert set(short) <= {*turns.resigned, *([turns.seat] if acting else [])}
        assert all(len(hands[seat]) == 7 for seat in short)


@bounded(25)
@given(GAMES)
def test_rows_rise_or_fall(game):
    """Every row is sorted, one way or the other; only upwards at a table of ascending rows."""
    match = played(game)
    for seat in match.game.board.seats:
        for row in seat.rows.values():
            values = [FACES[card].value for card in row.cards]
            ways = [sorted(values), sorted(values, reverse=True)]
            assert values in (ways[:1] if game["options"]["direction"] == "ascending" else ways)


@bounded(25)
@given(GAMES)
def test_figures_stand_as_they_may(game):
    """A seat has a figure on each path that has a row and nowhere else; four small ones and a large one at most."""
    for match in plies(game):
        board = match.game.board
        for seat in board.seats:
            assert seat.figures.keys() == seat.rows.keys()
            assert all(1 <= row <= 9 for row in seat.figures.values())
            assert 4 - seat.small_left == len(seat.figures) - (seat.large is not None)
        goal = sum(row >= 7 for seat in board.seats for row in seat.figures.values())
        assert goal == board.goal_figures
        assert (goal >= 5) == (board.turns.ended == "goal")


@bounded(30)
@given(GAMES)
def test_the_score_sheets_agree_with_a_recount(game):
    """Every sheet adds up, and its parts follow from the events alone; ranks follow from the totals."""
    match = played(game)
    match.close()
    scored = match.game.table.scored
    tiles, wishes = Counter(), Counter()
    figures, out = {}, []
    for event in events_of(match):
        match event:
            case PointsScored(seat, points):
                tiles[seat] += points
            case WishStoneTaken(seat):
                wishes[seat] += 1
            case FigureMoved(seat, path, row, figure):
                figures[seat, path] = ROW_POINTS[row] * (2 if figure == "large" else 1)
            case SeatResigned(seat):
                out.insert(0, seat)
    for seat, sheet in enumerate(scored.sheets):
        walked = sum(points for (owner, _), points in figures.items() if owner == seat)
        stones = WISH_POINTS.get(wishes[seat], 10)
        total = tiles[seat] + walked + stones
        assert sheet == ScoreSheet(tiles=tiles[seat], figures=walked, wish_stones=stones, total=total)
    tiebreak = game["options"]["tiebreak"] == "wish_stones"
    merit = {
        seat: (sheet["total"], wishes[seat] * tiebreak) for seat, sheet in enumerate(scored.sheets) if seat not in out
    }
    stayed = sorted(merit.values(), reverse=True)
    ranks = {seat: stayed.index(own) + 1 for seat, own in merit.items()}
    ranks |= {seat: len(stayed) + 1 + place for place, seat in enumerate(out)}
    assert scored.ranks == tuple(ranks[seat] for seat in range(game["seats"]))


@bounded(40)
@given(GAMES)
def test_there_is_a_legal_action_until_the_end(game):
    """The seat to act can always act, the others never, and after the end nobody."""
    for match in plies(game):
        state = match.game.look(ALL)
        acting = [seat for seat in range(game["seats"]) if legal_actions(state, seat)]
        assert acting == ([match.to_act] if match.is_running else [])
        assert match.is_running == (match.game.board.turns.ended is None)
    assert isinstance(events_of(match)[-1], GameEnded)


def accepted(state, seat, action):
    try:
        decide(state, seat, action)
    except IllegalAction:
        return False
    return True


@bounded(25)
@given(GAMES)
def test_the_list_of_legal_actions_is_what_decide_accepts(game):
    """Every listed action is accepted, once, and every other one is refused; for every seat, at any ply."""
    for number, match in enumerate(plies(game, most=600)):
        if number % 7:
            continue
        state = match.game.look(ALL)
        for seat in range(game["seats"]):
            listed = legal_actions(state, seat)
            assert len(set(listed)) == len(listed)
            assert {action for action in UNIVERSE if accepted(state, seat, action)} == set(listed)


@bounded(20)
@given(GAMES)
def test_deciding_changes_nothing(game):
    """Whatever is asked, the game stays as it is until the entry is applied; asked twice, the answer is the same."""
    for number, match in enumerate(plies(game, most=300)):
        if number % 10 or not match.is_running:
            continue
        state, seat = match.game.look(ALL), match.to_act
        twin = State(state.board.copy(), state.hands.copy())
        answers = [decide(state, seat, action) for action in match.moves()]
        assert picture(state) == picture(twin)
        assert answers == [decide(twin, seat, action) for action in match.moves()]


@bounded(25)
@given(GAMES)
def test_a_game_folds_the_same_from_its_bytes(game):
    """Entries that were encoded and decoded are the same and fold to the same game, for all eyes."""
    match = played(game)
    match.close()
    bodies = [encode(entry) for entry in match.entries]
    entries = [decode(body) for body in bodies]
    assert entries == match.entries
    assert [encode(decode_strictly(body)) for body in bodies] == bodies
    again = Game("g7", entries[0].events[0])
    for entry in entries:
        again.apply(entry, eyes=everybody(game["seats"]), seed=match.seed)
    for eyes in everybody(game["seats"]):
        assert picture(again.look(eyes)) == picture(match.game.look(eyes))
    assert (again.version, again.table) == (match.game.version, match.game.table)


@bounded(20)
@given(GAMES)
def test_a_copy_at_any_ply_is_the_game_at_that_ply(game):
    """Copies taken along the way are not changed by what happens later."""
    kept = []
    for number, match in enumerate(plies(game, most=400)):
        if number % 25 == 0:
            kept.append((match.game.copy(), picture(match.game.look(ALL))))
    for copy, then in kept:
        assert picture(copy.look(ALL)) == then


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_stalled_game_ends(seats):
    """Seats that only discard and take from piles come to an end, by the deck or by the turn limit."""
    game = {"seats": seats, "seed": bytes(32), "temper": "stalling", "quitting": 0, "options": {}}
    match = played(game)
    assert match.game.board.turns.ended == "turn-limit"
    assert match.game.board.turns.number == 500
