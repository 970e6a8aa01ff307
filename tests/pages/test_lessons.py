"""Lessons through the entry script: every stop opens as its file says, answers are judged, free play comes back."""

import json
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from explorer.app import REGISTRY
from explorer.lessons.answering import right_answer
from explorer.lessons.facts import find_facts
from explorer.lessons.lesson import Covers, Lesson
from explorer.lessons.library import lesson_library
from explorer.lessons.lights import light_of
from explorer.lessons.places import find_tensor, place_on
from explorer.lessons.reading import CONTENT
from explorer.models.decodings import recorded_of
from explorer.models.known import loaded_run, shipped_runs
from explorer.shell.lesson_way import stop_state
from explorer.view import SENTENCE_PARTS, STOP
from explorer.visitor.learning import Learning
from explorer.visitor.links import query_of
from explorer.visitor.state import default_state
from tests.conftest import PATIENCE
from tests.explorer.updates_here import make_updates_here
from tests.marks import left_to_proofs
from tests.optional import unwrap
from tests.pages.opening import APP, header_of, menu_links, open_page, said, submit

LESSONS = lesson_library(REGISTRY).lessons
PAGE = "pages/learn/lessons.py"


def query_at(lesson: Lesson, number: int, **more: str) -> dict[str, str]:
    """The address of a stop; with its answer, if that is among what the address has besides."""
    runs = shipped_runs()
    given = tuple(
        (int(at), said)
        for at, _, said in (each.partition(":") for each in more.get("answers", "").split(";"))
        if said and at.isdecimal()
    )
    state = replace(default_state(runs), learning=Learning(lesson.key, answers=given))
    return query_of(stop_state(state, lesson, number, runs), runs) | more


def answer_to(lesson: Lesson, number: int) -> dict[str, str]:
    """What of an address says that a question was answered, so that nothing is covered."""
    return {} if lesson.stop(number).prediction is None else {"answers": f"{number}:shown"}


def open_stop(key: str, number: int, **more: str) -> AppTest:
    lesson = LESSONS[key]
    app = open_page(REGISTRY[lesson.stop(number).page].page, **query_at(lesson, number, **more))
    assert not app.exception
    return app


def words(app: AppTest, key: str) -> str:
    return "".join(text for _, text in json.loads(app.get_by_key(key).proto.bytes))


def told(app: AppTest) -> str:
    """What was said to the last answer, as those hear it who do not see the column."""
    return json.loads(app.get_by_key("lesson_keys").proto.bytes)["said"]


def keys_of(node, found: set[str]) -> set[str]:
    """The keys of all containers and elements below a node, as the page's style knows them."""
    for child in getattr(node, "children", {}).values():
        proto = getattr(child, "proto", None)
        if isinstance(proto, Message):
            for name in ("id", "key"):
                value = getattr(proto, name, "")
                found |= {value, *str(value).split("-")[-1:]} if isinstance(value, str) else set()
        keys_of(child, found)
    return found


def links(app: AppTest) -> dict[str, tuple[str, str]]:
    """Page and address of each link, by its words."""
    return {each.proto.label: (each.proto.page, each.proto.query_string) for each in app.get("page_link")}


@pytest.mark.parametrize("key", left_to_proofs(LESSONS, {"one-query"}))
def test_every_stop_opens_as_its_file_says(key):
    lesson = LESSONS[key]
    app = AppTest.from_file(APP, default_timeout=PATIENCE).run()
    for number, stop in enumerate(lesson.stops, 1):
        app.query_params.clear()
        for name, value in query_at(lesson, number, **answer_to(lesson, number)).items():
            app.query_params[name] = value
        app.switch_page(REGISTRY[stop.page].page).run()
        place = f"stop {number}"
        assert not app.exception, place
        assert not app.error, place
        assert not said(app), (place, said(app))
        # An untrained model does not end its output, and the page says so.
        assert all(each.value.startswith("Stopped after") for each in app.warning), place
        assert f"**{number}** of {len(lesson.stops)}" in [each.value for each in app.markdown], place
        assert stop.title in [each.value for each in app.subheader], place
        assert "{" not in words(app, "lesson_text"), place
        if stop.target.part:
            assert REGISTRY[stop.page].parts[stop.target.part] in keys_of(app.main, set()), place
        if stop.view.get("stage"):
            parts = REGISTRY[stop.page].parts
            pictures = [header_of(app, parts[part]) for part in ("view", "batch") if part in parts]
            assert stop.view["stage"] in {picture["stage"] for picture in pictures}, place


