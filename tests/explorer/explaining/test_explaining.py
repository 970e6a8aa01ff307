"""What the panel shows of an explanation, on every level of the way from a probability to a sinusoid."""

import math
import re

import pytest

from core.activations.location import locate
from core.activations.sites import sites
from core.data.vocabulary import Vocabulary
from core.explanation.derivation import derive
from core.explanation.explain import explain
from core.explanation.explanation import Explanation
from core.explanation.formula import (
    Call,
    Equation,
    Expression,
    Formula,
    Fraction,
    Named,
    Negative,
    Number,
    Product,
    Root,
    Sum,
    Symbol,
    exp,
    log,
)
from core.explanation.letters import ALPHA, D_K, D_MODEL, EPSILON, D, E, I, P, T, V, X
from core.explanation.operand import Operand
from core.model.parameters import named_parameters
from core.model.shapes import parameter_shapes
from core.run import load_run
from explorer.app import REGISTRY
from explorer.browser.explain_panel import LARGEST, ExplanationData, pack
from explorer.explaining.latex import letters, numbers, tex
from explorer.explaining.names import crumb_of, name_of, role_of
from explorer.explaining.panel_data import explanation_data, problem_data
from explorer.explaining.sentence import sentence_of
from explorer.explaining.text import plain, symbol_text
from explorer.look.numbers import brief, exact
from explorer.models.known import CHECKPOINTS
from explorer.models.recorded import Recorded, record_translation
from explorer.models.translation import translate
from explorer.tensors import CellPlace
from explorer.view import Registry
from tests.core.conftest import TINY
from tests.core.variants import VARIANTS, by_variant
from tests.optional import unwrap

SENTENCE = "the small cats do not sleep"
DORMENT = 4


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    run = load_run(CHECKPOINTS / "en-fr")
    return record_translation(run, SENTENCE, translate(run, SENTENCE, ()))


def shown(recorded: Recorded, site: str, *index: int, trail: tuple[CellPlace, ...] = ()) -> ExplanationData:
    explanation = explain(recorded.run, recorded.trace, site, index)
    return explanation_data(explanation, recorded, (*trail, CellPlace(site, index)), views=REGISTRY)


def said(data: ExplanationData) -> str:
    return "".join(words.text for words in data.words)


def link_to(data: ExplanationData, ending: str) -> CellPlace:
    """The linked number of a site that ends so; of several the one in the largest term."""
    by_size = sorted(data.terms, key=lambda term: term.rank)
    cells = [number.cell for term in by_size for number in term.numbers if number.cell]
    cells += [data.selected_by.cell] if data.selected_by and data.selected_by.cell else []
    return next(cell for cell in cells if cell.site.endswith(ending))


WAY = {
    "generator": "logits",
    "decoder.layers.1.feed_forward_add_norm": "output normalized sum",
    "decoder.layers.1.feed_forward": "output hidden pre_activation",
    "decoder.layers.1.cross_attn_add_norm": "output normalized variance sum",
    "decoder.layers.1.cross_attn": "output context weights scores k",
    "encoder.layers.1.feed_forward_add_norm": "output normalized sum",
    "encoder.layers.1.feed_forward": "output hidden pre_activation",
    "encoder.layers.1.self_attn_add_norm": "output normalized mean sum",
    "encoder.layers.0.feed_forward_add_norm": "output normalized sum",
    "encoder.layers.0.self_attn_add_norm": "output normalized sum",
    "encoder.layers.0.self_attn": "output context weights scores q",
    "src_embed": "output",
}
"""Sites of the way, from the probability on."""


