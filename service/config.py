"""What the environment decides: where data, server, queue, keys and records are, and where the service listens."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

ADDRESS_FILE = "valkey/address"
"""Below the data folder: the URL of the embedded server, written by whoever starts it."""

HIGHEST_PORT = 65_535
DEFAULT_DATA = "~/.local/share/cairn"
YES = ("1", "true", "yes", "on")
NO = ("", "0", "false", "no", "off")
SERVER_URL = re.compile(r"(rediss?|unix)://\S+")
SCHEMES = "redis://HOST:PORT/DATABASE, rediss://…, unix:///PATH"
CLUSTER_URL = re.compile(r"rediss?\+cluster://\S+")
DATABASE = re.compile(r"/?[0-9]*")
OPTION = re.compile(r"db=[0-9]+|(username|password)=.+")
"""What may follow a server's address; how long to wait for it, and how to speak to it, is the service's own choice."""

TLS_OPTION = re.compile(
    rf"{OPTION.pattern}|ssl_(ca_certs|certfile|keyfile)=.+|ssl_cert_reqs=(none|optional|required)"
    r"|ssl_check_hostname=(?i:yes|no|true|false)"
)
HOST = re.compile(r"[A-Za-z0-9._:%-]+")
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
    proxies: int = 0
    """How many proxies stand before the web server and tell, in X-Forwarded-For and its like, who really asks."""
    allow_unsafe_redis: bool = False
    """Whether a server that may lose acknowledged actions is only warned about."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Read CAIRN_DATA, _REDIS_URL, _QUEUE_URL, _KEYS, _ARTEFACTS, _HOST, _PORT, _SHARDS, _WORKERS, _BOT_PAUSE,
        _CREATION_RATE, _PROXIES and _ALLOW_UNSAFE_REDIS. Raise `UnusableSettings` if one of them cannot be used.
        """
        data = data_folder(environ)
        redis_url = _redis_url(environ.get("CAIRN_REDIS_URL")) or _embedded_url(data)
        return cls(
            data=data,
            redis_url=redis_url,
            queue_url=_queue_url(environ.get("CAIRN_QUEUE_URL") or redis_url),
            keys=_path("CAIRN_KEYS", environ.get("CAIRN_KEYS") or str(data / "keys.json")),
            artefacts=_place("CAIRN_ARTEFACTS", environ.get("CAIRN_ARTEFACTS") or str(data / "records")),
            host=_host(environ.get("CAIRN_HOST") or cls.host),
            port=_number(environ, "CAIRN_PORT", cls.port, 1, HIGHEST_PORT),
            shards=_number(environ, "CAIRN_SHARDS", cls.shards, 1, 4096),
            workers=_number(environ, "CAIRN_WORKERS", cls.workers, 1, 256),
            bot_pause=_seconds(environ, "CAIRN_BOT_PAUSE", cls.bot_pause),
            creation_rate=_rate(environ.get("CAIRN_CREATION_RATE", cls.creation_rate)),
            proxies=_number(environ, "CAIRN_PROXIES", cls.proxies, 0, 9),
            allow_unsafe_redis=_choice(environ, "CAIRN_ALLOW_UNSAFE_REDIS"),
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
            "CAIRN_PROXIES": str(self.proxies),
            "CAIRN_ALLOW_UNSAFE_REDIS": str(int(self.allow_unsafe_redis)),
        }

    @property
    def address(self) -> str:
        """Where the web server is reached from this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that CAIRN_DATA names, or the usual one."""
    return _path("CAIRN_DATA", environ.get("CAIRN_DATA") or DEFAULT_DATA)


def _embedded_url(data: Path) -> str:
    """Return the address of the embedded server, which whoever started it left in the data folder."""
    try:
        url = (data / ADDRESS_FILE).read_text().strip()
    except (OSError, ValueError):
        url = ""
    if not _names(SERVER_URL, url):
        raise UnusableSettings("No Redis server is known: start `cairn up`, or set CAIRN_REDIS_URL.")
    return url


def _redis_url(text: str | None) -> str | None:
    """Return the store's address; a wrong one is not repeated to anybody, as it may hold a password."""
    if text and not (_names(SERVER_URL, text) or _names(CLUSTER_URL, text)):
        raise UnusableSettings(f"CAIRN_REDIS_URL has to name a server: {SCHEMES} or redis+cluster://…")
    return text


def _queue_url(text: str) -> str:
    if CLUSTER_URL.fullmatch(text):
        raise UnusableSettings("Jobs cannot lie in a cluster: set CAIRN_QUEUE_URL to a single Redis server.")
    if not _names(SERVER_URL, text):
        raise UnusableSettings(f"CAIRN_QUEUE_URL has to name a server: {SCHEMES}.")
    return text


def _names(kind: re.Pattern[str], url: str) -> bool:
    """Tell whether `url` is an address of this kind, with a port and a database that are numbers, and known options."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # the port is no number, or a bracket has no partner
        return False
    place = parts.path.strip("/") if parts.scheme == "unix" else DATABASE.fullmatch(parts.path)
    option = TLS_OPTION if parts.scheme.startswith("rediss") else OPTION
    options = parts.query.split("&") if parts.query else []
    well_formed = kind.fullmatch(url) and port != 0 and not parts.fragment
    return bool(well_formed and place and all(map(option.fullmatch, options)))


def _host(text: str) -> str:
    if not HOST.fullmatch(text):
        raise UnusableSettings(f"CAIRN_HOST has to be an address or a name of this machine, not {text!r}.")
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


def _choice(environ: Mapping[str, str], name: str) -> bool:
    text = environ.get(name, "").lower()
    if text not in (*YES, *NO):
        raise UnusableSettings(f"{name} has to be 1 or 0, not {text!r}.")
    return text in YES


def _path(name: str, text: str) -> Path:
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise UnusableSettings(f"{name} is {text!r}, and there is no such home folder.") from error


def _place(name: str, text: str) -> str:
    return text if "://" in text else str(_path(name, text))


def _rate(text: str) -> str:
    if text and not RATE.fullmatch(text):
        raise UnusableSettings(f"CAIRN_CREATION_RATE is {text!r}; it has to be a rate like 300/minute, or empty.")
    return text
