"""Keltis, the board game of 2008: five paths, five figures a seat, tiles on the dark stones."""

from events.games.keltis.options import CATALOGUE, Options
from events.games.keltis.rules import decide, evolve, evolve_board, legal_actions
from events.games.keltis.score import ranks, score_sheets
from events.games.keltis.state import Board, State
from events.games.keltis.tables import CATEGORIES, DECK, NAME, REVISION, SEATS, TILES, TITLE

__all__ = [
    "CATALOGUE",
    "CATEGORIES",
    "DECK",
    "NAME",
    "REVISION",
    "SEATS",
    "TILES",
    "TITLE",
    "Board",
    "Options",
    "State",
    "decide",
    "evolve",
    "evolve_board",
    "legal_actions",
    "ranks",
    "score_sheets",
]
