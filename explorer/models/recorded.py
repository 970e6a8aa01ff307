"""A sentence and its output with everything that the model computed for them, ready to be shown.

One teacher-forced forward pass over the finished output records every site; step t of the decoding is its row t.
All pages of the model, the inspector and the explanations read the same recording.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch

from core.activations.location import locate
from core.activations.record import recording_bytes
from core.activations.sites import TOKEN_AXES, Site
from core.activations.trace import Trace, trace
from core.config import DTypeName
from core.errors import InputError
from core.model.parameters import find_parameter
from core.model.transformer import Transformer
from core.run import Run
from explorer.models.arrays import array_of
from explorer.models.telling_step import telling_step
from explorer.models.translation import SITES, Translation, gold_alignment, traced_translation
from explorer.tensors import Axis, Letter, Scale, Side, TensorData, decoder_rows

MAX_RECORDED_BYTES = 256 * 2**20
"""The paper's base model with 64 tokens takes about half of it."""
MAX_BESIDE_BYTES = 4 * 2**20
"""Largest recording that is made whenever a sentence is translated; a shipped model's takes a tenth."""

_SCALES: dict[str, Scale] = {"weights": "weight", "mask": "mask"}
_LETTERS: dict[str, Letter] = {"q": "q", "k": "k", "v": "v"}


@dataclass(frozen=True, eq=False)
class Recorded:
    """One run of the model over a source and an output.

    Attributes:
        key: Names model, sentence and forced tokens.
        run: The model.
        sentence: As typed.
        trace: Every site.
        source: Source tokens, with EOS.
        inputs: What the decoder reads: BOS, then the output without its last token.
        outputs: What it writes: row t reads the input t and writes the output t, at step t.
        n_bytes: Of all recorded values together.
    """

    key: str
    run: Run
    sentence: str
    trace: Trace
    source: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    n_bytes: int

    @property
    def last_step(self) -> int:
        """The step at which the output ends."""
        return len(self.outputs) - 1

    @cached_property
    def telling_step(self) -> int:
        """The step on which the decoding rests until one is chosen."""
        config = self.run.config
        weights = self.values(SITES["cross"].format(layer=config.n_decoder_layers - 1))
        written = self.trace.tgt_out.tolist()
        gold, _ = gold_alignment(self.run, self.sentence, written)
        return telling_step(weights, ended=written[-1] == config.eos_id, gold=gold)

    def values(self, site: str) -> np.ndarray:
        """A recorded site [its axes but the batch], float32 and read-only.

        Raises:
            UnknownSite: when the model has no such site.
        """
        return array_of(self.trace.activations[site][0])

    def tensor(self, site: str) -> TensorData:
        """A site with its axes and labels; ``{layer}`` in its name stands for all layers of that stack."""
        if "{layer}" not in site:
            entry = self.trace.activations.site(site)
            return self._tensor(site, entry, self.values(site), self._hidden(site), self.axes(entry))
        sites = [site.format(layer=i) for i in range(self.n_layers(site))]
        entry = self.trace.activations.site(sites[0])
        masks = [mask for mask in map(self._hidden, sites) if mask is not None]
        values, hidden = np.stack([self.values(each) for each in sites]), np.stack(masks) if masks else None
        return self._tensor(site, entry, values, hidden, (Axis("layer", len(sites)), *self.axes(entry)))

    def stack(self, sites: Sequence[str]) -> TensorData:
        """The same value of every layer under names that differ from layer to layer, as what each layer reads."""
        entry = self.trace.activations.site(sites[-1])
        stack = Axis("layer", len(sites))
        values = np.stack([self.values(site) for site in sites])
        tensor = self._tensor(sites[-1], entry, values, None, (stack, *self.axes(entry)))
        return replace(tensor, sites=tuple(sites))

    def parameter(self, name: str, *axes: Axis) -> TensorData:
        """A learned matrix or vector, reshaped to these axes; ``{layer}`` in its name as for `tensor`.

        Where an axis of the parameter is shown as several (a row of W_Q as head and place in the head), give
        the tensor's ``index`` with `dataclasses.replace`.

        Raises:
            InputError: when the model has no such parameter.
        """
        sizes = [axis.shown for axis in axes]
        if "{layer}" not in name:
            return TensorData(name, self._parameter(name).reshape(sizes), axes, lead=(), dtype=self.dtype)
        n_layers = self.n_layers(name)
        values = np.stack([self._parameter(name.format(layer=i)).reshape(sizes) for i in range(n_layers)])
        return TensorData(name, values, (Axis("layer", n_layers), *axes), lead=(), dtype=self.dtype)

    @property
    def dtype(self) -> str:
        """Label of the dtype that the model computes in."""
        return self.run.config.dtype

    def n_layers(self, name: str) -> int:
        """Layers of the stack that a site or a parameter belongs to."""
        config = self.run.config
        return config.n_encoder_layers if locate(name).stack == "encoder" else config.n_decoder_layers

    def axes(self, site: Site) -> tuple[Axis, ...]:
        """The axes of a site but for the batch, with tokens as labels where they stand for tokens."""
        named = {axis: self._tokens(axis, site) for axis in TOKEN_AXES}
        tokens = self.run.tgt_tokenizer.vocabulary.tokens
        vocabulary = Axis("vocab", len(tokens), tuple(tokens), "target")
        shape = self.trace.activations[site.name].shape
        return tuple(
            vocabulary if name == "vocab" else named.get(name, Axis(name, size))
            for name, size in zip(site.axes[1:], shape[1:], strict=True)
        )

    def rows(self, side: Side, axis: str = "position") -> Axis:
        """The rows of one side's stack, called by their tokens."""
        if side == "source":
            return Axis(axis, len(self.source), self.source, side)
        return decoder_rows(axis, self.inputs, self.outputs)

    def _tokens(self, axis: str, site: Site) -> Axis:
        """An axis of tokens by what is read there; a row of the decoder writes one, an embedding or a key does not."""
        side = site.side(axis)
        rows = self.rows(side, axis)
        return replace(rows, writes=()) if axis == "key" or site.location.kind == "embedding" else rows

    def _tensor(
        self, name: str, entry: Site, values: np.ndarray, hidden: np.ndarray | None, axes: tuple[Axis, ...]
    ) -> TensorData:
        return TensorData(
            name,
            values,
            axes,
            scale=_SCALES.get(entry.value, "signed"),
            letter=_LETTERS.get(entry.value, ""),
            dtype=self.dtype,
            hidden=hidden,
        )

    def _hidden(self, site: str) -> np.ndarray | None:
        """Where the queries of a site may not look, for what stands after the mask."""
        where = locate(site)
        if where.value not in ("masked_scores", "weights"):
            return None
        mask = self.trace.activations[where.beside("mask")][0]
        shape = self.trace.activations[site].shape[1:]
        return (~mask.bool()).expand(shape).numpy()

    def _parameter(self, name: str) -> np.ndarray:
        parameter = find_parameter(self.run.model, name)
        if parameter is None:
            raise InputError(f"this model has no parameter {name!r}")
        return array_of(parameter)


