"""ExplorerState: the one record of a visitor's choices, and the ways in which each choice changes it.

Everything here is pure. `explorer.visitor.links` writes a state as an address and reads it back;
`explorer.visitor.session` keeps it for a visitor.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from core.run_description import RunDescription
from explorer.models.outputs import Attention
from explorer.models.task_facts import can_read, examples_of
from explorer.tensors import CellPlace
from explorer.visitor.learning import NO_LESSON, Learning

DEFAULT_RUN = "en-fr"
MAX_BRANCHES = 12
MAX_NAME = 40
"""Characters of a branch's name."""
MAX_BEAM_WIDTH = 12
"""Wider beams are no longer a picture."""

MAX_WORDS_TRIED = 20
"""Words that a default sentence is looked for among; some, such as a space, cannot be typed by themselves."""
MAX_TRAIL = 16
"""Cells that the way to an explained one holds."""
JUST_SEE = "see"
"""In place of a prediction: somebody who would rather not make one."""

Runs = Mapping[str, RunDescription]

DEFAULT_ATTENTION: Attention = "cross"
MaskOff = Literal["", "padding", "causal"]
Depth = Literal["idea", "numbers", "formula", "code"]
DEFAULT_DEPTH: Depth = "numbers"


@dataclass(frozen=True)
class Branch:
    """A decoding that begins with forced tokens.

    Attributes:
        prefix: Their ids.
        name: As its maker calls it; empty for the name that it has by itself.
    """

    prefix: tuple[int, ...]
    name: str = ""


@dataclass(frozen=True)
class Cut:
    """How the inspector lays a tensor out; what the tensor has not is its default.

    Attributes:
        rows: Axis that runs down; `NO_ROWS` for a single row, empty for the default.
        columns: Axis that runs to the right, empty for the default.
        places: Of other axes, by their names, the place that is shown.
        first_row: Where the window on long rows begins; so does first_column on long columns.
    """

    rows: str = ""
    columns: str = ""
    places: tuple[tuple[str, int], ...] = ()
    first_row: int = 0
    first_column: int = 0


NO_ROWS = "none"


@dataclass(frozen=True)
class Pinned:
    """The tensor that the inspector compares with: B.

    Attributes:
        site: By the name of its site or parameter.
        run: Name of its model; so are sentence and forced prefix its own.
        places: Of the axes that are neither rows nor columns, the place that is shown.
        updates: Moment of the model's training whose weights it has; None for the best ones.
    """

    site: str
    run: str
    sentence: str
    prefix: tuple[int, ...] = ()
    places: tuple[tuple[str, int], ...] = ()
    updates: int | None = None


@dataclass(frozen=True)
class ExplorerState:
    """What a visitor has chosen; None means: the page's own default.

    Attributes:
        run: Name of the model.
        updates: Moment of its training whose weights it has; None for the best ones.
        sentence: The source as typed, which the model can read.
        decode_step: Step of the decoding, from 0.
        layer: Layer that is looked at, of the encoder or the decoder as the page has it.
        head: Its head; None is the mean over the heads.
        position: Token that is looked at on the pages of the model, from 0.
        stage: Stage of the computation that is open on the pages of the model.
        block: Stack, and perhaps sub-layer, that is looked at: ``decoder.cross_attn``; empty for the page's default.
        mask_off: Which mask the model runs without on the page of the masks; empty for none.
        gold: Whether the gold alignment is laid over it.
        attention: Which attention the large matrix shows.
        prefix: Ids of the tokens that are forced in the decoding that is looked at.
        branches: Other decodings that are kept beside it.
        temperature: Of the sampling; so are top_k, top_p and seed.
        beam_width: Of the beam search; so is length_penalty.
        depth: How deep the words go: idea, numbers, formula or code.
        trail: Cells that led to the one that is explained, which is the last; empty where none is.
        site: Tensor that the inspector shows, by the name of its site or parameter; empty for its first one.
        cut: How the inspector lays it out.
        pinned: What it is compared with; None for nothing.
        training: Id of the training that is watched; empty for none.
        term: Key of the term that the glossary explains; empty for none.
        experiment: Key of the experiment that is looked at; empty for none.
        predicted: Place of the answer that was predicted for it, `JUST_SEE` for none; empty before.
        arms: Ids of the runs of its arms, in their order; empty where nothing was begun.
        learning: Where in the lessons they are.
        update: Update that is taken apart, by its key: ``seed-10``, ``checkpoint-250``; empty for the page's first one.
        pair: Sentence pair of its batch that is looked at, from 0.
        sentence_id: Counts the changes of sentence that did not come from typing.
    """

    run: str
    sentence: str
    updates: int | None = None
    decode_step: int | None = None
    layer: int | None = None
    head: int | None = None
    position: int | None = None
    stage: str = ""
    block: str = ""
    mask_off: MaskOff = ""
    gold: bool = False
    attention: Attention = DEFAULT_ATTENTION
    prefix: tuple[int, ...] = ()
    branches: tuple[Branch, ...] = ()
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0
    seed: int = 0
    beam_width: int = 4
    length_penalty: float = 0.6
    depth: Depth = DEFAULT_DEPTH
    trail: tuple[CellPlace, ...] = ()
    site: str = ""
    cut: Cut = Cut()
    pinned: Pinned | None = None
    training: str = ""
    term: str = ""
    experiment: str = ""
    predicted: str = ""
    arms: tuple[str, ...] = ()
    learning: Learning = NO_LESSON
    update: str = ""
    pair: int | None = None
    sentence_id: int = 0


