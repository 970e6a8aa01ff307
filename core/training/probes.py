"""What a model makes of the fixed sources that are looked at again and again while it is trained."""

from collections.abc import Sequence

from core.config import DecodeConfig
from core.data.dataset import Dataset
from core.data.vocabulary import Vocabulary
from core.decoding.together import decode_together
from core.model.transformer import Transformer


def translate_greedily(
    model: Transformer, dataset: Dataset, texts: Sequence[str], max_length: int
) -> list[str]:
    """Translate some sources greedily.

    Args:
        model: Model in evaluation mode.
        dataset: That knows the tokens of both sides.
        texts: Sources, at least one.
        max_length: Most tokens of an output, as the run has it.
    """
    sources = [(*dataset.src_tokenizer.encode(text), Vocabulary.eos_id) for text in texts]
    targets = decode_together(model, sources, DecodeConfig(max_length=max_length))
    return [dataset.tgt_tokenizer.decode(best.ids) for best, *_ in targets]
