"""Worksheets of all pages: sound HTML without anything from outside, and the numbers that were recorded."""

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest

from core.errors import InputError
from core.model.parameters import parameters_by_block
from explorer.app import REGISTRY
from explorer.explaining.formula import Sizes, latex
from explorer.glossary.terms import glossary
from explorer.lessons.library import lesson_library
from explorer.look.formula import mathml
from explorer.look.numbers import value_text
from explorer.look.theme import format_probability
from explorer.models.decodings import recorded_of, translation_of
from explorer.models.known import known_runs, loaded_run
from explorer.shell.worksheet_download import view_sheet
from explorer.tensors import CellPlace
from explorer.views.glossary.sheet import document as glossary_sheet
from explorer.visitor.state import default_state
from explorer.worksheets.lesson_sheet import lesson_sheet
from explorer.worksheets.matrix import MOST_NUMBERS, number_text
from explorer.worksheets.pages import worksheet_of
from tests.explorer.words import IDEAS, formula_of
from tests.optional import unwrap
from tests.states import with_choices

VOID = {"meta", "br", "hr", "path", "rect", "wbr"}
SCORE = CellPlace("decoder.layers.1.cross_attn.scores", (0, 0, 4, 5))

SHEETS = [key for key, view in REGISTRY.items() if view.contents.sheet is not None]


