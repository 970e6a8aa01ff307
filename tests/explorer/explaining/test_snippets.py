"""Every kind of snippet, run by itself, prints the number that the screen shows; typed text is never code."""

import ast
import contextlib
import io
import os
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import DecodeConfig, decode_steps, explain, last_step, load_run, trace
from core.activations.location import locate
from core.interventions.links import read_link
from core.model.parameters import find_parameter, named_parameters
from explorer.app import REGISTRY
from explorer.explaining.chosen import scene_of
from explorer.explaining.code import ROOT
from explorer.explaining.scene import Scene
from explorer.explaining.snippets import block_snippet, cell_snippet
from explorer.models.decodings import recorded_of
from explorer.models.known import CHECKPOINTS
from explorer.tensors import CellPlace
from explorer.visitor.running import run_of
from explorer.visitor.state import ExplorerState, Look
from tests.explorer.random_recording import random_recording
from tests.explorer.words import WORDS, numbers_of
from tests.hostile import TEXTS
from tests.marks import left_to_proofs
from tests.optional import unwrap
from tests.states import state_of

SENTENCES = {
    "en-fr": "the small cats do not sleep",
    "copy": "banana",
    "dates": "December 22o 20a95",
    "en-de-numbers": "forty two",
}
KEYS = tuple(WORDS)


@pytest.fixture(scope="module")
def runs():
    return {name: load_run(CHECKPOINTS / name) for name in SENTENCES}


def printed(code: str) -> str:
    """What a snippet prints, run in the project's folder with nothing defined before it."""
    before, out = os.getcwd(), io.StringIO()
    os.chdir(ROOT)
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(code, "snippet", "exec"), {"__name__": "__main__"})
    finally:
        os.chdir(before)
    return out.getvalue().strip()


def the_trace(run, sentence, prefix=()):
    src = run.encode_source(sentence)
    steps = decode_steps(run.model, src[None], DecodeConfig(max_length=50), prefix=prefix)
    return trace(run.model, src, last_step(steps).hypotheses[0])


CELLS = [
    ("src_embed.tokens", (0, 2, 5)),
    ("encoder.layers.0.self_attn.scores", (0, 1, 2, 1)),
    ("decoder.layers.0.self_attn.masked_scores", (0, 3, 0, 2)),
    ("decoder.layers.0.cross_attn.weights", (0, 2, 1, 2)),
    ("decoder.layers.0.cross_attn_add_norm.variance", (0, 1)),
    ("decoder.layers.0.self_attn.mask", (0, 0, 1)),
    ("generator.log_probs", (0, 1, 9)),
]
LEARNED_CELLS = [
    ("encoder.layers.0.self_attn.w_k", (3, 4)),
    ("decoder.layers.0.cross_attn.b_v", (2,)),
    ("tgt_embed.weight", (6, 7)),
    ("decoder.layers.1.feed_forward.linear1.bias", (8,)),
]


@pytest.mark.sweep
@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize(("site", "index"), CELLS)
def test_a_recorded_cell_is_printed_digit_by_digit(runs, name, site, index):
    recorded = the_trace(runs[name], SENTENCES[name])
    code = cell_snippet(name, SENTENCES[name], (), site, index)
    assert printed(code) == str(recorded.activations[site][index].item())


@pytest.mark.parametrize(("site", "index"), LEARNED_CELLS)
def test_a_learned_number_is_printed(runs, site, index):
    code = cell_snippet("en-fr", SENTENCES["en-fr"], (), site, index)
    assert float(printed(code)) == unwrap(find_parameter(runs["en-fr"].model, site))[index].item()


@pytest.mark.parametrize(("site", "index"), [("src", (0, 2)), ("tgt_in", (0, 0))])
def test_an_id_is_printed(runs, site, index):
    code = cell_snippet("en-fr", SENTENCES["en-fr"], (), site, index)
    assert int(printed(code)) == int(getattr(the_trace(runs["en-fr"], SENTENCES["en-fr"]), site)[index[1]])


