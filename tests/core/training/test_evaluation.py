"""Evaluation counts what it says it counts."""

import torch

from core.data.batching import EncodedPairs
from core.training.evaluation import evaluate
from tests.core.conftest import EOS, TINY, random_model


def test_evaluation_counts_exact_outputs_and_tokens_in_place():
    model = random_model(TINY)
    sources = ((5, 6, 7), (8, 9), (10, 11, 12, 13))
    outputs = []
    for source in sources:
        ids = model.generate(torch.tensor([[*source, EOS]]), max_length=6)[0].tolist()
        outputs.append(tuple(token for token in ids if token != EOS))
    # A model this random never ends, so a reference of the same six tokens lacks only the end.
    own = evaluate(model, EncodedPairs(sources, tuple(outputs)), max_length=7, batch_size=2)
    lengths = [len(output) + 1 for output in outputs]
    assert own.n_pairs == 3
    assert own.token_accuracy >= (sum(lengths) - 3) / sum(lengths)
    wrong = tuple((token - 2) % 16 + 3 for token in outputs[0])
    changed = evaluate(model, EncodedPairs(sources, (wrong, *outputs[1:])), max_length=7, batch_size=2)
    assert changed.token_accuracy <= own.token_accuracy - (len(wrong) - 1) / sum(lengths)


def test_outputs_longer_than_every_reference_are_not_exact():
    model = random_model(TINY)
    ids = model.generate(torch.tensor([[5, 6, 7, EOS]]), max_length=6)[0].tolist()
    assert len(ids) == 6
    short = EncodedPairs(((5, 6, 7),), (tuple(ids[:2]),))
    result = evaluate(model, short, max_length=6)
    assert result.exact_match == 0
    assert 2 / 3 <= result.token_accuracy < 1
