"""Statements on screen follow from numbers of the model, which are computed here again."""

import math
import re
import tomllib
from dataclasses import replace
from typing import cast

import pytest
import torch
from torch.nn.functional import cross_entropy

from core.config import TransformerConfig
from core.data.batching import collate
from core.data.dataset import task_dataset
from core.data.tasks import get_task
from core.data.tasks.dates import FIRST_DAY, LAST_DAY
from core.experiments import EXPERIMENTS
from core.experiments.arms import describe_arm
from core.experiments.experiment import Arm, Experiment
from core.experiments.measurements import words
from core.model.by_hand import attend_by_hand
from core.model.encoder import PostNormEncoderLayer
from core.model.shapes import expected_parameters
from core.model.transformer import Transformer
from core.run import load_run
from core.run_description import read_description
from explorer.app import REGISTRY
from explorer.glossary.terms import glossary
from explorer.lessons.library import lesson_library
from explorer.models.known import CHECKPOINTS
from explorer.models.task_facts import reference, why_unknown
from explorer.views.add_norm.words import IDEA as ADD_NORM
from explorer.views.by_hand.examples import EXAMPLES
from explorer.views.feed_forward.words import IDEA
from tests.optional import unwrap
from tests.test_structure import ROOT

UNSCALED = EXPERIMENTS["without-score-scale"]
LESSONS = lesson_library(REGISTRY).lessons
CONTENT = ROOT / "explorer/lessons/content"
VANISHING = re.compile(r"hardly (any gradient|passes a gradient|learns)|saturated from|gradient vanishes")
"""What was said of the gradient before it was measured."""


def texts_of_scores() -> dict[str, str]:
    """Every text that tells what comes of leaving out the division by √d_k."""
    lesson = (ROOT / "explorer/lessons/content/03-attention.toml").read_text(encoding="utf-8")
    claims = " ".join(claim.sentence for claim in UNSCALED.claims)
    example = next(each for each in EXAMPLES if "√d_k" in each.title)
    return {
        "lesson": lesson,
        "experiment": claims,
        "by hand": example.see,
        "glossary": glossary()["d-k"].text,
    }


def first_gradients(experiment: Experiment, arm: Arm) -> dict[str, torch.Tensor]:
    """Return the gradients of an arm's first weights by name, for 64 words and by torch's own loss."""
    description = describe_arm(experiment, arm, seed=0)
    training = replace(description.train_config, n_train=64, n_validation=1, n_test=1)
    dataset = task_dataset(get_task(experiment.task), training)
    torch.manual_seed(0)
    model = Transformer(description.config)
    batch = collate(dataset.encode(dataset.splits.train))
    logits = model(batch.src, batch.tgt_in).flatten(0, 1)
    labels = batch.tgt_out.flatten().long()
    cross_entropy(logits, labels, label_smoothing=training.label_smoothing, ignore_index=0).backward()
    return {name: unwrap(weight.grad) for name, weight in model.named_parameters()}


def query_norm(gradients: dict[str, torch.Tensor]) -> float:
    """Return the norm of the gradient of all W_Q together."""
    packed = [gradient for name, gradient in gradients.items() if "in_proj.weight" in name]
    return torch.cat([gradient.chunk(3)[0] for gradient in packed]).norm().item()


def test_first_gradient_is_larger_without_the_division() -> None:
    control, unscaled = (query_norm(first_gradients(UNSCALED, arm)) for arm in UNSCALED.arms)
    assert unscaled > 1.5 * control
    assert {name: VANISHING.findall(text) for name, text in texts_of_scores().items()} == {
        name: [] for name in texts_of_scores()
    }
    assert "‖∂L/∂W_Q‖" in texts_of_scores()["lesson"]
    assert "{unscaled.query_gradient_after_0}" in texts_of_scores()["experiment"]


