"""A recording in another dtype: the same tokens, weights rounded, and the difference in numbers."""

import pytest
import torch

from core.activations.trace import trace
from core.errors import InputError
from core.interventions.intervention import ZeroAblation
from core.run import load_run
from explorer.models.decodings import recorded_of
from explorer.models.known import loaded_run
from explorer.models.recorded import in_dtype
from explorer.views.inspector.tables import dtype_words

SENTENCE = "the small cat does not sleep"


def test_recording_in_bfloat16_is_of_a_rounded_model():
    recorded = recorded_of(loaded_run("en-fr"), SENTENCE)
    rounded = in_dtype(recorded, "bfloat16")
    model = load_run("checkpoints/en-fr").model.to(torch.bfloat16)
    expected = trace(model, recorded.trace.src, recorded.trace.tgt_out)
    assert rounded.dtype == "bfloat16"
    assert rounded.trace.logits.dtype == torch.bfloat16
    torch.testing.assert_close(rounded.trace.logits, expected.logits, rtol=0, atol=0.1)
    weights = "decoder.layers.1.cross_attn.in_proj.weight"
    assert torch.equal(rounded.run.model.get_parameter(weights), model.get_parameter(weights))
    assert recorded.trace.logits.dtype == torch.float32


def test_difference_between_dtypes_is_told_in_numbers():
    recorded = recorded_of(loaded_run("en-fr"), SENTENCE)
    rounded = in_dtype(recorded, "bfloat16")
    largest = (recorded.trace.logits - rounded.trace.logits.float()).abs().max()
    assert 0.001 < largest < 0.5
    assert dtype_words(recorded, rounded) == (
        f"A is recorded in float32, B in bfloat16. The logits differ by at most {float(largest):.2g}; the most "
        "probable token is the same at 7 of 7 steps."
    )


def test_changed_run_is_not_recorded_in_another_dtype():
    run = loaded_run("en-fr").intervene(ZeroAblation("decoder.layers.1.cross_attn.context", head=1))
    with pytest.raises(InputError, match="undo the changes first"):
        in_dtype(recorded_of(run, SENTENCE), "bfloat16")
