"""The page Output through the entry script: the last row, the shifted target, label smoothing and the loss."""

import re

import pytest

from explorer.models.known import loaded_run
from explorer.view import STOP
from explorer.visitor.scope import DEFAULT_RUN
from tests.pages.opening import header_of, light_row, open_page, title_of, words_of

PAGE, VIEW = "pages/model/output.py", STOP


def query(app) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def table(app, head: str):
    """The first table with such a column."""
    return next(each.value for each in app.dataframe if head in each.value.columns)


def test_the_page_shows_logits_probabilities_and_the_aligned_target():
    app = open_page(PAGE, sentence="the small cat sleeps")
    header = header_of(app, VIEW)
    assert title_of(app) == "Output"
    assert [stage["key"] for stage in header["stages"]] == ["logits", "softmax"]
    vocabulary = header["tensors"]["logits"]["axes"][1]
    size = loaded_run(DEFAULT_RUN).config.tgt_vocab_size
    assert vocabulary["window"].endswith(f"{len(vocabulary['labels'])} of {size} tokens.")
    assert header["tensors"]["skyline"]["axes"][1]["places"] is None, "every logit has a bar"
    assert (header["here"], header["stage"], header["writes"][0]) == ("generator", "", "le")
    aligned = table(app, "position")
    assert aligned.iloc[0].tolist()[:2] == ["decoder reads", "<s>"]
    assert aligned.iloc[1].tolist()[0] == "label"
    assert aligned.iloc[1].tolist()[-1] == "</s>"
    assert aligned.iloc[0].tolist()[2:] == aligned.iloc[1].tolist()[1:-1], "the input is the target, shifted"
    assert "which the model's output equals" in words_of(app)


def test_the_row_that_is_read_is_marked_in_view_and_table():
    app = open_page(PAGE)
    assert header_of(app, VIEW)["row"] == 4, "where dort is written"
    pairs = list(zip(table(app, "writes")["reads"], table(app, "writes")["writes"], strict=True))
    assert pairs[4] == ("ne", "dort")
    assert table(app, "writes")["row"].tolist() == ["read before"] * 4 + ["read now"] + ["not there yet"] * 2
    light_row(app, VIEW, 1)
    assert header_of(app, VIEW)["row"] == 1
    assert table(app, "writes")["row"].tolist()[1] == "read now"
    assert "At position 1 the label has 0.900 instead of 1" in words_of(app)
    assert query(app)["step"] == "1"


def test_without_smoothing_both_losses_are_one():
    app = open_page(PAGE)
    app.slider(key="smoothing").set_value(0.0).run()
    aligned = table(app, "position")
    assert aligned.iloc[3].tolist()[1:] == aligned.iloc[4].tolist()[1:]
    plain, smoothed = re.findall(r"= (\d\.\d{3})", words_of(app))[:2]
    assert plain == smoothed
    assert "This model was trained with ε_ls = 0.1" in words_of(app)


def test_the_loss_can_be_explained():
    app = open_page(PAGE)
    app.button(key="explain_loss").click().run()
    assert not app.exception
    assert query(app)["explain"] == "hypothesis.loss"


def test_with_another_smoothing_than_the_trainings_there_is_nothing_to_explain():
    app = open_page(PAGE)
    app.slider(key="smoothing").set_value(0.2).run()
    with pytest.raises(KeyError):
        app.button(key="explain_loss")


def test_a_forced_output_is_compared_with_the_tasks_own_answer():
    app = open_page(PAGE, sentence="the small cat sleeps", prefix="12")
    assert not app.exception
    assert "the model's output is another one" in words_of(app)
    assert table(app, "position").iloc[1].tolist()[1:3] == ["le", "petit"]
