"""Ablation: what a model loses when one of its heads or hidden units is taken away.

After Michel et al., "Are Sixteen Heads Really Better than One?" (2019).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.activations.record import Edit, edit, match_sites, record
from core.errors import CaptureError, InputError
from core.model.transformer import Transformer

Edits = dict[str, Edit]


@dataclass(frozen=True)
class AblationEffect:
    """A teacher-forced batch before and after an ablation.

    Attributes:
        loss_before: Mean of -log p over the labels, in nats, without smoothing; padding does not count.
        loss_after: The same with the ablation.
        log_prob_change: Each label's log p after minus before, in nats [batch, position]; 0 at padding.
        changed: True where another token has become the most probable [batch, position]; False at padding.
    """

    loss_before: float
    loss_after: float
    log_prob_change: Tensor
    changed: Tensor

    @property
    def loss_change(self) -> float:
        """How much worse the ablation makes the model, in nats; below 0 when it is better without."""
        return self.loss_after - self.loss_before


@dataclass(frozen=True)
class HeadImportance:
    """One head with what its ablation does.

    Attributes:
        attention: Module path, such as ``decoder.layers.1.cross_attn``.
        head: Counted from 0.
        effect: Of setting the head's context to zero.
    """

    attention: str
    head: int
    effect: AblationEffect


@dataclass(frozen=True)
class _Measured:
    """One forward pass: each label's log p and the most probable token, both [batch, position]."""

    log_prob: Tensor
    most_probable: Tensor


def ablate_head(path: str, head: int, *, mean: Tensor | None = None) -> Edits:
    """Edits for `edit` that set one head's context to zero, or to its mean.

    Args:
        path: Of the attention, such as ``decoder.layers.1.cross_attn``; or a pattern of several.
        head: Counted from 0.
        mean: Every head's mean context [head, d_head], from `mean_activation`; None means zero.

    Raises:
        CaptureError: when head is below 0; and, once the model runs, when it or mean does not fit.
    """
    _check_index("head", head)
    name = f"{path}.context"

    def without_head(context: Tensor) -> Tensor:  # [batch, head, query, d_head]
        _check_fit("head", head, name, context.shape[1])
        edited = context.clone()
        edited[:, head] = 0.0 if mean is None else _fitting(mean, name, context[0, :, 0])[head]
        return edited

    return {name: without_head}


def ablate_neuron(path: str, neuron: int, *, mean: Tensor | None = None) -> Edits:
    """Edits for `edit` that set one hidden unit of a feed-forward network to zero, or to its mean.

    Args:
        path: Of the network, such as ``encoder.layers.0.feed_forward``; or a pattern of several.
        neuron: Which of the d_ff hidden units, counted from 0.
        mean: Every unit's mean [d_ff], from `mean_activation`; None means zero.

    Raises:
        CaptureError: when neuron is below 0; and, once the model runs, when it or mean does not fit.
    """
    _check_index("neuron", neuron)
    name = f"{path}.hidden"

    def without_neuron(hidden: Tensor) -> Tensor:  # [batch, position, d_ff]
        _check_fit("neuron", neuron, name, hidden.shape[2])
        edited = hidden.clone()
        edited[..., neuron] = 0.0 if mean is None else _fitting(mean, name, hidden[0, 0])[neuron]
        return edited

    return {name: without_neuron}


def combine_edits(*several: Mapping[str, Edit]) -> Edits:
    """One mapping that does all of them, in this order; merging dicts would drop all but one of a site."""
    combined: Edits = {}
    for edits in several:
        for name, function in edits.items():
            combined[name] = _after(combined[name], function) if name in combined else function
    return combined


@torch.no_grad()
def mean_activation(model: Transformer, name: str, src: Tensor, tgt_in: Tensor) -> Tensor:
    """The mean of a ``….context`` or ``….hidden`` site over all positions of a batch that are no padding.

    The batch should be another than the one that is ablated: a mean over a sentence's own positions
    would tell each of them what the later ones hold.

    Returns:
        [head, d_head] or [d_ff], on the CPU.

    Raises:
        UnknownSite: when the model has no such site.
        CaptureError: when the site is neither of the two, or a pattern of several.
        InputError: when the model is in training mode.
    """
    _check_evaluating(model)
    found = match_sites(model, name)
    if len(found) > 1 or found[0].value not in ("context", "hidden"):
        raise CaptureError(f"a mean is taken of one ….context or ….hidden site, not of {name!r}")
    site = found[0]
    with record(model, site.name) as activations:
        model(src, tgt_in)
    ids = (src if site.location.side == "source" else tgt_in).cpu()
    value = activations[site.name]
    by_position = value.transpose(1, 2) if site.value == "context" else value  # [batch, position, ...]
    return by_position[ids != model.config.pad_id].mean(dim=0)


