"""The shuffle: from a seed to card orders and lots, in a way that anyone can repeat in any language.

1. The game's secret is HMAC-SHA-256 with the 32-byte seed as key, over the canonical JSON of
   `["cairn/1", game id, [entropy, …]]`: one entropy string (or null) per seat in seat order, the host's at the end.
2. The key stream for a label (`deck`, `tiles`, `first`) is the blocks HMAC-SHA-256(secret, label + "/" + n) for
   n = 0, 1, 2, … in decimal, cut into 4-byte big-endian numbers.
3. A number below m: take the next number x; if x >= 2**32 - 2**32 % m, take another; the result is x % m.
4. A list is shuffled by Fisher-Yates: for i from the last index down to 1, swap items i and (a number below i + 1).

What this proves: the seed was fixed before anybody could add entropy, for its commitment stands in entry 1, and all
chance follows from the seed and the entropy. Whoever does not know the seed cannot foresee what an addition does, and
so steers nothing; whoever drew the seed could not foresee what others added later.

What it does not prove: the service knows the seed. If it is in league with the last seat that adds entropy or with
the host at the start, or sits there itself under a player's name, it can try additions and choose among shuffles. If
nobody else adds any, it can draw seeds until a shuffle pleases. Either leaves no trace. A commit and reveal by every
player, each bound to an addition before any of them is opened, would close this; there is none. Nor is it proved that
the service, which can work out every card of a running game, tells nobody.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

from events.codec import canonical

T = TypeVar("T")

SPAN = 2**32
NUMBERS = Struct(">8I")
"""How a block is cut."""


def commitment(seed: bytes) -> str:
    """Return what is published of `seed` before anybody joins: its SHA-256, in hex."""
    return sha256(seed).hexdigest()


def game_secret(seed: bytes, game_id: str, entropy: Sequence[str | None]) -> bytes:
    """Return the 32 bytes from which all of a game's chance follows (step 1)."""
    return hmac.digest(seed, canonical(["cairn/1", game_id, list(entropy)]), "sha256")


class Dice:
    """A stream of numbers that follows from a secret and a label (steps 2 and 3)."""

    def __init__(self, secret: bytes, label: str) -> None:
        self._numbers = _numbers(secret, label)

    def below(self, limit: int) -> int:
        """Return the next number from 0 to `limit` - 1, each as likely as the others."""
        fair = SPAN - SPAN % limit
        while (number := next(self._numbers)) >= fair:
            pass
        return number % limit

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return `items` in a new order (step 4)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


def _numbers(secret: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(secret, f"{label}/{block}".encode(), "sha256")
        yield from NUMBERS.unpack(digest)
        block += 1
