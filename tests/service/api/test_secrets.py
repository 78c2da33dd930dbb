"""Secrets over HTTP: what others get of a game is the same, byte for byte, whatever lies in the cards they cannot see.

The same actions are played twice through the whole service, on two empty stores with the same keys, clock, players
and seed. Only one thing is exchanged: what the seed's deck is, at the one place where a seed becomes a deck. All
that is not hidden from the viewer stays where it lay.
"""

import re
from datetime import UTC, datetime
from random import Random
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from events import game as game_module
from events.codec import decode
from events.deal import SPECTATOR
from events.game import deck_order
from events.store import connect
from service.api import streams
from tests.projections.staged_games import unseen_positions
from tests.service.api.playing import SEED, Person, Service, fresh_key, match

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
FOLLOWING_THE_SEAL = [
    (re.compile(rb'\\"seal\\":\\"[A-Za-z0-9_=-]+\\"'), b"the seal"),
    (re.compile(rb'"seal":"[A-Za-z0-9_=-]+"'), b"the seal"),
    (re.compile(rb'"(link|head)":"[0-9a-f]{64}"'), b"a link of the chain"),
    (re.compile(rb'"signature":"[A-Za-z0-9+/=]+"'), b"a signature"),
]
"""The seal is different each time a seed is sealed, and so is what is computed over it: the chain, the signature."""


class Stage:
    """A service on an empty store, with players whose ids are always the same."""

    def __init__(self, url, keys, number):
        address = f"{url.removesuffix('/0')}/{number}"
        with connect(address) as client:
            client.flushdb()
        self.service = Service(address, keys, lambda: NOON)
        self.people = [self._person(name) for name in ("Ada", "Ben", "Caro", "Dan", "Eve")]

    def _person(self, name):
        made = self.service.commands.create_player(name, f"the key of {name}")
        return Person(self.service, made.id, name, made.token)


@pytest.fixture(scope="module")
def stages(api_server, keys):
    """Two services on stores of their own; whatever happens at the one happens at the other."""
    made = [Stage(api_server.url, keys, number) for number in (2, 3)]
    yield made
    for stage in made:
        stage.service.close()


def everything(stage, game, viewer, refused):
    """Return all that `viewer` (a player, or None) gets of the game: status, headers and body of every answer."""
    ask = viewer.ask if viewer else stage.service.ask
    told = [ask("GET", path) for path in ("/api/games", *(game.path + tail for tail in TAILS))]
    told += [ask("GET", f"{game.path}?version={version}") for version in (1, len(game.people), game.version)]
    told += [ask("GET", game.path, headers={"If-None-Match": f'"{game.version}"'})]
    told += [
        ask(
            "POST",
            f"{game.path}/actions",
            headers={"If-Match": f'"{version}"', "Idempotency-Key": f"no-{n}"},
            json=move,
        )
        for n, (move, version) in enumerate(refused)
    ]
    stream = ask("GET", f"{game.path}/stream", headers={"Last-Event-ID": "0"})
    parts = iter(stream.response)
    live = b"".join(next(parts) for _ in range(game.version + 1))
    stream.close()
    return [(answer.status_code, str(answer.headers), answer.data) for answer in told] + [
        (200, str(stream.headers), live)
    ]


CARDS = [f"{colour}-{value}" for colour in ("red", "pink", "blue") for value in (0, 5, 10)]
MOVES = [
    *({"type": "play-card", "card": card, "figure": "small"} for card in CARDS),
    *({"type": "discard-card", "card": card} for card in CARDS),
    {"type": "draw-card", "source": "deck"},
]

TAILS = ("", "/log", "/history", "/head", "/record", "/history?after=3", "/log?after=2&limit=2", "?wait=0")


def without_the_seal(told):
    shown = []
    for status, all_headers, body in told:
        headers = re.sub(r"(?m)^Date: .*$", "", all_headers)  # the time of the answer, by the system's clock
        for pattern, word in FOLLOWING_THE_SEAL:
            body = pattern.sub(word, body)  # noqa: PLW2901  # of the body, only this is left
        shown.append((status, headers, body))
    return shown


def play(stage, key, seats, story):
    """Let `story`, a list of (seat, move), happen at a fresh table."""
    game = match(stage.people[:seats], key=key, mode="unrated-test", seed=SEED)
    game.version = seats
    for seat, move in story:
        answer = game.people[seat].act(game.id, move, game.version, f"ply-{game.version}")
        assert answer.status_code == 201, answer.text
        game.version += 1
    stage.service.follow()
    return game


