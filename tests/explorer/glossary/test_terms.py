"""The glossary's file: what is read of it, what is refused, and where its terms lead."""

import re

import pytest

from core.errors import InputError
from explorer.app import REGISTRY
from explorer.browser.term_tips import parse_term
from explorer.glossary.marking import parts_of
from explorer.glossary.places import seen_at
from explorer.glossary.terms import glossary, read_terms
from explorer.models.known import known_runs
from explorer.views.glossary.component import CHOSEN, ChosenTerm
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.state import default_state
from tests.addresses import TITLES
from tests.test_structure import ROOT

TERM = '[[term]]\nkey = "{key}"\nname = "A"\nforms = {forms}\ntext = "A thing."\npage = ""\n'
GOOD = TERM.format(key="a", forms='["a"]')
COMMANDS = {
    "frac", "text", "sqrt", "mathbb", "mathcal", "left", "right", "begin", "end", "cdot", "sum", "prod",
    "log", "max", "min", "sin", "cos", "le", "ge", "lVert", "rVert", "top", "dots", "odot", "mu", "sigma",
    "gamma", "beta", "varepsilon", "alpha", "eta", "theta", "nabla", "hat", "leftarrow", "operatorname",
    "infty", "infin", "partial", "Big", "mid", "quad", "qquad", "in", "times", "ell", "arg",
}  # fmt: skip
"""What our formulas may use of LaTeX; KaTeX draws all of it."""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[term", "cannot be read"),
        (GOOD.replace('name = "A"\n', ""), "'a' of the glossary has no name"),
        (GOOD + 'colour = "red"\n', "has 'colour'"),
        (GOOD.replace('["a"]', '"a"'), "must be a list of words"),
        (GOOD.replace('"a"\nname', '"A b"\nname'), "small letters"),
        (GOOD.replace("A thing.", ""), "0 characters"),
        (GOOD + "view = { head = 0 }\n", "must give each name of an address a text"),
        (GOOD + GOOD, "the key 'a' twice"),
        (GOOD + TERM.format(key="b", forms='["A"]'), "are called 'a'"),
        (GOOD + "formula = 3\n", "its formula must be a text"),
        (GOOD + f'more = "{"a" * 6001}"\n', "its more has 6001 characters; at most 6,000 fit"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(InputError, match=re.escape(sentence)):
        read_terms(text)


def test_there_are_many_terms_in_the_order_of_the_alphabet():
    names = [term.name for term in glossary().values()]
    assert len(names) >= 60
    assert names == sorted(names, key=str.casefold)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("form", "key"),
    [
        ("dot product", "dot-product"),
        ("projection", "projection"),
        ("transpose", "transpose"),
        ("backpropagation", "backpropagation"),
        ("overfitting", "overfitting"),
        ("exposure bias", "exposure-bias"),
        ("attention sink", "attention-sink"),
        ("d_ff", "d-ff"),
        ("d_k", "d-k"),
        ("BOS", "special-token"),
        ("EOS", "special-token"),
        ("greedy", "greedy"),
        ("entropy", "entropy"),
        ("perplexity", "perplexity"),
        ("encoder-only", "todays-models"),
        ("decoder-only", "todays-models"),
        ("RoPE", "todays-models"),
        ("RMSNorm", "todays-models"),
    ],
)
def test_what_a_student_looks_up_is_found_under_the_papers_name(form, key):
    assert [part.term for part in parts_of(f"Look at the {form} here.") if part.term] == [key]


@pytest.mark.parametrize("key", glossary())
def test_what_a_term_says_is_one_or_two_sentences_and_its_formula_is_sound(key):
    term = glossary()[key]
    assert re.search(r"[.]$", term.text)
    assert len(re.findall(r"[.](?= [A-Z]|$)", term.text)) <= 2
    assert set(re.findall(r"\\([A-Za-z]+)", term.formula)) <= COMMANDS
    bare = re.sub(r"\\[{}]", "", term.formula)
    depth = 0
    for letter in bare:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    opened, closed = (re.findall(rf"\\{name}{{(\w+)}}", term.formula) for name in ("begin", "end"))
    assert opened == closed
    assert len(re.findall(r"\\left(?!arrow)", term.formula)) == len(
        re.findall(r"\\right(?!arrow)", term.formula)
    )


@pytest.mark.sweep
@pytest.mark.parametrize("key", glossary())
def test_each_term_leads_to_a_page_that_takes_its_view(key):
    runs, term = known_runs(), glossary()[key]
    assert term.page in {"", *TITLES}
    view = REGISTRY.at(term.page)
    file, title = view.page, view.title
    assert (ROOT / file).exists()
    assert title == TITLES.get(term.page, "Watch it run")
    for run in runs:
        there = seen_at(term, default_state(runs, run), runs)
        query = query_of(there, runs)
        again, notices = state_from_query(query, runs)
        assert notices == ()
        assert again == there
        assert {name: query.get(name) for name in term.view if name != "step"} == {
            name: value for name, value in term.view.items() if name != "step"
        }


@pytest.mark.proof
def test_each_term_is_reached_by_a_text_of_the_app_or_by_another_term():
    files = [*(ROOT / "pages").rglob("*.py"), *(ROOT / "explorer").rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    said = {part.term for text in texts for line in text.splitlines() for part in parts_of(line)}
    told = {part.term for term in glossary().values() for part in parts_of(term.text, but=(term.key,))}
    # Shown by a table, a view or a switch, of which the words of their entry are told in the list alone.
    shown = {"bpe", "chrf", "bleu", "logit-lens", "perplexity", "score", "ablation", "held-out"}
    assert set(glossary()) - said - told <= shown


@pytest.mark.parametrize("raw", [None, 3, "nothing", {"term": "query"}, "query<b>", ["query"]])
def test_what_a_browser_reports_is_a_term_or_nothing(raw):
    assert parse_term(raw, glossary()) == ""
    assert CHOSEN.parse(raw, glossary()) is None


def test_a_reported_term_is_taken():
    assert parse_term("query", glossary()) == "query"
    assert CHOSEN.parse({"term": "query", "report": 5}, glossary()) == ChosenTerm("query")
    assert CHOSEN.parse({"term": "query", "report": -5}, glossary()) is None
    assert CHOSEN.parse({"term": "no-such", "report": 5}, glossary()) is None
