"""A run is used with sentences: nobody has to know an id. What it shows of itself is short, and text in it is text."""

import random
from dataclasses import fields, replace
from pathlib import Path
from typing import cast

import pytest
import torch
from torch import nn

import core
from core import (
    BeamConfig,
    DecodeConfig,
    Pair,
    Run,
    ZeroAblation,
    decode_steps,
    edit,
    explain,
    last_step,
    load_run,
    record,
)
from core.activations.record import recording_bytes
from core.config import TrainConfig, TransformerConfig
from core.data.batching import Batch
from core.data.tokenizers import BpeTokenizer, CharacterTokenizer, Tokenizer, WordTokenizer
from core.errors import CaptureError, ConfigError, InputError, UnknownSite
from core.evaluation.pairs import held_out
from core.model.masks import causal_mask, padding_mask
from core.model.parameters import count_parameters
from core.model.transformer import Transformer
from tests.another_python import said_by

ROOT = Path(__file__).parents[2]
SENTENCE = "the small cat does not sleep"
ANSWER = "le petit chat ne dort pas"
STRANGE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def run() -> Run:
    return load_run(ROOT / "checkpoints" / "en-fr")


def test_a_list_is_translated_as_each_of_it_and_a_text_gives_a_text(run):
    texts = [SENTENCE, "a dog sings", "the dogs sleep"]
    assert run.translate(texts) == [run.translate(text) for text in texts]
    assert run.translate(SENTENCE) == ANSWER
    assert run.translate([SENTENCE]) == [ANSWER]
    assert run.translate([]) == []
    config = BeamConfig(width=2)
    assert run.translate(texts, config) == [run.translate(text, config) for text in texts]
    assert run.translate(texts, prefix="une") == run.translate(texts, prefix=run.tgt_tokenizer.encode("une"))
    assert all(answer.startswith("une ") for answer in run.translate(texts, prefix="une"))
    with pytest.raises(InputError, match=r"^text 2: The model does not know “xyz”"):
        run.translate(["a dog sings", "the xyz"])
    with pytest.raises(InputError, match=r"^The model does not know “xyz”"):
        run.translate("the xyz")


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["a dog sings", ""], "^text 2: Type at least one word"),
        (["a dog " * 40, "a dog"], "^text 1: 24 words at most; this has 80"),
        (["a dog sings", None], "^text 2: give a text to translate, not None"),
        (5, "^give a text to translate, not 5"),
    ],
)
def test_untranslatable_text_is_numbered(texts, sentence, run):
    with pytest.raises(InputError, match=sentence):
        run.translate(texts)


def test_text_too_short_for_a_change_is_numbered(run):
    changed = run.intervene(ZeroAblation("encoder.output", positions=(5,)))
    with pytest.raises(CaptureError, match=r"^text 2: .*at least 6 source tokens; this has 4"):
        changed.translate([SENTENCE, "a dog sings"])


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        (["abc"], "^pair 1: give a source and its target, two texts, not “abc”"),
        (["ab"], "^pair 1: give a source and its target, two texts, not “ab”"),
        ({"a dog sings", "a dog"}, "^pair 1: give a source and its target"),
        ({"a dog sings": "un chien chante"}, "^give a list of pairs, each a source and its target, not"),
        ("a dog", "^give a list of pairs, each a source and its target, not “a dog”"),
        (None, "^give a list of pairs, each a source and its target, not None"),
        ([(SENTENCE, ANSWER), ("a dog", "un chien", "chante")], "^pair 2: give a source and its target"),
        ([("x", None)], "^pair 1: the target must be a text, not None"),
        ([Pair("a dog", cast("str", 3), ())], "^pair 1: the target must be a text, not 3"),
        ([("", "le chat")], "^pair 1: the source has no token; write one or leave the pair out"),
        ([(SENTENCE, " ")], "^pair 1: the target has no token"),
    ],
)
def test_pairs_of_another_form_are_rejected(pairs, sentence, run):
    with pytest.raises(InputError, match=sentence):
        run.evaluate(pairs)


