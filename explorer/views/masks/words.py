r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

from collections.abc import Callable

from core.config import TransformerConfig
from core.model import attention, masks
from explorer.explaining.formula import Formula, Sizes
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.look.pieces import Piece, number
from explorer.look.rows import row_pieces

IDEA = (
    "A mask sets the score of a forbidden key to minus infinity before the softmax, so its weight is "
    "exactly zero. So padding, which is not text, has no influence on anything, and in the decoder’s "
    "self-attention nothing that comes later has any either."
)
"""What it does and why it is there, in two sentences."""


SUM_DECIMALS = 6


def numbers(scene: Scene) -> Numbers:
    """How many keys the step's query may look at, and what the others get."""
    step = scene.step
    layer, head = scene.layer("decoder"), scene.head
    path = f"decoder.layers.{layer}.self_attn"
    seen = scene.recorded.values(f"{path}.mask")[step]
    hidden = scene.recorded.values(f"{path}.weights")[head, step][seen == 0]
    crossing = scene.recorded.values(f"decoder.layers.{layer}.cross_attn.mask")[step]
    shown = str(int(seen.sum()))
    rest = (
        (
            Piece(f"The {len(hidden)} after it, hidden and not read yet, get the weight "),
            number(f"{hidden.sum():.{SUM_DECIMALS}f}"),
        )
        if len(hidden)
        else (Piece("None is hidden at this step"),)
    )
    return Numbers(
        (
            Piece(f"For the sentence alone, without a batch, at step {step} "),
            *row_pieces(scene.recorded.rows("target"), step),
            Piece(" may look at "),
            number(shown),
            Piece(f" of {len(seen)} positions of the decoder's input. "),
            *rest,
            Piece(", and in cross-attention it may look at "),
            number(str(int(crossing.sum()))),
            Piece(f" of {len(crossing)} source positions, as there is no padding."),
        ),
        Shown(
            shown,
            (
                f'mask = recorded.activations["{path}.mask"]',
                f"print(mask[0, {step}].sum().item())",
            ),
        ),
    )


def formula(sizes: Sizes) -> Formula:
    """Minus infinity where a query may not look."""
    causal = sizes.config.causal
    rule = r"t_j \ne \text{pad}" + (r" \text{ and } j \le i" if causal else "")
    size = sizes.n_outputs
    symbols: tuple[tuple[str, str], ...] = (
        ("i", "position of the query, here in the decoder’s self-attention"),
        ("j", "position of the key"),
        ("t_j", "token at the key’s position"),
        (r"\tilde s_{i,j}", "score after the mask, which goes into the softmax"),
    )
    body = r"\tilde s_{i,j} = \begin{cases} s_{i,j} & %s \\ -\infty & \text{otherwise} \end{cases}"
    return Formula(
        "Sections 3.1 and 3.2.3" + ("" if causal else "; this model may look ahead"),
        (body % rule,),
        (body % rule.replace("pad", str(sizes.config.pad_id)), rf"i, j = 0, \dots, {size - 1}"),
        (*symbols, (r"s_{i,j}", "score of query i with key j")),
    )


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    causal = config.causal
    return (
        masks.padding_mask,
        *((masks.causal_mask,) if causal else ()),
        masks.combine_masks,
        *((attention.masked_softmax,) if causal else ()),
    )
