"""Tiles (rules, 2.5)."""

from collections import Counter

import pytest

from events.actions import DrawCard, MoveFigure, PlayCard
from events.cards import COLOURS, card
from events.catalogue import CardPlayed, FigureMoved, MoveGranted, PointsScored, WishStoneTaken
from events.games.keltis import TILES, legal_actions
from events.games.keltis.tables import DECK, ROW_VALUES, TILE_ROWS, TILE_STONES, WISH_TABLE
from tests.events.keltis.given import given, kinds, laid, refusal, walked, when

PINK5, PINK6 = card("pink", 5), card("pink", 6)


def test_the_tables_are_those_of_the_rules():
    """110 cards, twice 0 to 10 in five colours; 25 tiles of three sorts; rows and wish stones have these points."""
    assert set(Counter(DECK).values()) == {2}
    assert len(DECK) == 110
    assert Counter(TILES) == {"wish": 9, "clover": 9, "points-1": 2, "points-2": 3, "points-3": 2}
    assert ROW_VALUES == (0, -4, -3, -2, 1, 2, 3, 6, 7, 10)
    assert WISH_TABLE == (-4, -3, 2, 3, 6, 10)


def test_every_tile_has_its_stone():
    """There are as many stones for tiles as tiles: four dark ones on each path, none in row 1, and the end stone."""
    assert len(TILE_STONES) == len(set(TILE_STONES)) == len(TILES)
    for rows in TILE_ROWS.values():
        assert len(rows) == 5
        assert rows[-1] == 9
        assert 1 not in rows
    assert Counter(row for rows in TILE_ROWS.values() for row in rows) == {**dict.fromkeys(range(2, 8), 3), 8: 2, 9: 5}


def test_tiles_are_laid_out_path_by_path():
    """The shuffled tiles go onto the stones path by path and stone by stone."""
    assert TILE_STONES[:6] == (("red", 2), ("red", 4), ("red", 6), ("red", 7), ("red", 9), ("yellow", 2))


@pytest.mark.parametrize("points", [1, 2, 3])
def test_a_number_tile_scores_at_once(points):
    """Whoever moves a figure onto a number tile scores that many points."""
    state = given(laid(0, "pink", 3), tiles={("pink", 2): f"points-{points}"})
    assert when(state, 0, PlayCard(PINK5))[2:] == (PointsScored(0, points),)
    assert state.board.seats[0].tile_points == points


def test_a_number_tile_is_not_doubled_for_the_large_figure():
    """The large figure scores a number tile once."""
    state = given(walked(0, "pink", 1, "large"), tiles={("pink", 2): "points-3"})
    assert when(state, 0, PlayCard(PINK5))[2:] == (PointsScored(0, 3),)


def test_a_number_tile_stays_for_every_visitor():
    """A number tile works for the next seat too."""
    state = given(laid(0, "pink", 3), laid(1, "pink", 3), tiles={("pink", 2): "points-3"})
    when(state, 0, PlayCard(PINK5))
    when(state, 0, DrawCard("deck"))
    assert when(state, 1, PlayCard(PINK5))[2:] == (PointsScored(1, 3),)


def test_a_wish_stone_is_taken():
    """Whoever moves a figure onto a wish stone takes it."""
    state = given(laid(0, "pink", 3), tiles={("pink", 2): "wish"})
    assert when(state, 0, PlayCard(PINK5))[2:] == (WishStoneTaken(0, "pink", 2),)
    assert state.board.seats[0].wish_stones == 1


def test_a_taken_wish_stone_is_gone():
    """The next figure on that stone finds nothing."""
    state = given(laid(0, "pink", 3), laid(1, "pink", 3), tiles={("pink", 2): "wish"})
    when(state, 0, PlayCard(PINK5))
    when(state, 0, DrawCard("deck"))
    assert kinds(when(state, 1, PlayCard(PINK5))) == ["card-played", "figure-moved"]
    assert state.board.seats[1].wish_stones == 0


