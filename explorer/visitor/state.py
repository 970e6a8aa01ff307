"""ExplorerState: the one record of a visitor's choices, and the ways in which a choice changes others.

A field declares its default, its name and form in a link, and the choices with which it goes back to the default;
reading and writing links is derived from that (`explorer.visitor.links`). Everything here is pure;
`explorer.visitor.session` keeps a state for a visitor. A choice that changes nothing else is a plain
`dataclasses.replace`.
"""

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from core.interventions.intervention import AttentionRow, Intervention, Patch, SiteIntervention
from core.interventions.links import write_link
from explorer.models.outputs import Attention
from explorer.tensors import CellPlace, Side
from explorer.trainings.run_folders import SAFE_NAME
from explorer.visitor.by_hand import ByHand
from explorer.visitor.declared import PAGE, choice, cleared, group, linked, optional_group
from explorer.visitor.forms import (
    AXIS,
    BLOCK,
    BRANCHES,
    CHANGES,
    FLAG,
    MAX_BRANCHES,
    MAX_INDEX,
    MAX_NAME,
    MAX_TEMPERATURE,
    MAX_TRAIL,
    MIN_TOP_P,
    PLACES,
    PREFIX,
    RUN,
    SENTENCE,
    SITE,
    TOP_K,
    TRAIL,
    Branch,
    decimal,
    joined,
    one_of,
    text_of,
    whole,
)
from explorer.visitor.learning import NO_LESSON, Learning, settled
from explorer.visitor.scope import Runs, Scope, default_scope, default_sentence

MAX_BEAM_WIDTH = 12
"""Wider beams are no longer a picture."""
MAX_OFFSET = 64
"""Positions by which a rotation may shift."""
MAX_STEPS = 1000
"""Steps that a link may name; a view shows its last step for any beyond."""
ENCODER_MS, STEP_MS = 4000, 6000
"""How long the encoder's run and a step of the decoder last where they are played at their own speed."""
JUST_SEE = "see"
"""In place of a prediction: somebody who would rather not make one."""
NO_ROWS = "none"
REFERENCE = "reference"
"""Name of the branch that writes what should have been written."""

MaskOff = Literal["", "padding", "causal"]
Way = Literal["borrow", "off", "row"]
Compared = Literal["changed", "trained", "difference"]
"""Whose values are drawn: the changed model’s, those that it has as it was trained, or the first less the second."""
Depth = Literal["idea", "numbers", "formula", "code"]

_ATTENTIONS: tuple[Attention, ...] = get_args(Attention)
_MASKS: tuple[MaskOff, ...] = get_args(MaskOff)
_DEPTHS: tuple[Depth, ...] = get_args(Depth)


def _n_layers(scope: Scope) -> int:
    return max(scope.run.config.n_encoder_layers, scope.run.config.n_decoder_layers)


def _n_heads(scope: Scope) -> int:
    return scope.run.config.n_heads


@dataclass(frozen=True)
class Decoding:
    """The decoding that is looked at.

    Attributes:
        step: Of the decoding, from 0.
        moment: Of its run as it is played, in ms from the encoder's beginning; None for the end of the step.
        prefix: Ids of the tokens that are forced in it.
        branches: Other decodings that are kept beside it.
        varied: Token of the source that is varied, from 0; None for the one that the step reads most.
    """

    step: int | None = choice(None, link="step", form=whole(MAX_STEPS))
    moment: int | None = choice(
        None, link="moment", form=whole(ENCODER_MS + STEP_MS * MAX_STEPS), depends_on=(PAGE,)
    )
    prefix: tuple[int, ...] = choice((), link="prefix", form=PREFIX)
    branches: tuple[Branch, ...] = choice((), link="branches", form=BRANCHES)
    varied: int | None = choice(None, link="vary", form=whole(MAX_STEPS), depends_on=(PAGE,))


