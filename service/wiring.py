"""The one place where real parts are chosen and put together."""

from events.seal import KeyRing
from events.store import EventStore
from service.clock import utc_now
from service.commands import Commands
from service.config import Settings


def open_store(settings: Settings) -> EventStore:
    """Return the event store of `settings`, ready for use."""
    store = EventStore.from_url(settings.redis_url, settings.shards)
    store.prepare()
    return store


def open_commands(settings: Settings) -> Commands:
    """Return the commands on the store and keys of `settings`."""
    store, keys = open_store(settings), KeyRing.load_or_create(settings.keys)
    store.belong_to(f"the key ring of {keys.public_key}")
    return Commands(store, keys, utc_now)