def default_state(runs: Runs, run: str | None = None) -> ExplorerState:
    """The state of somebody who has chosen nothing, or only the model."""
    name = run or (DEFAULT_RUN if DEFAULT_RUN in runs else next(iter(runs)))
    return ExplorerState(run=name, sentence=default_sentence(runs[name]))


def default_sentence(run: RunDescription) -> str:
    """The task's first example that the model can read; for an unknown task what it was probed with, or a word."""
    examples = (example.source for example in examples_of(run.task))
    candidates = (*examples, *run.probes, *run.src_tokenizer.vocabulary.words[:MAX_WORDS_TRIED])
    return next((text for text in candidates if can_read(run, text)), candidates[-1] if candidates else "")


def choose_run(state: ExplorerState, name: str, runs: Runs) -> ExplorerState:
    """Another model, with that model's first example; the inspector goes on comparing with what is pinned."""
    if name == state.run or name not in runs:
        return state
    return replace(
        default_state(runs, name),
        depth=state.depth,
        site=state.site,
        cut=state.cut,
        pinned=state.pinned,
        training=state.training,
        term=state.term,
        experiment=state.experiment,
        predicted=state.predicted,
        arms=state.arms,
        learning=state.learning,
        sentence_id=state.sentence_id + 1,
    )


def choose_updates(state: ExplorerState, updates: int | None) -> ExplorerState:
    """The weights of another moment of the model's training, None for the best; everything else stays."""
    return replace(state, updates=updates)


def choose_sentence(state: ExplorerState, text: str, *, typed: bool) -> ExplorerState:
    """Another sentence, from its first step on and without branches; how it is looked at stays."""
    moved = 0 if typed else 1
    return replace(
        state,
        sentence=text,
        decode_step=None,
        position=None,
        prefix=(),
        branches=(),
        trail=(),
        sentence_id=state.sentence_id + moved,
    )


def choose_view(
    state: ExplorerState, *, decode_step: int, layer: int, head: int | None, gold: bool
) -> ExplorerState:
    """Another look at the same decoding."""
    return replace(state, decode_step=decode_step, layer=layer, head=head, gold=gold)


def choose_attention(state: ExplorerState, attention: Attention) -> ExplorerState:
    """Another of the three attentions in the large matrix."""
    return replace(state, attention=attention)


def choose_branch(state: ExplorerState, prefix: tuple[int, ...]) -> ExplorerState:
    """Look at the decoding that begins with these tokens; the one before stays among the branches."""
    kept = keep_branch(state, state.prefix) if state.prefix and state.prefix != prefix else state
    others = tuple(branch for branch in kept.branches if branch.prefix != prefix or branch.name)
    return replace(kept, prefix=prefix, branches=others)


def keep_branch(state: ExplorerState, prefix: tuple[int, ...], name: str | None = None) -> ExplorerState:
    """Keep a decoding among the branches, under a name if one is given; the oldest gives way to a new one."""
    shown = (
        None if name is None else "".join(letter for letter in name if letter not in ":;")[:MAX_NAME].strip()
    )
    if any(branch.prefix == prefix for branch in state.branches):
        renamed = (
            Branch(prefix, shown) if branch.prefix == prefix and shown is not None else branch
            for branch in state.branches
        )
        return replace(state, branches=tuple(renamed))
    return replace(state, branches=(*state.branches, Branch(prefix, shown or ""))[-MAX_BRANCHES:])