@dataclass(frozen=True)
class Look:
    """Where in the model somebody looks: but for the layer, each is a choice of the page on which it was made.

    The layer is one for all pages, as is the step: its attention, its norms and its network are looked at one after
    the other. Heads of the same number in two attentions have nothing to do with each other.

    Attributes:
        layer: Of the encoder or the decoder as the page has it.
        head: Of the layer; None is the mean over the heads.
        gold: Whether the gold alignment is laid over it.
        position: Token of the source that is looked at on a page whose rows are the source's, from 0.
        stage: Stage of the computation that is open on the pages of the model.
        block: Stack, and perhaps sub-layer: ``decoder.cross_attn``; empty for the page's default.
        mask_off: Which mask the model runs without on the page of the masks; empty for none.
        attention: Which attention the large matrix shows.
        compared: Whose values the living map draws where the model is a changed one.
        trail: Cells that led to the one that is explained, which is the last; empty where none is.
    """

    layer: int | None = choice(None, link="layer", form=whole(_n_layers))
    head: int | None = choice(None, link="head", form=whole(_n_heads), depends_on=(PAGE,))
    gold: bool = choice(False, link="gold", form=FLAG, depends_on=(PAGE,))
    position: int | None = choice(None, link="position", form=whole(MAX_STEPS), depends_on=("sentence", PAGE))
    stage: str = choice("", link="stage", form=text_of(r"[a-z0-9_-]{1,40}"), depends_on=(PAGE,))
    block: str = choice("", link="block", form=BLOCK, depends_on=(PAGE,))
    mask_off: MaskOff = choice("", link="mask_off", form=one_of(filter(None, _MASKS)), depends_on=(PAGE,))
    attention: Attention = choice("cross", link="attention", form=one_of(_ATTENTIONS), depends_on=(PAGE,))
    compared: Compared = choice(
        "changed", link="compared", form=one_of(get_args(Compared)), depends_on=("changes", PAGE)
    )
    trail: tuple[CellPlace, ...] = choice(
        (), link="explain", form=TRAIL, depends_on=("sentence", "look.block", PAGE)
    )

    @property
    def cell(self) -> CellPlace | None:
        """The cell that is explained; None where none is."""
        return self.trail[-1] if self.trail else None


@dataclass(frozen=True)
class PositionLook:
    """Choices of the page of positions.

    Attributes:
        length: Positions in the table; None for those of the sentence.
        offset: How far a rotation shifts.
        pair: Which pair of dimensions it is shown on.
    """

    length: int | None = choice(
        None, link="positions", form=whole(MAX_STEPS), depends_on=("run", "sentence", PAGE)
    )
    offset: int = choice(1, link="offset", form=whole(MAX_OFFSET + 1), depends_on=(PAGE,))
    pair: int = choice(0, link="dimensions", form=whole(MAX_INDEX), depends_on=("run", PAGE))


@dataclass(frozen=True)
class Sampling:
    """Settings of the sampling; a top_k of None draws among all tokens."""

    temperature: float = choice(1.0, link="temperature", form=decimal(0.0, MAX_TEMPERATURE))
    top_k: int | None = choice(None, link="top_k", form=TOP_K)
    top_p: float = choice(1.0, link="top_p", form=decimal(MIN_TOP_P, 1.0))
    seed: int = choice(0, link="seed", form=whole(MAX_INDEX))


@dataclass(frozen=True)
class Beam:
    """Settings of the beam search."""

    width: int = choice(4, link="beam", form=whole(MAX_BEAM_WIDTH + 1, least=1))
    length_penalty: float = choice(0.6, link="penalty", form=decimal(0.0, 2.0))


@dataclass(frozen=True)
class Cut:
    """How the inspector lays a tensor out; what the tensor has not is its default.

    Attributes:
        rows: Axis that runs down; `NO_ROWS` for a single row, empty for the default.
        columns: Axis that runs to the right, empty for the default.
        places: Of other axes, by their names, the place that is shown.
        first_row: Where the window on long rows begins; so does first_column on long columns.
    """

    rows: str = choice("", link="rows", form=AXIS)
    columns: str = choice("", link="columns", form=AXIS)
    places: tuple[tuple[str, int], ...] = choice((), link="at", form=PLACES)
    first_row: int = choice(0, link="first_row", form=whole(MAX_INDEX), depends_on=("inspector.site",))
    first_column: int = choice(0, link="first_column", form=whole(MAX_INDEX), depends_on=("inspector.site",))


