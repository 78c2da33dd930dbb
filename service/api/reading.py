"""Reading requests strictly: a body is one JSON object of known fields with values of the right kind, or it is refused.

What JSON readers usually let pass (duplicate keys, NaN, `true` for 1, `5.0` for 5) is an error here, told with the
field's path.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from flask import Request, request
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from service.api.problems import FieldError, Problem, invalid

BODY_LIMIT = 16 * 1024
"""Bytes that a request's body may have."""

JSON = "application/json"
DEEPEST = 8
KEY = re.compile(r"[!-~]{1,200}")
MOST = 999_999_999
DIGITS = re.compile(r"0|[1-9][0-9]{0,8}")
VERSION = re.compile(r'"(0|[1-9][0-9]{0,8})(?:-[a-z0-9]{1,9})?"')
"""A version in If-Match, by itself or as the ETag of a view, which says whose eyes it was for."""

AS_IT_IS = ("", "identity")


class WholeNumber(fields.Integer):
    """An integer, and nothing that merely looks like one."""

    def _validated(self, value: Any) -> Any:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class QueryNumber(fields.Integer):
    """A whole number from 0 in a query, in plain digits."""

    def _validated(self, value: Any) -> Any:
        if type(value) is not str or not DIGITS.fullmatch(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class StrictBoolean(fields.Boolean):
    """`true` or `false`."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class Text(fields.String):
    """Text that can be written as UTF-8."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if type(value) is not str:
            raise self.make_error("invalid", input=value)
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValidationError("Not valid text: a surrogate stands alone.") from error
        return value


class Pattern(validate.Regexp):
    """Text that fits a pattern from its first to its last character; the document shows the pattern as it is."""

    def __call__(self, value: Any) -> Any:
        """Return `value`; raise `ValidationError` unless all of it fits."""
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


class StrictParser(FlaskParser):
    """webargs' parser with a strict JSON reader and problems for errors."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"json": RAISE, "query": RAISE}  # noqa: RUF012  # as webargs has it

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        """Return the query's parameters; each may stand once."""
        doubled = [name for name, values in req.args.lists() if len(values) > 1]
        if doubled:
            raise invalid(*(FieldError(name, "This parameter stands more than once.") for name in doubled))
        return super().load_querystring(req, schema)

    def load_json(self, req: Request, schema: Schema) -> Any:
        """Return the body's JSON object."""
        return read_object(req)

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> Any:
        """Tell each wrong field by its path."""
        errors = error.normalized_messages()
        location = errors.pop(next(iter(errors)), {}) if len(errors) == 1 else errors
        raise invalid(*field_errors(location if isinstance(location, dict) else {"": location}, error.data))


class StrictBlueprint(Blueprint):
    """Routes whose arguments are read strictly."""

    ARGUMENTS_PARSER = StrictParser()


def read_object(req: Request) -> dict[str, Any]:
    """Return the JSON object in the body of `req`, or an empty one if there is no body; raise `Problem`."""
    return parse_object(read_json(req))


def read_json(req: Request) -> bytes:
    """Return the body of `req`; raise `Problem` if it has one that is not said to be JSON."""
    environ = req.environ
    try:
        body = _body(req, environ)
    except TimeoutError as stalled:
        raise ClientDisconnected from stalled
    if body and environ.get("CONTENT_TYPE") != JSON and req.mimetype != JSON:
        raise Problem("wrong-content-type", "Send JSON, with Content-Type: application/json.")
    if body and environ.get("HTTP_CONTENT_ENCODING", "").lower() not in AS_IT_IS:
        detail = "Send the JSON as it is, without a Content-Encoding."
        raise Problem("wrong-content-type", detail, headers={"Accept-Encoding": "identity"})
    return body


def _body(req: Request, environ: Mapping[str, Any]) -> bytes:
    """Return the body of `req`: a short one is read at once, without the streams that guard against long ones."""
    length = req.content_length
    if length is None:
        return _chunked_body(req)
    if length > BODY_LIMIT:
        return req.get_data()
    body: bytes = environ["wsgi.input"].read(length)
    if len(body) < length:
        raise ClientDisconnected
    return body


def _chunked_body(req: Request) -> bytes:
    """Return a body that comes without its length, if the server knows where it ends; none of it is cut off."""
    if not req.environ.get("wsgi.input_terminated"):
        return b""
    body: bytes = req.environ["wsgi.input"].read(BODY_LIMIT + 1)
    if len(body) > BODY_LIMIT:
        raise RequestEntityTooLarge
    return body


def parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object that `body` holds, or an empty one if it is empty; raise `Problem`."""
    if not body:
        return {}
    try:
        value = json.loads(body.decode(), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise Problem("malformed-request", f"The body is not JSON: {_unreadable(error)}.") from error
    if not isinstance(value, dict):
        raise Problem("invalid-content", "The body has to be a JSON object.", errors=[])
    errors = list(islice(_oddities(value, ""), 20))
    if errors:
        raise invalid(*errors)
    return value


def idempotency_key() -> str | None:
    """Return the request's idempotency key, if it has one; raise `Problem` if it is none."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")  # a header at its place: quicker than by its name
    if key is not None and not KEY.fullmatch(key):
        raise Problem("malformed-request", "An Idempotency-Key has 1 to 200 visible ASCII characters and no spaces.")
    return key


def if_match(*, any_version: bool = False) -> int | None:
    """Return the version in If-Match; None for `*`, where `any_version` allows it. Raise `Problem`."""
    value: str | None = request.environ.get("HTTP_IF_MATCH")
    if value is None:
        raise Problem("version-needed", 'Send If-Match with the version that you saw, such as If-Match: "12".')
    if value == "*" and any_version:
        return None
    match = VERSION.fullmatch(value)
    if match is None:
        raise Problem("malformed-request", 'If-Match is one version in double quotes, such as "12", or a view\'s ETag.')
    return int(match[1])


def field_errors(messages: Mapping[Any, Any], sent: object, prefix: str = "") -> list[FieldError]:
    """Return marshmallow's messages, which come in no order, as a flat list of paths and reasons.

    They stand in the order of what was `sent`; what is missing there comes last, by name.
    """
    found: list[FieldError] = []
    items = dict(_items(sent))
    places = {name: place for place, name in enumerate(items)}
    for name in sorted(messages, key=lambda name: (places.get(name, len(places)), str(name))):
        path, reasons = _below(prefix, name), messages[name]
        if isinstance(reasons, Mapping):
            found += field_errors(reasons, items.get(name), path)
        else:
            found += [FieldError(path, str(reason)) for reason in reasons]
    return found


def _unreadable(error: ValueError | RecursionError) -> str:
    """Say what keeps a body from being read, in words of our own: Python's may change, and speak of Python."""
    match error:
        case json.JSONDecodeError():
            return f"it cannot be read on from line {error.lineno}, column {error.colno}"
        case UnicodeDecodeError():
            return f"byte {error.start + 1} is not UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return "a number has too many digits"


class _Doubled(dict[str, Any]):
    """An object in which `names` stand more than once."""

    names: Sequence[str] = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    doubled = _Doubled(value)
    doubled.names = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]
    return doubled


def _oddities(value: object, path: str, depth: int = 1) -> Iterator[FieldError]:
    """Yield what no field may hold: objects with a name twice, numbers that JSON does not have, towers of brackets."""
    if isinstance(value, float) and not math.isfinite(value):
        yield FieldError(path, "NaN and Infinity are no numbers of JSON.")
    if not isinstance(value, dict | list):
        return
    if depth > DEEPEST:
        yield FieldError(path, f"This is nested more than {DEEPEST} deep.")
        return
    if isinstance(value, _Doubled):
        yield from (FieldError(_below(path, name), "This field stands twice.") for name in value.names)
    for name, item in _items(value):
        yield from _oddities(item, _below(path, name), depth + 1)


def _items(value: object) -> Iterable[tuple[Any, Any]]:
    """Return what `value` holds, each with its name or place, if it can hold anything."""
    if isinstance(value, Mapping):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _below(path: str, name: str | int) -> str:
    return f"{path}.{name}" if path else str(name)