def test_a_way_leads_from_a_probability_to_an_embedding_entry_and_a_sinusoid(recorded):
    token = recorded.run.tgt_tokenizer.vocabulary.tokens.index("dorment")
    data = shown(recorded, "hypothesis.prob", DORMENT, token)
    for site in (f"{path}.{value}" for path, values in WAY.items() for value in values.split()):
        assert data.agrees, data.site
        cell = link_to(data, site)
        data = shown(recorded, cell.site, *cell.index)
    assert data.agrees
    embedding, position = (link_to(data, f"src_embed.{name}") for name in ("tokens", "positions"))

    wave = shown(recorded, position.site, *position.index)
    assert wave.agrees
    assert wave.numbers.startswith((r"\sin(", r"\cos("))
    assert not wave.links - {use.cell for use in wave.used_by}, "here the way ends"

    row = shown(recorded, embedding.site, *embedding.index)
    assert row.agrees
    entry, token_id = link_to(row, "src_embed.weight"), link_to(row, "src")
    learned = shown(recorded, entry.site, *entry.index)
    assert (learned.layout, learned.note) == ("none", "A number that training has learned.")
    assert not learned.links
    chosen = shown(recorded, token_id.site, *token_id.index)
    assert int(chosen.value) == entry.index[0]
    assert recorded.source[token_id.index[1]] in chosen.note


@pytest.mark.proof
def test_every_site_and_every_parameter_can_be_shown(recorded):
    cells = [(site.name, recorded.trace.activations[site.name].shape) for site in recorded.run.model.sites()]
    for name, shape in cells:
        data = shown(recorded, name, *(size - 1 for size in shape))
        assert data.agrees, name
        assert said(data).strip(), name
        assert data.terms, name
        assert data.page == getattr(REGISTRY.showing(locate(name)), "key", None), name
        assert len(pack(data)) < 120_000, name
    for name in named_parameters(recorded.run.model):
        data = shown(recorded, name, *[0] * n_axes(name))
        assert data.recorded, name
        assert data.page, name


def n_axes(name: str) -> int:
    return 1 if name.endswith(("bias", "b_q", "b_k", "b_v", "norm.weight")) else 2


def test_a_score_says_who_asks_whom_and_multiplies_query_and_key(recorded):
    data = shown(recorded, "decoder.layers.1.cross_attn.scores", 0, 2, DORMENT, 5)
    assert said(data) == "The query of ne meets the key of sleep."
    assert [words.role for words in data.words if words.role] == ["q", "target", "k", "source"]
    assert [(column.text, column.under, column.role) for column in data.columns] == [
        ("q", "ne", "q"),
        ("k", "sleep", "k"),
    ]
    assert (data.letter, data.value_name, data.factor) == ("e", "product", "÷ √16")
    q, k = (recorded.values(f"decoder.layers.1.cross_attn.{name}")[2] for name in "qk")
    products = [float(a) * float(b) for a, b in zip(q[DORMENT], k[5], strict=True)]
    assert [term.value for term in data.terms] == [brief(product) for product in products]
    assert data.total == brief(math.fsum(products))
    largest = max(map(abs, products))
    assert [term.share for term in data.terms] == [round(product / largest, 4) for product in products]
    assert data.shape == "1×4×7×7 float32, decoder layer 1, head 2"


def test_a_softmax_marks_its_own_exponential_and_names_every_key(recorded):
    data = shown(recorded, "decoder.layers.0.self_attn.weights", 0, 1, 2, 1)
    assert [term.token.text for term in data.terms] == list(recorded.inputs)
    assert [term.own for term in data.terms] == [place == 1 for place in range(len(recorded.inputs))]
    later = [term for term in data.terms if int(term.place) > 2]
    assert {(term.numbers[0].text, term.value, term.share) for term in later} == {("−∞", "0.000", 0.0)}
    assert (data.value_name, data.factor) == ("exp(s − max)", "")
    assert "subtracted from each first" in data.note
    assert r"\frac{e^{" in data.numbers


def test_a_masked_score_says_why(recorded):
    data = shown(recorded, "decoder.layers.0.self_attn.masked_scores", 0, 1, 0, 2)
    assert data.value == "−∞"
    assert data.note.startswith("The key stands later than the query")
    assert data.layout == "parts"
    assert [(term.place, term.numbers[0].text) for term in data.terms][1] == ("may look", "0")
    open_cell = shown(recorded, "decoder.layers.0.self_attn.masked_scores", 0, 1, 2, 0)
    assert "stays as it is" in open_cell.note


