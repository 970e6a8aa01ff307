"""What the tensor inspector shows: every recorded site and every parameter, any two axes of it, and A − B of two."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import replace

import numpy as np

from core.activations.location import locate
from core.config import TransformerConfig
from explorer.browser.tensors import Looked
from explorer.look.rows import row_text
from explorer.look.theme import format_count
from explorer.models.recorded import Recorded
from explorer.models.window import windowed
from explorer.tensors import Chooser, Panel, Stage, TensorData, TensorViewData
from explorer.views.inspector.sites import IDS, split_name, tensor_of
from explorer.views.inspector.slice import Slice, is_of_steps, slice_of
from explorer.visitor.state import NO_ROWS, Cut, ExplorerState, Pinned, choose_row

MAX_BYTES = 900 * 2**10
"""Most bytes of numbers that are sent at once, so that the whole message stays below a mebibyte."""
_LETTERED = re.compile(r"[wb]_[qkv]")
OF_B = "B "
"""Before the name of an axis of which B shows a place of its own."""


# ---- what the view is fed -----------------------------------------------------------------------------------------


def inspector_view(recorded: Recorded, shown: Slice) -> TensorViewData:
    """One tensor by itself; the places of its other axes are chosen in the browser as far as a message holds them.

    Args:
        recorded: What the model computed.
        shown: The tensor and how it is laid out.
    """
    tensor, places = _in_windows(shown), shown.places
    local = _bytes(tensor) <= MAX_BYTES
    if not local:
        for name, place in places.items():
            tensor = windowed(tensor, name, (place,), "")
    value = value_name(tensor.site)
    stage = Stage(
        "tensor",
        title_of(tensor.site),
        "one",
        (Panel("a", value, _rows(shown), (shown.columns,)),),
        note=meaning_of(recorded, tensor.site),
    )
    return TensorViewData(
        key=_key(recorded.key, tensor.site, *shown.sides),
        tensors={"a": tensor},
        stages=(stage,),
        choosers=_choosers(shown, local=local),
        stage="tensor",
    )


def comparison_view(
    recorded: Recorded, a: Slice, other: Recorded, b: Slice, *, together: bool = False
) -> TensorViewData:
    """A, B and, where they have the same shape, A − B: arithmetic on what is shown, which the model never did.

    Args:
        recorded: What the model of A computed.
        a: The tensor that is looked at.
        other: What the model of B computed.
        b: The one beside it.
        together: Whether both show the same places of their other axes, so that one choice moves both.
    """
    first, second = _held(a), _held(b, "" if together else OF_B)
    # A question is answered for the model and the sentence of the page. A parameter is the same for every sentence.
    same = other.key == recorded.key or (other.run is recorded.run and not second.lead)
    if not same:
        second = replace(second, site=f"{second.site} of B", askable=False)
    scales = {first.scale, second.scale}
    if len(scales) > 1:
        first, second = replace(first, scale="signed"), replace(second, scale="signed")
    tensors = {"a": first, "b": second}
    panels = [
        Panel("a", f"A {value_name(a.tensor.site)}", _rows(a), (a.columns,), "ab"),
        Panel("b", f"B {value_name(b.tensor.site)}", _rows(b), (b.columns,), "ab"),
    ]
    note = shapes_sentence(a, b)
    if not note:
        tensors["difference"] = difference(a, b)
        panels.append(Panel("difference", "A − B", _rows(a), (a.columns,)))
        note = (
            "A − B is plain arithmetic on the numbers that are shown; the model has no such number. "
            f"Only those of A {'and of B ' if same else ''}can be explained."
        )
    stage = Stage("compare", "A and B", "difference" if len(panels) == 3 else "one", tuple(panels), note=note)
    return TensorViewData(
        key=_key(recorded.key, first.site, *a.sides, other.key, second.site, *b.sides),
        tensors=tensors,
        stages=(stage,),
        choosers=_choosers(a, local=False)
        if together
        else (*_choosers(a, local=False, label="A "), *_choosers(b, local=False, of=OF_B, label=OF_B)),
        stage="compare",
    )


def difference(a: Slice, b: Slice) -> TensorData:
    """A − B of what is shown, masked where either is; not askable, for the model has no such number.

    Raises:
        ValueError: when the shapes differ.
    """
    if a.shape != b.shape:
        raise ValueError(shapes_sentence(a, b))
    masks = [mask for mask in (a.hidden(), b.hidden()) if mask is not None]
    with np.errstate(invalid="ignore"):  # infinity minus itself is shown as what it is: not a number
        values = a.values() - b.values()
    axes = tuple(map(a.shown, a.sides))
    return TensorData(
        "A − B",
        values,
        axes,
        lead=(),
        dtype="float32",
        hidden=np.logical_or.reduce(masks) if masks else None,
        askable=False,
    )


def shapes_sentence(a: Slice, b: Slice) -> str:
    """Why there is no A − B: the two shapes; empty where they are the same."""
    if a.shape == b.shape:
        return ""
    first, second = ("×".join(map(format_count, each.shape)) for each in (a, b))
    return f"There is no A − B: A is {first} and B is {second}."


def _rows(shown: Slice) -> tuple[str, ...]:
    return (shown.rows,) if shown.rows else ()


def _in_windows(shown: Slice) -> TensorData:
    """The tensor with the windows on its rows and columns, each with its sentence."""
    tensor = shown.tensor
    for side in shown.sides:
        window, axis = shown.window(side), shown.axis(side)
        if len(window) < axis.size:
            word = "Rows" if side == shown.rows else "Columns"
            sentence = f"{word} {window[0]:,} to {window[-1]:,} of {axis.size:,}."
            tensor = windowed(tensor, side, window, sentence)
    return tensor


def _held(shown: Slice, of: str = "") -> TensorData:
    """The slice alone, its other axes perhaps under names of their own: A and B may show different heads."""
    tensor = _in_windows(shown)
    for name, place in shown.places.items():
        tensor = windowed(tensor, name, (place,), "")
    axes = tuple(
        replace(axis, name=f"{of}{axis.name}") if axis.name in shown.places else axis for axis in tensor.axes
    )
    return replace(tensor, axes=axes)


def _choosers(shown: Slice, *, local: bool, of: str = "", label: str = "") -> tuple[Chooser, ...]:
    found = []
    for name, place in shown.places.items():
        axis = shown.axis(name)
        options = tuple(f"{at} {row_text(axis, at)}" if axis.labels else str(at) for at in range(axis.size))
        # d_head and d_model are names, not words.
        title = f"{label}{name}" if label or name.startswith("d_") else name.capitalize()
        found.append(Chooser(f"{of}{name}", title, options, place, local))
    return tuple(found)


def _bytes(tensor: TensorData) -> int:
    """What it takes in a message, where a mask is as large as the numbers."""
    return 4 * math.prod(axis.shown for axis in tensor.axes) * (1 if tensor.hidden is None else 2)


def _key(*parts: str) -> str:
    # What somebody typed may be in a recording's key; the view needs no more than that two are not the same.
    return "tensors/" + hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


# ---- what was chosen ----------------------------------------------------------------------------------------------


def looked_state(state: ExplorerState, looked: Looked, shown: Slice) -> ExplorerState:
    """The state after other places of A or of B were chosen in the view; a step is chosen for all pages.

    Args:
        state: The choices before.
        looked: What was reported.
        shown: A, as it was laid out then.
    """
    own, pinned = (
        dict(state.inspector.cut.places),
        dict(state.inspector.pinned.places) if state.inspector.pinned else {},
    )
    for name, place in looked.choices.items():
        if name.startswith(OF_B):
            pinned[name.removeprefix(OF_B)] = place
        else:
            own[name] = place
    for name in [name for name, place in shown.places.items() if is_of_steps(shown.axis(name))]:
        step = own.pop(name, shown.places[name])
        state = state if step == shown.places[name] else choose_row(state, "target", step)
    head = own.pop("head", None)
    # Where none was chosen head 0 is shown, and a report that says so chooses none.
    if head is not None and (head or state.look.head is not None):
        state = replace(state, look=replace(state.look, head=head))
    inspector = replace(state.inspector, cut=replace(state.inspector.cut, places=tuple(sorted(own.items()))))
    if inspector.pinned is not None:
        b = replace(inspector.pinned, places=tuple(sorted(pinned.items())))
        inspector = replace(inspector, pinned=b)
    return replace(state, inspector=inspector)


def pinned_as_shown(state: ExplorerState, shown: Slice) -> ExplorerState:
    """The state with what is shown now pinned as B."""
    places = tuple(sorted(shown.places.items()))
    pinned = Pinned(
        shown.tensor.site,
        state.run,
        state.sentence,
        state.decoding.prefix,
        places,
        state.updates,
        state.changes,
    )
    return replace(state, inspector=replace(state.inspector, pinned=pinned))


def as_trained(state: ExplorerState) -> ExplorerState:
    """The state with the pinned tensor of the model without any changes."""
    assert state.inspector.pinned is not None
    pinned = replace(state.inspector.pinned, changes=())
    return replace(state, inspector=replace(state.inspector, pinned=pinned))


def slice_of_pinned(pinned: Pinned, recorded: Recorded, a: Slice) -> Slice:
    """B, laid out as A: the same axes by their place where both have as many, else by itself."""
    tensor = tensor_of(recorded, pinned.site)
    cut = replace(Cut(), places=pinned.places, first_row=a.first[0], first_column=a.first[1])
    if len(tensor.axes) == len(a.tensor.axes):
        twin = {mine.name: theirs.name for mine, theirs in zip(a.tensor.axes, tensor.axes, strict=True)}
        cut = replace(cut, rows=twin[a.rows] if a.rows else NO_ROWS, columns=twin[a.columns])
    elif len(tensor.axes) > 1 and not a.rows:
        cut = replace(cut, rows=NO_ROWS)
    return slice_of(tensor, cut)


# ---- names --------------------------------------------------------------------------------------------------------


def value_name(site: str) -> str:
    """The last parts of a name as a title has them: ``masked scores``, ``linear1 weight``."""
    return _spaced(locate(site).value.replace(".", " "))


def title_of(site: str) -> str:
    """The block and the value: ``Cross-attention: masked scores``."""
    path, label = split_name(site)
    return f"{path[-1]}: {_spaced(label)}"


def _spaced(name: str) -> str:
    """With spaces for underscores, but for W_Q and its kind, whose letter is a subscript."""
    return name if _LETTERED.fullmatch(name) else name.replace("_", " ")


def meaning_of(recorded: Recorded, site: str) -> str:
    """One sentence on what the tensor is."""
    if site in IDS:
        return IDS[site]
    known = {each.name: each.meaning for each in recorded.run.model.sites()}
    return known.get(site, "Numbers that training has learned; they are the same for every source.")


def default_site(config: TransformerConfig) -> str:
    """What the inspector opens with: what the last decoder layer reads of the source."""
    return f"decoder.layers.{config.n_decoder_layers - 1}.cross_attn.weights"
