"""Every result is what a slow loop over single pairs finds, and the collection counts what it says it counts."""

import random
from pathlib import Path

import pytest
import sacrebleu
import torch

from core.config import DecodeConfig
from core.data.dataset import task_dataset
from core.data.tasks import Pair, get_task
from core.data.vocabulary import EOS, UNK
from core.decoding.autoregressive import decode_steps
from core.errors import InputError
from core.evaluation import answers as answering
from core.evaluation.answers import evaluate
from core.evaluation.held_out import MOST_PAIRS
from core.evaluation.pairs import collect, evaluate_pairs, held_out
from core.run import Run, load_run
from core.training.history import load_run_at
from tests.optional import unwrap

CHECKPOINTS = Path(__file__).parents[3] / "checkpoints"
LONGEST = 14


@pytest.fixture(scope="module")
def run() -> Run:
    """A model that has learned to reverse letters half-way: right, wrong, and without an end."""
    return load_run_at(CHECKPOINTS / "reverse", 150)


@pytest.fixture(scope="module")
def pairs(run) -> list[Pair]:
    """Of every length, in no order."""
    task, rng = get_task("reverse"), random.Random(3)
    found = {pair.source: pair for pair in (task.sample(rng) for _ in range(60))}
    return list(found.values())


@pytest.fixture(scope="module")
def results(run, pairs):
    batches = evaluate_pairs(run, pairs, split="validation", batch_size=7, max_length=LONGEST)
    return [result for batch in batches for result in batch]


def one_by_one(run: Run, pair: Pair) -> tuple[list[str], list[float], list[float], list[str]]:
    """Output, its log-probabilities, losses and most probable tokens of one pair, a token at a time."""
    tokens = run.tgt_tokenizer.vocabulary.tokens
    config, src = run.config, run.encode_source(pair.source)[None]
    output, log_probs = [], []
    for step in decode_steps(run.model, src, DecodeConfig(max_length=LONGEST, use_cache=False)):
        output.append(tokens[int(step.chosen[0])])
        log_probs.append(float(step.log_probs[0, step.chosen[0]]))
    losses, best = [], []
    read = [config.bos_id]
    for label in [*run.tgt_tokenizer.encode(pair.target), config.eos_id]:
        logits = run.model(src, torch.tensor([read]))[0, -1].double()
        losses.append(float(logits.logsumexp(0) - logits[label]))
        words = [id for id in range(len(tokens)) if id not in (config.pad_id, config.bos_id)]
        best.append(tokens[max(words, key=lambda id: float(logits[id]))])
        read.append(label)
    return output, log_probs, losses, best


@pytest.mark.proof
def test_results_are_those_of_each_pair_decoded_by_itself(run, pairs, results):
    assert sorted(result.number for result in results) == list(range(len(pairs)))
    for result in results:
        pair = pairs[result.number]
        output, log_probs, losses, best = one_by_one(run, pair)
        assert (result.source, result.reference, result.split) == (pair.source, pair.target, "validation")
        assert result.source_tokens == tuple(pair.source)
        assert result.reference_tokens == (*pair.target, EOS)
        assert result.output_tokens == tuple(output)
        assert result.output == "".join(token for token in output if token != EOS)
        assert result.log_probs == pytest.approx(log_probs, abs=1e-4)
        assert result.losses == pytest.approx(losses, abs=1e-4)
        assert result.teacher_forced_tokens == tuple(best)
        assert result.loss == pytest.approx(sum(losses) / len(losses), abs=1e-4)
        assert result.log_prob == pytest.approx(sum(log_probs), abs=1e-3)
        assert result.exact == (output == [*pair.target, EOS])
        assert result.finished == (output[-1] == EOS)
        wrong = [
            place
            for place, token in enumerate(result.reference_tokens)
            if output[place : place + 1] != [token]
        ]
        assert result.first_wrong == (wrong[0] if wrong else None)
    # The planted model must be half right, or the loop above compares one kind of result alone.
    assert {result.exact for result in results} == {True, False}
    assert len({len(result.output_tokens) for result in results}) > 4