def test_of_many_terms_the_largest_are_shown_and_the_others_summed(recorded):
    explanation = explain(recorded.run, recorded.trace, "encoder.layers.0.feed_forward.output", (0, 2, 7))
    assert len(explanation.terms) > LARGEST
    data = shown(recorded, explanation.site, *explanation.index)
    values = sorted((term.value for term in explanation.terms), key=abs, reverse=True)
    for n_shown in (3, LARGEST):
        assert data.rests[n_shown] == (len(values) - n_shown, brief(math.fsum(values[n_shown:])))
    by_rank = sorted(data.terms, key=lambda term: term.rank)
    assert [term.value for term in by_rank] == [brief(value) for value in values]


def test_the_own_term_of_a_rare_token_is_never_among_the_summed_ones(recorded):
    log_probs = recorded.values("generator.log_probs")[DORMENT]
    rare = int(log_probs.argmin())
    data = shown(recorded, "generator.log_probs", 0, DORMENT, rare)
    (own,) = [term for term in data.terms if term.own]
    assert (own.token.text, own.rank) == (
        recorded.run.tgt_tokenizer.vocabulary.tokens[rare],
        len(data.terms) - 1,
    )
    assert data.rests[LARGEST][0] == len(data.terms) - LARGEST - 1


def test_very_many_terms_are_sent_as_the_largest_only(recorded, monkeypatch):
    monkeypatch.setattr("explorer.explaining.terms.MAX_SENT", 40)
    data = shown(recorded, "encoder.layers.0.feed_forward.output", 0, 2, 7)
    assert len(data.terms) == 40 < data.n_terms
    assert {term.rank for term in data.terms} == set(range(40))


def test_what_reads_a_number_is_the_same_place_or_a_page(recorded):
    score = shown(recorded, "decoder.layers.1.cross_attn.scores", 0, 2, DORMENT, 5)
    assert [use.cell for use in score.used_by] == [
        CellPlace("decoder.layers.1.cross_attn.weights", (0, 2, DORMENT, 5))
    ], "the mask between them says nothing"
    query = shown(recorded, "encoder.layers.0.self_attn.q", 0, 1, 2, 3)
    assert [(use.cell, use.site, use.block) for use in query.used_by] == [
        (None, f"encoder.layers.0.self_attn.{name}", "self-attention") for name in ("products", "scores")
    ]
    output = shown(recorded, "encoder.layers.0.self_attn.output", 0, 2, 3)
    assert [use.cell for use in output.used_by] == [
        CellPlace("encoder.layers.0.self_attn_add_norm.sum", (0, 2, 3))
    ]


def test_what_is_only_passed_on_is_jumped_over_and_the_text_says_so_in_half_a_sentence(recorded):
    index = (0, 2, DORMENT, 5)
    weight = shown(recorded, "decoder.layers.1.cross_attn.weights", *index)
    (own,) = (number for term in weight.terms if term.own for number in term.numbers)
    assert own.at == CellPlace("decoder.layers.1.cross_attn.masked_scores", index)
    assert own.cell == CellPlace("decoder.layers.1.cross_attn.scores", index)
    before = CellPlace(weight.site, index)
    assert shown(recorded, own.cell.site, *index, trail=(before,)).note == "The mask leaves it as it is."
    assert not shown(recorded, own.cell.site, *index).note, "who asked for it has jumped over nothing"

    masked = shown(recorded, "decoder.layers.0.self_attn.weights", 0, 1, 0, 2)
    (own,) = (number for term in masked.terms if term.own for number in term.numbers)
    assert own.cell == own.at == CellPlace("decoder.layers.0.self_attn.masked_scores", (0, 1, 0, 2))

    logit = shown(recorded, "generator.logits", 0, DORMENT, 7)
    output = logit.terms[0].numbers[0]
    assert (unwrap(output.at).site, unwrap(output.cell).site) == (
        "decoder.output",
        "decoder.layers.1.feed_forward_add_norm.output",
    )
    before = CellPlace(logit.site, (0, DORMENT, 7))
    passed = shown(recorded, unwrap(output.cell).site, *unwrap(output.cell).index, trail=(before,))
    assert passed.note == "Read on as decoder.output, unchanged."
    assert [use.site for use in passed.used_by] == ["generator.logits"]