@pytest.mark.proof
def test_every_part_of_every_page_is_drawn(monkeypatch):
    make_updates_here(monkeypatch)
    app = AppTest.from_file(APP, default_timeout=PATIENCE).run()
    for page, parts in ((key, view.parts) for key, view in REGISTRY.items()):
        if page in ("train", "runs"):
            continue
        drawn = keys_of(app.switch_page(REGISTRY[page].page).run().main, set())
        assert set(parts.values()) <= drawn, page
        assert "no_such_part" not in drawn


def right(key: str, number: int) -> str:
    """The right answer of a stop, as an address has it."""
    stop = LESSONS[key].stop(number)
    assert stop.prediction is not None
    return right_answer(stop.prediction, find_facts(LESSONS[key].file, stop.facts, shipped_runs()))


def test_a_word_is_judged_by_the_run():
    app = open_stop("one-query", 1)
    pills = app.pills(key="lesson_answer_one-query_1")
    best = int(right("one-query", 1))
    app = pills.set_value(best).run()
    stop = LESSONS["one-query"].stop(1)
    found = find_facts(LESSONS["one-query"].file, stop.facts, shipped_runs())
    most, weight = found["most"].text, found["weight"].text
    assert told(app).startswith(f"Right: {most}. Its weight on {most} is {weight}")
    assert app.query_params["answers"] == f"1:{best}"
    app = app.button(key="lesson_again").click().run()
    assert "answers" not in app.query_params
    app = app.pills(key="lesson_answer_one-query_1").set_value(5).run()
    assert told(app).startswith("Not so: sleep. That is what step 4 reads.")
    app = app.button(key="lesson_again").click().run()
    app = app.pills(key="lesson_answer_one-query_1").set_value(0).run()
    assert told(app).startswith("Not so: the. Step forward, with the button right of Play")


@pytest.mark.parametrize(
    ("typed", "opening"),
    [
        (16, "Right: 16. 64 / 4 = 16"),
        (64, "Not so: 64. 64 numbers go into every head."),
        (-3, "Not so: −3. "),
    ],
)
def test_a_number_is_judged_by_the_run(typed, opening):
    app = open_stop("one-query", 2)
    app.number_input(key="lesson_answer_one-query_2").set_value(typed)
    app = next(each for each in app.button if each.label == "Check").click().run()
    assert told(app).startswith(opening)


def test_no_number_is_no_answer():
    app = open_stop("one-query", 2)
    app = next(each for each in app.button if each.label == "Check").click().run()
    assert not app.exception
    assert app.button(key="lesson_show")


def test_a_cell_is_answered_by_row_and_column():
    app = open_stop("heads", 3)
    row, column = right("heads", 3).split(",")
    app.selectbox(key="lesson_answer_heads_3_row").set_value(int(row))
    app.selectbox(key="lesson_answer_heads_3_column").set_value(int(column))
    app = next(each for each in app.button if each.label == "Check").click().run()
    assert told(app).startswith("Right: sleep, does.")


def test_a_cell_that_was_clicked_stands_in_the_form():
    app = open_stop("heads", 3, explain="encoder.layers.1.self_attn.weights-0-2-4-6")
    assert [app.selectbox(key=f"lesson_answer_heads_3_{side}").value for side in ("row", "column")] == [4, 6]
    app = open_stop("heads", 3, explain="encoder.layers.1.self_attn.weights-0-2-400-600")
    assert [app.selectbox(key=f"lesson_answer_heads_3_{side}").value for side in ("row", "column")] == [6, 6]


