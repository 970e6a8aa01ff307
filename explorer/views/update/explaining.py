"""From an explanation of a number of an update to what the panel “Explain this number” shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.activations.location import locate
from core.config import TransformerConfig
from core.errors import UnknownSite
from core.explanation.explanation import Explanation
from core.explanation.operand import Term
from core.explanation.update_sites import OF_TOKENS, SCALARS, update_values
from explorer.browser.explain_panel import Column, ExplanationData, Use, Words
from explorer.explaining.names import name_of
from explorer.explaining.panel_data import printed
from explorer.explaining.terms import arranged_terms
from explorer.explaining.text import symbol_text
from explorer.look.theme import format_count, format_probability, format_signed
from explorer.tensors import CellPlace
from explorer.views.update.scene import UpdateScene

_NOUNS = {
    "gradient": "gradient",
    "clipped": "clipped gradient",
    "first_moment_before": "first moment before",
    "second_moment_before": "second moment before",
    "first_moment": "first moment",
    "second_moment": "second moment",
    "corrected_first": "corrected first moment",
    "corrected_second": "corrected second moment",
    "change": "change",
    "weight_before": "weight before",
    "weight": "weight after",
    "loss": "loss of the batch",
    "grad_norm": "norm of the whole gradient",
    "clip_factor": "factor of clipping",
    "learning_rate": "learning rate",
    "token_loss": "loss of a label",
    "prob": "probability",
    "label": "smoothed label",
    "logit_gradient": "gradient of a logit",
}
_PARTS = {"above": "numerator", "below": "denominator", "less the label": "− label"}
_MIXED = ("∂L", "factor")
"""Heads of columns whose operands are not the same for all terms, as those of a shared matrix."""


def update_data(
    explanation: Explanation, scene: UpdateScene, trail: Sequence[CellPlace], *, code: str = ""
) -> ExplanationData:
    """What the panel shows of one number of an update.

    Args:
        explanation: Of the last cell of the trail.
        scene: The update.
        trail: The way to the number.
        code: Python that prints the number; empty for none.
    """
    part = _part(explanation.site)
    is_list = part in ("gradient", "loss", "grad_norm", "prob", "token_loss")
    terms = arranged_terms(
        explanation,
        [_place(term, explanation) for term in explanation.terms],
        [_token(term, scene, explanation) for term in explanation.terms],
    )
    names = [_noun(cell.site, scene.run.config) for cell in trail]
    return replace(
        printed(explanation, terms, trail, scene.key, names, partial(_value_text, part)),
        words=_words(explanation, scene),
        shape=_shape(explanation.site, scene),
        note=_note(explanation, scene),
        layout=("terms" if is_list else "parts") if terms else "none",
        letter=explanation.counted or ("token" if _is_of_tokens(explanation) else "parameter"),
        columns=_columns(explanation) if is_list and terms else (),
        used_by=_uses(explanation, scene),
        code=code,
    )


def _part(site: str) -> str:
    """What kind of number a site of an update holds."""
    return locate(site).value


def _noun(site: str, config: TransformerConfig) -> str:
    return _NOUNS.get(_part(site), site) if locate(site).kind == "update" else name_of(site, config)


def _parameter(site: str) -> str:
    return locate(site).parameter


def _value_text(part: str, value: float) -> str:
    return format_probability(value) if part in ("prob", "label") else format_signed(value)


def _words(explanation: Explanation, scene: UpdateScene) -> tuple[Words, ...]:
    part, index = _part(explanation.site), explanation.index
    noun = _NOUNS[part][:1].upper() + _NOUNS[part][1:]
    if part in SCALARS:
        return (Words(f"{noun}, update {scene.update.step.index}"),)
    if part in OF_TOKENS:
        label = Words(scene.token("label", *index[:2]), "target")
        where = Words(f" in pair {index[0]}, position {index[1]}")
        if part == "token_loss":
            return Words("Loss of "), label, where
        token = scene.run.tgt_tokenizer.vocabulary.token(index[2])
        return Words(f"{noun}: "), Words(token, "target"), where, Words(", whose label is "), label
    name = _parameter(explanation.site)
    kind = name_of(name, scene.run.config)
    of = f"{noun} of {'an' if kind[0] == 'e' else 'a'} {kind}"
    if len(index) == 1:
        return (Words(f"{of}, row {index[0]}"),)
    matrix = locate(name)
    if matrix.kind in ("embedding", "generator") and matrix.value == "weight":
        tokenizer = scene.run.src_tokenizer if matrix.side == "source" else scene.run.tgt_tokenizer
        named = Words(tokenizer.vocabulary.token(index[0]), matrix.side)
        return Words(f"{of}: "), named, Words(f", place {index[1]}")
    return (Words(f"{of}, row {index[0]}, column {index[1]}"),)


def _shape(site: str, scene: UpdateScene) -> str:
    sizes = update_values(scene.update, site).shape
    shape = f"{'×'.join(map(str, sizes))} float32" if sizes else ""
    return ", ".join(filter(None, (shape, f"update {scene.update.step.index}")))


def _note(explanation: Explanation, scene: UpdateScene) -> str:
    part = _part(explanation.site)
    if not explanation.terms:
        is_padding = part in OF_TOKENS
        return "The label is padding, which does not count." if is_padding else explanation.meaning
    if part == "gradient":
        uses = scene.update.uses_of(_parameter(explanation.site))
        shared = (
            f" It is used in {len(uses)} places, and all of them are in the sum." if len(uses) > 1 else ""
        )
        return f"One term for each token that came by; padding adds exactly 0 and is left out.{shared}"
    if part in ("corrected_first", "corrected_second"):
        return "Adam keeps no copy of this number: the check is at the change of the weight."
    if part == "clip_factor":
        return "Checked against what the largest number of the gradient was really multiplied by."
    if part == "change":
        return "Checked against the difference of the weight after and before, which is rounded as the weights are."
    if part == "prob":
        return "The largest logit is subtracted from each first; that changes only the rounding."
    return explanation.meaning


def _place(term: Term, explanation: Explanation) -> str:
    if explanation.counted and term.place is not None:
        return str(term.place)
    if term.token:
        return f"{term.token.row}, {term.token.position}"
    return _PARTS.get(term.label, term.label)


def _is_of_tokens(explanation: Explanation) -> bool:
    return any(term.token for term in explanation.terms)


def _token(term: Term, scene: UpdateScene, explanation: Explanation) -> Words:
    if where := term.token:
        if where.side == "source":
            return Words(scene.token("source", where.row, where.position), "source")
        # At the logits the decoder writes; elsewhere it reads.
        writes = any(operand.site for operand in term.operands)
        return Words(scene.token("label" if writes else "target", where.row, where.position), "target")
    if explanation.counted == "v" and term.place is not None:
        return Words(scene.run.tgt_tokenizer.vocabulary.token(term.place), "target")
    return Words("")


def _columns(explanation: Explanation) -> tuple[Column, ...]:
    fullest = max(explanation.terms, key=lambda term: len(term.operands))
    heads = []
    for place, operand in enumerate(fullest.operands):
        symbols = {term.operands[place].symbol for term in explanation.terms if place < len(term.operands)}
        heads.append(symbol_text(operand.symbol) if len(symbols) == 1 else _MIXED[place])
    return tuple(map(Column, heads))


def _uses(explanation: Explanation, scene: UpdateScene) -> tuple[Use, ...]:
    """What reads this number: the cell at the same place, or the one number that there is."""
    found = []
    for site in explanation.used_by:
        try:
            values = update_values(scene.update, site)
        except UnknownSite:
            continue
        noun = _noun(site, scene.run.config)
        if values.dim() in (0, len(explanation.index)):
            index = explanation.index if values.dim() else ()
            found.append(
                Use(f"{noun} {_value_text(_part(site), float(values[index]))}", CellPlace(site, index))
            )
        else:
            found.append(Use(f"{noun} of the matrix, {format_count(values.numel())} numbers", None))
    return tuple(found)
