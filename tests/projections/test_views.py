"""What a view shows, and that it shows what is."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.actions import (
    CreateGame,
    DiscardCard,
    DrawCard,
    JoinGame,
    Move,
    PlayCard,
    Resign,
    StartGame,
)
from events.cards import FACES, card
from events.deal import ALL, SPECTATOR
from events.entries import SCHEMA, Entry
from events.game import Game, create, decide
from events.games.keltis import DECK
from events.refusals import IllegalAction
from events.table import Occupant
from projections.views import encode, view
from tests.projections.staged_games import OPTIONS, SEED, Staged, shuffled_deck

ADA = Occupant("ada", "Ada", None)
EVERY_MOVE = [
    Resign(),
    *(DiscardCard(name) for name in FACES),
    *(PlayCard(name, figure) for name in FACES for figure in (None, "small", "large")),
    *(DrawCard(source) for source in ("deck", "red", "yellow", "pink", "green", "blue")),
    *(
        msgspec.convert({"type": "move-figure", "path": path}, Move)
        for path in ("red", "yellow", "pink", "green", "blue")
    ),
]


def stacked(*first: str) -> list[str]:
    """Return a deck for three seats that begins with these cards."""
    rest = list(DECK)
    for name in first:
        rest.remove(name)
    return [*first, *rest]


def played_to_the_end(seats: int, number: int) -> Staged:
    random = Random(number)
    staged = Staged(seats, shuffled_deck(random))
    while staged.is_running():
        staged.act_at_random(random)
    return staged


def seen(staged: Staged, eyes) -> dict:
    return msgspec.json.decode(encode(view(staged.game, eyes, staged.last)))


def opened_table() -> tuple[Game, Entry]:
    action = CreateGame("keltis", 3, dict(OPTIONS), "open", "rated", True, ("greedy",))
    entry = Entry(SCHEMA, 1, "t", None, "ada", "r", action, create("g1", action, ADA, "c0ffee", "sealed"))
    game = Game("g1", entry.events[0])
    game.apply(entry)
    return game, entry


def test_an_open_table_shows_its_seats_and_no_board():
    """Before the start there are a table, its options and free seats, and nothing to do or to see on a board."""
    game, entry = opened_table()
    shown = msgspec.json.decode(encode(view(game, SPECTATOR, entry)))
    assert shown["table"] == [
        {"seat": 0, "player": "ada", "name": "Ada", "bot": None, "free": False},
        {"seat": 1, "player": "bot:greedy", "name": "greedy bot", "bot": "greedy", "free": False},
        {"seat": 2, "player": None, "name": None, "bot": None, "free": True},
    ]
    assert {name: value for name, value in shown.items() if name not in ("table", "happened")} == {
        "id": "g1",
        "game": "keltis",
        "title": "Keltis",
        "status": "open",
        "version": 1,
        "mode": "rated",
        "access": "open",
        "host": "ada",
        "options": OPTIONS,
        "seats": 3,
        "eyes": "spectator",
        "commitment": "c0ffee",
        "board": None,
        "legal_actions": [],
        "outcome": None,
        "seed": None,
    }


def test_a_host_who_starts_early_plays_with_the_seats_that_are_taken():
    """A table for three may start with two; the view then lists two, and still says how many it was for."""
    game, _ = opened_table()
    entry = Entry(SCHEMA, 2, "t", None, "ada", "r", StartGame(), decide(game, None, ADA, StartGame(), SEED))
    game.apply(entry, eyes=(SPECTATOR,), seed=SEED)
    shown = view(game, SPECTATOR, entry)
    assert (shown.status, shown.seats, len(shown.table), len(shown.board.seats)) == ("running", 3, 2, 2)


def test_the_last_to_join_starts_the_game():
    """When the last seat is taken, one entry both seats the player and deals, and its sentences say so."""
    game, _ = opened_table()
    ben = Occupant("ben", "Ben", None)
    entry = Entry(SCHEMA, 2, "t", None, "ben", "r", JoinGame(), decide(game, None, ben, JoinGame(), SEED))
    game.apply(entry, eyes=(2,), seed=SEED)
    shown = view(game, 2, entry)
    assert shown.happened[0] == "Ben takes a seat."
    assert shown.happened[1].startswith("The cards are dealt; ")


def test_the_first_card_opens_a_path():
    """After pink 7 with the large figure: the row, the figure on row 1, four small ones left, the points so far."""
    staged = Staged(3, stacked("pink-7"))
    staged.act(0, PlayCard(card("pink", 7), "large"))
    board = seen(staged, SPECTATOR)["board"]
    mine = board["seats"][0]
    assert mine["rows"]["pink"] == {"cards": ["pink-7"], "direction": "open"}
    assert mine["rows"]["red"] == {"cards": [], "direction": "open"}
    assert mine["figures"] == {"pink": {"row": 1, "kind": "large"}}
    assert mine["start"] == {"small": 4, "large": 0}
    assert mine["score"] == {"tiles": 0, "figures": -8, "wish_stones": -4, "total": -12}
    assert mine["hand_size"] == 7
    assert board["turn"] == {"number": 1, "seat": 0, "phase": "draw", "cause": None}
    assert board["deck_count"] == 86
    assert board["paths"]["pink"][0] == {
        "row": 1,
        "value": -4,
        "area": "minus",
        "tile": None,
        "figures": [{"seat": 0, "figure": "large"}],
    }


def test_figures_share_a_stone():
    """Two seats' figures on one stone are both shown, by seat."""
    staged = Staged(3, stacked("pink-7", "pink-7"))
    staged.act(0, PlayCard(card("pink", 7), "large"))
    staged.act(0, DrawCard("deck"))
    staged.act(1, PlayCard(card("pink", 7), "small"))
    assert seen(staged, 1)["board"]["paths"]["pink"][0]["figures"] == [
        {"seat": 0, "figure": "large"},
        {"seat": 1, "figure": "small"},
    ]


