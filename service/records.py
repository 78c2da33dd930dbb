"""Where records of finished games lie: a folder, or any object store that fsspec can reach by its URL."""

import secrets
from typing import Any

import fsspec


class UnknownRecord(LookupError):
    """No record of this game has been written."""


class Records:
    """The records below one place."""

    def __init__(self, place: str) -> None:
        files, root = fsspec.core.url_to_fs(place)
        self._files: Any = files
        self._root: str = root.rstrip("/")

    def path(self, game_id: str) -> str:
        """Return where the record of a game lies, or will lie."""
        return f"{self._root}/{game_id}.cairn.json"

    def holds(self, game_id: str) -> bool:
        """Tell whether the record of a game is there, whole."""
        self._files.invalidate_cache()
        return bool(self._files.exists(self.path(game_id)))

    def read(self, game_id: str) -> bytes:
        """Return the record of a game; raise `UnknownRecord`."""
        try:
            return bytes(self._files.cat_file(self.path(game_id)))
        except FileNotFoundError as error:
            raise UnknownRecord(game_id) from error

    def write(self, game_id: str, record: bytes) -> None:
        """Put the record of a game in its place; nobody ever sees a part of it."""
        part = f"{self.path(game_id)}.{secrets.token_hex(8)}.part"
        self._files.makedirs(self._root, exist_ok=True)
        self._files.pipe_file(part, record)
        self._files.mv(part, self.path(game_id))
