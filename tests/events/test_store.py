"""The store's contract, run on every kind of server: what is acknowledged stands once, in order, for ever."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Timer
from time import monotonic
from zlib import crc32

import pytest

from events.chain import GENESIS, link
from events.store import EventStore, Pointer, Stored, StoreMismatch, Stream, VersionConflict
from tests import servers
from tests.events.logs import GAME, SHARDS, append_all, everything, on_every_node, whole_feeds

SET_UP = {"config|resetstat", "client|setinfo", "hello", "info", "select", "ping"}
"""What opening a connection and asking for the statistics adds to them."""


def test_what_was_appended_is_read_back(store: EventStore):
    """Entries come back in order with the versions 1, 2, 3 and their own bytes."""
    stored = append_all(store, GAME, [b'{"a":1}', b'{"b":2}', b'{"c":3}'])
    assert store.read(GAME) == stored
    assert [entry.version for entry in stored] == [1, 2, 3]
    assert store.version(GAME) == 3


def test_an_unknown_stream_is_empty(store: EventStore):
    """A stream that nobody wrote to has version 0 and no entries."""
    assert store.version(GAME) == 0
    assert store.read(GAME) == []
    assert store.read(GAME, 5) == []


@pytest.mark.parametrize(
    "body",
    [b"", b"\x00", bytes(range(256)), b"\xff\xfe\xc0", b"\r\n$5\r\n", "Grüße, 山田, שלום".encode(), b"x" * 1_000_000],
    ids=["empty", "nul", "all", "no-utf-8", "protocol", "scripts", "megabyte"],
)
def test_bytes_of_any_kind_survive(store: EventStore, body: bytes):
    """A body is bytes to the store and comes back byte for byte, and so does the link beside it."""
    chained = bytes(range(224, 256))
    store.append(GAME, 0, body, chained)
    assert store.read(GAME) == [Stored(1, body, chained)]


@pytest.mark.parametrize("name", ["a b", "{s00}:feed", "}{", "ü山", "x" * 500])
def test_an_id_may_be_any_text(store: EventStore, name: str):
    """An id is any text, kept exactly in the feed, and its shard follows from its CRC-32."""
    stream = Stream("player", name)
    store.append(stream, 0, b"body", GENESIS)
    shard = crc32(name.encode()) % SHARDS
    assert store.read_feeds(dict.fromkeys(range(SHARDS), 0), 10, 0) == {shard: [Pointer(1, stream, 1)]}
    assert store.shard(stream) == shard


def test_kinds_are_apart(store: EventStore):
    """A game and a player of the same id are two streams."""
    store.append(Stream("game", "x"), 0, b"game", GENESIS)
    store.append(Stream("player", "x"), 0, b"player", GENESIS)
    assert [entry.body for entry in store.read(Stream("game", "x"))] == [b"game"]
    assert [entry.body for entry in store.read(Stream("player", "x"))] == [b"player"]


@pytest.mark.parametrize(
    ("after", "until", "versions"),
    [
        (0, None, [1, 2, 3, 4]),
        (2, None, [3, 4]),
        (4, None, []),
        (9, None, []),
        (0, 2, [1, 2]),
        (1, 3, [2, 3]),
        (3, 99, [4]),
        (2, 2, []),
        (3, 1, []),
        (0, 0, []),
        (-1, 1, [1]),
    ],
)
def test_a_range_is_above_after_and_up_to_until(store: EventStore, after: int, until: int | None, versions: list[int]):
    """`read` gives the versions above `after`, up to and with `until`."""
    append_all(store, GAME, [b"1", b"2", b"3", b"4"])
    assert [entry.version for entry in store.read(GAME, after, until)] == versions


@pytest.mark.parametrize("expected", [-(10**30), -2, -1, 0, 1, 3, 4, 10**15, 2**53, 2**64, 10**30])
def test_only_the_actual_version_may_be_expected(store: EventStore, expected: int):
    """A lower, higher or negative version is a conflict that names the actual one, and nothing is written."""
    stored = append_all(store, GAME, [b"1", b"2"])
    before = everything(store)
    with pytest.raises(VersionConflict) as conflict:
        store.append(GAME, expected, b"new", GENESIS)
    assert conflict.value.actual == 2
    assert conflict.value.standing == (stored[expected] if expected in {0, 1} else None)
    assert everything(store) == before


def test_one_of_twenty_wins(store: EventStore):
    """Twenty that append at the same version at once: one wins, nineteen learn who did; one entry, one pointer."""
    barrier = Barrier(20)

    def attempt(number: int) -> int | VersionConflict:
        barrier.wait()
        try:
            return store.append(GAME, 0, b"%d" % number, link(GENESIS, b"%d" % number))
        except VersionConflict as conflict:
            return conflict

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(attempt, range(20)))
    entries, pointers = everything(store)
    conflicts = [answer for answer in answers if isinstance(answer, VersionConflict)]
    assert [answer for answer in answers if not isinstance(answer, VersionConflict)] == [1]
    assert [(conflict.actual, conflict.standing) for conflict in conflicts] == [(1, entries[0])] * 19
    assert entries[0].body == b"%d" % answers.index(1)
    assert pointers == [Pointer(1, GAME, 1)]


def test_every_entry_has_one_pointer(store: EventStore):
    """Feeds are dense however many write at once, and name every entry of every stream exactly once, in its order."""
    streams = [Stream(kind, f"{kind[0]}{number}") for number in range(10) for kind in ("game", "player")]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda stream: append_all(store, stream, [b"a", b"b", b"c"]), streams))
    pointers = whole_feeds(store, count=7)
    for stream in streams:
        assert [pointer.version for pointer in pointers if pointer.stream == stream] == [1, 2, 3]
    assert len(pointers) == 60


def test_an_append_is_one_command(server: servers.Running, store: EventStore):
    """An append asks the server once, on a cluster too, and nothing beside it."""
    store.append(GAME, 0, b"first", GENESIS)
    on_every_node(server, lambda client: client.config_resetstat())
    for version in range(1, 11):
        store.append(GAME, version, b"next", GENESIS)
    calls: Counter[str] = Counter()
    for node in server.nodes:
        with node.client() as client:
            for command, numbers in client.info("commandstats").items():
                calls[command.removeprefix("cmdstat_")] += numbers["calls"]
    by_the_client = {name: count for name, count in calls.items() if name not in {"xlen", "xadd"} | SET_UP}
    assert by_the_client == {"fcall": 10}


def test_a_checkpoint_gives_what_came_after(store: EventStore):
    """Reading a feed from a position gives the pointers after it and only them; shards not asked for stay out."""
    append_all(store, GAME, [b"1", b"2", b"3"])
    shard = store.shard(GAME)
    assert store.read_feeds({shard: 1}, 10, 0) == {shard: [Pointer(2, GAME, 2), Pointer(3, GAME, 3)]}
    assert store.read_feeds({shard: 1}, 1, 0) == {shard: [Pointer(2, GAME, 2)]}
    assert store.read_feeds({shard: 3}, 10, 0) == {}
    assert store.read_feeds({(shard + 1) % SHARDS: 0}, 10, 0) == {}
    assert store.read_feeds({}, 10, 1000) == {}


def test_a_wait_ends_with_the_news(store: EventStore):
    """A waiting reader gets a new pointer when it comes, well before its time is up."""
    timer = Timer(0.1, store.append, (GAME, 0, b"1", GENESIS))
    timer.start()
    began = monotonic()
    found = store.read_feeds(dict.fromkeys(range(SHARDS), 0), 10, 2500)
    timer.join()
    assert found == {store.shard(GAME): [Pointer(1, GAME, 1)]}
    assert 0.05 < monotonic() - began < 2


def test_a_wait_ends_with_its_time(store: EventStore):
    """A reader that waits in vain comes back with nothing when its time is up."""
    began = monotonic()
    assert store.read_feeds(dict.fromkeys(range(SHARDS), 0), 10, 200) == {}
    assert 0.15 < monotonic() - began < 2


def test_another_number_of_shards_is_refused(server: servers.Running, store: EventStore):
    """A store that was first used with four shards cannot be opened with eight, and goes on with four."""
    store.append(GAME, 0, b"1", GENESIS)
    other = EventStore.from_url(server.url, 8)
    with pytest.raises(StoreMismatch, match="has format 1, 4 shards; asked for format 1, 8 shards"):
        other.prepare()
    other.close()
    store.prepare()
    assert store.append(GAME, 1, b"2", GENESIS) == 2


def test_a_store_belongs_to_one_key_ring(store: EventStore):
    """Once seeds were sealed with some keys, a service with others is refused: it could open none of them."""
    store.belong_to("the key ring of A")
    store.belong_to("the key ring of A")
    with pytest.raises(StoreMismatch, match="has the key ring of A; asked for the key ring of B"):
        store.belong_to("the key ring of B")


def test_a_store_has_shards(store: EventStore):
    """No store without a shard."""
    with pytest.raises(ValueError, match="at least one shard"):
        EventStore(store._client, 0)


def test_another_library_is_replaced(server: servers.Running, store: EventStore):
    """Preparing replaces a library of other code, and leaves its own alone."""
    foreign = "#!lua name=cairn\nredis.register_function('append', function() return 99 end)"
    on_every_node(server, lambda client: client.function_load(foreign, replace=True))
    store.prepare()
    store.prepare()
    assert store.append(GAME, 0, b"1", GENESIS) == 1
    assert store.read(GAME) == [Stored(1, b"1", GENESIS)]
