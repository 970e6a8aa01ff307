"""Every page with a model, a sentence, names and pairs that are hostile: all of it is text, and nothing breaks."""

import json
import re
from collections.abc import Iterator

import pytest
from google.protobuf.message import Message

from core.training.own_pairs import PAIRS
from explorer.look.markdown_text import plain
from explorer.visitor.forms import MAX_BRANCHES, MAX_NAME
from tests.addresses import FILES, HOME
from tests.app_tests import another_server
from tests.hostile import MARKUP, RUN_ID, SENTENCE, TEXTS, hostile_run
from tests.marks import left_to_proofs
from tests.pages.opening import bar_of, header_of, open_page, said, submit

HOSTILE_AT_ONCE = {
    HOME,
    "pages/generation/step_by_step.py",
    "pages/training/runs.py",
    "pages/training/mistakes.py",
}
"""Pages on which `make test` opens a hostile model; `make proofs` opens all others."""
NO_MARKUP = {
    "dataframe",
    "bidi_component",
    "code",
    "file_uploader",
    "multiselect",
    "plotly_chart",
    "selectbox",
    "text",
    "text_area",
    "text_input",
}
"""Elements whose content the browser shows as it is; those of ours have tests of their own, in the browser."""

SENT = [text for text in TEXTS.values() if text.isascii() or text.encode(errors="replace").decode() == text]
"""What a browser can send at all: not half a surrogate pair."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    folder = hostile_run(root)
    (folder / "app.json").write_text(json.dumps({"title": TEXTS["Markdown image"], "created": 1.0}))
    return root


@pytest.fixture(autouse=True)
def _hostile_runs(runs, monkeypatch) -> Iterator[None]:
    monkeypatch.setenv("EXPLORER_RUNS", str(runs))
    from explorer.trainings.engine import TrainingEngine

    monkeypatch.setattr(TrainingEngine, "warm", lambda engine, description=None, **_: None)
    another_server()
    yield
    another_server()


def strings(message: Message) -> Iterator[str]:
    """Every text in a message."""
    for field, value in message.ListFields():
        for each in value if field.is_repeated else [value]:
            if isinstance(each, Message):
                yield from strings(each)
            elif isinstance(each, str) and field.name != "id":
                yield each


def marked_up(app) -> list[str]:
    """Every text of a page that the browser reads as Markdown or HTML."""
    found, queue = list[str](), [app._tree]
    while queue:
        node = queue.pop()
        queue += getattr(node, "children", {}).values()
        proto = getattr(node, "proto", None)
        if isinstance(proto, Message) and node.type not in NO_MARKUP:
            found += strings(proto)
    return found


def holds_no_markup(app) -> None:
    assert not app.exception
    texts = marked_up(app)
    assert len(texts) > 5, "the page's own sentences are among them"
    for hostile in MARKUP:
        assert not [text for text in texts if hostile[:200] in text]
    # A sentence quotes what was typed, piece by piece; each mark in it is escaped.
    for quoted in re.findall("“([^”]{,31})”", " ".join(texts)):
        assert quoted == plain(re.sub(r"\\(.)", r"\1", quoted))


def texts(app) -> list[str]:
    return [text.value for text in app.text]


@pytest.mark.parametrize("page", left_to_proofs(FILES, HOSTILE_AT_ONCE))
def test_a_hostile_model_is_text_on_every_page(page):
    app = open_page(page, model=RUN_ID, sentence=SENTENCE, step="1", run=RUN_ID)
    for depth in ("numbers", "formula", "code"):
        app.query_params["depth"] = depth
        app.run()
        assert app.radio(key="model").value == RUN_ID
        holds_no_markup(app)


@pytest.mark.proof
def test_whatever_is_typed_into_the_field_is_answered():
    app = open_page(HOME)
    for sequence, text in enumerate(TEXTS.values(), start=1):
        submit(app, text, sequence)
        holds_no_markup(app)
        bar = bar_of(app)
        assert bar["message"] or bar["value"] in ("the small cat does not sleep", text)
    assert app.get_by_key("living_map").proto.bytes


@pytest.mark.sweep
@pytest.mark.parametrize(
    "page", ["pages/model/tensors.py", "pages/training/train.py", "pages/training/runs.py"]
)
def test_a_link_of_hostile_parts_alone_is_a_page_with_notices(page):
    names = (
        "sentence",
        "model",
        "step",
        "layer",
        "head",
        "prefix",
        "branches",
        "stage",
        "site",
        "pinned",
        "run",
    )
    texts = [TEXTS["LaTeX"], *(text for text in SENT if text.isprintable())]
    for start in range(0, len(texts), len(names)):
        app = open_page(page, **dict(zip(names, texts[start : start + len(names)], strict=False)))
        holds_no_markup(app)
        assert any("The link" in sentence for sentence in said(app))


def test_a_branch_may_have_any_name():
    for start in range(0, len(SENT), MAX_BRANCHES):
        names = [text.replace(":", " ").replace(";", " ") for text in SENT[start : start + MAX_BRANCHES]]
        branches = ";".join(f"{4 + number}:{name}" for number, name in enumerate(names))
        app = open_page("pages/generation/step_by_step.py", branches=branches)
        holds_no_markup(app)
        shown = [row["label"] for row in header_of(app, "step_by_step")["what_if"]["branches"]]
        assert names[0][:MAX_NAME].strip() in shown


def choosing_own_pairs():
    app = open_page("pages/training/train.py")
    return app.selectbox(key="train_task").set_value(PAIRS).run()


@pytest.mark.proof
def test_pairs_and_names_on_the_page_that_trains_are_text():
    app = choosing_own_pairs()
    app.text_input(key="train_name").set_value(TEXTS["Markdown image"])
    app.text_area(key="train_paste").set_value("\n".join(SENT)).run()
    holds_no_markup(app)
    assert "The pasted text is not plain text; save the pairs as UTF-8 text, one pair a line." in texts(app)
    one_line = [text for text in SENT if text.isprintable() and len(text) < 1000]
    pairs = "\n".join(f"{text} {n}\t{text}" for n in range(4) for text in one_line)
    app.text_area(key="train_paste").set_value(pairs).run()
    holds_no_markup(app)
    assert any("pairs for training" in text for text in texts(app))
    assert not app.button(key="train_start").disabled


@pytest.mark.proof
def test_an_uploaded_file_may_have_any_name_and_any_text():
    app = choosing_own_pairs()
    for text in (*MARKUP, TEXTS["path"], TEXTS["spreadsheet"], TEXTS["device"]):
        uploaded = (f"{text[:50]}.tsv", text.encode(), "text/plain")
        app.file_uploader(key="train_upload").set_value(uploaded).run()
        holds_no_markup(app)
        assert app.button(key="train_start").disabled


@pytest.mark.proof
def test_a_run_may_be_given_any_title(runs):
    app = open_page("pages/training/runs.py", model=RUN_ID)
    for text in (
        TEXTS["HTML"],
        TEXTS["Markdown image"],
        TEXTS["LaTeX"],
        TEXTS["lines"],
        TEXTS["spreadsheet"],
    ):
        (field,) = [each for each in app.text_input if each.label == "Title"]
        field.set_value(text[:80]).run()
        app.button(key="run_rename").click().run()
        holds_no_markup(app)
        title = json.loads((runs / RUN_ID / "app.json").read_text())["title"]
        assert "\n" not in title
        assert len(title) <= 80
        assert list(app.dataframe[0].value["Title"])[-1].lstrip("\u200b") == title