@pytest.mark.parametrize("model", [nn.Transformer(8, 2, 1, 1, 8), nn.Linear(2, 2), None, "checkpoints/en-fr"])
@pytest.mark.parametrize(
    "use",
    [
        lambda model: record(model).__enter__(),
        lambda model: edit(model, {"*.weights": torch.relu}).__enter__(),
        lambda model: recording_bytes(model, batch=1, src_length=1, tgt_length=1),
        lambda model: core.trace(model, torch.tensor([4, 2]), torch.tensor([2])),
        lambda model: core.generate(model, torch.tensor([[4, 2]])),
        lambda model: core.beam_search(model, torch.tensor([[4, 2]])),
    ],
)
def test_model_of_another_package_is_rejected(use, model):
    with pytest.raises(
        InputError, match=r"give a core\.Transformer, not .*; build one of a TransformerConfig"
    ):
        use(model)


def test_run_in_the_place_of_its_model_is_rejected(run):
    with pytest.raises(InputError, match=r"give the run's model, run\.model, not the run"):
        record(run).__enter__()


@pytest.mark.parametrize(
    "change", [lambda value: value * 0, ZeroAblation, "encoder.output", [ZeroAblation("encoder.output")]]
)
def test_other_object_than_an_intervention_is_rejected(change, run):
    sentence = (
        r"change 2 must be an intervention, such as ZeroAblation\(site\), not .*use core\.edit for a function"
    )
    with pytest.raises(InputError, match=sentence):
        run.intervene(ZeroAblation("encoder.output"), change)


def test_a_target_is_encoded_with_its_end_and_refused_where_it_cannot_be_written(run):
    ids = run.encode_target(ANSWER)
    assert ids.tolist() == [*run.tgt_tokenizer.encode(ANSWER), run.config.eos_id]
    with pytest.raises(InputError, match="cannot write “xyzzy”; use other"):
        run.encode_target("le xyzzy")


def test_a_trace_is_of_the_models_own_answer_or_of_a_given_target(run):
    own = run.trace(SENTENCE, "decoder.layers.*.cross_attn.weights")
    last = last_step(decode_steps(run.model, run.encode_source(SENTENCE)[None]))
    assert own.tgt_out.tolist() == last.hypotheses[0].tolist()
    assert own.source_tokens == (*SENTENCE.split(), "</s>")
    assert own.target_tokens == (*ANSWER.split(), "</s>")
    assert len(own.activations) == run.config.n_decoder_layers
    given = run.trace(SENTENCE, "generator.logits", target="le chien dort")
    assert given.target_tokens == ("le", "chien", "dort", "</s>")
    assert given.activations["generator.logits"].shape[1] == 4
    torch.testing.assert_close(given.activations["generator.logits"][0], given.logits)
    forced = run.trace(SENTENCE, "generator.logits", prefix="une")
    assert forced.target_tokens[0] == "une"
    assert " ".join(forced.target_tokens[:-1]) == run.translate(SENTENCE, prefix="une")
    with pytest.raises(InputError, match="leave the prefix out"):
        run.trace(SENTENCE, target="le chat", prefix="le")
    with pytest.raises(UnknownSite):
        run.trace(SENTENCE, "nothing.here")


def test_a_run_is_evaluated_on_pairs_of_texts(run):
    pairs: list[tuple[str, str] | Pair] = [(SENTENCE, ANSWER), Pair("a dog sings", "un chat chante", ())]
    found = run.evaluate(pairs)
    assert (found.figures.n_pairs, found.figures.exact_match) == (2, 0.5)
    assert found.wrong[0].output == "un chien chante"
    whole = [pair if isinstance(pair, Pair) else Pair(pair[0], pair[1], ()) for pair in pairs]
    assert found == held_out(run, whole, split="own")
    with pytest.raises(InputError, match="at least one pair"):
        run.evaluate([])


def test_what_is_shown_is_short(run):
    seen = run.trace(SENTENCE)
    explanation = explain(run, seen, "decoder.layers.1.cross_attn.scores", (0, 2, 4, 5))
    site = run.model.sites()[0]
    shown = [run, seen, seen.activations, explanation, site]
    assert [len(repr(each)) < 200 for each in shown] == [True] * 5
    assert repr(run).startswith("<Run 'en-fr': task en_fr, layers 2 + 2, d_model 64")
    assert repr(seen).startswith(f"<Trace: {SENTENCE} </s> → {ANSWER} </s>, ")
    assert repr(explanation).startswith("<Explanation: decoder.layers.1.cross_attn.scores[0, 2, 4, 5] = ")
    assert "16 terms" in repr(explanation)
    assert repr(site) == "<Site src_embed.tokens [batch, position, d_model]>"
    for each in shown:
        page = each._repr_html_()
        assert page.startswith("<table>")
        assert page.count("<tr>") == page.count("</tr>") > 1
        assert len(page) < 20_000


