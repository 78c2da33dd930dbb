"""The follower: what it reads it takes in once, whatever happens in between."""

from collections.abc import Sequence
from threading import Thread

import pytest

from events.store import EventStore, Pointer, Stream, connect
from projections.follower import Follower, lag
from projections.view_store import Overtaken, ViewStore, Writes

LINK = b"\0" * 32


class Counting:
    """Counts, for each stream, the entries that the feed names, and lists them in order."""

    def __init__(self, views: ViewStore) -> None:
        self.views = views
        self.fail = False

    def project(self, pointers: Sequence[Pointer], writes: Writes) -> None:
        """Queue the counts."""
        for pointer in pointers:
            writes.hincrby(self.views.key("counts"), pointer.stream.id, 1)
            writes.rpush(self.views.key("order", pointer.stream.id), pointer.version)
        if self.fail:
            raise RuntimeError("killed before saving")


@pytest.fixture
def client(server):
    with connect(server.url) as opened:
        yield opened


@pytest.fixture
def views(client):
    return ViewStore(client, "counting")


def fill(store: EventStore, streams: int, entries: int, after: int = 0) -> None:
    """Append `entries` entries to each of `streams` streams, in turn."""
    for version in range(after, after + entries):
        for number in range(streams):
            store.append(Stream("game", f"g{number}"), version, b"{}", LINK)


def counts(client, views) -> dict[str, int]:
    return {name.decode(): int(count) for name, count in client.hgetall(views.key("counts")).items()}


def test_everything_in_the_feeds_is_taken_in_once(store, client, views):
    """Each entry of each stream reaches the projection once, in the order of its stream."""
    fill(store, streams=9, entries=7)
    follower = Follower(store, views, Counting(views), batch=10)
    assert follower.drain() == 63
    assert follower.drain() == 0
    assert counts(client, views) == {f"g{number}": 7 for number in range(9)}
    assert [int(version) for version in client.lrange(views.key("order", "g3"), 0, -1)] == [1, 2, 3, 4, 5, 6, 7]


def test_a_new_follower_goes_on_where_the_last_one_saved(store, client, views):
    """A follower that starts anew reads on from the checkpoint, and what comes later is counted once."""
    fill(store, streams=5, entries=3)
    Follower(store, views, Counting(views)).drain()
    fill(store, streams=5, entries=2, after=3)
    assert lag(store, views) == 10
    assert Follower(store, views, Counting(views)).drain() == 10
    assert lag(store, views) == 0
    assert counts(client, views) == {f"g{number}": 5 for number in range(5)}


def test_a_crash_before_saving_changes_nothing(store, client, views):
    """If the process dies between reading and saving, neither view nor checkpoint has moved."""
    fill(store, streams=3, entries=3)
    projection = Counting(views)
    follower = Follower(store, views, projection)
    projection.fail = True
    with pytest.raises(RuntimeError, match="killed"):
        follower.step()
    assert views.checkpoint() == {}
    assert counts(client, views) == {}
    projection.fail = False
    assert follower.drain() == 9
    assert counts(client, views) == {"g0": 3, "g1": 3, "g2": 3}


def test_the_slower_of_two_followers_saves_nothing(store, client, views):
    """If another process saved since the checkpoint was read, nothing is saved; the next step goes on from there."""
    fill(store, streams=2, entries=2)
    slow = Follower(store, views, Counting(views))
    slow.drain()
    fill(store, streams=2, entries=1, after=2)
    Follower(store, views, Counting(views)).drain()
    assert slow.step() == 0
    assert slow.step() == 0
    assert counts(client, views) == {"g0": 3, "g1": 3}


def save_both(views: ViewStore) -> None:
    """Save while another one is about to save."""
    with views.saving({}, {0: 5}) as writes:
        writes.set(views.key("value"), "late")
        with views.saving({}, {0: 3}) as others:
            others.set(views.key("value"), "first")


@pytest.mark.usefixtures("store")
def test_a_save_in_the_midst_of_another_makes_it_fail(views, client):
    """Whoever saves while another one prepares its changes wins; the other's changes are dropped as a whole."""
    with pytest.raises(Overtaken):
        save_both(views)
    assert client.get(views.key("value")) == b"first"
    assert views.checkpoint() == {0: 3}


def test_three_followers_of_one_name_count_everything_once(store, client, views, server):
    """However many processes follow under one name at once, each entry is counted once."""
    fill(store, streams=20, entries=10)

    def follow() -> None:
        with connect(server.url) as own:
            mine = ViewStore(own, "counting")
            follower = Follower(store, mine, Counting(mine), batch=8)
            while lag(store, mine):
                follower.step()

    threads = [Thread(target=follow) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts(client, views) == {f"g{number}": 10 for number in range(20)}
    assert [int(v) for v in client.lrange(views.key("order", "g7"), 0, -1)] == list(range(1, 11))
