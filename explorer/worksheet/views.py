"""What each page shows, as blocks of a worksheet: from the recorded run, and the data that the page's view is fed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from explorer import inspector
from explorer.components.map_view import MapBlock
from explorer.explanations.scene import Scene
from explorer.inspector_sites import is_known, tensor_of
from explorer.inspector_slice import slice_of
from explorer.model_store.decodings import (
    beam_of,
    internals_of,
    map_of,
    recorded_of,
    sampled_output_of,
    translation_of,
)
from explorer.model_store.runs import known_runs, run_folder
from explorer.recorded import Recorded
from explorer.run_table import curves_of
from explorer.sampling import GREEDY, sampling_config, sampling_data
from explorer.stages import (
    add_norm,
    add_norm_tables,
    feed_forward,
    feed_forward_tables,
    output,
    output_tables,
)
from explorer.stages.attention import attention_view
from explorer.stages.mask_findings import findings
from explorer.stages.masks import masks_view
from explorer.stages.padded_batch import OWN, default_titles, masked_batch, other_examples
from explorer.stages.positions import PositionChoice, positions_view
from explorer.stages.sublayers import chosen_stack
from explorer.stages.tokens import tokens_view
from explorer.state import ExplorerState
from explorer.task_facts import run_title, title_of
from explorer.tensors import TensorViewData
from explorer.theme import format_count, format_share, format_signed
from explorer.token_text import visible
from explorer.translation import view_data
from explorer.worksheet.curve import curve_svg
from explorer.worksheet.decoding import beam_blocks, decoding_blocks, sampling_blocks
from explorer.worksheet.document import Block, Heading, Picture, Table, said, said_in_markdown, table_of
from explorer.worksheet.stages import stage_blocks

MOST_POINTS = 20
"""Rows of the table beside a curve."""

Kind = Literal["self-attention", "masked-self-attention", "cross-attention"]


@dataclass(frozen=True)
class View:
    """What a visitor looks at.

    Attributes:
        recorded: What the model computed for the sentence and its forced tokens, if the page has them.
        state: The visitor's choices.
    """

    recorded: Recorded
    state: ExplorerState


def attention(kind: Kind) -> Callable[[View], Iterable[Block]]:
    """The open stage of one of the three attentions."""

    def of(view: View) -> Iterable[Block]:
        return stage_blocks(attention_view(view.recorded, view.state, kind))

    return of


def tokens(view: View) -> Iterator[Block]:
    """The tokens with their ids, and the open stage."""
    source = view.recorded.trace.src.tolist()
    yield Heading("Tokens and ids")
    yield Table(
        ("position", "token", "id"),
        tuple(
            (str(place), visible(token), str(token_id))
            for place, (token, token_id) in enumerate(zip(view.recorded.source, source, strict=True))
        ),
        (1,),
    )
    yield from stage_blocks(tokens_view(view.recorded, view.state))


def positions(view: View) -> Iterable[Block]:
    """The open stage, for the positions of the sentence and an offset of 1, as the page begins."""
    return stage_blocks(
        positions_view(view.recorded, view.state, PositionChoice(len(view.recorded.source), 1, 0))
    )


def masks(view: View) -> Iterator[Block]:
    """The batch that the page begins with, all masks on."""
    run = view.recorded.run
    examples = other_examples(run, view.state.sentence)
    others = [
        (title, recorded_of(run, examples[title])) for title in default_titles(run, view.state.sentence)
    ]
    masked = masked_batch(run, [(OWN, view.recorded), *others], None)
    data = masks_view(masked, view.state, 0)
    chosen = {chooser.axis: chooser.value for chooser in data.choosers}
    for sentence in findings(masked, 0, chosen["layer"], chosen["head"]):
        yield said(sentence)
    yield from stage_blocks(data)


def add_and_norm(view: View) -> Iterator[Block]:
    """The open stage, and mean and variance of every token."""
    yield from stage_blocks(add_norm.add_norm_view(view.recorded, view.state))
    statistics = add_norm.statistics(view.recorded, view.state)
    yield Heading("Mean and variance of every token")
    yield said_in_markdown(add_norm_tables.statistics_sentence(statistics))
    yield table_of(add_norm_tables.statistics_columns(statistics), ("token",))
    stack = chosen_stack(view.state)
    stream = add_norm.stream_table(view.recorded, stack)
    yield Heading("The residual stream by layer")
    yield said_in_markdown(add_norm_tables.stream_sentence(stream, view.recorded.run.config, stack))


def network(view: View) -> Iterator[Block]:
    """The open stage, and which hidden units are strong or silent."""
    recorded, state = view.recorded, view.state
    stack, config = chosen_stack(state), recorded.run.config
    yield from stage_blocks(feed_forward.feed_forward_view(recorded, state))
    yield Heading("The strongest units of the chosen token")
    yield said_in_markdown(feed_forward_tables.neuron_sentence(stack, feed_forward.between(recorded, state)))
    neurons = feed_forward.neurons(recorded, state)
    yield table_of(feed_forward_tables.neuron_columns(recorded, neurons, stack), ("raises", "lowers"))
    yield Heading("Silent units")
    counted = feed_forward.zeros(recorded, state)
    yield said_in_markdown(feed_forward_tables.zeros_sentence(counted, config.activation))


def logits_and_loss(view: View) -> Iterator[Block]:
    """The open stage, and the loss of every label."""
    recorded, state = view.recorded, view.state
    yield from stage_blocks(output.output_view(recorded, state))
    step = Scene(recorded, state).step
    yield Heading("Only the last row is read")
    yield table_of(
        output_tables.step_columns(output.steps(recorded), step), ("row", "produced", "most probable")
    )
    target = output.target_of(recorded)
    loss = output.loss_of(recorded, target, recorded.run.train_config.label_smoothing)
    yield Heading("Teacher forcing and the loss")
    yield said_in_markdown(output_tables.loss_sentence(loss))
    yield table_of(output_tables.aligned_columns(recorded.run, loss), ("position",))


def decoding(view: View) -> Iterable[Block]:
    """The steps, the candidates and the attention of the home page and of the debugger."""
    run, state = view.recorded.run, view.state
    translation = translation_of(run, state.sentence, state.prefix)
    internals = internals_of(run, state.sentence, translation.output_ids)
    return decoding_blocks(view_data(run, translation, state, internals=internals))


def sampling(view: View) -> Iterable[Block]:
    """The chosen step from logits to the drawn token."""
    run, state = view.recorded.run, view.state
    drawn = sampled_output_of(run, state.sentence, sampling_config(state), state.prefix)
    greedy = sampled_output_of(run, state.sentence, GREEDY, state.prefix)
    return sampling_blocks(drawn, sampling_data(run, drawn, greedy.text, state), state)


def beams(view: View) -> Iterable[Block]:
    """The search with the visitor's width and length penalty."""
    state = view.state
    return beam_blocks(beam_of(view.recorded.run, state.sentence, state.beam_width, state.length_penalty))


