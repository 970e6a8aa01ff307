"""What is computed of a whole hypothesis: its loss under teacher forcing, its log-probability, its beam score."""

from dataclasses import replace

from core.activations.trace import Trace
from core.config import BeamConfig
from core.decoding.beam import beam_score, length_penalty
from core.errors import InputError
from core.explanation.cell import epsilon
from core.explanation.derivation import Derivation, bound_by, derive
from core.explanation.evaluation import evaluate
from core.explanation.explanation import Explanation
from core.explanation.formula import Compare, Equation, Formula, Fraction, Named, Number, Sum, Symbol
from core.explanation.letters import ALPHA, LOGIT, OTHER_V, SMOOTHING, T, V, X, Y
from core.explanation.operand import Operand
from core.explanation.softmax import derive_softmax
from core.run import Run
from core.training.loss import label_smoothed_cross_entropy

BEAM_ALPHA = BeamConfig().length_penalty
"""α of the beam score, as in section 6.1."""

LOSS, SHARE = Symbol("L"), Symbol("y", accent="prime")[V]
STEPS, SIZE, LENGTH = Symbol("T"), Symbol("V"), Symbol("|y|")
LOG_PROB = Symbol("log P", lower=(T,), of=(V,))
LOG_CHOSEN = Named(Symbol("log P", of=(Y[T],), given=(Y[Symbol("<t")], X)), "log P(y)")
LOG_OUTPUT = Symbol("log P", of=(Y,), given=(X,))
OWN = Compare(V, "=", Y[T])
SMOOTHED = Equation(SHARE, (1 - SMOOTHING) * OWN + SMOOTHING / SIZE)
"""The label with smoothing (section 5.4)."""
TOKEN_LOSS = Formula((Equation(LOSS[T], Sum(V, -SHARE * LOG_PROB)),), (SMOOTHED,))

_MEANINGS = {
    "hypothesis.prob": "Probability of a token as the next one: the softmax of the logits.",
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
    logits = trace.logits[t].tolist()
    row = [
        Operand(LOGIT[T, OTHER_V], logit, "generator.logits", (0, t, place))
        for place, logit in enumerate(logits)
    ]
    derivation = derive_softmax(
        Symbol("P", lower=(T,), of=(V,)), replace(row[v], symbol=LOGIT[T, V]), row, OTHER_V, {T: t, V: v}
    )
    return _explained(run, "hypothesis.prob", derivation, trace.logits[t].softmax(-1)[v].item(), (t, v))


def _token_loss(run: Run, trace: Trace, index: tuple[int, ...]) -> Explanation:
    (t,) = index
    length = len(trace.tgt_out)
    if not -length <= t < length:
        raise InputError(f"position {t} is outside of the {length} produced tokens")
    t %= length
    derivation = derive(TOKEN_LOSS, *_loss_operands(run, trace, t), places={T: t})
    recorded = _trainers_loss(run, trace, slice(t, t + 1), run.train_config.label_smoothing)
    return _explained(run, "hypothesis.token_loss", derivation, recorded, (t,), ("hypothesis.loss",))


def _loss_operands(run: Run, trace: Trace, t: int) -> list[Operand | list[Operand]]:
    """What the loss of a label is made of, and what its smoothing is."""
    label = int(trace.tgt_out[t])
    log_probs = trace.activations["generator.log_probs"][0, t].tolist()
    known = [Operand(SMOOTHING, run.train_config.label_smoothing), Operand(SIZE, run.config.tgt_vocab_size)]
    own, other = (
        evaluate(SMOOTHED.right, bound_by([*known, Operand(OWN, is_label)])) for is_label in (1.0, 0.0)
    )
    return [
        [Operand(SHARE, own if v == label else other) for v in range(len(log_probs))],
        [Operand(LOG_PROB, log_p, "generator.log_probs", (0, t, v)) for v, log_p in enumerate(log_probs)],
        *known,
        Operand(Y[T], label),
    ]


def _loss(run: Run, trace: Trace, index: tuple[int, ...]) -> Explanation:
    steps = range(len(trace.tgt_out))
    losses = [evaluate(TOKEN_LOSS.right, bound_by(_loss_operands(run, trace, t))) for t in steps]
    derivation = derive(
        Equation(Symbol("L"), Sum(T, LOSS[T]) / STEPS),
        [Operand(LOSS[T], loss, "hypothesis.token_loss", (t,)) for t, loss in enumerate(losses)],
        Operand(STEPS, len(losses)),
    )
    recorded = _trainers_loss(run, trace, slice(None), run.train_config.label_smoothing)
    return _explained(run, "hypothesis.loss", derivation, recorded)


def _log_prob(run: Run, trace: Trace, index: tuple[int, ...]) -> Explanation:
    recorded = trace.activations["generator.log_probs"][0]
    chosen = [(0, t, token) for t, token in enumerate(trace.tgt_out.tolist())]
    derivation = derive(
        Equation(LOG_OUTPUT, Sum(T, LOG_CHOSEN)),
        [Operand(LOG_CHOSEN, float(recorded[cell[1:]]), "generator.log_probs", cell) for cell in chosen],
    )
    total = -len(chosen) * _trainers_loss(run, trace, slice(None), 0.0)
    return _explained(run, "hypothesis.log_prob", derivation, total, (), ("hypothesis.score",))


def _score(run: Run, trace: Trace, index: tuple[int, ...]) -> Explanation:
    total = _log_prob(run, trace, ())
    length = len(trace.tgt_out)
    penalty = Fraction(5 + LENGTH, Number(6), slash=True) ** ALPHA
    derivation = derive(
        Equation(Symbol("s", of=(Y,)), LOG_OUTPUT / penalty),
        Operand(LOG_OUTPUT, total.result, "hypothesis.log_prob"),
        Operand(LENGTH, length),
        Operand(ALPHA, BEAM_ALPHA),
        rows=(LOG_OUTPUT, penalty),
        labels=("above", "below"),
        magnitude=total.magnitude / length_penalty(length, BEAM_ALPHA),
    )
    return _explained(run, "hypothesis.score", derivation, beam_score(total.recorded, length, BEAM_ALPHA))


def _trainers_loss(run: Run, trace: Trace, positions: slice, smoothing: float) -> float:
    """The mean loss of some positions by the trainer's own function."""
    logits, labels = trace.logits[None, positions], trace.tgt_out[None, positions]
    loss = label_smoothed_cross_entropy(logits, labels, smoothing=smoothing, pad_id=run.config.pad_id)
    return loss.item()


def _explained(
    run: Run,
    site: str,
    derivation: Derivation,
    recorded: float,
    index: tuple[int, ...] = (),
    used_by: tuple[str, ...] = (),
) -> Explanation:
    return Explanation(
        **vars(derivation),
        site=site,
        index=index,
        meaning=_MEANINGS[site],
        recorded=recorded,
        eps=epsilon(run.config),
        used_by=used_by,
    )
