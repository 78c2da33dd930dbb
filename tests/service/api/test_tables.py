"""Tables over HTTP: who may sit down, who may start, what lists show, and how games end by leaving."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from events.codec import decode
from tests.service.api.playing import SEED, match, paths, problem


def test_a_table_starts_when_it_is_full(people):
    """When somebody takes the last seat, the cards are dealt."""
    ada, ben = people[:2]
    table = ada.open(seats=2)
    assert ada.view(table)["board"] is None
    joined = ben.post(f"/api/games/{table}/seats")
    assert (joined.status_code, joined.headers["ETag"]) == (201, '"2-1"')
    assert joined.json["view"]["status"] == "running"
    assert [chair["name"] for chair in joined.json["view"]["table"]] == ["Ada", "Ben"]
    assert len(joined.json["view"]["board"]["seats"][1]["hand"]) == 8


def test_the_host_starts_early(people):
    """With two seats taken the host starts, and nobody else."""
    ada, ben = people[:2]
    table = ada.open(seats=4)
    problem(ada.post(f"/api/games/{table}/start"), 409, "too-few-seats")
    ben.post(f"/api/games/{table}/seats")
    problem(ben.post(f"/api/games/{table}/start"), 403, "not-the-host")
    started = ada.post(f"/api/games/{table}/start", {"entropy": "thirteen"})
    assert started.status_code == 201
    assert len(started.json["view"]["board"]["seats"]) == 2
    problem(ada.post(f"/api/games/{table}/start"), 409, "game-started")


def test_a_host_may_open_a_table_for_others(people):
    """A host that does not play sits nowhere, and starts all the same."""
    ada, ben, caro, _ = people
    table = ada.open(seats=3, host_plays=False)
    for person in (ben, caro):
        person.post(f"/api/games/{table}/seats")
    assert ada.post(f"/api/games/{table}/start").json["view"]["eyes"] == "spectator"


def test_a_seat_can_be_given_back_before_the_start(people):
    """Whoever leaves frees the seat for somebody else; after the start nobody leaves that way."""
    ada, ben, caro, _ = people
    table = ada.open(seats=3)
    ben.post(f"/api/games/{table}/seats")
    left = ben.ask("DELETE", f"/api/games/{table}/seats/mine")
    assert left.json["view"]["table"][1]["free"] is True
    problem(ben.ask("DELETE", f"/api/games/{table}/seats/mine"), 403, "not-seated")
    assert caro.post(f"/api/games/{table}/seats").json["view"]["table"][1]["name"] == "Caro"
    ada.post(f"/api/games/{table}/start")
    problem(caro.ask("DELETE", f"/api/games/{table}/seats/mine"), 409, "game-started")


def test_nobody_sits_twice_or_on_a_taken_seat(people):
    """A player has one seat, a table as many as it has."""
    ada, ben, caro, _ = people
    table = ada.open(seats=3, bots=["random"])
    problem(ada.post(f"/api/games/{table}/seats"), 409, "already-seated")
    ben.post(f"/api/games/{table}/seats")
    problem(caro.post(f"/api/games/{table}/seats"), 409, "game-started")
    full = ada.open(seats=2, bots=["random"])
    problem(caro.post(f"/api/games/{full}/seats"), 409, "table-full")


def test_only_the_host_seats_bots(people):
    """A bot takes a seat when the host says so, under its own name."""
    ada, ben = people[:2]
    table = ada.open(seats=4, bots=["greedy"])
    problem(ben.post(f"/api/games/{table}/seats", {"bot": "random"}), 403, "not-the-host")
    seated = ada.post(f"/api/games/{table}/seats", {"bot": "random"})
    assert [chair["bot"] for chair in seated.json["view"]["table"]] == [None, "greedy", "random", None]
    assert paths(ada.post(f"/api/games/{table}/seats", {"bot": "hal"})) == {"bot"}
    assert paths(ada.post(f"/api/games/{table}/seats", {"bot": "random", "entropy": "x"})) == {"bot"}
    assert paths(ada.post("/api/games", {"game": "keltis", "seats": 2, "bots": ["random", "greedy"]})) == {"bots"}


def test_an_invited_table_is_for_the_invited(people):
    """Only those whom the host named sit down at an invited table."""
    ada, ben, caro, _ = people
    table = ada.open(seats=3, access="invited", invited=[ben.id])
    problem(caro.post(f"/api/games/{table}/seats"), 403, "not-invited")
    assert ben.post(f"/api/games/{table}/seats").status_code == 201
    order = {"game": "keltis", "seats": 2, "access": "invited"}
    unknown = "p" + "0" * 19
    assert paths(ada.post("/api/games", {**order, "invited": [ben.id, unknown]})) == {"invited.1"}
    assert paths(ada.post("/api/games", {**order, "invited": [ben.id + "0"]})) == {"invited.0"}
    assert paths(ada.post("/api/games", {**order, "access": "open", "invited": [ben.id]})) == {"invited"}


def test_a_private_table_is_for_those_with_its_link(people):
    """The link is told to the host alone, in the answer to the opening; the log has its digest."""
    ada, ben, caro, _ = people
    opened = ada.post("/api/games", {"game": "keltis", "seats": 2, "access": "private"}, "private-table")
    table, link = opened.json["id"], opened.json["link"]
    for wrong in ({}, {"link": "x"}, {"link": link[:-1]}, {"link": link + "x"}, {"link": "é"}):
        problem(caro.post(f"/api/games/{table}/seats", wrong), 403, "forbidden")
    assert ben.post(f"/api/games/{table}/seats", {"link": link}, "join").status_code == 201
    told = [ben.get(f"/api/games/{table}{tail}").text for tail in ("", "/log", "/history", "/record")]
    assert not any(link in text for text in told)
    assert (
        ada.post("/api/games", {"game": "keltis", "seats": 2, "access": "private"}, "private-table").data == opened.data
    )


def test_parallel_joins_never_overfill(people, service, other):
    """Of many who join at once by two processes, as many sit as there are seats; the rest is told why not."""
    crowd = [service.player(f"P{number}") for number in range(12)]
    table = people[0].open(seats=4)
    asked = [person if number % 2 else person.at(other) for number, person in enumerate(crowd)]
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda person: person.post(f"/api/games/{table}/seats"), asked))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 9
    view = people[0].view(table)
    assert len({chair["player"] for chair in view["table"]}) == 4
    assert view["version"] == len(service.bodies(table)) == 4


def test_a_seed_can_be_chosen_for_tests_alone(people):
    """Nobody chooses the seed of a table that is not marked as a test, and such a table says so."""
    for mode in ("rated", "unrated"):
        refused = people[0].post("/api/games", {"game": "keltis", "seats": 2, "mode": mode, "seed": SEED})
        assert paths(refused) == {"seed"}
    table = people[0].open(mode="unrated-test", seed=SEED)
    assert people[0].view(table)["mode"] == "unrated-test"


def test_resigning_ends_a_game_of_two(people):
    """With two seats the other one wins at once, whoever was to act."""
    for resigner in (0, 1):
        game = match(people[:2])
        done = people[resigner].act(game.id, {"type": "resign"}, "*")
        outcome = done.json["view"]["outcome"]
        assert (outcome["reason"], outcome["winners"]) == ("resignation", [1 - resigner])
        again = people[1 - resigner].act(game.id, {"type": "resign"}, "*")
        problem(again, 422, "game-over")


@pytest.mark.parametrize("on_turn", [True, False])
def test_resigning_among_three_lets_the_others_go_on(people, on_turn):
    """With three seats the others go on without the resigner, who comes last in the end."""
    game = match(people[:3])
    mover, view = game.to_act()
    resigner = mover if on_turn else next(person for person in game.people if person is not mover)
    seat = game.people.index(resigner)
    done = resigner.act(game.id, {"type": "resign"}, "*")
    assert done.json["view"]["status"] == "running"
    assert done.json["view"]["legal_actions"] == []
    problem(resigner.act(game.id, {"type": "draw-card", "source": "deck"}, view["version"] + 1), 422, "seat-resigned")
    assert (game.to_act()[0] is mover) is not on_turn
    game.play(4)
    second = game.people[(seat + 1) % 3]
    outcome = second.act(game.id, {"type": "resign"}, "*").json["view"]["outcome"]
    assert outcome["ranks"][seat] == 3
    assert outcome["ranks"][(seat + 1) % 3] == 2
    assert outcome["winners"] == [(seat + 2) % 3]


def test_a_rematch_is_the_same_table_again(people):
    """Seats and options stay, the next seat goes first, and there is one rematch whoever asks and however often."""
    game = match(people[:3], options={"direction": "ascending"}, mode="rated")
    first = people[0].view(game.id)["board"]["turn"]["seat"]
    problem(people[0].post(f"{game.path}/rematch"), 409, "game-not-over")
    for person in people[:2]:
        person.act(game.id, {"type": "resign"}, "*")
    problem(people[3].post(f"{game.path}/rematch"), 403, "not-seated")
    asked = [people[number] for number in (2, 0, 2, 0, 1)]
    answers = [person.post(f"{game.path}/rematch") for person in asked]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json["view"]["id"] for answer in answers}) == 1
    assert answers[0].data == answers[2].data
    assert answers[1].data == answers[3].data
    view = answers[-1].json["view"]
    assert [chair["name"] for chair in view["table"]] == ["Ada", "Ben", "Caro"]
    assert (view["status"], view["mode"], view["options"]["direction"]) == ("running", "rated", "ascending")
    assert view["board"]["turn"]["seat"] == (first + 1) % 3
    requests = [decode(body).request for body in people[0].service.bodies(view["id"])]
    assert {len(request) for request in requests} == {20}


def test_a_rematch_asked_for_by_all_at_once_is_one_table(people, other):
    """All players who ask at the same moment by two processes meet at one table."""
    game = match(people[:4])
    for person in people[:3]:
        person.act(game.id, {"type": "resign"}, "*")
    asked = [person.at(other) if number % 2 else person for number, person in enumerate(people)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda person: person.post(f"{game.path}/rematch"), asked))
    assert {answer.status_code for answer in answers} == {201}
    (table,) = {answer.json["view"]["id"] for answer in answers}
    assert people[0].view(table)["status"] == "running"
    assert [chair["name"] for chair in people[0].view(table)["table"]] == ["Ada", "Ben", "Caro", "Dan"]


def test_who_left_a_rematch_may_come_back(people):
    """A player who got up from the rematch's table and asks again sits down again, on the seat that is theirs."""
    game = match(people[:2])
    people[0].act(game.id, {"type": "resign"}, "*")
    for person in people[:2]:
        table = person.post(f"{game.path}/rematch").json["view"]["id"]
        if person is people[0]:
            person.ask("DELETE", f"/api/games/{table}/seats/mine")
            assert person.post(f"{game.path}/rematch").json["view"]["table"][0]["name"] == "Ada"
    assert people[0].view(table)["status"] == "running"


