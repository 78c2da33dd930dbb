"""The seal and the signature: what keeps a seed closed while a game runs, and what vouches for its record.

The key ring lies in one file that only its owner may read. It holds the keys that seal seeds (the first seals,
all of them open, so that keys can be rotated), the key that signs records, and the key from which tokens are derived.
"""

import hmac
import json
import os
import secrets
from base64 import b64decode, b64encode, urlsafe_b64encode
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SEED_BYTES = 32


class BrokenSeal(ValueError):
    """A seal that no key of this ring opens."""


class UnusableKeys(ValueError):
    """A key file that cannot be read as a key ring."""


class KeyRing:
    """The service's secret keys."""

    def __init__(self, seal_keys: list[str], signing_key: str, token_key: str) -> None:
        if not seal_keys:
            raise ValueError("there is no key that seals")
        self._fernet = MultiFernet([Fernet(key) for key in seal_keys])
        self._signing = Ed25519PrivateKey.from_private_bytes(b64decode(signing_key, validate=True))
        self._token_key = b64decode(token_key, validate=True)
        if len(self._token_key) < SEED_BYTES:
            raise ValueError(f"the token key has fewer than {SEED_BYTES} bytes")

    @classmethod
    def load(cls, path: Path) -> "KeyRing":
        """Return the ring in the file at `path`; raise `UnusableKeys` with the reason if it holds none."""
        try:
            keys = json.loads(path.read_bytes())
            return cls(keys["seal"], keys["sign"], keys["token"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UnusableKeys(f"{path} holds no usable key ring: {error!r}") from error

    @classmethod
    def load_or_create(cls, path: Path) -> "KeyRing":
        """Return the ring at `path`; make one that only its owner may read if there is none.

        Raise `UnusableKeys` if that cannot be done, or if the file holds none.
        """
        try:
            if not path.exists():
                _create(path)
        except OSError as error:
            raise UnusableKeys(f"no key ring can be made at {path}: {error.strerror}") from error
        return cls.load(path)

    def seal(self, seed: bytes) -> str:
        """Return `seed` encrypted; the same seed never gives the same seal twice."""
        return self._fernet.encrypt(seed).decode()

    def unseal(self, seal: str) -> bytes:
        """Return the seed in `seal`; raise `BrokenSeal` if no key opens it."""
        try:
            return self._fernet.decrypt(seal.encode())
        except InvalidToken as error:
            raise BrokenSeal("no key of this ring opens the seal") from error

    def derive(self, purpose: str, name: str) -> str:
        """Return a secret of 256 bits, always the same for `purpose` and `name`, as 43 URL-safe characters."""
        digest = hmac.digest(self._token_key, f"{purpose}\n{name}".encode(), "sha256")
        return urlsafe_b64encode(digest).rstrip(b"=").decode()

    def sign(self, message: bytes) -> str:
        """Return the Ed25519 signature of `message` in base64."""
        return b64encode(self._signing.sign(message)).decode()

    @property
    def public_key(self) -> str:
        """Return the key that checks signatures, in base64."""
        return b64encode(self._signing.public_key().public_bytes_raw()).decode()


def new_seed() -> bytes:
    """Return 256 bits from the system's source of randomness."""
    return secrets.token_bytes(SEED_BYTES)


def is_signed(message: bytes, signature: str, public_key: str) -> bool:
    """Tell whether `signature` is that of `message` by the owner of `public_key` (both in base64)."""
    try:
        key = Ed25519PublicKey.from_public_bytes(b64decode(public_key, validate=True))
        key.verify(b64decode(signature, validate=True), message)
    except (ValueError, InvalidSignature):
        return False
    return True


def _create(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(_new_keys())
    try:
        os.link(fresh, path)  # the first of several starting processes wins
    except FileExistsError:
        pass
    finally:
        fresh.unlink()


def _new_keys() -> bytes:
    return json.dumps(
        {
            "seal": [Fernet.generate_key().decode()],
            "sign": b64encode(Ed25519PrivateKey.generate().private_bytes_raw()).decode(),
            "token": b64encode(secrets.token_bytes(32)).decode(),
        },
        indent=1,
    ).encode()