@pytest.mark.parametrize(
    ("site", "index"),
    [
        ("hypothesis.loss", ()),
        ("hypothesis.token_loss", (1,)),
        ("hypothesis.log_prob", ()),
        ("hypothesis.score", ()),
    ],
)
def test_a_number_of_the_whole_output_is_printed(runs, site, index):
    run = runs["en-fr"]
    code = cell_snippet("en-fr", SENTENCES["en-fr"], (), site, index)
    expected = explain(run, the_trace(run, SENTENCES["en-fr"]), site, index).recorded
    assert float(printed(code)) == expected


def test_forced_tokens_are_forced(runs):
    run = runs["en-fr"]
    prefix = (
        *recorded_of(run, SENTENCES["en-fr"]).trace.tgt_out[:4].tolist(),
        run.tgt_tokenizer.vocabulary.id("mangent"),
    )
    site, index = "generator.logits", (0, 5, prefix[-1])
    shown = printed(cell_snippet("en-fr", SENTENCES["en-fr"], prefix, site, index))
    assert shown == str(the_trace(run, SENTENCES["en-fr"], prefix).activations[site][index].item())
    assert shown != str(the_trace(run, SENTENCES["en-fr"]).activations[site][index].item())


def assert_prints_what_is_shown(scene, key):
    shown = numbers_of(key, scene).shown
    out = printed(block_snippet(scene, shown))
    if "· 10" in shown.text:
        mantissa, _, power = shown.text.replace("−", "-").partition(" · 10")
        digits = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
        assert float(out) == float(f"{mantissa}e{digits}")
    elif shown.text == "<0.0001":
        assert 0 <= float(out) <= 0.0001
    else:
        assert out == shown.text.replace("−", "-")


@pytest.mark.sweep
@pytest.mark.parametrize("name", left_to_proofs(SENTENCES, {"en-fr"}))
@pytest.mark.parametrize("key", KEYS)
def test_a_block_prints_the_number_of_its_sentences(runs, name, key):
    for choices in (
        {},
        {"step": 1, "layer": 0, "head": 1, "position": 2, "temperature": 0.7, "seed": 5},
    ):
        state = state_of(name, SENTENCES[name], **choices)
        scene = Scene(recorded_of(runs[name], state.sentence), state)
        assert_prints_what_is_shown(scene, key)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("key", "site", "index"),
    [
        ("cross-attention", "decoder.layers.1.cross_attn.scores", (0, 2, 4, 5)),
        ("cross-attention", "decoder.layers.1.cross_attn.weights", (0, 2, 4, 5)),
        ("cross-attention", "decoder.layers.0.cross_attn.w_q", (17, 3)),
        ("masked-self-attention", "decoder.layers.1.self_attn.masked_scores", (0, 0, 1, 3)),
        ("masks", "decoder.layers.1.self_attn.mask", (0, 1, 3)),
        ("tokens", "src", (0, 2)),
        ("output", "hypothesis.prob", (2, 9)),
        ("output", "hypothesis.token_loss", (1,)),
    ],
)
def test_the_code_of_a_block_prints_the_chosen_cell(runs, key, site, index):
    state = state_of("en-fr", SENTENCES["en-fr"])
    state = replace(state, look=replace(state.look, trail=(CellPlace(site, index),)))
    scene = scene_of(REGISTRY[key], recorded_of(runs["en-fr"], state.sentence), state, None)
    assert scene.cell == CellPlace(site, index)
    assert_prints_what_is_shown(scene, key)


CHANGES = read_link(
    "borrow:src_embed.output:3:the+small+cat+does+not+sleep;off:decoder.layers.1.cross_attn.context:2"
)


@pytest.mark.parametrize("key", left_to_proofs(KEYS, {"cross-attention", "feed-forward", "beams"}))
def test_a_block_of_a_changed_model_prints_its_number(runs, key):
    state = state_of("en-fr", SENTENCES["en-fr"], step=2, changes=CHANGES)
    scene = Scene(recorded_of(run_of(state), state.sentence), state)
    assert_prints_what_is_shown(scene, key)
    assert ".intervene(*read_link(" in block_snippet(scene, numbers_of(key, scene).shown)


def test_a_cell_of_a_changed_model_is_printed(runs):
    site, index = "src_embed.output", (0, 3, 5)
    code = cell_snippet("en-fr", SENTENCES["en-fr"], (), site, index, changes=CHANGES)
    changed = runs["en-fr"].intervene(*CHANGES).trace(SENTENCES["en-fr"])
    assert printed(code) == str(changed.activations[site][index].item())
    assert printed(code) != printed(cell_snippet("en-fr", SENTENCES["en-fr"], (), site, index))


