"""Counting a game's score a second time: straight from its events, without the rules' state or scoring.

The numbers come from the game's tables, everything else is done in another way, so that a fault of the rules' own
scoring does not hide itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from events.actions import FigureKind, OptionValue
from events.cards import Colour
from events.catalogue import Event, FigureMoved, PointsScored, ScoreSheet, SeatResigned, WishStoneTaken
from events.games.keltis.tables import LARGE_FACTOR, ROW_VALUES, WISH_TABLE


def recount_keltis(events: Iterable[Event], seats: int) -> tuple[ScoreSheet, ...]:
    """Return the score sheets, by seat, that the events of a game of Keltis add up to."""
    places: dict[tuple[int, Colour], tuple[int, FigureKind]] = {}
    points: Counter[int] = Counter()
    stones: Counter[int] = Counter()
    for event in events:
        match event:
            case FigureMoved(seat, path, row, figure):
                places[seat, path] = (row, figure)
            case PointsScored(seat, gained):
                points[seat] += gained
            case WishStoneTaken(seat):
                stones[seat] += 1
            case _:
                pass  # nothing else counts
    figures: Counter[int] = Counter()
    for (seat, _), (row, figure) in places.items():
        figures[seat] += ROW_VALUES[row] * (LARGE_FACTOR if figure == "large" else 1)
    return tuple(_sheet(points[seat], figures[seat], stones[seat]) for seat in range(seats))


def _sheet(tiles: int, figures: int, stones: int) -> ScoreSheet:
    wishes = WISH_TABLE[-1] if stones >= len(WISH_TABLE) else WISH_TABLE[stones]
    return {"tiles": tiles, "figures": figures, "wish_stones": wishes, "total": tiles + figures + wishes}


def rank_keltis(
    events: Sequence[Event], sheets: Sequence[ScoreSheet], options: dict[str, OptionValue]
) -> tuple[int, ...]:
    """Return the shared ranks, by seat, that `sheets` and the order of resigning yield."""
    resigned = [event.seat for event in events if isinstance(event, SeatResigned)]
    stones = Counter(event.seat for event in events if isinstance(event, WishStoneTaken))
    by_wishes = options.get("tiebreak") == "wish_stones"
    playing = [seat for seat in range(len(sheets)) if seat not in resigned]
    merit = {seat: (sheets[seat]["total"], stones[seat] if by_wishes else 0) for seat in playing}
    ranks: dict[int, int] = {}
    for place, seat in enumerate(sorted(playing, key=merit.__getitem__, reverse=True), 1):
        level = [other for other in ranks if merit[other] == merit[seat]]
        ranks[seat] = ranks[level[0]] if level else place
    for place, seat in enumerate(reversed(resigned), len(playing) + 1):
        ranks[seat] = place
    return tuple(ranks[seat] for seat in range(len(sheets)))


Recount = Callable[[Iterable[Event], int], tuple[ScoreSheet, ...]]
Ranking = Callable[[Sequence[Event], Sequence[ScoreSheet], dict[str, OptionValue]], tuple[int, ...]]

RECOUNTS: dict[str, tuple[Recount, Ranking]] = {"keltis": (recount_keltis, rank_keltis)}
"""How each game is counted and ranked a second time, by the game's name."""
