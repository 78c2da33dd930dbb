"""What may be sent: marshmallow schemas of the requests' bodies and queries."""

import unicodedata
from collections.abc import Mapping
from typing import Any, get_args

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from events.actions import (
    DECK,
    Access,
    CreateGame,
    DiscardCard,
    DrawCard,
    FigureKind,
    Mode,
    Move,
    MoveFigure,
    PlayCard,
    Resign,
)
from events.cards import COLOURS, FACES
from events.games import GAMES
from events.table import BOTS, Status
from service.api.reading import MOST, Pattern, QueryNumber, StrictBoolean, Text, WholeNumber

LONGEST_NAME = 60
BREAKS_THE_LINE = {"Cc", "Zl", "Zp"}
"""Categories of control characters and of what ends a line or paragraph."""
PLAYER_ID = "^p[0-9a-f]{19}$"


def _is_name(name: str) -> None:
    """A name is kept exactly as it is, in any script; only what no one could see or say is refused."""
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise ValidationError("A name has something to read in it.")
    if any(unicodedata.category(character) in BREAKS_THE_LINE for character in name):
        raise ValidationError("A name has no control characters.")


class NewPlayerSchema(Schema):
    """A player to be made."""

    name = Text(
        required=True,
        validate=[validate.Length(1, LONGEST_NAME), _is_name],
        metadata={"description": "Shown to everybody, kept exactly as sent.", "example": "Ada"},
    )


class OptionsField(fields.Dict):
    """A game's options; what is left out gets its default."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        game = data.get("game") if data else None
        if not isinstance(value, dict):
            raise self.make_error("invalid", input=value)
        if not isinstance(game, str) or game not in GAMES:
            return {}
        return chosen_options(game, value)


class NewGameSchema(Schema):
    """A table to be opened."""

    game = Text(required=True, validate=validate.OneOf(tuple(GAMES)), metadata={"example": "keltis"})
    seats = WholeNumber(required=True, validate=validate.Range(2, 4), metadata={"example": 3})
    options = OptionsField(
        metadata={"description": "See /api/catalogue.", "example": {"tiebreak": "shared"}},
    )
    access = Text(load_default="open", validate=validate.OneOf(get_args(Access)))
    mode = Text(load_default="unrated", validate=validate.OneOf(get_args(Mode)))
    host_plays = StrictBoolean(load_default=True)
    bots = fields.List(Text(validate=validate.OneOf(BOTS)), load_default=list, validate=validate.Length(max=4))
    invited = fields.List(Text(validate=Pattern(PLAYER_ID)), load_default=list, validate=validate.Length(max=20))
    seed = Text(
        load_default=None,
        validate=Pattern("^[0-9a-f]{64}$"),
        metadata={"description": "32 bytes in hex, for tables of mode unrated-test alone."},
    )

    @validates_schema
    def _fits_together(self, data: dict[str, Any], **_: Any) -> None:
        if data["seed"] is not None and data["mode"] != "unrated-test":
            raise ValidationError("Only a table of mode unrated-test may choose its seed.", "seed")
        if len(data["bots"]) + data["host_plays"] > data["seats"]:
            raise ValidationError("There are more bots than seats.", "bots")
        if data["invited"] and data["access"] != "invited":
            raise ValidationError("Only a table with access invited has a list of the invited.", "invited")


class SeatSchema(Schema):
    """Somebody who sits down: the asking player, or a bot if the host names one."""

    bot = Text(validate=validate.OneOf(BOTS), metadata={"description": "Seat a bot instead (the host only)."})
    entropy = Text(
        validate=validate.Length(1, 128), metadata={"description": "Mixed into the shuffle.", "example": "42 sheep"}
    )
    link = Text(validate=validate.Length(1, 100), metadata={"description": "A private table's secret."})

    @validates_schema
    def _one_of_both(self, data: dict[str, Any], **_: Any) -> None:
        if "bot" in data and len(data) > 1:
            raise ValidationError("A bot brings neither entropy nor a link.", "bot")


class StartSchema(Schema):
    """A game to be started."""

    entropy = Text(load_default=None, validate=validate.Length(1, 128), metadata={"description": "See the seats."})


class PlayCardSchema(Schema):
    """Lay a card."""

    card = Text(required=True, validate=validate.OneOf(tuple(FACES)))
    figure = Text(allow_none=True, validate=validate.OneOf(get_args(FigureKind)))


class DiscardCardSchema(Schema):
    """Discard a card."""

    card = Text(required=True, validate=validate.OneOf(tuple(FACES)))


class MoveFigureSchema(Schema):
    """Move a figure one stone."""

    path = Text(required=True, validate=validate.OneOf(COLOURS))


class DrawCardSchema(Schema):
    """Draw a card."""

    source = Text(required=True, validate=validate.OneOf((DECK, *COLOURS)))


class ResignSchema(Schema):
    """Resign."""


MOVES: dict[str, tuple[Schema, type[Move]]] = {
    "play-card": (PlayCardSchema(), PlayCard),
    "discard-card": (DiscardCardSchema(), DiscardCard),
    "move-figure": (MoveFigureSchema(), MoveFigure),
    "draw-card": (DrawCardSchema(), DrawCard),
    "resign": (ResignSchema(), Resign),
}
"""Each move's schema and type, by what its `type` says."""


