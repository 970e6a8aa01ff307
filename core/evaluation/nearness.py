"""How near held-out sources are to those of training: what is right on them may need little more than was seen."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

Tokens = tuple[Hashable, ...]


def count_near(sources: Iterable[Sequence[Hashable]], training: Iterable[Sequence[Hashable]]) -> int:
    """How many sources have a training source that differs from them by one token: another one, one more or one less.

    Args:
        sources: Tokens of each held-out source.
        training: Tokens of each training source; none of them is among the held-out ones.
    """
    held_out = [tuple(source) for source in sources]
    whole: dict[Tokens, set[int]] = {}
    gaps: dict[tuple[int, Tokens], set[int]] = {}
    for number, source in enumerate(held_out):
        whole.setdefault(source, set()).add(number)
        for gap in _gaps(source):
            gaps.setdefault(gap, set()).add(number)
    # A source without one of its tokens, wherever that stood: what a training source with one token less is.
    shorter: dict[Tokens, set[int]] = {}
    for (_, left), numbers in gaps.items():
        shorter.setdefault(left, set()).update(numbers)
    near: set[int] = set()
    for source in map(tuple, training):
        near.update(shorter.get(source, ()))
        for gap in _gaps(source):
            near.update(gaps.get(gap, ()), whole.get(gap[1], ()))
    return len(near)


def _gaps(tokens: Tokens) -> Iterator[tuple[int, Tokens]]:
    """The tokens without each one of them, and where it stood."""
    return ((place, tokens[:place] + tokens[place + 1 :]) for place in range(len(tokens)))
