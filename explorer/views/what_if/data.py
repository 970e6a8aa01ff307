"""What the view is fed: outputs beside one another, the chosen way of changing the model, and what wrote a word."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from core.activations.location import locate
from core.errors import ExplorerError, InputError
from core.interventions.intervention import Intervention, Patch, SiteIntervention
from core.interventions.links import write_link
from core.interventions.patching import PatchingMap
from core.run import Run
from explorer.look.token_text import twin_place
from explorer.models.decodings import recorded_of, translation_of
from explorer.models.recorded import Recorded
from explorer.models.translation import Translation
from explorer.tensors import CellPlace
from explorer.views.what_if.attributing import last_crossing
from explorer.views.what_if.borrowing import donor_of, offered, panels
from explorer.views.what_if.cached import alignment_errors_of, led_probabilities_of, wrote_of
from explorer.views.what_if.compared import Token, candidates, tokens_of
from explorer.views.what_if.component import WhatIfData
from explorer.views.what_if.rows import EditedRow, edited_row
from explorer.views.what_if.switching import Priced
from explorer.visitor.state import ExplorerState
from explorer.visitor.step import shown_step

MOST_ALIGNED = 20
"""Steps of an output up to which all are taken apart, for its alignment error rates; each takes about 20 ms."""


@dataclass(frozen=True, eq=False)
class Scenery:
    """A sentence under a trained model and under the changed one, and the second sentence.

    Attributes:
        trained: What the model computes as it was trained.
        changed: The same with the changes; the trained one where there are none.
        donor: The second sentence; empty where there is none.
        other: What the trained model makes of that; None where it cannot be compared.
        problem: Why not.
        step: That is looked at.
        deciding: The step whose two answers the map compares; None where there is no map.
        pairs: Second sentences that are offered.
    """

    trained: Recorded
    changed: Recorded
    donor: str
    other: Translation | None
    problem: str
    step: int
    deciding: int | None
    pairs: tuple[tuple[str, str], ...]


def scenery(run: Run, state: ExplorerState) -> Scenery:
    """Everything that is compared.

    Args:
        run: With the visitor's changes.
        state: The visitor's choices.

    Raises:
        ExplorerError: when the sentence cannot be read, or the changes do not fit it.
    """
    trained_run = run.trained or run
    trained = recorded_of(trained_run, state.sentence)
    changed = recorded_of(run, state.sentence)
    step = min(shown_step(state, changed), trained.last_step)
    pairs = offered(run, state.sentence)
    donor = donor_of(state, pairs)
    try:
        other = second_of(trained, donor)
        deciding = _deciding(trained, other, step) if other else None
        problem = ""
    except InputError as error:
        other, deciding, problem = None, None, error.sentence
    return Scenery(trained, changed, donor, other, problem, step, deciding, pairs)


def second_of(trained: Recorded, donor: str) -> Translation | None:
    """What the trained model makes of the second sentence; None for none.

    Raises:
        InputError: when it cannot be read, or does not fit the first token for token.
    """
    if not donor:
        return None
    n_source = len(trained.run.source_ids(donor))
    if n_source != len(trained.source):
        raise InputError(f"the second sentence needs {len(trained.source)} tokens; this has {n_source}")
    return translation_of(trained.run, donor)


def _deciding(trained: Recorded, other: Translation, step: int) -> int:
    pairs = zip(trained.outputs, other.output_tokens, strict=False)
    differing = [place for place, (one, two) in enumerate(pairs) if one != two]
    if not differing:
        raise InputError("the model writes the same for both sentences; choose two with different answers")
    return step if step in differing else differing[0]


def what_if_data(
    seen: Scenery,
    state: ExplorerState,
    *,
    found: PatchingMap | None = None,
    board: tuple[Priced, ...] | None = None,
) -> WhatIfData:
    """What the view is fed.

    Args:
        seen: What is compared.
        state: The visitor's choices.
        found: The map, where borrowing is looked at and it has been computed.
        board: What can be switched off, likewise.
    """
    step = seen.deciding if state.what_if.way == "borrow" and seen.deciding is not None else seen.step
    row = edited_row(seen.trained, seen.changed, state, step)
    parts = {
        "borrow": lambda: _borrow(seen, state, found),
        "off": lambda: _off(board),
        "row": lambda: _row(row, seen, state),
    }
    cell = changed_cell(state, seen.changed)
    header: dict[str, object] = {
        "way": state.what_if.way,
        "step": step,
        "rows": list(_rows(seen, borrows=state.what_if.way == "borrow")),
        "n_changes": len(state.changes),
        "can_explain": cell is not None,
        "led": _led(seen, step),
        "wrote": _wrote(seen, step),
        state.what_if.way: parts[state.what_if.way](),
    }
    n_queries = (
        len(seen.trained.source)
        if state.look.attention == "encoder"
        else min(len(seen.trained.outputs), len(seen.changed.outputs))
    )
    return WhatIfData(
        key=_key(seen, state),
        header=header,
        cells=()
        if found is None
        else tuple((site, len(shares)) for site, shares in zip(found.sites, found.shares, strict=True)),
        n_parts=len(board or ()),
        n_keys=len(row.keys),
        is_causal=state.look.attention == "self",
        n_heads=seen.trained.run.config.n_heads,
        n_layers=max(seen.trained.run.config.n_encoder_layers, seen.trained.run.config.n_decoder_layers),
        n_queries=n_queries,
        explainable=cell is not None,
    )


def _key(seen: Scenery, state: ExplorerState) -> str:
    # Without the step: the bar may move it while the view reports something else.
    named = repr((seen.trained.key, write_link(state.changes), seen.donor, state.what_if.way, state.look))
    return hashlib.sha256(named.encode()).hexdigest()[:16]


def _rows(seen: Scenery, *, borrows: bool) -> Iterator[Mapping[str, object]]:
    trained = translation_of(seen.trained.run, seen.trained.sentence)
    yield {"name": "As trained", "note": seen.trained.sentence, "tokens": tokens_of(trained)}
    if seen.changed is not seen.trained:
        changed = tokens_of(translation_of(seen.changed.run, seen.changed.sentence), trained)
        yield {"name": "Changed", "note": _verdict(changed, trained), "tokens": changed}
    if borrows and seen.other is not None:
        yield {"name": "Second sentence", "note": seen.donor, "tokens": tokens_of(seen.other)}


def _verdict(changed: tuple[Token, ...], trained: Translation) -> str:
    same = len(changed) == len(trained.output_tokens) and not any(each.differs for each in changed)
    return "writes the same" if same else "differs where framed"


def _led(seen: Scenery, step: int) -> Mapping[str, object]:
    """The next token of one step, the decoder reading what the trained model writes."""
    before, after = (
        led_probabilities_of(each.run, seen.trained)[step] for each in (seen.trained, seen.changed)
    )
    first = [int(seen.trained.trace.tgt_out[step])]
    if seen.other is not None and step < len(seen.other.output_ids):
        first.append(seen.other.output_ids[step])
    run = seen.trained.run
    written = run.tgt_tokenizer.decode(seen.trained.trace.tgt_out[:step].tolist())
    text = run.tgt_tokenizer.decode(seen.changed.trace.tgt_out.tolist())
    return {"after": written, "candidates": candidates(run, before, after, first), "writes": text}


def _borrow(seen: Scenery, state: ExplorerState, found: PatchingMap | None) -> Mapping[str, object]:
    header: dict[str, object] = {
        "donor": seen.donor,
        "pairs": [{"kind": kind, "text": text} for kind, text in seen.pairs],
        "problem": seen.problem,
        "own": "",
        "other": "",
        "panels": [],
        "lit": [],
    }
    if found is None or seen.other is None:
        return header
    places = {site: number for number, site in enumerate(found.sites)}
    shown = panels(found, seen.other.source_tokens, seen.other.output_tokens)
    return {
        **header,
        "own": found.own,
        "other": found.donor,
        "deciding": found.step,
        "panels": [
            {**vars(panel), "rows": [{**vars(row), "number": places[row.site]} for row in panel.rows]}
            for panel in shown
        ],
        "lit": [
            [places[each.site], position]
            for each in state.changes
            if isinstance(each, Patch) and each.sentence == seen.donor and each.site in places
            for position in each.positions
        ],
    }


def _off(board: tuple[Priced, ...] | None) -> Mapping[str, object]:
    rows: dict[str, list[Mapping[str, object]]] = {}
    for number, each in enumerate(board or ()):
        cell = {
            "label": each.part.column,
            "kind": each.part.kind,
            "fall": each.fall,
            "off": each.is_off,
            "part": number,
        }
        rows.setdefault(each.part.row, []).append(cell)
    return {
        "rows": [{"name": name, "cells": cells} for name, cells in rows.items()],
        "computed": board is not None,
    }


def _row(row: EditedRow, seen: Scenery, state: ExplorerState) -> Mapping[str, object]:
    is_encoder = state.look.attention == "encoder"
    return {
        **vars(row),
        "attention": state.look.attention,
        "n_heads": seen.trained.run.config.n_heads,
        "queries": seen.trained.source if is_encoder else seen.trained.outputs[: len(seen.changed.outputs)],
        "side": "source" if is_encoder else "target",
        "key_side": "target" if state.look.attention == "self" else "source",
    }


def _wrote(seen: Scenery, step: int) -> Mapping[str, object]:
    """What wrote the step's token in the model as it was trained, alone and against a rival."""
    trained, run = seen.trained, seen.trained.run
    probs = trained.trace.logits[step].double()
    probs[int(trained.trace.tgt_out[step])] = -np.inf
    rival = int(probs.argmax())
    if seen.other is not None and step < len(seen.other.output_ids):
        other = seen.other.output_ids[step]
        rival = rival if other == int(trained.trace.tgt_out[step]) else other
    weights = trained.values(f"{last_crossing(trained)}.weights")[:, step]
    return {
        "token": trained.outputs[step],
        "where": twin_place(trained.outputs, step),
        "rival": run.tgt_tokenizer.vocabulary.token(rival),
        "alone": wrote_of(trained, step),
        "against": wrote_of(trained, step, rival),
        "keys": trained.source,
        "read": tuple(weights.mean(axis=0).tolist()),
        "layer": run.config.n_decoder_layers - 1,
        **_gold(trained, step),
    }


