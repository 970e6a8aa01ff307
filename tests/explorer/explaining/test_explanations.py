"""The words beside the numbers: every number recomputed from the trace, formulas that fit the model, code that ran."""

import ast
import inspect
import re
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core import attribute_logit, edit, load_run, trace
from core.config import BeamConfig, DecodeConfig
from core.decoding.autoregressive import decode_steps, last_step
from core.decoding.beam import beam_search
from core.interventions.changes import bind
from core.interventions.intervention import ZeroAblation
from core.model.transformer import Transformer
from explorer.browser import note
from explorer.explaining.code import ROOT
from explorer.explaining.formula import Sizes
from explorer.explaining.scene import Scene
from explorer.look.pieces import Piece
from explorer.models.beam_trees import BEAM_EXAMPLES
from explorer.models.decodings import recorded_of
from explorer.models.known import CHECKPOINTS
from explorer.visitor.state import Beam, ExplorerState, Look, Sampling
from tests.core.conftest import TINY
from tests.explorer.random_recording import random_recording
from tests.explorer.words import IDEAS, WORDS, formula_of, functions_of, numbers_of, sources_of
from tests.marks import left_to_proofs
from tests.states import state_of, with_choices

KEYS = tuple(WORDS)
RECORDED_KEYS = tuple(key for key in KEYS if key not in ("sampling-lab", "beams"))
SENTENCES = {"en-fr": "the small cats do not sleep", "copy": "banana", "dates": "12 May 1999"}
VARIANTS: dict[str, dict[str, Any]] = {
    "post": {},
    "pre": {"norm_position": "pre"},
    "unscaled": {"scale_scores": False},
    "learned": {"positional": "learned"},
    "no positions": {"positional": "none"},
    "gelu": {"activation": "gelu"},
    "silu": {"activation": "silu"},
    "untied": {"tie_embeddings": False},
    "not causal": {"causal": False},
    "no bias": {"attention_bias": False},
}
HOSTILE = ("$x$", "<b>", "**", "}{", "\\frac{", "\u202e", "`", ":cat:", "_", "#")


@pytest.fixture(scope="module")
def runs():
    return {name: load_run(CHECKPOINTS / name) for name in SENTENCES}


def scene_of(run, name, **choices):
    state = state_of(name, SENTENCES[name], **choices)
    return Scene(recorded_of(run, state.sentence, state.decoding.prefix), state)


def numbers_in(scene, block):
    """The numbers of the sentences, as floats; `a · 10ⁿ` is one."""
    found = []
    for piece in numbers_of(block, scene).pieces:
        if piece.kind == "number":
            text = piece.text.replace("−", "-").replace(",", "").removesuffix(" KiB")
            mantissa, _, power = text.partition(" · 10")
            digits = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
            found.append(float(mantissa) * 10 ** int(digits or 0))
    return found


def close(shown, expected, digits=5e-4):
    assert len(shown) == len(expected), (shown, expected)
    for a, b in zip(shown, expected, strict=True):
        assert a == pytest.approx(float(b), abs=digits, rel=2e-3)


CHOICES = {"step": 4, "layer": 0, "head": 2, "position": 3}


@pytest.fixture(scope="module")
def scene(runs):
    return scene_of(runs["en-fr"], "en-fr", **CHOICES)


@pytest.fixture(scope="module")
def tensors(runs):
    """An ordinary trace of the same hypothesis, made here."""
    run = runs["en-fr"]
    src = run.encode_source(SENTENCES["en-fr"])
    ids = last_step(decode_steps(run.model, src[None], DecodeConfig(max_length=50))).hypotheses[0]
    recorded = trace(run.model, src, ids)
    return recorded, lambda site: recorded.activations[site][0].double()


def test_every_block_and_page_has_an_idea_of_two_sentences():
    assert set(IDEAS) == set(KEYS)
    for idea in IDEAS.values():
        assert len(re.findall(r"[.](?= |$)", idea)) == 2, idea