def random_story(stage, key, seats, random, plies):
    """Play at random at a fresh table; return the game and its story."""
    game = match(stage.people[:seats], key=key, mode="unrated-test", seed=SEED)
    story = []
    live = stage.service.commands.live.get(game.id)
    while len(story) < plies and live.game.table.status == "running":
        seat = live.game.board.turns.seat
        view = game.people[seat].view(game.id)
        if random.random() < 0.02:
            seat, move = random.randrange(seats), {"type": "resign"}
            if seat in live.game.board.turns.resigned:
                continue
        else:
            laying = [move for move in view["legal_actions"] if move["type"] == "play-card"]
            move = random.choice(laying if laying and random.random() < 0.8 else view["legal_actions"][:-1])
        assert game.people[seat].act(game.id, move, view["version"], f"ply-{view['version']}").status_code == 201
        story.append((seat, move))
    game.version = len(story) + seats
    stage.service.follow()
    return game, story


def exchanged(stage, game, eyes, random):
    """Return the deck with all cards shuffled among themselves that `eyes` have not seen by the end."""
    live = stage.service.commands.live.get(game.id)
    order = list(deck_order(live.game, live.seed, live.game.table.started.entropy))
    entries = [decode(body) for body in stage.service.bodies(game.id)]
    holders = unseen_positions(SimpleNamespace(game=live.game, entries=entries, order=order))
    hidden = [at for at, holder in holders.items() if holder is None or holder != eyes]
    for at, card in zip(hidden, random.sample([order[at] for at in hidden], len(hidden)), strict=True):
        order[at] = card
    return tuple(order)


@pytest.fixture(autouse=True, scope="module")
def _short_waits():
    with patch.object(streams, "LONGEST_WAIT", 0.01):
        yield


def both(stages, seats, random, plies, eyes_at):
    """Play one game at the first stage, and at the second with the cards exchanged that `eyes_at(game)` cannot see."""
    ours, theirs = stages
    key = fresh_key()
    game, story = random_story(ours, key, seats, random, plies)
    other_deck = exchanged(ours, game, eyes_at, random)
    with patch.object(game_module, "deck_order", lambda *_: other_deck):
        twin = play(theirs, key, seats, story)
        yield theirs, twin
    assert twin.id == game.id
    yield ours, game


@settings(max_examples=30, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(seats=st.sampled_from((2, 3, 4)), number=st.integers(0, 2**32), plies=st.integers(0, 60), at=st.integers(0, 11))
def test_games_that_differ_in_hidden_cards_look_the_same(stages, seats, number, plies, at):
    """A spectator, a stranger with a token and every seat get the same bytes, headers and refusals from both games."""
    random, place = Random(number), at % (seats + 2)
    eyes = place if place < seats else SPECTATOR
    seen, expected = (
        everything(stage, game, viewer(stage, seats, place), refusals(stage, game, eyes, number))
        for stage, game in both(stages, seats, random, plies, eyes)
    )
    assert without_the_seal(seen) == without_the_seal(expected)
    assert [len(body) for _, _, body in seen] == [len(body) for _, _, body in expected]


def test_the_comparison_would_see_a_leak(stages):
    """A seat whose own cards are exchanged gets other bytes, so the property above compares something."""
    theirs, ours = (
        [without_the_seal(everything(stage, game, viewer(stage, 3, place), [])) for place in range(5)]
        for stage, game in both(stages, 3, Random(7), 6, SPECTATOR)
    )
    assert [mine == other for mine, other in zip(ours, theirs, strict=True)] == [False, False, False, True, True]


def test_no_answer_of_a_running_game_holds_its_seed(stages):
    """The seed stands in nothing that anybody gets before the end."""
    for stage, game in both(stages, 2, Random(2), 10, SPECTATOR):
        for place in range(4):
            told = everything(stage, game, viewer(stage, 2, place), [])
            assert not any(SEED.encode() in body or SEED in headers for _, headers, body in told)


def refusals(stage, game, eyes, number):
    """Return requests that these eyes may not make now: they are late, or it is another seat's turn."""
    turns = stage.service.commands.live.get(game.id).game.board.turns
    at = [game.version - 1] if eyes == turns.seat else [game.version - 1, game.version]
    return [(move, version) for move in Random(number).sample(MOVES, 4) for version in at]


def viewer(stage, seats, place):
    """Return the player on a seat, a stranger with a token, or nobody known."""
    return stage.people[place] if place < seats else stage.people[4] if place == seats else None
