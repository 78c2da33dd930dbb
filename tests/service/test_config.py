"""Settings: what the environment says, what stands for what it does not say, and what is refused."""

from pathlib import Path

import pytest

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


def test_the_embedded_server_is_found_by_the_port_it_left(tmp_path: Path):
    """Without CAIRN_REDIS_URL the embedded server's remembered port leads to it."""
    (tmp_path / "valkey").mkdir()
    (tmp_path / "valkey" / "port").write_text("7123\n")
    assert Settings.from_environment({"CAIRN_DATA": str(tmp_path)}).redis_url == "redis://127.0.0.1:7123/0"


def test_no_server_at_all_is_told_in_a_sentence(tmp_path: Path):
    """With neither an address nor an embedded server, the sentence names both ways out."""
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


@pytest.mark.parametrize("name", ["CAIRN_REDIS_URL", "CAIRN_QUEUE_URL"])
@pytest.mark.parametrize(
    "text", ["localhost:6379", "http://:secret@host", "redis://", "redis+cluster:host", " redis://h"]
)
def test_what_is_no_address_of_a_server_is_refused_by_name(name: str, text: str):
    """An address that no client understands is refused with the setting's name, and not repeated: it may be secret."""
    with pytest.raises(UnusableSettings, match=name) as refused:
        Settings.from_environment({**REDIS, name: text})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["redis+cluster://q:1", "rediss+cluster://q:1"])
def test_a_queue_in_a_cluster_is_refused(url: str):
    """Jobs cannot lie in a cluster, whichever setting names it."""
    with pytest.raises(UnusableSettings, match="CAIRN_QUEUE_URL"):
        Settings.from_environment({**REDIS, "CAIRN_QUEUE_URL": url})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CAIRN_PORT", "eighty"),
        ("CAIRN_PORT", "0"),
        ("CAIRN_PORT", "65536"),
        ("CAIRN_PORT", "٨٠"),
        ("CAIRN_SHARDS", "-1"),
        ("CAIRN_SHARDS", "9" * 5000),
        ("CAIRN_WORKERS", "1.5"),
        ("CAIRN_BOT_PAUSE", "soon"),
        ("CAIRN_BOT_PAUSE", "nan"),
        ("CAIRN_BOT_PAUSE", "-1"),
    ],
)
def test_what_is_no_such_number_is_refused_by_name(name: str, text: str):
    """A number that cannot be used is refused with the setting's name."""
    with pytest.raises(UnusableSettings, match=name):
        Settings.from_environment({**REDIS, name: text})


@pytest.mark.parametrize(("host", "address"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("10.0.0.1", "10.0.0.1")])
def test_the_address_can_be_opened_on_this_machine(host: str, address: str):
    """A server on all interfaces is shown by its loopback address."""
    assert Settings.from_environment({**REDIS, "CAIRN_HOST": host}).address == f"http://{address}:8000"
