"""Errors stand alone as whole sentences, and keep the names of the code as they are written."""

import pytest

from core.errors import ExplorerError, InputError, RunError, UnknownSite


@pytest.mark.parametrize(("text", "sentence"), [
    ("training needs at least 10 pairs", "Training needs at least 10 pairs."),
    ("a sentence is needed: type one.", "A sentence is needed: type one."),
    ("The upload is damaged.", "The upload is damaged."),
    ("d_model 30 must be divisible by n_heads 4", "d_model 30 must be divisible by n_heads 4."),
    ("run.json cannot be used: it is empty", "run.json cannot be used: it is empty."),
    ("my-name: its weights are damaged", "my-name: its weights are damaged."),
    ("reverse: its weights are damaged", "reverse: its weights are damaged."),
    ("there is no run “Copy”", "There is no run “Copy”."),
    ("it says: “No.”", "It says: “No.”"),
    ("“Copy” does not train now; it is finished.", "“Copy” does not train now; it is finished."),
])  # fmt: skip
def test_an_error_stands_alone_as_a_sentence(text: str, sentence: str) -> None:
    for kind in (ExplorerError, InputError, RunError, UnknownSite):
        assert kind(text).sentence == sentence
        assert str(kind(text)) == text
