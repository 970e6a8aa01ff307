"""The stages of one update: from the loss of each label to the gradient of the logits, from a gradient to a weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from core.analysis.target_loss import smoothed_target
from core.config import TrainConfig
from core.explanation.update_sites import PARTS, PREFIX, update_values
from core.training.watch import Use
from explorer.browser.tensors import Looked
from explorer.look.theme import format_count, raised
from explorer.models.arrays import array_of
from explorer.models.parameter_axes import parameter_axes
from explorer.models.window import windowed
from explorer.tensors import Axis, Chooser, Panel, Scale, Stage, TensorData, TensorViewData, decoder_rows
from explorer.views.update.scene import UpdateScene
from explorer.visitor.state import ExplorerState

SHOWN_TOKENS = 32
"""Most tokens of the vocabulary that are shown."""
SHOWN_TERMS = 24
"""Most tokens of the batch that are shown of the product that a gradient is."""
MAX_CELLS = 16 * 2**10
"""Most cells of one matrix; of a larger one the rows with the largest gradients are shown."""

POSITIONS, VOCAB, TERMS = ("position",), ("vocab",), ("token",)


def update_view(scene: UpdateScene, state: ExplorerState) -> TensorViewData:
    """What the tensor view is fed: one pair of the batch up to the logits' gradient, then one parameter."""
    pair, name = scene.pair(state), scene.parameter(state)
    names = scene.update.parameters
    product = _product(scene, name)
    stages = (*_batch_stages(scene), *_parameter_stages(scene, name, product is not None))
    parameter = {part: _parameter_tensor(scene, name, part) for part in PARTS}
    return TensorViewData(
        key=scene.key,
        tensors=_batch_tensors(scene, pair) | parameter | (product or {}),
        stages=stages,
        choosers=(
            Chooser("pair", "Pair", _pair_names(scene), pair, local=False),
            Chooser("parameter", "Parameter", names, names.index(name), local=False),
        ),
        stage=state.look.stage if state.look.stage in {stage.key for stage in stages} else stages[0].key,
        row_side="",
    )


def looked_at(scene: UpdateScene, state: ExplorerState, looked: Looked) -> ExplorerState:
    """The state after another look at the view; what was the default and stays so is not chosen."""
    pair, name = looked.choices["pair"], scene.update.parameters[looked.choices["parameter"]]
    return replace(
        state,
        look=replace(state.look, stage=looked.stage),
        update=replace(state.update, pair=state.update.pair if pair == scene.pair(state) else pair),
        inspector=replace(
            state.inspector, site=state.inspector.site if name == scene.parameter(state) else name
        ),
    )


def _batch_stages(scene: UpdateScene) -> tuple[Stage, ...]:
    n_labels = format_count(scene.update.batch.n_tokens)
    alpha, size = scene.update.training.label_smoothing, scene.update.config.tgt_vocab_size
    return (
        Stage(
            "loss",
            "Loss",
            "one",
            (Panel("loss", "loss of each label", POSITIONS, ("pair",)),),
            formula="L = −Σ y′ · log P",
            note=f"One number for each of {n_labels} labels; their mean is the loss of the batch. Hatched is padding.",
        ),
        Stage(
            "labels",
            "Labels",
            "map",
            (Panel("hot", "y", POSITIONS, VOCAB), Panel("label", "y′", POSITIONS, VOCAB)),
            formula=f"y′ = (1 − {alpha:g}) · y + {alpha:g} / {size}",
            note="What the model should say at each position of this pair: its label, and a little of every token.",
            arrows=("smoothing",),
        ),
        Stage(
            "logits",
            "Logits",
            "map",
            (
                Panel("prob", "P", POSITIONS, VOCAB),
                Panel("error", "P − y′", POSITIONS, VOCAB),
                Panel("logits", "∂L/∂z", POSITIONS, VOCAB),
            ),
            formula=f"∂L/∂z = (P − y′) / {n_labels}",
            note="Where it is below 0 the logit is to grow. "
            "From here backpropagation carries the gradient back through the whole model.",
            arrows=("less y′", f"÷ {n_labels}"),
        ),
    )


# ---- the batch -----------------------------------------------------------------------------------------------


def _pair_names(scene: UpdateScene) -> tuple[str, ...]:
    decode = scene.run.src_tokenizer.decode
    rows = scene.update.batch.src.tolist()
    kept = ([token for token in row if token not in (scene.run.config.pad_id,)] for row in rows)
    return tuple(f"{number}  {decode(ids)}" for number, ids in enumerate(kept))


