"""Looking over HTTP: views by seat, the raw log and its chain, and the headers of every answer."""

import json
from hashlib import sha256
from random import Random

import pytest
from freezegun import freeze_time

from replay.audit import audit
from tests.service.api.playing import SEED, Service, events_of, match

PUBLIC = ["/api/catalogue", "/api/problems", "/api/problems/not-found", "/api/key", "/api/ready", "/api/openapi.json"]


@pytest.mark.parametrize("path", PUBLIC)
def test_what_the_service_is_can_be_read_by_anybody(service, path):
    """The catalogue, the problems, the key, the readiness and the document are there without a token."""
    answer = service.get(path)
    assert answer.status_code == 200
    assert answer.content_type == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", [path for path in PUBLIC if path != "/api/ready"])
def test_what_does_not_change_is_not_sent_twice(service, path):
    """Public data has an ETag, and a client that has it already is told so with 304."""
    first = service.get(path)
    again = service.get(path, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_every_problem_that_is_told_is_described(service):
    """Each problem type has a page with its name, status and sentence; broken rules have their section."""
    for kind in service.get("/api/problems").json["problems"]:
        assert service.get(f"/api/problems/{kind['name']}").json == kind
        assert kind["title"].endswith(".")


def test_the_catalogue_says_what_can_be_played(service, people):
    """Every count of seats and every choice of every option that the catalogue offers makes a table."""
    (keltis,) = service.get("/api/catalogue").json["games"]
    for seats in keltis["seats"]:
        assert people[0].view(people[0].open(seats=seats))["seats"] == seats
    defaults = people[0].view(people[0].open())["options"]
    for option in keltis["options"]:
        assert defaults[option["name"]] == option["default"]
        for choice in option["choices"]:
            table = people[0].open(options={option["name"]: choice})
            assert people[0].view(table)["options"] == {**defaults, option["name"]: choice}


def test_each_sees_the_own_hand_alone(people, service):
    """A seat sees its own cards, the others' backs, and its legal actions; everybody else sees backs only."""
    game = match(people[:3])
    game.play(7)
    for seat, person in enumerate(game.people):
        view = person.view(game.id)
        assert view["eyes"] == seat
        shown = [[card for card in chair["hand"] if card is not None] for chair in view["board"]["seats"]]
        assert [len(cards) for cards in shown] == [8 if seat == own else 0 for own in range(3)] or len(shown[seat]) >= 7
        assert all(not cards for own, cards in enumerate(shown) if own != seat)
        assert {"type": "resign"} in view["legal_actions"]
    for view in (service.get(game.path).json, people[3].view(game.id)):
        assert view["eyes"] == "spectator"
        assert view["legal_actions"] == []
        assert not any(card for chair in view["board"]["seats"] for card in chair["hand"])


def test_every_listed_action_is_legal_and_no_other_card_is(people):
    """What a view lists is accepted; what it leaves out of the own hand is refused."""
    game = match(people[:2], **{"mode": "unrated-test", "seed": SEED})
    random = Random(3)
    for _ in range(30):
        mover, view = game.to_act()
        answer = mover.act(game.id, random.choice(view["legal_actions"][:-1]), view["version"])
        assert answer.status_code == 201
        assert answer.json["view"] == mover.view(game.id)


def test_an_answer_to_one_viewer_is_for_that_viewer(game, service):
    """A view may be kept by its viewer alone, is checked before it is shown again, and varies with the token."""
    for answer in (service.get(game.path), game.people[0].get(game.path), game.people[0].get(f"{game.path}?version=1")):
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["Vary"] == "Authorization, Cookie"
        assert answer.headers["ETag"] == f'"{answer.json["version"]}-{answer.json["eyes"]}"'
    unchanged = game.people[0].get(game.path, **{"If-None-Match": '"2-0"'})
    assert (unchanged.status_code, unchanged.data) == (304, b"")
    game.play(1)
    assert game.people[0].get(game.path, **{"If-None-Match": '"2-0"'}).status_code == 200


def test_what_others_saw_is_never_taken_for_ones_own_view(game, service):
    """Who has the view of other eyes, at whatever version, is sent a view in full: 304 would leave them with it."""
    viewers = [*game.people, service]
    seen = [viewer.get(game.path).headers["ETag"] for viewer in viewers]
    for viewer in viewers:
        answers = [viewer.get(game.path, **{"If-None-Match": etag}).status_code for etag in seen]
        assert answers == [304 if whose is viewer else 200 for whose in viewers]


def test_an_earlier_view_is_another_once_all_is_revealed(people, service):
    """The view of an earlier version has another ETag after the end, when everybody's cards are shown in it."""
    game = match(people[:2])
    seat = game.people[0]
    before = seat.get(f"{game.path}?version=2")
    game.people[1].act(game.id, {"type": "resign"}, "*")
    assert seat.get(f"{game.path}?version=2", **{"If-None-Match": before.headers["ETag"]}).status_code == 304
    service.commands.close(game.id)
    after = seat.get(f"{game.path}?version=2", **{"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert after.json["eyes"] == "all"


@pytest.mark.parametrize("header", ['"9"', "*", '"2"', "odd"])
def test_if_match_does_not_count_where_one_only_looks(service, game, header):
    """Looking is never refused for a version, as If-Match speaks of what is to be changed."""
    for path in (game.path, "/api/catalogue"):
        seen = service.get(path, **{"If-Match": header})
        assert (seen.status_code, seen.content_type) == (200, "application/json")


def test_the_head_of_an_answer_is_that_of_the_answer(service, game):
    """HEAD gives the headers of GET, and no body, also of a stream without an end."""
    for path in (game.path, "/api/catalogue", "/api/games", f"{game.path}/log", f"{game.path}/stream"):
        head = service.ask("HEAD", path)
        assert (head.status_code, head.data) == (200, b"")


def test_an_earlier_version_is_shown_as_it_was(people):
    """A view of a past version is what the same viewer saw then, byte for byte."""
    game = match(people[:2])
    seen = {2: [person.get(game.path).data for person in people[:3]]}
    for version in range(3, 9):
        game.play(1)
        seen[version] = [person.get(game.path).data for person in people[:3]]
    for version, views in seen.items():
        assert [person.get(f"{game.path}?version={version}").data for person in people[:3]] == views


def test_before_the_start_a_seat_has_its_old_number(people):
    """Seats are numbered anew at the start; a view of an earlier version shows the seat that the viewer had then."""
    host, leaver, last = people[:3]
    game_id = host.open(seats=4)
    path = f"/api/games/{game_id}"
    leaver.post(f"{path}/seats")
    last.post(f"{path}/seats")
    then = last.get(path).data
    leaver.ask("DELETE", f"{path}/seats/mine")
    host.post(f"{path}/start")
    assert last.view(game_id)["eyes"] == 1
    assert last.get(f"{path}?version=3").data == then
    assert json.loads(then)["eyes"] == 2


def test_the_log_is_public_and_its_chain_can_be_recomputed(people, service, other):
    """Anybody reads the raw log at any moment, in parts, and computes the head from it alone."""
    game = match(people[:2])
    game.play(5)
    entries, after = [], 0
    while (page := service.get(f"{game.path}/log?after={after}&limit=3").json)["entries"]:
        entries += page["entries"]
        after = page["next"]
    assert [entry["version"] for entry in entries] == list(range(1, 8))
    link = bytes(32)
    for entry in entries:
        link = sha256(link + entry["body"].encode()).digest()
        assert entry["link"] == link.hex()
        assert json.loads(entry["body"])["version"] == entry["version"]
        body = json.dumps(json.loads(entry["body"]), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert body == entry["body"]
    for process in (service, other):
        assert process.get(f"{game.path}/head").json == {"version": 7, "head": link.hex()}
    assert page == {"entries": [], "next": 7}


def test_a_game_is_closed_shown_to_all_and_audited(people, service):
    """After the end everybody sees everything, the seed fits its commitment, and the record passes the audit."""
    game = match(people[:2])
    commitment = people[0].view(game.id)["commitment"]
    game.finish(Random(5))
    view = service.get(game.path).json
    assert (view["status"], view["eyes"]) == ("closed", "all")
    assert sha256(bytes.fromhex(view["seed"])).hexdigest() == commitment
    assert all(card for chair in view["board"]["seats"] for card in chair["hand"])
    assert view["outcome"]["winners"]
    assert events_of(service.bodies(game.id)[-1]) == ["seed-revealed", "game-scored"]
    assert len({person.get(game.path).data for person in people}) == 1
    record = service.get(f"{game.path}/record")
    assert record.headers["Content-Disposition"] == f'attachment; filename="{game.id}.cairn.json"'
    assert audit(record.data).good
    assert service.commands.close(game.id) is None


def test_times_are_those_of_the_clock_and_never_run_backwards(api_server, keys):
    """Entries carry the clock's time; when the clock is set back, time stands still in the log."""
    with freeze_time("2026-12-01T10:00:00.123456", ignore=["redis"]) as frozen:
        service = Service(api_server.url, keys)
        game = match([service.player("Ada"), service.player("Ben")])
        frozen.move_to("2026-12-01T09:00:00")
        game.play(1)
        frozen.move_to("2026-12-01T10:00:01.999999")
        game.play(1)
        frozen.move_to("2026-12-02T00:30:00+00:00")
        game.play(1)
        told = [line["at"] for line in service.get(f"{game.path}/history").json["history"]]
        service.close()
    assert told == [
        "2026-12-01T10:00:00.123Z",
        "2026-12-01T10:00:00.123Z",
        "2026-12-01T10:00:00.123Z",
        "2026-12-01T10:00:01.999Z",
        "2026-12-02T00:30:00.000Z",
    ]
