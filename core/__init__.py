"""The Transformer, its data, its training, its decoding and its recorded values.

The names below are imported when they are first used: importing torch takes seconds, and a page that
only lists the models, or a message about a wrong setting, should not wait for it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.activations.record import edit as edit
    from core.activations.record import record as record
    from core.activations.trace import Trace as Trace
    from core.activations.trace import trace as trace
    from core.config import BeamConfig as BeamConfig
    from core.config import DecodeConfig as DecodeConfig
    from core.config import TrainConfig as TrainConfig
    from core.config import TransformerConfig as TransformerConfig
    from core.decoding.autoregressive import decode_steps as decode_steps
    from core.decoding.autoregressive import generate as generate
    from core.decoding.beam import beam_search as beam_search
    from core.decoding.beam import beam_steps as beam_steps
    from core.decoding.decode import decode as decode
    from core.decoding.sampling import sampling_pipeline as sampling_pipeline
    from core.decoding.step import last_step as last_step
    from core.explanation.explain import explain as explain
    from core.model.parameters import count_parameters as count_parameters
    from core.model.transformer import Transformer as Transformer
    from core.run import Run as Run
    from core.run import load_run as load_run
    from core.run import save_run as save_run

_HOMES = {
    "BeamConfig": "core.config",
    "DecodeConfig": "core.config",
    "Run": "core.run",
    "Trace": "core.activations.trace",
    "TrainConfig": "core.config",
    "Transformer": "core.model.transformer",
    "TransformerConfig": "core.config",
    "beam_search": "core.decoding.beam",
    "beam_steps": "core.decoding.beam",
    "count_parameters": "core.model.parameters",
    "decode": "core.decoding.decode",
    "decode_steps": "core.decoding.autoregressive",
    "edit": "core.activations.record",
    "explain": "core.explanation.explain",
    "last_step": "core.decoding.step",
    "generate": "core.decoding.autoregressive",
    "load_run": "core.run",
    "record": "core.activations.record",
    "sampling_pipeline": "core.decoding.sampling",
    "save_run": "core.run",
    "trace": "core.activations.trace",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