def test_a_tile_works_when_a_figure_lands_and_not_when_its_turn_begins():
    """A figure that stands on a number tile scores nothing for moving on from it."""
    state = given(walked(0, "pink", 2), tiles={("pink", 2): "points-3"})
    assert kinds(when(state, 0, PlayCard(PINK5))) == ["card-played", "figure-moved"]


def test_a_clover_moves_any_own_figure_on_a_path():
    """After a clover the seat chooses among all its figures that are on a path, the one just moved too."""
    state = given(laid(0, "pink", 3), walked(0, "green", 4), tiles={("pink", 2): "clover"})
    assert when(state, 0, PlayCard(PINK5))[2:] == (MoveGranted(0, "clover"),)
    assert legal_actions(state, 0) == [MoveFigure("pink"), MoveFigure("green")]
    assert when(state, 0, MoveFigure("green")) == (FigureMoved(0, "green", 5, "small"),)


def test_a_clover_may_move_the_figure_just_moved():
    """The figure on the clover itself may go on."""
    state = given(laid(0, "pink", 3), walked(0, "green", 4), tiles={("pink", 2): "clover"})
    when(state, 0, PlayCard(PINK5))
    assert when(state, 0, MoveFigure("pink")) == (FigureMoved(0, "pink", 3, "small"),)


def test_a_clover_with_one_answer_still_asks():
    """A seat with one figure to move is asked all the same."""
    state = given(laid(0, "pink", 3), tiles={("pink", 2): "clover"})
    assert kinds(when(state, 0, PlayCard(PINK5))) == ["card-played", "figure-moved", "move-granted"]
    assert legal_actions(state, 0) == [MoveFigure("pink")]


def test_a_clover_moves_no_figure_from_the_start_stone():
    """A clover does not open a path."""
    state = given(laid(0, "pink", 3), tiles={("pink", 2): "clover"})
    when(state, 0, PlayCard(PINK5))
    assert refusal(state, 0, MoveFigure("green")) == "no-figure-there"


def test_a_clover_moves_no_figure_of_another_seat():
    """Only one's own figures move."""
    state = given(laid(0, "pink", 3), walked(1, "green", 4), tiles={("pink", 2): "clover"})
    when(state, 0, PlayCard(PINK5))
    assert refusal(state, 0, MoveFigure("green")) == "no-figure-there"
    assert refusal(state, 1, MoveFigure("green")) == "not-your-turn"


def test_a_clover_moves_no_figure_off_the_end_stone():
    """A figure on row 9 has no stone ahead."""
    state = given(laid(0, "pink", 3), walked(0, "green", 9), tiles={("pink", 2): "clover"})
    when(state, 0, PlayCard(PINK5))
    assert refusal(state, 0, MoveFigure("green")) == "figure-at-end"
    assert legal_actions(state, 0) == [MoveFigure("pink")]


def test_carrying_a_clover_out_is_mandatory():
    """Neither a draw nor another card is allowed before the clover's move."""
    state = given(laid(0, "pink", 3), tiles={("pink", 2): "clover"})
    when(state, 0, PlayCard(PINK5))
    assert refusal(state, 0, DrawCard("deck")) == "move-now"
    assert refusal(state, 0, PlayCard(PINK6)) == "move-now"


@pytest.mark.parametrize(
    ("tile", "follows"),
    [("points-2", ["points-scored"]), ("wish", ["wish-stone-taken"]), ("clover", ["move-granted"])],
)
def test_the_tile_that_a_clover_reaches_is_carried_out(tile, follows):
    """A figure moved by a clover carries out the tile of its new stone, and so on."""
    tiles = {("pink", 2): "clover", ("green", 5): tile}
    state = given(laid(0, "pink", 3), walked(0, "green", 4), tiles=tiles)
    when(state, 0, PlayCard(PINK5))
    assert kinds(when(state, 0, MoveFigure("green")))[1:] == follows


