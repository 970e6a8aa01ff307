r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

from collections.abc import Callable

from core.config import TransformerConfig
from core.model.decoder import PostNormDecoderLayer, PreNormDecoderLayer
from core.model.encoder import PostNormEncoderLayer, PreNormEncoderLayer
from core.model.parameters import count_parameters
from core.model.transformer import Transformer
from explorer.explaining.formula import Formula, Sizes
from explorer.explaining.printing import (
    plural,
)
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.look.pieces import Piece, number

IDEA = (
    "An encoder reads the source, a decoder writes the output, and both are stacks of equal layers "
    "through which each token travels as one vector. Only attention moves anything between tokens; "
    "everything else works on each token by itself, which is why one model reads sequences of different "
    "lengths."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """Sizes of the model and of the recording."""
    recorded, config = scene.recorded, scene.recorded.run.config
    shown = f"{count_parameters(recorded.run.model):,}"
    return Numbers(
        (
            number(shown),
            Piece(" learned numbers are the same for every source; what this one made of them fills "),
            number(f"{recorded.n_bytes / 1024:,.1f} KiB"),
            Piece(
                f". Between any two blocks each of {plural(len(recorded.source), 'source token', 'source tokens')}"
            ),
            Piece(
                f" and {plural(len(recorded.outputs), 'output position', 'output positions')} is a vector of "
            ),
            Piece(f"{config.d_model} numbers."),
        ),
        Shown(
            shown,
            ('print(f"{count_parameters(run.model):,}")',),
            ("count_parameters",),
            needs_trace=False,
        ),
    )


def formula(sizes: Sizes) -> Formula:
    """The whole model in three lines."""
    config = sizes.config
    d, v = config.d_model, config.tgt_vocab_size
    return Formula(
        "Figure 1",
        (
            r"Z = \text{encoder}(\text{embed}(x))",
            r"Y = \text{decoder}(\text{embed}(y_{<t}), Z)",
            r"P(y_t \mid y_{<t}, x) = \text{softmax}\left(Y_t\, W^{\top}\right)",
        ),
        (
            rf"Z \in \mathbb{{R}}^{{{sizes.n_source} \times {d}}} \text{{ after }} "
            rf"{config.n_encoder_layers} \text{{ layers}}",
            rf"Y \in \mathbb{{R}}^{{{sizes.n_outputs} \times {d}}} \text{{ after }} "
            rf"{config.n_decoder_layers} \text{{ layers}}",
            rf"W \in \mathbb{{R}}^{{{v} \times {d}}}, \quad t = 0, \dots, {sizes.n_outputs - 1}",
        ),
        (
            ("x", "source tokens"),
            ("y", "output tokens; before the first one stands the start mark"),
            ("Z", "the encoder’s output, which the decoder’s cross-attention reads"),
            ("Y", "the decoder’s output, a row for each step"),
            (
                "W",
                "output matrix, here the table of the embeddings"
                if config.tie_embeddings
                else "output matrix",
            ),
        ),
    )


def functions(config: TransformerConfig) -> tuple[Callable, ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    post = config.norm_position == "post"
    encoder_layer = PostNormEncoderLayer if post else PreNormEncoderLayer
    decoder_layer = PostNormDecoderLayer if post else PreNormDecoderLayer
    return (
        Transformer.forward,
        Transformer.encode,
        Transformer.decode,
        encoder_layer.forward,
        decoder_layer.forward,
    )
