"""How often one address may make players and tables."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from events.store import EventStore, connect
from projections.lobby import Lobby
from service import simulation
from service.api.app import build_app, create_app
from service.clock import utc_now
from service.commands import Commands


@pytest.fixture
def client(fresh_redis_url: str, tmp_path: Path) -> FlaskClient:
    """An app at which one address may create three times an hour."""
    store = EventStore.from_url(fresh_redis_url, shards=4)
    store.prepare()
    commands = Commands(store, simulation.keys_of("limits"), utc_now)
    return build_app(commands, Lobby(connect(fresh_redis_url)), list, "3/hour").test_client()


def test_too_many_creations_are_refused(client: FlaskClient):
    """Headers count down what is left; the fourth player is refused with 429 and told when to come back."""
    made = [client.post("/api/players", json={"name": "Ada"}) for _ in range(4)]
    assert [answer.status_code for answer in made] == [201, 201, 201, 429]
    assert [answer.headers["RateLimit-Remaining"] for answer in made] == ["2", "1", "0", "0"]
    assert made[3].json["type"] == "/api/problems/too-many-requests"
    assert 0 < int(made[3].headers["Retry-After"]) <= 3600


def test_tables_are_not_left_without_end(client: FlaskClient):
    """Whoever joins and leaves in turns is stopped before the table's log grows without end."""
    made = [client.post("/api/players", json={"name": name}).json for name in ("Ada", "Ben")]
    ada, ben = ({"Authorization": f"Bearer {player['token']}"} for player in made)
    table = client.post("/api/games", json={"game": "keltis", "seats": 3}, headers=ada).json["id"]
    assert client.post(f"/api/games/{table}/seats", headers=ben).status_code == 201
    left = client.delete(f"/api/games/{table}/seats/mine", headers=ben)
    assert left.status_code == 429
    assert client.get(f"/api/games/{table}", headers=ben).json["version"] == 2
    elsewhere = {"REMOTE_ADDR": "127.0.0.2"}
    left = client.delete(f"/api/games/{table}/seats/mine", headers=ben, environ_base=elsewhere)
    assert (left.status_code, left.headers["RateLimit-Remaining"]) == (201, "2")


def test_each_address_has_a_limit_of_its_own(client: FlaskClient):
    """Who made too many keeps nobody else from making one; bad input costs nothing."""
    for _ in range(5):
        client.post("/api/players", json={"name": "Ada"})
        client.post("/api/players", json={"name": 1}, environ_base={"REMOTE_ADDR": "127.0.0.2"})
    other = client.post("/api/players", json={"name": "Ben"}, environ_base={"REMOTE_ADDR": "127.0.0.2"})
    assert other.status_code == 201
    assert other.headers["RateLimit-Remaining"] == "2"


def behind(proxies: int, tmp_path: Path, url: str) -> FlaskClient:
    """Return an app behind so many proxies, at which one address may create once an hour."""
    environ = {"CAIRN_REDIS_URL": url, "CAIRN_DATA": str(tmp_path), "CAIRN_CREATION_RATE": "1/hour"}
    return create_app({**environ, "CAIRN_PROXIES": str(proxies)}).test_client()


@pytest.mark.parametrize(
    ("proxies", "asked_for", "statuses"),
    [
        (0, ["10.0.0.1", "10.0.0.2"], [201, 429]),
        (1, ["10.0.0.1", "10.0.0.2"], [201, 201]),
        (1, ["10.9.9.9, 10.0.0.1", "10.8.8.8, 10.0.0.1"], [201, 429]),
        (2, ["10.0.0.1, 192.168.0.1", "10.0.0.2, 192.168.0.1"], [201, 201]),
    ],
)
def test_only_a_proxy_that_is_known_says_who_asks(tmp_path, fresh_redis_url, proxies, asked_for, statuses):
    """What a proxy writes last in X-Forwarded-For counts; what a client put there itself helps nobody."""
    client = behind(proxies, tmp_path, fresh_redis_url)
    made = [client.post("/api/players", json={"name": "A"}, headers={"X-Forwarded-For": who}) for who in asked_for]
    assert [answer.status_code for answer in made] == statuses
