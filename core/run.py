"""A run: a trained model with its tokenizers, its configurations and what is known about its quality.

On disk a run is a folder with `run.json` (everything but the weights) and `model.safetensors`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from core.config import BeamConfig, DecodeConfig, TransformerConfig
from core.decoding.decode import decode
from core.decoding.step import last_step
from core.device import DTYPES, resolve_device
from core.errors import RunError, excerpt
from core.files import prepare_folder, read_bounded, write_whole
from core.model.random_numbers import DrawnFrom
from core.model.shapes import expected_parameters, parameter_shapes
from core.model.transformer import Transformer
from core.run_description import MAX_RUN_BYTES, MODEL_FILE, RUN_FILE, RunDescription, parse_description

MAX_MODEL_BYTES = 4 * 2**30
MAX_HEADER_BYTES = 2**20
STORED_DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


@dataclass(frozen=True, kw_only=True)
class Run(RunDescription):
    """A model and everything needed to use it.

    Attributes:
        model: In evaluation mode.
        fingerprint: Digest of the files it was loaded from; empty for a run that was never saved.
    """

    model: Transformer
    fingerprint: str = ""

    def encode_source(self, text: str) -> Tensor:
        """Source ids [source position] of a typed text, with eos, on the model's device.

        Raises:
            InputError: as source_ids.
        """
        return torch.tensor(self.source_ids(text), device=next(self.model.parameters()).device)

    def translate(
        self, text: str, config: DecodeConfig | BeamConfig | None = None, *, prefix: Sequence[int] = ()
    ) -> str:
        """The model's answer to a typed text.

        Args:
            text: As somebody types it.
            config: How it is produced, by default greedily; a BeamConfig searches.
            prefix: Target ids with which the answer begins, whatever the model says.

        Raises:
            InputError: as source_ids; or when the prefix is too long or has other tokens than words.
        """
        steps = decode(self.model, self.encode_source(text)[None], config, prefix=prefix)
        return self.tgt_tokenizer.decode(last_step(steps).hypotheses[0].tolist())


def save_run(run: Run, folder: Path | str, *, dtype: torch.dtype | None = None) -> None:
    """Write a run's two files; each appears whole or not at all.

    Args:
        run: What to write.
        folder: Made where it does not exist.
        dtype: Of the weights on disk, by default the model's own; float16 halves the file, and they are
            computed with in full again.

    Raises:
        RunError: when the folder cannot be written, or a weight is too large for the dtype.
    """
    folder = Path(folder)
    stored = model_file(run.model, dtype)
    prepare_folder(folder)
    _write(run, folder, stored)


def write_run(run: Run, folder: Path) -> None:
    """`save_run` into a folder that is there; where it is gone, it is not made again.

    Raises:
        RunError: when the folder cannot be written.
    """
    _write(run, folder, model_file(run.model))


def _write(run: Run, folder: Path, stored: bytes) -> None:
    write_whole(folder / MODEL_FILE, stored)
    write_whole(folder / RUN_FILE, run.to_json())


def model_file(model: Transformer, dtype: torch.dtype | None = None) -> bytes:
    """The bytes of a model file with these weights.

    Raises:
        RunError: when a weight is too large for the dtype.
    """
    stored = {name: tensor.to("cpu", dtype).contiguous() for name, tensor in unique_weights(model).items()}
    for name, tensor in stored.items():
        if not tensor.isfinite().all():
            raise RunError(
                f"{name} has values that are not finite in {tensor.dtype}; save it with more digits"
            )
    return save_tensors(stored)


def load_run(folder: Path | str, device: str = "cpu", *, weights_file: str = MODEL_FILE) -> Run:
    """Read a run from its folder; nothing in the files is trusted, and no code in them is ever run.

    Args:
        folder: Of the run.
        device: "cpu", "cuda" or "mps".
        weights_file: Inside the folder, by default the weights that the run is used with.

    Raises:
        RunError: when a file is missing, damaged, or does not fit the other.
        ConfigError: when this machine has no such device.
    """
    folder = Path(folder)
    target = resolve_device(device)
    described = read_bounded(folder / RUN_FILE, MAX_RUN_BYTES)
    description = parse_description(folder.name, described)
    stored = read_bounded(folder / weights_file, _most_bytes(description.config))
    try:
        _check_header(stored)
        weights = load_tensors(stored)
    except (SafetensorError, KeyError, ValueError) as error:
        raise RunError(
            f"{folder.name}/{weights_file} is damaged, or of a kind that is not read: {excerpt(str(error), 200)}"
        ) from error
    known = {field.name: getattr(description, field.name) for field in fields(description)}
    model = _build_model(description.config, weights, target)
    return Run(**known, model=model, fingerprint=_digest(described, stored))


def unique_weights(model: Transformer) -> dict[str, Tensor]:
    """Every learned tensor once, by the first of its names."""
    return {name: parameter.detach() for name, parameter in model.named_parameters()}


def _most_bytes(config: TransformerConfig) -> int:
    """Bytes that a file with this model's weights can have: eight a weight, and a header."""
    return min(MAX_MODEL_BYTES, 8 * expected_parameters(config) + MAX_HEADER_BYTES)


def _check_header(stored: bytes) -> None:
    """Look at how long the list of weights says it is, before anything of any length is read from it.

    Raises:
        ValueError: when it is longer than that of any model.
    """
    if int.from_bytes(stored[:8], "little") > MAX_HEADER_BYTES:
        raise ValueError(f"its list of weights is longer than {MAX_HEADER_BYTES:,} bytes")


def _build_model(
    config: TransformerConfig, weights: Mapping[str, Tensor], device: torch.device
) -> Transformer:
    # Compared with the description first: of two strange files nothing is made that does not fit.
    _check_weights(weights, config)
    converted = {name: tensor.to(DTYPES[config.dtype]) for name, tensor in weights.items()}
    for name, tensor in converted.items():
        if not tensor.isfinite().all():
            raise RunError(f"{name} holds values that are not finite numbers; make the run again")
    # Its first weights are drawn and thrown away; whoever draws numbers elsewhere must not notice.
    with DrawnFrom(torch.Generator(device)):
        model = Transformer(config, device)
    # Not strict: of tied matrices only the first name is stored. _check_weights has compared the rest.
    model.load_state_dict(converted, strict=False)
    return model.eval().requires_grad_(False)


def _check_weights(weights: Mapping[str, Tensor], config: TransformerConfig) -> None:
    """Count, names, shapes and types, as the configuration alone tells them."""
    stored, described = sum(tensor.numel() for tensor in weights.values()), expected_parameters(config)
    if stored != described:
        raise RunError(f"{MODEL_FILE} holds {stored:,} weights, but {RUN_FILE} describes {described:,}")
    expected = parameter_shapes(config)
    for name in expected:
        if name not in weights:
            raise RunError(f"{MODEL_FILE} lacks {name}; make the run again")
    for name, tensor in weights.items():
        if name not in expected:
            raise RunError(f"{MODEL_FILE} has {excerpt(name)}, which the model in {RUN_FILE} does not have")
        if tensor.shape != expected[name]:
            shape, described_shape = excerpt(str(list(tensor.shape))), list(expected[name])
            raise RunError(f"{name} has the shape {shape}, but {RUN_FILE} describes {described_shape}")
        if tensor.dtype not in STORED_DTYPES:
            raise RunError(f"{name} is stored as {tensor.dtype}; floating point of 16, 32 or 64 bits is read")


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:16]