def _gold(trained: Recorded, step: int) -> Mapping[str, object]:
    """Source positions behind a step's token by the known alignment, and how far reading and using are from it."""
    gold = translation_of(trained.run, trained.sentence).gold
    if gold is None:
        return {"gold": None, "errors": None}
    # Each step is taken apart for it, so that it is left out of long sentences.
    is_short = len(gold) == len(trained.outputs) <= MOST_ALIGNED
    # Of EOS, whose alignment is a matter of course, no error rate speaks.
    errors = alignment_errors_of(trained, gold[:-1]) if is_short else None
    return {"gold": gold[step] if step < len(gold) else None, "errors": errors}


def changed_cell(state: ExplorerState, changed: Recorded) -> CellPlace | None:
    """A number that the last change of a value has set, to be explained; None where there is none."""
    for change in reversed(state.changes):
        if isinstance(change, SiteIntervention):
            cell = _first_cell(change, changed)
            if cell is not None:
                return cell
    return None


def _first_cell(change: Intervention, changed: Recorded) -> CellPlace | None:
    assert isinstance(change, SiteIntervention)
    if locate(change.site).kind == "unknown" or "*" in change.site:
        return None
    try:
        entry = changed.trace.activations.site(change.site)
        shape = changed.trace.activations[change.site].shape
    except ExplorerError:
        return None
    index = [0] * len(shape)
    if "head" in entry.axes:
        index[entry.axes.index("head")] = change.head or 0
    if change.positions:
        index[entry.rows_axis] = change.positions[0]
    if change.unit is not None:
        index[-1] = change.unit
    if any(place >= size for place, size in zip(index, shape, strict=True)):
        return None
    return CellPlace(change.site, tuple(index))
