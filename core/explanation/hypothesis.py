"""What is computed of a whole hypothesis: its loss under teacher forcing, its log-probability, its beam score."""

import math

from core.activations.trace import Trace
from core.config import BeamConfig
from core.decoding.beam import beam_score, length_penalty
from core.errors import InputError
from core.explanation.cell import epsilon
from core.explanation.explanation import Explanation, Operand, Term
from core.run import Run
from core.training.loss import label_smoothed_cross_entropy

ALPHA = BeamConfig().length_penalty
"""α of the beam score, as in section 6.1."""

_MEANINGS = {
    "hypothesis.prob": "Probability of a token as the next one: its log-probability, undone.",
    "hypothesis.token_loss": "Cross-entropy of one label, with label smoothing.",
    "hypothesis.loss": "Mean of the token losses: what training makes smaller.",
    "hypothesis.log_prob": "Log-probability of the whole output.",
    "hypothesis.score": "The log-probability, divided by a penalty so that longer outputs can compete.",
}
HYPOTHESIS_SITES = frozenset(_MEANINGS)
_AXES = {"hypothesis.prob": 2, "hypothesis.token_loss": 1}


def explain_hypothesis(run: Run, trace: Trace, site: str, index: tuple[int, ...]) -> Explanation:
    """One of the numbers of the whole hypothesis, or of one of its steps.

    ``hypothesis.prob`` is indexed by step and token id, ``hypothesis.token_loss`` by the step, the others by nothing.

    Raises:
        InputError: when the index does not fit.
    """
    n_axes = _AXES.get(site, 0)
    if len(index) != n_axes:
        raise InputError(f"{site} takes {n_axes} numbers as index, not {len(index)}")
    function = {
        "hypothesis.prob": _prob,
        "hypothesis.token_loss": _token_loss,
        "hypothesis.loss": _loss,
        "hypothesis.log_prob": _log_prob,
        "hypothesis.score": _score,
    }[site]
    return function(run, trace, index)


def _prob(run: Run, trace: Trace, index: tuple[int, ...]) -> Explanation:
    shape = tuple(trace.logits.shape)
    if not all(-size <= place < size for place, size in zip(index, shape, strict=True)):
        raise InputError(f"index {list(index)} is outside of the {shape[0]} steps and {shape[1]} tokens")
    t, v = (place % size for place, size in zip(index, shape, strict=True))
    log_prob = float(trace.activations["generator.log_probs"][0, t, v])
    operand = Operand(r"\log P_t(v)", log_prob, "generator.log_probs", (0, t, v))
    result = math.exp(log_prob)
    return Explanation(
        site="hypothesis.prob",
        index=(t, v),
        kind="function",
        meaning=_MEANINGS["hypothesis.prob"],
        formula=r"P_t(v) = e^{\log P_t(v)}",
        formula_with_sizes=rf"P_{{{t}}}({v}) = e^{{\log P_{{{t}}}({v})}}",
        terms=(Term("argument", (operand,), log_prob),),
        result=result,
        recorded=trace.logits[t].softmax(-1)[v].item(),
        # A rounding of the logarithm moves its exponential by as much, relatively.
        magnitude=result * (1 + abs(log_prob)),
        eps=epsilon(run.config),
    )


def _token_loss(run: Run, trace: Trace, index: tuple[int, ...]) -> Explanation:
    (t,) = index
    length = len(trace.tgt_out)
    if not -length <= t < length:
        raise InputError(f"position {t} is outside of the {length} produced tokens")
    t %= length
    label, n_tokens = int(trace.tgt_out[t]), run.config.tgt_vocab_size
    alpha = run.train_config.label_smoothing
    log_probs = trace.activations["generator.log_probs"][0, t].tolist()
    terms = []
    for v, log_prob in enumerate(log_probs):
        share = (1 - alpha) * (v == label) + alpha / n_tokens
        operands = (
            Operand("y'_v", share),
            Operand(r"\log P(v)", log_prob, "generator.log_probs", (0, t, v)),
        )
        terms.append(Term(f"v = {v}", operands, -share * log_prob))
    return _sum(
        run,
        "hypothesis.token_loss",
        (t,),
        r"L_t = -\sum_v y'_v \log P_t(v), \qquad y'_v = (1-\alpha)[v = y_t] + \frac{\alpha}{V}",
        rf"L_{{{t}}} = -\sum_{{v=0}}^{{{n_tokens - 1}}} y'_v \log P_{{{t}}}(v), \qquad "
        rf"\alpha = {alpha:g},\; V = {n_tokens},\; y_{{{t}}} = {label}",
        tuple(terms),
        _trainers_loss(run, trace, slice(t, t + 1), alpha),
        used_by=("hypothesis.loss",),
    )


