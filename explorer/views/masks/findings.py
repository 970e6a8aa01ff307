"""What the masks do to one sentence of a padded batch, said in words with the numbers of the run."""

from __future__ import annotations

from core.analysis.masking import weight_on_future, weight_on_padding
from explorer.look.theme import format_signed
from explorer.look.token_text import twin_place, visible
from explorer.models.padded_batch import MaskedBatch, Row
from explorer.views.masks.data import CROSS, SELF


def findings(masked: MaskedBatch, sentence: int, layer: int, head: int) -> tuple[str, str]:
    """Two sentences: what the switched-off mask lets through, and what that changes in the answer.

    Args:
        masked: The batch.
        sentence: Which of its rows.
        layer: Of the decoder; the weights are those of this layer and head.
        head: Which head of it.
    """
    if masked.effect.off is None:
        return _padded(masked.rows[sentence]), _as_alone(masked, sentence)
    tell = _onto_padding if masked.effect.off == "padding" else _onto_the_future
    return tell(masked, sentence, layer, head), _changes(masked, sentence)


def _padded(row: Row) -> str:
    pads = (len(row.source) - row.n_source, len(row.inputs) - row.n_target)
    if not any(pads):
        return f"“{row.name}” is the longest row on both sides, so it has no padding."
    return f"“{row.name}” has {_count(pads[0], 'source')} and {_count(pads[1], 'target')} of padding."


def _as_alone(masked: MaskedBatch, sentence: int) -> str:
    alone = masked.rows[sentence].alone.trace.activations["generator.log_probs"][0]
    here = masked.effect.before["generator.log_probs"][sentence, : len(alone)]
    difference = float((here - alone).abs().max())
    agrees = "in every bit" if difference == 0 else f"to {format_signed(difference)}"
    return f"With all masks on, it gets the answer that it gets alone: log P of every next token agrees {agrees}."


def _onto_padding(masked: MaskedBatch, sentence: int, layer: int, head: int) -> str:
    row, after, pad = masked.rows[sentence], masked.effect.after, masked.run.config.pad_id
    given = {
        name: weight_on_padding(after[f"{path.format(layer=layer)}.weights"], ids == pad)[
            sentence, head, : row.n_target
        ]
        for name, path, ids in (
            ("cross-attention", CROSS, masked.batch.src),
            ("self-attention", SELF, masked.batch.tgt_in),
        )
    }
    name = max(given, key=lambda each: float(given[each].max()))
    place = int(given[name].argmax())
    weight = float(given[name][place])
    if weight == 0:
        hidden = len(row.inputs) > row.n_target
        later = " That of its target stays behind the causal mask." if hidden else ""
        return f"“{row.name}” has the longest source of the batch, so there is no <pad> to look at.{later}"
    return (
        f"Now <pad> gets weight: in {name}, layer {layer}, head {head}, {_reader(row, place)} gives it "
        f"{_weight(weight)} of 1. With the mask on it is exactly 0."
    )


def _onto_the_future(masked: MaskedBatch, sentence: int, layer: int, head: int) -> str:
    row = masked.rows[sentence]
    if row.n_target < 2:
        return f"“{row.name}” has one target position only, so it has no future to read."
    weights = masked.effect.after[f"{SELF.format(layer=layer)}.weights"]
    # Position t + 1 reads what position t is to write.
    answers = weights[sentence, head].diagonal(1)[: row.n_target - 1]
    place = int(answers.argmax())
    future = float(weight_on_future(weights)[sentence, head, place])
    return (
        f"Now a position reads the future: in layer {layer}, head {head}, the one that reads "
        f"“{visible(row.inputs[place])}”{twin_place(row.inputs, place)} gives {_weight(future)} of its weight to later "
        f"positions, {_weight(float(answers[place]))} of it to “{visible(row.inputs[place + 1])}”"
        f"{twin_place(row.inputs, place + 1)}, the answer that it is to write."
    )


def _changes(masked: MaskedBatch, sentence: int) -> str:
    row, effect = masked.rows[sentence], masked.effect
    largest = effect.largest_change[sentence, : row.n_target]
    if not largest.any():
        return "Nothing changes: the log P of every next token stays as it was."
    place = int(largest.argmax())
    size = format_signed(float(largest[place]))
    moved = f"The log P of a next token moves by up to {size}, at {_reader(row, place)}"
    changed = effect.changed[sentence, : row.n_target].nonzero().flatten().tolist()
    if not changed:
        return f"{moved}; the most probable token stays the same at all {row.n_target} positions."
    name = masked.run.tgt_tokenizer.vocabulary.token
    was, now = (
        name(int(each["generator.log_probs"][sentence, changed[0]].argmax()))
        for each in (effect.before, effect.after)
    )
    return (
        f"{moved}; at {len(changed)} of {row.n_target} positions another token becomes the most probable, "
        f"as “{visible(now)}” in place of “{visible(was)}” at position {changed[0]}."
    )


def _reader(row: Row, place: int) -> str:
    return f"the position that reads “{visible(row.inputs[place])}”{twin_place(row.inputs, place)}"


def _weight(weight: float) -> str:
    return "<0.0001" if 0 < weight < 0.0001 else f"{weight:.4f}"


def _count(count: int, side: str) -> str:
    return f"{count or 'no'} {side} {'position' if count == 1 else 'positions'}"