def test_the_paths_have_the_values_and_areas_of_the_rules():
    """Each path has nine stones, from -4 to 10 points, in three areas; 25 of the 45 carry a tile."""
    paths = seen(Staged(2, DECK), SPECTATOR)["board"]["paths"]
    assert list(paths) == ["red", "yellow", "pink", "green", "blue"]
    for stones in paths.values():
        assert [stone["value"] for stone in stones] == [-4, -3, -2, 1, 2, 3, 6, 7, 10]
        assert [stone["area"] for stone in stones] == [*["minus"] * 3, *["middle"] * 3, *["goal"] * 3]
    assert sum(stone["tile"] is not None for stones in paths.values() for stone in stones) == 25


def test_a_discarded_card_lies_open_and_a_taken_one_is_known_to_all():
    """Piles run from bottom to top; who takes a card from one holds a card that everybody knows."""
    staged = Staged(3, stacked("pink-7", "pink-3"))
    staged.act(0, DiscardCard(card("pink", 7)))
    staged.act(0, DrawCard("deck"))
    staged.act(1, DiscardCard(card("pink", 3)))
    assert seen(staged, 2)["board"]["discard_piles"]["pink"] == ["pink-7", "pink-3"]
    staged.act(1, DrawCard("pink"))
    shown = seen(staged, 2)["board"]
    assert shown["discard_piles"]["pink"] == ["pink-7"]
    assert shown["seats"][1]["hand"] == ["pink-3", *[None] * 7]
    assert shown["seats"][0]["hand"] == [None] * 8


def test_ones_own_hand_is_sorted():
    """A hand is shown by colour, then value."""
    staged = Staged(3, shuffled_deck(Random(11)))
    hand = view(staged.game, 0, staged.last).board.seats[0].hand
    assert list(hand) == sorted(staged.game.look(0).hands.cards[0], key=list(FACES).index)
    assert list(hand) != staged.game.look(0).hands.cards[0]


def test_only_seats_have_legal_actions():
    """A seat that is not to act may still resign; whoever is no seat may do nothing."""
    staged = Staged(3, DECK)
    assert view(staged.game, SPECTATOR, staged.last).legal_actions == []
    assert view(staged.game, ALL, staged.last).legal_actions == []
    assert view(staged.game, 1, staged.last).legal_actions == [Resign()]


