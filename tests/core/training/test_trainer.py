"""Training: the schedule, the loss over updates, copy learnt from nothing, determinism."""

from itertools import islice, pairwise

import pytest
import torch

from core.config import TrainConfig
from core.data.batching import batches, encode_pairs
from core.data.splits import split_pairs
from core.data.tasks import get_task
from core.errors import InputError
from core.evaluation.answers import evaluate
from core.model.transformer import Transformer
from core.training.plan import model_config
from core.training.schedule import learning_rate
from core.training.trainer import train


def rates(**settings) -> list[float]:
    config = TrainConfig(**settings)
    return [learning_rate(step, config, d_model=64) for step in range(config.steps)]


def test_the_rate_rises_to_its_peak_and_falls_to_nearly_nothing():
    linear = rates(steps=100, warmup_steps=10, peak_learning_rate=1.0)
    assert linear[:10] == pytest.approx([(step + 1) / 10 for step in range(10)])
    assert linear[10] == max(linear) == 1.0
    assert all(a > b for a, b in pairwise(linear[10:]))
    assert 0 < linear[-1] <= 1 / 90 + 1e-12


def test_a_constant_rate_stays_at_its_peak():
    assert rates(steps=5, warmup_steps=2, peak_learning_rate=0.5, schedule="constant") == [
        0.25,
        0.5,
        0.5,
        0.5,
        0.5,
    ]
    assert rates(steps=3, warmup_steps=0, peak_learning_rate=0.5, schedule="constant") == [0.5] * 3


def test_an_inverse_root_falls_from_the_peak_and_does_not_know_how_many_updates_follow():
    chosen = {"warmup_steps": 4, "peak_learning_rate": 0.5, "schedule": "inverse_sqrt"}
    found = rates(steps=100, **chosen)
    assert found[:5] == pytest.approx([0.125, 0.25, 0.375, 0.5, 0.5 * (4 / 5) ** 0.5])
    assert found[15] == pytest.approx(0.25)
    assert rates(steps=50, **chosen) == found[:50]


def test_the_papers_rate_is_that_of_its_third_equation():
    paper = rates(steps=50, warmup_steps=20, schedule="paper")
    expected = [64**-0.5 * min(n**-0.5, n * 20**-1.5) for n in range(1, 51)]
    assert paper == pytest.approx(expected)
    assert max(paper) == paper[19] == pytest.approx((64 * 20) ** -0.5)


def copy_setup(**training):
    task = get_task("copy")
    config = TrainConfig(**{"n_train": 4000, "n_validation": 1, "n_test": 300, **training})
    splits = split_pairs(task, config.seed, config.n_train, config.n_validation, config.n_test)
    src, tgt = task.tokenizers()
    torch.manual_seed(config.seed)
    model = Transformer(model_config(src, tgt, n_encoder_layers=1, n_decoder_layers=1, dropout=0.0))
    stream = batches(encode_pairs(splits.train, src, tgt), config.batch_size, seed=config.seed)
    return model, stream, config, encode_pairs(splits.test, src, tgt)


@pytest.mark.proof
def test_copy_is_learnt_from_nothing():
    model, stream, config, held_out = copy_setup(
        steps=450, warmup_steps=30, peak_learning_rate=6e-3, batch_size=64
    )
    before = evaluate(model.eval(), held_out, max_length=16)
    losses = [step.loss for step in train(model, stream, config)]
    after = evaluate(model.eval(), held_out, max_length=16)
    assert before.exact_match == 0
    assert losses[0] > 3
    assert losses[-1] < 1
    assert after.exact_match >= 0.95


def test_the_same_seed_gives_the_same_run():
    def losses():
        model, stream, config, _ = copy_setup(steps=4, warmup_steps=1)
        return [step.loss for step in train(model, stream, config)]

    assert losses() == losses()


def test_stopping_is_no_longer_pulling():
    model, stream, config, _ = copy_setup(steps=50, warmup_steps=1)
    steps = train(model, stream, config)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    assert [step.index for step in islice(steps, 3)] == [0, 1, 2]
    assert not all(torch.equal(before[name], value) for name, value in model.state_dict().items())


def test_a_frozen_model_is_refused_with_a_sentence():
    model, stream, config, _ = copy_setup(steps=5, warmup_steps=1)
    with pytest.raises(InputError, match="frozen model"):
        next(train(model.requires_grad_(False), stream, config))


@pytest.mark.proof
def test_evaluation_takes_its_batches_to_the_models_device():
    model, _, _, held_out = copy_setup(n_test=2)
    # The meta device computes nothing: that it is asked to, and not refused, shows that the data is there.
    with pytest.raises(RuntimeError, match="meta tensors"):
        evaluate(model.eval().to("meta"), held_out)


def test_a_loss_that_is_not_finite_is_refused_with_a_sentence():
    model, stream, config, _ = copy_setup(steps=5, warmup_steps=1)
    with torch.no_grad():
        model.generator.weight[5] = float("nan")
    with pytest.raises(InputError, match="lower the learning rate"):
        next(train(model, stream, config))


@pytest.mark.proof
def test_bfloat16_multiplies_in_half_the_digits_and_keeps_whole_weights():
    def first_steps(dtype):
        model, stream, config, _ = copy_setup(steps=6, warmup_steps=1, dtype=dtype)
        steps = list(train(model, stream, config))
        assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
        assert {parameter.grad.dtype for parameter in model.parameters()} == {torch.float32}
        return [step.loss for step in steps]

    whole, half = first_steps("float32"), first_steps("bfloat16")
    assert half != whole
    assert half == pytest.approx(whole, rel=0.02)


def test_a_gradient_that_is_not_finite_changes_no_weight():
    model, stream, config, _ = copy_setup(steps=5, warmup_steps=1)
    model.src_embed.weight.register_hook(lambda gradient: gradient * float("nan"))
    before = {name: value.clone() for name, value in model.state_dict().items()}
    with pytest.raises(InputError, match=r"gradient.*lower the learning rate"):
        next(train(model, stream, config))
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