def remove_branch(state: ExplorerState, prefix: tuple[int, ...]) -> ExplorerState:
    """Forget a branch; if it is looked at, back to what the model says by itself."""
    left = tuple(branch for branch in state.branches if branch.prefix != prefix)
    return replace(state, branches=left, prefix=() if state.prefix == prefix else state.prefix)


def choose_sampling(
    state: ExplorerState, *, temperature: float, top_k: int | None, top_p: float, seed: int
) -> ExplorerState:
    """Other settings of the sampling."""
    return replace(state, temperature=temperature, top_k=top_k, top_p=top_p, seed=seed)


def choose_beam(state: ExplorerState, *, width: int, length_penalty: float) -> ExplorerState:
    """Other settings of the beam search."""
    return replace(state, beam_width=width, length_penalty=length_penalty)


def choose_stage(
    state: ExplorerState, *, stage: str, layer: int | None, head: int | None, position: int | None
) -> ExplorerState:
    """Another look at the stages of a computation."""
    return replace(state, stage=stage, layer=layer, head=head, position=position)


def choose_block(state: ExplorerState, block: str) -> ExplorerState:
    """Another stack or sub-layer; layer and stage stay, and no number is explained any more."""
    return replace(state, block=block, trail=())


def choose_mask_off(state: ExplorerState, mask_off: MaskOff) -> ExplorerState:
    """Without one of the masks, or with both of them."""
    return replace(state, mask_off=mask_off)


def choose_map(state: ExplorerState, *, decode_step: int, stage: str, layer: int | None) -> ExplorerState:
    """Another step of the map, and what is chosen on it."""
    return replace(state, decode_step=decode_step, stage=stage, layer=layer)


def choose_site(state: ExplorerState, site: str) -> ExplorerState:
    """Another tensor in the inspector, laid out as the one before as far as it has the same axes."""
    return replace(state, site=site, cut=replace(state.cut, first_row=0, first_column=0))


def choose_cut(state: ExplorerState, cut: Cut) -> ExplorerState:
    """Another layout of the tensor in the inspector."""
    return replace(state, cut=cut)


def pin(state: ExplorerState, pinned: Pinned | None) -> ExplorerState:
    """Compare the tensor in the inspector with this one; None ends the comparison."""
    return replace(state, pinned=pinned)


def choose_training(state: ExplorerState, training: str) -> ExplorerState:
    """Watch another training, by its id; empty for none."""
    return replace(state, training=training)


def choose_term(state: ExplorerState, term: str) -> ExplorerState:
    """Another term of the glossary, by its key; empty for none."""
    return replace(state, term=term)


def choose_experiment(state: ExplorerState, experiment: str) -> ExplorerState:
    """Look at another experiment, of which nothing is predicted or begun yet; empty for none."""
    return replace(state, experiment=experiment, predicted="", arms=())


def predict(state: ExplorerState, predicted: str) -> ExplorerState:
    """Predict what the experiment will show, by the answer's place, or `JUST_SEE`."""
    return replace(state, predicted=predicted)


def choose_arms(state: ExplorerState, arms: tuple[str, ...]) -> ExplorerState:
    """Watch these runs as the experiment's arms; none to begin others."""
    return replace(state, arms=arms)


def choose_learning(state: ExplorerState, learning: Learning) -> ExplorerState:
    """Another place in the lessons; what is looked at stays."""
    return replace(state, learning=learning)


def choose_update(state: ExplorerState, update: str) -> ExplorerState:
    """Take another update apart, by its key; which parameter is looked at stays."""
    return replace(state, update=update, pair=None)


def choose_depth(state: ExplorerState, depth: Depth) -> ExplorerState:
    """Words of another depth."""
    return replace(state, depth=depth)


def explain_cell(state: ExplorerState, cell: CellPlace) -> ExplorerState:
    """Explain a number; a new way begins with it."""
    return replace(state, trail=(cell,))


def follow_operand(state: ExplorerState, cell: CellPlace) -> ExplorerState:
    """Explain what went into the number that is explained; the oldest of a long way is forgotten."""
    return replace(state, trail=(*state.trail, cell)[-MAX_TRAIL:])


def back_on_trail(state: ExplorerState, place: int) -> ExplorerState:
    """Back to an earlier cell of the way, counted from 0; below 0 nothing is explained any more."""
    return replace(state, trail=state.trail[: max(0, place + 1)])
