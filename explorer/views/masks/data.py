"""The masks over a padded batch, and what they do to the scores, as the tensor view shows them.

Its numbers are those of a batch, and perhaps of a run with a mask switched off: `core.explain` explains a sentence
by itself, so nothing here can be asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from torch import Tensor

from core.activations.activations import Activations
from core.activations.location import locate
from core.model.masks import causal_mask, padding_mask
from explorer.models.arrays import array_of
from explorer.models.padded_batch import OWN, MaskedBatch, Row, masked_batch
from explorer.models.recorded import Recorded
from explorer.models.window import windowed
from explorer.tensors import (
    Axis,
    Chooser,
    Panel,
    Scale,
    Stage,
    TensorData,
    TensorViewData,
    decoder_rows,
    numbered_chooser,
)
from explorer.visitor.extent import MAX_NUMBERS
from explorer.visitor.state import ExplorerState
from explorer.visitor.step import shown_step

SELF, CROSS = "decoder.layers.{layer}.self_attn", "decoder.layers.{layer}.cross_attn"
DEFAULT_STAGE = "combined"
STAGES = frozenset(
    ("batch", "padding", "weights", "memory", "causal", "combined", "without", "memory-without", "change")
)
"""Keys of all stages; a batch has those of its masks."""
_PAIRS_SENT = 9
"""Kinds of numbers that every head has for each query and key, those that say what is hidden among them."""
_SCALES: dict[str, Scale] = {"mask": "mask", "weights": "weight"}


def first_view(recorded: Recorded, state: ExplorerState) -> TensorViewData:
    """The stages of the sentence alone, all masks on."""
    return masks_view(masked_batch(recorded.run, [(OWN, recorded)], None), state)


def masks_view(masked: MaskedBatch, state: ExplorerState, sentence: int = 0) -> TensorViewData:
    """What the tensor view is fed.

    Args:
        masked: The batch.
        state: The visitor's choices.
        sentence: Which row of the batch is looked at.
    """
    shown = _shown(masked, state, min(sentence, len(masked.rows) - 1))
    stages, config, last = tuple(shown.stages()), masked.run.config, shown.row.n_target - 1
    names = tuple(f"{i} {row.name}" for i, row in enumerate(masked.rows))
    return TensorViewData(
        key=masked.key,
        tensors=dict(shown.tensors()),
        stages=stages,
        choosers=(
            Chooser("sentence", "Sentence", names, shown.sentence, local=False),
            numbered_chooser("layer", config.n_decoder_layers, shown.layer, local=shown.all_layers),
            numbered_chooser("head", config.n_heads, shown.head, local=shown.all_heads),
        ),
        stage=state.look.stage if state.look.stage in {stage.key for stage in stages} else DEFAULT_STAGE,
        row=shown_step(state, masked.rows[0].alone, last),
    )


def _shown(masked: MaskedBatch, state: ExplorerState, sentence: int) -> _Shown:
    """As many layers and heads as a message has room for."""
    config, n_targets = masked.run.config, masked.batch.tgt_in.shape[1]
    longest, n_layers = max(n_targets, masked.batch.src.shape[1]), config.n_decoder_layers
    numbers = _PAIRS_SENT * n_targets * longest * config.n_heads
    return _Shown(
        masked,
        sentence,
        layer=n_layers - 1 if state.look.layer is None else min(state.look.layer, n_layers - 1),
        head=min(state.look.head or 0, config.n_heads - 1),
        all_layers=n_layers * numbers <= MAX_NUMBERS,
        all_heads=numbers <= MAX_NUMBERS,
    )


@dataclass(frozen=True)
class _Shown:
    """The part of a batch that one message holds."""

    masked: MaskedBatch
    sentence: int
    layer: int
    head: int
    all_layers: bool
    all_heads: bool

    @property
    def row(self) -> Row:
        """The sentence that is looked at."""
        return self.masked.rows[self.sentence]

    def tensors(self) -> Iterator[tuple[str, TensorData]]:
        """Every tensor of the view, by its name there."""
        batch, effect, pad = self.masked.batch, self.masked.effect, self.masked.run.config.pad_id
        names = tuple(row.name for row in self.masked.rows)
        sentences = Axis("sentence", len(names), names)
        row = self.row
        source = Axis("key", len(row.source), row.source, "source")
        target = Axis("key", len(row.inputs), row.inputs, "target")
        queries = decoder_rows("query", row.inputs, row.outputs)
        yield "src", _given("src", batch.src, sentences, source, scale="size")
        yield "tgt_in", _given("tgt_in", batch.tgt_in, sentences, target, scale="size")
        for name, ids, keys in (("src", batch.src, source), ("tgt_in", batch.tgt_in, target)):
            words = padding_mask(ids, pad)[:, 0, 0]  # [batch, key]
            yield f"{name}_padding", _given(f"padding_mask({name})", words, sentences, keys, scale="mask")
            if name == "tgt_in":
                square = words[self.sentence].expand(queries.size, keys.size)
                yield "padding", _given("padding_mask(tgt_in)", square, queries, keys, scale="mask")
        if self.masked.run.config.causal:
            causal = causal_mask(queries.size)
            yield "causal", _given("causal_mask(length)", causal, queries, target, scale="mask")
        for value in ("scores", "mask", "masked_scores", "weights"):
            yield value, self._site(effect.after, f"{SELF}.{value}", queries, target)
        for value in ("mask", "weights"):
            yield f"cross_{value}", self._site(effect.after, f"{CROSS}.{value}", queries, source)
        if effect.off is not None:
            yield "weights_before", self._site(effect.before, f"{SELF}.weights", queries, target)
            yield "cross_weights_before", self._site(effect.before, f"{CROSS}.weights", queries, source)
            change = effect.largest_change[self.sentence]
            yield "change", _given("max |Δ log_probs|", change, queries, scale="size")

    def stages(self) -> Iterator[Stage]:
        """The stages in the order in which the masks come about and act."""
        off, config = self.masked.effect.off, self.masked.run.config
        yield Stage(
            "batch",
            "Padded batch",
            "one",
            (_of_batch("src", "Source ids"), _of_batch("tgt_in", "Target ids")),
            note=f"A batch is a rectangle, so shorter rows end in <pad>, id {config.pad_id}. "
            "The columns have the tokens of the chosen sentence.",
        )
        yield Stage(
            "padding",
            "Padding mask",
            "one",
            (_of_batch("src_padding", "Sources"), _of_batch("tgt_in_padding", "Targets")),
            f"mⱼ = (idⱼ ≠ {config.pad_id})",
            "Yes where a key is a token, no where it is <pad>. It is the same for every query of a row.",
        )
        yield from self._combined_stages()
        yield Stage(
            "weights",
            "Scores to weights",
            "map",
            (
                _pairs("scores", "Scores"),
                _pairs("masked_scores", "Masked scores"),
                _pairs("weights", "Weights"),
            ),
            "A = softmax(S where m, else −∞)",
            "Masked self-attention of the decoder: e to the power of −∞ is 0, so what is hidden gets no weight at all.",
            ("−∞ where the mask says no", "softmax of each row"),
        )
        yield Stage(
            "memory",
            "Memory mask",
            "map",
            (
                _pairs("cross_mask", "May look"),
                _pairs("cross_weights", "Weights"),
            ),
            "mⱼ = yes" if off == "padding" else "mⱼ = padding mask of the sources",
            "Cross-attention hides the padding of the sources and nothing else; so does the encoder."
            if off != "padding"
            else "The padding mask is switched off in this run, so cross-attention looks at everything.",
            ("softmax of the scores that stay",),
        )
        if off is not None:
            yield from self._change_stages(f"{off} mask off")

    def _combined_stages(self) -> Iterator[Stage]:
        off, causal = self.masked.effect.off, self.masked.run.config.causal
        if causal:
            yield Stage(
                "causal",
                "Causal mask",
                "one",
                (_pairs("causal", "Causal mask"),),
                "mᵢⱼ = (j ≤ i)",
                "A target position may look at itself and to the left. It is the same for every sentence.",
            )
        acting = [name for name in ("padding", "causal") if name != off and (causal or name != "causal")]
        note = "The decoder's self-attention may look where both masks say yes."
        if off:
            note = f"The {off} mask is switched off in this run" + (
                "; the other one decides alone." if acting else "."
            )
        elif not causal:
            note = "This model has no causal mask, so padding alone is hidden."
        yield Stage(
            "combined",
            "Combined",
            "map" if acting else "one",
            (*(_pairs(name, f"{name.capitalize()} mask") for name in acting), _pairs("mask", "May look")),
            "mᵢⱼ = "
            + (" and ".join({"padding": "paddingⱼ", "causal": "causalᵢⱼ"}[n] for n in acting) or "yes"),
            note,
            ("and", "both say yes") if len(acting) == 2 else ("it alone decides",) * len(acting),
        )

    def _change_stages(self, switched: str) -> Iterator[Stage]:
        yield Stage(
            "without",
            "With and without",
            "map",
            (_pairs("weights_before", "All masks on"), _pairs("weights", switched.capitalize())),
            note="The same head of the decoder's self-attention in both runs.",
            arrows=(switched,),
        )
        yield Stage(
            "memory-without",
            "Memory, with and without",
            "map",
            (_pairs("cross_weights_before", "All masks on"), _pairs("cross_weights", switched.capitalize())),
            note="The same head of cross-attention in both runs.",
            arrows=(switched,),
        )
        yield Stage(
            "change",
            "Next token",
            "one",
            (Panel("change", "Largest change of log P", (), ("query",)),),
            "max |Δ log P| over the vocabulary",
            "How far the distribution of the next token moves at each position, from all masks on to this run.",
        )

    def _site(self, activations: Activations, site: str, queries: Axis, keys: Axis) -> TensorData:
        """A site of the chosen sentence, in all layers or in one."""
        n_layers, n_heads = self.masked.run.config.n_decoder_layers, self.masked.run.config.n_heads
        layers = range(n_layers) if self.all_layers else range(self.layer, self.layer + 1)
        where = locate(site)
        value = where.value
        axes = (queries, keys) if value == "mask" else (Axis("head", n_heads), queries, keys)
        stacked = np.stack([array_of(activations[site.format(layer=i)][self.sentence]) for i in layers])
        hidden = None
        if value in ("masked_scores", "weights"):
            masks = [activations[where.beside("mask").format(layer=i)][self.sentence].numpy() for i in layers]
            hidden = np.broadcast_to(~np.stack(masks)[:, None], stacked.shape)
        tensor = TensorData(
            site,
            stacked,
            (Axis("layer", n_layers), *axes),
            lead=(self.sentence,),
            scale=_SCALES.get(value, "signed"),
            dtype="bool" if value == "mask" else self.masked.run.config.dtype,
            hidden=hidden,
            askable=False,
        )
        if not self.all_layers:
            tensor = replace(
                tensor,
                site=site.format(layer=self.layer),
                values=stacked[0],
                axes=axes,
                hidden=None if hidden is None else hidden[0],
            )
        if self.all_heads or value == "mask":
            return tensor
        sentence = f"One of {n_heads} heads at a time."
        return windowed(tensor, "head", range(self.head, self.head + 1), sentence)


def _given(name: str, values: Tensor, *axes: Axis, scale: Scale) -> TensorData:
    """Ids, or a mask, or what was measured: numbers that stand at no site."""
    label = str(values.dtype).removeprefix("torch.")
    return TensorData(name, array_of(values), axes, lead=(), scale=scale, dtype=label, askable=False)


def _of_batch(tensor: str, title: str) -> Panel:
    """A row for each sentence."""
    return Panel(tensor, title, ("sentence",), ("key",))


def _pairs(tensor: str, title: str) -> Panel:
    """A row for each query, a column for each key."""
    return Panel(tensor, title, ("query",), ("key",))