def test_the_answer_can_be_shown_and_hidden():
    app = open_stop("one-query", 1)
    app = app.button(key="lesson_show").click().run()
    assert told(app).startswith("The answer: not. ")
    app = app.button(key="lesson_again").click().run()
    assert app.button(key="lesson_show")


@pytest.mark.parametrize("is_first", [True, False], ids=["first", "last"])
def test_an_answer_that_is_taken_back_before_its_run_has_ended_stays_taken_back(is_first: bool, monkeypatch):
    app = open_stop("heads", 1)
    app.pills(key="lesson_answer_heads_1").set_value(0)
    told_twice = app._tree.get_widget_states()
    (pills,) = (each for each in told_twice.widgets if each.id.endswith("lesson_answer_heads_1"))
    app = app.run()
    assert told(app).startswith("Not so: ")
    app.button(key="lesson_again").click()
    states = app._tree.get_widget_states()
    # The browser has not yet heard that the widget of the first answer is gone.
    states.widgets.insert(0 if is_first else len(states.widgets), pills)
    monkeypatch.setattr(type(app._tree), "get_widget_states", lambda tree: states)
    app = app.run()
    assert told(app) == "", "the question is asked again"
    assert app.pills(key="lesson_answer_heads_1").value is None


@pytest.mark.sweep
@pytest.mark.parametrize("answers", ["1:999", "1:x", "9", "1:0,0", "2:0;1:77"])
def test_answers_that_nobody_can_give_are_asked_again(answers):
    assert open_stop("one-query", 1, answers=answers).pills(key="lesson_answer_one-query_1").value is None


def test_free_play_keeps_the_stop_and_comes_back_to_it():
    app = open_stop("one-query", 2, head="3")
    page, query = links(app)["Look around freely"]
    assert page == "cross-attention"
    free = open_page("pages/model/cross_attention.py", **dict(each.split("=") for each in query.split("&")))
    assert {"You are looking around.", f"**2** of {len(LESSONS['one-query'].stops)}"} <= {
        each.value for each in free.markdown
    }
    assert "lesson_text" not in keys_of(free.main, set())
    page, query = links(free)["Back to the stop"]
    assert page == "cross-attention"
    assert "head=0" in query
    assert "stop=2" in query
    assert "free=1" not in query


def test_free_play_on_another_page_or_sentence_keeps_the_stop():
    app = open_stop("one-query", 2)
    query = menu_links(app)["Masks"][1]
    assert "lesson=one-query&stop=2" in query
    there = open_page("pages/model/masks.py", **dict(each.split("=") for each in query.split("&")))
    assert links(there)["Back to the stop"][0] == "cross-attention"
    other = open_page(
        REGISTRY["cross-attention"].page, **query_at(LESSONS["one-query"], 2, sentence="the cat sleeps")
    )
    assert "Back to the stop" in links(other)


def test_a_sentence_typed_in_the_page_is_free_play_at_once():
    app = open_stop("one-query", 2)
    app = submit(app, "the cat sleeps")
    assert "Back to the stop" in links(app)


def test_a_lesson_can_be_left():
    app = open_page("pages/model/masks.py", **query_at(LESSONS["one-query"], 2))
    _, query = links(app)["Leave the lesson"]
    left = open_page("pages/model/masks.py", **dict(each.split("=") for each in query.split("&") if each))
    assert "lesson" not in keys_of(left.main, set())


def test_a_lesson_that_is_not_there_is_one_sentence():
    app = open_page(REGISTRY["masks"].page, lesson="no-such")
    assert not app.exception
    assert "There is no lesson of that name here." in said(app)
    assert links(app)["All lessons"] == ("lessons", "")


def test_a_stop_beyond_the_last_is_the_last():
    lesson = LESSONS["one-query"]
    last = len(lesson.stops)
    app = open_page(REGISTRY[lesson.stop(last).page].page, **query_at(lesson, last, stop="50"))
    assert f"**{last}** of {last}" in [each.value for each in app.markdown]
    assert "To the lessons" in links(app)