@dataclass(frozen=True)
class Pinned:
    """The tensor that the inspector compares with: B.

    Attributes:
        site: By the name of its site or parameter.
        run: Name of its model; so are sentence and forced prefix its own.
        places: Of the axes that are neither rows nor columns, the place that is shown.
        updates: Moment of the model's training whose weights it has; None for the best ones.
        changes: What is changed in it as it runs.
    """

    site: str = field(metadata=linked("pinned", SITE))
    run: str = field(
        metadata=linked("pinned_model", RUN, usual=lambda scope: scope.name, narrows=Scope.at_run)
    )
    sentence: str = field(
        metadata=linked("pinned_sentence", SENTENCE, usual=lambda scope: scope.usual_sentence)
    )
    prefix: tuple[int, ...] = choice((), link="pinned_prefix", form=PREFIX)
    places: tuple[tuple[str, int], ...] = choice((), link="pinned_at", form=PLACES)
    updates: int | None = choice(None, link="pinned_update", form=whole(MAX_INDEX))
    changes: tuple[Intervention, ...] = choice((), link="pinned_changes", form=CHANGES)


@dataclass(frozen=True)
class Inspector:
    """What the inspector shows.

    Attributes:
        site: Tensor by the name of its site or parameter; empty for its first one.
        cut: How it is laid out.
        pinned: What it is compared with; None for nothing.
    """

    site: str = choice("", link="site", form=SITE, depends_on=(PAGE,))
    cut: Cut = group(Cut(), depends_on=(PAGE,))
    pinned: Pinned | None = optional_group(
        Pinned, notice="The link's pinned tensor cannot be used here; it was left out."
    )


@dataclass(frozen=True)
class UpdateChoice:
    """The update that is taken apart.

    Attributes:
        key: ``seed-10``, ``checkpoint-250``; empty for the page's first one.
        pair: Sentence pair of its batch that is looked at, from 0.
    """

    key: str = choice("", link="update", form=text_of(r"(seed|checkpoint)-[0-9]{1,6}"))
    pair: int | None = choice(None, link="pair", form=whole(MAX_STEPS), depends_on=("update.key",))


@dataclass(frozen=True)
class ExperimentChoice:
    """The experiment that is looked at.

    Attributes:
        key: Empty for none.
        predicted: Place of the answer that was predicted for it, `JUST_SEE` for none; empty before.
        arms: Ids of the runs of its arms, in their order; empty where nothing was begun.
    """

    key: str = choice("", link="experiment", form=text_of(r"[a-z][a-z-]{1,40}"))
    predicted: str = choice(
        "", link="predicted", form=text_of(f"[0-9]|{JUST_SEE}"), depends_on=("experiment.key",)
    )
    arms: tuple[str, ...] = choice(
        (),
        link="arms",
        form=joined(r"[a-z0-9][a-z0-9_]{0,47}(-[a-z0-9][a-z0-9_]{0,47}){0,7}"),
        depends_on=("experiment.key",),
    )


MISTAKES_PATTERNS = {
    "split": "(test|validation|unseen)?",
    "kind": "[a-z_]{0,20}",
    "group": "((first|length|reference)(-[0-9]{1,5}){1,2}|(taken|token)-[0-9]{1,5})?",
    "sort": "loss|first|length|number",
    "search": r"[^\x00-\x1f\x7f]{0,100}",
}
"""What can be written where somebody says which held-out pairs are looked at."""


@dataclass(frozen=True)
class MistakesLook:
    """Which held-out pairs are looked at.

    Attributes:
        split: Test or validation pairs, or those of combinations that the training lacks; empty for the page's default.
        kind: Of mistake, by its key; ``wrong``, ``exact``, ``all``; empty for the wrong ones, if there are any.
        group: What they have in common, a bar of the pictures: ``length-5``, ``first-2``, ``taken-0``; empty for all.
        sort: Their order.
        search: Text that they have.
    """

    split: str = choice("", link="split", form=text_of(MISTAKES_PATTERNS["split"]))
    kind: str = choice("", link="kind", form=text_of(MISTAKES_PATTERNS["kind"]))
    group: str = choice(
        "", link="group", form=text_of(MISTAKES_PATTERNS["group"]), depends_on=("mistakes.split",)
    )
    sort: str = choice("loss", link="sort", form=text_of(MISTAKES_PATTERNS["sort"]))
    search: str = choice("", link="search", form=text_of(MISTAKES_PATTERNS["search"]))


