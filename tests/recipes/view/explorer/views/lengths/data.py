"""The length of each source token's vector, as a table has it."""

import numpy as np

from explorer.models.recorded import Recorded


def columns(recorded: Recorded) -> dict[str, list[str]]:
    """The source's tokens, and the lengths of the memory's vectors [source position, d_model]."""
    lengths = np.linalg.norm(recorded.values("encoder.output"), axis=-1)
    return {"token": list(recorded.source), "length": [f"{length:.3f}" for length in lengths]}
