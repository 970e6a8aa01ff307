"""Direct attribution: a logit, or a score of attention, as an exact sum over the parts that wrote it.

The residual stream is a sum: of the embedding, of every head, of every feed-forward network, of biases. A norm is
linear once its σ is held as it was, x → γ ⊙ (x - mean x)/σ + β; so each part can be followed through every later norm
to the row of the output matrix. After Elhage et al., "A Mathematical Framework for Transformer Circuits" (2021), where
norms are left out; with them as in Wang et al., "Interpretability in the Wild" (2022).

It is the direct path: what a feed-forward network, or a later head, has made of a part counts as theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from core.activations.location import EMBEDDINGS, Stack
from core.activations.record import match_sites
from core.activations.sites import sublayers
from core.activations.trace import Trace
from core.analysis.attention_statistics import alignment_error_rate
from core.device import DTYPES
from core.errors import CaptureError, InputError
from core.model.add_norm import LayerNorm
from core.model.attention import MultiHeadAttention
from core.model.feed_forward import FeedForward
from core.model.transformer import Transformer
from core.notebook import Brief, Shade, html_table, listed
from core.numbers import is_whole

Kind = Literal["token", "position", "head", "feed_forward", "bias"]

ROUNDINGS = 8
"""How many ε of Σ|terms| the parts' sum may be off: what the model itself has rounded on its way."""


@dataclass(frozen=True)
class Part:
    """What has written a summand of the residual stream.

    Attributes:
        kind: The embedding's token or position, a head, a feed-forward network without its bias, or a bias: b_O of an
            attention, b₂ of a feed-forward network, β of a norm; of a score also b_Q and b_K.
        path: The module that it belongs to: ``decoder.layers.1.cross_attn``.
        head: Counted from 0; None for all but heads.
    """

    kind: Kind
    path: str
    head: int | None = None


@dataclass(frozen=True, repr=False)
class LogitAttribution(Brief):
    """A logit, or the difference of two, by what has written it.

    Attributes:
        step: Whose logit, counted from 0.
        token: Its id.
        rival: Id of the token whose logit is taken off; None where it is one token's logit.
        value: As the model computed it.
        parts: In the order of the computation.
        contributions: Of each part, float64 [part]; they sum to the value.
        by_key: Each head's contribution by the position that it read, float64 [key]; None for all other parts.
        tolerance: How far the sum may be off by rounding: 8·ε·Σ|terms|, of all products on the way.
    """

    step: int
    token: int
    rival: int | None
    value: float
    parts: tuple[Part, ...]
    contributions: Tensor
    by_key: tuple[Tensor | None, ...]
    tolerance: float

    def _repr_html_(self) -> str:
        """Show the parts by the size of what they contribute, the largest first."""
        title = f"Logit of token {self.token} at step {self.step}"
        title += "" if self.rival is None else f" less that of token {self.rival}"
        scale = float(self.contributions.abs().max())
        found = sorted(
            zip(self.contributions.tolist(), self.parts, strict=True), key=lambda pair: -abs(pair[0])
        )
        rows = [
            (part.path, part.kind, "" if part.head is None else part.head, Shade(value, scale, 4))
            for value, part in found
        ]
        return html_table(
            f"{title}: {self.value:.4f}", listed(rows), head=("module", "part", "head", "contribution")
        )


@dataclass(frozen=True, repr=False)
class ScoreAttribution(Brief):
    """A score of attention by what has written the query's side and the key's.

    Attributes:
        value: q·k/√d_head, as the model computed it.
        query_parts: What has written the vector that the query is made of; b_Q last.
        key_parts: Likewise of the key; b_K last.
        terms: The share of each pair, float64 [query part, key part]; they sum to the value.
        tolerance: As of LogitAttribution.
    """

    value: float
    query_parts: tuple[Part, ...]
    key_parts: tuple[Part, ...]
    terms: Tensor
    tolerance: float


@torch.no_grad()
def attribute_logit(
    model: Transformer, trace: Trace, step: int, token: int | None = None, *, rival: int | None = None
) -> LogitAttribution:
    """Take a logit apart, exactly, with the σ of each norm held as it was.

    Args:
        model: That made the trace; in evaluation mode.
        trace: With every site of the decoder, such as ``run.trace(text)``.
        step: Whose logit, counted from 0.
        token: Id of the token; by default the one that is written there.
        rival: A token whose logit is taken off, so that the parts say why the one and not the other.

    Raises:
        InputError: when there is no such step or token.
        UnknownSite: when the trace has not what is needed.
        CaptureError: when the parts do not add up, because a value was set on the way.
    """
    _check("step", step, len(trace.tgt_out))
    token = int(trace.tgt_out[step]) if token is None else token
    for id in (token, *(() if rival is None else (rival,))):
        _check("token", id, model.config.tgt_vocab_size)
    rows, logits = model.generator.weight.double().cpu(), trace.logits[step].double()
    direction, value = rows[token], float(logits[token])
    if rival is not None:
        direction, value = direction - rows[rival], value - float(logits[rival])
    stream = _Stream(model, trace, "decoder", step).to_the_end()
    terms = [vectors * direction for vectors in stream.vectors]  # [1 or key, d_model]
    by_key = tuple(
        each.sum(dim=-1) if part.kind == "head" else None
        for part, each in zip(stream.parts, terms, strict=True)
    )
    contributions = torch.stack([each.sum() for each in terms])
    sides = [rows[token]] if rival is None else [rows[token], rows[rival]]
    largest = sum(float((vectors * side).abs().sum()) for vectors in stream.vectors for side in sides)
    tolerance = _tolerance(model, largest)
    _check_sum("logit", float(contributions.sum()), value, tolerance)
    return LogitAttribution(step, token, rival, value, tuple(stream.parts), contributions, by_key, tolerance)


