"""Players over HTTP: names in any script, tokens that are shown once and kept nowhere."""

import logging

import pytest

from events.store import Stream
from tests.service.api.playing import match, paths, problem

NAMES = [
    "Ada",
    "  Ada  ",
    "Łukasz Żółć",
    "Åsa",
    "A\u030asa",
    "Αδα",
    "Ада",
    "עדה",
    "آدا",
    "एडा",
    "阿達",
    "エイダ",
    "에이다",
    "👩‍💻",
    "می‌خواهم",
    "<b>&amp;'\"",
    "{}",
    "null",
    "a" * 60,
    "🜁" * 60,
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_kept_exactly(service, name):
    """A name in any script is told as it was sent, at every place."""
    person = service.player(name)
    assert service.get(f"/api/players/{person.id}").json == {"id": person.id, "name": name}
    assert person.get("/api/players/me").json == {"id": person.id, "name": name}
    table = person.open()
    assert person.view(table)["table"][0]["name"] == name
    assert service.get(f"/api/games/{table}/history").json["history"][0]["sentences"][1].startswith(name)


@pytest.mark.parametrize(
    "name",
    ["", " ", "\t", "\u200b", "\u2060\u200d", "\u3000", "a\nb", "a\x00", "\x7f", "a" * 61, "\ud800", "Ada\udfff"],
)
def test_a_name_that_nobody_can_read_is_refused(service, name):
    """Names without a visible character, with control characters, halves of characters or too long are refused."""
    assert paths(_refused(service, {"name": name})) == {"name"}


@pytest.mark.parametrize("sign", "\u2028\u2029\x85\x9b")
def test_a_name_has_one_line(service, sign):
    """What would break a name's line is refused; which way its text runs is for whoever shows it."""
    assert paths(_refused(service, {"name": f"Ada{sign}x"})) == {"name"}


@pytest.mark.parametrize("name", [None, True, 5, 5.0, [], ["Ada"], {}, {"a": "b"}])
def test_a_name_is_text(service, name):
    """Nothing but text is a name."""
    assert paths(_refused(service, {"name": name})) == {"name"}


def test_two_players_may_have_one_name(service):
    """A name is no identity."""
    assert service.player("Ada").id != service.player("Ada").id


def test_a_token_is_told_once_and_never_again(service, caplog):
    """Neither an answer, nor a log line, nor the store holds the token or its secret part, but for the first answer."""
    caplog.set_level(logging.DEBUG)
    ada, ben = service.player("Ada"), service.player("Ben")
    game = match([ada, ben])
    game.play(2)
    secret = ada.token.partition(".")[2]
    told = [
        *(service.get(path) for path in _addresses(game, ada)),
        *(ada.get(path) for path in _addresses(game, ada)),
        ada.get("/api/players/me"),
        ada.act(game.id, {"type": "draw-card", "source": "red"}, 1),
        service.ask("GET", "/api/players/me", headers={"Authorization": f"Bearer {ada.token}x"}),
    ]
    stored = [entry.body for entry in service.store.read(Stream("player", ada.id))] + service.bodies(game.id)
    everything = b"\n".join([*stored, *(answer.data + str(answer.headers).encode() for answer in told)])
    assert secret.encode() not in everything
    assert secret not in caplog.text


def test_a_token_is_stored_as_a_digest(service):
    """What the log keeps of a token is its SHA-256."""
    from hashlib import sha256

    ada = service.player("Ada")
    (stored,) = service.store.read(Stream("player", ada.id))
    assert sha256(ada.token.partition(".")[2].encode()).hexdigest().encode() in stored.body


def test_a_repeated_creation_is_one_player(service, other):
    """A secret key of 16 characters or more names one player; a repeat gets the very same answer."""
    headers = {"Idempotency-Key": "a-secret-of-mine-0001"}
    answers = [
        process.ask("POST", "/api/players", json={"name": "Ada"}, headers=headers)
        for process in (service, other, service)
    ]
    assert len({answer.data for answer in answers}) == 1
    reused = service.ask("POST", "/api/players", json={"name": "Eve"}, headers=headers)
    problem(reused, 422, "idempotency-key-reused")
    assert answers[0].json["token"] not in reused.text


def test_a_short_key_is_no_secret(service):
    """A key that could be guessed would give the token away, so it is refused."""
    refused = service.ask("POST", "/api/players", json={"name": "Ada"}, headers={"Idempotency-Key": "guess-me"})
    problem(refused, 400, "malformed-request")


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic YWRhOmFkYQ==",
        "Bearer p0000000000000000000.x",
        "Bearer a b",
        "Bearer " + "a" * 300,
        "Bearer p..",
        "Bearer \xff",
        "Token {token}",
        "Bearer {token}x",
        "Bearer {token} ",
        "Bearer {id}",
        "Bearer {id}.",
        "{token}",
    ],
)
@pytest.mark.parametrize("path", ["/api/players/me", "/api/games"])
def test_a_wrong_token_is_refused_wherever_it_counts(service, header, path):
    """A header that holds no player's token is 401, also where no token is needed, and says how to come in."""
    ada = service.player("Ada")
    sent = header.replace("{token}", ada.token).replace("{id}", ada.id)
    refused = service.get(path, Authorization=sent)
    problem(refused, 401, "unauthorised")
    assert refused.headers["WWW-Authenticate"] == "Bearer"


def test_the_word_bearer_is_read_in_any_case(service):
    """The scheme's name is not case-sensitive, as HTTP has it."""
    ada = service.player("Ada")
    for scheme in ("bearer", "BEARER", "Bearer "):
        assert service.get("/api/players/me", Authorization=f"{scheme} {ada.token}").status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/players/me"),
        ("POST", "/api/games"),
        ("POST", "/api/games/{id}/seats"),
        ("DELETE", "/api/games/{id}/seats/mine"),
        ("POST", "/api/games/{id}/start"),
        ("POST", "/api/games/{id}/rematch"),
        ("POST", "/api/games/{id}/actions"),
    ],
)
def test_what_a_player_does_needs_a_token(service, game, method, path):
    """Whoever does something has to say who it is, before anything else is looked at."""
    body = {"type": "resign"} if path.endswith("actions") else {"game": "keltis", "seats": 2} if "{" not in path else {}
    refused = service.ask(method, path.replace("{id}", game.id), json=body)
    problem(refused, 401, "unauthorised")
    assert refused.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("player", ["x", "p0000000000000000000", "p" * 200, "%00", "%ff", "..", "me%2f", "é"])
def test_an_unknown_player_is_not_found(service, player):
    """There is nobody behind an id that was never given."""
    problem(service.get(f"/api/players/{player}"), 404, "not-found")


def _refused(service, body):
    answer = service.ask("POST", "/api/players", json=body)
    problem(answer, 422, "invalid-content")
    return answer


def _addresses(game, person):
    return [
        "/api/games",
        f"/api/players/{person.id}",
        *(game.path + tail for tail in ("", "?version=1", "/log", "/history", "/head", "/record")),
    ]
