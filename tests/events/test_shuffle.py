"""The shuffle: its test vectors, and its specification written down once more, apart from the code."""

import hashlib
import hmac
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.actions import CreateGame, JoinGame, StartGame
from events.cards import COLOURS
from events.deal import ALL
from events.entries import SCHEMA, Entry
from events.game import Game, create, decide, deck_order, set_up
from events.games.keltis import DECK, TILES
from events.shuffle import Dice, commitment, game_secret
from events.table import Occupant

SEED = bytes(range(32))
ENTROPY = ["a pinch of salt", None, "łódź 🍀"]
SECRET = game_secret(SEED, "g7", ENTROPY)


# The specification once more, word by word: HMAC blocks, 4-byte numbers, rejection, Fisher-Yates.


def secret_as_specified(seed, game_id, entropy):
    text = json.dumps(["cairn/1", game_id, list(entropy)], ensure_ascii=False, separators=(",", ":"))
    return hmac.new(seed, text.encode("utf-8"), hashlib.sha256).digest()


def numbers_as_specified(secret, label, how_many):
    stream = b""
    block = 0
    while len(stream) < 4 * how_many:
        stream += hmac.new(secret, (label + "/" + str(block)).encode("ascii"), hashlib.sha256).digest()
        block += 1
    return [int.from_bytes(stream[4 * n : 4 * n + 4], "big") for n in range(how_many)]


def shuffled_as_specified(secret, label, items):
    numbers = numbers_as_specified(secret, label, 1000)
    items = list(items)
    i = len(items) - 1
    while i >= 1:
        m = i + 1
        x = numbers.pop(0)
        while x >= 2**32 - 2**32 % m:
            x = numbers.pop(0)
        j = x % m
        items[i], items[j] = items[j], items[i]
        i -= 1
    return items


def started(seats=3, seed=SEED, game_id="g7", entropy=ENTROPY, first=None):
    """Return a started game whose seats added `entropy`; the host adds the last piece at the start."""
    people = [Occupant(f"p{seat}", f"P{seat}", None) for seat in range(seats)]
    options = {"tiebreak": "shared", "direction": "both", "redraw_own_discard": True}
    order = CreateGame("keltis", 4, options, "open", "rated", host_plays=False, bots=(), first=first)
    events = create(game_id, order, people[0], commitment(seed), "sealed")
    game = Game(game_id, events[0])
    asked = [JoinGame(entropy[seat % len(entropy)]) for seat in range(seats)]
    asked += [StartGame(entropy[-1])] if seats < 4 else []
    for action, by in zip(asked, [*people, people[0]], strict=False):
        happened = decide(game, None, by, action, seed)
        game.apply(Entry(SCHEMA, game.version + 1, "", None, by.player, "", action, happened), eyes=(ALL,), seed=seed)
    return game


def test_the_commitment_is_the_hash_of_the_seed():
    """Before anybody joins, SHA-256 of the seed is published."""
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_secret_has_this_vector():
    """Vector: seed 00 01 … 1f, game `g7`, two seats' entropy and the host's."""
    assert SECRET.hex() == "2e676dfd0571322bb93a7bcccb80fe22b8c79cc1785bc09e44245dfa4cd1a296"


def test_the_first_numbers_have_this_vector():
    """Vector: the first eight numbers of the stream `deck`, and then numbers below 6."""
    assert numbers_as_specified(SECRET, "deck", 8) == [
        127205996,
        733875983,
        1977651081,
        2903848701,
        1099157252,
        1485224452,
        1584978092,
        2781854312,
    ]
    dice = Dice(SECRET, "deck")
    assert [dice.below(2**32) for _ in range(8)] == [
        127205996,
        733875983,
        1977651081,
        2903848701,
        1099157252,
        1485224452,
        1584978092,
        2781854312,
    ]
    dice = Dice(SECRET, "deck")
    assert [dice.below(6) for _ in range(12)] == [2, 5, 3, 3, 2, 4, 2, 2, 0, 5, 0, 0]


def test_a_game_has_this_vector():
    """Vector: the first twelve cards, the first ten tiles and the first seat of a game of two at that table."""
    game = started(seats=2)
    assert game.table.entropy(ENTROPY[-1]) == ENTROPY
    assert deck_order(game, SEED, ENTROPY[-1])[:12] == (
        "yellow-3",
        "yellow-9",
        "green-3",
        "blue-4",
        "blue-1",
        "pink-7",
        "pink-3",
        "blue-7",
        "green-6",
        "green-4",
        "blue-0",
        "blue-9",
    )
    assert game.table.started.tiles[:10] == (
        "wish",
        "clover",
        "clover",
        "wish",
        "wish",
        "clover",
        "wish",
        "clover",
        "clover",
        "clover",
    )
    assert game.table.started.first == 1