def _loss(run: Run, trace: Trace, index: tuple[int, ...]) -> Explanation:
    losses = [_token_loss(run, trace, (t,)).result for t in range(len(trace.tgt_out))]
    terms = tuple(
        Term(f"t = {t}", (Operand("L_t", loss, "hypothesis.token_loss", (t,)),), loss)
        for t, loss in enumerate(losses)
    )
    n = len(losses)
    return _sum(
        run,
        "hypothesis.loss",
        (),
        r"L = \frac{1}{T} \sum_t L_t",
        rf"L = \frac{{1}}{{{n}}} \sum_{{t=0}}^{{{n - 1}}} L_t",
        terms,
        _trainers_loss(run, trace, slice(None), run.train_config.label_smoothing),
        Operand("1/T", 1 / n),
    )


def _log_prob(run: Run, trace: Trace, index: tuple[int, ...]) -> Explanation:
    recorded = trace.activations["generator.log_probs"][0]
    terms = []
    for t, token in enumerate(trace.tgt_out.tolist()):
        value = float(recorded[t, token])
        operand = Operand(r"\log P(y_t)", value, "generator.log_probs", (0, t, token))
        terms.append(Term(f"t = {t}", (operand,), value))
    return _sum(
        run,
        "hypothesis.log_prob",
        (),
        r"\log P(y \mid x) = \sum_t \log P(y_t \mid y_{<t}, x)",
        rf"\log P(y \mid x) = \sum_{{t=0}}^{{{len(terms) - 1}}} \log P(y_t \mid y_{{<t}}, x)",
        tuple(terms),
        -len(terms) * _trainers_loss(run, trace, slice(None), 0.0),
        used_by=("hypothesis.score",),
    )


def _score(run: Run, trace: Trace, index: tuple[int, ...]) -> Explanation:
    total = _log_prob(run, trace, ())
    length = len(trace.tgt_out)
    penalty = length_penalty(length, ALPHA)
    above = Operand(r"\log P(y \mid x)", total.result, "hypothesis.log_prob")
    below = (Operand("|y|", length), Operand(r"\alpha", ALPHA))
    result = total.result / penalty
    return Explanation(
        site="hypothesis.score",
        index=(),
        kind="ratio",
        meaning=_MEANINGS["hypothesis.score"],
        formula=r"s(y) = \frac{\log P(y \mid x)}{((5 + |y|)/6)^\alpha}",
        formula_with_sizes=rf"s(y) = \frac{{\log P(y \mid x)}}{{((5 + {length})/6)^{{{ALPHA:g}}}}}",
        terms=(Term("above", (above,), total.result), Term("below", below, penalty)),
        result=result,
        recorded=beam_score(total.recorded, length, ALPHA),
        magnitude=total.magnitude / penalty,
        eps=epsilon(run.config),
    )


def _trainers_loss(run: Run, trace: Trace, positions: slice, smoothing: float) -> float:
    """The mean loss of some positions by the trainer's own function."""
    logits, labels = trace.logits[None, positions], trace.tgt_out[None, positions]
    loss = label_smoothed_cross_entropy(logits, labels, smoothing=smoothing, pad_id=run.config.pad_id)
    return loss.item()


def _sum(
    run: Run,
    site: str,
    index: tuple[int, ...],
    formula: str,
    with_sizes: str,
    terms: tuple[Term, ...],
    recorded: float,
    factor: Operand | None = None,
    used_by: tuple[str, ...] = (),
) -> Explanation:
    scale = 1.0 if factor is None else factor.value
    result = scale * math.fsum(term.value for term in terms)
    return Explanation(
        site=site,
        index=index,
        kind="sum",
        meaning=_MEANINGS[site],
        formula=formula,
        formula_with_sizes=with_sizes,
        terms=terms,
        result=result,
        recorded=recorded,
        magnitude=abs(scale) * math.fsum(abs(term.value) for term in terms),
        eps=epsilon(run.config),
        factor=factor,
        used_by=used_by,
    )
