"""The page that changes the running model: what it compares, what a press does, bad input, and the other pages then."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.interventions.findings import read_findings
from core.interventions.links import read_link
from explorer.app import REGISTRY
from explorer.models import patching_maps
from explorer.models.known import known_runs, loaded_run
from explorer.views.what_if.component import what_if_view
from explorer.visitor.links import state_from_query
from explorer.worksheets.pages import worksheet_of
from tests.pages import opening
from tests.pages.opening import BAR, bar_of, submit, title_of

VIEW = "what_if"
FOUND = read_findings()
SENTENCE, DONOR = FOUND["sentence"], FOUND["donor"]
LINK = "borrow:src_embed.output:3:the+small+cats+do+not+sleep"


def open_page(**query: str) -> AppTest:
    app = opening.open_page("pages/generation/what_if.py", **{"sentence": SENTENCE, **query})
    assert not app.exception
    return app


def fed(app: AppTest) -> dict:
    assert not app.exception
    return json.loads(app.get_by_key(VIEW).proto.bytes)


def report(app: AppTest, name: str, **what) -> AppTest:
    return opening.after_report(
        app, name, {"key": fed(app)["key"], **what}, page="what-if", part=what_if_view.path
    )


def press(app: AppTest, act: str, number: int = 5) -> AppTest:
    """Press a button of the strip on a page that Streamlit draws."""
    app.session_state[BAR] = {"changes": {"act": act, "report": number}}
    return app.run()


def written(app: AppTest, name: str) -> list[str]:
    (row,) = (row for row in fed(app)["rows"] if row["name"] == name)
    return [token["text"] for token in row["tokens"]]


def cell_of(app: AppTest, panel: str, name: str, position: int) -> dict:
    (shown,) = (each for each in fed(app)["borrow"]["panels"] if each["key"] == panel)
    (row,) = (row for row in shown["rows"] if row["name"] == name)
    return {"row": row["number"], "position": position, "share": row["shares"][position]}


def strip(app: AppTest) -> dict | None:
    return bar_of(app)["changed"]


def query_of(app: AppTest) -> dict[str, list[str]]:
    return {name: value if isinstance(value, list) else [value] for name, value in app.query_params.items()}


def notices(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.info, *app.error)).replace("\\", "")


def test_the_map_says_which_word_carries_the_number():
    app = open_page(step="4")
    borrow = fed(app)["borrow"]
    assert (borrow["donor"], borrow["own"], borrow["other"]) == (DONOR, *FOUND["tokens"])
    shares = [cell_of(app, "encoder", "embedding", at)["share"] for at in range(7)]
    assert shares == pytest.approx(FOUND["shares"]["src_embed.output"], abs=1e-4)
    assert SENTENCE.split()[shares.index(max(shares))] == FOUND["carrier"]
    assert [pair["kind"] for pair in borrow["pairs"]] == ["number", "gender", "word order"]


def test_a_press_on_the_map_changes_the_model_and_one_more_gives_it_back():
    app = open_page(step="4")
    cell = cell_of(app, "encoder", "embedding", 3)
    app = report(app, "borrowed", row=cell["row"], position=3)
    assert query_of(app)["changes"] == [LINK]
    expected = loaded_run("en-fr").intervene(*read_link(LINK)).trace(SENTENCE).target_tokens
    assert written(app, "Changed") == list(expected) != written(app, "As trained")
    assert fed(app)["borrow"]["lit"] == [[cell["row"], 3]]
    differing = [token["differs"] for token in fed(app)["rows"][1]["tokens"]]
    assert differing == [one != two for one, two in zip(expected, written(app, "As trained"), strict=True)]
    app = report(app, "borrowed", row=cell["row"], position=3)
    assert "changes" not in query_of(app)


@pytest.mark.proof
def test_a_negation_is_borrowed_though_its_answer_is_longer():
    app = open_page(sentence="the cat often sleeps", step="2")
    borrow = fed(app)["borrow"]
    (negation,) = (pair["text"] for pair in borrow["pairs"] if pair["kind"] == "negation")
    app = report(app, "second", text=negation)
    borrow = fed(app)["borrow"]
    assert (borrow["own"], borrow["other"]) == ("dort", "ne")
    cell = cell_of(app, "encoder", "embedding", 2)
    assert cell["share"] > 0.9
    app = report(app, "borrowed", row=cell["row"], position=2)
    assert "ne" in written(app, "Changed")


def test_a_part_is_switched_off_and_priced_by_what_comes_back():
    app = open_page(way="off")
    rows = {row["name"]: row["cells"] for row in fed(app)["off"]["rows"]}
    (whole,) = (cell for cell in rows["decoder 1 · cross-attention"] if cell["kind"] == "whole")
    app = report(app, "switched", part=whole["part"])
    assert query_of(app)["changes"] == ["off:decoder.layers.1.cross_attn.output"]
    text = FOUND["writes"]["off:decoder.layers.1.cross_attn.output"]
    assert fed(app)["led"]["writes"] == text
    again = {row["name"]: row["cells"] for row in fed(app)["off"]["rows"]}["decoder 1 · cross-attention"]
    (off,) = (cell for cell in again if cell["off"])
    assert (off["kind"], off["fall"]) == ("whole", pytest.approx(whole["fall"], abs=1e-5))
    # Without the block its heads have nothing left to lose.
    assert max(cell["fall"] for cell in again if cell["kind"] == "head") < 1e-6


def test_a_row_of_attention_takes_weights_and_goes_back_to_those_of_the_training():
    app = open_page(way="row", step="4", head="1")
    row = fed(app)["row"]
    assert (row["site"], row["query"], row["head"]) == ("decoder.layers.1.cross_attn.weights", 4, 1)
    assert row["now"] == row["trained"]
    app = report(app, "weighted", query=4, weights=[0, 0, 1, 0, 0, 0, 0])
    assert fed(app)["row"]["now"] == pytest.approx([0, 0, 1, 0, 0, 0, 0])
    assert fed(app)["row"]["is_set"]
    assert query_of(app)["changes"] == ["row:decoder.layers.1.cross_attn.weights:1:4:0,0,1,0,0,0,0"]
    app = report(app, "weighted", query=4, weights=[])
    assert "changes" not in query_of(app)


@pytest.mark.proof
def test_a_row_of_any_attention_can_be_chosen():
    app = open_page(way="row", step="4")
    app = report(app, "attended", attention="encoder", layer=0, head=2, query=5)
    row = fed(app)["row"]
    assert (row["site"], row["query"], row["head"]) == ("encoder.layers.0.self_attn.weights", 5, 2)
    assert row["keys"] == fed(app)["wrote"]["keys"]
    app = report(app, "attended", attention="self", layer=1, head=None, query=2)
    row = fed(app)["row"]
    assert (row["site"], row["query"], row["head"]) == ("decoder.layers.1.self_attn.weights", 2, None)
    # A position of the decoder reads itself and what stands before it.
    assert row["keys"] == ["<s>", "le", "petit"]
    assert sum(row["trained"]) == pytest.approx(1, abs=1e-5)
    for wrong in ({"attention": "other"}, {"layer": 9}, {"head": 9}, {"query": 99}):
        report(app, "attended", **({"attention": "self", "layer": 0, "head": 0, "query": 0} | wrong))
        assert fed(app)["row"]["site"] == "decoder.layers.1.self_attn.weights"


def test_a_sweep_that_is_stopped_leaves_nothing_behind():
    class Stopped(Exception):
        pass

    def stop(done: int, of: int) -> None:
        raise Stopped

    run = loaded_run("en-fr")
    patching_maps.MAPS.clear()
    with pytest.raises(Stopped):
        patching_maps.map_of(run, SENTENCE, DONOR, 4, stop)
    assert not patching_maps.map_is_kept(run, SENTENCE, DONOR, 4)
    patching_maps.map_of(run, SENTENCE, DONOR, 4)
    assert patching_maps.map_is_kept(run, SENTENCE, DONOR, 4)


def test_sentences_with_one_answer_have_no_map_and_say_so():
    app = open_page(second=SENTENCE)
    assert fed(app)["borrow"]["panels"] == []
    assert "choose two with different answers" in fed(app)["borrow"]["problem"]


@pytest.mark.sweep
@pytest.mark.parametrize(
    "what", [{"row": 99, "position": 0}, {"row": 0, "position": 99}, {"row": -1}, {}, {"row": "0"}]
)
def test_a_report_of_a_cell_that_is_not_there_does_nothing(what):
    app = report(open_page(step="4"), "borrowed", **what)
    assert "changes" not in query_of(app)


@pytest.mark.sweep
@pytest.mark.parametrize("weights", [[1.0], [2.0] * 7, ["1"] * 7, [float("nan")] * 7, "1111111"])
def test_a_report_of_weights_that_are_none_does_nothing(weights):
    app = report(open_page(way="row", step="4"), "weighted", query=4, weights=weights)
    assert "changes" not in query_of(app)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("off:decoder.layers.7.cross_attn.output", "No site of this model matches"),
        ("off:decoder.layers.1.cross_attn.context:9", "Head 9 is outside"),
        ("off:src_embed.output:@9", "Position 9 of"),
        ("borrow:src_embed.output::the+cats+sleep", "needs 4 source tokens; this has 7"),
        ("scale:encoder.layers.0.self_attn.scores::1e30", "the factor must be a finite number"),
        (
            ";".join(["scale:src_embed.output::1e6"] * 7),
            "makes numbers that are not finite; choose a smaller factor",
        ),
    ],
)
def test_a_link_to_an_impossible_change_is_a_page_with_a_sentence(link, said):
    app = open_page(changes=link)
    assert said in notices(app)


def test_a_large_sweep_is_asked_for_and_then_there(monkeypatch):
    monkeypatch.setattr("explorer.views.what_if.followed.MOST_AT_ONCE", 0)
    patching_maps.MAPS.clear()
    app = open_page(step="4")
    assert fed(app)["borrow"]["panels"] == []
    (button,) = (each for each in app.button if each.label.startswith("Compute it: 84 passes"))
    app = button.click().run()
    assert cell_of(app, "encoder", "embedding", 3)["share"] > 0.5


PAGES = [key for key, view in REGISTRY.items() if view.reads_sentence]


@pytest.mark.proof
@pytest.mark.parametrize("key", PAGES)
def test_every_page_of_a_sentence_is_of_the_changed_model_and_says_so(key):
    app = opening.open_page(
        REGISTRY[key].page, sentence=SENTENCE, changes=LINK, explain="src_embed.output-0-3-2"
    )
    assert not app.exception
    assert not app.error
    assert bar_of(app)["output"]["tokens"] == list(
        loaded_run("en-fr").intervene(*read_link(LINK)).trace(SENTENCE).target_tokens
    )
    assert strip(app) == {
        "words": "encoder, embedding, at does, taken from “the small cats do not sleep”",
        "n_changes": 1,
        "is_compared": key == "what-if",
    }
    panel = json.dumps(json.loads(app.get_by_key("explain_panel").proto.bytes), ensure_ascii=False)
    assert "This number was set: encoder, embedding, at does" in panel
    app = press(app, "undo")
    assert strip(app) is None
    assert "changes" not in query_of(app)


@pytest.mark.proof
def test_the_token_that_is_varied_is_one_of_the_changed_model():
    app = opening.open_page(
        REGISTRY["step-by-step"].page, sentence=SENTENCE, changes=LINK, step="4", vary="1"
    )
    varied = opening.header_of(app, "vary_token")
    own = "".join(
        part["text"] for part in varied["outputs"][varied["own"]]["parts"] if part["mark"] != "missing"
    )
    assert own == loaded_run("en-fr").intervene(*read_link(LINK)).translate(SENTENCE)


def test_the_inspector_shows_the_difference_to_the_model_as_it_was_trained():
    site = "decoder.layers.1.cross_attn.output"
    app = opening.open_page(REGISTRY["tensors"].page, sentence=SENTENCE, changes=LINK, site=site)
    assert not [each for each in app.button if each.key == "unpin"]
    app = app.button(key="pin_trained").click().run()
    assert not app.exception
    (said,) = (each.value for each in app.text if each.value.startswith("B is"))
    assert said == f"B is {site} as the model was trained."
    (stage,) = opening.header_of(app, "tensors")["stages"]
    assert [panel["title"][:1] for panel in stage["panels"]] == ["A", "B", "A"]
    assert not [each for each in app.button if each.key == "pin_trained"]


def test_a_worksheet_says_that_the_model_is_changed():
    state, _ = state_from_query({"sentence": SENTENCE, "changes": LINK, "step": "4"}, known_runs())
    for key in ("what-if", "cross-attention"):
        sheet = worksheet_of(REGISTRY[key], state, "address", REGISTRY)
        assert "<dt>Changed model</dt><dd>encoder, embedding, at does, taken from" in sheet
        assert FOUND["tokens"][1] in sheet
        trained = worksheet_of(REGISTRY[key], replace(state, changes=()), "address", REGISTRY)
        assert "Changed model" not in trained


def test_another_sentence_leaves_what_was_borrowed_behind():
    app = submit(open_page(changes=f"{LINK};off:decoder.layers.1.cross_attn.context:2"), "the dogs sing")
    assert query_of(app)["changes"] == ["off:decoder.layers.1.cross_attn.context:2"]


@pytest.mark.proof
def test_several_changes_can_all_be_undone_at_once():
    app = open_page(changes=f"{LINK};off:decoder.layers.1.cross_attn.context:2;unmask:causal")
    app = press(app, "undo")
    assert len(read_link(query_of(app)["changes"][0])) == 2
    app = press(app, "undo_all", 6)
    assert "changes" not in query_of(app)


def test_changed_model_is_compared_from_a_page_of_streamlit():
    app = press(opening.open_page(REGISTRY["tensors"].page, sentence=SENTENCE, changes=LINK), "compare")
    assert title_of(app) == "What if"
    assert query_of(app)["changes"] == [LINK]


@pytest.mark.parametrize("act", ["", "undo all", None, 1, ["undo"]])
def test_forged_request_about_changes_does_nothing(act):
    app = press(open_page(changes=LINK), act)
    assert not app.exception
    assert query_of(app)["changes"] == [LINK]


def test_a_lesson_that_is_entered_shows_the_trained_model_and_says_so():
    app = open_page(changes=LINK)
    del app.query_params["changes"]
    app.query_params["lesson"], app.query_params["stop"] = "heads", "1"
    app = app.run()
    assert "so your changes were undone" in notices(app)
    assert strip(app) is None
    # A stop may have changes of its own: it is opened with them.
    app.query_params["changes"] = LINK
    app = app.run()
    assert "undone" not in notices(app)
    assert strip(app)
