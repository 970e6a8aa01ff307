"""What a model makes of the fixed sources that are looked at again and again while it is trained."""

from collections.abc import Sequence

from core.config import DecodeConfig
from core.data.batching import collate
from core.data.dataset import Dataset
from core.data.tasks import Pair
from core.decoding.autoregressive import decode_steps, last_step
from core.model.transformer import Transformer

MAX_PROBE_TOKENS = 50


def translate_greedily(model: Transformer, dataset: Dataset, texts: Sequence[str]) -> list[str]:
    """What a model makes of some sources, of MAX_PROBE_TOKENS at most.

    Args:
        model: In evaluation mode.
        dataset: That knows the tokens of both sides.
        texts: Sources, at least one.
    """
    sources = dataset.encode([Pair(text, "", ()) for text in texts])
    src = collate(sources).src.to(next(model.parameters()).device)  # [source, position]
    steps = decode_steps(model, src, DecodeConfig(max_length=MAX_PROBE_TOKENS))
    return [dataset.tgt_tokenizer.decode(row) for row in last_step(steps).hypotheses.tolist()]