@torch.no_grad()
def attribute_score(
    model: Transformer, trace: Trace, attention: str, head: int, query: int, key: int
) -> ScoreAttribution:
    """Take a score q·k apart, exactly, into what earlier parts have written into query and key.

    Args:
        model: That made the trace; in evaluation mode.
        trace: With every site.
        attention: Path of the attention, such as ``decoder.layers.1.cross_attn``.
        head: Counted from 0.
        query: Position that looks.
        key: Position that is looked at.

    Raises:
        InputError: when there is no such head or position.
        UnknownSite: when the model has no such attention, or the trace not what is needed.
        CaptureError: when the parts do not add up, because a value was set on the way.
    """
    (site,) = match_sites(model, f"{attention}.scores")[:1]
    place, scores = site.location, trace.activations[site.name][0]
    for what, index, size in zip(("head", "query", "key"), (head, query, key), scores.shape, strict=True):
        _check(what, index, size)
    asks = _Stream(model, trace, place.stack, query).until(place.path)
    if place.crosses:
        answers = _Stream(model, trace, "encoder", key).to_the_end()
    else:
        answers = _Stream(model, trace, place.stack, key).until(place.path)
    block = model.get_submodule(place.path)
    assert isinstance(block, MultiHeadAttention)
    rows = slice(head * model.config.d_head, (head + 1) * model.config.d_head)
    b_q, b_k = (None, None) if block.in_proj.bias is None else block.in_proj.bias.chunk(3)[:2]
    q, q_size = _projected(asks, block.w_q[rows], None if b_q is None else b_q[rows], place.path)
    k, k_size = _projected(answers, block.w_k[rows], None if b_k is None else b_k[rows], place.path)
    value, scale = float(scores[head, query, key]), model.config.score_scale
    terms = q @ k.T * scale
    tolerance = _tolerance(model, float((q_size * k_size).sum()) * scale)
    _check_sum("score", float(terms.sum()), value, tolerance)
    return ScoreAttribution(value, tuple(asks.parts), tuple(answers.parts), terms, tolerance)


@torch.no_grad()
def source_attributions(model: Transformer, trace: Trace) -> Tensor:
    """What each source token adds to the logit of each written token, through cross-attention's heads.

    Beside the attention's weights it shows where what is read is not what is used; as an alignment it has an error rate
    like them (`core.analysis.attention_statistics.alignment_error_rate`).

    Args:
        model: That made the trace; in evaluation mode.
        trace: With every site of the decoder.

    Returns:
        float64 [target position, source position].

    Raises:
        CaptureError: as attribute_logit.
    """
    rows = []
    for step in range(len(trace.tgt_out)):
        found = attribute_logit(model, trace, step)
        crossing = [
            of_keys
            for part, of_keys in zip(found.parts, found.by_key, strict=True)
            if of_keys is not None and _crosses(model, part)
        ]
        rows.append(torch.stack(crossing).sum(dim=0))
    return torch.stack(rows)


@dataclass(frozen=True)
class AlignmentErrors:
    """How far the largest value of each written token is from a known alignment, from 0 to 1; see Och and Ney (2003).

    Attributes:
        read: By the weights of the last layer's cross-attention, in the mean of its heads; None where no token is
            aligned.
        used: By what each source token adds to the written token's logit.
    """

    read: float | None
    used: float | None


def alignment_errors(model: Transformer, trace: Trace, gold: Tensor) -> AlignmentErrors:
    """The alignment error rate of what is read, beside that of what is used.

    Args:
        model: That made the trace; in evaluation mode.
        trace: With every site of the decoder.
        gold: Bool [target position, source position], as `core.analysis.attention_statistics.gold_mask` makes it.

    Raises:
        CaptureError: as attribute_logit.
        InputError: when gold has another shape.
    """
    last = f"decoder.layers.{model.config.n_decoder_layers - 1}.cross_attn.weights"
    return AlignmentErrors(
        alignment_error_rate(trace.activations[last][0].double().mean(dim=0), gold),
        alignment_error_rate(source_attributions(model, trace), gold),
    )


