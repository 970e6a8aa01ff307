"""The view on paper."""

from __future__ import annotations

import math
from collections.abc import Iterator

from core.decoding.beam import length_penalty
from explorer.explaining.scene import Scene
from explorer.look.pieces import number
from explorer.look.theme import format_log_prob
from explorer.look.token_text import visible
from explorer.models.beam_trees import BeamTree, verdict
from explorer.models.decodings import beam_of
from explorer.worksheets.document import Block, Heading, Question, Table, paragraph, visible_text
from explorer.worksheets.questions import question


def blocks(scene: Scene) -> Iterator[Block]:
    """The search with the visitor's width and length penalty."""
    state = scene.state
    tree = beam_of(scene.recorded.run, state.sentence, state.beam.width, state.beam.length_penalty)
    yield from _questions(tree)
    yield from beam_blocks(tree)


def _questions(tree: BeamTree) -> Iterator[Question]:
    best, greedy = tree.nodes[tree.n_best[0]], tree.nodes[tree.greedy[-1]]
    length = len(tree.ids(tree.n_best[0]))
    yield question(
        (
            f"The best output has log P = {format_log_prob(best.log_prob, total=True)} and {length} tokens with EOS; "
            f"α = {tree.length_penalty:g}. What is its score, log P ÷ ((5 + length) ÷ 6) to the power α?",
        ),
        (
            f"The divisor is {length_penalty(length, tree.length_penalty):.3f}: ",
            number(format_log_prob(best.score, total=True)),
            ".",
        ),
    )
    yield question(
        ("How many times as probable is the best output of the beam as that of greedy decoding?",),
        (
            "e to the power of the difference of their log P: ",
            number(f"{math.exp(best.log_prob - greedy.log_prob):.3f}"),
            " times. Below 1 the length penalty has preferred a longer output; 1 is the same output."
            if tree.length_penalty
            else " times. 1 is the same output.",
        ),
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
