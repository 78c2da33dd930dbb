"""What happened, told in sentences."""

from typing import get_args

import pytest

from events.actions import CreateGame, DrawCard, JoinGame, LeaveGame, Resign, StartGame
from events.cards import Card
from events.catalogue import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    DiscardTaken,
    Event,
    FigureMoved,
    GameCreated,
    GameEnded,
    GameScored,
    GameStarted,
    MoveGranted,
    PlayerCreated,
    PointsScored,
    ScoreSheet,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeedRevealed,
    TurnBegan,
    WishStoneTaken,
)
from events.entries import SCHEMA, Entry
from projections.sentences import HistoryLine, history, sentence, sentences

NAMES = ["Ada", "Ben", "Caro"]
PINK7 = Card("pink-7")
CREATED = GameCreated("keltis", 1, 3, {}, "open", "rated", "ada", "c0ffee", "sealed")


def scored(*totals: int) -> GameScored:
    sheets = tuple(ScoreSheet(tiles=0, figures=0, wish_stones=total, total=total) for total in totals)
    return GameScored("deck", sheets, tuple(1 + sum(other > total for other in totals) for total in totals))


def entry(version: int, action, *events: Event, by: str = "ada", seat: int | None = None) -> Entry:
    return Entry(SCHEMA, version, "2026-12-01T10:00:00.000Z", seat, by, "r", action, events)


TOLD = [
    (PlayerCreated("Ada", "00"), "Ada is a player now."),
    (CREATED, "A table for 3 players of Keltis is open."),
    (SeatTaken(1, "ben", "Ben"), "Ben takes a seat."),
    (SeatLeft(1), "Ben leaves the table."),
    (GameStarted((0, 1, 2), 2, ()), "The cards are dealt; Caro begins."),
    (CardPlayed(0, PINK7), "Ada lays pink 7."),
    (CardDiscarded(1, PINK7), "Ben discards pink 7."),
    (FigureMoved(0, "pink", 4, "large"), "Ada's large figure steps to row 4 of the pink path (1 point)."),
    (FigureMoved(1, "red", 1, "small"), "Ben's small figure steps to row 1 of the red path (-4 points)."),
    (PointsScored(0, 1), "Ada scores 1 point."),
    (PointsScored(0, 3), "Ada scores 3 points."),
    (WishStoneTaken(2, "blue", 9), "Caro takes the wish stone from row 9 of the blue path."),
    (MoveGranted(0, "clover"), "A clover: Ada moves one figure one stone on."),
    (
        MoveGranted(0, "end-stone"),
        "The figure on that path is at its end stone: Ada moves another one stone on.",
    ),
    (CardDrawn(1), "Ben draws from the deck."),
    (DiscardTaken(1, PINK7), "Ben draws pink 7 from the discard pile."),
    (TurnBegan(2), "It is Caro's turn."),
    (SeatResigned(2, "resignation"), "Caro resigns."),
    (GameEnded("goal"), "The game ends: five figures stand in the goal area."),
    (GameEnded("deck"), "The game ends: the last card of the deck is drawn."),
    (GameEnded("turn-limit"), "The game ends: 500 turns are played."),
    (GameEnded("resignation"), "The game ends: only one seat is left."),
    (SeedRevealed("00"), "The seed of the shuffle is revealed."),
    (scored(23, -4, 17), "The final score: Ada 23, Ben -4, Caro 17. Ada wins."),
    (scored(23, 23, 17), "The final score: Ada 23, Ben 23, Caro 17. Ada and Ben share the victory."),
]


@pytest.mark.parametrize(("event", "told"), TOLD, ids=[told for _, told in TOLD])
def test_an_event_is_told(event, told):
    """Each event is one sentence, with the game's own words."""
    assert sentence(event, NAMES) == told


def test_every_event_of_the_catalogue_is_told():
    """No event type lacks a sentence."""
    assert {type(event) for event, _ in TOLD} == set(get_args(Event))


def test_the_sentences_of_an_entry_follow_its_events():
    """An entry is told event by event, in their order."""
    drawn = entry(9, DrawCard("deck"), CardDrawn(0), TurnBegan(1))
    assert sentences(drawn, NAMES) == ["Ada draws from the deck.", "It is Ben's turn."]


@pytest.mark.parametrize("name", ["Ægir", "小明", "דנה", "<b>Ada</b>", "{name}", "%s", "a\\b"])
def test_names_are_put_in_as_they_are(name):
    """Names of any script and content stand in the sentences unchanged."""
    assert sentence(MoveGranted(0, "clover"), [name]) == f"A clover: {name} moves one figure one stone on."
    assert sentence(CardDrawn(0), [name]) == f"{name} draws from the deck."


def test_a_seat_whose_player_is_gone_is_free():
    """Who looks at the table afterwards no longer knows who sat there."""
    assert sentence(SeatLeft(0), [""]) == "A seat is free again."


def test_history_knows_who_sat_where():
    """The history names players by the seats of their time: before the start, after it, and when they left."""
    told = history(
        [
            entry(1, CreateGame("keltis", 3, {}, "open", "rated", True, ()), CREATED, SeatTaken(0, "ada", "Ada")),
            entry(2, JoinGame(), SeatTaken(1, "ben", "Ben"), by="ben"),
            entry(3, JoinGame(), SeatTaken(2, "caro", "Caro"), by="caro"),
            entry(4, LeaveGame(), SeatLeft(1), by="ben"),
            entry(5, StartGame(), GameStarted((0, 2), 1, ())),
            entry(6, Resign(), SeatResigned(1, "resignation"), GameEnded("resignation"), by="caro", seat=1),
        ]
    )
    assert [line.sentences[-1] for line in told[:-1]] == [
        "Ada takes a seat.",
        "Ben takes a seat.",
        "Caro takes a seat.",
        "Ben leaves the table.",
        "The cards are dealt; Caro begins.",
    ]
    assert told[-1] == HistoryLine(
        6,
        "2026-12-01T10:00:00.000Z",
        1,
        "caro",
        ["Caro resigns.", "The game ends: only one seat is left."],
    )


def test_history_can_begin_in_the_middle():
    """With the names at hand the story of a running game can be told from any version on."""
    (line,) = history([entry(9, DrawCard("deck"), CardDrawn(1), by="ben", seat=1)], NAMES)
    assert line.sentences == ["Ben draws from the deck."]
