"""What is measured of an arm, beside a slow and simple way to measure the same."""

import math
from dataclasses import replace

import pytest
import torch
from torch.nn.functional import cross_entropy

from core.activations.record import record
from core.config import DecodeConfig, TrainConfig
from core.data.tasks.en_fr.task import EnglishToFrench
from core.data.tasks.letters import CopyLetters
from core.errors import RunError
from core.evaluation.answers import Answer
from core.experiments import measurements
from core.experiments.measurements import (
    any_order,
    exact_at_length,
    led_accuracy,
    measure,
    unseen_pairs,
    words,
)
from core.run import load_run
from core.training.beginning import training_batches
from core.training.history import load_run_at
from core.training.new_run import begin_run
from core.training.plan import dataset_of, describe_task
from core.training.records import TrainStep
from core.training.session import train_run
from tests.optional import unwrap

MODEL = {
    "d_model": 16,
    "n_heads": 2,
    "d_ff": 32,
    "n_encoder_layers": 1,
    "n_decoder_layers": 1,
    "dropout": 0.0,
}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A copying model that gets a part of short words right, its dataset and the losses of its training."""
    settings = TrainConfig(
        steps=250, warmup_steps=40, peak_learning_rate=1e-2, batch_size=32, n_train=4000, n_validation=20,
        n_test=40, validate_every=250, checkpoint_every=250,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("runs") / "arm"
    description = describe_task(CopyLetters(), settings, MODEL)
    begin_run(folder, description, None)
    dataset = dataset_of(folder, description)
    events = list(train_run(folder, description, dataset))
    return folder, dataset, [event.loss for event in events if isinstance(event, TrainStep)]


@pytest.mark.proof
def test_led_accuracy_counts_token_by_token(trained):
    folder, dataset, _ = trained
    run, right, total = load_run(folder), 0, 0
    for pair in dataset.splits.test:
        src = torch.tensor([run.source_ids(pair.source)])
        target = [*run.tgt_tokenizer.encode(pair.target), run.config.eos_id]
        for place, token in enumerate(target):
            logits = run.model(src, torch.tensor([[run.config.bos_id, *target[:place]]]))
            right, total = right + int(logits[0, -1].argmax() == token), total + 1
    found = led_accuracy(run.model, dataset.encode(dataset.splits.test), batch_size=7)
    assert found == pytest.approx(right / total)
    assert 0 < found < 1
    assert measure(folder, ["led_accuracy"]) == {"led_accuracy": found}


@pytest.mark.proof
def test_letters_in_any_order_count_outputs_that_are_anagrams_of_their_reference(trained):
    folder, dataset, _ = trained
    run, test = load_run(folder), dataset.splits.test
    outputs = {pair: run.translate(pair.source, DecodeConfig(max_length=30)) for pair in test}
    anagrams = sum(sorted(output) == sorted(pair.target) for pair, output in outputs.items())
    found = measure(folder, ["letters_any_order", "exact_match"])
    assert found["letters_any_order"] == pytest.approx(anagrams / len(test))
    assert found["exact_match"] <= found["letters_any_order"] < 1


def test_an_anagram_has_its_letters_and_a_letter_too_many_or_too_few_has_not(monkeypatch):
    eos, reference = 2, (5, 6, 5, 2)
    outputs = ((5, 6, 5, eos), (6, 5, 5, eos), (5, 6, eos), (5, 6, 6, eos), (5, 6, 5, 5, eos), (6, 5, 5))
    given = [Answer(row, reference, output, (), (), ()) for row, output in enumerate(outputs)]
    monkeypatch.setattr(measurements, "answers", lambda model, pairs: iter([given[:4], given[4:]]))
    assert any_order(None, None) == 2 / 6  # type: ignore[arg-type]


@pytest.mark.proof
def test_exact_match_at_a_length_is_that_of_one_word_after_the_other(trained, monkeypatch):
    monkeypatch.setattr(measurements, "LENGTH_WORDS", 60)
    run = load_run(trained[0])
    for length in (3, 11):
        tried = words(length, 60)
        assert {len(word) for word in tried} == {length}
        assert tried == words(length, 60)
        exact = sum(run.translate(word, DecodeConfig(max_length=length + 6)) == word for word in tried)
        assert exact_at_length(run, CopyLetters(), length, 60) == pytest.approx(exact / 60)
    assert exact_at_length(run, CopyLetters(), 3, 60) > 0


@pytest.mark.proof
def test_the_top_weight_is_the_mean_of_each_rows_largest(trained, monkeypatch):
    monkeypatch.setattr(measurements, "TOP_WEIGHT_WORDS", 5)
    folder, tops = trained[0], []
    run = load_run_at(folder, 0)
    for word in words(10, 5):
        with record(run.model, "encoder.layers.0.self_attn.weights") as activations:
            run.model.encode(run.encode_source(word)[None])
        weights = activations["encoder.layers.0.self_attn.weights"]
        assert weights.shape == (1, 2, 11, 11)
        tops += [max(row) for head in weights[0].tolist() for row in head]
    found = measure(folder, ["first_top_weight"])["first_top_weight"]
    assert found == pytest.approx(math.fsum(tops) / len(tops), abs=1e-6)


@pytest.mark.proof
def test_query_gradient_equals_autograd_of_torchs_loss(trained):
    """Compare with torch's cross-entropy for the batch that the training read next, all heads and attentions."""
    folder, dataset, _ = trained
    config = load_run(folder).train_config
    for updates in (0, 250):
        model = load_run_at(folder, updates).model.requires_grad_(True)
        batch = next(training_batches(dataset.encode(dataset.splits.train), config, updates))
        logits = model(batch.src, batch.tgt_in).flatten(0, 1)
        labels = batch.tgt_out.flatten().long()
        cross_entropy(logits, labels, label_smoothing=config.label_smoothing, ignore_index=0).backward()
        width = model.config.d_model
        squares = sum(
            unwrap(weight.grad)[:width].square().sum().item()
            for name, weight in model.named_parameters()
            if name.endswith("in_proj.weight")
        )
        name = f"query_gradient_after_{updates}"
        assert measure(folder, [name])[name] == pytest.approx(math.sqrt(squares), rel=1e-4)


