"""Settings: what the environment says, what stands for what it does not say, and what is refused."""

from pathlib import Path

import pytest
import redis

from service.config import Settings, UnusableSettings

REDIS = {"CAIRN_REDIS_URL": "redis://127.0.0.1:7000/0"}


def test_a_bare_environment_gets_the_defaults(tmp_path: Path):
    """With a data folder and a server alone, everything else follows from them."""
    settings = Settings.from_environment({**REDIS, "CAIRN_DATA": str(tmp_path)})
    assert settings.queue_url == settings.redis_url
    assert settings.keys == tmp_path / "keys.json"
    assert settings.artefacts == str(tmp_path / "records")
    assert (settings.host, settings.port, settings.shards, settings.workers) == ("127.0.0.1", 8000, 64, 1)
    assert not settings.allow_unsafe_redis
    assert settings.address == "http://127.0.0.1:8000"


def test_the_embedded_server_is_found_by_the_address_it_left(tmp_path: Path):
    """Without CAIRN_REDIS_URL the address that the embedded server left in the data folder leads to it."""
    (tmp_path / "valkey").mkdir()
    (tmp_path / "valkey" / "address").write_text("unix:///a%20b/socket\n")
    settings = Settings.from_environment({"CAIRN_DATA": str(tmp_path)})
    assert (settings.redis_url, settings.queue_url) == ("unix:///a%20b/socket", "unix:///a%20b/socket")


@pytest.mark.parametrize("left", [None, b"", b"nowhere", b"\xff"])
def test_no_server_at_all_is_told_in_a_sentence(tmp_path: Path, left: bytes | None):
    """With neither an address nor an embedded server that left one, the sentence names both ways out."""
    (tmp_path / "valkey").mkdir()
    if left is not None:
        (tmp_path / "valkey" / "address").write_bytes(left)
    with pytest.raises(UnusableSettings, match=r"cairn up.*CAIRN_REDIS_URL"):
        Settings.from_environment({"CAIRN_DATA": str(tmp_path)})


def test_settings_survive_the_way_to_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What `as_environment` writes reads as the same settings in any folder, relative paths included."""
    monkeypatch.chdir(tmp_path)
    given = {**REDIS, "CAIRN_DATA": "d", "CAIRN_ARTEFACTS": "out", "CAIRN_BOT_PAUSE": "0", "CAIRN_PORT": "81"}
    settings = Settings.from_environment(given)
    monkeypatch.chdir("/")
    assert Settings.from_environment(settings.as_environment()) == settings
    assert settings.artefacts == str(tmp_path / "out")


def test_records_may_lie_in_an_object_store():
    """An address of an object store is kept as it is."""
    settings = Settings.from_environment({**REDIS, "CAIRN_ARTEFACTS": "memory://records"})
    assert settings.artefacts == "memory://records"


def test_a_cluster_needs_a_queue_of_its_own():
    """Jobs cannot lie in a cluster, so a cluster alone is refused."""
    cluster = {"CAIRN_REDIS_URL": "redis+cluster://127.0.0.1:7000"}
    with pytest.raises(UnusableSettings, match="CAIRN_QUEUE_URL"):
        Settings.from_environment(cluster)
    assert Settings.from_environment({**cluster, "CAIRN_QUEUE_URL": "redis://q"}).queue_url == "redis://q"


SERVERS = [
    "redis://h",
    "redis://h:6379/3",
    "redis://user:pa%2Fss@[::1]:6379?db=3",
    "rediss://:p@h?ssl_cert_reqs=none&ssl_ca_certs=/a/b.pem&ssl_check_hostname=False",
    "unix:///a%20b/socket?db=1&password=p",
]
NO_SERVERS = [
    "localhost:6379",
    "http://:secret@host",
    "redis://",
    "redis+cluster:host",
    " redis://h",
    "redis://h 1",
    "redis://:secret@host:abc",
    "redis://host:0",
    "redis://host:65536",
    "redis://host:-1",
    "redis://[::1",
    "redis://host/first",
    "redis://host?db=first",
    "redis://host?sekret=1",
    "redis://host?socket_timeout=soon",
    "redis://host?ssl_cert_reqs=none",
    "rediss://host?ssl_cert_reqs=maybe",
    "redis://:secret/more@host",
    "redis://:secret#more@host",
    "unix://",
    "unix://socket",
]


@pytest.mark.parametrize("name", ["CAIRN_REDIS_URL", "CAIRN_QUEUE_URL"])
@pytest.mark.parametrize("url", SERVERS)
def test_an_address_of_a_server_is_taken_as_it_is(name: str, url: str):
    """What is taken for an address, redis-py can make a connection of."""
    assert Settings.from_environment({**REDIS, name: url}).as_environment()[name] == url
    redis.Redis.from_url(url).connection_pool.make_connection()


@pytest.mark.parametrize("url", ["redis+cluster://q:1", "rediss+cluster://q:1"])
def test_a_queue_in_a_cluster_is_refused(url: str):
    """Jobs cannot lie in a cluster, whichever setting names it."""
    with pytest.raises(UnusableSettings, match="CAIRN_QUEUE_URL"):
        Settings.from_environment({**REDIS, "CAIRN_QUEUE_URL": url})


UNUSABLE = {
    "CAIRN_DATA": ["~nobody-of-this-name/cairn"],
    "CAIRN_REDIS_URL": NO_SERVERS,
    "CAIRN_QUEUE_URL": NO_SERVERS,
    "CAIRN_KEYS": ["~nobody-of-this-name/keys.json"],
    "CAIRN_ARTEFACTS": ["~nobody-of-this-name/records"],
    "CAIRN_HOST": ["http://localhost", "local host", "[::1]", "host/path"],
    "CAIRN_PORT": ["eighty", "0", "65536", "-1", "٨٠"],
    "CAIRN_SHARDS": ["-1", "0", "9" * 5000],
    "CAIRN_WORKERS": ["1.5", "0", "many"],
    "CAIRN_BOT_PAUSE": ["soon", "nan", "-1", "inf"],
    "CAIRN_CREATION_RATE": ["many", "0/minute", "5", "5/fortnight"],
    "CAIRN_PROXIES": ["one", "-1", "10"],
    "CAIRN_ALLOW_UNSAFE_REDIS": ["perhaps", "2"],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in UNUSABLE.items() for text in texts])
def test_what_cannot_be_used_is_refused_by_name(name: str, text: str):
    """Whatever is wrong with a setting, the sentence names it, and repeats no password of an address."""
    with pytest.raises(UnusableSettings, match=rf"\b{name}\b") as refused:
        Settings.from_environment({**REDIS, name: text})
    assert "secret" not in str(refused.value)


def test_every_setting_can_be_wrong():
    """No setting is left out of what can be refused by its name."""
    assert set(UNUSABLE) == set(Settings.from_environment(REDIS).as_environment())


@pytest.mark.parametrize(("text", "allowed"), [("1", True), ("Yes", True), ("", False), ("0", False), ("off", False)])
def test_an_unsafe_server_is_allowed_only_by_a_clear_yes(text: str, allowed: bool):
    """What says no, or nothing, allows nothing."""
    settings = Settings.from_environment({**REDIS, "CAIRN_ALLOW_UNSAFE_REDIS": text})
    assert settings.allow_unsafe_redis is allowed


@pytest.mark.parametrize(("host", "address"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("10.0.0.1", "10.0.0.1")])
def test_the_address_can_be_opened_on_this_machine(host: str, address: str):
    """A server on all interfaces is shown by its loopback address."""
    assert Settings.from_environment({**REDIS, "CAIRN_HOST": host}).address == f"http://{address}:8000"
