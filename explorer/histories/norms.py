"""Norms of weights and gradients, block by block: which blocks stand together, their lines and their table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.activations.location import Location, locate
from core.training.records import BlockNorm
from core.training.run_store import STORE_FILE, RunStore
from explorer.histories.figures import thinned
from explorer.look.curves import Curve

MOST_TOGETHER = 6
"""Blocks that can be told apart in one chart."""
MOST_POINTS = 400
"""Most points of a line; of a longer one points are left out evenly."""
OUTSIDE = "Embeddings, output and final norms"

_OUTER = {
    "src_embed": "source embedding",
    "tgt_embed": "target embedding",
    "generator": "output",
    "encoder.final_norm": "final norm, encoder",
    "decoder.final_norm": "final norm, decoder",
}
# A sub-layer and the norm beside it share their colour; the norm is dashed.
_ROLES = {"self_attn": "k", "cross_attn": "target", "feed_forward": "q"}
_OTHERS = ("source", "target", "k", "q", "v", "mute")
_SOLID, _DASHED = (1, 0), (5, 4)
_DASHES = (_SOLID, (6, 4), (2, 3), (8, 3), (4, 2), (10, 4))


@dataclass(frozen=True)
class BlockLines:
    """A block's norms as two lines.

    Attributes:
        weights: Norm of its weights.
        gradients: Norm of the gradient before clipping; it has no point before the first update.
    """

    weights: Curve
    gradients: Curve


def groups_of(blocks: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Blocks that are looked at together, by the title of the group: each layer, each sub-layer, and the rest.

    Args:
        blocks: Module paths in the order of the computation.
    """
    layers: dict[str, list[str]] = {}
    kinds: dict[str, list[str]] = {}
    outside = []
    for block in blocks:
        where = locate(block)
        if where.layer is None:
            outside.append(block)
            continue
        layers.setdefault(_layer_name(where), []).append(block)
        if _is_sublayer(where):
            title = f"{where.sublayer_title} of the {where.stack}’s layers"
            kinds.setdefault(title, []).append(block)
    several = {title: found for title, found in kinds.items() if 1 < len(found) <= MOST_TOGETHER}
    found = layers | several | ({OUTSIDE: outside} if outside else {})
    return {title: tuple(each[:MOST_TOGETHER]) for title, each in found.items()}


def block_name(block: str) -> str:
    """What a block is called beside the others of its layer."""
    where = locate(block)
    if not where.sublayer:
        return _OUTER.get(block, block)
    title = where.sublayer_title.lower()
    return title if _is_sublayer(where) else f"norm {'after' if where.joins else 'before'} {title}"


def full_name(block: str) -> str:
    """What a block is called among all blocks of a model."""
    where = locate(block)
    return block_name(block) if where.layer is None else f"{_layer_name(where)}: {block_name(block)}"


def _layer_name(where: Location) -> str:
    return f"{where.stack.capitalize()}, layer {where.layer}"


def _is_sublayer(where: Location) -> bool:
    """Whether it is a sub-layer itself, not the norm beside one."""
    return where.kind in ("attention", "feed_forward")


def read_blocks(folder: Path) -> list[str]:
    """The blocks whose norms a training has told; none before it has begun.

    Raises:
        RunError: when its figures are damaged.
    """
    if not (folder / STORE_FILE).is_file():
        return []
    with closing(RunStore.read(folder)) as store:
        return store.norm_blocks()


def read_norms(folder: Path, blocks: Sequence[str]) -> list[BlockNorm]:
    """The norms of some blocks so far.

    Raises:
        RunError: when the training's figures are damaged.
    """
    with closing(RunStore.read(folder)) as store:
        return store.norms(blocks=blocks)


def lines_of(norms: Sequence[BlockNorm], blocks: Sequence[str]) -> dict[str, BlockLines]:
    """Two lines for each block, by what the block is called in its group."""
    layers = [layer for block in blocks if (layer := locate(block).layer) is not None]
    is_kind = len(blocks) > 1 and len(set(layers)) == len(blocks)
    found = {}
    for place, block in enumerate(blocks):
        name = f"layer {layers[place]}" if is_kind else block_name(block)
        of_block = thinned([norm for norm in norms if norm.block == block], MOST_POINTS)
        role, dash = _look(block, place, plain=is_kind)
        had = [(norm.updates, norm.gradient) for norm in of_block if norm.gradient is not None]
        found[name] = BlockLines(
            Curve(
                name, [norm.updates for norm in of_block], [norm.weight for norm in of_block], role, dash=dash
            ),
            Curve(name, [updates for updates, _ in had], [gradient for _, gradient in had], role, dash=dash),
        )
    return found


def norm_columns(lines: Mapping[str, BlockLines]) -> dict[str, list[str]]:
    """The table of the lines' points, the newest first."""
    newest = sorted({updates for each in lines.values() for updates in each.weights.updates}, reverse=True)
    columns = {"after updates": [f"{updates:,}" for updates in newest]}
    for name, each in lines.items():
        for curve, word, form in ((each.weights, "weights", ".3f"), (each.gradients, "gradient", ".2e")):
            values = dict(zip(curve.updates, curve.values, strict=True))
            columns[f"{name}: {word}"] = [
                format(values[updates], form).replace("-", "−") if updates in values else ""
                for updates in newest
            ]
    return columns


def _look(block: str, place: int, *, plain: bool) -> tuple[str, tuple[int, int]]:
    where = locate(block)
    if plain or not where.sublayer:
        return _OTHERS[place % len(_OTHERS)], _DASHES[place % len(_DASHES)]
    return _ROLES[where.sublayer], _SOLID if _is_sublayer(where) else _DASHED