def test_a_rematch_keeps_the_bots_seats(people):
    """Bots sit where they sat, and no stranger gets a seat."""
    table = people[0].open(seats=3, bots=["greedy", "random"])
    people[0].post(f"/api/games/{table}/start")
    people[0].act(table, {"type": "resign"}, "*")
    problem(people[0].post(f"/api/games/{table}/rematch"), 409, "game-not-over")
    duel = people[0].open(seats=2, bots=["greedy"])
    people[0].post(f"/api/games/{duel}/start")
    people[0].act(duel, {"type": "resign"}, "*")
    view = people[0].post(f"/api/games/{duel}/rematch").json["view"]
    assert [chair["bot"] for chair in view["table"]] == [None, "greedy"]


@pytest.mark.parametrize("tail", ["", "/log", "/history", "/head", "/record", "/stream"])
def test_an_unknown_game_is_not_found(service, tail):
    """There is nothing behind an id that was never given, whatever one asks for."""
    for game_id in ("0" * 20, "x", "g" * 300, "%00", "%ff%fe", "a%0d%0ab", "{s00}", "ünï"):
        problem(service.get(f"/api/games/{game_id}{tail}"), 404, "not-found")


def test_nothing_can_be_done_to_an_unknown_game(people):
    """Every command on a game that does not exist is 404, and makes none."""
    ada = people[0]
    nowhere = "/api/games/" + "0" * 20
    for answer in (
        ada.post(f"{nowhere}/seats"),
        ada.post(f"{nowhere}/start"),
        ada.post(f"{nowhere}/rematch"),
        ada.ask("DELETE", f"{nowhere}/seats/mine"),
        ada.act("0" * 20, {"type": "resign"}, "*"),
        ada.act("0" * 20, {"type": "draw-card", "source": "deck"}, 1),
    ):
        problem(answer, 404, "not-found")