def light(app: AppTest) -> dict:
    """What the column tells of what is in the light."""
    return json.loads(app.get_by_key("lesson_keys").proto.bytes)


def test_a_stop_lights_the_row_and_the_cells_that_it_speaks_of():
    told_of = light(open_stop("one-query", 5))
    assert told_of["part"] == STOP
    assert told_of["rows"] == [
        {"site": f"decoder.layers.1.cross_attn.{value}", "index": [0, 0, 4, 0], "size": 7, "columns": [5, 3]}
        for value in ("scores", "weights")
    ]


def test_the_numbers_in_the_light_are_told_in_words():
    app = open_stop("one-query", 5, answers="5:0")
    heard = next(each.proto.body for each in app.get("html") if "lesson-heard" in each.proto.body)
    found = find_facts(LESSONS["one-query"].file, LESSONS["one-query"].stop(5).facts, shipped_runs())
    assert f"weights, ne: sleep {found['weight_first'].text}, does {found['weight_second'].text}." in heard


def test_who_follows_a_lesson_has_no_words_beside_it():
    assert "depth_card" in keys_of(open_page(REGISTRY["cross-attention"].page).main, set())
    assert "depth_card" not in keys_of(open_stop("one-query", 2).main, set())


COVERING = [
    (key, number)
    for key, lesson in LESSONS.items()
    for number, stop in enumerate(lesson.stops, 1)
    if stop.prediction is not None and stop.prediction.covers != Covers()
]


def numbers_under(lesson: Lesson, number: int) -> set[bytes]:
    """Every number that a stop covers and no other value of the model has, as a message carries it.

    Round ones are left out: they stand anywhere by chance. So are values that a page makes of recorded ones.
    """
    stop = lesson.stop(number)
    assert stop.prediction is not None
    state = stop_state(default_state(shipped_runs()), lesson, number, shipped_runs())
    recorded = recorded_of(loaded_run(state.run, state.updates), state.sentence, state.decoding.prefix)
    found: set[bytes] = set()
    made = ("similarity", "hypothesis.prob")
    for site in (each for each in stop.prediction.covers.sites if each not in made):
        tensor = find_tensor(site, recorded)
        values = tensor.values
        for at, axis in reversed(list(enumerate(tensor.axes))):
            if axis.name in stop.prediction.covers.places:
                values = values.take(
                    unwrap(place_on(axis, stop.prediction.covers.places[axis.name])), axis=at
                )
        found |= {each.tobytes() for each in np.float32(values).ravel() if each.tobytes()[:1] != b"\0"}
    others = {site.name for site in recorded.run.model.sites()} - set(stop.prediction.covers.sites)
    return found - {each.tobytes() for site in others for each in recorded.values(site).ravel()}


def sent(app: AppTest) -> bytes:
    """All that was sent of the page."""
    return b"".join(
        getattr(each.proto, "bytes", b"") + each.proto.SerializeToString()
        for each in app.main
        if isinstance(getattr(each, "proto", None), Message)
    )


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("key", "number"),
    # `make test` takes every fifth.
    [pytest.param(*each, marks=pytest.mark.proof if i % 5 else ()) for i, each in enumerate(COVERING)],
    ids=str,
)
def test_what_would_tell_is_not_on_the_page_before_the_answer(key, number):
    lesson = LESSONS[key]
    stop, covered = lesson.stop(number), numbers_under(lesson, number)
    assert stop.prediction is not None
    before, after = open_stop(key, number), open_stop(key, number, **answer_to(lesson, number))
    told_before, told_after = sent(before), sent(after)
    assert not [each for each in covered if each in told_before]
    # A page may show some tokens of a long vocabulary.
    assert not covered or any(each in told_after for each in covered)
    parts = REGISTRY[stop.page].parts
    drawn, others = keys_of(before.main, set()), {parts[each] for each in parts if each not in SENTENCE_PARTS}
    if stop.prediction.covers.page:
        assert not drawn & others
    # What one chooses with tells nothing.
    assert drawn & others <= {parts.get("view"), parts.get("controls")}, (
        "what stands below the picture comes with the answer"
    )
    assert "explain_panel" not in drawn
    assert "worksheet" not in drawn