def test_first_gradients_grow_in_the_post_norm_decoder() -> None:
    """Post-norm: from layer to layer of the decoder, and not in the encoder; pre-norm: in neither."""
    experiment = EXPERIMENTS["norm-and-warmup"]
    for arm in experiment.arms:
        gradients = first_gradients(experiment, arm)
        norms = {
            stack: [
                math.hypot(
                    *(each.norm().item() for name, each in gradients.items() if name.startswith(layer))
                )
                for layer in (f"{stack}.layers.{number}." for number in range(3))
            ]
            for stack in ("encoder", "decoder")
        }
        grow = [stack for stack, of_layers in norms.items() if of_layers == sorted(of_layers)]
        assert grow == ([] if arm.model.get("norm_position") == "pre" else ["decoder"]), arm.key
    lesson = (ROOT / "explorer/lessons/content/07-add-norm.toml").read_text(encoding="utf-8")
    assert "With post-norm the decoder's first gradients grow from layer to layer" in lesson


def test_mean_of_largest_weights_is_called_a_mean() -> None:
    description = describe_arm(UNSCALED, UNSCALED.arms[1], seed=0)
    torch.manual_seed(0)
    model = Transformer(description.config).eval()
    letters = {letter: 4 + place for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
    ids = torch.tensor([[letters[letter] for letter in word] + [2] for word in words(10, 64)])
    attention = cast(PostNormEncoderLayer, model.encoder.layers[0]).self_attn
    x = model.src_embed(ids)
    q, k = ((x @ weight.T) for weight in (attention.w_q, attention.w_k))
    tops = (q @ k.mT).softmax(dim=-1).amax(dim=-1)
    assert tops.mean() > 0.8
    assert (tops < tops.mean()).double().mean() > 0.15, "many rows lie below their mean"
    texts = texts_of_scores()
    assert "is at least {first} on average" in texts["lesson"]
    assert "{unscaled.first_top_weight} on average" in texts["experiment"]
    assert "mean" in UNSCALED.figures["first_top_weight"]


def test_wide_head_saturates_as_many_rows_as_said() -> None:
    example = next(each for each in EXAMPLES if "√d_k" in each.title)
    hand = example.hand
    n_tokens, d_model, d_k = hand.size

    def matrix(numbers: tuple[int, ...], n_rows: int, n_columns: int) -> list[list[float]]:
        """Lay the first rows and columns of four by four numbers out, as the page does."""
        return [[float(numbers[4 * row + column]) for column in range(n_columns)] for row in range(n_rows)]

    x = matrix(hand.x, n_tokens, d_model)
    w_q, w_k, w_v = (matrix(each, d_model, d_k) for each in (hand.w_q, hand.w_k, hand.w_v))
    weights = {
        scaled: attend_by_hand(x, w_q, w_k, w_v, scaled=scaled).activations["by_hand.weights"][0, 0].numpy()
        for scaled in (False, True)
    }
    largest = weights[False].max(axis=1)
    words_of = {2: "two", 3: "three"}
    assert f"in {words_of[int((largest > 0.9).sum())]} of the {words_of[n_tokens]} rows" in example.see
    slopes = {scaled: (each * (1 - each)).max(axis=1) for scaled, each in weights.items()}
    assert (slopes[False][largest > 0.9] < 0.1).all(), "a small change of a score hardly changes the weights"
    assert (slopes[True] > slopes[False])[largest > 0.9].all(), "the weights spread"


def test_reason_for_an_unknown_date_names_the_years() -> None:
    assert reference("dates", f"5 March {FIRST_DAY.year - 1}") is None
    assert reference("dates", f"5 March {FIRST_DAY.year}") is not None
    _, sentence = why_unknown("dates")
    assert f"from {FIRST_DAY.year} to {LAST_DAY.year}" in sentence


def test_papers_parameter_count_stands_beside_ours() -> None:
    count = expected_parameters(TransformerConfig.base(src_vocab_size=37_000, tgt_vocab_size=37_000))
    assert (
        f"{count / 1e6:.1f} million counted here with exactly 37,000 tokens"
        in glossary()["todays-models"].more
    )


def test_shipped_model_stands_in_the_table_with_its_sizes() -> None:
    config = read_description(CHECKPOINTS / "en-fr").config
    layers = f"{config.n_encoder_layers} + {config.n_decoder_layers}"
    million = f"{expected_parameters(config) / 1e6:.2f} million"
    row = (config.d_model, layers, config.n_heads, config.src_vocab_size, million)
    assert f"| {' | '.join(map(str, row))} |" in glossary()["todays-models"].more


def test_attention_is_described_as_linear_in_its_values() -> None:
    torch.manual_seed(1)
    config = TransformerConfig(src_vocab_size=9, tgt_vocab_size=9, d_model=8, n_heads=2, d_ff=16)
    model = Transformer(config).eval()
    layer = cast(PostNormEncoderLayer, model.encoder.layers[0])
    attention, network = layer.self_attn, layer.feed_forward
    weights = torch.rand(5, 5, dtype=torch.float64).softmax(dim=-1).float()

    def mixed(x: torch.Tensor) -> torch.Tensor:
        """Pass vectors through W_V, fixed weights and W_O, without the biases."""
        return weights @ (x @ attention.w_v.T) @ attention.out_proj.weight.T

    a, b = torch.randn(2, 5, 8)
    torch.testing.assert_close(mixed(a + b), mixed(a) + mixed(b), atol=1e-5, rtol=1e-4)
    assert not torch.allclose(mixed(a), weights @ a, atol=0.1), "it is more than a weighted mean"
    assert not torch.allclose(network(a + b), network(a) + network(b), atol=1e-3)
    lesson = (ROOT / "explorer/lessons/content/08-feed-forward.toml").read_text(encoding="utf-8")
    for text in (IDEA, glossary()["feed-forward"].text, lesson):
        assert not re.search(r"Attention only takes (weighted )?(means|averages)", text)
        assert "W_V, a weighted mean and W_O, which are linear" in text.replace("\n", " ")


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda lesson: lesson.key)
def test_measured_figures_in_lessons_name_the_machine(lesson) -> None:
    for stop in lesson.stops:
        asks = {name: fact.ask for name, fact in stop.facts.items()}
        if "measured" not in asks.values():
            continue
        machines = [f"{{{name}}}" for name, ask in asks.items() if ask == "measured_on"]
        texts = [stop.text, stop.prediction.question, stop.prediction.right, stop.prediction.otherwise]
        assert machines, stop.title
        assert any(machine in text for machine in machines for text in texts), stop.title


