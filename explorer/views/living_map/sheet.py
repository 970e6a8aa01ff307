"""The view on paper."""

from __future__ import annotations

import math
from collections.abc import Iterator

from core.activations.location import locate
from core.model.parameters import parameters_by_block
from explorer.explaining.scene import Scene
from explorer.look.pieces import number
from explorer.look.theme import format_probability
from explorer.look.token_text import twin_place
from explorer.views.living_map.block_texts import block_text, block_title
from explorer.worksheets.document import Block, Heading, Question, Table
from explorer.worksheets.questions import question


def blocks(scene: Scene) -> Iterator[Block]:
    """Every step with what it reads, then every block with what it does and its parameters."""
    recorded, config = scene.recorded, scene.recorded.run.config
    layer = config.n_decoder_layers - 1
    weights = recorded.values(f"decoder.layers.{layer}.cross_attn.weights").mean(axis=0)
    log_probs = recorded.values("generator.log_probs")
    yield from _questions(scene)
    yield Heading("The steps")
    yield Table(
        ("step", "reads", "writes", "P", f"reads most in layer {layer}", "weight"),
        tuple(
            (
                str(step),
                recorded.inputs[step],
                recorded.outputs[step],
                format_probability(math.exp(float(log_probs[step, token]))),
                recorded.source[key] + twin_place(recorded.source, key),
                f"{weights[step].max():.4f}",
            )
            for step, (token, key) in enumerate(
                zip(recorded.trace.tgt_out.tolist(), weights.argmax(axis=-1).tolist(), strict=True)
            )
        ),
        (1, 2, 4),
    )
    yield Heading("The blocks")
    yield Table(
        ("block", "name in the code", "what it does", "parameters"),
        tuple(
            (_in_layer(name), name, block_text(locate(name), config), f"{count:,}")
            for name, count in parameters_by_block(recorded.run.model).items()
        ),
        (0, 1, 2),
    )


def _in_layer(name: str) -> str:
    where = locate(name)
    title = block_title(where)
    return title if where.layer is None else f"{title}, {where.stack} layer {where.layer}"


def _questions(scene: Scene) -> Iterator[Question]:
    recorded, config = scene.recorded, scene.recorded.run.config
    n = len(recorded.outputs)
    yield question(
        (f"The output has {n} tokens. How often does the encoder run, and how often the decoder?",),
        (
            "The encoder ",
            number("once"),
            ": every step reads the same memory. The decoder ",
            number(str(n)),
            " times, once for each token that it writes.",
        ),
    )
    yield question(
        ("How many numbers does one lane hand on from block to block?",),
        (
            number(str(config.d_model)),
            ", d_model: every block reads and writes vectors of the same length, so that they can be added.",
        ),
    )