def test_a_number_that_is_covered_is_not_explained():
    weight = "decoder.layers.1.cross_attn.weights-0-0-4-3"
    assert "explain_panel" not in keys_of(open_stop("one-query", 5, explain=weight).main, set())
    assert "explain_panel" in keys_of(open_stop("one-query", 5, explain=weight, answers="5:0").main, set())


def test_a_cell_that_is_clicked_is_answered_with_a_sentence():
    def said_to(cell: str) -> str:
        return told(
            open_stop("one-query", 7, answers="7:shown", explain=f"decoder.layers.1.cross_attn.{cell}")
        )

    found = find_facts(LESSONS["one-query"].file, LESSONS["one-query"].stop(7).facts, shipped_runs())
    (place,) = found["most"].place
    assert said_to(f"weights-0-3-0-{place}").startswith(f"{found['most'].text}, with {found['weight'].text}.")
    assert said_to(f"weights-0-3-0-{(place + 1) % 7}").startswith("There is a larger one")
    assert said_to("scores-0-3-0-0").startswith("The answer: "), "another tensor is no answer"


def test_what_a_stop_explains_by_itself_is_no_answer():
    stop = LESSONS["attention"].stop(3)
    opened, asked = stop.view["explain"], stop.facts[unwrap(stop.check).answer].options["site"]
    assert opened.startswith(f"{asked}-"), "the stop explains a number of those that it asks for"
    assert told(open_stop("attention", 3, answers="3:shown")).startswith("The answer: ")
    *others, key = opened.split("-")
    other = "-".join([*others, str(int(key) + 1)])
    assert told(open_stop("attention", 3, answers="3:shown", explain=other)).startswith("There is a lower")


def test_what_was_seen_is_answered_with_a_sentence_and_makes_next_solid():
    app = open_stop("one-query", 1, answers="1:shown")
    assert "lesson_steps_open" in keys_of(app.main, set())
    app = app.pills(key="lesson_seen_one-query_1").set_value(0).run()
    assert told(app).startswith("The thickest wire is that of not")
    assert app.query_params["seen"] == "1:0"
    assert "lesson_steps_solid" in keys_of(app.main, set())


def shown_in(app: AppTest) -> list[list[float | None]]:
    """The rows that are shown to an audience."""
    return [row["values"] for row in json.loads(app.get_by_key("present_cut").proto.bytes)["rows"]]


def test_what_a_question_is_about_happens_with_its_answer():
    lesson = LESSONS["heads"]
    app = open_stop("heads", 4)
    assert "changes" not in app.query_params
    assert "Back to the stop" not in links(app)
    app = app.pills(key="lesson_answer_heads_4").set_value(int(right("heads", 4))).run()
    assert told(app).startswith("Right: Nothing.")
    assert app.query_params["changes"] == lesson.stop(4).view["changes"]
    assert "Back to the stop" not in links(app)
    app = app.button(key="lesson_again").click().run()
    assert "changes" not in app.query_params, "the question is asked of the model as it was"
    shown = open_stop("heads", 4, demo="1", phase="1")
    assert "changes" not in shown.query_params
    assert "changes=" in links(shown)["Reveal"][1]
    assert "changes=" not in links(shown)["Back"][1]


def test_an_audience_sees_the_picture_then_the_question_then_the_truth():
    picture = open_stop("one-query", 5, demo="1")
    assert not {"sentence_bar", STOP, "page_head_note"} & keys_of(picture.main, set())
    assert [each.value for each in picture.subheader] == ["From scores to weights"]
    scores, weights = shown_in(picture)
    assert None not in scores
    assert set(weights) == {None}
    page, query = links(picture)["Next"]
    question = open_page(REGISTRY.at(page).page, **dict(parse_qsl(query)))
    assert question.subheader[0].value.startswith("The score of “does” is about three quarters")
    assert set(shown_in(question)[1]) == {None}
    page, query = links(question)["Reveal"]
    truth = open_page(REGISTRY.at(page).page, **dict(parse_qsl(query)))
    assert None not in shown_in(truth)[1]
    assert told(truth).startswith("The answer: A tenth, or less. The weights are ")
    assert "stop=6" in links(truth)["Next"][1]
    page, query = links(truth)["End"]
    assert "demo" not in query
    assert "phase" not in query