class ViewQuery(Schema):
    """How a view is asked for."""

    wait = QueryNumber(
        validate=validate.Range(0, MOST),
        metadata={"description": "Answer when the version is greater than this, or after a while."},
    )
    version = QueryNumber(validate=validate.Range(1, MOST), metadata={"description": "The game as it stood then."})


class GamesQuery(Schema):
    """Which tables are listed, and how many on a page."""

    status = Text(validate=validate.OneOf(get_args(Status)))
    game = Text(validate=validate.OneOf(tuple(GAMES)))
    mode = Text(validate=validate.OneOf(get_args(Mode)))
    seats = QueryNumber(validate=validate.Range(2, 4))
    player = Text(validate=Pattern(PLAYER_ID), metadata={"description": "Only tables where this player sits."})
    free = QueryNumber(validate=validate.Range(0, 4), metadata={"description": "At least so many free seats."})
    cursor = Text(validate=validate.Length(1, 60))
    limit = QueryNumber(load_default=50, validate=validate.Range(1, 200))


class LogQuery(Schema):
    """Which entries are asked for."""

    after = QueryNumber(
        load_default=0, validate=validate.Range(0, MOST), metadata={"description": "Entries above this version."}
    )
    limit = QueryNumber(load_default=200, validate=validate.Range(1, 1000))


def chosen_options(game: str, options: Mapping[str, object]) -> dict[str, Any]:
    """Return every option of `game` with its value, by name; raise `ValidationError` by field."""
    known = {option.name: option for option in GAMES[game].CATALOGUE}
    errors = {name: ["There is no such option."] for name in options if name not in known}
    for name in options.keys() & known.keys():
        choices = known[name].choices
        if not any(type(options[name]) is type(choice) and options[name] == choice for choice in choices):
            errors[name] = [f"Must be one of: {', '.join(map(_json_word, choices))}."]
    if errors:
        raise ValidationError(errors)
    return {name: options.get(name, known[name].default) for name in sorted(known)}  # as the log orders them


def new_game(data: Mapping[str, Any], link: str | None) -> CreateGame:
    """Return the action that a checked body asks for."""
    return CreateGame(
        game=data["game"],
        seats=data["seats"],
        options=data["options"] if "options" in data else chosen_options(data["game"], {}),
        access=data["access"],
        mode=data["mode"],
        host_plays=data["host_plays"],
        bots=tuple(data["bots"]),
        invited=tuple(data["invited"]),
        link=link,
    )


def _json_word(choice: object) -> str:
    return str(choice).lower() if isinstance(choice, bool) else str(choice)
