"""The proof under a page: what was measured is quoted, and nothing is claimed where nothing was."""

import json

import pytest

from explorer.shell.proof import Proof, proof_sentence, read_proof


def test_what_the_tests_measured_is_quoted(tmp_path):
    path = tmp_path / "proof.json"
    path.write_text(json.dumps({"largest_difference": 1.4e-13, "compared": 108109, "torch": "2.13.0+cpu"}))
    assert read_proof(path) == Proof(1.4e-13, 108109, "2.13.0+cpu")
    sentence = proof_sentence(read_proof(path))
    assert "1.4e-13 among 108,109 numbers (float64, torch 2.13.0)" in sentence


@pytest.mark.parametrize(
    "text", [None, "", "[]", "{}", '{"largest_difference": "x", "compared": 1, "torch": "2"}']
)
def test_without_a_measurement_nothing_is_claimed(tmp_path, text):
    path = tmp_path / "proof.json"
    if text is not None:
        path.write_text(text)
    assert read_proof(path) is None
    assert "largest difference" not in proof_sentence(None)
