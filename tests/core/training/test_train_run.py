"""A whole training run: what it trains on, what it is measured by, what it keeps, and the flags that reach it."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice, pairwise
from pathlib import Path

import pytest
import torch

from core import train as command
from core.config import TrainConfig
from core.data.batching import EncodedPairs, batches, encode_pairs
from core.data.splits import Splits, split_pairs
from core.data.tasks import get_task
from core.run import Run, load_run
from core.train import HISTORY_POINTS, model_config, train_run
from core.training.evaluation import evaluate
from core.training.trainer import TrainStep
from tests.core.conftest import EOS, PAD

COPY = get_task("copy")
MODEL = model_config(
    COPY, d_model=8, n_heads=2, d_ff=12, n_encoder_layers=1, n_decoder_layers=1, dropout=0.2, max_len=20
)
# Three batches of four are every training pair once.
TRAINING = TrainConfig(steps=3, warmup_steps=1, batch_size=4, n_train=12, n_validation=5, n_test=7, seed=3)


@dataclass
class Seen:
    """What went into the training and into the evaluation of a run."""

    first_weights: dict[str, torch.Tensor] = field(default_factory=dict)
    sources: list[list[int]] = field(default_factory=list)
    evaluated: list[EncodedPairs] = field(default_factory=list)


@pytest.fixture
def seen(monkeypatch) -> Seen:
    """Filled by every train_run of the test; the run itself goes on as it would."""
    seen, train_as_it_is, evaluate_as_it_is = Seen(), command.train, command.evaluate

    def train(model, stream, config):
        seen.first_weights |= {name: value.clone() for name, value in model.state_dict().items()}

        def watched():
            for batch in stream:
                seen.sources += [[i for i in row if i not in (PAD, EOS)] for row in batch.src.tolist()]
                yield batch

        return train_as_it_is(model, watched(), config)

    def evaluate(model, pairs, **settings):
        seen.evaluated.append(pairs)
        return evaluate_as_it_is(model, pairs, **settings)

    monkeypatch.setattr(command, "train", train)
    monkeypatch.setattr(command, "evaluate", evaluate)
    return seen


def run_once(training: TrainConfig = TRAINING, **settings) -> Run:
    return train_run(COPY, MODEL, training, name="small", **settings)


def splits(training: TrainConfig = TRAINING) -> Splits:
    return split_pairs(COPY, training.seed, training.n_train, training.n_validation, training.n_test)


def sources(pairs) -> set[tuple[int, ...]]:
    return set(encode_pairs(pairs, *COPY.tokenizers()).sources)


def test_a_run_trains_on_its_training_split_and_on_no_held_out_source(seen):
    run_once()
    trained = {tuple(row) for row in seen.sources}
    assert trained == sources(splits().train)
    assert not trained & (sources(splits().test) | sources(splits().validation))


def test_a_run_is_evaluated_on_its_whole_test_split(seen):
    run = run_once()
    (evaluated,) = seen.evaluated
    assert evaluated == encode_pairs(splits().test, *COPY.tokenizers())
    assert run.evaluation == evaluate(run.model, evaluated).to_dict()
    assert run.evaluation["n_pairs"] == 7


def test_a_runs_batches_are_the_stream_of_its_seed(seen):
    run_once()
    stream = batches(encode_pairs(splits().train, *COPY.tokenizers()), 4, seed=3)
    expected = [
        [i for i in row if i not in (PAD, EOS)] for batch in islice(stream, 3) for row in batch.src.tolist()
    ]
    assert seen.sources[:12] == expected


def test_a_run_depends_on_its_seed_alone(seen):
    torch.manual_seed(11)
    first = run_once()
    begun = dict(seen.first_weights)
    torch.manual_seed(12)
    second = run_once()
    for name, value in first.model.state_dict().items():
        assert torch.equal(seen.first_weights[name], begun[name]), name
        assert torch.equal(second.model.state_dict()[name], value), name
    assert [point["loss"] for point in first.history] == [point["loss"] for point in second.history]

    run_once(TrainConfig(**{**asdict(TRAINING), "seed": 4}))
    assert not torch.equal(seen.first_weights["src_embed.weight"], begun["src_embed.weight"])


def test_a_run_trains_with_its_own_settings_and_ends_in_evaluation_mode():
    run = run_once()
    # One update of warm-up, then from the peak to 0 after the third.
    assert [point["learning_rate"] for point in run.history] == pytest.approx([2e-3, 2e-3, 1e-3])
    assert run.train_config is TRAINING
    assert not any(module.training for module in run.model.modules())


def test_an_interrupted_training_returns_what_was_learnt_until_then_evaluated(seen, capsys):
    def interrupted(steps):
        yield from islice(steps, 2)
        raise KeyboardInterrupt

    try:
        run = run_once(watch=interrupted)
    except KeyboardInterrupt:
        # Let through, it would end the whole test run instead of failing this test.
        pytest.fail("the interrupt was not caught")
    assert [point["index"] for point in run.history] == [0, 1]
    assert run.updates == 2
    assert run.evaluation["n_pairs"] == 7
    assert not run.model.training
    weights = run.model.state_dict()
    assert not torch.equal(weights["src_embed.weight"], seen.first_weights["src_embed.weight"])
    assert "stopped after 2 of 3 updates" in capsys.readouterr().err


def test_a_watch_sees_every_update():
    indices = []

    def watch(steps) -> Iterator:
        for step in steps:
            indices.append(step.index)
            yield step

    run_once(watch=watch)
    assert indices == [0, 1, 2]


@pytest.mark.parametrize("n_updates", [1, 100, 102, 305])
def test_a_long_history_keeps_the_first_and_the_last_update_and_even_steps_between(n_updates, monkeypatch):
    def updates(*_):
        for index in range(n_updates):
            yield TrainStep(index, loss=2.5, learning_rate=1e-3, grad_norm=0.5, tokens_per_second=100.0)

    monkeypatch.setattr(command, "train", updates)
    run = run_once()
    indices = [point["index"] for point in run.history]
    assert indices[0] == 0
    assert indices[-1] == n_updates - 1
    assert run.updates == n_updates
    assert min(n_updates, HISTORY_POINTS // 2) <= len(indices) <= HISTORY_POINTS + 1
    assert len({b - a for a, b in pairwise(indices[:-1])}) <= 1


def test_every_flag_of_the_command_reaches_the_run(tmp_path):
    model = {"d_model": 12, "n_heads": 3, "d_ff": 20, "dropout": 0.35}
    training = {
        "steps": 4, "batch_size": 6, "peak_learning_rate": 0.004, "warmup_steps": 2, "label_smoothing": 0.25,
        "clip_norm": 0.75, "adam_beta1": 0.8, "adam_beta2": 0.9, "adam_eps": 1e-7, "seed": 5, "n_train": 30,
        "n_validation": 8, "n_test": 7,
    }  # fmt: skip
    flags = [
        part
        for name, value in {**model, **training, "layers": 3}.items()
        for part in (f"--{name.replace('_', '-')}", str(value))
    ]
    assert command.main(["--task", "copy", "--out", str(tmp_path / "flags"), *flags]) == 0
    run = load_run(tmp_path / "flags")
    assert asdict(run.train_config) == training
    assert {name: getattr(run.config, name) for name in model} == model
    assert (run.config.n_encoder_layers, run.config.n_decoder_layers) == (3, 3)
    assert (len(run.model.encoder.layers), len(run.model.decoder.layers)) == (3, 3)
    assert run.model.decoder.layers[2].feed_forward_add_norm.dropout.p == 0.35


def test_token_accuracy_and_exact_match_count_no_padding():
    run = load_run(Path(__file__).parents[3] / "checkpoints" / "copy")
    # Ids of one batch: a word of 10 letters and one of 3, whose label row is padded by 7.
    encode = run.src_tokenizer.encode
    said = [tuple(encode(word)) for word in ("transforms", "cat")]
    assert [run.translate(word) for word in ("transforms", "cat")] == ["transforms", "cat"]
    # Of "cot" and its end 3 in 4 stand at their place, of "transforms" and its end all 11.
    pairs = EncodedPairs(tuple(said), (said[0], tuple(encode("cot"))))
    result = evaluate(run.model, pairs)
    assert result.token_accuracy == pytest.approx(14 / 15)
    assert result.exact_match == 0.5