def _batch_tensors(scene: UpdateScene, pair: int) -> dict[str, TensorData]:
    update = scene.update
    labels = update.batch.tgt_out
    padding = (labels == update.config.pad_id).numpy()
    n_pairs, length = labels.shape
    pairs, positions = Axis("pair", n_pairs), Axis("position", length)
    loss = update_values(update, f"{PREFIX}token_loss")
    tensors = {
        "loss": TensorData(
            f"{PREFIX}token_loss", array_of(loss), (pairs, positions), lead=(), scale="size", hidden=padding
        )
    }
    prob, label = (update_values(update, f"{PREFIX}{part}")[pair] for part in ("prob", "label"))
    size = update.config.tgt_vocab_size
    hot = torch.stack([smoothed_target(token, size, 0.0) for token in labels[pair].tolist()])
    shown: dict[str, tuple[str, Tensor, Scale, bool]] = {
        "hot": ("update.label before smoothing", hot, "weight", False),
        "label": ("label", label, "weight", True),
        "prob": ("prob", prob, "weight", True),
        "error": ("update.prob − update.label", prob - label, "signed", False),
        "logits": ("logit_gradient", update_values(update, f"{PREFIX}logit_gradient")[pair], "signed", True),
    }
    one = Axis("pair", n_pairs, places=(pair,))
    reads, writes = (tuple(scene.token(side, pair, t) for t in range(length)) for side in ("target", "label"))
    named = decoder_rows("position", reads, writes)
    tokens = Axis("vocab", size, tuple(scene.run.tgt_tokenizer.vocabulary.tokens), "target")
    real = np.flatnonzero(~padding[pair]).tolist()
    places = _shown_tokens(scene, pair)
    for key, (part, values, scale, askable) in shown.items():
        site = f"{PREFIX}{part}" if askable else part
        data = array_of(values)[None]
        whole = TensorData(site, data, (one, named, tokens), lead=(), scale=scale, askable=askable)
        # Padding asks for nothing.
        tensor = windowed(whole, "position", real, "")
        tensors[key] = (
            tensor if places is None else windowed(tensor, "vocab", places, _window_words(places, size))
        )
    return tensors


def _shown_tokens(scene: UpdateScene, pair: int) -> tuple[int, ...] | None:
    """The labels of a pair and the tokens that the model finds most probable; None: the whole vocabulary."""
    size = scene.update.config.tgt_vocab_size
    if size <= SHOWN_TOKENS:
        return None
    labels = scene.update.batch.tgt_out[pair]
    own = [token for token in dict.fromkeys(labels.tolist()) if token != scene.update.config.pad_id]
    likely = update_values(scene.update, f"{PREFIX}prob")[pair][labels != scene.update.config.pad_id]
    order = likely.max(dim=0).values.sort(descending=True, stable=True).indices.tolist()
    others = [token for token in order if token not in set(own)]
    return (*own, *others[: max(0, SHOWN_TOKENS - len(own))])


def _window_words(places: tuple[int, ...], size: int) -> str:
    return (
        f"The labels of this pair and the most probable others: {len(places)} of {format_count(size)} tokens."
    )


# ---- a parameter ---------------------------------------------------------------------------------------------


def _parameter_tensor(scene: UpdateScene, name: str, part: str) -> TensorData:
    site = f"{PREFIX}{part}.{name}"
    values = update_values(scene.update, site)
    scale: Scale = (
        "size" if part in ("second_moment", "second_moment_before", "corrected_second") else "signed"
    )
    axes = parameter_axes(name, tuple(values.shape), scene.run)
    tensor = _of_parameter(scene, name, TensorData(site, array_of(values), axes, lead=(), scale=scale))
    rows = _shown_rows(scene, name)
    return tensor if rows is None else windowed(tensor, axes[0].name, rows, _rows_words(rows, axes[0].size))


def _of_parameter(scene: UpdateScene, name: str, tensor: TensorData) -> TensorData:
    """The tensor at the parameter's place among all, which the chooser follows and no cell's index has."""
    names = scene.update.parameters
    axis = Axis("parameter", len(names), places=(names.index(name),))
    return replace(tensor, values=tensor.values[None], axes=(axis, *tensor.axes), index=tensor.index_axes)


