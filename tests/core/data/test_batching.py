"""Laws of batches and of their stream."""

import random
from collections import Counter
from itertools import islice

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.data.batching import Batch, EncodedPairs, batches, collate, encode_pairs
from core.data.tasks import Pair, get_task
from core.errors import InputError

ROW = st.lists(st.integers(3, 50), max_size=7).map(tuple)
ENCODED = st.lists(st.tuples(ROW, ROW), min_size=1, max_size=30).map(
    lambda rows: EncodedPairs(tuple(row[0] for row in rows), tuple(row[1] for row in rows))
)


def numbered_pairs(count: int) -> EncodedPairs:
    """Pairs of many lengths whose first source id is their own number."""
    lengths = random.Random(count)
    sources = tuple((10 + row, *[5] * lengths.randint(0, 9)) for row in range(count))
    return EncodedPairs(sources, tuple((*source, 6) for source in sources))


def rows_of(batch: Batch) -> list[int]:
    return (batch.src[:, 0] - 10).tolist()


def unpadded(row: torch.Tensor) -> tuple[int, ...]:
    return tuple(id for id in row.tolist() if id != 0)


def test_a_batch_of_two_pairs_is_what_the_paper_feeds():
    batch = collate(EncodedPairs(((7, 8, 9), (7,)), ((4, 5), (4, 5, 6, 6))))
    assert batch.src.tolist() == [[7, 8, 9, 2], [7, 2, 0, 0]]
    assert batch.tgt_in.tolist() == [[1, 4, 5, 0, 0], [1, 4, 5, 6, 6]]
    assert batch.tgt_out.tolist() == [[4, 5, 2, 0, 0], [4, 5, 6, 6, 2]]
    assert batch.n_tokens == 8


@given(ENCODED)
def test_rows_survive_with_specials_and_right_padding(encoded):
    batch = collate(encoded)
    assert {batch.src.dtype, batch.tgt_in.dtype, batch.tgt_out.dtype} == {torch.int64}
    assert [unpadded(row) for row in batch.src] == [(*row, 2) for row in encoded.sources]
    assert [unpadded(row) for row in batch.tgt_in] == [(1, *row) for row in encoded.targets]
    assert [unpadded(row) for row in batch.tgt_out] == [(*row, 2) for row in encoded.targets]
    for ids in (batch.src, batch.tgt_in, batch.tgt_out):
        assert (ids != 0).any(dim=0).all()
        assert ((ids == 0).int().diff(dim=1) >= 0).all()


@given(ENCODED)
def test_labels_are_counted_without_padding(encoded):
    batch = collate(encoded)
    assert batch.n_tokens == int((batch.tgt_out != 0).sum())
    assert batch.tgt_in.shape == batch.tgt_out.shape


def test_pairs_are_encoded_side_by_side():
    tokenizer, _ = get_task("copy").tokenizers()
    encoded = encode_pairs([Pair("ab", "ba", ((1,), (0,))), Pair("z", "A", ((0,),))], tokenizer, tokenizer)
    assert encoded == EncodedPairs(((4, 5), (29,)), ((5, 4), (3,)))
    assert len(encoded) == 2


@pytest.mark.parametrize(("count", "batch_size"), [(40, 8), (41, 8), (7, 10), (1, 1), (1000, 3)])
@pytest.mark.parametrize("bucket_batches", [1, 4])
def test_each_epoch_takes_every_pair_once(count, batch_size, bucket_batches):
    stream = batches(numbered_pairs(count), batch_size, seed=1, bucket_batches=bucket_batches)
    per_epoch = -(-count // batch_size)
    for _ in range(2):
        epoch = list(islice(stream, per_epoch))
        assert Counter(row for batch in epoch for row in rows_of(batch)) == Counter(range(count))
        assert max(len(rows_of(batch)) for batch in epoch) <= batch_size


def test_epochs_and_seeds_differ_and_a_seed_repeats_itself():
    def order(seed: int) -> list[list[int]]:
        return [rows_of(batch) for batch in islice(batches(numbered_pairs(64), 8, seed=seed), 16)]

    assert order(3) == order(3)
    assert order(3) != order(4)
    assert order(3)[:8] != order(3)[8:]


@given(start=st.integers(0, 40))
def test_a_stream_started_late_continues_as_if_it_had_run(start):
    encoded = numbered_pairs(50)
    for bucket_batches in (1, 3):
        full = islice(batches(encoded, 8, seed=9, bucket_batches=bucket_batches), start, start + 3)
        resumed = islice(batches(encoded, 8, seed=9, start=start, bucket_batches=bucket_batches), 3)
        assert [rows_of(batch) for batch in full] == [rows_of(batch) for batch in resumed]


def test_without_buckets_rows_of_all_lengths_meet():
    widths = [
        (batch.src != 0).sum(dim=1).unique()
        for batch in islice(batches(numbered_pairs(2000), 20, seed=0), 100)
    ]
    assert min(map(len, widths)) >= 4


def test_buckets_leave_little_padding():
    encoded = numbered_pairs(2000)
    epoch = list(islice(batches(encoded, 20, seed=0, bucket_batches=50), 100))
    padding = sum(int((batch.src == 0).sum()) for batch in epoch) / sum(batch.src.numel() for batch in epoch)
    plain = [collate(encoded.select(range(start, start + 20))) for start in range(0, 2000, 20)]
    plain_padding = sum(int((batch.src == 0).sum()) for batch in plain) / sum(
        batch.src.numel() for batch in plain
    )
    assert padding < 0.05 < 0.3 < plain_padding


def test_buckets_do_not_put_the_same_pairs_together_in_each_epoch():
    epochs = batches(numbered_pairs(2000), 20, seed=0, bucket_batches=50)
    first, second = ({frozenset(rows_of(batch)) for batch in islice(epochs, 100)} for _ in range(2))
    assert not first & second


def test_short_rows_do_not_come_first():
    one_pool = islice(batches(numbered_pairs(1000), 20, seed=0, bucket_batches=50), 50)
    widths = [batch.src.shape[1] for batch in one_pool]
    assert abs(sum(widths[:25]) - sum(widths[25:])) < 0.2 * sum(widths)


@given(encoded=ENCODED, count=st.integers(1, 5))
def test_the_parts_of_a_batch_are_the_batch(encoded, count):
    batch = collate(encoded)
    parts = [batch.part(index, count) for index in range(count)]
    assert sum(part.n_tokens for part in parts) == batch.n_tokens
    for index, part in enumerate(parts):
        for name in ("src", "tgt_in", "tgt_out"):
            own, whole = getattr(part, name), getattr(batch, name)[index::count]
            assert [unpadded(row) for row in own] == [unpadded(row) for row in whole]
            # No column is padding alone.
            assert (own != 0).any(dim=0).all()


def test_a_batch_moves_as_a_whole():
    batch = collate(numbered_pairs(2)).to("meta")
    assert {batch.src.device.type, batch.tgt_in.device.type, batch.tgt_out.device.type} == {"meta"}
    assert batch.n_tokens == collate(numbered_pairs(2)).n_tokens


NO_PAIRS = EncodedPairs((), ())


@pytest.mark.parametrize(
    "impossible",
    [
        lambda: collate(NO_PAIRS),
        lambda: batches(NO_PAIRS, 4, seed=0),
        lambda: batches(numbered_pairs(3), 0, seed=0),
        lambda: batches(numbered_pairs(3), 4, seed=0, start=-1),
        lambda: batches(numbered_pairs(3), 4, seed=0, bucket_batches=0),
    ],
)
def test_impossible_batches_are_refused_at_the_call(impossible):
    with pytest.raises(InputError):
        impossible()
