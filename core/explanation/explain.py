"""`explain`: how was this number computed? For every cell of every site, every parameter, every id."""

from dataclasses import replace

from torch import Tensor

from core.activations.trace import Trace
from core.config import TransformerConfig
from core.errors import InputError, UnknownSite
from core.explanation.cell import Cell, epsilon
from core.explanation.derivation import given
from core.explanation.explanation import IDS, Explanation
from core.explanation.hypothesis import HYPOTHESIS_SITES, explain_hypothesis
from core.explanation.operations import OPERATIONS
from core.interventions.changes import changes_of
from core.interventions.intervention import Intervention
from core.model.by_hand import AttentionByHand, ByHandTrace
from core.model.parameters import find_parameter
from core.model.transformer import Transformer
from core.run import Run


def explain(run: Run, trace: Trace, site: str, index: tuple[int, ...] = ()) -> Explanation:
    """The formula, operands and terms of one number; each operand names its own site and index.

    Follow the operands and the chain ends at token ids (``src``, ``tgt_in``) and at learned numbers, whose
    explanations have no terms. Besides the recorded sites and the parameters there are ``hypothesis.prob``,
    ``hypothesis.loss``, ``hypothesis.token_loss``, ``hypothesis.log_prob`` and ``hypothesis.score``.

    Args:
        run: Whose model made the trace.
        trace: With the cell's operands recorded; record every site to be able to follow every chain.
        site: Name of a site, a parameter (W_Q, W_K, W_V as ``….w_q``, …), ``src`` or ``tgt_in``.
        index: One number for each axis, from 0; negative ones count from the end.

    Raises:
        UnknownSite: when there is nothing of that name, or an operand was not recorded.
        InputError: when the index does not fit the shape.
    """
    if site in HYPOTHESIS_SITES:
        return explain_hypothesis(run, trace, site, index)
    parameter = find_parameter(run.model, site)
    if parameter is not None:
        return _given(run.config, site, parameter, index, "A number that training has learned.")
    if site in IDS:
        ids: Tensor = getattr(trace, site)
        return _given(run.config, site, ids[None], index, _token_meaning(run, site, ids, index))
    explanation = _recorded(run.model, trace, site, index)
    setters = changes_of(run.model, run.changes.interventions, site, explanation.index)
    return _set(explanation, setters) if setters else explanation


def explain_by_hand(trace: ByHandTrace, site: str, index: tuple[int, ...]) -> Explanation:
    """The same of a number of a computation by hand.

    Raises:
        UnknownSite: when it has nothing of that name.
        InputError: when the index does not fit the shape.
    """
    parameter = find_parameter(trace.attention, site)
    if parameter is None:
        return _recorded(trace.attention, trace, site, index)
    return _given(trace.attention.config, site, parameter, index, "A number that was written down.")


def _recorded(
    model: Transformer | AttentionByHand, trace: Trace | ByHandTrace, name: str, index: tuple[int, ...]
) -> Explanation:
    catalogue = {site.name: site for site in model.sites()}
    if name not in catalogue:
        raise UnknownSite(
            f"{name!r} is neither a site nor a parameter of this model; model.sites() lists the sites"
        )
    values = trace.activations[name]
    index = checked_index(name, values, index)
    cell = Cell(catalogue[name], index, trace, model)
    return Explanation(
        **vars(OPERATIONS[cell.site.operation](cell)),
        site=name,
        index=index,
        meaning=cell.site.meaning,
        recorded=float(values[index]),
        eps=epsilon(model.config),
        used_by=tuple(other.name for other in catalogue.values() if name in other.inputs),
    )


def _set(explanation: Explanation, setters: tuple[Intervention, ...]) -> Explanation:
    """Where changes have set a number the chain ends: nothing before it made it what it is."""
    end = vars(given(explanation.recorded))
    return replace(explanation, **end, set_by=setters, computed=explanation.result)


def _given(
    config: TransformerConfig, name: str, values: Tensor, index: tuple[int, ...], meaning: str
) -> Explanation:
    """Where a chain ends: nothing inside the model computes this number."""
    index = checked_index(name, values, index)
    value, eps = float(values[index]), epsilon(config)
    end = vars(given(value))
    return Explanation(**end, site=name, index=index, meaning=meaning, recorded=value, eps=eps)


def _token_meaning(run: Run, site: str, ids: Tensor, index: tuple[int, ...]) -> str:
    _, position = checked_index(site, ids[None], index)
    tokenizer = run.src_tokenizer if site == "src" else run.tgt_tokenizer
    return f"The id of the token “{tokenizer.vocabulary.token(int(ids[position]))}” in the vocabulary."


def checked_index(name: str, values: Tensor, index: tuple[int, ...]) -> tuple[int, ...]:
    """The index with every number counted from the start.

    Raises:
        InputError: when it has not one number for each axis, or one is outside.
    """
    shape = tuple(values.shape)
    if len(index) != len(shape):
        raise InputError(f"{name} has the shape {list(shape)}: give {len(shape)} numbers, not {len(index)}")
    for place, size in zip(index, shape, strict=True):
        if not -size <= place < size:
            raise InputError(f"index {list(index)} is outside of {name}, which has the shape {list(shape)}")
    return tuple(place % size for place, size in zip(index, shape, strict=True))