def record_translation(run: Run, sentence: str, translation: Translation) -> Recorded:
    """Run the model once more over a finished translation and record every site.

    Raises:
        InputError: when the recording would take too much memory.
    """
    src = run.encode_source(sentence)
    hypothesis = torch.tensor(translation.output_ids, device=src.device)
    n_bytes = recording_bytes(run.model, batch=1, src_length=len(src), tgt_length=len(hypothesis))
    if n_bytes > MAX_RECORDED_BYTES:
        raise InputError(
            f"All values of this sentence would take {n_bytes / 2**20:,.0f} MiB, more than the "
            f"{MAX_RECORDED_BYTES / 2**20:,.0f} MiB that one may; take a shorter one."
        )
    with run.changing(len(src)):
        recorded = trace(run.model, src, hypothesis)
    return _recorded(run, sentence, translation, recorded, n_bytes)


def translate_and_record(
    run: Run, sentence: str, prefix: Sequence[int] = (), known: Recorded | None = None
) -> tuple[Translation, Recorded | None]:
    """Decode a sentence after a forced prefix, and record every site in the one pass that traces the output.

    A recording of more than `MAX_BESIDE_BYTES` is left for `record_translation`: None.

    Args:
        run: The run.
        sentence: The sentence.
        prefix: Ids of the tokens with which the output has to begin.
        known: Recording of the sentence with another prefix, whose encoder is that of this one.

    Raises:
        InputError: when the model cannot read the sentence, or the prefix cannot be forced.
    """
    n_bytes = 0

    def records_all(n_source: int, n_target: int) -> bool:
        nonlocal n_bytes
        n_bytes = recording_bytes(run.model, batch=1, src_length=n_source, tgt_length=n_target)
        return n_bytes <= MAX_BESIDE_BYTES

    # What a change does on the way counts in every pass.
    encoded = None if known is None or run.changes.interventions else known.trace
    translation, found = traced_translation(run, sentence, prefix, records_all, encoded)
    if n_bytes > MAX_BESIDE_BYTES:
        return translation, None
    return translation, _recorded(run, sentence, translation, found, n_bytes)


def _recorded(run: Run, sentence: str, translation: Translation, found: Trace, n_bytes: int) -> Recorded:
    return Recorded(
        key=translation.key,
        run=run,
        sentence=sentence,
        trace=found,
        source=translation.source_tokens,
        inputs=run.tgt_tokenizer.vocabulary.tokens_of(found.tgt_in.tolist()),
        outputs=translation.output_tokens,
        n_bytes=n_bytes,
    )


def as_trained(recorded: Recorded) -> Recorded:
    """The same source and output, as the model computes them without the changes of its run.

    Both read the same tokens, so that values differ by what the changes do, not by what was written before.
    """
    run, before = recorded.run, recorded.trace
    device = next(run.model.parameters()).device
    return replace(
        recorded,
        key=f"{recorded.key}/as trained",
        trace=trace(run.model, before.src.to(device), before.tgt_out.to(device)),
    )


def in_dtype(recorded: Recorded, dtype: DTypeName) -> Recorded:
    """Record the same source and output again, with the weights rounded to another dtype and computed in it.

    Raises:
        InputError: when the run has changes, whose values are of the run's own dtype.
    """
    run, before = recorded.run, recorded.trace
    if run.changes.interventions:
        raise InputError("a changed model is recorded in its own dtype; undo the changes first")
    config = replace(run.config, dtype=dtype)
    device = run.model.device
    # Made without numbers, so that no random one is drawn.
    model = Transformer(config, device="meta").to_empty(device=device).eval().requires_grad_(False)
    model.load_state_dict(run.model.state_dict())
    return replace(
        recorded,
        key=f"{recorded.key}/{dtype}",
        run=replace(run, config=config, model=model, fingerprint=f"{run.fingerprint}/{dtype}"),
        trace=trace(model, before.src.to(device), before.tgt_out.to(device)),
        # No other object holds this model.
        n_bytes=recorded.n_bytes + sum(parameter.nbytes for parameter in model.parameters()),
    )
