"""The page Tokens and embeddings through the entry script: cuts, stages, geometry, and what sharing saves."""

import json

import pytest

from core.analysis.embedding_geometry import analogy, nearest_neighbours
from core.analysis.initial_logits import initial_logit_variance
from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.view import STOP
from tests.pages.opening import go_to_block, header_of, open_page, said_beside, title_of

PAGE, VIEW, CUTS = "pages/model/tokens.py", STOP, "token_view"


def fed(app, key):
    assert not app.exception
    return json.loads(app.get_by_key(key).proto.bytes)


def words(app) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.caption))


@pytest.fixture(scope="module")
def run():
    return load_run(CHECKPOINTS / "en-fr")


def test_the_sentence_is_cut_in_three_ways_and_the_models_ids_are_the_real_ones(run):
    app = open_page(PAGE, sentence="the cat sleeps")
    data = fed(app, CUTS)
    assert title_of(app) == "Tokens and embeddings"
    assert [(cut["kind"], cut["own"]) for cut in data["cuts"]] == [
        ("word", True),
        ("character", False),
        ("bpe", False),
    ]
    assert data["cuts"][0]["ids"] == run.source_ids("the cat sleeps")
    assert [each["id"] for each in data["specials"]] == [0, 1, 2, 3]
    assert data["merging"]["start"][:4] == ["▁", "t", "h", "e"]


def test_the_page_opens_on_the_source_and_the_rail_leads_to_what_the_decoder_reads():
    app = open_page(PAGE)
    header = header_of(app, VIEW)
    assert (header["here"], header["row_side"], header["stage"]) == ("src_embed", "source", "")
    assert [stage["key"] for stage in header["stages"]] == ["source-rows", "source-scaled", "source-sum"]
    header = header_of(go_to_block(app, VIEW, "tgt_embed"), VIEW)
    assert (header["here"], header["row_side"], header["stage"]) == ("tgt_embed", "target", "")
    assert header["reads"][:2] == ["<s>", "le"]
    assert said_beside(app).startswith("At decoder input position 4, ne has the id ")
    header = header_of(go_to_block(app, VIEW, "src_embed", report=10), VIEW)
    assert (header["here"], header["row_side"]) == ("src_embed", "source")


def test_a_link_with_a_stage_opens_its_side_as_far_as_that_stage():
    header = header_of(open_page(PAGE, stage="target-scaled"), VIEW)
    assert [stage["key"] for stage in header["stages"]] == ["target-rows", "target-scaled", "target-sum"]
    assert (header["stage"], header["here"]) == ("target-scaled", "tgt_embed")
    assert header["tensors"]["output"]["axes"][0]["labels"][0] == "<s>"


def test_the_map_has_every_token_but_padding_and_turns_to_three_axes(run):
    app = open_page(PAGE)
    figure = json.loads(app.get_by_key("embedding_map").proto.spec)
    texts = [text for trace in figure["data"] for text in trace["text"]]
    assert len(texts) == len(run.src_tokenizer.vocabulary) - 1
    assert "&#60;/s&#62;" in texts
    app.radio(key="axes").set_value(3).run()
    assert not app.exception
    figure = json.loads(app.get_by_key("embedding_map").proto.spec)
    assert {trace["type"] for trace in figure["data"]} == {"scatter3d"}
    assert figure["layout"]["uirevision"] == "en-fr/src_embed.weight/3"


def test_neighbours_follow_the_chosen_token(run):
    app = open_page(PAGE)
    first, second = fed(app, "rankings")
    assert second["question"] == ["cats", "−", "cat", "+", "dog"]
    ids = [run.src_tokenizer.vocabulary.id(word) for word in ("cats", "cat", "dog")]
    a, b, c = ids
    led = analogy(run.model.src_embed.weight, a, b, c, k=1, leave_out=ids)[0].token_id
    assert second["rows"][0]["token"] == run.src_tokenizer.vocabulary.token(led)
    cat = run.src_tokenizer.vocabulary.id("cat")
    app.selectbox(key="neighbour/en-fr/src_embed.weight").set_value(cat).run()
    first, _ = fed(app, "rankings")
    assert first["question"] == ["cat"]
    table = run.model.src_embed.weight
    near = nearest_neighbours(table, table[cat], 1, leave_out={cat})[0].token_id
    assert first["rows"][0]["token"] == run.src_tokenizer.vocabulary.token(near)


def test_the_numbers_in_words_are_measured_on_this_model(run):
    said = words(open_page(PAGE))
    start = initial_logit_variance(run.config, seed=run.train_config.seed)
    assert f"their variance is **{start.scaled:.3f}**" in said
    assert f"it would be **{start.unscaled:.1f}**" in said
    n_tokens = len(run.src_tokenizer.vocabulary)
    assert f"{n_tokens} × 64 = {n_tokens * 64:,} numbers" in said
    assert f"sharing saves {2 * n_tokens * 64:,}" in said


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["copy", "dates", "en-de-numbers"])
def test_every_other_kind_of_model_opens(model):
    app = open_page(PAGE, model=model)
    assert fed(app, CUTS)["cuts"][0]["own"]
    assert header_of(app, VIEW)["tensors"]["rows"]
    assert not app.error
