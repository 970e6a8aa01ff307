"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from explorer.explaining.scene import Scene
from explorer.look.theme import format_log_prob
from explorer.look.token_text import visible
from explorer.models.beam_trees import BeamTree, verdict
from explorer.models.decodings import beam_of
from explorer.worksheets.document import Block, Heading, Table, paragraph, visible_text


def blocks(scene: Scene) -> Iterable[Block]:
    """The search with the visitor's width and length penalty."""
    state = scene.state
    return beam_blocks(
        beam_of(scene.recorded.run, state.sentence, state.beam.width, state.beam.length_penalty)
    )


def beam_blocks(tree: BeamTree) -> Iterator[Block]:
    """The verdict, the outputs that were found, and what every step kept."""
    yield Heading("The outputs")
    yield paragraph(verdict(tree))
    named = [
        *((f"beam, {rank}", node) for rank, node in enumerate(tree.n_best, 1)),
        ("greedy", tree.greedy[-1]),
    ]
    yield Table(
        ("found by", "output", "log P", "score"),
        tuple(
            (
                name,
                visible_text(tree.nodes[node].text),
                format_log_prob(tree.nodes[node].log_prob, total=True),
                format_log_prob(tree.nodes[node].score, total=True),
            )
            for name, node in named
        ),
        (0, 1),
        f"Width {tree.width}, length penalty α = {tree.length_penalty:g}",
    )
    yield Heading("The search, step by step")
    ranked = sorted(
        (node for node in tree.nodes if node.rank is not None), key=lambda node: (node.step, node.rank)
    )
    yield Table(
        ("step", "rank", "text so far", "newest token", "log P", "score", ""),
        tuple(
            (
                str(node.step),
                str(node.rank),
                visible_text(node.text),
                visible(node.token),
                format_log_prob(node.log_prob, total=True),
                format_log_prob(node.score, total=True),
                node.fate,
            )
            for node in ranked
        ),
        (2, 3, 6),
    )
