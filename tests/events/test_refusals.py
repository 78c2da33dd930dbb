"""Every rule that can be broken: its name, and a scene in which an action breaks it."""

import re

import pytest

from events.actions import (
    CloseGame,
    DiscardCard,
    DrawCard,
    JoinGame,
    LeaveGame,
    MoveFigure,
    PlayCard,
    Resign,
    SeatBot,
    StartGame,
)
from events.cards import card
from events.catalogue import CardDiscarded
from events.refusals import RULES, IllegalAction, rule
from tests.events.keltis.given import given, laid, refusal, walked, when
from tests.events.seated import ADA, BEN, CARO, SERVICE, Match, order, started, unopened

PINK5, GREEN5 = card("pink", 5), card("green", 5)


def over():
    match = started(2)
    match.move(Resign(), 1)
    return match


def closed():
    match = over()
    match.close()
    return match


def joined(seats=3):
    match = Match(order(seats))
    match.ask(BEN, JoinGame())
    return match


def after(state, *actions):
    for action in actions:
        when(state, 0, action)
    return state


def clover():
    return after(given(laid(0, "pink", 3), walked(0, "green", 9), tiles={("pink", 2): "clover"}), PlayCard(PINK5))


def stalled():
    state = given(CardDiscarded(1, PINK5), seats=2)
    state.board.turns.stalled = 8
    return after(state, DiscardCard(GREEN5))


SCENES = {
    "game-not-started": lambda: Match(order()).refusal(ADA, Resign(), 0),
    "game-started": lambda: started(2).refusal(CARO, JoinGame()),
    "game-over": lambda: over().refusal(ADA, DiscardCard(PINK5), 0),
    "game-not-over": lambda: started(2).refusal(SERVICE, CloseGame()),
    "game-closed": lambda: closed().refusal(SERVICE, CloseGame()),
    "table-full": lambda: Match(order(2, bots=("random",))).refusal(BEN, JoinGame()),
    "already-seated": lambda: joined().refusal(BEN, JoinGame()),
    "not-seated": lambda: joined().refusal(CARO, LeaveGame()),
    "not-invited": lambda: Match(order(access="invited")).refusal(BEN, JoinGame()),
    "not-the-host": lambda: joined().refusal(BEN, StartGame()),
    "too-few-seats": lambda: Match(order()).refusal(ADA, StartGame()),
    "seats-not-offered": lambda: unopened(order(5)),
    "unknown-bot": lambda: Match(order()).refusal(ADA, SeatBot("grumpy")),
    "seat-reserved": lambda: Match(order(2, reserved=("ada", "ben"))).refusal(CARO, JoinGame()),
    "not-a-player": lambda: Match(order(2)).refusal(SERVICE, JoinGame()),
    "not-an-invited-table": lambda: unopened(order(invited=("ben",))),
    "not-a-private-table": lambda: unopened(order(link="00" * 32)),
    "seats-kept-wrongly": lambda: unopened(order(3, reserved=("ada", "ben"))),
    "no-such-first-seat": lambda: unopened(order(3, first=3)),
    "not-your-turn": lambda: refusal(given(), 1, DiscardCard(PINK5)),
    "seat-resigned": lambda: refusal(after(given(), Resign()), 0, DiscardCard(PINK5)),
    "play-first": lambda: refusal(given(), 0, DrawCard("deck")),
    "draw-now": lambda: refusal(after(given(), DiscardCard(PINK5)), 0, DiscardCard(PINK5)),
    "move-now": lambda: refusal(clover(), 0, DrawCard("deck")),
    "no-move-due": lambda: refusal(given(laid(0, "pink", 3)), 0, MoveFigure("pink")),
    "card-not-held": lambda: refusal(given(hands={0: [GREEN5]}), 0, DiscardCard(PINK5)),
    "row-turns-back": lambda: refusal(given(laid(0, "pink", 3, 7)), 0, PlayCard(PINK5)),
    "row-ascends-only": lambda: refusal(given(laid(0, "pink", 7), direction="ascending"), 0, PlayCard(PINK5)),
    "figure-needed": lambda: refusal(given(), 0, PlayCard(PINK5)),
    "figure-not-asked": lambda: refusal(given(laid(0, "pink", 3)), 0, PlayCard(PINK5, "small")),
    "figure-used": lambda: refusal(given(walked(0, "green", 1, "large")), 0, PlayCard(PINK5, "large")),
    "no-figure-there": lambda: refusal(clover(), 0, MoveFigure("blue")),
    "figure-at-end": lambda: refusal(clover(), 0, MoveFigure("green")),
    "pile-empty": lambda: refusal(after(given(), DiscardCard(PINK5)), 0, DrawCard("green")),
    "own-discard": lambda: refusal(after(given(redraw_own_discard=False), DiscardCard(PINK5)), 0, DrawCard("pink")),
    "deck-draw-due": lambda: refusal(stalled(), 0, DrawCard("pink")),
}


def test_every_rule_has_its_scene():
    """No rule is named that nothing can break."""
    assert list(SCENES) == list(RULES)


@pytest.mark.parametrize("name", SCENES)
def test_a_broken_rule_is_named(name):
    """An action that breaks a rule is refused by the name of that rule."""
    assert SCENES[name]() == name


@pytest.mark.parametrize("broken", RULES.values(), ids=RULES)
def test_a_rule_is_a_name_a_sentence_and_a_section(broken):
    """Names are lower-case words with hyphens; sentences end with a full stop; each rule says where it is from."""
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", broken.name)
    assert re.fullmatch(r"[A-Z].*\.", broken.sentence)
    assert broken.section


def test_a_refusal_tells_its_rule():
    """The error carries the rule and reads as name and sentence."""
    refused = IllegalAction(RULES["pile-empty"])
    assert refused.rule is RULES["pile-empty"]
    assert str(refused) == "pile-empty: This discard pile is empty."


def test_a_name_stands_for_one_rule():
    """A rule cannot be named like another."""
    with pytest.raises(ValueError, match="named twice"):
        rule("pile-empty", "Something else.", "1")
