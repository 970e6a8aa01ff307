"""The depth switch through the entry script: one choice for every page, kept in the address, one card a page."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.look.theme import format_signed
from explorer.models.decodings import recorded_of
from explorer.models.known import loaded_run
from tests.addresses import HOME
from tests.explorer.words import IDEAS
from tests.pages.opening import note_beside, open_page, said, said_beside
from tests.test_structure import ROOT

SENTENCE = "the small cats do not sleep"
PAGES = {
    "home": HOME,
    "step-by-step": "pages/generation/step_by_step.py",
    "sampling-lab": "pages/generation/sampling.py",
    "beams": "pages/generation/beam_search.py",
}


def open_at(page: str, depth: str, **query: str) -> AppTest:
    app = open_page(PAGES.get(page, page), depth=depth, **{"sentence": SENTENCE, "step": "4", **query})
    assert not app.exception
    return app


def choose(app: AppTest, depth: object) -> AppTest:
    app.session_state["note"] = {"depth": {"report": 1, "depth": depth}}
    return app.run()


def query(app: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


@pytest.mark.sweep
@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_one_card_at_each_depth(page):
    for depth in ("idea", "numbers", "formula", "code"):
        app = open_at(page, depth)
        note = note_beside(app)
        said = note["said"]
        assert note["depth"] == depth
        if depth == "idea":
            assert said_beside(app) == IDEAS[page]
        elif depth == "numbers":
            assert any(letter.isdigit() for letter in said_beside(app))
        elif depth == "formula":
            assert said["letters"]
            assert said["sizes"]
            assert len(said["symbols"]) >= 3
        else:
            assert said["sources"]
            assert all("def " in source["text"] for source in said["sources"])
            assert "load_run('checkpoints/en-fr')" in said["snippet"]
            assert repr(SENTENCE) in said["snippet"]


def test_code_names_its_source_lines():
    for source in note_beside(open_at("beams", "code"))["said"]["sources"]:
        assert f"def {source['name'].rpartition('.')[2]}(" in source["text"]
        lines = (ROOT / source["path"]).read_text().splitlines()[source["first"] - 1 : source["last"]]
        assert [line.strip() for line in lines] == [line.strip() for line in source["text"].splitlines()]


def test_the_switch_changes_every_page_and_the_address():
    app = open_page(PAGES["home"], sentence=SENTENCE)
    assert note_beside(app)["depth"] == "numbers"
    assert "depth" not in query(app)
    app = choose(app, "idea")
    assert note_beside(app)["depth"] == "idea"
    assert query(app)["depth"] == "idea"
    assert note_beside(open_page(PAGES["beams"], **query(app)))["depth"] == "idea"


def test_another_model_keeps_the_depth():
    app = open_at("home", "idea")
    app.radio(key="model").set_value("copy").run()
    assert note_beside(app)["depth"] == "idea"


def test_a_depth_that_does_not_exist_falls_back_with_a_notice():
    app = open_at("home", "poem")
    assert note_beside(app)["depth"] == "numbers"
    assert said(app) == ["The link's depth cannot be used here; it was left out."]


@pytest.mark.parametrize("forged", [None, "poem", 1, ["idea"], {"depth": "idea"}])
def test_only_one_of_the_four_depths_is_taken_from_the_browser(forged):
    assert note_beside(choose(open_page(PAGES["beams"]), forged))["depth"] == "numbers"


@pytest.mark.parametrize("page", ["home", "step-by-step"])
def test_the_numbers_follow_the_step_and_the_branch(page):
    app = open_at(page, "numbers")
    assert "At step 4 the position that reads ne writes dorment: that token has" in said_beside(app)
    prefix = "-".join(map(str, [*_ids("les petits chats ne"), *_ids("mangent")]))
    app = open_at(page, "numbers", prefix=prefix)
    assert "At step 4 the position that reads ne writes mangent: this forced token has" in said_beside(app)
    # What stands before it the model would have written anyway.
    app = open_at(page, "numbers", prefix=prefix, step="2")
    assert "At step 2 the position that reads petits writes chats: that token has" in said_beside(app)


READS_PETITS = "the position that reads petits (and will write chats)"
MARKED = {
    "self_attention": (
        "encoder.layers.1.self_attn.scores-0-0-4-3",
        "The query of not meets the key of do: ",
        "At source position 4, not, ",
    ),
    "masked_self_attention": (
        "decoder.layers.1.self_attn.scores-0-0-2-1",
        "The query of petits meets the key of les: ",
        f"At step 2, for {READS_PETITS}, ",
    ),
    "cross_attention": (
        "decoder.layers.1.cross_attn.scores-0-0-2-1",
        "The query of petits meets the key of small: ",
        f"At step 2, for {READS_PETITS}, ",
    ),
    "masks": (
        "decoder.layers.1.self_attn.mask-0-2-4",
        "May petits look at ne? no. ",
        f"For the sentence alone, without a batch, at step 2 {READS_PETITS} may look at 3 of 7 positions",
    ),
    "tokens": (
        "src_embed.tokens-0-2-5",
        "The embedding of cats, place 5: ",
        "At source position 2, cats has",
    ),
    "positions": (
        "src_embed.positions-0-2-5",
        "The positional encoding of cats, place 5: ",
        "At source position 2, cats gets",
    ),
    "add_norm": (
        "decoder.layers.1.cross_attn_add_norm.normalized-0-2-5",
        f"The normalised value of {READS_PETITS}, place 5: ",
        f"At step 2, for {READS_PETITS}, ",
    ),
    "feed_forward": (
        "encoder.layers.1.feed_forward.hidden-0-4-7",
        "The hidden unit of not, number 7: ",
        "At source position 4, not, ",
    ),
    "output": (
        "generator.logits-0-2-9",
        "The logit of apples at step 2: the sum of 64 products, ",
        "At step 2 the position that reads petits writes chats: ",
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("page", MARKED)
def test_the_numbers_speak_of_the_cell_that_is_explained(page):
    cell, begins, goes_on = MARKED[page]
    site, *index = cell.split("-")
    stage = {"tokens": "source-sum", "positions": "table"}.get(page, site.rpartition(".")[2])
    block = ".".join(site.split(".")[:1] + site.split(".")[3:4]).removesuffix("_add_norm")
    app = open_page(
        f"pages/model/{page}.py", sentence=SENTENCE, stage=stage, explain=cell, layer="1", block=block
    )
    assert not app.exception
    said = said_beside(app)
    assert said.startswith(begins)
    assert goes_on in said
    if page != "masks":
        value = recorded_of(loaded_run("en-fr"), SENTENCE).values(site)[tuple(map(int, index[1:]))]
        assert format_signed(float(value)) in said.partition(goes_on)[0]
    if "attention" in page:
        assert f" at position {cell[-1]} " in said.split(" of its weight")[0], "and of the key"


def test_without_a_chosen_cell_the_numbers_speak_of_the_lit_row_and_the_key_that_it_reads_most():
    app = open_page("pages/model/self_attention.py", sentence=SENTENCE, position="3")
    recorded = recorded_of(loaded_run("en-fr"), SENTENCE)
    weights = recorded.values("encoder.layers.1.self_attn.weights")[0]
    key = int(weights[3].argmax())
    told = said_beside(app)
    assert told.startswith(
        f"At source position 3, {recorded.source[3]}, head 0 of encoder layer 1 gives {recorded.source[key]} "
        f"at position {key} {weights[3, key]:.4f} of its weight, the largest of "
    )
    scores = recorded.values("encoder.layers.1.self_attn.scores")[0]
    assert any(abs(scores[row]).argmax() != weights[row].argmax() for row in range(len(scores)))


def test_the_code_of_the_first_page_makes_what_is_forced_there():
    (forced,) = _ids("le")
    app = open_at("home", "code", prefix=str(forced))
    assert f"prefix=[{forced}]" in note_beside(app)["said"]["snippet"]


def _ids(text: str) -> list[int]:
    from explorer.models.known import shipped_runs

    return shipped_runs()["en-fr"].tgt_tokenizer.encode(text)


@pytest.mark.parametrize("page", ["train", "runs", "experiments"])
def test_a_page_without_words_offers_no_depth(page):
    app = open_page(f"pages/training/{page}.py")
    with pytest.raises(KeyError):
        note_beside(app)


def test_home_has_its_words_in_a_menu_so_that_the_picture_has_the_room():
    app = open_page(PAGES["home"])
    (menu,) = [each for each in app.get("popover") if each.proto.popover.label == "Words"]
    assert menu.get_by_key("note")