@dataclass(frozen=True)
class WhatIf:
    """What is looked at where the running model is changed.

    Attributes:
        way: Of changing it: borrow from another sentence, switch a part off, or edit a row of attention.
        donor: The second sentence; empty for the first that is offered.
    """

    way: Way = choice("borrow", link="way", form=one_of(get_args(Way)))
    donor: str = choice("", link="second", form=SENTENCE, depends_on=("sentence",))


WORTH_PATTERNS = {
    "parts": "((encoder|decoder)-[0-9]{1,3})?",
    "order": "place|loss|exact|gold|previous|next|rest",
}
"""What can be written where somebody says which parts' worth is looked at, and in which order."""


@dataclass(frozen=True)
class WorthLook:
    """Which parts of the model are looked at where all are measured over the held-out pairs.

    Attributes:
        parts: ``encoder-0`` for the neurons of that layer; empty for the heads.
        order: Of the table, by a column.
        chosen: Number of the part whose strongest sentences are shown, in the order of the model; None for the part
            that is worth most.
    """

    parts: str = choice("", link="parts", form=text_of(WORTH_PATTERNS["parts"]))
    order: str = choice(
        "loss", link="order", form=text_of(WORTH_PATTERNS["order"]), depends_on=("worth.parts",)
    )
    chosen: int | None = choice(None, link="part", form=whole(MAX_INDEX), depends_on=("worth.parts",))


@dataclass(frozen=True)
class ExplorerState:
    """What a visitor has chosen; None means: the page's own default.

    Attributes:
        run: Name of the model.
        sentence: The source as typed, which the model can read.
        updates: Moment of its training whose weights it has; None for the best ones.
        changes: What is changed in the running model, in the order in which it acts; see `choose_changes`.
        decoding: The decoding that is looked at.
        look: Where in the model.
        positions: Choices of the page of positions.
        sampling: How tokens are drawn.
        beam: How the beam search goes.
        depth: How deep the words go: idea, numbers, formula or code.
        inspector: The tensor that is taken apart.
        update: The update that is taken apart.
        training: Id of the training that is watched; empty for none.
        term: Key of the term that the glossary explains; empty for none.
        experiment: The experiment that is looked at.
        mistakes: Which held-out pairs are looked at.
        by_hand: What is written down for an attention by hand.
        what_if: What is looked at where the running model is changed.
        worth: Which parts are looked at where all are measured over the held-out pairs.
        learning: Where in the lessons they are.
        sentence_id: Counts the changes of sentence that did not come from typing; in no link.
    """

    run: str = field(metadata=linked("model", RUN, usual=lambda scope: scope.name, narrows=Scope.at_run))
    sentence: str = field(
        metadata=linked(
            "sentence", SENTENCE, usual=lambda scope: scope.usual_sentence, narrows=Scope.at_sentence
        )
    )
    updates: int | None = choice(None, link="at_update", form=whole(MAX_INDEX), depends_on=("run",))
    changes: tuple[Intervention, ...] = choice((), link="changes", form=CHANGES, depends_on=("run",))
    decoding: Decoding = group(Decoding(), depends_on=("run", "sentence"))
    look: Look = group(Look(), depends_on=("run",))
    positions: PositionLook = group(PositionLook())
    sampling: Sampling = group(Sampling(), depends_on=("run",))
    beam: Beam = group(Beam(), depends_on=("run",))
    depth: Depth = choice("numbers", link="depth", form=one_of(_DEPTHS))
    inspector: Inspector = group(Inspector())
    update: UpdateChoice = group(UpdateChoice(), depends_on=("run",))
    training: str = choice("", link="run", form=text_of(SAFE_NAME.pattern), depends_on=(PAGE,))
    term: str = choice("", link="term", form=text_of(r"[a-z0-9-]{1,40}"))
    experiment: ExperimentChoice = group(ExperimentChoice())
    mistakes: MistakesLook = group(MistakesLook(), depends_on=("run",))
    by_hand: ByHand = group(ByHand(), depends_on=(PAGE,))
    what_if: WhatIf = group(WhatIf(), depends_on=("run",))
    worth: WorthLook = group(WorthLook(), depends_on=("run",))
    learning: Learning = group(NO_LESSON, settled=settled)
    sentence_id: int = 0


