"""The sampling lab through the entry script: settings, links, forced tokens, and the drawing of whole outputs."""

import json

from streamlit.testing.v1 import AppTest

from explorer.models.known import loaded_run
from explorer.views.sampling.component import sampling_view
from explorer.visitor.scope import DEFAULT_RUN
from tests.pages.opening import after_report, header_of, open_page, said, title_of

PAGE = "pages/generation/sampling.py"


def open_lab(**query: str) -> AppTest:
    return open_page(PAGE, **query)


def fed(app: AppTest) -> dict:
    return header_of(app, "sampling_view")


def samples(app: AppTest) -> dict:
    return json.loads(app.get_by_key("samples_view").proto.bytes)


def choose(app: AppTest, **changes) -> AppTest:
    settings = {"step": 2, "temperature": 0.7, "top_k": 5, "top_p": 0.9, "seed": 3}
    told = {"trace": fed(app)["key"], **settings, **changes}
    return after_report(app, "choice", told, page="sampling-lab", part=sampling_view.path)


def query_of(app: AppTest) -> dict[str, str]:
    return {name: v if isinstance(v, str) else v[0] for name, v in app.query_params.items()}


def test_the_first_visit_shows_an_output_drawn_from_the_model_itself():
    app = open_lab()
    assert title_of(app) == "Sampling lab"
    view = fed(app)
    assert view["greedy_text"] == "le petit chat ne dort pas"
    assert (view["temperature"], view["top_k"], view["top_p"], view["seed"]) == (1.0, None, 1.0, 0)
    size = len(loaded_run(DEFAULT_RUN).tgt_tokenizer.vocabulary)
    assert view["arrays"] == [["logits", [len(view["token_ids"]), size]]]
    assert query_of(app) == {}


def test_a_link_opens_the_very_view():
    app = open_lab(sentence="the cats sleep", step="1", temperature="0.5", top_k="7", top_p="0.8", seed="42")
    view = fed(app)
    assert view["greedy_text"] == "les chats dorment"
    assert view["step"] == 1
    assert (view["temperature"], view["top_k"], view["top_p"], view["seed"]) == (0.5, 7, 0.8, 42)


def test_temperature_0_is_greedy_and_there_is_nothing_to_draw():
    app = open_lab(temperature="0.0")
    assert fed(app)["text"] == fed(app)["greedy_text"]
    assert app.button(key="draw_samples").disabled
    assert "Temperature 0 always gives the same output; raise it to draw." in [c.value for c in app.caption]


def test_settings_that_rest_reach_the_model_and_the_url():
    app = choose(open_lab())
    view = fed(app)
    assert (view["temperature"], view["top_k"], view["top_p"], view["seed"]) == (0.7, 5, 0.9, 3)
    assert view["step"] == 2
    assert query_of(app) == {"step": "2", "temperature": "0.7", "top_k": "5", "top_p": "0.9", "seed": "3"}


def test_a_report_about_another_sentence_is_ignored():
    app = choose(open_lab(), trace="another")
    assert fed(app)["temperature"] == 1.0
    assert query_of(app) == {}


def test_another_seed_draws_another_output():
    texts = {fed(open_lab(temperature="2.0", seed=str(seed)))["text"] for seed in range(4)}
    assert len(texts) > 1


def test_200_outputs_are_drawn_and_counted():
    app = open_lab(temperature="0.8")
    assert "Nothing drawn with these settings yet." in [caption.value for caption in app.caption]
    app.button(key="draw_samples").click().run()
    assert not app.exception
    drawn = samples(app)
    assert drawn["n_drawn"] == 200
    assert sum(row["count"] for row in drawn["rows"]) + drawn["others_count"] == 200
    assert drawn["rows"][0]["text"] == "le petit chat ne dort pas"
    assert drawn["n_compared"] >= 1
    assert drawn["distance"] < 4 * drawn["chance"]


def test_drawn_outputs_stay_while_looking_around_and_go_with_the_settings():
    app = open_lab(temperature="0.8")
    app.button(key="draw_samples").click().run()
    before = samples(app)
    app = choose(app, step=1, temperature=0.8, top_k=None, top_p=1.0, seed=0)
    assert samples(app) == before
    app = choose(app, step=1, temperature=0.8, top_k=None, top_p=1.0, seed=1)
    assert "Nothing drawn with these settings yet." in [caption.value for caption in app.caption]


def test_an_open_branch_forces_its_tokens_and_can_be_left():
    first = fed(open_lab())["vocabulary"].index("les")
    app = open_lab(prefix=str(first))
    view = fed(app)
    assert (view["n_forced"], view["token_ids"][0]) == (1, first)
    assert view["greedy_text"].startswith("les ")
    assert any("begins with its forced tokens" in info.value for info in app.info)
    app.button(key="leave_branch").click().run()
    assert fed(app)["n_forced"] == 0
    assert "prefix" not in query_of(app)


def test_a_prefix_that_cannot_be_forced_is_a_sentence_and_no_blank_page():
    app = open_lab(prefix="-".join(["9"] * 60))
    assert not app.exception
    assert said(app) == ["The link's prefix cannot be used here; it was left out."]
    assert fed(app)["n_forced"] == 0
