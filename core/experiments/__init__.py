"""Experiments that teach: one part of the model or its training is removed or exchanged, beside a control."""

from core.experiments.copy_without_positions import COPY_WITHOUT_POSITIONS
from core.experiments.experiment import Experiment
from core.experiments.longer_words import LONGER_WORDS
from core.experiments.norm_and_warmup import NORM_AND_WARMUP
from core.experiments.sort_without_positions import SORT_WITHOUT_POSITIONS
from core.experiments.unseen_combinations import UNSEEN_COMBINATIONS
from core.experiments.without_causal_mask import WITHOUT_CAUSAL_MASK
from core.experiments.without_score_scale import WITHOUT_SCORE_SCALE

EXPERIMENTS: dict[str, Experiment] = {
    experiment.key: experiment
    for experiment in (
        COPY_WITHOUT_POSITIONS,
        SORT_WITHOUT_POSITIONS,
        LONGER_WORDS,
        WITHOUT_CAUSAL_MASK,
        WITHOUT_SCORE_SCALE,
        NORM_AND_WARMUP,
        UNSEEN_COMBINATIONS,
    )
}
"""All experiments by their keys, in the order in which they are best met."""
