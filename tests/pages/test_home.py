"""The first page through the entry script: what a visitor chooses is what the living map is fed."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.data.tasks import get_task
from core.model.shapes import expected_parameters
from explorer.models.known import loaded_run
from explorer.visitor.scope import DEFAULT_RUN
from explorer.visitor.state import ENCODER_MS, STEP_MS
from tests.addresses import HOME
from tests.conftest import PATIENCE
from tests.pages.opening import (
    after_report,
    bar_of,
    choose_step,
    header_of,
    pick_example,
    query_of,
    said,
    submit,
    title_of,
)

APP = str(Path(__file__).parent.parent.parent / "streamlit_app.py")
GREEDY = ["le", "petit", "chat", "ne", "dort", "pas", "</s>"]


def open_home(**query: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def fed(app: AppTest) -> dict:
    """The header of the message that the living map got."""
    return header_of(app, "living_map")


def rest(app: AppTest, **changes) -> AppTest:
    """The page after the visitor has rested on a step or a moment."""
    told = {"key": fed(app)["key"], "step": 4, "moment": None}
    return after_report(app, "view", told | changes)


def act(app: AppTest, **what) -> AppTest:
    """The page after the visitor has done something."""
    return after_report(app, "act", {"key": fed(app)["key"], **what})


def test_the_first_visit_shows_the_whole_network_at_the_telling_step_of_a_translated_sentence():
    app = open_home()
    view = fed(app)
    assert view["source"] == ["the", "small", "cat", "does", "not", "sleep", "</s>"]
    assert view["outputs"] == view["greedy"] == GREEDY
    assert view["inputs"] == ["<s>", *GREEDY[:-1]]
    assert (view["step"], view["moment"], any(view["forced"])) == (4, None, False)
    assert [len(view[stack]["sublayers"]) for stack in ("encoder", "decoder")] == [4, 6]
    n_parameters = sum(view["kinds"][kind]["n_parameters"] for _, kind in view["blocks"])
    assert n_parameters == expected_parameters(loaded_run(DEFAULT_RUN).config)
    assert len(app.get_by_key("living_map").proto.bytes) < 60_000
    assert query_of(app) == {}


def test_what_the_model_gets_right_is_told_with_the_kin_of_what_it_was_tried_on():
    app = open_home()
    told = [each.value for each in app.caption if "come out exactly right" in each.value]
    assert len(told) == 1
    assert "sentences of the same small grammar that it had never seen" in told[0]
    assert "right, as written; 702 of them differ from a training sentence by a single word." in told[0]


def test_six_examples_each_say_why():
    app = open_home()
    examples = bar_of(app)["examples"]
    assert examples == [vars(example) for example in get_task("en_fr").examples]
    assert len(examples) == 6
    for report, example in enumerate(examples, start=1):
        app = pick_example(app, example["title"], report)
        assert "".join(fed(app)["source"]).startswith(example["source"].partition(" ")[0]), example
        assert example["why"]


def test_choosing_an_example_changes_sentence_and_url():
    app = pick_example(open_home(), "Elision")
    assert bar_of(app)["value"] == "the man loves the small bird"
    assert fed(app)["outputs"][:2] == ["l'", "homme"]
    assert app.query_params["sentence"] in ("the man loves the small bird", ["the man loves the small bird"])


def test_choosing_another_model_shows_its_own_example():
    app = open_home()
    app.radio(key="model").set_value("copy").run()
    view = fed(app)
    assert view["outputs"] == [*"cat", "</s>"]
    assert (bar_of(app)["mode"], bar_of(app)["label"]) == ("character", "Letters")
    assert app.query_params["model"] in ("copy", ["copy"])


def test_a_submitted_sentence_is_translated():
    app = submit(open_home(), "The cats don't sleep.")
    assert fed(app)["outputs"] == ["les", "chats", "ne", "dorment", "pas", "</s>"]
    assert bar_of(app)["message"] == ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Type at least one word."),
        ("the dragon sleeps", "The model does not know “dragon”; use other words."),
        ("<b>cat</b>", "The model does not know “<”, “b”, “>”, “/”; use other words."),
        ("the " * 31, "24 words at most; this has 31."),
    ],
)
def test_a_sentence_that_cannot_be_read_is_answered_and_the_old_one_stays(text, sentence):
    app = submit(open_home(), text)
    assert bar_of(app)["message"] == sentence
    assert fed(app)["outputs"] == GREEDY


@pytest.mark.parametrize("raw", [None, 7, ["the"], {"a": 1}, "x" * 5000])
def test_a_submission_of_another_form_is_ignored(raw):
    app = submit(open_home(), raw)
    assert bar_of(app)["message"] == ""
    assert fed(app)["outputs"][0] == "le"


def test_a_message_goes_when_a_readable_sentence_comes():
    app = submit(open_home(), "the dragon sleeps")
    app = submit(app, "the cat sleeps", 2)
    assert bar_of(app)["message"] == ""
    assert fed(app)["outputs"] == ["le", "chat", "dort", "</s>"]


def test_a_link_opens_the_very_step_and_the_very_moment():
    view = fed(open_home(sentence="the cats sleep", step="2"))
    assert view["outputs"] == ["les", "chats", "dorment", "</s>"]
    assert (view["step"], view["moment"]) == (2, None)
    held = ENCODER_MS + 2 * STEP_MS + 1700
    view = fed(open_home(sentence="the cats sleep", step="2", moment=str(held)))
    assert (view["step"], view["moment"]) == (2, held)


def test_what_an_old_link_chose_on_the_map_or_in_the_decoding_view_is_no_problem():
    app = open_home(
        step="3", stage="decoder-layers-1-cross_attn", layer="0", head="2", gold="1", attention="self"
    )
    assert fed(app)["step"] == 3
    assert said(app) == []


@pytest.mark.parametrize("model", ["copy", "dates", "en-de-numbers", "reverse", "sort"])
def test_every_model_is_drawn(model):
    view = fed(open_home(model=model))
    assert {sub["kind"] for sub in view["decoder"]["sublayers"]} == {"attention", "feed-forward"}
    assert len(view["candidates"]["ids"]) == len(view["outputs"])
    assert {kind["title"] for kind in view["kinds"]} >= {"Masked self-attention", "Add & norm", "Output"}


def test_a_bad_link_falls_back_and_says_so():
    app = open_home(model="<script>", sentence="the dragon sleeps")
    assert fed(app)["outputs"][0] == "le"
    assert said(app) == [
        "The link names a model that is not here; this is the default one.",
        "The link's sentence could not be used. The model does not know “dragon”; use other words.",
    ]


def test_where_the_map_rests_is_mirrored_to_the_url():
    app = rest(open_home(), step=3)
    assert query_of(app) == {"step": "3"}
    app = rest(app, step=3, moment=ENCODER_MS + 3 * STEP_MS + 900)
    assert query_of(app) == {"step": "3", "moment": str(ENCODER_MS + 3 * STEP_MS + 900)}
    assert fed(app)["step"] == 3


def test_an_output_that_the_limit_stopped_says_so(monkeypatch):
    monkeypatch.setattr("core.run_description.RunDescription.output_limit", 3)
    app = submit(open_home(), "the two old dogs do not sing")
    assert len(fed(app)["outputs"]) == 3
    assert fed(app)["ended"] is False
    assert [warning.value for warning in app.warning] == [
        "Stopped after 3 tokens: the model had not ended its output."
    ]


def test_two_visitors_do_not_see_each_other():
    first, second = open_home(), open_home()
    first = submit(first, "the cats sleep")
    second.run()
    assert fed(first)["outputs"][0] == "les"
    assert fed(second)["outputs"][0] == "le"


def test_a_candidate_is_forced_the_link_holds_it_and_greedy_is_a_step_away():
    app = open_home(step="4")
    view = fed(app)
    other = next(
        i for i in view["candidates"]["ids"][4] if i != view["output_ids"][4] and i >= view["first_id"]
    )
    app = act(app, kind="force", step=4, token_id=other)
    forced = fed(app)
    assert forced["output_ids"][:5] == [*view["output_ids"][:4], other]
    assert (forced["step"], forced["forced"][4]) == (4, True)
    assert forced["greedy"] == GREEDY, "what it would have written stays in sight"
    again = fed(open_home(**query_of(app)))
    assert (again["output_ids"], again["step"]) == (forced["output_ids"], 4)
    app = act(app, kind="release")
    greedy = fed(app)
    assert greedy["output_ids"] == view["output_ids"]
    assert "prefix" not in query_of(app)
    # The branch stays among the visitor's until it is removed where branches are compared.
    steps = app.switch_page("pages/generation/step_by_step.py").run()
    rows = header_of(steps, "step_by_step")["what_if"]["branches"]
    assert [(row["shown"], len(row["prefix"])) for row in rows] == [(True, 0), (False, 5)]


@pytest.mark.parametrize("prefix", ["-".join(["10"] * 60), "9999", "1", "x", "-1"])
def test_a_prefix_that_cannot_be_forced_ends_in_a_sentence(prefix):
    app = open_home(prefix=prefix)
    assert fed(app)["outputs"] == GREEDY
    assert len(app.info) == 1


def test_a_block_opens_its_page_at_its_layer():
    app = act(rest(open_home(), step=3), kind="open", block="decoder.layers.0.cross_attn")
    assert not app.exception
    assert title_of(app) == "Cross-attention"
    assert query_of(app) == {"step": "3", "layer": "0"}
    app.switch_page(HOME).run()
    assert fed(app)["step"] == 3


def test_link_of_the_lead_opens_its_page_at_the_step():
    app = act(rest(open_home(), step=3), kind="what-if")
    assert not app.exception
    assert title_of(app) == "What if"
    assert query_of(app) == {"step": "3"}


def test_a_name_in_a_block_opens_all_its_numbers_in_the_inspector():
    app = act(rest(open_home(), step=3), kind="inspect", block="decoder.layers.0.cross_attn", name="scores")
    assert not app.exception
    assert title_of(app) == "Tensor inspector"
    assert query_of(app) == {"step": "3", "site": "decoder.layers.0.cross_attn.scores"}


@pytest.mark.parametrize("page", ["pages/model/cross_attention.py", "pages/generation/sampling.py"])
def test_the_bar_stands_above_every_page_with_the_output_and_its_step_is_kept_and_linked(page):
    app = open_home(sentence="the cats sleep").switch_page(page).run()
    output = bar_of(app)["output"]
    assert output["tokens"] == output["greedy"] == ["les", "chats", "dorment", "</s>"]
    assert output["forced"] == [False] * 4
    assert all(0.5 < p < 1 for p in output["probs"])
    app = choose_step(app, 2)
    assert bar_of(app)["output"]["step"] == 2
    assert app.query_params["step"] in ("2", ["2"])
    app = app.switch_page(HOME).run()
    assert (bar_of(app)["output"]["step"], fed(app)["step"]) == (2, 2)


@pytest.mark.sweep
@pytest.mark.parametrize("step", [-1, True, "1", None, 10**6])
def test_a_step_that_is_none_is_ignored(step):
    app = open_home().switch_page("pages/model/output.py").run()
    before = bar_of(app)["output"]
    app = choose_step(app, step)
    assert not app.exception
    assert bar_of(app)["output"] == before


def test_a_branch_tells_the_bar_what_the_model_writes_by_itself():
    app = open_home(step="4")
    view = fed(app)
    other = next(i for i in view["candidates"]["ids"][4] if i != view["output_ids"][4] and i > 2)
    prefix = "-".join(map(str, [*view["output_ids"][:4], other]))
    output = bar_of(open_home(step="4", prefix=prefix))["output"]
    assert (output["greedy"], output["step"]) == (view["outputs"], 4)
    assert output["forced"][4]
    assert output["tokens"][4] != view["outputs"][4]


def test_a_page_that_cannot_be_drawn_keeps_the_field_without_an_output(monkeypatch):
    from core.errors import InputError

    def fail(*args, **settings):
        raise InputError("the model gives no token a probability")

    monkeypatch.setattr("explorer.models.decodings.translate_and_record", fail)
    app = open_home(sentence="the two dogs do not eat the cake")
    assert not app.exception
    assert (bar_of(app)["value"], bar_of(app)["output"]) == ("the two dogs do not eat the cake", None)
    assert [error.value for error in app.error] == ["The model gives no token a probability\\."]


def test_a_page_that_reads_no_sentence_has_no_bar():
    app = open_home().switch_page("pages/learn/glossary.py").run()
    assert not app.exception
    with pytest.raises(KeyError):
        app.get_by_key("sentence_bar")


@pytest.mark.parametrize(
    ("chosen", "verdict", "label"),
    [
        ({}, "right", "right"),
        ({"sentence": "always good books"}, "unknown", "outside the grammar"),
        ({"model": "copy", "sentence": "abcdefghijkl"}, "wrong", "not right"),
        ({"model": "dates", "sentence": "the 5th of march"}, "unknown", "not such a date"),
    ],
)
def test_beside_every_output_stands_whether_it_is_right(chosen, verdict, label):
    bar = bar_of(open_home(**chosen))
    judged = bar["output"]["judged"]
    assert (judged["verdict"], judged["label"]) == (verdict, label)
    assert bar["reference"]
    assert bool(judged["should"]) == (verdict == "wrong")
    assert any(judged["missing"]) == (verdict == "wrong")