@pytest.mark.parametrize("key", left_to_proofs(LESSONS, {"one-query"}))
def test_every_stop_can_be_presented(key):
    app = open_stop(key, 1, demo="1")
    for _ in range(3 * len(LESSONS[key].stops)):
        assert not app.exception
        assert not app.error
        page, query = links(app).get("Next") or links(app)["Reveal"]
        if page == "lessons":
            break
        app = open_page(REGISTRY.at(page).page, **dict(parse_qsl(query)))
    assert page == "lessons"


def test_every_lesson_in_the_list_has_a_picture_of_recorded_numbers():
    app = open_page(PAGE)
    for key, lesson in LESSONS.items():
        number, stop = next((n, each) for n, each in enumerate(lesson.stops, 1) if each.target.sites)
        state = stop_state(default_state(shipped_runs()), lesson, number, shipped_runs())
        row = light_of(lesson.file, stop.target, state)[-1]
        small = json.loads(app.get_by_key(f"lesson_picture_{key}").proto.bytes)["small"]
        drawn, recorded = small["values"][small["row"]], [round(float(each), 4) for each in row.values]
        assert any(drawn == recorded[at : at + len(drawn)] for at in range(len(recorded))), key


def titles(app: AppTest) -> list[str]:
    """Of the cards, as a reader sees them."""
    return [each.value.replace("\\", "") for each in app.subheader]


def test_the_list_has_every_lesson_and_how_far_one_came():
    app = open_page(PAGE, lesson="heads", stop="4", reached="heads:4;tokens:9;masks:2")
    assert not app.exception
    assert titles(app) == [f"{place} · {lesson.title}" for place, lesson in enumerate(LESSONS.values(), 1)]
    told = [each.value for each in app.caption]
    assert {"Done", "4 of 9 stops", "2 of 9 stops", f"{len(LESSONS['one-query'].stops)} stops"} <= set(told)
    stops = [label for label in links(app) if " · " in label]
    assert len(stops) == len(LESSONS["heads"].stops)
    assert [label for label in stops if label.startswith("**")] == ["**4 · Without the one that found it**"]
    assert links(app)["Go on"]


def test_a_file_that_is_no_lesson_takes_none_of_the_others_away(tmp_path, monkeypatch):
    (tmp_path / "04-one-query.toml").write_bytes((CONTENT / "04-one-query.toml").read_bytes())
    (tmp_path / "05-<b>.toml").write_text("title = 3")
    monkeypatch.setattr("explorer.lessons.library.CONTENT", tmp_path)
    app = open_page(PAGE)
    assert titles(app) == ["1 · One query, all keys"]
    (warning,) = said(app, "warning")
    assert warning.startswith("This file is not a lesson yet. 05-<b>.toml, line 1: ")


def test_a_lesson_that_the_models_contradict_is_a_sentence_with_its_line(tmp_path, monkeypatch):
    text = (CONTENT / "04-one-query.toml").read_text(encoding="utf-8")
    (tmp_path / "04-one-query.toml").write_text(
        text.replace('head = "mean", query = 4 }\nmost', "head = 9, query = 4 }\nmost", 1)
    )
    monkeypatch.setattr("explorer.lessons.library.CONTENT", tmp_path)
    app = open_page(REGISTRY["home"].page, **query_at(LESSONS["one-query"], 1))
    assert not app.exception
    assert said(app, "error")[0].startswith("04-one-query.toml, line 20: the fact 'most_now': ")
    assert "living_map" in keys_of(app.main, set())