@pytest.mark.proof
def test_collected_results_stand_in_the_pairs_order_and_give_the_figures_of_training(run, pairs):
    found = held_out(run, pairs, split="test")
    assert [result.source for result in found.results] == [pair.source for pair in pairs]
    dataset = task_dataset(get_task("reverse"), run.train_config)
    texts = dataset.target_texts(pairs)
    assert found.figures == evaluate(run.model, dataset.encode(pairs), texts=texts)
    assert found.fingerprint == run.fingerprint
    assert found.figures.exact_match == sum(result.exact for result in found.results) / len(pairs)
    assert len(found.wrong) == sum(not result.exact for result in found.results)


@pytest.mark.proof
def test_a_shipped_run_does_on_its_test_pairs_what_is_written_in_it():
    shipped = load_run(CHECKPOINTS / "copy")
    test = task_dataset(get_task("copy"), shipped.train_config).splits.test
    written = {name: value for name, value in shipped.evaluation.items() if name != "n_near"}
    measured = held_out(shipped, test).figures.to_dict()
    # It was measured before texts were compared; a task's targets are what its tokenizer writes.
    assert measured.pop("string_match") == measured["exact_match"]
    assert measured == pytest.approx(written, rel=1e-6)


def test_texts_are_measured_as_sacrebleu_does_it(run):
    translator = load_run(CHECKPOINTS / "en-fr")
    said = {
        source: translator.translate(source) for source in ("the small cat does not sleep", "the dog sleeps")
    }
    pairs = [Pair(source, said[source].replace("chat", "chien"), ()) for source in said]
    found = held_out(translator, pairs)
    outputs, references = list(said.values()), [pair.target for pair in pairs]
    assert found.figures.chrf == pytest.approx(sacrebleu.corpus_chrf(outputs, [references]).score)
    assert found.figures.bleu == pytest.approx(sacrebleu.corpus_bleu(outputs, [references]).score)
    assert 0 < unwrap(found.figures.bleu) < 100
    task = held_out(run, [Pair("abc", "cba", ())])
    assert (task.chrf, task.bleu) == (None, None)


def test_a_token_that_the_vocabulary_lacks_is_shown_as_written_and_never_met():
    translator = load_run(CHECKPOINTS / "en-fr")
    known = translator.translate("the dog sleeps")
    found = held_out(translator, [Pair("the dog sleeps", f"{known} xyzzy", ())])
    (result,) = found.results
    assert result.reference_tokens == (*known.split(), "xyzzy", EOS)
    assert (result.exact, result.first_wrong) == (False, len(known.split()))
    assert UNK not in result.reference_tokens
    assert unwrap(found.chrf) < 100


def test_pulling_no_more_stops_the_work(run, pairs, monkeypatch):
    decoded = []
    original = answering._decoded

    def counted(*given):
        decoded.append(1)
        return original(*given)

    monkeypatch.setattr(answering, "_decoded", counted)
    batches = evaluate_pairs(run, pairs, batch_size=5)
    assert decoded == []
    first = next(batches)
    batches.close()
    assert (len(first), len(decoded)) == (5, 1)


@pytest.mark.proof
def test_logits_of_a_batch_are_computed_in_parts_where_they_are_many(run, pairs, results, monkeypatch):
    whole = collect(run, results, split="validation", n_available=len(pairs))
    monkeypatch.setattr(answering, "MOST_LOGITS", 3 * run.config.tgt_vocab_size * 10)
    batches = evaluate_pairs(run, pairs, split="validation", batch_size=7, max_length=LONGEST)
    in_parts = [result for batch in batches for result in batch]
    for one, other in zip(sorted(in_parts, key=lambda each: each.number), whole.results, strict=True):
        assert one.losses == pytest.approx(other.losses, abs=1e-5)
        assert one.teacher_forced_tokens == other.teacher_forced_tokens


def test_too_many_pairs_are_refused_and_the_first_of_them_evaluated(run, pairs, monkeypatch):
    with pytest.raises(InputError, match="at least one pair"):
        evaluate_pairs(run, [])
    with pytest.raises(InputError, match="at most 10,000 pairs at a time, not 10,001"):
        evaluate_pairs(run, pairs[:1] * (MOST_PAIRS + 1))
    monkeypatch.setattr("core.evaluation.pairs.MOST_PAIRS", 4)
    found = held_out(run, pairs[:9])
    assert (len(found.results), found.n_available) == (4, 9)
