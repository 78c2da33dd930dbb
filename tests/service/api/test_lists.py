"""Lists of tables over HTTP: filters, cursors, and who finds what."""

import pytest

from tests.service.api.playing import match


def ids(answer):
    assert answer.status_code == 200, answer.text
    return [game["id"] for game in answer.json["games"]]


@pytest.fixture
def service(empty_service):
    """A service on an empty store, so that every table in a list is known."""
    return empty_service


@pytest.fixture
def tables(people, service):
    """Tables of every kind, by name."""
    ada, ben, caro, _ = people
    openings = {
        "open": lambda: ada.open(seats=3),
        "rated": lambda: ben.open(seats=4, mode="rated"),
        "invited": lambda: ada.open(seats=3, access="invited", invited=[caro.id]),
        "private": lambda: ada.open(seats=3, access="private"),
        "running": lambda: match([ada, ben]).id,
        "ended": lambda: match([ben, caro]).id,
    }
    made = {}
    for name, opening in openings.items():
        made[name] = opening()
        service.follow()  # the lists number the tables in the order in which they meet them
    ben.act(made["ended"], {"type": "resign"}, "*")
    service.follow()
    return made


def test_everybody_finds_open_tables_newest_first(service, tables):
    """Whoever asks without a token finds open tables and what became of them, and no other ones."""
    listed = service.get("/api/games")
    assert ids(listed) == [tables[name] for name in ("ended", "running", "rated", "open")]
    assert listed.headers["Vary"] == "Authorization, Cookie"
    assert listed.headers["Cache-Control"] == "no-store"
    assert listed.json["next"] is None


def test_players_find_their_own_and_those_they_are_invited_to(people, tables):
    """Private and invited tables are in the lists of those who sit there or are invited, and in nobody else's."""
    ada, ben, caro, dan = people
    assert set(ids(ada.get("/api/games"))) == set(tables.values())
    assert set(ids(caro.get("/api/games"))) == set(tables.values()) - {tables["private"]}
    for outsider in (ben, dan):
        assert set(ids(outsider.get("/api/games"))) == set(tables.values()) - {tables["private"], tables["invited"]}
    assert set(ids(dan.get(f"/api/games?player={ada.id}"))) == {tables["open"], tables["running"]}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("status=open", {"open", "rated"}),
        ("status=running", {"running"}),
        ("status=ended", {"ended"}),
        ("status=closed", set()),
        ("mode=rated", {"rated"}),
        ("seats=3", {"open"}),
        ("seats=2&status=running", {"running"}),
        ("free=3", {"rated"}),
        ("free=2", {"rated", "open"}),
        ("game=keltis", {"open", "rated", "running", "ended"}),
    ],
)
def test_a_filter_leaves_what_fits(service, tables, query, names):
    """Each filter, alone or with others, keeps the tables that fit."""
    assert set(ids(service.get(f"/api/games?{query}"))) == {tables[name] for name in names}


def test_pages_skip_and_repeat_nothing_while_tables_are_added(people, service):
    """Going from page to page one meets every table once that was there at first, whatever is opened meanwhile."""
    there = []
    for number in range(11):
        there.append(people[number % 4].open())
        service.follow()
    met, cursor = [], ""
    while True:
        page = service.get(f"/api/games?limit=3{cursor}")
        met += ids(page)
        people[0].open()
        people[1].post(f"/api/games/{there[0]}/seats")
        service.follow()
        if page.json["next"] is None:
            break
        cursor = f"&cursor={page.json['next']}"
    assert met == there[::-1]


def test_refused_requests_change_no_list(people, service, tables):
    """What is refused leaves the lists as they were, byte for byte."""
    before = people[0].get("/api/games").data
    people[0].post("/api/games", {"game": "keltis", "seats": 9})
    people[3].post(f"/api/games/{tables['invited']}/seats")
    people[3].act(tables["running"], {"type": "resign"}, "*")
    people[0].act(tables["running"], {"type": "draw-card", "source": "deck"}, 1)
    service.follow()
    assert people[0].get("/api/games").data == before
