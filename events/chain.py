"""The hash chain: each entry's link is SHA-256 over the link before it and the entry's body.

Whoever knows the last link (the head) can tell whether anything before it was changed, dropped or swapped.
"""

from hashlib import sha256

GENESIS = bytes(32)
"""The link before the first entry."""


def link(previous: bytes, body: bytes) -> bytes:
    """Return the 32 bytes that bind `body` to everything before it."""
    return sha256(previous + body).digest()