def the_map(view: View) -> Iterator[Block]:
    """Every block with what it does, its shapes and its parameters."""
    figure = map_of(view.recorded.run, view.state.sentence, view.state.prefix)
    yield Heading("The blocks")
    yield Table(
        ("block", "name in the code", "what it does", "parameters"),
        tuple(
            (_in_layer(block), block.id, block.meaning, f"{block.parameters:,}") for block in figure.blocks
        ),
        (0, 1, 2),
    )
    parts = figure.parts
    yield Heading("Parameters")
    yield Table(("part", "parameters"), tuple((part.title, f"{part.parameters:,}") for part in parts), (0,))


def _in_layer(block: MapBlock) -> str:
    return block.title if block.layer is None else f"{block.title}, {block.stack} layer {block.layer}"


def inspected(view: View) -> Iterable[Block]:
    """The chosen tensor as it is laid out."""
    recorded, state = view.recorded, view.state
    known = state.site and is_known(recorded, state.site)
    site = state.site if known else inspector.default_site(recorded.run.config)
    data: TensorViewData = inspector.inspector_view(
        recorded, slice_of(tensor_of(recorded, site), state.cut, state.head)
    )
    return (*stage_blocks(data), said(inspector.meaning_of(recorded, site)))


def runs(view: View) -> Iterator[Block]:
    """All models with what they can do, and how the loss of the visitor's model fell."""
    known = known_runs()
    yield Heading("The models")
    yield Table(
        ("model", "task", "updates", "exact match"),
        tuple(
            (
                run_title(key, run),
                title_of(run.task),
                format_count(run.updates),
                format_share(run.evaluation["exact_match"]) if "exact_match" in run.evaluation else "",
            )
            for key, run in known.items()
        ),
        (0, 1),
    )
    key = view.state.run
    losses = curves_of(run_folder(key), known[key]).losses
    if len(losses) < 2:
        return
    yield Heading(f"Loss of {run_title(key, known[key])} in training")
    yield Picture(
        curve_svg(losses, "Loss over the updates"), "Mean loss of a batch, label smoothing included"
    )
    shown = losses[:: max(1, len(losses) // MOST_POINTS)]
    yield Table(("update", "loss"), tuple((format_count(at), format_signed(loss)) for at, loss in shown))


VIEWS: Mapping[str, Callable[[View], Iterable[Block]]] = {
    "": decoding,
    "map": the_map,
    "tokens": tokens,
    "positions": positions,
    "self-attention": attention("self-attention"),
    "masked-self-attention": attention("masked-self-attention"),
    "cross-attention": attention("cross-attention"),
    "masks": masks,
    "add-norm": add_and_norm,
    "feed-forward": network,
    "output": logits_and_loss,
    "step-by-step": decoding,
    "sampling-lab": sampling,
    "beams": beams,
    "tensors": inspected,
    "runs": runs,
}
"""By the addresses of the pages; empty for the home page."""
