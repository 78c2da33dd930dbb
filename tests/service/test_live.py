"""Games in memory: what a process remembers of requests."""

from hypothesis import given
from hypothesis import strategies as st

from service.live import request_number

digests = st.text("AZaz09-_", min_size=1, max_size=20)


@given(digests, digests)
def test_requests_that_begin_alike_are_not_taken_for_each_other(one: str, other: str):
    """Two requests have one number only if they are the same request, however much of them is alike."""
    assert (request_number(one) == request_number(other)) == (one == other)
    assert request_number(f"mZ1cQf0aPq{one}") != request_number(f"mZ1cQf0aPq{one}x")