class Sound(HTMLParser):
    """Collects elements, attributes and text, and insists that every element is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.text.append(data)


def parsed(html: str) -> Sound:
    page = Sound()
    page.feed(html)
    page.close()
    assert page.open == []
    assert not page.seen & {
        "script",
        "link",
        "img",
        "iframe",
        "object",
        "embed",
        "form",
        "a",
        "base",
        "foreignobject",
    }
    for name, value in page.attributes:
        assert name not in ("src", "href", "srcset", "action", "xlink:href", "background")
        assert not name.startswith("on")
        assert "://" not in value or value.startswith("http://www.w3.org/")
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style is not None
    assert "url(" not in html.replace('url("data:font/woff2;base64,', "")
    assert "@import" not in html
    return page


def state_with(**choices):
    return with_choices(default_state(known_runs()), layer=1, head=0, step=4, **choices)


def explained_number() -> str:
    """What the panel of `SCORE` says, as it was recorded."""
    recorded = recorded_of(loaded_run("en-fr"), state_with().sentence)
    return value_text(SCORE.site, float(recorded.values(SCORE.site)[SCORE.index[1:]]))


@pytest.mark.sweep
@pytest.mark.parametrize("page", SHEETS)
def test_every_views_worksheet_stands_by_itself(page):
    html = worksheet_of(REGISTRY[page], state_with(trail=(SCORE,)), "http://class.example/x?step=4", REGISTRY)
    text = " ".join(parsed(html).text)
    assert "the small cat does not sleep" in text
    assert "Live at http://class.example/x?step=4" in text
    assert explained_number() in text
    assert "<svg" in html or "<table" in html


@pytest.mark.proof
@pytest.mark.parametrize("run", ["dates", "copy"])
def test_every_models_worksheets_can_be_made(run):
    state = default_state(known_runs(), run)
    for page in SHEETS:
        parsed(worksheet_of(REGISTRY[page], state, "", REGISTRY))


def test_the_printed_weights_are_the_recorded_ones():
    state = state_with(stage="softmax")
    html = worksheet_of(REGISTRY.at("cross-attention"), state, "", REGISTRY)
    recorded = recorded_of(loaded_run("en-fr"), state.sentence)
    weights = recorded.values("decoder.layers.1.cross_attn.weights")[0]
    cells = re.findall(r"<td>([^<]*)</td>", html.split("Weights</caption>")[-1].split("</table>")[0])
    printed = np.array([float(cell) for cell in cells]).reshape(weights.shape)
    assert np.abs(printed - weights).max() <= 0.00005 + 1e-9


@pytest.mark.parametrize(
    ("page", "stages", "opened"),
    [
        ("add-norm", ["Add", "Mean and variance", "Normalise", "Scale and shift"], "normalized"),
        ("tokens", ["Row", "× √64", "+ position"], "source-scaled"),
        ("output", None, "softmax"),
    ],
)
def test_a_whole_picture_prints_all_its_stages_and_one_that_is_open_at_a_stage_that_stage(
    page, stages, opened
):
    view, state = REGISTRY[page], state_with(stage="")
    fed = unwrap(view.contents.stages)(recorded_of(loaded_run("en-fr"), state.sentence), state)
    titles = [stage.title for stage in fed.stages]
    assert stages in (None, titles)
    notes = [stage.note for stage in fed.stages]
    whole, one = (
        unescape(worksheet_of(view, state_with(stage=stage), "", REGISTRY)) for stage in ("", opened)
    )
    assert [note for note in notes if note in whole] == notes
    assert [note for note in notes if note in one] == [
        stage.note for stage in fed.stages if stage.key == opened
    ]


def html_text(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">")


def test_the_printed_steps_are_the_recorded_ones():
    state = state_with()
    html = worksheet_of(REGISTRY.at("step-by-step"), state, "", REGISTRY)
    translation = translation_of(loaded_run("en-fr"), state.sentence)
    first = html.split("log P so far")[1].split("</table>")[0]
    rows = re.findall(
        r"<td>(\d+)</td><td class=words>([^<]*)</td><td class=words>([^<]*)</td><td>([\d.]+)</td>", first
    )
    written = list(translation.output_tokens)
    assert [html_text(token) for _, _, token, _ in rows] == written
    assert [html_text(token) for _, token, _, _ in rows] == ["<s>", *written[:-1]]
    assert [float(p) for *_, p in rows] == pytest.approx(np.exp(translation.log_probs), abs=0.0006)


def test_the_printed_living_map_says_each_step_and_what_it_reads_and_each_block_with_its_parameters():
    state, run = state_with(), loaded_run("en-fr")
    html = worksheet_of(REGISTRY.at(""), state, "", REGISTRY).replace("<wbr>", "")
    recorded = recorded_of(run, state.sentence)
    read = recorded.values("decoder.layers.1.cross_attn.weights").mean(axis=0)
    for step, token in enumerate(recorded.outputs[:-1]):
        row = html.split(f"<td>{step}</td>")[1].split("</tr>")[0]
        assert f">{token}<" in row
        assert f">{recorded.source[int(read[step].argmax())]}<" in row
        assert f">{read[step].max():.4f}<" in row
    for name, count in parameters_by_block(run.model).items():
        assert f">{count:,}<" in html.split(f">{name}<")[1].split("</tr>")[0], name


def test_masked_cells_are_hatched_and_say_so():
    html = worksheet_of(REGISTRY.at("masked-self-attention"), state_with(stage="softmax"), "", REGISTRY)
    assert "<td>masked</td>" in html
    assert "hatched is masked" in html


def test_what_is_too_much_to_print_is_a_picture_and_a_sentence():
    html = worksheet_of(REGISTRY.at("feed-forward"), state_with(stage="hidden"), "", REGISTRY)
    assert f"More than {MOST_NUMBERS:,} numbers" in html
    assert html.count("<svg") == 2


@pytest.mark.parametrize(("value", "scale", "text"), [
    (0.25, "weight", "0.2500"), (1.0, "mask", "1"), (-1.5, "signed", "−1.500"), (float("-inf"), "signed", "−∞"),
    (float("nan"), "weight", "NaN"),
])  # fmt: skip
def test_numbers_are_printed_as_the_app_writes_them(value, scale, text):
    assert number_text(value, scale) == text


@pytest.mark.sweep
@pytest.mark.parametrize("page", ["home", "tokens", "cross-attention", "beams", "sampling-lab", "output"])
def test_what_somebody_typed_is_never_markup(page, monkeypatch):
    hostile = '<img src=x onerror="alert(1)">'
    state = state_with(sentence="the dog sleeps")
    recorded = recorded_of(loaded_run("en-fr"), state.sentence)
    tokens = (hostile, *recorded.source[1:])
    monkeypatch.setattr(
        "explorer.worksheets.pages.recorded_run",
        lambda *_: replace(recorded, source=tokens, outputs=(hostile, *recorded.outputs[1:])),
    )
    html = worksheet_of(REGISTRY[page], state, f"http://x/{hostile}", REGISTRY)
    parsed(html)
    assert "<img" not in html
    assert "&lt;img" in html


@pytest.mark.proof
def test_lessons_ask_first_and_answer_on_another_page():
    runs, library = known_runs(), lesson_library(REGISTRY)
    assert library.lessons
    for lesson in library.lessons.values():
        html = lesson_sheet(lesson, runs, REGISTRY)
        parsed(html)
        questions, _, answers = html.rpartition('<div class="break"></div>')
        asked = sum(stop.prediction is not None for stop in lesson.stops)
        assert questions.count("<b>Question: </b>") == asked
        assert questions.count('class="line"') == 2 * asked
        assert len(re.findall(r"<p>\d+\. ", answers)) == asked
        # What the next stop tells is on another page.
        for page in questions.split('<div class="break"></div>'):
            assert re.search("<h[23]>", page.partition("<b>Question: </b>")[2]) is None
            assert page.count("<b>Question: </b>") <= 1


@pytest.mark.proof
def test_a_cell_is_ticked_by_its_row_and_its_column():
    runs, library = known_runs(), lesson_library(REGISTRY)
    cells = [
        (lesson, stop)
        for lesson in library.lessons.values()
        for stop in lesson.stops
        if stop.prediction is not None and stop.prediction.kind == "cell"
    ]
    assert cells
    for lesson, _ in cells:
        lines = re.findall(r"<p>((?:Row|Column): .*?)</p>", lesson_sheet(lesson, runs, REGISTRY))
        assert {line.partition(":")[0] for line in lines} == {"Row", "Column"}
        assert all(line.count("☐") > 1 for line in lines)


@pytest.mark.proof
def test_every_formula_becomes_mathml_without_a_rest_of_latex():
    run = known_runs()["en-fr"]
    formulas = [term.formula for term in glossary().values() if term.formula]
    for block in IDEAS:
        formula = formula_of(block, Sizes(run.config, 7, 7, default_state(known_runs())))
        formulas += [latex(formula.letters), latex(formula.sizes)]
    for formula in [*formulas, r"\begin{aligned} & {1 + 2} \\ & {-3} = 4 \end{aligned}"]:
        drawn = mathml(formula)
        assert not re.search(r"\\|pt\]|&amp;|>&<", drawn), formula
        assert "<mi>&#x02032;</mi></msup>" not in drawn, "a prime in a superscript is too small to see"
        parsed(f"<style></style>{drawn}")


def test_the_glossarys_worksheet_has_all_terms():
    text = parsed(glossary_sheet("Glossary", default_state(known_runs()), "")).text
    assert {term.name for term in glossary().values()} <= set(text)


def test_a_view_that_cannot_be_made_says_so():
    html = view_sheet(REGISTRY["output"], state_with(sentence="gibberishword"), "", REGISTRY)
    parsed(html)
    with pytest.raises(InputError):
        worksheet_of(REGISTRY.at("output"), state_with(sentence="gibberishword"), "", REGISTRY)
    assert "gibberishword" in html


def test_views_that_offer_a_worksheet_have_one():
    begun = state_with(training="a-run")
    for view in REGISTRY.values():
        contents = view.contents
        assert view.prints(begun) == (contents.sheet is not None or contents.document is not None), view.key


@pytest.mark.browser
def test_a_browser_opens_it_from_disk_asks_for_nothing_and_prints_it(browser, tmp_path):
    runs = known_runs()
    lesson = next(iter(lesson_library(REGISTRY).lessons.values()))
    sheets = {
        "view": worksheet_of(REGISTRY.at("cross-attention"), state_with(trail=(SCORE,)), "", REGISTRY),
        "lesson": lesson_sheet(lesson, runs, REGISTRY),
    }
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: asked.append(message.text))
    for name, html in sheets.items():
        path = tmp_path / f"{name}.html"
        path.write_text(html, encoding="utf-8")
        asked.clear()
        page.goto(path.as_uri())
        assert asked == [path.as_uri()]
        assert page.get_by_role("heading", level=1).is_visible()
        assert page.get_by_role("img").first.bounding_box()["width"] <= 390
        printed = page.pdf(format="A4")
        assert printed.startswith(b"%PDF")
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 2
    context.close()


WITH_QUESTIONS = [key for key in SHEETS if key != "runs"]


@pytest.mark.sweep
@pytest.mark.parametrize("page", WITH_QUESTIONS)
def test_a_view_on_paper_asks_beside_its_picture_and_answers_on_another_page(page):
    html = worksheet_of(REGISTRY[page], state_with(), "", REGISTRY)
    front, _, behind = html.partition('<div class="break"></div>')
    asked = re.findall(r'<section class="whole"><p><b>(\d)\. </b>.+?</p>(<div class="line"></div>)+', front)
    assert "<svg" in front or "<table" in front
    assert 1 <= len(asked) <= 2
    assert behind.lstrip().startswith("<h2>Answers</h2>")
    assert re.findall(r"<p><b>(\d)\. </b>", behind) == [number for number, _ in asked]


def test_the_answers_of_an_attention_are_the_recorded_weights():
    state = state_with()
    html = worksheet_of(REGISTRY["cross-attention"], state, "", REGISTRY)
    recorded = recorded_of(loaded_run("en-fr"), state.sentence)
    weights = recorded.values("decoder.layers.1.cross_attn.weights")[0, 4]
    first, second = np.argsort(-weights)[:2]
    answers = html.partition("<h2>Answers</h2>")[2]
    assert (
        f">{recorded.source[first]}</bdi>, with weight <b>{format_probability(float(weights[first]))}</b>"
        in answers
    )
    assert f"<b>{weights[first] / weights[second]:,.4g}</b> times" in answers
