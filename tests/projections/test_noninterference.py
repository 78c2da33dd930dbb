"""Nobody learns anything about a card that is hidden from them: such games look the same, byte for byte."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from events.cards import Card
from events.codec import encode as encode_entry
from events.deal import ALL, SPECTATOR, Eyes
from events.entries import Entry
from projections.sentences import history
from projections.views import encode, view
from tests.projections.staged_games import NAMES, Staged, shuffled_deck, unseen_positions

GAMES = {"seats": st.sampled_from((2, 3, 4)), "number": st.integers(0, 2**32), "plies": st.integers(0, 250)}


def played(seats: int, random: Random, plies: int) -> Staged:
    staged = Staged(seats, shuffled_deck(random))
    while staged.is_running() and len(staged.entries) < plies + 2:
        staged.act_at_random(random)
    return staged


def with_hidden_cards_exchanged(staged: Staged, eyes: Eyes, random: Random) -> tuple[Card, ...]:
    """Shuffle all cards among themselves that `eyes` have not seen by the end of `staged`."""
    hidden = [at for at, holder in unseen_positions(staged).items() if holder is None or holder != eyes]
    order = list(staged.order)
    for at, card in zip(hidden, random.sample([order[at] for at in hidden], len(hidden)), strict=True):
        order[at] = card
    return tuple(order)


def pictures(order: tuple[Card, ...], seats: int, story: list[Entry], eyes: Eyes) -> list[bytes]:
    """Play the actions of `story` on the deck `order`: what `eyes` see after every ply, and the log."""
    staged = Staged(seats, order)
    seen = [encode(view(staged.game, eyes, staged.last))]
    for entry in story[2:]:
        staged.act(entry.seat, entry.action)
        seen += [encode(view(staged.game, eyes, staged.last)), encode_entry(staged.last)]
    return seen


@settings(deadline=None, max_examples=60)
@given(**GAMES)
def test_a_spectator_sees_nothing_of_hidden_cards(seats, number, plies):
    """Games that differ only in cards that never lay open look the same to spectators at every ply."""
    random = Random(number)
    staged = played(seats, random, plies)
    other = with_hidden_cards_exchanged(staged, SPECTATOR, random)
    ours = pictures(staged.order, seats, staged.entries, SPECTATOR)
    assert pictures(other, seats, staged.entries, SPECTATOR) == ours


@settings(deadline=None, max_examples=60)
@given(**GAMES, seat=st.integers(0, 3))
def test_a_seat_sees_nothing_of_the_others_cards(seats, number, plies, seat):
    """Games that differ only in the deck and in the others' hands look the same to a seat at every ply."""
    eyes = seat % seats
    random = Random(number)
    staged = played(seats, random, plies)
    other = with_hidden_cards_exchanged(staged, eyes, random)
    assert pictures(other, seats, staged.entries, eyes) == pictures(staged.order, seats, staged.entries, eyes)


@settings(deadline=None, max_examples=30)
@given(**GAMES)
def test_a_seat_sees_its_own_cards(seats, number, plies):
    """A hand holds no unknown card in the eyes of its own seat, and the very cards of the deal."""
    staged = played(seats, Random(number), plies)
    for seat in range(seats):
        seen = view(staged.game, seat, staged.last).board.seats[seat]
        assert sorted(seen.hand) == sorted(staged.game.look(ALL).hands.cards[seat])
        assert len(seen.hand) == seen.hand_size


def test_a_seats_view_changes_with_its_own_cards():
    """Two deals in which a seat's first card differs look different to that seat, and the same to the rest."""
    order = shuffled_deck(Random(1))
    other_card = next(at for at in range(109, 0, -1) if order[at] != order[1])
    exchanged = list(order)
    exchanged[1], exchanged[other_card] = order[other_card], order[1]
    ours, theirs = Staged(3, order), Staged(3, exchanged)
    differing = {
        eyes
        for eyes in (SPECTATOR, 0, 1, 2)
        if encode(view(ours.game, eyes, ours.last)) != encode(view(theirs.game, eyes, theirs.last))
    }
    assert differing == {1}


def test_exchanged_decks_do_differ():
    """The property is not empty: most hidden cards of a game in progress stand elsewhere after the exchange."""
    random = Random(5)
    staged = played(2, random, 40)
    other = with_hidden_cards_exchanged(staged, 0, random)
    assert sum(ours != theirs for ours, theirs in zip(staged.order, other, strict=True)) > 50


@settings(deadline=None, max_examples=20)
@given(seats=st.sampled_from((2, 3, 4)), number=st.integers(0, 2**32))
def test_the_story_names_no_card_that_was_only_drawn(seats, number):
    """The whole history reads the same, whatever lies in the deck and in the hands at the end."""
    random = Random(number)
    staged = played(seats, random, 1000)
    twin = Staged(seats, with_hidden_cards_exchanged(staged, SPECTATOR, random))
    for entry in staged.entries[2:]:
        twin.act(entry.seat, entry.action)
    assert history(twin.entries, NAMES[:seats]) == history(staged.entries, NAMES[:seats])
