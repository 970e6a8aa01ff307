"""Branches of a decoding: what the model writes after a token was forced, beside what it writes by itself."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from core.data.vocabulary import Vocabulary
from core.run_description import RunDescription
from explorer.models.translation import Translation
from explorer.views.decoding.component import BranchRow, WhatIf
from explorer.views.decoding.component.reports import Action, Force, NameBranch, OpenBranch, ViewState
from explorer.views.decoding.data import seen_state, shown_state
from explorer.visitor.reports import Explain
from explorer.visitor.state import (
    ExplorerState,
    choose_branch,
    explain_cell,
    keep_branch,
    remove_branch,
)

Decoded = Callable[[tuple[int, ...]], Translation]
"""The translation of the visitor's sentence after a forced prefix; raises InputError where it cannot be forced."""


def reported_state(state: ExplorerState, report: ViewState | Action, decoded: Decoded) -> ExplorerState:
    """The state after what a visitor looked at or did.

    Raises:
        InputError: when the token cannot be forced.
    """
    match report:
        case ViewState():
            shown = shown_state(state, decoded(state.decoding.prefix))
            return seen_state(state, report, shown)
        case Force(step, token_id):
            before = decoded(state.decoding.prefix).output_ids[:step]
            branch = decoded((*before, token_id)).branch
            return choose_branch(state, branch, step)
        case OpenBranch(prefix, step):
            return choose_branch(state, prefix, step)
        case NameBranch(prefix, name):
            return keep_branch(state, prefix, name)
        case Explain(cell):
            return explain_cell(state, cell)
        case _:
            return remove_branch(state, report.prefix)


def what_if(run: RunDescription, state: ExplorerState, decoded: Decoded) -> WhatIf:
    """What a view needs in which tokens can be forced; the state's prefixes are usable ones."""
    first = Vocabulary.eos_id
    words = run.tgt_tokenizer.vocabulary.tokens[first:]
    return WhatIf(first, len(words), branch_rows(state, decoded), words)


def branch_rows(state: ExplorerState, decoded: Decoded) -> tuple[BranchRow, ...]:
    """Greedy decoding, then the branches: those that leave it late, near to it, come first."""
    greedy = decoded(())
    names = {branch.prefix: branch.name for branch in state.decoding.branches}
    if state.decoding.prefix:
        names.setdefault(state.decoding.prefix, "")
    translations = sorted(map(decoded, names), key=partial(_place, greedy))
    labels = _labels(translations, names)
    kept = [
        _row(each, greedy, names[each.branch], label)
        for each, label in zip(translations, labels, strict=True)
    ]
    rows = (_row(greedy, greedy, "", "greedy"), *kept)
    return tuple(replace(row, shown=row.prefix == state.decoding.prefix) for row in rows)


def first_difference(one: tuple[int, ...], other: tuple[int, ...]) -> int | None:
    """First step at which two outputs differ, or one of them has ended; None where they are equal."""
    if one == other:
        return None
    shorter = min(len(one), len(other))
    return next((step for step in range(shorter) if one[step] != other[step]), shorter)


def _place(greedy: Translation, branch: Translation) -> tuple[int, tuple[int, ...]]:
    return -(first_difference(branch.output_ids, greedy.output_ids) or 0), branch.branch


def _labels(translations: list[Translation], names: dict[tuple[int, ...], str]) -> list[str]:
    """A branch without a name is called after the last token that was forced; its step tells equal ones apart."""
    labels: list[str] = []
    for each in translations:
        step = len(each.branch) - 1
        plain = names[each.branch] or f"forced {each.output_tokens[step]}"
        label = plain if plain not in labels else f"{plain}, step {step}"
        labels.append(label if label not in labels else f"{label} ({len(labels) + 1})")
    return labels


def _row(branch: Translation, greedy: Translation, name: str, label: str) -> BranchRow:
    steps = zip(branch.candidate_probs.tolist(), branch.chosen, strict=True)
    return BranchRow(
        prefix=branch.branch,
        name=name,
        label=label,
        tokens=branch.output_tokens,
        forced=branch.forced,
        probs=tuple(probs[place] for probs, place in steps),
        log_prob=branch.log_prob,
        differs=first_difference(branch.output_ids, greedy.output_ids),
        ended=branch.ended,
        shown=False,
    )