def test_a_probability_is_the_softmax_over_the_logits(recorded):
    token = recorded.run.tgt_tokenizer.vocabulary.tokens.index("dorment")
    data = shown(recorded, "hypothesis.prob", DORMENT, token)
    assert said(data) == "The probability of dorment at step 4."
    assert data.n_terms == recorded.run.config.tgt_vocab_size
    (own,) = (term for term in data.terms if term.own)
    assert (own.token.text, own.numbers[0].cell) == (
        "dorment",
        CellPlace("generator.logits", (0, DORMENT, token)),
    )
    logit = shown(recorded, "generator.logits", 0, DORMENT, token)
    assert logit.used_by[-1].cell == CellPlace("hypothesis.prob", (DORMENT, token))


def test_pages_that_are_not_there_are_not_linked(recorded):
    explanation = explain(recorded.run, recorded.trace, "encoder.layers.0.self_attn.q", (0, 1, 2, 3))
    data = explanation_data(
        explanation, recorded, (CellPlace(explanation.site, explanation.index),), views=Registry(())
    )
    assert (data.page, data.page_title, data.pages) == ("", "", {})


def test_the_breadcrumb_keeps_two_at_each_end(recorded):
    token = recorded.run.tgt_tokenizer.vocabulary.tokens.index("dorment")
    trail = (
        CellPlace("hypothesis.prob", (DORMENT, token)),
        CellPlace("generator.log_probs", (0, DORMENT, token)),
        CellPlace("generator.logits", (0, DORMENT, token)),
        CellPlace("decoder.layers.1.cross_attn.weights", (0, 2, 4, 5)),
        CellPlace("decoder.layers.1.cross_attn.scores", (0, 2, 4, 5)),
    )
    assert [(crumb.text, crumb.place) for crumb in problem_data("", trail, recorded).crumbs] == [
        ("P(dorment)", 0),
        ("log P(dorment)", 1),
        ("…", None),
        ("weight", 3),
        ("score", 4),
    ]
    assert [crumb.place for crumb in problem_data("", trail[:4], recorded).crumbs] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("site", "index", "crumb"),
    [
        ("hypothesis.prob", (0, 99999), "P"),
        ("hypothesis.prob", (), "P"),
        ("no.such.site_of_a_model_at_all_anywhere", (1,), "site_of_a_model_at_all_a"),
        ("decoder.layers.7.cross_attn.scores", (0,), "score"),
        ("encoder.layers.0.self_attn.b_q", (0,), "bias"),
        ("src", (0, 1), "token id"),
    ],
)
def test_a_crumb_never_fails_for_what_a_link_may_name(recorded, site, index, crumb):
    assert crumb_of(CellPlace(site, index), recorded) == crumb


def test_a_problem_keeps_the_way_back(recorded):
    trail = (CellPlace("hypothesis.log_prob", ()), CellPlace("nothing", (0,)))
    data = problem_data("It is not there.", trail, recorded)
    assert (data.problem, [crumb.place for crumb in data.crumbs]) == ("It is not there.", [0, 1])
    assert problem_data("It is not there.", trail, None).crumbs == ()


def test_a_row_of_the_decoder_is_called_by_what_it_reads_and_only_in_the_stack_by_what_it_will_write(
    recorded,
):
    data = shown(recorded, "tgt_embed.tokens", 0, 2, 5)
    assert said(data) == f"The embedding of {recorded.inputs[2]}, place 5."
    reads, writes = recorded.inputs[2], recorded.outputs[2]
    row = f"the position that reads {reads} (and will write {writes})"
    assert said(shown(recorded, "decoder.output", 0, 2, 5)) == f"The decoder output of {row}, place 5."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.000"),
        (-0.25, "−0.250"),
        (8.0, "8"),
        (1.0, "1.000"),
        (-0.00004, "−4.0·10⁻⁵"),
        (123456.0, "1.2·10⁵"),
        (-math.inf, "−∞"),
        (math.nan, "NaN"),
    ],
)
def test_numbers_of_the_table_are_short(value, text):
    assert brief(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.500"),
        (-2.0, "-2"),
        (2.4e-7, r"2.4 \cdot 10^{-7}"),
        (12345.5, r"1.2 \cdot 10^{4}"),
        (math.inf, r"\infty"),
        (-math.inf, r"-\infty"),
        (math.nan, r"\text{NaN}"),
    ],
)
def test_numbers_in_latex(value, text):
    assert tex(value) == text


