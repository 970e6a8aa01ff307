r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

from collections.abc import Callable

from core.config import TransformerConfig
from core.model.decoder import PostNormDecoderLayer, PreNormDecoderLayer
from core.model.encoder import PostNormEncoderLayer, PreNormEncoderLayer
from core.model.transformer import Transformer
from explorer.explaining.formula import Formula, Sizes
from explorer.explaining.printing import WEIGHT_DECIMALS, printed_probability
from explorer.explaining.scene import Numbers, Scene
from explorer.explaining.written import which_token, written_token
from explorer.look.pieces import Piece, number
from explorer.look.token_text import twin_place

IDEA = (
    "The encoder reads the whole source once; the decoder then writes the output one token at a time, "
    "reading the source and its own output so far. Until the next token is taken, there is only a score for "
    "every token of the vocabulary; the map shows the whole way there."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """The chosen token, and what the last decoder layer's heads read for it on average."""
    recorded, step = scene.recorded, scene.step
    layer = scene.layer("decoder")
    weights = recorded.values(f"decoder.layers.{layer}.cross_attn.weights")
    row = weights[:, step].mean(axis=0) if scene.state.look.head is None else weights[scene.head, step]
    key = int(row.argmax())
    mean = scene.state.look.head is None
    readers = (
        f"On average the {len(weights)} heads of decoder layer {layer} give"
        if mean
        else (f"Head {scene.head} of decoder layer {layer} gives")
    )
    token_id, probability = written_token(scene)
    shown = printed_probability(step, token_id, probability)
    return Numbers(
        (
            *scene.writing(),
            Piece(f"{which_token(scene)} has the probability "),
            number(shown.text),
            Piece(f". {readers} "),
            Piece(recorded.source[key], "source"),
            Piece(f"{twin_place(recorded.source, key)} the largest weight, "),
            number(f"{row[key]:.{WEIGHT_DECIMALS}f}"),
            Piece("."),
        ),
        shown,
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
            ("y", "output tokens; BOS stands before the first one"),
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


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
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
