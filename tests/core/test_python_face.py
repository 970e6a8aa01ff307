"""A run is used with sentences: nobody has to know an id. What it shows of itself is short, and text in it is text."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
import torch

import core
from core import BeamConfig, DecodeConfig, Pair, Run, decode_steps, explain, last_step, load_run
from core.config import TrainConfig, TransformerConfig
from core.data.batching import Batch
from core.data.tokenizers import BpeTokenizer, CharacterTokenizer, Tokenizer, WordTokenizer
from core.errors import ConfigError, InputError, UnknownSite
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
    for config in (BeamConfig(width=2), DecodeConfig(temperature=2.0, seed=3)):
        assert run.translate(texts, config) == [run.translate(text, config) for text in texts]
    assert run.translate(texts, prefix="une") == run.translate(texts, prefix=run.tgt_tokenizer.encode("une"))
    assert all(answer.startswith("une ") for answer in run.translate(texts, prefix="une"))
    with pytest.raises(InputError, match="does not know “xyz”"):
        run.translate(["a dog sings", "the xyz"])


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


def test_every_text_in_a_notebook_is_escaped(run):
    strange = replace(run, name=STRANGE, task=STRANGE, evaluation={STRANGE: 1.0})
    seen = replace(run.trace(SENTENCE, "generator.logits"), source_tokens=(STRANGE,))
    seen = replace(seen, target_tokens=(STRANGE,) * len(seen.tgt_out))
    site = replace(run.model.sites()[0], meaning=STRANGE, name=STRANGE, inputs=(STRANGE,))
    explanation = replace(explain(run, run.trace(SENTENCE), "generator.logits", (0, 0, 5)), meaning=STRANGE)
    for each in (strange, seen, site, explanation):
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
