"""Kills every part of a running deployment, again and again, while games are played, and checks that nothing was lost.

What was acknowledged has to stand in the log, once; every game has to come to its closing entry and its record.
"""

import json
import os
import random
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from events.codec import canonical, decode
from events.store import EventStore, Stream
from ops.embedded import EmbeddedValkey
from replay.audit import audit
from service.config import Settings
from service.records import Records

ROOT = Path(__file__).parent.parent
TETHER = Path(__file__).with_name("tether.py")
PARTS = ("valkey", "serve", "follow", "work")
RETRY_S = 0.1
PATIENCE_S = 180.0
"""How long a game may take from its last move to its record, with all that is restarted meanwhile."""

WAITING = (429, 503)


class Lost(AssertionError):
    """Something that was acknowledged is gone, or stands twice, or never came."""


class Acknowledged(NamedTuple):
    """An entry that the service said it had appended."""

    game: str
    version: int
    entry: bytes


@dataclass
class Report:
    """What a run did and saw."""

    games: int = 0
    acknowledged: int = 0
    kills: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))


class Deployment:
    """The real processes on one data folder, each of which can be killed and started again."""

    def __init__(self, settings: Settings, valkey: EmbeddedValkey) -> None:
        self._valkey = valkey
        self._environ = os.environ | settings.as_environment() | {"PYTHONPATH": str(ROOT)}
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, part: str) -> None:
        """Start `part`; Valkey has loaded its data when this returns."""
        python = [sys.executable, "-P", "-m", "ops.cli", part]
        command = self._valkey.command if part == "valkey" else python
        self._running[part] = subprocess.Popen(
            [sys.executable, "-I", str(TETHER), str(os.getpid()), *command],
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(self._valkey.lock,) if part == "valkey" else (),
            start_new_session=True,
        )
        while part == "valkey" and not self._valkey.answers():
            sleep(RETRY_S)

    def kill(self, part: str) -> None:
        """End `part`, and what it started, at once."""
        process = self._running.pop(part)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """End everything."""
        for part in reversed(PARTS):
            if part in self._running:
                self.kill(part)


class Client:
    """A player who never gives up: a request without an answer is sent again as it was."""

    def __init__(self, address: str, dice: random.Random) -> None:
        self._address = address
        self._dice = dice
        self._token = ""
        self.acknowledged: list[Acknowledged] = []

    def play(self) -> str:
        """Play one game against a bot to its closing entry, and return the game's id."""
        name = {"name": f"player {self._dice.randrange(1000)}"}
        self._token = self._ask("/players", name, secrets.token_urlsafe())[1]["token"]
        table = {"game": "keltis", "seats": 2, "bots": ["random"]}
        game: str = self._ask("/games", table, secrets.token_urlsafe())[1]["id"]
        self._ask(f"/games/{game}/start", {}, secrets.token_urlsafe())
        until, version = monotonic() + PATIENCE_S, 0
        while monotonic() < until:
            _, view = self._ask(f"/games/{game}?wait={version}")
            if view["version"] > version:
                until = monotonic() + PATIENCE_S
            version = view["version"]
            if view["status"] == "closed":
                return game
            self._move(game, version, view["legal_actions"][:-1])
        raise Lost(f"{game} did not go on from version {version}")

    def _move(self, game: str, version: int, legal: list[Any]) -> None:
        if not legal:
            return
        status, answer = self._ask(f"/games/{game}/actions", self._dice.choice(legal), secrets.token_urlsafe(), version)
        if status == 201:
            entry = answer["entry"]
            self.acknowledged.append(Acknowledged(game, entry["version"], canonical(entry)))
        elif status != 412:
            raise Lost(f"{game} at {version}: a legal action was answered with {status}: {answer}")

    def _ask(self, path: str, body: Any = None, key: str = "", version: int | None = None) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key} if body is not None else {}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        data = None if body is None else json.dumps(body).encode()
        while True:
            try:
                with urlopen(Request(f"{self._address}/api{path}", data, headers), timeout=40) as answer:
                    return answer.status, json.load(answer)
            except HTTPError as error:
                if error.code not in WAITING:
                    return error.code, json.load(error)
            except (URLError, HTTPException, OSError, ValueError):
                pass  # the server, or the connection, is gone for the moment
            sleep(RETRY_S)


def run(data: Path, port: int, games: int, kills: int, seed: str, tell: Callable[[str], None]) -> Report:
    """Play `games` games at once while `kills` parts are killed; raise `Lost` if anything is amiss."""
    with EmbeddedValkey(data) as valkey:
        environ: Mapping[str, str] = {
            "CAIRN_DATA": str(data),
            "CAIRN_PORT": str(port),
            "CAIRN_REDIS_URL": valkey.url,
            "CAIRN_BOT_PAUSE": "0",
        }
        settings = Settings.from_environment(environ)
        deployment = Deployment(settings, valkey)
        try:
            for part in PARTS:
                deployment.start(part)
            return _play_and_kill(deployment, settings, games, kills, random.Random(seed), tell)
        finally:
            deployment.stop()


def _play_and_kill(
    deployment: Deployment, settings: Settings, games: int, kills: int, dice: random.Random, tell: Callable[[str], None]
) -> Report:
    report = Report(games)
    clients = [Client(settings.address, random.Random(dice.random())) for _ in range(games)]
    over = Event()
    with ThreadPoolExecutor(games) as players:
        playing = [players.submit(client.play) for client in clients]
        while not over.is_set() and not all(game.done() for game in playing):
            over.wait(0.3 + dice.random())
            if sum(report.kills.values()) < kills:
                least = min(report.kills.values())
                part = dice.choice([part for part in PARTS if report.kills[part] == least])
                deployment.kill(part)
                deployment.start(part)
                report.kills[part] += 1
                tell(f"killed {part}")
        finished = [game.result() for game in playing]
    report.acknowledged = sum(len(client.acknowledged) for client in clients)
    _check(settings, finished, [entry for client in clients for entry in client.acknowledged])
    return report


def _check(settings: Settings, games: list[str], acknowledged: list[Acknowledged]) -> None:
    store = EventStore.from_url(settings.redis_url, settings.shards)
    records = Records(settings.artefacts)
    logs = {game: [stored.body for stored in store.read(Stream("game", game))] for game in games}
    for game, version, entry in acknowledged:
        if len(logs[game]) < version or logs[game][version - 1] != entry:
            raise Lost(f"entry {version} of {game} was acknowledged and is not in the log")
    for game, bodies in logs.items():
        requests = [(entry.by, entry.request) for entry in map(decode, bodies)]
        if len(set(requests)) != len(requests):
            raise Lost(f"a request of {game} stands twice in the log")
        _check_record(records, game)


def _check_record(records: Records, game: str) -> None:
    until = monotonic() + PATIENCE_S
    while not records.holds(game):
        if monotonic() > until:
            raise Lost(f"the record of {game} was never written")
        sleep(RETRY_S)
    verdict = audit(records.read(game))
    if not verdict.good:
        raise Lost(f"the record of {game} does not stand up: {verdict}")