def test_tokens(scene, tensors, runs):
    recorded, value = tensors
    token_id = int(recorded.src[3])
    row = runs["en-fr"].model.src_embed.weight[token_id].double()
    expected = [token_id, row.norm(), value("src_embed.tokens")[3].norm()]
    close(numbers_in(scene, "tokens"), expected)
    assert expected[2] == pytest.approx(8 * float(expected[1]), rel=1e-5)


def test_positions(scene):
    size = scene.recorded.run.config.d_model
    slowest = 2 * np.pi / (1 / 10000 ** ((size - 2) / size))
    close(numbers_in(scene, "positions"), [np.sin(3), np.cos(3), round(2 * np.pi, 2), slowest])


@pytest.mark.parametrize(
    ("block", "path", "query"),
    [
        ("self-attention", "encoder.layers.0.self_attn", 3),
        ("masked-self-attention", "decoder.layers.0.self_attn", 4),
        ("cross-attention", "decoder.layers.0.cross_attn", 4),
    ],
)
def test_attention(scene, tensors, block, path, query):
    _, value = tensors
    q, k = value(f"{path}.q")[2], value(f"{path}.k")[2]
    scores = q @ k.T / 16**0.5
    if block == "masked-self-attention":
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
    row = scores.softmax(-1)[query]
    close(numbers_in(scene, block), [row.max(), 1.0], 5e-5)
    text = numbers_of(block, scene).text
    assert f"at position {int(row.argmax())} " in text
    assert f"head 2 of {path.split('.')[0]} layer 0" in text
    zeros = int((row == 0).sum())
    why = ", those of tokens that are not read yet" if block == "masked-self-attention" else ""
    assert f"and {zeros} weight{'s are' if zeros != 1 else ' is'} exactly 0{why}." in text


def test_masks(scene):
    assert numbers_in(scene, "masks") == [5, 0, 7]
    assert (
        "None is hidden" in numbers_of("masks", Scene(scene.recorded, with_choices(scene.state, step=6))).text
    )
    unchosen = Scene(scene.recorded, with_choices(scene.state, step=None))
    step = scene.recorded.telling_step
    assert numbers_in(unchosen, "masks") == [step + 1, 0, 7], "where all pages rest, and something is hidden"
    assert numbers_of("masks", unchosen).text.startswith(
        f"For the sentence alone, without a batch, at step {step} the position that reads "
        f"{scene.recorded.inputs[step]} (and will write {scene.recorded.outputs[step]}) may look at"
    )


def test_add_norm(scene, tensors):
    _, value = tensors
    path = "decoder.layers.0.self_attn_add_norm"
    x, y = value(f"{path}.sum")[4], value(f"{path}.output")[4]
    close(
        numbers_in(scene, "add-norm"),
        [x.mean(), x.var(unbiased=False), 0, 1, y.mean(), y.var(unbiased=False)],
    )


def test_feed_forward(scene, tensors):
    _, value = tensors
    hidden = value("decoder.layers.0.feed_forward.hidden")[4]
    zeros = int((hidden == 0).sum())
    length = value("decoder.layers.0.feed_forward.output")[4].norm()
    close(numbers_in(scene, "feed-forward"), [zeros, zeros / 256, hidden.max(), length])
    assert f"With the bias the network adds a vector of 64 numbers, of length {length:.3f}." in (
        numbers_of("feed-forward", scene).text
    )
    assert f"unit {int(hidden.argmax())} " in numbers_of("feed-forward", scene).text


def test_output(scene, tensors):
    recorded, value = tensors
    logits, token_id = value("generator.logits")[4], int(recorded.tgt_out[4])
    probs = logits.softmax(-1)
    entropy = -(probs * probs.log2()).sum()
    close(numbers_in(scene, "output"), [logits[token_id], probs[token_id], entropy], 6e-3)
    rank = int((logits >= logits[token_id]).sum())
    assert f"rank {rank} of {len(logits)}" in numbers_of("output", scene).text


