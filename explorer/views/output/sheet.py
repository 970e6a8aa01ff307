"""The view on paper."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from explorer.explaining.scene import Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_probability, format_signed
from explorer.views.output import data as output
from explorer.views.output import tables as output_tables
from explorer.worksheets.document import Block, Heading, Question, paragraph_of_markdown, table_of
from explorer.worksheets.questions import question
from explorer.worksheets.stages import stop_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The open stage, or all of them, and the loss of every label."""
    yield from _questions(scene)
    recorded, state = scene.recorded, scene.state
    yield from stop_blocks(output.output_view(recorded, state), state.look.stage)
    step = scene.step
    yield Heading("Only the last row is read")
    yield table_of(
        output_tables.step_columns(output.steps(recorded), step), ("row", "reads", "writes", "most probable")
    )
    target = output.target_of(recorded)
    loss = output.loss_of(recorded, target, recorded.run.train_config.label_smoothing)
    yield Heading("Teacher forcing and the loss")
    yield paragraph_of_markdown(output_tables.loss_sentence(loss))
    yield table_of(output_tables.aligned_columns(recorded.run, loss), ("position",))


def _questions(scene: Scene) -> Iterator[Question]:
    recorded, step = scene.recorded, scene.step
    log_probs = recorded.values("generator.log_probs")[step]
    tokens = recorded.run.tgt_tokenizer.vocabulary.tokens
    best, second = np.argsort(-log_probs, kind="stable")[:2].tolist()
    p, rival = (math.exp(float(log_probs[token])) for token in (best, second))
    names = (Piece(tokens[best], "target"), Piece(tokens[second], "target"))
    yield question(
        (
            f"At step {step} ",
            names[0],
            f" has the probability {format_probability(p)} and ",
            names[1],
            f" {format_probability(rival)}. By how much do their logits differ?",
        ),
        (
            "By the logarithm of the ratio of the two: ",
            number(format_signed(float(log_probs[best] - log_probs[second]))),
            ". The sum over the vocabulary, by which both are divided, drops out.",
        ),
    )
    yield question(
        (
            "If ",
            names[1],
            " had been the label here, what would its loss be (without label smoothing)? And that of ",
            names[0],
            "?",
        ),
        (
            "−log P: ",
            number(format_signed(-float(log_probs[second]))),
            " for ",
            names[1],
            ", and ",
            number(format_signed(-float(log_probs[best]))),
            " for ",
            names[0],
            ".",
        ),
    )
