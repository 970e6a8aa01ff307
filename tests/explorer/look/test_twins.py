"""Sentences, tables, worksheets and CSV files distinguish equal tokens of a text by their positions."""

import csv
import io
import re
from html import unescape

import numpy as np
import pytest

from core.interventions.intervention import ZeroAblation
from explorer.app import REGISTRY
from explorer.explaining.changed import change_words
from explorer.explaining.sentence import sentence_of
from explorer.lessons.answering import labels
from explorer.lessons.findings import found_at
from explorer.look.rows import row_texts
from explorer.look.token_text import told_apart, twin_place
from explorer.models.decodings import recorded_of
from explorer.models.known import loaded_run
from explorer.models.padded_batch import masked_batch
from explorer.models.recorded import Recorded, record_translation
from explorer.models.translation import translate
from explorer.tensors import Axis, CellPlace
from explorer.views.feed_forward.data import unit_story, units_by_token
from explorer.views.feed_forward.tables import story_sentence
from explorer.views.inspector.sites import tensor_of
from explorer.views.inspector.slice import slice_of
from explorer.views.inspector.tables import csv_of
from explorer.views.masks.findings import findings
from explorer.visitor.state import Cut, WhatIf
from explorer.worksheets.matrix import Matrix, number_tables
from explorer.worksheets.pages import worksheet_of
from tests.states import state_of

WEIGHTS = "decoder.layers.0.cross_attn.weights"
TWINS = "abcabcab"


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    return recorded_of(loaded_run("copy"), TWINS)


def test_position_is_added_to_repeated_tokens_only():
    assert twin_place("abca", 3) == " at position 3"
    assert twin_place("abca", 1) == ""
    # Both are shown as the mark of a space.
    assert twin_place([" ", "\u00a0"], 0) == " at position 0"
    assert told_apart("abca") == ("0 a", "b", "c", "3 a")


@pytest.mark.parametrize(
    "site", [WEIGHTS, "encoder.layers.0.self_attn.weights", "decoder.layers.0.self_attn.weights"]
)
def test_csv_names_are_unique_in_both_directions(recorded, site):
    shown = slice_of(tensor_of(recorded, site), Cut())
    text = csv_of(shown).decode()
    header, *rows = csv.reader(io.StringIO(text))
    assert len(set(header)) == len(header)
    assert len({row[0] for row in rows}) == len(rows)
    first = next(csv.DictReader(io.StringIO(text)))
    numbers = [float(value) for name, value in first.items() if name != header[0] and value != "masked"]
    np.testing.assert_allclose(sum(numbers), 1, atol=1e-5)


def sheet(page: str, **choices) -> str:
    """Return the text of a page's worksheet for a word with letters that stand twice."""
    html = worksheet_of(REGISTRY[page], state_of("copy", TWINS, **choices), "http://x", REGISTRY)
    return unescape(re.sub(r"<[^>]+>", "", html))


def test_attention_worksheet_distinguishes_repeated_tokens():
    text = sheet("cross-attention", step=3)
    assert re.search(r"a at position \d, with weight", text)
    assert re.search(r"Its score is larger than that of \w at position \d\.", text)


def test_worksheet_output_is_joined_by_its_tokenizer():
    assert f"Output{TWINS}" in sheet("cross-attention")


def test_worksheet_of_letters_asks_about_a_letter():
    assert "A letter stands twice in a source" in sheet("tokens")


def test_weight_sentence_distinguishes_repeated_tokens(recorded):
    words = "".join(word.text for word in sentence_of(CellPlace(WEIGHTS, (0, 0, 4, 3)), recorded))
    assert words == "a at position 4 reads a at position 3 with this weight"


def test_rows_with_the_same_text_have_different_names(recorded):
    names = row_texts(recorded.rows("source"))
    assert len(set(names)) == len(names)
    assert names[-1] == "</s>"
    units = units_by_token(recorded, state_of("copy", TWINS))
    assert len({unit.row for unit in units}) == len(units)


def test_unit_story_distinguishes_repeated_tokens(recorded):
    state = state_of("copy", TWINS, step=4)
    assert re.search(
        r"reads \w at position \d it sees", story_sentence(recorded, unit_story(recorded, state))
    )


def test_sentence_of_a_vector_distinguishes_repeated_tokens(recorded):
    words = "".join(word.text for word in sentence_of(CellPlace("src_embed.output", (0, 3, 0)), recorded))
    assert "a at position 3" in words
    assert "at position" not in "".join(
        word.text for word in sentence_of(CellPlace("src_embed.output", (0, 8, 0)), recorded)
    )


def test_home_distinguishes_repeated_token_with_largest_weight():
    text = re.sub(r"\s+", " ", sheet("home", step=3))
    assert re.search(r"layer 0 give a at position 3 the largest weight", text)


def test_change_at_a_repeated_token_names_its_position():
    change = ZeroAblation("encoder.output", positions=(3, 2))
    assert "at a at position 3, c" in change_words(change, ("a", "b", "c", "a"))


def test_place_found_in_a_lesson_is_distinguished():
    axis = Axis("key", 4, tuple("abca"), "source")
    found = found_at((axis,), (3,))
    assert "".join(piece.text for piece in found.pieces) == "a at position 3"
    assert labels(found, 0) == ("0 a", "b", "c", "3 a")


def test_table_of_a_worksheet_names_rows_and_columns_once():
    matrix = Matrix("weights", np.ones((2, 3), np.float32), ("a", "a"), ("b", "c", "b"))
    (table,) = number_tables(matrix)
    assert table.heads == ("", "0 b", "c", "2 b")
    assert [row[0] for row in table.rows] == ["0 a", "1 a"]


def test_finding_about_masks_distinguishes_repeated_tokens():
    run = loaded_run("copy")
    texts = [record_translation(run, text, translate(run, text)) for text in (TWINS, "ab")]
    batch = masked_batch(run, [("Yours", texts[0]), ("Short", texts[1])], "causal")
    told = [sentence for head in range(4) for sentence in findings(batch, 0, 0, head)]
    for start in ("the one that reads", "the position that reads"):
        assert any(re.search(rf"{start} “[abc]” at position \d", sentence) for sentence in told), told


def test_home_table_distinguishes_equal_tokens():
    text = re.sub(r"\s+", " ", sheet("home"))
    for place in (0, 3, 6):
        assert f"a at position {place}0." in text, "beside its weight"


def test_masks_page_names_equal_tokens_with_their_places():
    run = loaded_run("copy")
    texts = [record_translation(run, text, translate(run, text)) for text in (TWINS, "ab")]
    batch = masked_batch(run, [("Yours", texts[0]), ("Short", texts[1])], "causal")
    for head in range(4):
        first, _ = findings(batch, 0, 0, head)
        assert re.search(r"of it to “[abc]” at position \d, the answer", first), first


def test_worksheet_of_what_if_distinguishes_repeated_tokens():
    state = state_of("copy", "abcabcab", step=3, what_if=WhatIf(donor="abcxbcab"))
    html = worksheet_of(REGISTRY["what-if"], state, "http://x", REGISTRY)
    text = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", html)))
    for sentence in (
        "Which block writes most of the logit of a at position 3?",
        "a at position 3: its vector alone brings",
        "What wrote a at position 3, as trained",
        "the embedding of a at position 3, taken from the second sentence",
    ):
        assert sentence in text
    assert "vector0 a1 b2 c3 a4 b5 c6 a7 b</s>" in text
