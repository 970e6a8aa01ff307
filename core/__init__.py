"""The Transformer, its data, its training, its decoding and its recorded values."""

from core.activations.record import edit, record
from core.activations.trace import Trace, trace
from core.config import DecodeConfig, TrainConfig, TransformerConfig
from core.decoding.autoregressive import decode_steps
from core.model.transformer import Transformer, count_parameters
from core.run import Run, load_run, save_run

__all__ = [
    "DecodeConfig",
    "Run",
    "Trace",
    "TrainConfig",
    "Transformer",
    "TransformerConfig",
    "count_parameters",
    "decode_steps",
    "edit",
    "load_run",
    "record",
    "save_run",
    "trace",
]