@pytest.mark.proof
def test_the_last_loss_is_the_mean_of_the_last_updates(trained):
    folder, _, losses = trained
    assert measure(folder, ["last_loss"])["last_loss"] == pytest.approx(sum(losses[-25:]) / 25)


@pytest.mark.proof
def test_figures_of_the_test_pairs_are_those_of_the_training(trained):
    folder = trained[0]
    held_out = load_run(folder).evaluation
    names = ("exact_match", "token_accuracy", "loss")
    assert measure(folder, names) == {name: held_out[name] for name in names}


@pytest.mark.proof
def test_what_cannot_be_measured_says_so(trained, tmp_path):
    with pytest.raises(RunError, match="bleu cannot be measured of a run that learns copy"):
        measure(trained[0], ["bleu"])
    description = describe_task(CopyLetters(), TrainConfig(steps=5, warmup_steps=1), MODEL)
    begin_run(tmp_path / "begun", description, None)
    with pytest.raises(RunError):
        measure(tmp_path / "begun", ["exact_match"])


@pytest.mark.proof
def test_unseen_pairs_are_new_and_have_a_combination_that_can_be_kept_out(tmp_path):
    task = EnglishToFrench()
    training = TrainConfig(n_train=400, n_validation=20, n_test=30, seed=5)
    description = describe_task(task, training, MODEL)
    dataset = dataset_of(tmp_path, description)
    found = unseen_pairs(task, dataset, training)
    assert 20 <= len(found) <= 30
    assert all(task.is_unseen(pair) for pair in found)
    learned = {pair.source for pair in (*dataset.splits.train, *dataset.splits.validation)}
    assert not learned & {pair.source for pair in found}
    # Everything that was drawn counts as learned: nothing is left.
    drawn = replace(dataset, splits=replace(dataset.splits, train=found))
    assert unseen_pairs(task, drawn, training) == ()
