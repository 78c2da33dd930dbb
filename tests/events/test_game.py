"""A game as the fold of its entries: closing, copies, eyes, and deciding anew."""

import msgspec
import pytest

from events.actions import CloseGame, DiscardCard, Resign
from events.catalogue import GameScored, SeedRevealed
from events.deal import ALL, SPECTATOR
from events.game import Game, ImpossibleEntry, redecide
from tests.events.seated import ADA, SEED, SERVICE, Match, order, started


def finished():
    match = started(2)
    match.move(Resign(), 1)
    return match


def test_only_a_game_that_is_over_is_closed():
    """Before the end, and before the start, there is nothing to close."""
    assert Match(order()).refusal(SERVICE, CloseGame()) == "game-not-over"
    assert started(2).refusal(SERVICE, CloseGame()) == "game-not-over"


def test_the_closing_entry_reveals_and_scores():
    """It opens the seed and writes every seat's sheet and rank, and the reason of the end."""
    match = finished()
    assert match.game.table.status == "ended"
    revealed, scored = match.close()
    assert revealed == SeedRevealed(SEED.hex())
    assert isinstance(scored, GameScored)
    assert (scored.reason, scored.ranks) == ("resignation", (1, 2))
    assert scored.sheets == match.game.rules.score_sheets(match.game.board)
    assert (match.game.table.status, match.game.table.seed) == ("closed", SEED.hex())


def test_a_game_is_closed_once():
    """A second closing entry is refused."""
    match = finished()
    match.close()
    assert match.refusal(SERVICE, CloseGame()) == "game-closed"


@pytest.mark.parametrize("closed", [False, True])
def test_after_the_end_nobody_moves(closed):
    """A game that is over or closed takes no move and no resignation."""
    match = finished()
    if closed:
        match.close()
    assert match.refusal(ADA, DiscardCard("pink-7"), 0) == "game-over"
    assert match.refusal(ADA, Resign(), 0) == "game-over"


def test_a_copied_game_goes_on_apart():
    """What happens in a copy does not happen in the game."""
    match = started(2)
    copy = match.game.copy()
    before = str(match.game.look(ALL).hands.cards)
    match.move(DiscardCard(match.game.look(ALL).hands.cards[match.to_act][0]))
    assert str(copy.look(ALL).hands.cards) == before
    assert (copy.version, match.game.version) == (2, 3)
    assert sum(map(len, copy.board.piles.values())) == 0


def test_eyes_are_adopted_from_the_same_game():
    """A game takes over the hands that another fold of it keeps for some eyes."""
    match = started(2)
    blind = Game("g7", match.game.table.created)
    for entry in match.entries:
        blind.apply(entry, eyes=(SPECTATOR,), seed=SEED)
    assert not blind.sees(0)
    blind.adopt(0, match.game)
    assert blind.look(0).hands.cards == match.game.look(0).hands.cards


def test_without_the_seed_every_card_is_unknown():
    """A log folds without its seed too; then no eyes know a card that was not laid open."""
    match = started(2)
    blind = Game("g7", match.game.table.created)
    for entry in match.entries:
        blind.apply(entry, eyes=(ALL, 0))
    assert blind.look(ALL).hands.cards == blind.look(0).hands.cards == [[None] * 8] * 2


def test_every_entry_is_decided_anew():
    """From the entries and the seed the same events follow, one by one."""
    match = finished()
    match.close()
    game = None
    for entry in match.entries:
        assert redecide(game, "g7", entry, SEED) == entry.events
        game = game or Game("g7", entry.events[0])
        game.apply(entry, eyes=(ALL,), seed=SEED)


@pytest.mark.parametrize("fields", [{"action": order()}, {"by": "ada"}, {"seat": 7}, {"seat": -1}])
def test_entries_that_cannot_stand_are_named(fields):
    """A second creation, or an actor who does not sit on the acting seat, is impossible whatever the rules say."""
    match = finished()
    resigned = match.entries[-1]
    assert (resigned.by, resigned.seat) == ("ben", 1)
    with pytest.raises(ImpossibleEntry):
        redecide(match.game, "g7", msgspec.structs.replace(resigned, **fields), SEED)


@pytest.mark.parametrize("place", [0, 1])
def test_a_log_begins_with_its_creation(place):
    """The first entry creates the game, with its own event."""
    entry = msgspec.structs.replace(finished().entries[place], events=())
    with pytest.raises(ImpossibleEntry):
        redecide(None, "g7", entry, SEED)
