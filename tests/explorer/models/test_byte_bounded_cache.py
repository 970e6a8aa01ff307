"""The shared cache stays within its bytes and forgets what was used longest ago."""

from dataclasses import dataclass

from explorer.models.byte_bounded_cache import ByteBoundedCache, bytes_of


@dataclass(frozen=True)
class Block:
    n_bytes: int


def made(cache, key, n_bytes):
    """Whether the value had to be made."""
    calls = []

    def make():
        calls.append(key)
        return Block(n_bytes)

    cache.get(key, make)
    return bool(calls)


def test_a_value_is_made_once():
    cache = ByteBoundedCache(100, bytes_of)
    assert made(cache, "a", 40)
    assert not made(cache, "a", 40)


def test_the_least_recently_used_goes_first():
    cache = ByteBoundedCache(100, bytes_of)
    for key in ("a", "b"):
        made(cache, key, 40)
    made(cache, "a", 40)
    made(cache, "c", 40)
    assert cache.n_bytes == 80
    assert not made(cache, "a", 40)
    assert made(cache, "b", 40)


def test_looking_makes_nothing_and_counts_as_use():
    cache = ByteBoundedCache(100, bytes_of)
    assert cache.held("a") is None
    for key in ("a", "b"):
        made(cache, key, 40)
    assert cache.held("a") == Block(40)
    made(cache, "c", 40)
    assert cache.held("b") is None
    assert cache.held("a") is not None


def test_a_value_too_large_is_returned_but_not_kept():
    cache = ByteBoundedCache(100, bytes_of)
    made(cache, "a", 40)
    assert cache.get("huge", lambda: Block(101)).n_bytes == 101
    assert len(cache) == 1
    assert cache.n_bytes == 40
    assert not made(cache, "a", 40)


def test_a_value_may_be_sized_by_another_measure():
    cache = ByteBoundedCache(100, len)
    cache.get("a", lambda: "x" * 60)
    cache.get("b", lambda: "x" * 60)
    assert cache.n_bytes == 60
    assert cache.held("a") is None


def test_an_emptied_cache_makes_its_values_anew():
    cache = ByteBoundedCache(100, bytes_of)
    made(cache, "a", 40)
    cache.clear()
    assert cache.n_bytes == 0
    assert made(cache, "a", 40)