def test_home(scene, tensors):
    recorded, value = tensors
    prob = value("generator.logits")[4].softmax(-1)[int(recorded.tgt_out[4])]
    weights = value("decoder.layers.0.cross_attn.weights")[:, 4]
    close(numbers_in(scene, "home"), [prob, weights[2].max()])
    mean = Scene(scene.recorded, with_choices(scene.state, head=None))
    close(numbers_in(mean, "home"), [prob, weights.mean(0).max()])
    assert scene.recorded.source[int(weights.mean(0).argmax())] in numbers_of("home", mean).text


def test_step_by_step(scene, tensors):
    recorded, value = tensors
    logits = value("generator.logits")
    losses = torch.nn.functional.cross_entropy(logits, recorded.tgt_out, reduction="none")
    close(numbers_in(scene, "step-by-step"), [(-losses[4]).exp(), -losses[:5].sum(), -losses.sum()])


def test_of_one_token_alone_no_sum_of_all_tokens_is_told(runs):
    # EOS, forced at step 0.
    alone = scene_of(runs["en-fr"], "en-fr", prefix=(runs["en-fr"].config.eos_id,))
    assert len(alone.recorded.outputs) == 1
    assert "of all" not in numbers_of("step-by-step", alone).text
    assert len(numbers_in(alone, "step-by-step")) == 2


@pytest.mark.parametrize("step", [1, 3])
def test_sampling(runs, step):
    run = runs["en-fr"]
    scene = scene_of(run, "en-fr", step=step, temperature=1.3, top_k=9, top_p=0.9, seed=3)
    src = run.encode_source(SENTENCES["en-fr"])[None]
    config = DecodeConfig(max_length=50, temperature=1.3, top_k=9, top_p=0.9, seed=3)
    drawn = list(decode_steps(run.model, src, config))[step]
    scaled = drawn.log_probs[0].double() / 1.3
    scaled[[run.config.pad_id, run.config.bos_id]] = -torch.inf
    order = scaled.argsort(descending=True)[:9]
    probs = scaled[order].softmax(-1)
    kept = int(((probs.cumsum(0) - probs) < 0.9).sum())
    place = order.tolist().index(int(drawn.chosen[0]))
    expected = (probs[place] / probs[:kept].sum()).item()
    shown = numbers_in(scene, "sampling-lab")
    close(shown, [kept, expected, drawn.sampling.uniform[0]])


def test_sampling_at_temperature_0_draws_nothing(runs):
    scene = scene_of(runs["en-fr"], "en-fr", step=2, temperature=0.0)
    words = numbers_of("sampling-lab", scene)
    logits = scene.recorded.trace.logits[2].double()
    assert "nothing is drawn" in words.text
    close(numbers_in(scene, "sampling-lab"), [logits.softmax(-1).max()])


def test_beams(runs):
    run, awkward = runs["en-fr"], BEAM_EXAMPLES["en_fr"].source
    state = ExplorerState(run="en-fr", sentence=awkward, beam=Beam(width=4, length_penalty=0.6))
    scene = Scene(recorded_of(run, awkward), state)
    src = run.encode_source(awkward)[None]
    best = beam_search(run.model, src, BeamConfig(width=4, length_penalty=0.6))[0]
    greedy = list(decode_steps(run.model, src, DecodeConfig()))
    total = sum(float(step.log_prob[0]) for step in greedy)

    def penalty(length):
        return ((5 + length) / 6) ** 0.6

    close(
        numbers_in(scene, "beams"),
        [
            best.log_prob,
            penalty(len(best.ids)),
            best.log_prob / penalty(len(best.ids)),
            total / penalty(len(greedy)),
        ],
        1e-3,
    )


