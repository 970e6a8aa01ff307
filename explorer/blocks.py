"""The blocks of the paper's figure: what each is called, which page shows it, and which sites belong to it."""

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Block:
    """A kind of block, of which the model may have one in every layer.

    Attributes:
        key: Its name in code, and the address of its page.
        title: Its name for a reader.
        page: File of the page that shows it.
        patterns: Which sites and parameters belong to it.
    """

    key: str
    title: str
    page: str
    patterns: tuple[str, ...]


BLOCKS = (
    Block(
        "tokens",
        "Tokens and embeddings",
        "pages/model/tokens.py",
        ("src", "tgt_in", "*_embed.tokens", "*_embed.output", "*_embed.weight", "*_embed.*weight"),
    ),
    Block("positions", "Positions", "pages/model/positions.py", ("*_embed.positions", "*_embed.position*")),
    Block(
        "self-attention", "Self-attention", "pages/model/self_attention.py", ("encoder.layers.*.self_attn.*",)
    ),
    Block(
        "masked-self-attention",
        "Masked self-attention",
        "pages/model/masked_self_attention.py",
        ("decoder.layers.*.self_attn.*",),
    ),
    Block(
        "cross-attention",
        "Cross-attention",
        "pages/model/cross_attention.py",
        ("decoder.layers.*.cross_attn.*",),
    ),
    Block("masks", "Masks", "pages/model/masks.py", ("*.mask", "*.masked_scores")),
    Block(
        "add-norm",
        "Add & norm",
        "pages/model/add_norm.py",
        ("*_add_norm.*", "*_norm.*", "*_add.*", "encoder.output", "decoder.output"),
    ),
    Block("feed-forward", "Feed-forward", "pages/model/feed_forward.py", ("*.feed_forward.*",)),
    Block("output", "Output", "pages/model/output.py", ("generator.*", "hypothesis.*")),
)
"""In the order of the computation."""

BLOCK = {block.key: block for block in BLOCKS}
"""By their keys."""


def block_of(name: str) -> Block | None:
    """The block that a site or a parameter belongs to: the first that names it; None for one of no block."""
    return next((block for block in BLOCKS if any(fnmatchcase(name, p) for p in block.patterns)), None)
