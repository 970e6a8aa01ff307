"""The home page through the entry script: what a visitor chooses is what the view is fed."""

import json
import struct
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.data.tasks import get_task
from tests.conftest import PATIENCE
from tests.pages.opening import bar_of, choose_step, pick_example, said, submit

APP = str(Path(__file__).parent.parent.parent / "streamlit_app.py")


def open_home(**query: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def fed(app: AppTest) -> dict:
    """The header of the message that the decoding view got."""
    assert not app.exception
    message = app.get_by_key("decode_view").proto.bytes
    (length,) = struct.unpack("<I", message[:4])
    return json.loads(message[4 : 4 + length])


def test_the_first_visit_shows_a_translated_sentence():
    app = open_home()
    assert app.title[0].value == "Watch a Transformer translate"
    view = fed(app)
    assert view["source_tokens"] == ["the", "small", "cat", "does", "not", "sleep", "</s>"]
    assert view["output_tokens"] == ["le", "petit", "chat", "ne", "dort", "pas", "</s>"]
    assert view["sites"]["cross"] == "decoder.layers.{layer}.cross_attn.weights"
    assert view["attention"] == "cross"
    assert [row["label"] for row in view["what_if"]["branches"]] == ["greedy"]
    assert view["what_if"]["words"] == [], "a first look needs no vocabulary"
    assert (view["layer"], view["head"]) == (1, None)
    assert dict(app.query_params) == {}


def test_what_the_model_gets_right_is_told_with_the_kin_of_what_it_was_tried_on():
    app = open_home()
    told = [each.value for each in app.sidebar.caption if "come out exactly right" in each.value]
    assert len(told) == 1
    assert "sentences of the same small grammar that it had never seen" in told[0]


def test_six_examples_each_say_why():
    app = open_home()
    examples = bar_of(app)["examples"]
    assert examples == [vars(example) for example in get_task("en_fr").examples]
    assert len(examples) == 6
    for report, example in enumerate(examples, start=1):
        app = pick_example(app, example["title"], report)
        assert fed(app)["gold"] is not None, example
        assert example["why"]


def test_choosing_an_example_changes_sentence_and_url():
    app = pick_example(open_home(), "Elision")
    assert bar_of(app)["value"] == "the man loves the small bird"
    assert fed(app)["output_tokens"][:2] == ["l'", "homme"]
    assert app.query_params["sentence"] in ("the man loves the small bird", ["the man loves the small bird"])


def test_choosing_another_model_shows_its_own_example():
    app = open_home()
    app.selectbox[0].set_value("copy").run()
    view = fed(app)
    assert view["output_tokens"] == [*"cat", "</s>"]
    assert (bar_of(app)["mode"], bar_of(app)["label"]) == ("character", "Letters")
    assert app.query_params["model"] in ("copy", ["copy"])


def test_a_submitted_sentence_is_translated():
    app = submit(open_home(), "The cats don't sleep.")
    assert fed(app)["output_tokens"] == ["les", "chats", "ne", "dorment", "pas", "</s>"]
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
    assert fed(app)["output_tokens"] == ["le", "petit", "chat", "ne", "dort", "pas", "</s>"]


@pytest.mark.parametrize("raw", [None, 7, ["the"], {"a": 1}, "x" * 5000])
def test_a_submission_of_another_form_is_ignored(raw):
    app = submit(open_home(), raw)
    assert bar_of(app)["message"] == ""
    assert fed(app)["output_tokens"][0] == "le"


def test_a_message_goes_when_a_readable_sentence_comes():
    app = submit(open_home(), "the dragon sleeps")
    app = submit(app, "the cat sleeps", 2)
    assert bar_of(app)["message"] == ""
    assert fed(app)["output_tokens"] == ["le", "chat", "dort", "</s>"]


def test_a_link_opens_the_very_view():
    app = open_home(sentence="the cats sleep", step="2", layer="0", head="3", gold="1")
    view = fed(app)
    assert view["output_tokens"] == ["les", "chats", "dorment", "</s>"]
    assert (view["step"], view["layer"], view["head"], view["overlay"]) == (2, 0, 3, True)


def test_a_bad_link_falls_back_and_says_so():
    app = open_home(model="<script>", sentence="the dragon sleeps")
    assert fed(app)["output_tokens"][0] == "le"
    assert said(app) == [
        "The link names a model that is not here; this is the default one.",
        "The link's sentence could not be used. The model does not know “dragon”; use other words.",
    ]


def test_where_stepping_rests_is_mirrored_to_the_url():
    app = open_home()
    key = fed(app)["key"]
    app.session_state["decode_view"] = {
        "view": {
            "trace": key,
            "step": 4,
            "attention": "cross",
            "layer": 0,
            "head": 2,
            "overlay": True,
            "report": 5,
        }
    }
    app.run()
    query = {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
    assert query == {"step": "4", "layer": "0", "head": "2", "gold": "1"}


def test_a_report_is_acted_on_once_so_that_the_url_can_go_back():
    app = open_home()
    key = fed(app)["key"]
    app.session_state["decode_view"] = {
        "view": {
            "trace": key,
            "step": 4,
            "attention": "cross",
            "layer": 0,
            "head": 2,
            "overlay": False,
            "report": 5,
        }
    }
    app.run()
    assert (fed(app)["step"], fed(app)["report"]) == (4, 5)
    # The browser's Back: the address says step 1, the component still holds its last report.
    app.query_params.clear()
    app.query_params["step"] = "1"
    app.run()
    assert (fed(app)["step"], fed(app)["layer"], fed(app)["report"]) == (1, 1, 5)
    assert app.query_params["step"] in ("1", ["1"])


def test_an_output_that_the_limit_stopped_says_so(monkeypatch):
    monkeypatch.setattr("explorer.models.translation.MAX_OUTPUT_TOKENS", 3)
    app = submit(open_home(), "the two old dogs do not sing")
    assert len(fed(app)["output_tokens"]) == 3
    assert fed(app)["ended"] is False
    assert [warning.value for warning in app.warning] == [
        "Stopped after 3 tokens: the model had not ended its output."
    ]


def test_a_step_of_another_trace_is_ignored():
    app = open_home()
    app.session_state["decode_view"] = {
        "view": {"trace": "another", "step": 4, "layer": 0, "head": 2, "overlay": True, "report": 5}
    }
    app.run()
    assert not app.exception
    assert dict(app.query_params) == {}


def test_two_visitors_do_not_see_each_other():
    first, second = open_home(), open_home()
    first = submit(first, "the cats sleep")
    second.run()
    assert fed(first)["output_tokens"][0] == "les"
    assert fed(second)["output_tokens"][0] == "le"


def test_a_candidate_is_forced_the_link_holds_it_and_greedy_is_a_step_away():
    app = open_home(step="4")
    view = fed(app)
    other = next(i for i in view["candidate_ids"][4] if i != view["output_ids"][4])

    def act(report: int, **action) -> dict:
        told = {"trace": fed(app)["key"], "report": report, **action}
        app.session_state["decode_view"] = {"action": told}
        return fed(app.run())

    forced = act(1, kind="force", step=4, token_id=other)
    assert forced["output_ids"][:5] == [*view["output_ids"][:4], other]
    assert (forced["step"], forced["forced"][4]) == (4, True)
    assert [row["shown"] for row in forced["what_if"]["branches"]] == [False, True]
    link = {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
    again = fed(open_home(**link))
    assert (again["output_ids"], again["step"]) == (forced["output_ids"], 4)
    greedy = act(2, kind="open", prefix=[], step=4)
    assert greedy["output_ids"] == view["output_ids"]
    assert len(greedy["what_if"]["branches"]) == 2, "the branch stays until it is removed"
    left = act(3, kind="remove", prefix=forced["what_if"]["branches"][1]["prefix"])
    assert len(left["what_if"]["branches"]) == 1
    assert "prefix" not in app.query_params
    assert "branches" not in app.query_params


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
    app = app.switch_page("pages/home/translate.py").run()
    assert (bar_of(app)["output"]["step"], fed(app)["step"]) == (2, 2)


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
    other = next(i for i in view["candidate_ids"][4] if i != view["output_ids"][4])
    prefix = "-".join(map(str, [*view["output_ids"][:4], other]))
    output = bar_of(open_home(step="4", prefix=prefix))["output"]
    assert (output["greedy"], output["step"]) == (view["output_tokens"], 4)
    assert output["forced"][4]
    assert output["tokens"][4] != view["output_tokens"][4]


def test_a_page_that_cannot_be_drawn_keeps_the_field_without_an_output(monkeypatch):
    from core.errors import InputError

    def fail(*args, **settings):
        raise InputError("the model gives no token a probability")

    monkeypatch.setattr("explorer.models.translation.translate", fail)
    app = open_home(sentence="the two dogs do not eat the cake")
    assert not app.exception
    assert (bar_of(app)["value"], bar_of(app)["output"]) == ("the two dogs do not eat the cake", None)
    assert [error.value for error in app.error] == ["The model gives no token a probability\\."]


def test_a_page_that_reads_no_sentence_has_no_bar():
    app = open_home().switch_page("pages/learn/glossary.py").run()
    assert not app.exception
    with pytest.raises(KeyError):
        app.get_by_key("sentence_bar")
