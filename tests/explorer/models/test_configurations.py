"""Sentences and formulas beside the numbers, over what a configuration may leave out: biases, and the tying."""

import re
from itertools import product, repeat
from typing import Any

import pytest

from core.explanation.explain import explain
from core.explanation.explanation import Explanation
from core.model.parameters import find_parameter, named_parameters
from explorer.app import REGISTRY
from explorer.browser.explain_panel import ExplanationData
from explorer.explaining.formula import Sizes
from explorer.explaining.latex import letters
from explorer.explaining.panel_data import explanation_data
from explorer.explaining.scene import Scene
from explorer.models.recorded import Recorded
from explorer.tensors import CellPlace
from explorer.views.output.data import output_view
from explorer.visitor.state import ExplorerState
from tests.explorer.random_recording import random_recording
from tests.explorer.words import WORDS, formula_of
from tests.marks import left_to_proofs
from tests.optional import unwrap

KINDS: dict[str, dict[str, Any]] = {
    "post": {},
    "pre": {"norm_position": "pre", "positional": "learned", "activation": "gelu", "scale_scores": False},
    "bare": {"positional": "none", "activation": "silu", "final_norm": True, "causal": False},
}
VARIANTS: dict[str, dict[str, Any]] = {
    f"{kind}{'' if bias else ', no biases'}{'' if tied else ', untied'}": {
        **changes,
        "attention_bias": bias,
        "tie_embeddings": tied,
    }
    for (kind, changes), bias, tied in product(KINDS.items(), (True, False), (True, False))
}
EMBEDDINGS = ("src_embed.weight", "tgt_embed.weight")


@pytest.fixture(scope="module", params=left_to_proofs(VARIANTS, {"post", "pre, no biases", "bare, untied"}))
def recorded(request) -> Recorded:
    return random_recording(**VARIANTS[request.param])


def sizes_of(recorded: Recorded) -> Sizes:
    return Sizes.of(Scene(recorded, ExplorerState(run="random", sentence=recorded.sentence)))


def explained(recorded: Recorded) -> list[Explanation]:
    """One number of every site."""
    activations = recorded.trace.activations
    cells = [(site, tuple(size - 1 for size in activations[site].shape)) for site in activations]
    return [explain(recorded.run, recorded.trace, site, index) for site, index in cells]


def panel(recorded: Recorded, site: str, index: tuple[int, ...]) -> ExplanationData:
    explanation = explain(recorded.run, recorded.trace, site, index)
    return explanation_data(explanation, recorded, (CellPlace(site, index),), views=REGISTRY)


def test_a_formula_adds_a_bias_where_a_bias_is_added_and_nowhere_else(recorded):
    found = {True: 0, False: 0}
    for each in explained(recorded):
        has_bias = any(term.label == "bias" for term in each.terms)
        found[has_bias] += 1
        formula = letters(each.formula)
        assert ("+ b" in formula or "+ (b" in formula) == has_bias, (each.site, formula)
    assert all(found.values())


def test_no_block_speaks_of_biases_that_its_attention_does_not_have(recorded):
    config = recorded.run.config
    sizes = sizes_of(recorded)
    for block in ("self-attention", "masked-self-attention", "cross-attention"):
        formula = formula_of(block, sizes)
        said = " ".join((*formula.letters, *formula.sizes, *(f"{a} {b}" for a, b in formula.symbols)))
        assert ("b_Q" in said) == ("bias" in said) == config.attention_bias


def test_a_matrix_is_called_embedding_where_it_embeds_and_nowhere_else(recorded):
    tied = recorded.run.config.tie_embeddings
    names = {*named_parameters(recorded.run.model), "generator.weight"}
    for site in sorted(names):
        index = (1,) * unwrap(find_parameter(recorded.run.model, site)).dim()
        data = panel(recorded, site, index)
        words = "".join(each.text for each in data.words) + data.crumbs[-1].text
        embeds = site in EMBEDDINGS or (site == "generator.weight" and tied)
        assert ("embedding" in words.lower()) == embeds, (site, words)


def test_the_output_matrix_has_one_letter_on_its_page_and_in_every_formula(recorded):
    letter, other = ("E", "W") if recorded.run.config.tie_embeddings else ("W", "E")
    sizes = sizes_of(recorded)
    logit = (0, 0, 1)
    logits, *_ = output_view(recorded, ExplorerState(run="random", sentence=recorded.sentence)).stages
    said = (
        letters(explain(recorded.run, recorded.trace, "generator.logits", logit).formula),
        formula_of("output", sizes).letters[0],
        logits.formula,
        logits.panels[1].title,
    )
    for each in said:
        assert letter in each, each
        assert other not in each, each


def test_formulas_have_the_papers_letters(recorded):
    sizes = sizes_of(recorded)
    pages = (
        letter for words in map(formula_of, WORDS, repeat(sizes)) for letter in (*words.letters, *words.sizes)
    )
    cells = (letters(each.formula) for each in explained(recorded))
    for formula in (*pages, *cells):
        assert not re.search(r"\\ell|[Wb]\^(?!{\\top})|d_\{?(head|\\text\{head)", formula), formula
    logits = explain(recorded.run, recorded.trace, "generator.logits", (0, 0, 1))
    assert letters(logits.formula).startswith("z")
    query = explain(recorded.run, recorded.trace, "encoder.layers.0.self_attn.q", (0, 1, 1, 1))
    # An element in the order of X W: the row is what comes in, the column what comes out.
    assert r"x_{p,d}\, (W_Q)_{d,n\, d_{k} + e}" in letters(query.formula)
    hidden = explain(recorded.run, recorded.trace, "encoder.layers.0.feed_forward.pre_activation", (0, 1, 1))
    assert r"x_{p,d}\, (W_1)_{d,u}" in letters(hidden.formula)
    loss = explain(recorded.run, recorded.trace, "hypothesis.token_loss", (0,))
    assert r"\varepsilon_{ls}" in letters(loss.formula)
