"""The Transformer, its data, its training, its decoding and its recorded values.

The names below are imported when they are first used: importing torch takes seconds, and a page that
only lists the models, or a message about a wrong setting, should not wait for it.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.activations.activations import Activations as Activations
    from core.activations.record import edit as edit
    from core.activations.record import record as record
    from core.activations.sites import Site as Site
    from core.activations.trace import Trace as Trace
    from core.activations.trace import trace as trace
    from core.analysis.attention_statistics import alignment_error_rate as alignment_error_rate
    from core.analysis.attention_statistics import gold_mask as gold_mask
    from core.analysis.attribution import attribute_logit as attribute_logit
    from core.analysis.attribution import attribute_score as attribute_score
    from core.analysis.attribution import source_attributions as source_attributions
    from core.analysis.head_looks import head_looks as head_looks
    from core.analysis.logit_lens import deciding_points as deciding_points
    from core.analysis.logit_lens import lens_sites as lens_sites
    from core.analysis.logit_lens import logit_lens as logit_lens
    from core.config import BeamConfig as BeamConfig
    from core.config import DecodeConfig as DecodeConfig
    from core.config import TrainConfig as TrainConfig
    from core.config import TransformerConfig as TransformerConfig
    from core.data.batching import batches as batches
    from core.data.batching import collate as collate
    from core.data.batching import encode_pairs as encode_pairs
    from core.data.tasks import Pair as Pair
    from core.data.tasks import get_task as get_task
    from core.decoding.autoregressive import decode_steps as decode_steps
    from core.decoding.autoregressive import generate as generate
    from core.decoding.beam import beam_search as beam_search
    from core.decoding.beam import beam_steps as beam_steps
    from core.decoding.decode import decode as decode
    from core.decoding.sampling import sampling_pipeline as sampling_pipeline
    from core.decoding.step import last_step as last_step
    from core.evaluation.held_out import HeldOut as HeldOut
    from core.evaluation.pair_result import PairResult as PairResult
    from core.evaluation.pairs import evaluate_pairs as evaluate_pairs
    from core.explanation.explain import explain as explain
    from core.explanation.explanation import Explanation as Explanation
    from core.interventions.effect import intervention_effect as intervention_effect
    from core.interventions.intervention import AttentionRow as AttentionRow
    from core.interventions.intervention import Intervention as Intervention
    from core.interventions.intervention import MeanAblation as MeanAblation
    from core.interventions.intervention import Patch as Patch
    from core.interventions.intervention import Scaling as Scaling
    from core.interventions.intervention import Steering as Steering
    from core.interventions.intervention import Unmask as Unmask
    from core.interventions.intervention import ZeroAblation as ZeroAblation
    from core.interventions.links import read_link as read_link
    from core.interventions.links import write_link as write_link
    from core.interventions.patching import patching_map as patching_map
    from core.interventions.sweep import head_ablations as head_ablations
    from core.interventions.sweep import neuron_ablations as neuron_ablations
    from core.interventions.sweep import sweep as sweep
    from core.interventions.worth import worths as worths
    from core.model.parameters import count_parameters as count_parameters
    from core.model.transformer import Transformer as Transformer
    from core.run import Run as Run
    from core.run import load_run as load_run
    from core.run import save_run as save_run
    from core.training.new_run import begin_run as begin_run
    from core.training.plan import dataset_of as dataset_of
    from core.training.plan import plan_pairs as plan_pairs
    from core.training.plan import plan_task as plan_task
    from core.training.session import train_run as train_run
    from core.training.trainer import Trainer as Trainer


def _homes() -> dict[str, str]:
    """The module of each name, read from the imports above, which are run by nobody but type checkers."""
    homes: dict[str, str] = {}
    for node in ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("core."):
            homes |= {alias.name: node.module for alias in node.names}
    return homes


_HOMES = _homes()
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
