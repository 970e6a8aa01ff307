"""Evaluation counts what it says it counts."""

import gc
from itertools import product
from pathlib import Path

import pytest
import sacrebleu
import torch

from core.data.batching import EncodedPairs, collate, encode_pairs
from core.data.targets import TargetTexts
from core.data.tasks import Pair
from core.data.vocabulary import Vocabulary
from core.decoding.autoregressive import generate
from core.evaluation.answers import Answer, evaluate
from core.evaluation.figures import Evaluation
from core.run import Run, load_run
from tests.core.conftest import EOS, PAD, TINY, random_model
from tests.optional import unwrap

ROOT = Path(__file__).parents[3]


def evaluate_texts(run: Run, pairs: list[Pair]) -> Evaluation:
    """Evaluate a run on pairs whose targets are texts."""
    encoded = encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer)
    texts = TargetTexts.of(pairs, run.tgt_tokenizer, is_text=True)
    return evaluate(run.model, encoded, texts=texts)


def test_evaluation_counts_exact_outputs_and_tokens_in_place():
    model = random_model(TINY)
    sources = ((5, 6, 7), (8, 9), (10, 11, 12, 13))
    outputs = []
    for source in sources:
        ids = generate(model, torch.tensor([[*source, EOS]]), max_length=6)[0].tolist()
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
    ids = generate(model, torch.tensor([[5, 6, 7, EOS]]), max_length=6)[0].tolist()
    assert len(ids) == 6
    short = EncodedPairs(((5, 6, 7),), (tuple(ids[:2]),))
    result = evaluate(model, short, max_length=6)
    assert result.exact_match == 0
    assert 2 / 3 <= result.token_accuracy < 1


def test_texts_are_measured_by_chrf_and_bleu():
    run = load_run(ROOT / "checkpoints" / "en-fr")
    sources = ["the small cat does not sleep", "the dog sleeps"]
    said = [run.translate(source) for source in sources]

    def figures(references: list[str]):
        pairs = [Pair(*both, ()) for both in zip(sources, references, strict=True)]
        return evaluate_texts(run, pairs)

    exact = figures(said)
    assert (exact.exact_match, exact.chrf, exact.bleu) == (1, pytest.approx(100), pytest.approx(100))
    others = [said[0].replace("chat", "chien"), said[1]]
    changed = figures(others)
    assert changed.exact_match == 0.5
    assert changed.chrf == pytest.approx(sacrebleu.corpus_chrf(said, [others]).score)
    assert 0 < changed.chrf < 100
    assert 0 < changed.bleu < 100
    # Without four words in a row there is nothing that BLEU could count.
    assert figures(["le chat", "le chien"]).bleu is None
    assert figures(["le chat", "le chien"]).chrf > 0


def test_the_loss_is_the_plain_cross_entropy_of_the_labels():
    model = random_model(TINY)
    pairs = EncodedPairs(((5, 6, 7), (8, 9)), ((4, 5), (6, 7, 8, 9)))
    batch = collate(pairs)
    log_probs = model(batch.src, batch.tgt_in).log_softmax(dim=-1)
    labels = [(row, place) for row, place in (batch.tgt_out != PAD).nonzero().tolist()]
    expected = -torch.stack(
        [log_probs[row, place, batch.tgt_out[row, place]] for row, place in labels]
    ).mean()
    assert evaluate(model, pairs, batch_size=1).loss == pytest.approx(expected.item(), rel=1e-6)
    assert len(labels) == batch.n_tokens == 8


def test_an_unknown_token_is_never_right_even_where_the_reference_has_one():
    model = random_model(TINY)
    unk_id = Vocabulary.unk_id
    with torch.no_grad():
        # So strong a word that it comes early: the model says "unknown" at once.
        model.generator.weight[unk_id] = 3 * model.generator.weight.abs().max()
    source = next(
        (first, second)
        for first, second in product(range(4, 19), repeat=2)
        if unk_id in generate(model, torch.tensor([[first, second, EOS]]), max_length=4)[0].tolist()
    )
    said = generate(model, torch.tensor([[*source, EOS]]), max_length=4)[0].tolist()
    reference = tuple(said[: said.index(unk_id) + 1])
    result = evaluate(model, EncodedPairs((source,), (reference,)), max_length=len(reference))
    assert result.exact_match == 0
    assert result.token_accuracy == (len(reference) - 1) / (len(reference) + 1)


def test_a_reference_with_an_unknown_token_is_not_met_in_its_text_either():
    run = load_run(ROOT / "checkpoints" / "en-fr")
    target = run.translate("the dog sleeps").split()
    result = evaluate_texts(run, [Pair("the dog sleeps", " ".join([*target[:-1], "xyzzy"]), ())])
    assert (result.exact_match, result.string_match) == (0, 0)
    assert result.token_accuracy == len(target) / (len(target) + 1)
    assert unwrap(result.chrf) < 100


@pytest.mark.proof
def test_evaluate_holds_at_most_two_batches_of_answers():
    model, most = random_model(TINY), []
    pairs = EncodedPairs(((5, 6, 7),) * 40, ((4, 5),) * 40)
    # Objects of earlier tests are of no interest, and collecting them takes seconds.
    gc.freeze()
    try:
        evaluate(model, pairs, batch_size=4, max_length=3, after_batch=lambda: most.append(_n_alive()))
    finally:
        gc.unfreeze()
    assert len(most) == 10
    assert max(most) <= 8


def _n_alive() -> int:
    gc.collect()
    return sum(type(each) is Answer for each in gc.get_objects())
