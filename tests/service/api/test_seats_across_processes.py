"""Two processes on one store: what one of them has not read yet is never held against a player."""

from events.actions import Resign
from service.commands import Actor
from tests.service.api.playing import match, problem


def test_a_seat_taken_elsewhere_counts_here(people, other):
    """Who joined through one process acts through another that had seen the table before."""
    ada, ben = people[:2]
    table = ada.open()
    assert other.get(f"/api/games/{table}").json["status"] == "open"
    ben.post(f"/api/games/{table}/seats")
    there = [ada.at(other), ben.at(other)]
    view = next(view for view in (person.view(table) for person in people[:2]) if len(view["legal_actions"]) > 1)
    actor = there[view["eyes"]]
    assert actor.act(table, view["legal_actions"][0], view["version"]).status_code == 201


def test_a_stale_process_never_acts_for_another_seat(people, other):
    """When the start closes a gap between seats, a number that another process remembers is somebody else's now."""
    ada, ben, caro, dan = people
    table = ada.open(seats=4, host_plays=False)
    for person in (ben, caro, dan):
        person.post(f"/api/games/{table}/seats")
    ben.ask("DELETE", f"/api/games/{table}/seats/mine")
    other.commands.live.get(table)
    started = ada.post(f"/api/games/{table}/start")
    assert [chair["name"] for chair in started.json["view"]["table"]] == ["Caro", "Dan"]
    assert other.commands.live.cached(table).game.table.seat_of(caro.id) == 1  # Dan's number now
    resigned = caro.at(other).act(table, {"type": "resign"}, "*")
    assert resigned.json["entry"]["seat"] == 0
    assert resigned.json["view"]["outcome"]["winners"] == [1]


def test_a_bot_keeps_the_seat_that_it_acts_for(people, service):
    """Two bots of one name are told apart by the seat for which they act."""
    table = people[0].open(seats=3, bots=["random", "random"])
    people[0].post(f"/api/games/{table}/start")
    for seat in (2, 1):
        answer = service.commands.act(table, Actor("bot:random", "random bot", seat), Resign(), f"bot-{seat}", None)
        assert answer.entry.seat == seat


def test_a_stale_process_answers_a_stale_move_with_the_present_version(people, other):
    """A move at an old version is refused with the version that the stream has, not with the one in memory."""
    game = match(people[:2])
    other.commands.live.get(game.id)
    mover, view = game.to_act()
    game.play(3)
    late = mover.at(other).act(game.id, view["legal_actions"][0], view["version"])
    told = problem(late, 412, "version-conflict")
    assert told["version"] == view["version"] + 3
    assert late.headers["ETag"] == f'"{view["version"] + 3}"'


def test_a_repeat_at_another_process_is_the_first_ones_answer(people, other):
    """A request that one process served is answered alike by another, before and after the game went on."""
    game = match(people[:2])
    other.commands.live.get(game.id)
    mover, view = game.to_act()
    first = mover.act(game.id, view["legal_actions"][0], view["version"], "the-same-key")
    again = mover.at(other).act(game.id, view["legal_actions"][0], view["version"], "the-same-key")
    game.play(2)
    later = mover.at(other).act(game.id, view["legal_actions"][0], view["version"], "the-same-key")
    assert first.data == again.data == later.data
    assert len(other.bodies(game.id)) == view["version"] + 3


def test_both_processes_see_every_move(people, other):
    """Each process shows the version that the stream has, whoever wrote it."""
    game = match(people[:2])
    for ply in range(6):
        mover, view = game.to_act()
        asked = mover.at(other) if ply % 2 else mover
        assert asked.act(game.id, view["legal_actions"][0], view["version"]).status_code == 201
        assert other.get(game.path).data == people[0].service.get(game.path).data
