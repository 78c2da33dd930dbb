"""The hash chain."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from events.chain import GENESIS, link

BODIES = st.lists(st.binary(max_size=20), min_size=1, max_size=6)


def head(bodies):
    last = GENESIS
    for body in bodies:
        last = link(last, body)
    return last


def test_a_link_is_the_hash_of_the_link_before_and_the_body():
    """h(n) = SHA-256(h(n-1) || body), beginning with 32 zero bytes."""
    first = sha256(bytes(32) + b"one").digest()
    assert bytes(32) == GENESIS
    assert link(GENESIS, b"one") == first
    assert link(first, b"two") == sha256(first + b"two").digest()


def test_the_chain_has_this_vector():
    """For those who write it in another language: the head after the bodies `one` and `two`."""
    assert head([b"one", b"two"]).hex() == "b9f0cc527d38ea48d83c4c438121181ab01d99e83415306be2ac88792c40a8f3"


@given(BODIES, BODIES)
def test_other_entries_have_another_head(bodies, others):
    """Whatever is changed, dropped, added or swapped, the head tells."""
    assert (head(bodies) == head(others)) == (bodies == others)
