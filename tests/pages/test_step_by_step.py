"""The step-by-step page through the entry script: forced tokens, branches, and links to them."""

import json
import struct
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.decoding.component import decode_view
from tests.conftest import PATIENCE
from tests.pages.opening import after_report, said, submit, title_of

APP = str(Path(__file__).parent.parent.parent / "streamlit_app.py")
SENTENCE = "the small cats do not sleep"
GREEDY = ["les", "petits", "chats", "ne", "dorment", "pas", "</s>"]


def open_page(**query: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    for name, value in {"sentence": SENTENCE, **query}.items():
        app.query_params[name] = value
    return app.run().switch_page("pages/generation/step_by_step.py").run()


def message(app: AppTest) -> bytes:
    assert not app.exception
    return app.get_by_key("step_by_step").proto.bytes


def fed(app: AppTest) -> dict:
    """The header of the message that the view got."""
    raw = message(app)
    (length,) = struct.unpack("<I", raw[:4])
    return json.loads(raw[4 : 4 + length])


def query(app: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def tell(app: AppTest, event: str, **what) -> AppTest:
    told = {"trace": fed(app)["key"], **what}
    return after_report(app, event, told, page="step-by-step", part=decode_view.path)


def act(app: AppTest, **action) -> AppTest:
    return tell(app, "action", **action)


def token_id(app: AppTest, word: str) -> int:
    what_if = fed(app)["what_if"]
    return what_if["first_id"] + what_if["words"].index(word)


def force(app: AppTest, step: int, word: str) -> AppTest:
    return act(app, kind="force", step=step, token_id=token_id(app, word))


def labels(app: AppTest) -> list[str]:
    return [row["label"] for row in fed(app)["what_if"]["branches"]]


def test_the_page_shows_the_greedy_decoding_and_no_branch():
    app = open_page()
    assert title_of(app) == "Step by step"
    assert fed(app)["output_tokens"] == GREEDY
    assert labels(app) == ["greedy"]
    assert "prefix" not in query(app)


def test_a_forced_token_opens_a_branch_and_the_link_holds_it():
    app = force(open_page(), 4, "chantent")
    view = fed(app)
    assert view["output_tokens"] == [*GREEDY[:4], "chantent", "pas", "</s>"]
    assert (view["step"], view["forced"][4]) == (4, True)
    assert labels(app) == ["greedy", "forced chantent"]
    link = query(app)
    assert link["prefix"].split("-")[-1] == str(token_id(app, "chantent"))
    again = open_page(**link)
    assert fed(again)["output_tokens"] == view["output_tokens"]
    assert (fed(again)["step"], labels(again)) == (4, labels(app))


def test_going_back_to_greedy_keeps_the_branch_until_it_is_removed():
    app = force(open_page(), 4, "chantent")
    prefix = fed(app)["what_if"]["branches"][1]["prefix"]
    app = act(app, kind="open", prefix=[], step=4)
    assert fed(app)["output_tokens"] == GREEDY
    assert labels(app) == ["greedy", "forced chantent"]
    app = act(app, kind="name", prefix=prefix, name="eat")
    assert labels(app) == ["greedy", "eat"]
    assert query(app)["branches"].endswith(":eat")
    app = act(app, kind="remove", prefix=prefix)
    assert labels(app) == ["greedy"]
    assert "branches" not in query(app)


def test_forcing_the_greedy_token_changes_nothing_that_is_shown():
    app = open_page(step="4")
    before = message(app)
    app = force(app, 4, "dorment")
    assert "prefix" not in query(app)
    known = {**fed(app), "report": 0}
    (length,) = struct.unpack("<I", before[:4])
    assert known == json.loads(before[4 : 4 + length])


def test_a_new_sentence_begins_without_branches():
    app = force(open_page(), 4, "chantent")
    submit(app, "the cat sleeps")
    assert fed(app)["output_tokens"] == ["le", "chat", "dort", "</s>"]
    assert labels(app) == ["greedy"]


@pytest.mark.parametrize("attention", ["self", "encoder"])
def test_the_chosen_attention_is_kept_and_linked(attention):
    app = open_page()
    app = tell(app, "view", step=2, attention=attention, layer=0, head=1, overlay=False)
    view = fed(app)
    assert (view["attention"], view["layer"], view["head"], view["step"]) == (attention, 0, 1, 2)
    assert query(app)["attention"] == attention


def test_what_was_looked_at_before_a_force_is_kept():
    app = tell(open_page(), "view", step=4, attention="self", layer=0, head=1, overlay=False)
    app = force(app, 4, "chantent")
    view = fed(app)
    assert (view["output_tokens"][4], view["attention"], view["layer"]) == ("chantent", "self", 0)


@pytest.mark.parametrize("prefix", ["-".join(["10"] * 60), "9999", "1", "x", "-1"])
def test_a_prefix_that_cannot_be_forced_ends_in_a_sentence(prefix):
    app = open_page(prefix=prefix)
    assert fed(app)["output_tokens"] == GREEDY
    assert labels(app) == ["greedy"]
    assert len(app.info) == 1


def test_a_prefix_that_is_too_long_says_so():
    app = open_page(prefix="-".join(["10"] * 60), branches="-".join(["11"] * 60) + ":")
    assert labels(app) == ["greedy"]
    assert said(app) == [
        f"The link's {part} cannot be used here; it was left out." for part in ("prefix", "branches")
    ]


def test_an_output_that_the_limit_stopped_says_so(monkeypatch):
    monkeypatch.setattr("core.run_description.RunDescription.output_limit", 3)
    app = open_page(sentence="the two old dogs do not sing")
    assert fed(app)["ended"] is False
    assert [each.value for each in app.warning] == [
        "Stopped after 3 tokens: the model had not ended its output."
    ]


def test_opening_and_forcing_stay_small():
    assert len(message(open_page())) < 100_000
    assert len(message(force(open_page(), 4, "chantent"))) < 100_000