@pytest.fixture(scope="module")
def results(run):
    """Return objects that hold many numbers or texts, by name."""
    task, rng = core.get_task("en_fr"), random.Random(4)
    pairs = [task.sample(rng) for _ in range(150)]
    batch = core.collate(core.encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer))
    model, seen = run.model, run.trace(SENTENCE)
    step = last_step(decode_steps(model, batch.src, DecodeConfig(temperature=1.0)))
    heads = core.head_ablations(model)[:2]
    plan, dataset = core.plan_task(core.get_task("copy"), TrainConfig(n_train=300, n_validation=9, n_test=9))
    return {
        "held_out": run.evaluate(pairs),
        "logit": core.attribute_logit(model, seen, 2),
        "score": core.attribute_score(model, seen, "decoder.layers.1.cross_attn", 0, 2, 1),
        "patching": core.patching_map(run, SENTENCE, "the big cat does not sleep", 1),
        "worth": core.worths(run, pairs[:20], heads)[0],
        "swept": core.sweep(model, batch.src, batch.tgt_in, batch.tgt_out, heads)[0],
        "step": step,
        "columns": step.sampling,
        "beam": last_step(core.beam_steps(model, batch.src)).beams[0],
        "lens": core.logit_lens(model, seen.activations)[0],
        "batch": batch,
        "encoded": core.encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer),
        "dataset": dataset,
        "plan": plan,
        "tokenizer": run.src_tokenizer,
        "vocabulary": run.src_tokenizer.vocabulary,
        "attention": seen.attention(1, 2),
    }


def test_large_results_are_shown_in_a_line_and_a_table(results):
    for name, value in results.items():
        assert len(repr(value)) < 600, name
        assert "\n" not in repr(value), name
        assert repr(value).startswith(f"<{type(value).__name__}"), name
        page = value._repr_html_()
        assert page.startswith("<table>"), name
        assert len(page) < 20_000, name


def test_tables_of_results_show_their_numbers(results):
    held_out, logit, worth = results["held_out"], results["logit"], results["worth"]
    assert f"<td>exact_match</td><td>{held_out.figures.exact_match:.6g}</td>" in held_out._repr_html_()
    wrong = replace(
        held_out,
        results=tuple(
            replace(r, output="quoi", output_tokens=("quoi",), log_probs=(0.0,)) for r in held_out.results[:1]
        ),
    )
    assert f"<td>{wrong.results[0].source}</td>" in wrong._repr_html_()
    assert "<td>quoi</td>" in wrong._repr_html_()
    largest = logit.contributions.abs().argmax()
    first_row = logit._repr_html_().partition("<tbody>")[2].partition("</tr>")[0]
    assert logit.parts[int(largest)].path in first_row
    assert f"{float(logit.contributions[largest]):.4f}" in first_row
    assert (
        f"<td>{worth.loss.value:.4f}</td><td>{worth.loss.low:.4f} to {worth.loss.high:.4f}</td>"
        in worth._repr_html_()
    )


def test_table_of_attention_has_the_weights_and_their_tokens(run, results):
    seen, table = run.trace(SENTENCE), results["attention"]
    weights = seen.activations["decoder.layers.1.cross_attn.weights"][0, 2]
    assert torch.equal(table.weights, weights)
    assert table.keys == (*SENTENCE.split(), "</s>")
    assert table.queries == ("<s>", *ANSWER.split())
    rows = table._repr_html_().partition("<tbody>")[2].split("</tr>")
    assert rows[1].startswith("<tr><td>le</td>")
    assert [f">{float(weight):.2f}</td>" in rows[1] for weight in weights[1]] == [True] * 7
    assert f"rgba(38, 110, 200, {float(weights[1, 1]):.3f})" in rows[1]
    own = seen.attention(0, 1, "encoder.self_attn")
    assert own.queries == own.keys == (*SENTENCE.split(), "</s>")
    for arguments, error in (((9, 0), UnknownSite), ((0, 9), CaptureError), ((0, 0, "decoder"), InputError)):
        with pytest.raises(error):
            seen.attention(*arguments)