def default_state(runs: Runs, run: str | None = None) -> ExplorerState:
    """The state of somebody who has chosen nothing, or only the model."""
    name = run or default_scope(runs).name
    return ExplorerState(run=name, sentence=default_sentence(runs[name]))


def choose_run(state: ExplorerState, name: str, runs: Runs) -> ExplorerState:
    """Another model, with that model's first example; the inspector goes on comparing with what is pinned."""
    if name == state.run or name not in runs:
        return state
    return replace(
        cleared(state, "run"),
        run=name,
        sentence=default_sentence(runs[name]),
        sentence_id=state.sentence_id + 1,
    )


def choose_sentence(state: ExplorerState, text: str, *, typed: bool) -> ExplorerState:
    """Another sentence, from its first step on and without branches; how it is looked at stays.

    So do changes of the model, but for those at places of the sentence before.
    """
    moved = 0 if typed else 1
    kept = tuple(change for change in state.changes if not _is_placed(change))
    state = _with_changes(cleared(state, "sentence"), kept)
    return replace(state, sentence=text, sentence_id=state.sentence_id + moved)


def _with_changes(state: ExplorerState, changes: tuple[Intervention, ...]) -> ExplorerState:
    return state if changes == state.changes else replace(cleared(state, "changes"), changes=changes)


def _is_placed(change: Intervention) -> bool:
    return isinstance(change, Patch) or (isinstance(change, SiteIntervention) and bool(change.positions))


def toggle_change(state: ExplorerState, change: Intervention) -> ExplorerState:
    """One more change of the model, the last to act; the same once more takes it back.

    A row of attention, or a value from another sentence, takes the place of what was set there before.

    Raises:
        CaptureError: when there are as many already as a link can carry.
    """
    if change in state.changes:
        return _with_changes(state, tuple(each for each in state.changes if each != change))
    kept = tuple(each for each in state.changes if _place_of(each) != _place_of(change))
    write_link((*kept, change))
    return _with_changes(state, (*kept, change))


def _place_of(change: Intervention) -> object:
    """What two changes of one kind must not both be about."""
    if isinstance(change, Patch | AttentionRow):
        return type(change), change.site, change.head, change.positions, change.unit
    return change


def undo_change(state: ExplorerState) -> ExplorerState:
    """The model without the last of its changes."""
    return _with_changes(state, state.changes[:-1])


def undo_changes(state: ExplorerState) -> ExplorerState:
    """The model as it was trained."""
    return _with_changes(state, ())


def choose_varied(state: ExplorerState, position: int) -> ExplorerState:
    """Vary the token of the source at another position."""
    return replace(state, decoding=replace(state.decoding, varied=position))


def choose_varied_sentence(state: ExplorerState, text: str, position: int, step: int) -> ExplorerState:
    """Another sentence, in which the token at a position goes on being varied, at the same step."""
    moved = choose_sentence(state, text, typed=False)
    return replace(moved, decoding=replace(moved.decoding, step=step, varied=position))


def choose_branch(state: ExplorerState, prefix: tuple[int, ...], step: int | None = None) -> ExplorerState:
    """Look at the decoding that begins with these tokens; the one before stays among the branches.

    Args:
        state: The choices before.
        prefix: Ids of the tokens; none for what the model says by itself.
        step: To go to; None to stay at the one before.
    """
    before = state.decoding.prefix
    kept = (keep_branch(state, before) if before and before != prefix else state).decoding
    others = tuple(branch for branch in kept.branches if branch.prefix != prefix or branch.name)
    decoding = replace(
        kept, step=kept.step if step is None else step, moment=None, prefix=prefix, branches=others
    )
    return replace(state, decoding=decoding)