@torch.no_grad()
def ablation_effect(
    model: Transformer, src: Tensor, tgt_in: Tensor, tgt_out: Tensor, edits: Mapping[str, Edit]
) -> AblationEffect:
    """Run the model without and with the edits, under teacher forcing.

    Both runs take the eager attention, so that no edits give no difference in any bit. Edits that are
    already open around the call act in both. Nothing stays on the model.

    Args:
        model: In evaluation mode.
        src: Source ids [batch, source position].
        tgt_in: Target ids shifted right [batch, position].
        tgt_out: Labels [batch, position].
        edits: As for `edit`: from `ablate_head`, `ablate_neuron`, `combine_edits`, or your own.

    Raises:
        InputError: when the model is in training mode, or the labels do not fit.
        UnknownSite: when an edit matches no site.
        CaptureError: when an edit does not fit its site.
    """
    _check_evaluating(model)
    _check_labels(model, tgt_in, tgt_out)
    before = _measure(model, src, tgt_in, tgt_out, {})
    return _effect(before, _measure(model, src, tgt_in, tgt_out, edits), _counts(model, tgt_out))


@torch.no_grad()
def head_importance(
    model: Transformer, src: Tensor, tgt_in: Tensor, tgt_out: Tensor
) -> tuple[HeadImportance, ...]:
    """Zero-ablate every head of the model, one at a time: 1 + (n_encoder + 2·n_decoder)·n_heads passes.

    Heads can stand in for each other, so the losses of single heads do not add up.

    Args:
        model: In evaluation mode.
        src: Source ids [batch, source position].
        tgt_in: Target ids shifted right [batch, position].
        tgt_out: Labels [batch, position].

    Returns:
        The heads in the order of the computation: attention by attention, each from head 0.

    Raises:
        InputError: when the model is in training mode, or the labels do not fit.
    """
    _check_evaluating(model)
    _check_labels(model, tgt_in, tgt_out)
    before, counts = _measure(model, src, tgt_in, tgt_out, {}), _counts(model, tgt_out)
    attentions = [site.path for site in model.sites() if site.value == "context"]
    return tuple(
        HeadImportance(
            path,
            head,
            _effect(before, _measure(model, src, tgt_in, tgt_out, ablate_head(path, head)), counts),
        )
        for path in attentions
        for head in range(model.config.n_heads)
    )


def _measure(
    model: Transformer, src: Tensor, tgt_in: Tensor, tgt_out: Tensor, edits: Mapping[str, Edit]
) -> _Measured:
    # Also with no edits: the open block makes attention eager, and the fused kernel rounds otherwise.
    with edit(model, edits):
        log_probs = model(src, tgt_in).log_softmax(dim=-1)  # [batch, position, vocab]
    labels = tgt_out.to(log_probs.device, torch.int64)[..., None]
    return _Measured(log_probs.gather(2, labels)[..., 0].cpu(), log_probs.argmax(dim=-1).cpu())


def _effect(before: _Measured, after: _Measured, counts: Tensor) -> AblationEffect:
    return AblationEffect(
        loss_before=-float(before.log_prob[counts].mean()),
        loss_after=-float(after.log_prob[counts].mean()),
        log_prob_change=(after.log_prob - before.log_prob).masked_fill(~counts, 0.0),
        changed=(after.most_probable != before.most_probable) & counts,
    )


def _counts(model: Transformer, tgt_out: Tensor) -> Tensor:
    """Where labels are not padding [batch, position]."""
    return (tgt_out != model.config.pad_id).cpu()


def _after(first: Edit, second: Edit) -> Edit:
    return lambda value: second(first(value))


def _check_index(kind: str, index: int) -> None:
    if index < 0:
        raise CaptureError(f"count each {kind} from 0; {index} is below it")


def _check_fit(kind: str, index: int, name: str, size: int) -> None:
    if index >= size:
        raise CaptureError(f"{kind} {index} is outside of {name!r}, which has {size}")


def _fitting(mean: Tensor, name: str, like: Tensor) -> Tensor:
    """The mean on the value's device and in its dtype."""
    if mean.shape != like.shape:
        raise CaptureError(
            f"the mean of {name!r} must have the shape {list(like.shape)}, not {list(mean.shape)}"
        )
    return mean.to(like)


def _check_evaluating(model: Transformer) -> None:
    if model.training:
        raise InputError("the model is in training mode, where dropout hides the effect; call model.eval()")


def _check_labels(model: Transformer, tgt_in: Tensor, tgt_out: Tensor) -> None:
    """One label for each position, at least one of them no padding."""
    if tgt_out.shape != tgt_in.shape:
        raise InputError(
            f"labels {list(tgt_out.shape)} must have the shape of the target ids {list(tgt_in.shape)}"
        )
    if (tgt_out == model.config.pad_id).all():
        raise InputError("labels of padding alone have no loss; give at least one token")
    vocab_size = model.config.tgt_vocab_size
    if tgt_out.min() < 0 or tgt_out.max() >= vocab_size:
        wrong = int(tgt_out.min() if tgt_out.min() < 0 else tgt_out.max())
        raise InputError(f"label {wrong} is outside the vocabulary of {vocab_size} tokens")
