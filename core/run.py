"""A run: a trained model with its tokenizers, its configurations and what is known about its quality.

On disk a run is a folder with `run.json` (everything but the weights) and `model.safetensors`.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from core.config import DecodeConfig, TrainConfig, TransformerConfig
from core.data.tokenizers import Tokenizer, tokenizer_from_dict
from core.data.vocabulary import Vocabulary
from core.decoding.autoregressive import decode_steps
from core.device import DTYPES, resolve_device
from core.errors import ConfigError, InputError, RunError
from core.model.transformer import Transformer

RUN_FILE, MODEL_FILE = "run.json", "model.safetensors"
FORMAT = 1
MAX_RUN_BYTES, MAX_MODEL_BYTES = 16 * 2**20, 4 * 2**30


@dataclass(frozen=True)
class Run:
    """A model and everything needed to use it.

    Attributes:
        name: The folder's name.
        task: Name of the task that it learned.
        model: In evaluation mode.
        src_tokenizer: Of its sources.
        tgt_tokenizer: Of its targets; the same object where the vocabulary is one.
        train_config: How it was trained.
        evaluation: Figures of held-out pairs, such as exact_match; empty when it was never evaluated.
        history: Some updates of the training: index, loss, learning_rate, grad_norm.
        max_source_tokens: Longest source that it was made for.
        fingerprint: Digest of the files it was loaded from; empty for a run that was never saved.
    """

    name: str
    task: str
    model: Transformer
    src_tokenizer: Tokenizer
    tgt_tokenizer: Tokenizer
    train_config: TrainConfig
    evaluation: Mapping[str, float] = field(default_factory=dict)
    history: tuple[Mapping[str, float], ...] = ()
    max_source_tokens: int = 24
    fingerprint: str = ""

    def encode_source(self, text: str) -> Tensor:
        """Source ids [source position] of a typed text, with eos.

        Raises:
            InputError: when the text has no token, too many, or one that the model does not know.
        """
        kind = "word" if self.src_tokenizer.kind == "word" else "letter"
        tokens = self.src_tokenizer.tokenize(text)
        if not tokens:
            raise InputError(f"Type at least one {kind}.")
        if len(tokens) > self.max_source_tokens:
            raise InputError(f"{self.max_source_tokens} {kind}s at most; this has {len(tokens)}.")
        unknown = self.src_tokenizer.unknown(text)
        if unknown:
            named = ", ".join(f"“{token}”" for token in unknown[:5])
            raise InputError(f"The model does not know {named}; use other {kind}s.")
        ids = [*self.src_tokenizer.encode(text), Vocabulary.eos_id]
        device = next(self.model.parameters()).device
        return torch.tensor(ids, device=device)

    def translate(self, text: str, config: DecodeConfig | None = None) -> str:
        """The model's answer to a typed text.

        Raises:
            InputError: as encode_source.
        """
        *_, last = decode_steps(self.model, self.encode_source(text)[None], config)
        return self.tgt_tokenizer.decode(last.hypotheses[0].tolist())


def save_run(run: Run, folder: Path | str, *, dtype: torch.dtype = torch.float32) -> None:
    """Write a run's two files; each appears whole or not at all.

    Args:
        run: What to write.
        folder: Made where it does not exist.
        dtype: Of the weights on disk; float16 halves the file, and they are computed with in full again.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {
        name: tensor.to("cpu", dtype).contiguous() for name, tensor in unique_weights(run.model).items()
    }
    tokenizers = {"source_tokenizer": run.src_tokenizer.to_dict()}
    if run.tgt_tokenizer is not run.src_tokenizer:
        tokenizers["target_tokenizer"] = run.tgt_tokenizer.to_dict()
    description = {
        "format": FORMAT,
        "task": run.task,
        "max_source_tokens": run.max_source_tokens,
        "model": asdict(run.model.config),
        "training": asdict(run.train_config),
        "evaluation": dict(run.evaluation),
        "history": [dict(step) for step in run.history],
        **tokenizers,
    }
    _write_whole(folder / MODEL_FILE, save_tensors(weights))
    _write_whole(folder / RUN_FILE, (json.dumps(description, ensure_ascii=False, indent=1) + "\n").encode())