@pytest.mark.sweep
@pytest.mark.parametrize("variant", left_to_proofs(VARIANTS, {"pre", "no positions", "no bias"}))
@pytest.mark.parametrize("key", list(RECORDED_KEYS))
def test_numbers_are_finite_for_every_variant(key, variant):
    recorded = random_recording(**VARIANTS[variant])
    for block in ("", "encoder.feed_forward", "decoder.final_norm"):
        scene = Scene(
            recorded, ExplorerState(run="random", sentence=recorded.sentence, look=Look(block=block))
        )
        assert np.isfinite(numbers_in(scene, key)).all()
        assert numbers_of(key, scene).shown.text in numbers_of(key, scene).text


def test_positions_of_the_variants():
    def scene(**changes):
        recorded = random_recording(**changes)
        return Scene(recorded, ExplorerState(run="random", sentence="", look=Look(position=2)))

    learned = scene(positional="learned")
    table = learned.recorded.run.model.src_embed.positional.weight.detach()
    close(numbers_in(learned, "positions"), [table[2].norm(), table[2, 0]])
    assert numbers_in(scene(positional="none"), "positions") == [0.0]


def test_choices_beyond_the_run_end_at_its_last_place(runs):
    scene = scene_of(runs["copy"], "copy", step=99, layer=9, head=99, position=99)
    for key in RECORDED_KEYS:
        assert np.isfinite(numbers_in(scene, key)).all()
    assert "At step 6" in numbers_of("output", scene).text


def sizes(state=None, **changes):
    return Sizes(replace(TINY, **changes), 7, 5, state or ExplorerState(run="r", sentence=""))


def every_formula(changes):
    for key in KEYS:
        for state in (
            ExplorerState(run="random", sentence=" ".join(HOSTILE)),
            ExplorerState(
                run="random", sentence="}{", sampling=Sampling(temperature=0.0, top_k=3, top_p=0.5)
            ),
        ):
            yield key, formula_of(key, sizes(**changes, state=state))


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS)
def test_latex_is_balanced_and_of_few_commands(changes):
    allowed = {
        "Big", "Phi", "alpha", "arg", "begin", "beta", "cases", "cdot", "cdots", "cos", "dots", "ell", "end",
        "exp", "frac", "gamma", "in", "infty", "le", "left", "log", "mathbb", "max", "mid", "min", "mu", "ne",
        "odot", "prod", "qquad", "quad", "right", "sigma", "sin", "sqrt", "sum", "tau", "text", "tilde",
        "times", "to", "top", "varepsilon",
    }  # fmt: skip
    for key, formula in every_formula(changes):
        for latex in (*formula.letters, *formula.sizes, *(symbol for symbol, _ in formula.symbols)):
            bare = re.sub(r"\\[{}]", "", latex)
            depth = 0
            for letter in bare:
                depth += {"{": 1, "}": -1}.get(letter, 0)
                assert depth >= 0, (key, latex)
            assert depth == 0, (key, latex)
            assert latex.count(r"\left") == latex.count(r"\right")
            assert latex.count(r"\begin") == latex.count(r"\end")
            assert set(re.findall(r"\\([A-Za-z]+)", latex)) <= allowed, (key, latex)
            for odd in ("$", "\n", "href", "%", "#", "\u202e"):
                assert odd not in latex, (key, latex)
        for _, meaning in formula.symbols:
            assert meaning
            assert "\n" not in meaning


def letters_of(block, **changes):
    return " ".join(formula_of(block, sizes(**changes)).letters)


def test_formulas_hold_the_sizes_of_the_model_and_the_run():
    shown = " ".join(formula_of("cross-attention", sizes()).sizes)
    assert rf"\sqrt{{{TINY.d_head}}}" in shown
    assert r"Q_n K_n^{\top} \in \mathbb{R}^{5 \times 7}" in shown
    assert rf"{TINY.d_model} \times {TINY.d_model}" in shown


