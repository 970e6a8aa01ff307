"""What the page Feed-forward says in tables and sentences; every number in them is computed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.activations.location import Stack
from core.analysis.neurons import Neuron, ZeroCount
from explorer.look.markdown_text import plain
from explorer.look.theme import format_count, format_signed
from explorer.look.token_text import visible
from explorer.models.recorded import Recorded
from explorer.views.feed_forward.data import ACTIVATION_NAMES, TokenUnits, UnitStory

Columns = Mapping[str, Sequence[str]]


def zeros_sentence(counted: ZeroCount, activation: str) -> str:
    """How many hidden values are exactly 0."""
    of_all = (
        f"{format_count(counted.total)} of {format_count(counted.units * len(counted.zeros))} hidden values"
    )
    name = ACTIVATION_NAMES[activation]
    because = (
        "ReLU turns everything below 0 into 0."
        if activation == "relu"
        else f"{name} comes near 0 but hardly ever reaches it."
    )
    return f"{of_all} are exactly 0, a share of {counted.share:.3f}: {because}"


def token_columns(rows: Sequence[TokenUnits], n_units: int) -> Columns:
    """Zeros and strongest units of every token."""
    return {
        "row": [row.row for row in rows],
        "exactly 0": [format_count(row.zeros) for row in rows],
        "share": [f"{row.zeros / n_units:.3f}" for row in rows],
        "strongest units": [
            ", ".join(f"{unit} ({format_signed(value)})" for unit, value in row.strongest) for row in rows
        ],
    }


def neuron_columns(recorded: Recorded, found: Sequence[Neuron], stack: Stack) -> Columns:
    """The strongest units of a token; on the decoder's side with the tokens that they raise and lower."""
    columns = {
        "unit": [str(neuron.unit) for neuron in found],
        "value": [format_signed(neuron.value) for neuron in found],
        "‖row of W₂‖": [format_signed(neuron.length) for neuron in found],
        "value · ‖row‖": [format_signed(neuron.contribution) for neuron in found],
    }
    if stack == "decoder":
        columns["raises"] = [_tokens(recorded, neuron.raised) for neuron in found]
        columns["lowers"] = [_tokens(recorded, neuron.lowered) for neuron in found]
    return columns


def story_sentence(recorded: Recorded, story: UnitStory) -> str:
    """What a unit saw in the lit row, how strongly it fired and what it wrote."""
    neuron, name = story.neuron, ACTIVATION_NAMES[recorded.run.config.activation]
    fires = f"{name} makes it {format_signed(neuron.value)}" if neuron.value else f"{name} cuts it off"
    row = f"the row that reads {plain(visible(story.reads))}{story.where}"
    seen = f"In {row} it sees {format_signed(story.before)}, and {fires}."
    if not neuron.value:
        return f"{seen} So it writes nothing here."
    if story.stack == "encoder":
        return (
            f"{seen} It adds that much of its own row of W₂, {format_signed(abs(neuron.contribution))} long."
        )
    return (
        f"{seen} It adds that much of its own row of W₂, which points to {_names(recorded, neuron.raised)} "
        f"and away from {_names(recorded, neuron.lowered)}."
    )


def places_sentence(n_places: int, n_examples: int) -> str:
    """What the bars of a unit's strongest places are."""
    if not n_examples:
        return "This task has no examples in which to look for it."
    if not n_places:
        return f"In none of the {n_examples} examples of this task is it above 0."
    return (
        f"Of all rows of the {n_examples} examples of this task it fires most in these {n_places}: "
        "the token that the row reads is bold."
    )


def neuron_sentence(stack: Stack, between: str) -> str:
    """What the table of the strongest units says, and what it does not."""
    if stack == "encoder":
        return (
            "A unit adds its value times its own row of W₂ to the output. Which tokens that favours cannot be read "
            f"here: {between} still come between it and the logits."
        )
    return (
        "A unit adds its value times its own row of W₂ to the output; here that row meets the output matrix, with the "
        f"logits for a value of 1. It is a direction, not an effect: {between} still come before the logits."
    )


def _names(recorded: Recorded, pairs: Sequence[tuple[int, float]]) -> str:
    token = recorded.run.tgt_tokenizer.vocabulary.token
    return ", ".join(plain(visible(token(token_id))) for token_id, _ in pairs)


def _tokens(recorded: Recorded, pairs: Sequence[tuple[int, float]]) -> str:
    token = recorded.run.tgt_tokenizer.vocabulary.token
    return ",  ".join(f"{visible(token(token_id))} {format_signed(logit)}" for token_id, logit in pairs)
