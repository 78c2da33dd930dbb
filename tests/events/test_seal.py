"""The seal, the signature and the key ring."""

import json
import multiprocessing
import stat

import pytest
from cryptography.fernet import Fernet

from events.seal import SEED_BYTES, BrokenSeal, KeyRing, UnusableKeys, is_signed, new_seed

SEED = bytes(range(32))


@pytest.fixture
def ring(tmp_path):
    return KeyRing.load_or_create(tmp_path / "keys.json")


def test_a_sealed_seed_comes_back(ring):
    """Whoever has the key opens the seal."""
    assert ring.unseal(ring.seal(SEED)) == SEED


def test_a_seal_shows_nothing_of_its_seed(ring):
    """Two seals of one seed differ, and seals of different seeds have one length."""
    assert ring.seal(SEED) != ring.seal(SEED)
    assert len(ring.seal(SEED)) == len(ring.seal(bytes(32)))
    assert SEED.hex() not in ring.seal(SEED)


@pytest.mark.parametrize(
    "damage", [lambda seal: seal[:-1], lambda seal: "", lambda seal: "A" + seal[1:], lambda _: "é"]
)
def test_a_damaged_seal_is_broken(ring, damage):
    """A seal that was changed does not open."""
    with pytest.raises(BrokenSeal):
        ring.unseal(damage(ring.seal(SEED)))


def test_another_rings_seal_is_broken(ring, tmp_path):
    """No other ring opens a seal."""
    other = KeyRing.load_or_create(tmp_path / "other.json")
    with pytest.raises(BrokenSeal):
        other.unseal(ring.seal(SEED))


def test_keys_rotate(tmp_path):
    """A new first key seals from now on, and old seals still open."""
    path = tmp_path / "keys.json"
    old = KeyRing.load_or_create(path)
    keys = json.loads(path.read_bytes())
    keys["seal"] = [Fernet.generate_key().decode(), *keys["seal"]]
    path.write_text(json.dumps(keys))
    rotated = KeyRing.load(path)
    assert rotated.unseal(old.seal(SEED)) == SEED
    with pytest.raises(BrokenSeal):
        old.unseal(rotated.seal(SEED))


def test_the_key_file_is_its_owners_alone(tmp_path):
    """A new key file may be read and written by its owner and nobody else, and nothing else is left beside it."""
    path = tmp_path / "deep" / "keys.json"
    KeyRing.load_or_create(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_keys_are_made_once(tmp_path):
    """The second start finds the first one's keys."""
    path = tmp_path / "keys.json"
    assert KeyRing.load_or_create(path).public_key == KeyRing.load_or_create(path).public_key


def _public_key(path):
    return KeyRing.load_or_create(path).public_key


def test_processes_that_start_together_share_one_ring(tmp_path):
    """Of several processes that find no keys one makes them, and all use those."""
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert len(set(pool.map(_public_key, [tmp_path / "keys.json"] * 8, chunksize=1))) == 1


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"seal":["x"],"sign":"","token":""}', '{"seal":[],"sign":1}', "\xff"]
)
def test_other_files_are_unusable(tmp_path, content):
    """A file that holds no keys is refused with its name."""
    path = tmp_path / "keys.json"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(UnusableKeys, match=r"keys\.json"):
        KeyRing.load(path)


def test_a_missing_file_is_unusable(tmp_path):
    """`load` makes no keys."""
    with pytest.raises(UnusableKeys):
        KeyRing.load(tmp_path / "keys.json")


def test_a_signature_vouches_for_its_message(ring):
    """The public key checks what the ring signed, and nothing else."""
    signature = ring.sign(b"record")
    assert is_signed(b"record", signature, ring.public_key)
    assert not is_signed(b"Record", signature, ring.public_key)
    assert not is_signed(b"record", ring.sign(b"other"), ring.public_key)


def test_another_ring_vouches_for_nothing(ring, tmp_path):
    """A signature does not fit another public key."""
    other = KeyRing.load_or_create(tmp_path / "other.json")
    assert not is_signed(b"record", ring.sign(b"record"), other.public_key)


@pytest.mark.parametrize("garbage", ["", "x", "é", "AAAA", "A" * 1000])
def test_garbage_is_no_signature_and_no_key(ring, garbage):
    """What is no base64, or has the wrong length, vouches for nothing and breaks nothing."""
    assert not is_signed(b"record", garbage, ring.public_key)
    assert not is_signed(b"record", ring.sign(b"record"), garbage)


def test_derived_secrets_are_always_the_same(tmp_path):
    """A secret follows from the ring, its purpose and its name, and from all three."""
    ring, other = (KeyRing.load_or_create(tmp_path / name) for name in ("a.json", "b.json"))
    secret = ring.derive("token", "ada")
    assert secret == KeyRing.load(tmp_path / "a.json").derive("token", "ada")
    assert len({secret, ring.derive("player", "ada"), ring.derive("token", "ben"), other.derive("token", "ada")}) == 4
    assert len(secret) == 43


def test_a_seed_has_256_bits():
    """Seeds are 32 bytes, and no two are the same."""
    assert len(new_seed()) == SEED_BYTES == 32
    assert new_seed() != new_seed()


@pytest.mark.parametrize("weak", [{"token": ""}, {"token": "AAAA"}, {"seal": []}])
def test_a_ring_with_a_weak_key_is_refused(tmp_path, weak):
    """A token key that could be guessed, or no key to seal with, is no key ring."""
    path = tmp_path / "keys.json"
    KeyRing.load_or_create(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | weak))
    with pytest.raises(UnusableKeys):
        KeyRing.load(path)


@pytest.mark.parametrize("place", ["/proc/none/keys.json", "file/keys.json", "file/below/keys.json"])
def test_a_place_where_no_ring_can_be_made_is_told_of(tmp_path, place):
    """Where no file can be written, one sentence names the place and the reason."""
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UnusableKeys, match=r"keys\.json: (No such file|Not a directory|File exists)"):
        KeyRing.load_or_create(tmp_path / place)
