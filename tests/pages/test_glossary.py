"""The page Glossary through the entry script: a term by its link, the index's reports, and where a term leads."""

import json

import pytest

from core.config import TransformerConfig
from explorer.browser.term_tips import _message
from explorer.glossary.terms import OPENS_ON, glossary
from explorer.models.known import loaded_run
from tests.pages.opening import open_page, said

PAGE, INDEX = "pages/learn/glossary.py", "term_index"


def words(app) -> str:
    return "\n".join(each.value for each in app.markdown)


def test_the_page_opens_on_a_term_with_the_whole_list_beside_it():
    app = open_page(PAGE)
    assert not app.exception
    assert app.subheader[0].value == glossary()[OPENS_ON].name
    assert json.loads(app.get_by_key(INDEX).proto.bytes)["chosen"] == OPENS_ON
    assert "term" not in app.query_params


def test_how_todays_models_differ_is_one_page():
    app, term = open_page(PAGE, term="todays-models"), glossary()["todays-models"]
    assert not app.exception
    for word in ("Encoder-only", "decoder-only", "RoPE", "RMSNorm", "Llama 3 70B", "175 billion"):
        assert word in words(app)
    config = loaded_run("en-fr").config
    sizes = f"{config.d_model} | {config.n_encoder_layers} + {config.n_decoder_layers} | {config.n_heads}"
    assert f"this app's English to French | {sizes} | {config.tgt_vocab_size} |" in term.more
    base = TransformerConfig.base(src_vocab_size=37_000, tgt_vocab_size=37_000)
    layers = f"{base.n_encoder_layers} + {base.n_decoder_layers}"
    assert f"base model, 2017 | {base.d_model} | {layers} | {base.n_heads} | 37,000 |" in term.more


@pytest.mark.parametrize("key", ["softmax", "layer-norm", "gold-alignment", "token"])
def test_a_link_opens_its_term_with_formula_and_the_place_where_it_is_seen(key):
    app, term = open_page(PAGE, term=key), glossary()[key]
    assert not app.exception
    assert app.subheader[0].value == term.name
    assert [each.value.strip("$\n") for each in app.latex] == ([term.formula] if term.formula else [])
    assert not said(app)
    assert f"?term={key})" not in words(app), "a term does not lead to itself"


def test_a_chosen_term_is_kept_in_the_address_and_beside_other_choices():
    app = open_page(PAGE, sentence="the dog sleeps")
    app.session_state[INDEX] = {"chosen": {"term": "query", "report": 4}}
    app.run()
    assert app.subheader[0].value == "Query"
    assert app.query_params["term"] in ("query", ["query"])
    assert app.query_params["sentence"] in ("the dog sleeps", ["the dog sleeps"])


@pytest.mark.parametrize("term", ["no-such-term", "<b>x</b>", "Query"])
def test_a_term_that_is_not_there_is_said_and_nothing_breaks(term):
    app = open_page(PAGE, term=term)
    assert not app.exception
    missing = term == "no-such-term"
    assert ("no such term" in words(app)) == missing
    # What is no key at all is left out of the address, and the page opens as without it.
    assert [each.value for each in app.subheader] == ([] if missing else [glossary()[OPENS_ON].name])


def test_a_pages_first_sentence_marks_its_terms():
    app = open_page("pages/model/self_attention.py")
    for key in ("head", "note"):
        assert ["glossary?term=query", "query"] in json.loads(app.get_by_key(key).proto.bytes)["lead"]
    assert app.get_by_key("term_tips_box").proto.bytes == _message()