def test_norm_text_mentions_scale_and_shift() -> None:
    run = load_run(CHECKPOINTS / "en-fr")
    recorded = run.trace("the small cat sleeps").activations
    variances = recorded["decoder.layers.1.self_attn_add_norm.output"].var(dim=-1, correction=0)
    assert (variances < 0.9).all(), "far from 1"
    assert "variance 1 before a learned scale and shift" in ADD_NORM


def test_sink_ignores_the_values_of_its_token() -> None:
    """Much weight at EOS is no proof: Reverse letters reads the word's length there."""
    texts = {key: glossary()[key].text for key in ("attention-sink", "attention-weight")}
    assert all("values count for nothing" in text for text in texts.values())
    assert "A large weight at EOS or BOS does not prove it" in texts["attention-sink"]


def test_sink_in_a_lesson_is_measured() -> None:
    sinks = [
        (lesson, stop, text)
        for lesson in sorted(CONTENT.glob("*.toml"))
        for stop in tomllib.loads(lesson.read_text(encoding="utf-8"))["stops"]
        for text in (stop.get("text"), *stop.get("prediction", {}).values())
        if isinstance(text, str) and "attention sink" in text
    ]
    assert sinks
    for lesson, stop, text in sinks:
        usual = stop.get("view", {}).get("changes", "")
        facts = [stop["facts"][name] for name in re.findall(r"{(\w+)}", text) if name in stop["facts"]]
        assert any(".v:" in fact.get("changes", usual) for fact in facts), f"{lesson.name}: {text}"


def test_many_tokens_in_a_lesson_are_counted() -> None:
    for lesson in sorted(CONTENT.glob("*.toml")):
        found = re.findall(r"(?<![Hh]ow )\b[Mm]any tokens\b[^.?]*", lesson.read_text(encoding="utf-8"))
        assert not found, f"{lesson.name}: say how many of how many, from a fact: {found}"


def test_lesson_on_cost_names_the_papers_own_count() -> None:
    count = expected_parameters(TransformerConfig.base(src_vocab_size=37_000, tgt_vocab_size=37_000))
    assert f"{count / 1e6:.0f}" != "65"
    text = (CONTENT / "16-cost.toml").read_text(encoding="utf-8")
    assert "with 37,000 tokens (the paper says 65 million)" in text