def load_run(folder: Path | str, device: str = "cpu") -> Run:
    """Read a run from its folder; nothing in the files is trusted, and no code in them is ever run.

    Raises:
        RunError: when a file is missing, damaged, or does not fit the other.
        ConfigError: when this machine has no such device.
    """
    folder = Path(folder)
    target = resolve_device(device)
    described = _read(folder / RUN_FILE, MAX_RUN_BYTES)
    stored = _read(folder / MODEL_FILE, MAX_MODEL_BYTES)
    try:
        description = json.loads(described)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{folder.name}/{RUN_FILE} is not JSON; make the run again") from error
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise RunError(f"{folder.name}/{RUN_FILE} is not a run of format {FORMAT}; make the run again")
    try:
        return _build_run(folder.name, description, stored, target, _digest(described, stored))
    except (ConfigError, KeyError, TypeError, ValueError, SafetensorError) as error:
        if isinstance(error, RunError):
            raise
        raise RunError(f"the run {folder.name} cannot be loaded: {error}") from error


def unique_weights(model: Transformer) -> dict[str, Tensor]:
    """Every learned tensor once, by the first of its names."""
    return {name: parameter.detach() for name, parameter in model.named_parameters()}


def _build_run(
    name: str, description: dict[str, Any], stored: bytes, device: torch.device, fingerprint: str
) -> Run:
    config = TransformerConfig.from_dict(description["model"])
    weights = load_tensors(stored)
    _check_weights(weights, config)
    model = Transformer(config, device)
    # Not strict: of tied matrices only the first name is stored. _check_weights has compared the rest.
    model.load_state_dict(
        {key: tensor.to(DTYPES[config.dtype]) for key, tensor in weights.items()}, strict=False
    )
    src_tokenizer = tokenizer_from_dict(description["source_tokenizer"])
    tgt_tokenizer = (
        tokenizer_from_dict(description["target_tokenizer"])
        if "target_tokenizer" in description
        else src_tokenizer
    )
    _check_vocabularies(config, src_tokenizer, tgt_tokenizer)
    return Run(
        name=name,
        task=str(description["task"]),
        model=model.eval().requires_grad_(False),
        src_tokenizer=src_tokenizer,
        tgt_tokenizer=tgt_tokenizer,
        train_config=TrainConfig.from_dict(description["training"]),
        evaluation=_numbers(description["evaluation"]),
        history=tuple(_numbers(step) for step in description["history"]),
        max_source_tokens=_positive(description["max_source_tokens"]),
        fingerprint=fingerprint,
    )


def _check_weights(weights: Mapping[str, Tensor], config: TransformerConfig) -> None:
    """Names, shapes and finiteness, before a model of full size is made."""
    expected = unique_weights(Transformer(config, "meta"))
    for name in (*expected, *weights):
        if name not in weights:
            raise RunError(f"{MODEL_FILE} lacks {name}; make the run again")
        if name not in expected:
            raise RunError(f"{MODEL_FILE} has {name}, which the model in {RUN_FILE} does not have")
    for name, tensor in weights.items():
        if tensor.shape != expected[name].shape:
            raise RunError(
                f"{name} has the shape {list(tensor.shape)}, but {RUN_FILE} describes {list(expected[name].shape)}"
            )
        if not tensor.is_floating_point() or not tensor.isfinite().all():
            raise RunError(f"{name} holds values that are not finite numbers; make the run again")


def _check_vocabularies(config: TransformerConfig, src: Tokenizer, tgt: Tokenizer) -> None:
    for side, tokenizer, size in (
        ("source", src, config.src_vocab_size),
        ("target", tgt, config.tgt_vocab_size),
    ):
        if len(tokenizer.vocabulary) != size:
            raise RunError(
                f"the {side} tokenizer has {len(tokenizer.vocabulary)} tokens, but the model has {size}"
            )


def _numbers(values: Any) -> dict[str, float]:
    if not isinstance(values, dict) or not all(isinstance(value, int | float) for value in values.values()):
        raise RunError(f"{RUN_FILE} has figures that are not numbers; make the run again")
    return {str(name): value for name, value in values.items()}


def _positive(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise RunError(f"max_source_tokens must be a whole number of at least 1, not {value!r}")
    return value


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:16]


def _read(path: Path, limit: int) -> bytes:
    try:
        if path.stat().st_size > limit:
            raise RunError(f"{path.parent.name}/{path.name} is larger than {limit // 2**20} MiB")
        return path.read_bytes()
    except OSError as error:
        raise RunError(f"{path.parent.name}/{path.name} cannot be read: {error.strerror}") from error


def _write_whole(path: Path, data: bytes) -> None:
    """Write beside, then rename: a reader sees the old file or the new one."""
    beside = path.with_name(path.name + ".part")
    with open(beside, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
