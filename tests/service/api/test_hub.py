"""The hub: whoever waits for a game is woken when it grows, whoever else comes and goes."""

import sys
from threading import Thread

import pytest

from service.hub import Hub
from tests.service.api.playing import match


@pytest.fixture
def hub(service):
    opened = Hub(service.store)
    yield opened
    opened.stop()


def test_nobody_is_forgotten_while_others_come_and_go(hub, people):
    """Many who begin and end to wait at the same moment lose neither each other's bells nor their own."""
    game = match(people[:2])
    failures = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def come_and_go():
        try:
            for _ in range(300):
                with hub.waiting(game.id):
                    pass
        except Exception as failure:  # whatever it is, the test has to tell it
            failures.append(failure)

    threads = [Thread(target=come_and_go) for _ in range(8)]
    try:
        with hub.waiting(game.id) as first:
            assert first.wait(5)  # the first position that the hub reads wakes everybody
        for thread in threads:
            thread.start()
        for _ in range(5):
            with hub.waiting(game.id) as bell:
                game.play(1)
                assert bell.wait(5)
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert failures == []


def test_only_those_who_wait_for_the_game_are_woken(hub, people):
    """A game that grows wakes nobody who waits for another one."""
    ours, theirs = match(people[:2]), match(people[2:])
    with hub.waiting(ours.id) as bell, hub.waiting(theirs.id) as other:
        assert bell.wait(5)
        bell.clear()
        other.clear()
        ours.play(1)
        assert bell.wait(5)
        assert not other.is_set()


def test_an_outage_wakes_nobody_for_good(hub, people, monkeypatch):
    """When the store cannot be read for a while, the hub goes on from where it was."""
    from events.store import StoreUnavailable

    game = match(people[:2])
    read, outages = hub._store.read_feeds, [StoreUnavailable("away")]

    def read_or_fail(*asked):
        if outages:
            raise outages.pop()
        return read(*asked)

    monkeypatch.setattr("service.hub.PAUSE", 0.01)
    monkeypatch.setattr(hub._store, "read_feeds", read_or_fail)
    with hub.waiting(game.id) as bell:
        assert bell.wait(5)
        bell.clear()
        game.play(1)
        assert bell.wait(5)