@pytest.mark.proof
def test_put_in_numbers_are_balanced_and_end_with_the_result(recorded):
    for site in recorded.run.model.sites():
        shape = recorded.trace.activations[site.name].shape
        explanation = explain(recorded.run, recorded.trace, site.name, tuple(size // 2 for size in shape))
        latex = numbers(explanation)
        assert latex.count("{") == latex.count("}")
        assert re.fullmatch(r"[\\{}()\[\]0-9A-Za-z .&+^·*/=,-]*", latex), latex
        if explanation.kind in ("look-up", "masked"):
            assert latex == ""
        else:
            assert tex(explanation.result) in latex.rpartition("=")[2]


def explanation_of(right: Expression, *operands: Operand | list[Operand]) -> Explanation:
    """An explanation of a number that is equal to this."""
    derivation = derive(Equation(Symbol("z"), right), *operands, labels=("one", "two"))
    return Explanation(**vars(derivation), site="z", index=(), meaning="", recorded=0.0, eps=1e-7)


def test_only_the_first_summand_may_begin_with_a_minus():
    pairs = [(-0.5, -0.25), (-2.5, 0.125), (1.5, 1.5), (-0.75, 0.5)]
    first, second = X[D], Symbol("w")[D]

    def explanation(n: int, right: Expression) -> Explanation:
        lists = [[Operand(symbol, pair[k]) for pair in pairs[:n]] for k, symbol in enumerate((first, second))]
        return explanation_of(right, *lists, Operand(D_K, 16))

    assert numbers(explanation(4, Sum(D, first * second) / Root(D_K))) == (
        r"\begin{aligned} & {-0.500 \cdot (-0.250) + (-2.500) \cdot 0.125} \\ "
        r"& {{} + \cdots + (-0.750) \cdot 0.500 = 1.688} \\ & {1.688 / \sqrt{16} = 0.422} \end{aligned}"
    )
    few = explanation(2, Sum(D, first * second))
    assert numbers(few) == r"-0.500 \cdot (-0.250) + (-2.500) \cdot 0.125 = -0.188"


def test_the_weight_of_a_query_that_sees_no_key_is_0_and_not_0_over_0():
    no_weights = [Operand(X[D], 0.0) for _ in range(2)]
    explanation = explanation_of(P / Sum(D, X[D]), Operand(P, 0.0), no_weights)
    assert (numbers(explanation), explanation.result) == ("0 = 0", 0.0)


def test_side_conditions_of_a_formula_get_lines_of_their_own():
    one, other = Equation(Symbol("a"), Symbol("b")), Equation(Symbol("b"), Symbol("c"))
    assert letters(Formula((one,))) == "a = b"
    assert letters(Formula((one,), (other,))) == r"\begin{aligned} & a = b \\ & b = c \end{aligned}"
    assert letters(Formula((one, other))) == letters(Formula((one,), (other,)))
    assert letters(None) == ""


@pytest.mark.proof
def test_every_formula_has_balanced_braces(recorded):
    for site in recorded.run.model.sites():
        shape = recorded.trace.activations[site.name].shape
        explanation = explain(recorded.run, recorded.trace, site.name, tuple(size // 2 for size in shape))
        formula = letters(explanation.formula)
        assert formula.count("{") == formula.count("}") > 0


@pytest.mark.parametrize(
    ("right", "latex", "text"),
    [
        (X - (ALPHA + T), r"x - (\alpha + t)", "x − (α + t)"),
        (X * (1 - ALPHA), r"x\, (1 - \alpha)", "x · (1 − α)"),
        (-X * T, r"-x\, t", "−x · t"),
        ((X + T) ** 2, "(x + t)^{2}", "(x + t)²"),
        (X * T * T, r"x\, t^{2}", "x · t · t"),
        (exp(-X), "e^{-x}", "exp(−x)"),
        (log(X) + 2, r"\log x + 2", "log(x) + 2"),
        (Sum(V, -X * T), r"-\sum_{v} x\, t", None),
        (Sum(V, X) / T, r"\frac{1}{t} \sum_{v} x", None),
        (Fraction(X, 1 + exp(-X), slash=True), "x / (1 + e^{-x})", "x/(1 + exp(−x))"),
        (Call("max", (Number(0), X)), r"\max(0, x)", "max(0, x)"),
        (Call("min", (Number(1), X / T)), r"\min\left(1, \frac{x}{t}\right)", "min(1, x/t)"),
        (Product((X, T), dot=True), r"x \cdot t", "x · t"),
        (X / Root(EPSILON), r"\frac{x}{\sqrt{\varepsilon}}", "x/√ε"),
    ],
)
def test_brackets_stand_where_they_are_needed_and_nowhere_else(right, latex, text):
    assert letters(Formula((Equation(P, right),))) == f"p = {latex}"
    if text is not None:
        assert plain(right) == text


@pytest.mark.parametrize(
    ("symbol", "text"),
    [
        (Symbol("q", upper=(P,))[I, E], "q"),
        (Root(D_MODEL), "√d"),
        (Symbol("μ")[P], "μ"),
        (Symbol("σ²")[P], "σ²"),
        (Symbol("W", mark="Q")[E, D], "W"),
        (Symbol("log P", lower=(T,), of=(V,)), "log P(v)"),
        (Number(10000) ** Fraction(2 * I, D_MODEL, slash=True), "10000^(2i/d)"),
        (Symbol("y", accent="prime")[V], "y′"),
        (EPSILON, "ε"),
        (1 - Symbol("β₂") ** T, "1−β₂ᵗ"),
        (Symbol("m", accent="hat"), "m̂"),
        (Number(10) ** -6, "10⁻⁶"),
        (Fraction(Symbol("∂L"), Symbol("∂y")[T, I]), "∂L/∂y"),
        (Named(Symbol("g", accent="tilde"), "g clipped"), "g clipped"),
        (Negative(ALPHA / Symbol("V")), "−α/V"),
    ],
)
def test_symbols_become_plain_text(symbol, text):
    assert symbol_text(symbol) == text


def test_a_formula_without_an_equation_and_a_sum_of_nothing_are_not_written():
    assert letters(Formula(())) == ""
    nothing = explanation_of(Sum(E, X[E]), [])
    assert nothing.result == 0
    assert numbers(nothing) == ""


@pytest.mark.parametrize("config", by_variant(VARIANTS))
def test_every_value_and_parameter_of_every_variant_is_called_by_a_name_and_not_by_its_place(config):
    for name in (*(site.name for site in sites(config)), *parameter_shapes(config)):
        assert not set("._") & set(re.sub(r"W_[A-Z]", "W", name_of(name, config))), name
    assert name_of("encoder.layers.0.self_attn.in_proj.weight", config) != "bias"


def test_names_and_colours_follow_the_site(recorded):
    assert name_of("decoder.layers.0.cross_attn_add_norm.output", TINY) == "norm output"
    assert name_of("decoder.layers.0.cross_attn.output", TINY) == "attention output"
    assert name_of("encoder.layers.1.self_attn.w_k", TINY) == "W_K entry"
    assert role_of("encoder.layers.0.self_attn.k") == "k"
    assert role_of("encoder.output") == "source"
    assert role_of("generator.logits") == "target"
    assert role_of("encoder.layers.0.self_attn.w_k") == ""
    assert sentence_of(CellPlace("hypothesis.loss", ()), recorded)[0].text == "The loss"
    first = Vocabulary.eos_id
    assert sentence_of(CellPlace("src_embed.weight", (first, 3)), recorded)[1].role == "source"


def test_the_sums_over_an_output_lead_to_what_is_made_of_them(recorded):
    for site, index, used_by in (
        ("hypothesis.log_prob", (), "hypothesis.score"),
        ("hypothesis.token_loss", (0,), "hypothesis.loss"),
    ):
        data = shown(recorded, site, *index)
        assert [use.cell for use in data.used_by] == [CellPlace(used_by, ())]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (2.9749217, "2.9749217"),
        (-0.5, "−0.5"),
        (6e-5, "6 · 10⁻⁵"),
        (-1.25e-7, "−1.25 · 10⁻⁷"),
        (3e12, "3 · 10¹²"),
    ],
)
def test_all_digits_of_a_number_are_written_as_people_write_them(value, said):
    assert exact(value) == said