@pytest.mark.parametrize(
    ("block", "changes", "has", "has_not"),
    [
        ("cross-attention", {}, r"\sqrt{d_k}", "+ M"),
        ("cross-attention", {"scale_scores": False}, "Q_n K_n", "sqrt"),
        ("masked-self-attention", {}, "+ M", "Z"),
        ("masked-self-attention", {"causal": False}, "softmax", "+ M"),
        ("self-attention", {"attention_bias": False}, "Q = X W_Q", "b_"),
        ("feed-forward", {}, r"\max", "GELU"),
        ("feed-forward", {"activation": "gelu"}, "GELU", r"\max"),
        ("feed-forward", {"activation": "silu"}, "SiLU", r"\max"),
        ("positions", {}, r"\sin", "P_p"),
        ("positions", {"positional": "learned"}, "P_p", r"\sin"),
        ("positions", {"positional": "none"}, "e_p", "P_p"),
        ("output", {}, r"E^{\top}", "W"),
        ("output", {"tie_embeddings": False}, r"W^{\top}", "E"),
        ("add-norm", {}, r"(x + \text{sublayer}", r"x + \text{sublayer}\left(\text{LayerNorm}"),
        ("add-norm", {"norm_position": "pre"}, r"x + \text{sublayer}\left(\text{LayerNorm}", r"(x + \text"),
        ("masks", {"causal": False}, "pad", r"j \le i"),
    ],
)
def test_formulas_are_those_of_the_models_variant(block, changes, has, has_not):
    assert has in letters_of(block, **changes)
    assert has_not not in letters_of(block, **changes)


def test_code_is_what_stands_in_the_file():
    for changes in VARIANTS.values():
        for key in KEYS:
            for source in sources_of(key, replace(TINY, **changes)):
                lines = (ROOT / source.path).read_text().splitlines()[source.first - 1 : source.last]
                assert [line.strip() for line in lines] == [line.strip() for line in source.text.splitlines()]
                assert source.path.startswith("core/")
                ast.parse(source.text)


def called_during(work):
    """The code objects of every Python function that runs."""
    seen = set()

    def hear(frame, event, argument):
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(hear)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen


@pytest.mark.sweep
@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS)
def test_the_code_that_is_shown_is_code_that_ran(changes):
    config = replace(TINY, **{"dtype": "float32", **changes})
    src = torch.tensor([4, 5, 6, config.eos_id])

    def work():
        model = Transformer(config).eval()
        sampled = DecodeConfig(max_length=3, temperature=1.0)
        ids = last_step(decode_steps(model, src[None], DecodeConfig(max_length=3))).hypotheses[0]
        last_step(decode_steps(model, src[None], sampled))
        beam_search(model, src[None], BeamConfig(max_length=3))
        attribute_logit(model, trace(model, src, ids), 0)
        with edit(model, bind(model, [ZeroAblation("src_embed.output", positions=(1,))]).edits):
            trace(model, src, ids)

    ran = called_during(work)
    for key in KEYS:
        for function in functions_of(key, config):
            assert inspect.unwrap(function).__code__ in ran, (key, function)


def test_sentences_keep_hostile_tokens_as_they_are():
    recorded = random_recording()
    hostile = replace(recorded, source=tuple(HOSTILE[: len(recorded.source)]), outputs=tuple(HOSTILE[:5]))
    scene = Scene(hostile, ExplorerState(run="random", sentence=""))
    for key in ("tokens", "self-attention", "cross-attention", "output", "home"):
        pieces = numbers_of(key, scene).pieces
        tokens = [piece.text for piece in pieces if piece.kind in ("source", "target")]
        assert tokens
        assert set(tokens) <= {*HOSTILE, *hostile.inputs}
        assert not any(
            token in piece.text for piece in pieces if not piece.kind for token in ("$x$", "<b>", "}{")
        )


def test_half_a_surrogate_pair_can_be_sent():
    assert b"\\ud800" in note.pack(note.Note("numbers", note.sentences((Piece("\ud800", "source"),))), "")