class _Stream:
    """The residual stream of a stack at one position, taken apart.

    Attributes:
        parts: What has written to it so far.
        vectors: What each has written, as the norms so far have left it, float64 [1 or key, d_model].
    """

    def __init__(self, model: Transformer, trace: Trace, stack: Stack, position: int) -> None:
        self.parts: list[Part] = []
        self.vectors: list[Tensor] = []
        self._model, self._values, self._stack, self._position = model, trace.activations, stack, position

    def to_the_end(self) -> _Stream:
        """The stack's output."""
        return self.until(None)

    def until(self, path: str | None) -> _Stream:
        """What the sub-layer of this path reads; the stack's output for None."""
        config = self._model.config
        pre = config.norm_position == "pre"
        embedding = EMBEDDINGS[self._stack]
        self._write(Part("token", embedding), self._at(f"{embedding}.tokens"))
        if config.positional != "none":
            self._write(Part("position", embedding), self._at(f"{embedding}.positions"))
        for sublayer in sublayers(config, self._stack):
            if sublayer == path:
                if pre:
                    self._normalise(f"{sublayer}_norm")
                return self
            self._run(sublayer)
            if not pre:
                self._normalise(f"{sublayer}_add_norm")
        if config.has_final_norm:
            self._normalise(f"{self._stack}.final_norm")
        return self

    def _run(self, path: str) -> None:
        """Add what a sub-layer writes."""
        block = self._model.get_submodule(path)
        if isinstance(block, FeedForward):
            hidden = self._at(f"{path}.hidden")
            self._write(Part("feed_forward", path), hidden @ _exact(block.linear2.weight).T)
            self._write(Part("bias", path), _exact(block.linear2.bias))
            return
        assert isinstance(block, MultiHeadAttention)
        weights = self._values[f"{path}.weights"][0, :, self._position].double()  # [head, key]
        values = self._values[f"{path}.v"][0].double()  # [head, key, d_head]
        w_o = _exact(block.out_proj.weight).unflatten(1, values.shape[::2])  # [d_model, head, d_head]
        for head in range(len(values)):
            read = weights[head, :, None] * values[head]  # [key, d_head]
            self._write(Part("head", path, head), read @ w_o[:, head].T)
        if block.out_proj.bias is not None:
            self._write(Part("bias", path), _exact(block.out_proj.bias))

    def _normalise(self, path: str) -> None:
        """Send every part through a norm whose σ is as it was, and add its β."""
        norm = self._model.get_submodule(path)
        assert isinstance(norm, LayerNorm)
        # Of the values that the norm read, and in float64: what the parts sum to.
        deviation = (self._at_variance(path) + norm.eps).sqrt()
        gamma = _exact(norm.weight)
        self.vectors = [gamma * (each - each.mean(dim=-1, keepdim=True)) / deviation for each in self.vectors]
        self._write(Part("bias", path), _exact(norm.bias))

    def _write(self, part: Part, vectors: Tensor) -> None:
        self.parts.append(part)
        self.vectors.append(vectors if vectors.dim() == 2 else vectors[None])

    def _at(self, site: str) -> Tensor:
        return self._values[site][0, self._position].double()

    def _at_variance(self, path: str) -> Tensor:
        (read,) = self._values.site(f"{path}.variance").inputs
        return self._at(read).var(unbiased=False)


def _projected(stream: _Stream, weight: Tensor, bias: Tensor | None, path: str) -> tuple[Tensor, Tensor]:
    """Each part as one head projects it [part, d_head], with b_Q or b_K as a part, and Σ|terms| of each number."""
    rows = _exact(weight)  # [d_head, d_model]
    if bias is not None:
        stream.parts.append(Part("bias", path))
    vectors = torch.stack([each.sum(dim=0) for each in stream.vectors])
    projected, sizes = vectors @ rows.T, vectors.abs().sum(dim=0) @ rows.abs().T
    if bias is None:
        return projected, sizes
    return torch.cat((projected, _exact(bias)[None])), sizes + _exact(bias).abs()


def _exact(parameter: Tensor) -> Tensor:
    return parameter.detach().cpu().double()


def _crosses(model: Transformer, part: Part) -> bool:
    return match_sites(model, f"{part.path}.weights")[0].location.crosses


def _tolerance(model: Transformer, terms: float) -> float:
    return ROUNDINGS * torch.finfo(DTYPES[model.config.dtype]).eps * terms


def _check_sum(what: str, found: float, value: float, tolerance: float) -> None:
    if not abs(found - value) <= tolerance:
        raise CaptureError(
            f"the parts of this {what} sum to {found:.6g} and not to {value:.6g}: a value was set on the way; "
            "attribute the run as it was trained"
        )


def _check(what: str, index: object, size: int) -> None:
    if not is_whole(index, 0, size - 1):
        raise InputError(f"choose a {what} from 0 to {size - 1}, not {index!r}")