def test_clovers_chain():
    """Each clover that is reached asks again, until a figure stops on another stone; then the card is drawn."""
    tiles = {("pink", 2): "clover", ("pink", 3): "clover", ("green", 5): "clover"}
    state = given(laid(0, "pink", 3), walked(0, "green", 4), tiles=tiles)
    assert kinds(when(state, 0, PlayCard(PINK5)))[-1] == "move-granted"
    assert kinds(when(state, 0, MoveFigure("pink")))[-1] == "move-granted"
    assert kinds(when(state, 0, MoveFigure("green")))[-1] == "move-granted"
    assert kinds(when(state, 0, MoveFigure("green"))) == ["figure-moved"]
    assert legal_actions(state, 0) == [DrawCard("deck")]


def test_a_clover_stays_for_every_visitor():
    """A clover works for the next seat too."""
    state = given(laid(0, "pink", 3), laid(1, "pink", 3), tiles={("pink", 2): "clover"})
    when(state, 0, PlayCard(PINK5))
    when(state, 0, MoveFigure("pink"))
    when(state, 0, DrawCard("deck"))
    assert when(state, 1, PlayCard(PINK5))[-1] == MoveGranted(1, "clover")


def test_a_clover_on_an_end_stone_moves_another_figure():
    """A figure that reaches a clover on row 9 cannot go on itself; another one is moved."""
    state = given(walked(0, "pink", 8), walked(0, "green", 4), tiles={("pink", 9): "clover"})
    assert when(state, 0, PlayCard(card("pink", 9)))[-1] == MoveGranted(0, "clover")
    assert legal_actions(state, 0) == [MoveFigure("green")]
    assert refusal(state, 0, MoveFigure("pink")) == "figure-at-end"


def test_a_clover_on_an_end_stone_without_another_figure_has_no_effect():
    """With all other figures on the start stone or on end stones the clover asks nothing."""
    state = given(walked(0, "pink", 8), walked(0, "green", 9), tiles={("pink", 9): "clover"})
    assert kinds(when(state, 0, PlayCard(card("pink", 9)))) == ["card-played", "figure-moved"]
    assert legal_actions(state, 0) == [DrawCard("deck")]


def test_a_clover_chain_ends_at_an_end_stone():
    """A chain whose last figure lands on a clover of an end stone, with nothing left to move, goes on to the draw."""
    tiles = {("pink", 8): "clover", ("pink", 9): "clover"}
    state = given(walked(0, "pink", 7), tiles=tiles)
    assert when(state, 0, PlayCard(card("pink", 9)))[-1] == MoveGranted(0, "clover")
    assert when(state, 0, MoveFigure("pink")) == (FigureMoved(0, "pink", 9, "small"),)
    assert legal_actions(state, 0) == [DrawCard("deck")]


def test_tiles_lie_on_end_stones():
    """A tile on an end stone is carried out like any other (X8)."""
    state = given(walked(0, "pink", 8), tiles={("pink", 9): "points-3"})
    assert when(state, 0, PlayCard(card("pink", 9)))[-1] == PointsScored(0, 3)


def test_the_longest_chain_ends():
    """With a clover on every stone a chain moves all figures to their end stones and stops by itself."""
    tiles = {(path, row): "clover" for path in COLOURS for row in range(2, 10)}
    state = given(*(laid(0, path, 5) for path in COLOURS[:2]), tiles=tiles)
    when(state, 0, PlayCard(card("red", 6)))
    steps = 0
    while state.board.turns.phase == "move":
        when(state, 0, legal_actions(state, 0)[0])
        steps += 1
    assert steps == 15
    assert state.board.seats[0].figures == {"red": 9, "yellow": 9}


def test_a_card_that_opens_a_path_reaches_no_tile():
    """Row 1 carries no tile, so an opening is a card and a step."""
    state = given()
    assert when(state, 0, PlayCard(PINK5, "large")) == (CardPlayed(0, PINK5), FigureMoved(0, "pink", 1, "large"))
