"""What the view of the parts' worth is fed, and where one of its sentences is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.activations.location import Location, locate
from core.analysis.head_looks import LEAST_ROWS, MOST_RISE, NAMED_FROM, PLACES, HeadLook, Place
from core.data.vocabulary import EOS
from core.interventions.intervention import ZeroAblation
from core.run import Run
from explorer.browser.interned import Interned
from explorer.explaining.snippets import worths_snippet
from explorer.view import WHAT_IF, Registry, View
from explorer.views.worth.cached import Plan
from explorer.views.worth.component import Opened, WorthData
from explorer.views.worth.measured import Measured
from explorer.visitor.state import ExplorerState, choose_row, choose_sentence, undo_changes

RULES = {
    "gold": "aligns: at a source {source} of the gold alignment",
    "previous": "previous: one position before",
    "next": "next: one position after",
    "rest": (
        "at EOS: at the end of the source; at BOS: in the decoder’s self-attention, at its beginning. Either is "
        "called a sink if its values there can be set to 0, no output is lost, and the loss rises by less than "
        f"{MOST_RISE} nats per {{target}}"
    ),
}
UNDONE = "The parts are measured in the model as it was trained, so your changes of it are undone here."
NO_GOLD = "These pairs have no gold alignment, so no head can be compared with one."


def worth_data(run: Run, plan: Plan, found: Measured | None, state: ExplorerState) -> WorthData:
    """Return the data of the view.

    Args:
        run: The model as it was trained.
        plan: What is measured.
        found: What is measured so far; None before the first figures.
        state: The visitor's choices.
    """
    build = (lambda: _content(run, found, state)) if found else dict
    return WorthData(f"{run.fingerprint}/{plan.parts}", plan.n_parts, found, build)


def _content(run: Run, found: Measured, state: ExplorerState) -> Mapping[str, object]:
    texts = Interned()
    arrays = {**_figures(found), **_pairs(run, found, texts)}
    is_heads, has_gold = bool(found.looks), any("gold" in look.rows for look in found.looks)
    places = [place for place in PLACES if any(place in look.rows for look in found.looks)]
    header = {
        "parts": [_named(each) for each in found.parts],
        "roles": [look.role or "" for look in found.looks],
        "places": places,
        "titles": [head_title(look) for look in found.looks],
        "rule": _rule(run, places) if is_heads else "",
        "no_gold": NO_GOLD if is_heads and not has_gold and run.config.n_decoder_layers else "",
        "split": found.split,
        "n_pairs": found.n_done,
        "n_planned": len(found.pairs),
        "n_available": found.n_available,
        "n_exact": found.n_exact,
        "loss": found.loss,
        "source_unit": run.source_unit,
        "target_unit": run.target_unit,
        "changed": bool(state.changes),
        "python": worths_snippet(
            state.run, found.split, len(found.pairs), found.network, updates=state.updates
        ),
        "looked": {name: getattr(state.worth, name) for name in ("order", "chosen")},
        "tokens": list(texts.known),
    }
    return {**header, **arrays}


def _named(change: ZeroAblation) -> dict[str, object]:
    """Where a part stands in the picture, and what it is called."""
    where = locate(change.site)
    if change.unit is not None:
        return {"row": "", "layer": where.layer, "number": change.unit, "name": f"unit {change.unit}"}
    row = "cross-attention" if where.crosses else f"{where.stack} self-attention"
    return {"row": row, "layer": where.layer, "number": change.head, "name": f"head {change.head}"}


def head_title(look: HeadLook) -> str:
    """Return what a head is called after what most of its rows look at; nothing where there is no such place."""
    if look.role == "rest":
        return f"{'sink ' if look.is_sink else ''}at {look.rest_token}"
    return {"gold": "aligns", "previous": "previous", "next": "next"}.get(look.role or "", "")


def _rule(run: Run, places: Sequence[Place]) -> str:
    told = "; ".join(RULES[place].format(source=run.source_unit, target=run.target_unit) for place in places)
    return (
        f"A row of a head looks where its largest weight is. A head gets a name where at least {NAMED_FROM:.0%} of its "
        f"rows, {LEAST_ROWS} or more, look at one place: {told}. Rows without a choice do not count."
    ).replace("%", " %")


def _figures(found: Measured) -> dict[str, np.ndarray]:
    """Value, low, high of each part's loss and exact [part, 6], and the shares of heads [part, place], -1 for none."""
    estimates = [
        (each.loss.value, each.loss.low, each.loss.high, each.exact.value, each.exact.low, each.exact.high)
        for each in found.worths
    ]
    shares = [
        [look.rows[place].share if place in look.rows else -1 for place in PLACES] for look in found.looks
    ]
    return {
        "estimates": np.array(estimates),
        "shares": np.array(shares, dtype=np.float64).reshape(len(found.looks), len(PLACES)),
    }


def _pairs(run: Run, found: Measured, texts: Interned) -> dict[str, np.ndarray]:
    """The strongest pairs: of each part's [part, pair, exact], with their tokens and losses one behind the other."""
    written = run.tgt_tokenizer.vocabulary.token
    rows, sizes = [], []
    tokens: list[str] = []
    losses: list[float] = []
    for number, worth in enumerate(found.worths):
        for cost in worth.strongest:
            pair = found.pairs[cost.row]
            source = run.src_tokenizer.tokenize(pair.source)
            reference = (*run.tgt_tokenizer.tokenize(pair.target), EOS)
            rows.append((number, cost.row, int(cost.exact)))
            sizes.append((len(source), len(reference)))
            tokens += [*source, *reference, *map(written, cost.tokens)]
            losses += cost.losses
    return {
        "rows": np.array(rows),
        "sizes": np.array(sizes),
        "texts": np.array([texts.place(token) for token in tokens]),
        "losses": np.array(losses),
    }


def opened(
    state: ExplorerState,
    report: Opened,
    views: Registry,
    at: Callable[[ExplorerState, str], ExplorerState],
) -> tuple[View, ExplorerState]:
    """Return the page that shows a sentence, and the state there.

    It is the page of the part's block at the step that needs the part most, or, without the part, What if with only
    that changed. The page says so if the sentence is one that the app cannot show.

    Args:
        state: The visitor's choices.
        report: The sentence and the part.
        views: All views.
        at: Returns the state for a link to a page.
    """
    where, losses = locate(report.change.site), report.cost.losses
    view = views[WHAT_IF] if report.without else views.showing(where)
    assert view is not None, where.name
    state = choose_sentence(at(state, view.address), report.source, typed=False)
    if report.without:
        return view, replace(state, changes=(report.change,), what_if=replace(state.what_if, way="off"))
    state = undo_changes(state)  # What was measured is the model as it was trained.
    state = replace(
        state,
        look=replace(state.look, layer=where.layer, head=report.change.head, block=_block(where)),
    )
    step = max(range(len(losses)), key=lambda place: losses[place])
    return view, choose_row(state, "target", step) if where.side == "target" else state


def _block(where: Location) -> str:
    """The stack of a feed-forward network, whose page shows both; attention has a page for each."""
    return where.stack if where.kind == "feed_forward" else ""
