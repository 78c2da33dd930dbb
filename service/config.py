"""What the environment decides: where data, server, queue, keys and records are, and where the service listens."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

PORT_FILE = "valkey/port"
"""Below the data folder: the port of the embedded server, written by whoever starts it."""

HIGHEST_PORT = 65_535
DEFAULT_DATA = "~/.local/share/cairn"
NO = ("", "0", "false", "no")
SERVER_URL = re.compile(r"(rediss?|unix)://.+")
SCHEMES = "redis://…, rediss://…, unix://…"
CLUSTER_URL = re.compile(r"rediss?\+cluster://.+")
RATE = re.compile(r"[1-9][0-9]{0,8}/(second|minute|hour|day)")


class UnusableSettings(ValueError):
    """A setting that cannot be used, as one plain sentence."""


@dataclass(frozen=True)
class Settings:
    """One deployment's settings; see `from_environment` for their variables."""

    data: Path
    """Folder of the embedded server's data, and of what lies beside it."""
    redis_url: str
    """The event store, and the views kept beside it."""
    queue_url: str
    """The jobs; one server, never a cluster."""
    keys: Path
    """The key ring's file."""
    artefacts: str
    """Where records are written: a folder, or a URL for fsspec."""
    host: str = "127.0.0.1"
    port: int = 8000
    shards: int = 64
    workers: int = 1
    """Processes of the web server."""
    bot_pause: float = 0.5
    """Seconds that a bot waits before it moves."""
    creation_rate: str = "300/minute"
    """How many players and tables one address may make or leave; empty for any number."""
    allow_unsafe_redis: bool = False
    """Whether a server that may lose acknowledged actions is only warned about."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Read CAIRN_DATA, _REDIS_URL, _QUEUE_URL, _KEYS, _ARTEFACTS, _HOST, _PORT, _SHARDS, _WORKERS, _BOT_PAUSE,
        _CREATION_RATE and _ALLOW_UNSAFE_REDIS. Raise `UnusableSettings` if one of them cannot be used.
        """
        data = data_folder(environ)
        redis_url = _redis_url(environ.get("CAIRN_REDIS_URL")) or _embedded_url(data)
        return cls(
            data=data,
            redis_url=redis_url,
            queue_url=_queue_url(environ.get("CAIRN_QUEUE_URL") or redis_url),
            keys=_path(environ.get("CAIRN_KEYS") or str(data / "keys.json")),
            artefacts=_place(environ.get("CAIRN_ARTEFACTS") or str(data / "records")),
            host=environ.get("CAIRN_HOST") or cls.host,
            port=_number(environ, "CAIRN_PORT", cls.port, 1, HIGHEST_PORT),
            shards=_number(environ, "CAIRN_SHARDS", cls.shards, 1, 4096),
            workers=_number(environ, "CAIRN_WORKERS", cls.workers, 1, 256),
            bot_pause=_seconds(environ, "CAIRN_BOT_PAUSE", cls.bot_pause),
            creation_rate=_rate(environ.get("CAIRN_CREATION_RATE", cls.creation_rate)),
            allow_unsafe_redis=environ.get("CAIRN_ALLOW_UNSAFE_REDIS", "").lower() not in NO,
        )

    def as_environment(self) -> dict[str, str]:
        """Return the variables from which another process reads these very settings."""
        return {
            "CAIRN_DATA": str(self.data),
            "CAIRN_REDIS_URL": self.redis_url,
            "CAIRN_QUEUE_URL": self.queue_url,
            "CAIRN_KEYS": str(self.keys),
            "CAIRN_ARTEFACTS": self.artefacts,
            "CAIRN_HOST": self.host,
            "CAIRN_PORT": str(self.port),
            "CAIRN_SHARDS": str(self.shards),
            "CAIRN_WORKERS": str(self.workers),
            "CAIRN_BOT_PAUSE": str(self.bot_pause),
            "CAIRN_CREATION_RATE": self.creation_rate,
            "CAIRN_ALLOW_UNSAFE_REDIS": str(int(self.allow_unsafe_redis)),
        }

    @property
    def address(self) -> str:
        """Where the web server is reached from this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that CAIRN_DATA names, or the usual one."""
    return _path(environ.get("CAIRN_DATA") or DEFAULT_DATA)


def _embedded_url(data: Path) -> str:
    """Return the address of the embedded server, by the port that it left in the data folder."""
    try:
        port = int((data / PORT_FILE).read_text())
    except (OSError, ValueError) as error:
        raise UnusableSettings("No Redis server is known: start `cairn up`, or set CAIRN_REDIS_URL.") from error
    return f"redis://127.0.0.1:{port}/0"


def _redis_url(text: str | None) -> str | None:
    """Return the store's address; a wrong one is not repeated to anybody, as it may hold a password."""
    if text and not (SERVER_URL.fullmatch(text) or CLUSTER_URL.fullmatch(text)):
        raise UnusableSettings(f"CAIRN_REDIS_URL has to name a server: {SCHEMES} or redis+cluster://…")
    return text


def _queue_url(text: str) -> str:
    if CLUSTER_URL.fullmatch(text):
        raise UnusableSettings("Jobs cannot lie in a cluster: set CAIRN_QUEUE_URL to a single Redis server.")
    if not SERVER_URL.fullmatch(text):
        raise UnusableSettings(f"CAIRN_QUEUE_URL has to name a server: {SCHEMES}.")
    return text


def _number(environ: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = environ.get(name) or str(default)
    if not (text.isascii() and text.isdecimal() and len(text) < 10) or not low <= int(text) <= high:
        raise UnusableSettings(f"{name} has to be a whole number from {low} to {high}, not {text!r}.")
    return int(text)


def _seconds(environ: Mapping[str, str], name: str, default: float) -> float:
    text = environ.get(name) or str(default)
    try:
        seconds = float(text)
    except ValueError as error:
        raise UnusableSettings(f"{name} has to be a number of seconds, not {text!r}.") from error
    if not 0 <= seconds <= 3600:
        raise UnusableSettings(f"{name} has to be between 0 and 3600 seconds, not {text!r}.")
    return seconds


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _place(text: str) -> str:
    return text if "://" in text else str(_path(text))


def _rate(text: str) -> str:
    if text and not RATE.fullmatch(text):
        raise UnusableSettings(f"CAIRN_CREATION_RATE is {text!r}; it has to be a rate like 300/minute, or empty.")
    return text