def test_patching_table_has_the_tokens_of_each_side(results):
    patching = results["patching"]
    source, target = patching._repr_html_().split("</table>")[:2]
    assert "<th>patched</th><th>the</th><th>small</th>" in source
    assert "<th>patched</th><th>le</th><th>petit</th>" in target
    share = patching.share("src_embed.output", 1)
    assert f">{share:.2f}</td>" in source.partition("src_embed.output")[2].partition("</tr>")[0]


def test_every_text_in_a_notebook_is_escaped(run):
    strange = replace(run, name=STRANGE, task=STRANGE, evaluation={STRANGE: 1.0})
    seen = replace(run.trace(SENTENCE, "generator.logits"), source_tokens=(STRANGE,))
    seen = replace(seen, target_tokens=(STRANGE,) * len(seen.tgt_out))
    site = replace(run.model.sites()[0], meaning=STRANGE, name=STRANGE, inputs=(STRANGE,))
    explanation = replace(explain(run, run.trace(SENTENCE), "generator.logits", (0, 0, 5)), meaning=STRANGE)
    pair = replace(run.evaluate([(SENTENCE, "le chat")]).results[0], source=STRANGE)
    held_out = replace(run.evaluate([(SENTENCE, "le chat")]), results=(pair,), split=STRANGE)
    for each in (strange, seen, site, explanation, pair, held_out):
        assert "&lt;img" in each._repr_html_()
        assert "<img" not in each._repr_html_()


@pytest.mark.proof
def test_a_star_brings_what_the_readme_uses():
    program = (
        "import core, sys\nassert 'torch' not in sys.modules\nfrom core import *\n"
        "print(*[name for name in core.__all__ if name not in globals()], load_run.__name__, record.__name__, sep='|')"
    )
    output = said_by(program)
    assert output == "load_run|record\n"


def test_every_name_comes_from_where_it_is_defined():
    for name in core.__all__:
        value = getattr(core, name)
        assert (value.__module__.startswith(core._HOMES[name]), value.__name__) == (True, name)


def test_the_names_of_the_requirements_work_as_they_are_written():
    config = TransformerConfig(
        src_vocab_size=11, tgt_vocab_size=11, d_model=8, n_heads=2, d_ff=16, n_encoder_layers=1, n_decoder_layers=1,
        tie_embeddings=True, positional="learned", norm_position="pre", activation="gelu",
    )  # fmt: skip
    model = Transformer(config).eval()
    src, tgt = torch.tensor([[5, 6, 2]]), torch.tensor([[1, 7]])
    logits = model(src, tgt)
    assert logits.shape == (1, 2, 11)
    torch.testing.assert_close(logits, model(src=src, tgt_in=tgt))
    drawn = core.generate(model, src, max_length=50, temperature=0.7)
    assert drawn.shape[0] == 1
    assert drawn.shape[1] <= 50
    assert DecodeConfig().use_cache
    assert count_parameters(model) == sum(each.numel() for each in model.parameters())
    base = TransformerConfig.base(src_vocab_size=100, tgt_vocab_size=100)
    assert (base.n_encoder_layers, base.n_heads, base.d_model, base.d_head, base.d_ff) == (
        6,
        8,
        512,
        64,
        2048,
    )
    assert padding_mask(torch.tensor([[5, 0]]), 0).flatten().tolist() == [True, False]
    assert causal_mask(2).flatten().tolist() == [True, False, True, True]
    with pytest.raises(ConfigError, match=r"d_model 9 must be a multiple of n_heads 2"):
        TransformerConfig(src_vocab_size=11, tgt_vocab_size=11, d_model=9, n_heads=2)
    assert {"tgt_in", "tgt_out"} <= {each.name for each in fields(Batch)}
    assert {"dtype", "label_smoothing"} <= {each.name for each in fields(TrainConfig)}
    assert all(
        isinstance(each, type) for each in (CharacterTokenizer, WordTokenizer, BpeTokenizer, Tokenizer)
    )
