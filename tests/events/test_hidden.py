"""Nobody learns anything of a card that is hidden from them, and what they know is right."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from events.catalogue import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    DiscardTaken,
)
from events.codec import encode
from events.deal import ALL, SPECTATOR, Deal
from events.game import deck_order
from events.games.hands import dealt, removed
from events.games.keltis import DECK, legal_actions
from tests.events.random_games import GAMES, bounded, events_of, everybody, played, plies
from tests.events.seated import started


@bounded(25)
@given(GAMES)
def test_masked_eyes_know_nothing_wrong(game):
    """A seat knows its own hand; of other hands everybody knows a part that is right, and their sizes."""
    for match in plies(game):
        full = match.game.look(ALL).hands
        for eyes in (SPECTATOR, *range(game["seats"])):
            hands = match.game.look(eyes).hands
            assert hands.drawn == full.drawn
            for seat, (seen, real) in enumerate(zip(hands.cards, full.cards, strict=True)):
                known = [card for card in seen if card is not None]
                assert len(seen) == len(real)
                assert Counter(known) <= Counter(real)
                assert eyes != seat or seen == real


@bounded(25)
@given(GAMES)
def test_a_seat_finds_its_legal_actions_with_its_own_eyes(game):
    """What a seat may do follows from what it sees."""
    for match in plies(game):
        seat = match.to_act
        assert legal_actions(match.game.look(seat), seat) == legal_actions(match.game.look(ALL), seat)


def shown_positions(match):
    """Return the deck's positions whose cards lay open at some time, and who held each of the others last."""
    order = deck_order(match.game, match.seed, None)
    seats = len(match.game.table.chairs)
    start = removed(seats)
    holders = {start + place: place % seats for place in range(8 * seats)}
    top, shown, open_cards = start + 8 * seats, set(), []
    for event in events_of(match):
        match event:
            case CardDrawn(seat):
                holders[top] = seat
                top += 1
            case DiscardTaken(seat, card):
                open_cards.append((seat, card))
            case CardPlayed(seat, card) | CardDiscarded(seat, card) if (seat, card) in open_cards:
                open_cards.remove((seat, card))
            case CardPlayed(seat, card) | CardDiscarded(seat, card):
                held = (
                    at for at, holder in holders.items() if holder == seat and order[at] == card and at not in shown
                )
                shown.add(next(held))
            case _:
                pass
    return shown, holders


@bounded(30)
@given(GAMES, st.integers(0, 200), st.sampled_from([SPECTATOR, 0, 1]), st.randoms(use_true_random=False))
def test_hidden_cards_show_nowhere(game, most, eyes, random):
    """Two deals that differ only in cards hidden from some eyes give, by the same actions, the same log and hands.

    The bytes of every entry are equal, and so is all that those eyes see of the hands after every ply.
    """
    match = played(game, most)
    order = deck_order(match.game, match.seed, None)
    shown, holders = shown_positions(match)
    hidden = [
        at for at in range(len(order)) if (at not in shown and holders.get(at, SPECTATOR) != eyes) or at not in holders
    ]
    exchanged = list(order)
    for at, card in zip(hidden, random.sample([order[at] for at in hidden], len(hidden)), strict=True):
        exchanged[at] = card
    logs = [replayed(match, deck, eyes) for deck in (order, tuple(exchanged))]
    assert logs[0] == logs[1]


def replayed(match, order, eyes):
    """Play a match's actions on the deck `order`; return each entry's bytes and the hands that `eyes` see."""
    seats = len(match.game.table.chairs)
    twin = started(seats, match.seed, **match.game.table.options)
    twin.game.deal = Deal(order, ALL)
    for viewer in everybody(seats):
        twin.game.watch(viewer)
    seen = [repr(twin.game.look(eyes).hands.cards)]
    for entry in match.entries[seats:]:
        twin.move(entry.action, entry.seat)
        seen += [encode(twin.entries[-1]), repr(twin.game.look(eyes).hands.cards)]
    assert encode(twin.entries[-1]) == encode(match.entries[-1])
    return seen


def test_the_exchange_exchanges():
    """The property above is not empty: the two decks differ in most of the cards that nobody has seen."""
    game = {"seats": 3, "seed": bytes(32), "temper": "keen", "quitting": 0, "options": {}}
    match = played(game, 40)
    shown, holders = shown_positions(match)
    assert 10 < len(shown) < 30
    assert sum(at not in shown for at in holders) == 24


def test_masked_hands_hide_what_the_deal_hides():
    """A spectator sees eight unknown cards in every hand, a seat its own eight."""
    deal = Deal(DECK, ALL)
    assert dealt(deal.seen_by(SPECTATOR), 4).cards == [[None] * 8] * 4
    assert dealt(deal.seen_by(1), 4).cards == [[None] * 8, dealt(deal, 4).cards[1], [None] * 8, [None] * 8]
