"""The telling step: the one on which a decoding rests as long as nobody has chosen another."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

MOSTLY = 0.5
"""More than half of all that a step reads."""
DECIMALS = 2
"""To which two weights are compared; what is equal to them looks equal on the screen."""


def telling_step(weights: np.ndarray, *, ended: bool, gold: Sequence[Sequence[int]] | None = None) -> int:
    """The step that reads most sharply a word of the source that carries content.

    Which words those are is said by the attention, not by a list of words: exactly one step reads mostly that word,
    whereas an article is read in part, and a “not” that becomes “ne … pas” twice. A word that becomes several by the
    gold alignment is none of them, however it is read. A word that does not stand at the
    place of its own step comes first, as counting alone would not have found it. Of steps that read equally sharply
    the last is taken, which has the most written before it. An attention that rests on no word, as that of a model
    that has not learned, gives the step that reads any word most.

    Args:
        weights: Cross-attention of the last layer, [head, step, source token], EOS being the last of
            the source.
        ended: Whether the last step writes EOS: such a step is never taken, unless it is the only one.
        gold: Source positions that explain each step's token; None where they are not known.

    Returns:
        The step, from 0.
    """
    # Weights of a model that has diverged are no numbers.
    mean = np.nan_to_num(weights.astype(np.float64)).mean(axis=0)
    words = mean[: max(1, len(mean) - ended), : max(1, mean.shape[1] - 1)]
    read, sharpness = words.argmax(axis=1), words.max(axis=1).round(DECIMALS)
    mostly = words > MOSTLY
    content = (mostly & (mostly.sum(axis=0) == 1)).any(axis=1)
    n_tokens = Counter(position for positions in gold or () for position in positions)
    content &= np.array([n_tokens[int(word)] <= 1 for word in read])
    elsewhere = content & (read != np.arange(len(words)))
    steps = next((np.flatnonzero(each) for each in (elsewhere, content) if each.any()), np.arange(len(words)))
    return int(steps[sharpness[steps] == sharpness[steps].max()][-1])