def _shown_rows(scene: UpdateScene, name: str) -> tuple[int, ...] | None:
    """The rows with the largest gradients, in their order; None: all."""
    gradient = scene.update.of("gradient", name)
    if gradient.numel() <= MAX_CELLS or gradient.dim() == 1:
        return None
    count = max(1, MAX_CELLS // gradient.shape[1])
    return tuple(sorted(gradient.norm(dim=1).topk(count).indices.tolist()))


def _rows_words(rows: tuple[int, ...], size: int) -> str:
    return f"The {len(rows)} of {format_count(size)} rows with the largest gradients."


def _product(scene: UpdateScene, name: str) -> dict[str, TensorData] | None:
    """Both factors of the product that a matrix's gradient is, at the tokens with the largest shares; else None."""
    uses = scene.update.uses_of(name)
    if len(uses) != 1 or uses[0].kind != "linear" or uses[0].weight != name:
        return None
    (use,) = uses
    dy, x = scene.update.tensors[f"dy/{use.key}"], scene.update.tensors[f"x/{use.read}"]
    shares = (dy.norm(dim=-1) * x.norm(dim=-1)).flatten()
    places = shares.topk(min(SHOWN_TERMS, len(shares))).indices.tolist()
    outputs, inputs = parameter_axes(name, tuple(scene.update.of("before", name).shape), scene.run)
    tokens = Axis("token", len(shares), _token_labels(scene, use), use.side)
    words = f"The {len(places)} tokens of the batch with the largest shares; the sum runs over all {len(shares):,}."
    made = {
        "dy": TensorData(
            f"∂L/∂y of {name}", array_of(dy.flatten(0, 1).T), (outputs, tokens), askable=False, lead=()
        ),
        "x": TensorData(f"x of {name}", array_of(x.flatten(0, 1)), (tokens, inputs), askable=False, lead=()),
    }
    made = {
        key: _of_parameter(scene, name, windowed(tensor, "token", places, words))
        for key, tensor in made.items()
    }
    rows = _shown_rows(scene, name)
    if rows is not None:
        made["dy"] = windowed(made["dy"], outputs.name, rows, _rows_words(rows, outputs.size))
    return made


def _token_labels(scene: UpdateScene, use: Use) -> tuple[str, ...]:
    n_pairs, length = scene.update.tensors[f"x/{use.read}"].shape[:2]
    return tuple(
        f"{scene.token(use.side, row, position)}({row},{position})"
        for row in range(n_pairs)
        for position in range(length)
    )


def _parameter_stages(scene: UpdateScene, name: str, is_product: bool) -> tuple[Stage, ...]:
    """From the gradient of a parameter to its new weights, by Adam."""
    axes = parameter_axes(name, tuple(scene.update.of("before", name).shape), scene.run)
    *rows, columns = ((axis.name,) for axis in axes)
    across = rows[0] if rows else ()

    def panel(tensor: str, title: str, group: str = "") -> Panel:
        return Panel(tensor, title, across, columns, group)

    factors = (Panel("dy", "∂L/∂yᵀ", across, TERMS), Panel("x", "x", TERMS, columns))
    gradient = panel("gradient", "g")
    return (
        Stage(
            "gradient",
            "Gradient",
            "product" if is_product else "one",
            (*factors, gradient) if is_product else (gradient,),
            formula="g = Σ ∂L/∂y · x, over all tokens" if is_product else "g = ∂L/∂w, a sum over all tokens",
            note="How the loss grows with each weight.",
        ),
        Stage(
            "clipping",
            "Clipping",
            "map",
            (panel("gradient", "g", "g"), panel("clipped", "clipped g", "g")),
            formula=f"clipped g = g · min(1, {scene.update.training.clip_norm:g} / (‖g‖ + 10⁻⁶))",
            note="One factor for all parameters: the whole gradient keeps its direction and loses length.",
            arrows=("times the factor",),
        ),
        *_moment_stages(scene.update.training, panel),
        _change_stage(scene.update.training, raised(scene.update.step.index + 1), panel),
        Stage(
            "weights",
            "Weights",
            "sum",
            (panel("weight_before", "w before", "w"), panel("change", "Δ"), panel("weight", "w after", "w")),
            formula="w′ = w + Δ",
            note="What the next update begins with.",
        ),
    )


def _moment_stages(training: TrainConfig, panel: Callable[..., Panel]) -> tuple[Stage, Stage]:
    """Adam's running means of the clipped gradient and of its square."""
    first, second = training.adam_beta1, training.adam_beta2
    return (
        Stage(
            "first_moment",
            "First moment",
            "map",
            (panel("first_moment_before", "m before", "m"), panel("first_moment", "m after", "m")),
            formula=f"m′ = {first:g} · m + {1 - first:.3g} · g",
            note="A running mean of the clipped gradients: what has pointed the same way again and again is large.",
            arrows=("kept in part, g added",),
        ),
        Stage(
            "second_moment",
            "Second moment",
            "map",
            (panel("second_moment_before", "v before", "v"), panel("second_moment", "v after", "v")),
            formula=f"v′ = {second:g} · v + {1 - second:.3g} · g²",
            note="A running mean of the squares: how large the gradients of each weight have been, of any sign.",
            arrows=("kept in part, g² added",),
        ),
    )


def _change_stage(training: TrainConfig, power: str, panel: Callable[..., Panel]) -> Stage:
    """What Adam adds to a weight, from its corrected means; they are corrected by β to the power of the update."""
    first, second = training.adam_beta1, training.adam_beta2
    return Stage(
        "change",
        "Change",
        "map",
        (panel("corrected_first", "m̂"), panel("corrected_second", "v̂"), panel("change", "Δ")),
        formula=f"Δ = −η · m̂ / (√v̂ + ε),  m̂ = m′ / (1 − {first:g}{power}),  v̂ = v′ / (1 − {second:g}{power})",
        note="A weight moves by about the learning rate η at most: the size of its gradient cancels, and what counts "
        "is how steadily it has pointed one way.",
        arrows=("÷ (√v̂ + ε), with v̂", "× −η"),
    )