@pytest.mark.sweep
@pytest.mark.parametrize("key", [key for key in KEYS if key not in ("home", "beams")])
def test_a_block_of_a_branch_prints_its_number(runs, key):
    run = runs["en-fr"]
    first = run.tgt_tokenizer.vocabulary.id("les")
    for choices in ({"temperature": 1.5, "top_k": 5, "top_p": 0.8}, {"temperature": 0.0}):
        state = state_of("en-fr", "the cat sleeps", prefix=(first,), step=1, **choices)
        assert_prints_what_is_shown(
            Scene(recorded_of(run, state.sentence, state.decoding.prefix), state), key
        )


@pytest.mark.parametrize("name", SENTENCES)
def test_names_tell_parameters_from_sites(runs, name):
    model = runs[name].model
    assert all(locate(each).learned for each in named_parameters(model))
    assert not any(site.location.learned or site.location.kind == "ids" for site in model.sites())


HOSTILE = (
    "'); import os #",
    '"""',
    "a\\",
    "\\'",
    "x\nprint(1)\n",
    "\r\u2028\u2029\x0c",
    "{run}",
    "\ud800",
    "\u202e",
    "%s",
    *TEXTS.values(),
)


def shape(code: str, text: str) -> str:
    """The structure of a program with one constant blanked out; the constant must be there once at most."""
    tree = ast.parse(code)
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value == text]
    for node in constants:
        node.value = "the typed text"
    return ast.dump(tree)


PLAIN = "plain words"


def snippets(sentence):
    for site, index in (CELLS[0], LEARNED_CELLS[0], ("src", (0, 2)), ("hypothesis.loss", ())):
        yield cell_snippet("en-fr", sentence, (7, 8), site, index)
    recorded = SCENE.recorded
    for key in ("tokens", "output", "home", "masks"):
        scene = Scene(recorded, ExplorerState(run="random", sentence=sentence, look=Look(position=0)))
        yield block_snippet(scene, numbers_of(key, scene).shown)


SCENE = Scene(random_recording(), ExplorerState(run="random", sentence=PLAIN))
EXPECTED = [shape(code, PLAIN) for code in snippets(PLAIN)]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_typed_text_is_one_string_constant(text):
    for code, expected in zip(snippets("typed " + text), EXPECTED, strict=True):
        assert shape(code, "typed " + text) == expected
        assert all(line.isprintable() for line in code.split("\n"))


@pytest.mark.sweep
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_one_string_constant(text):
    for code, expected in zip(snippets(text), EXPECTED, strict=True):
        assert shape(code, text) == expected
        assert len(code.splitlines()) == code.count("\n") <= 12


@pytest.mark.proof
@pytest.mark.parametrize("text", [*HOSTILE[:5], "{run}\u202e"])
def test_hostile_text_of_a_model_that_reads_characters_runs_as_it_is_shown(text, tmp_path, monkeypatch):
    from dataclasses import replace

    from core.data.tokenizers import CharacterTokenizer
    from core.data.vocabulary import Vocabulary
    from core.run import save_run

    letters = tuple(dict.fromkeys((*text, " ", "a")))
    vocabulary = Vocabulary.build(letters)
    recorded = random_recording(src_vocab_size=len(vocabulary), tgt_vocab_size=len(vocabulary))
    tokenizer = CharacterTokenizer(vocabulary)
    run = replace(recorded.run, src_tokenizer=tokenizer, tgt_tokenizer=tokenizer)
    save_run(run, tmp_path / "checkpoints" / "letters")
    monkeypatch.setattr("tests.explorer.explaining.test_snippets.ROOT", tmp_path)
    code = cell_snippet("letters", text, (), "src_embed.tokens", (0, 0, 1))
    again = load_run(tmp_path / "checkpoints" / "letters")
    expected = (
        again.model.src_embed.weight[again.encode_source(text)[0], 1]
        * torch.tensor(again.config.d_model).sqrt()
    )
    assert float(printed(code)) == pytest.approx(expected.item())