def keep_branch(state: ExplorerState, prefix: tuple[int, ...], name: str | None = None) -> ExplorerState:
    """Keep a decoding among the branches, under a name if one is given; the oldest gives way to a new one."""
    shown = (
        None if name is None else "".join(letter for letter in name if letter not in ":;")[:MAX_NAME].strip()
    )
    branches = state.decoding.branches
    if any(branch.prefix == prefix for branch in branches):
        kept = tuple(
            replace(branch, name=shown) if branch.prefix == prefix and shown is not None else branch
            for branch in branches
        )
    else:
        kept = (*branches, Branch(prefix, shown or ""))[-MAX_BRANCHES:]
    return replace(state, decoding=replace(state.decoding, branches=kept))


def remove_branch(state: ExplorerState, prefix: tuple[int, ...]) -> ExplorerState:
    """Forget a branch; if it is looked at, back to what the model says by itself."""
    decoding = state.decoding
    left = tuple(branch for branch in decoding.branches if branch.prefix != prefix)
    shown = () if decoding.prefix == prefix else decoding.prefix
    return replace(state, decoding=replace(decoding, prefix=shown, branches=left))


def choose_block(state: ExplorerState, block: str) -> ExplorerState:
    """Another stack or sub-layer; layer and stage stay, and no number is explained any more."""
    moved = cleared(state, "look.block")
    return replace(moved, look=replace(moved.look, block=block))


def look_anew(state: ExplorerState, *, stage: str, layer: int | None = None) -> ExplorerState:
    """Open a stage of a block, where nothing that belongs to another page or sentence is chosen yet.

    Args:
        state: The choices before.
        stage: Stage of the computation to open.
        layer: Layer to show; None for the page's own default.
    """
    fresh = cleared(state, PAGE, "sentence").look
    return replace(state, look=replace(fresh, stage=stage, layer=layer))


def choose_row(state: ExplorerState, side: Side, place: int) -> ExplorerState:
    """Look at a row: those of the source are positions, those of the target the steps of the whole app."""
    if side == "target":
        return replace(state, decoding=replace(state.decoding, step=place))
    return replace(state, look=replace(state.look, position=place))


def with_row_of_link(state: ExplorerState, side: Side) -> ExplorerState:
    """What a link means on a page whose rows are of this side: a position among those of the target is the step.

    So had it been written before one step was that of all pages.
    """
    position = state.look.position
    if side == "source" or position is None:
        return state
    moved = replace(state, look=replace(state.look, position=None))
    return moved if state.decoding.step is not None else choose_row(moved, side, position)


def choose_site(state: ExplorerState, site: str) -> ExplorerState:
    """Another tensor in the inspector, laid out as the one before as far as it has the same axes."""
    moved = cleared(state, "inspector.site")
    return replace(moved, inspector=replace(moved.inspector, site=site))


def choose_experiment(state: ExplorerState, key: str) -> ExplorerState:
    """Look at another experiment, of which nothing is predicted or begun yet; empty for none."""
    moved = cleared(state, "experiment.key")
    return replace(moved, experiment=replace(moved.experiment, key=key))


def choose_parts(state: ExplorerState, parts: str) -> ExplorerState:
    """Measure other parts of the model, by their key; none of them is chosen yet."""
    moved = cleared(state, "worth.parts")
    return replace(moved, worth=replace(moved.worth, parts=parts))


def choose_update(state: ExplorerState, key: str) -> ExplorerState:
    """Take another update apart, by its key; which parameter is looked at stays."""
    moved = cleared(state, "update.key")
    return replace(moved, update=replace(moved.update, key=key))


def explain_cell(state: ExplorerState, cell: CellPlace) -> ExplorerState:
    """Explain a number; a new way begins with it."""
    return replace(state, look=replace(state.look, trail=(cell,)))


def follow_operand(state: ExplorerState, cell: CellPlace) -> ExplorerState:
    """Explain what went into the number that is explained; the oldest of a long way is forgotten."""
    return replace(state, look=replace(state.look, trail=(*state.look.trail, cell)[-MAX_TRAIL:]))


def back_on_trail(state: ExplorerState, place: int) -> ExplorerState:
    """Back to an earlier cell of the way, counted from 0; below 0 nothing is explained any more."""
    return replace(state, look=replace(state.look, trail=state.look.trail[: max(0, place + 1)]))