@given(st.binary(min_size=32, max_size=32), st.text(max_size=8), st.lists(st.none() | st.text(max_size=8), max_size=5))
def test_the_secret_is_as_specified(seed, game_id, entropy):
    """Step 1, for any seed, id and entropy in any script."""
    assert game_secret(seed, game_id, entropy) == secret_as_specified(seed, game_id, entropy)


@given(st.binary(min_size=32, max_size=32), st.sampled_from(["deck", "tiles", "first"]), st.integers(0, 120))
def test_shuffles_are_as_specified(secret, label, length):
    """Steps 2 to 4, for lists of any length."""
    assert list(Dice(secret, label).shuffled(range(length))) == shuffled_as_specified(secret, label, range(length))


@pytest.mark.parametrize("limit", [3 * 2**30, 2**31 + 1])
def test_numbers_that_would_be_unfair_are_rejected(limit):
    """Step 3: numbers at or above the last multiple of the limit are passed over."""
    numbers = numbers_as_specified(SECRET, "deck", 40)
    fair = [number for number in numbers if number < limit]
    assert len(fair) < len(numbers)
    dice = Dice(SECRET, "deck")
    assert [dice.below(limit) for _ in fair] == fair


def test_below_one_is_zero():
    """The only number below 1 is 0."""
    assert Dice(SECRET, "first").below(1) == 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_deck_tiles_and_first_seat_are_as_specified(seats):
    """Deck, tiles and first seat come from three streams of one secret; the lists are those of the tables."""
    game = started(seats)
    host = game.table.started.entropy
    secret = secret_as_specified(SEED, "g7", [*(chair.entropy for chair in game.table.occupants), host])
    assert list(deck_order(game, SEED, host)) == shuffled_as_specified(secret, "deck", DECK)
    assert list(game.table.started.tiles) == shuffled_as_specified(secret, "tiles", TILES)
    assert game.table.started.first == numbers_as_specified(secret, "first", 1)[0] % seats


@pytest.mark.parametrize(("seats", "removed"), [(2, 30), (3, 0), (4, 0)])
def test_the_deal_goes_round_after_the_removed_cards(seats, removed):
    """30 cards of a game of two go out first; then eight rounds, one card to each seat, seat 0 first."""
    game = started(seats)
    order = deck_order(game, SEED, game.table.started.entropy)
    for seat, hand in enumerate(game.look(ALL).hands.cards):
        assert hand == list(order[removed + seat : removed + 8 * seats : seats])
    assert game.board.deck_left == len(order) - removed - 8 * seats


def test_seat_0_is_dealt_first_whoever_begins():
    """The first seat is a lot of its own and does not turn the deal."""
    games = [started(3, first=first) for first in (0, 1, 2)]
    assert [game.board.turns.seat for game in games] == [0, 1, 2]
    assert len({str(game.look(ALL).hands.cards) for game in games}) == 1


def test_a_deck_is_a_deck():
    """A shuffle moves cards and neither adds nor loses any."""
    game = started()
    assert Counter(deck_order(game, SEED, None)) == Counter(DECK)
    assert Counter(game.table.started.tiles) == Counter(TILES)


@pytest.mark.parametrize(
    "change",
    [{"seed": bytes(32)}, {"game_id": "g8"}, {"entropy": ["a pinch of pepper", None, "łódź 🍀"]}],
    ids=["seed", "id", "a player's entropy"],
)
def test_everything_that_goes_in_changes_the_deck(change):
    """Another seed, another game or another seat's pinch of entropy gives another deck."""
    decks = [
        deck_order(game, seed, game.table.started.entropy)
        for game, seed in ((started(2), SEED), (started(2, **change), change.get("seed", SEED)))
    ]
    assert decks[0] != decks[1]


def test_the_hosts_entropy_changes_the_deck():
    """What the host adds at the start goes in too."""
    assert len({deck_order(started(2, entropy=["x", None, last]), SEED, last) for last in (None, "", "a", "b")}) == 4


def test_the_same_goes_in_and_the_same_comes_out():
    """Tiles and deck follow from seed, id and entropy alone."""
    assert started().table.started == started().table.started


def test_set_up_leaves_free_seats_out():
    """The entropy of a table that is not full lists the taken seats alone."""
    game = started(3)
    assert len(game.table.entropy(None)) == 4
    assert set_up(game, SEED, None).seats == (0, 1, 2)


def test_every_place_is_equally_likely():
    """Over many secrets each card comes first about as often as any other colour's."""
    first = Counter(Dice(bytes([n // 256, n % 256]) * 16, "deck").shuffled(COLOURS)[0] for n in range(2000))
    assert all(320 < first[colour] < 480 for colour in COLOURS)
