"""Random games of any size, options and temper, for properties that hold in every game."""

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from events.actions import Resign
from events.deal import ALL, SPECTATOR
from tests.events.keltis.playing import at_random, keen, stalling
from tests.events.seated import started

OPTIONS = st.fixed_dictionaries(
    {
        "tiebreak": st.sampled_from(["shared", "wish_stones"]),
        "direction": st.sampled_from(["both", "ascending"]),
        "redraw_own_discard": st.booleans(),
    }
)
GAMES = st.fixed_dictionaries(
    {
        "seats": st.sampled_from([2, 3, 4]),
        "seed": st.binary(min_size=32, max_size=32),
        "temper": st.sampled_from(["random", "keen", "stalling"]),
        "quitting": st.sampled_from([0, 0, 0.02]),
        "options": OPTIONS,
    }
)


class Lot:
    """Choices that follow from a seed, quicker than the game's own dice."""

    def __init__(self, seed):
        self.random = Random(seed)

    def below(self, limit):
        """Return a number from 0 to `limit` - 1."""
        return self.random.randrange(limit)


def plies(game, most=10_000):
    """Play a game and yield its match after the start and after every ply."""
    match = started(game["seats"], game["seed"], **game["options"])
    lot = Lot(game["seed"])
    play = {"random": at_random, "keen": keen, "stalling": stalling}[game["temper"]]
    yield match
    while match.is_running and len(match.entries) < most:
        staying = [seat for seat in range(game["seats"]) if seat not in match.game.board.turns.resigned]
        if lot.random.random() < game["quitting"]:
            match.move(Resign(), lot.random.choice(staying))
        else:
            match.move(play(match.game.look(ALL), match.to_act, match.moves(), lot))
        yield match


def played(game, most=10_000):
    """Return the match after its last ply."""
    *_, match = plies(game, most)
    return match


def events_of(match):
    return [event for entry in match.entries for event in entry.events]


def bounded(examples):
    """Return the settings of a property over whole games."""
    return settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def everybody(seats):
    return (ALL, SPECTATOR, *range(seats))


def picture(state):
    """Return everything there is to a state, as text."""
    board, turns = state.board, state.board.turns
    seats = [
        (
            {colour: (row.cards, row.direction, row.last) for colour, row in seat.rows.items()},
            seat.figures,
            seat.large,
            seat.small_left,
            seat.tile_points,
            seat.wish_stones,
        )
        for seat in board.seats
    ]
    course = [getattr(turns, name) for name in turns.__slots__]
    return repr((seats, board.tiles, board.piles, board.deck_left, board.goal_figures, course, state.hands.cards))