def test_a_seat_that_resigned_may_do_nothing_more():
    """Resigning is said in the view, and takes every action away."""
    staged = Staged(3, DECK)
    staged.act(1, Resign())
    shown = view(staged.game, 1, staged.last)
    assert shown.legal_actions == []
    assert [seat.resigned for seat in shown.board.seats] == [False, True, False]


@settings(deadline=None, max_examples=25)
@given(seats=st.sampled_from((2, 3, 4)), number=st.integers(0, 2**32), plies=st.integers(0, 250))
def test_the_legal_actions_are_those_that_are_accepted(seats, number, plies):
    """Of everything that can be asked for, exactly what the view lists is accepted; to resign comes last."""
    random = Random(number)
    staged = Staged(seats, shuffled_deck(random))
    while staged.is_running() and len(staged.entries) < plies:
        staged.act_at_random(random)
    for seat in range(seats):
        listed = view(staged.game, seat, staged.last).legal_actions
        assert [action for action in EVERY_MOVE if is_accepted(staged, seat, action)] == sorted(
            listed, key=EVERY_MOVE.index
        )
        assert Resign() not in listed[:-1]


def is_accepted(staged: Staged, seat: int, action: Move) -> bool:
    try:
        decide(staged.game, seat, ADA, action, SEED)
    except IllegalAction:
        return False
    return True


@settings(deadline=None, max_examples=15)
@given(seats=st.sampled_from((2, 3, 4)), number=st.integers(0, 2**32))
def test_the_score_so_far_becomes_the_final_score(seats, number):
    """At the end the score so far is what the outcome says, and closing the game changes neither."""
    staged = played_to_the_end(seats, number)
    ended = view(staged.game, SPECTATOR, staged.last)
    assert ended.status == "ended"
    assert ended.outcome.sheets == tuple(seat.score for seat in ended.board.seats)
    assert ended.outcome.winners == tuple(seat for seat, rank in enumerate(ended.outcome.ranks) if rank == 1)
    assert ended.seed is None
    staged.close()
    closed = view(staged.game, ALL, staged.last)
    assert (closed.status, closed.outcome, closed.seed) == ("closed", ended.outcome, SEED.hex())
    assert closed.outcome.sheets == staged.last.events[-1].sheets


def test_everything_lies_open_once_the_game_is_closed():
    """After the closing entry everybody's cards are shown, to those who look with all eyes."""
    staged = played_to_the_end(3, 4)
    assert None in [name for seat in view(staged.game, SPECTATOR, staged.last).board.seats for name in seat.hand]
    staged.close()
    assert None not in [name for seat in view(staged.game, ALL, staged.last).board.seats for name in seat.hand]


def test_a_running_game_has_no_outcome_and_no_seed():
    """While the game runs nobody is told a winner, and the seed stays sealed."""
    staged = Staged(2, DECK)
    shown = view(staged.game, 0, staged.last)
    assert (shown.outcome, shown.seed) == (None, None)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_view_is_the_same_whether_or_not_it_was_looked_at_before(seats):
    """What a board keeps of one view for the next is never old: after every ply both are drawn alike."""
    random = Random(seats)
    staged = Staged(seats, shuffled_deck(random))
    while staged.is_running():
        unseen = staged.game.copy()
        unseen.board.drawn = None
        assert encode(view(staged.game, SPECTATOR, staged.last)) == encode(view(unseen, SPECTATOR, staged.last))
        staged.act_at_random(random)


def test_a_view_stays_as_it_was():
    """A view is a picture: it does not change when the game goes on."""
    random = Random(2)
    staged = Staged(4, shuffled_deck(random))
    pictures = []
    for _ in range(120):
        shown = view(staged.game, 0, staged.last)
        pictures.append((shown, encode(shown)))
        staged.act_at_random(random)
    assert all(encode(shown) == then for shown, then in pictures)


def test_eyes_that_are_not_kept_see_nothing():
    """A running game can be viewed only with eyes that it is watched with."""
    game, _ = opened_table()
    entry = Entry(SCHEMA, 2, "t", None, "ada", "r", StartGame(), decide(game, None, ADA, StartGame(), SEED))
    game.apply(entry, eyes=(SPECTATOR,), seed=SEED)
    with pytest.raises(KeyError):
        view(game, 0, entry)
