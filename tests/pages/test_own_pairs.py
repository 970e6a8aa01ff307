"""A run of somebody's own pairs: each source of theirs comes with its reference, and with what it was there for."""

import pytest

from core.run_description import read_description
from core.training.own_pairs import PAIRS_FILE, own_splits
from tests.addresses import HOME, READING
from tests.app_tests import another_server
from tests.explorer.own_runs import train_pairs
from tests.pages.opening import bar_of, header_of, open_page, words_of

OUTPUT, TRAIN, STEPS = "pages/model/output.py", "pages/training/train.py", "pages/generation/step_by_step.py"
PAIRS = "\n".join(
    f"the {size} {number} dogs\tdie *{number}* <b>{size}</b> [x](y)"
    for size in "abcdef"
    for number in range(8)
)
TOLD = {
    "train": "One of the pairs that the model was trained on.",
    "validation": "A validation pair: the model was not trained on it",
    "test": "A test pair, which the model was not trained on.",
}


LABELS = {"train": "right, trained on", "validation": "right, validation pair", "test": "right, test pair"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    made = train_pairs(root, "mine", text=PAIRS, tokenizer="lowercase-word")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXPLORER_RUNS", str(root))
        another_server()
        yield made
    another_server()


@pytest.fixture(scope="module")
def splits(folder):
    return own_splits(folder, read_description(folder))


def told(app) -> str:
    """What the bar says of the source."""
    return bar_of(app)["reference"]


@pytest.mark.proof
@pytest.mark.parametrize("split", TOLD)
def test_a_source_of_ones_own_shows_its_reference_and_what_it_was_there_for(split, folder, splits):
    pair = getattr(splits, split)[0]
    # Lower-case words read capitals and a full stop as the same source.
    app = open_page(HOME, model="mine", sentence=f"{pair.source.upper()} .")
    assert TOLD[split] in told(app)
    assert bar_of(app)["output"]["judged"]["label"].endswith(LABELS[split])
    assert f"Its reference: {pair.target}" in told(app)
    note = header_of(app.switch_page(STEPS).run(), "step_by_step")["gold_note"]
    assert note.startswith("No gold alignment")
    assert "outside" not in note


@pytest.mark.proof
def test_every_page_with_a_sentence_shows_it(folder, splits):
    pair = splits.test[0]
    app = open_page(HOME, model="mine", sentence=pair.source)
    for page in READING:
        app.switch_page(page).run()
        assert f"Its reference: {pair.target}" in told(app), page
        assert bar_of(app)["output"]["judged"]["verdict"] in ("right", "wrong"), page


def test_the_loss_compares_with_the_reference(folder, splits):
    app = open_page(OUTPUT, model="mine", sentence=splits.train[0].source)
    assert "The labels are the right answer" in words_of(app)
    app = open_page(OUTPUT, model="mine", sentence="dogs dogs")
    assert "not known, so that the labels are what the model itself wrote" in words_of(app)


def test_a_source_of_nobody_and_a_run_without_its_pairs_have_no_reference(folder, splits):
    app = open_page(HOME, model="mine", sentence="dogs dogs")
    assert "Not one of this run's own pairs" in told(app)
    assert bar_of(app)["output"]["judged"]["label"] == "no reference"
    kept = (folder / PAIRS_FILE).read_bytes()
    try:
        for stored in (None, b"not\tas\tit\twas", b"\xff"):
            (folder / PAIRS_FILE).unlink(missing_ok=True)
            if stored is not None:
                (folder / PAIRS_FILE).write_bytes(stored)
            said = told(open_page(HOME, model="mine", sentence=splits.train[0].source))
            assert "This run is here without its pairs" in said
            assert "reference:" not in said
    finally:
        (folder / PAIRS_FILE).write_bytes(kept)


def test_what_a_run_says_while_it_trains_stands_below_its_references(folder, splits):
    app = open_page(TRAIN, run="mine")
    app.session_state["train_more"] = True
    app.run()
    assert not app.exception
    said = next(
        each.value
        for each in app.dataframe
        if set(each.value.columns) & {pair.source for pair in splits.validation}
    )
    right = said.iloc[0].to_dict()
    assert right.pop("after updates") == "right answer"
    assert right == {pair.source: pair.target for pair in splits.validation}
