"""A state as the address of its view, and back.

A link reopens the same view; a value in it that cannot be used falls back to the default, with a sentence that
says so. Everything in a link is untrusted.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar, get_args

from core.activations.location import locate
from core.data.vocabulary import Vocabulary
from core.errors import InputError
from explorer.models.outputs import MAX_OUTPUT_TOKENS, Attention
from explorer.tensors import CellPlace
from explorer.trainings.run_folders import SAFE_NAME
from explorer.visitor.learning import learning_of, learning_query
from explorer.visitor.state import (
    DEFAULT_ATTENTION,
    DEFAULT_DEPTH,
    MAX_BEAM_WIDTH,
    MAX_BRANCHES,
    MAX_NAME,
    MAX_TRAIL,
    Branch,
    Cut,
    Depth,
    ExplorerState,
    MaskOff,
    Pinned,
    Runs,
    default_sentence,
    default_state,
)

MAX_SENTENCE = 2000
"""Characters of a sentence that a link may carry."""
MAX_STEPS = 1000
"""Steps that a link may name; a view shows its last step for any beyond."""

_ATTENTIONS: dict[str, Attention] = {name: name for name in get_args(Attention)}
_MASKS_OFF: dict[str, MaskOff] = {name: name for name in get_args(MaskOff) if name}
_DEPTHS: dict[str, Depth] = {name: name for name in get_args(Depth)}
_DECIMAL = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")
_STAGE = re.compile(r"[a-z0-9_-]{1,40}")
_SITE = re.compile(r"[A-Za-z0-9_.]{1,100}")
_TERM = re.compile(r"[a-z0-9-]{1,40}")
_EXPERIMENT = re.compile(r"[a-z][a-z-]{1,40}")
_PREDICTED = re.compile(r"[0-9]|see")
_ARMS = re.compile(r"[a-z0-9]{8}(-[a-z0-9]{8}){0,7}")
_UPDATE = re.compile(r"(seed|checkpoint)-[0-9]{1,6}")
_AXIS = re.compile(r"[a-z_]{1,20}")
_PLACES = re.compile(r"[a-z_]{1,20}-[0-9]{1,6}(;[a-z_]{1,20}-[0-9]{1,6}){0,5}")
MAX_FIRST = 10**6
"""Rows or columns that a window may begin at."""
MAX_INDEX = 10**6
"""Numbers along an axis that a link may name."""
MAX_UPDATES = 10**6
"""Updates that a link may name; whether their weights are kept is looked up later."""
_CELL = re.compile(r"([A-Za-z0-9_.]{1,100})((?:-[^-;]{1,40}){0,5})")
_NAMED = {
    "at_update": "updates",
    "attention": "attention",
    "position": "position",
    "stage": "stage",
    "block": "block",
    "mask_off": "mask_off",
    "temperature": "temperature",
    "top_k": "top_k",
    "top_p": "top_p",
    "seed": "seed",
    "beam": "beam_width",
    "penalty": "length_penalty",
    "depth": "depth",
    "site": "site",
    "run": "training",
    "term": "term",
    "experiment": "experiment",
    "predicted": "predicted",
    "update": "update",
    "pair": "pair",
}
"""Choices by their names in a link; one that equals the default is left out."""

VIEW_NAMES = frozenset(
    {"model", "sentence", "step", "layer", "head", "gold", "prefix", "branches", "explain"}
    | {"rows", "columns", "at", "first_row", "first_column"}
    | {"pinned", "pinned_model", "pinned_sentence", "pinned_prefix", "pinned_at", "pinned_update"}
    | set(_NAMED)
)
"""Names in a link that say what is looked at."""

T = TypeVar("T")


def state_from_query(query: Mapping[str, str], runs: Runs) -> tuple[ExplorerState, tuple[str, ...]]:
    """The state that a URL describes, and a sentence for each part of it that could not be used."""
    notices: list[str] = []
    state = default_state(runs)
    if "model" in query:
        if query["model"] in runs:
            state = default_state(runs, query["model"])
        else:
            notices.append("The link names a model that is not here; this is the default one.")
    if "sentence" in query:
        state = _with_linked_sentence(state, query["sentence"][:MAX_SENTENCE], runs, notices)
    learning, refused = learning_of(query)
    notices += [_refusal(name) for name in refused]
    config = runs[state.run].config

    def read(name: str, default: T, parse: Callable[[str], T | None]) -> T:
        if name not in query:
            return default
        value = parse(query[name])
        if value is None:
            notices.append(_refusal(name))
            return default
        return value

    def below(limit: int) -> Callable[[str], int | None]:
        return lambda text: _index(text, limit)

    n_layers = max(config.n_encoder_layers, config.n_decoder_layers)
    vocab_size, vocabulary = config.tgt_vocab_size, runs[state.run].tgt_tokenizer.vocabulary
    state = replace(
        state,
        updates=read("at_update", None, below(MAX_UPDATES)),
        decode_step=read("step", None, below(MAX_STEPS)),
        layer=read("layer", None, below(n_layers)),
        head=read("head", None, below(config.n_heads)),
        gold=query.get("gold") == "1",
        position=read("position", None, below(MAX_STEPS)),
        stage=read("stage", "", lambda text: text if _STAGE.fullmatch(text) else None),
        block=read("block", "", _block),
        mask_off=read("mask_off", "", _MASKS_OFF.get),
        attention=read("attention", DEFAULT_ATTENTION, _ATTENTIONS.get),
        prefix=read("prefix", (), lambda text: _prefix(text, vocabulary)),
        branches=read("branches", (), lambda text: _branches(text, vocabulary)),
        temperature=read("temperature", 1.0, lambda text: _number(text, 0.0, 5.0)),
        top_k=read("top_k", None, below(vocab_size + 1)) or None,
        top_p=read("top_p", 1.0, lambda text: _number(text, 0.01, 1.0)),
        seed=read("seed", 0, below(10**6)),
        beam_width=read("beam", 4, lambda text: _index(text, MAX_BEAM_WIDTH + 1) or None),
        length_penalty=read("penalty", 0.6, lambda text: _number(text, 0.0, 2.0)),
        depth=read("depth", DEFAULT_DEPTH, _DEPTHS.get),
        trail=read("explain", (), lambda text: _trail(text, vocabulary)),
        site=read("site", "", lambda text: text if _SITE.fullmatch(text) else None),
        learning=learning,
        update=read("update", "", lambda text: text if _UPDATE.fullmatch(text) else None),
        pair=read("pair", None, below(MAX_STEPS)),
        training=read("run", "", lambda text: text if SAFE_NAME.fullmatch(text) else None),
        term=read("term", "", lambda text: text if _TERM.fullmatch(text) else None),
        experiment=read("experiment", "", lambda text: text if _EXPERIMENT.fullmatch(text) else None),
        predicted=read("predicted", "", lambda text: text if _PREDICTED.fullmatch(text) else None),
        arms=read("arms", (), lambda text: tuple(text.split("-")) if _ARMS.fullmatch(text) else None),
        cut=Cut(
            rows=read("rows", "", lambda text: text if _AXIS.fullmatch(text) else None),
            columns=read("columns", "", lambda text: text if _AXIS.fullmatch(text) else None),
            places=read("at", (), _places),
            first_row=read("first_row", 0, below(MAX_FIRST)),
            first_column=read("first_column", 0, below(MAX_FIRST)),
        ),
    )
    if "pinned" in query:
        pinned = _pinned(query, state, runs)
        if pinned is None:
            notices.append("The link's pinned tensor cannot be used here; it was left out.")
        state = replace(state, pinned=pinned)
    return state, tuple(notices)


def _refusal(name: str) -> str:
    return f"The link's {name} cannot be used here; it was left out."


def query_of(state: ExplorerState, runs: Runs) -> dict[str, str]:
    """The URL of a state; what equals the default is left out."""
    default = default_state(runs)
    query: dict[str, str] = {}
    if state.run != default.run:
        query["model"] = state.run
    if state.sentence != default_sentence(runs[state.run]):
        query["sentence"] = state.sentence
    for name, value in (("step", state.decode_step), ("layer", state.layer), ("head", state.head)):
        if value is not None:
            query[name] = str(value)
    if state.gold:
        query["gold"] = "1"
    if state.prefix:
        query["prefix"] = _joined(state.prefix)
    if state.branches:
        query["branches"] = ";".join(f"{_joined(branch.prefix)}:{branch.name}" for branch in state.branches)
    plain = ExplorerState(run=state.run, sentence=state.sentence)
    for name, field in _NAMED.items():
        if (value := getattr(state, field)) != getattr(plain, field):
            query[name] = str(value)
    if state.arms:
        query["arms"] = "-".join(state.arms)
    if state.trail:
        query["explain"] = ";".join("-".join((cell.site, *map(str, cell.index))) for cell in state.trail)
    query |= _cut_query(state.cut) | learning_query(state.learning)
    if state.pinned is not None:
        query |= _pinned_query(state.pinned, state, runs)
    return query


def _cut_query(cut: Cut) -> dict[str, str]:
    named = {
        "rows": cut.rows,
        "columns": cut.columns,
        "at": _joined_places(cut.places),
        "first_row": str(cut.first_row or ""),
        "first_column": str(cut.first_column or ""),
    }
    return {name: value for name, value in named.items() if value}


def _pinned_query(pinned: Pinned, state: ExplorerState, runs: Runs) -> dict[str, str]:
    """What is pinned, as far as it is of another model or sentence than what is looked at."""
    query = {"pinned": pinned.site}
    if pinned.run != state.run:
        query["pinned_model"] = pinned.run
    if pinned.sentence != _usual_sentence(pinned.run, state, runs):
        query["pinned_sentence"] = pinned.sentence
    if pinned.prefix:
        query["pinned_prefix"] = _joined(pinned.prefix)
    if pinned.places:
        query["pinned_at"] = _joined_places(pinned.places)
    if pinned.updates is not None:
        query["pinned_update"] = str(pinned.updates)
    return query


def _pinned(query: Mapping[str, str], state: ExplorerState, runs: Runs) -> Pinned | None:
    """What a link pins; None where a part of it cannot be."""
    run = query.get("pinned_model", state.run)
    if run not in runs or not _SITE.fullmatch(query["pinned"]):
        return None
    sentence = query.get("pinned_sentence", _usual_sentence(run, state, runs))[:MAX_SENTENCE]
    prefix = (
        _prefix(query["pinned_prefix"], runs[run].tgt_tokenizer.vocabulary)
        if "pinned_prefix" in query
        else ()
    )
    places = _places(query["pinned_at"]) if "pinned_at" in query else ()
    updates = _index(query["pinned_update"], MAX_UPDATES) if "pinned_update" in query else None
    if updates is None and "pinned_update" in query:
        return None
    try:
        runs[run].source_ids(sentence)
    except InputError:
        return None
    return (
        None
        if prefix is None or places is None
        else Pinned(query["pinned"], run, sentence, prefix, places, updates)
    )


def _usual_sentence(run: str, state: ExplorerState, runs: Runs) -> str:
    """The sentence of what is pinned where a link does not name it."""
    return state.sentence if run == state.run else default_sentence(runs[run])


def _joined_places(places: tuple[tuple[str, int], ...]) -> str:
    return ";".join(f"{axis}-{place}" for axis, place in places)


def _places(text: str) -> tuple[tuple[str, int], ...] | None:
    """Axes, each with a place after a hyphen, semicolons between them; None where it is no such."""
    if not _PLACES.fullmatch(text):
        return None
    found = {axis: int(place) for axis, _, place in (part.partition("-") for part in text.split(";"))}
    return tuple(sorted(found.items()))


def _with_linked_sentence(state: ExplorerState, text: str, runs: Runs, notices: list[str]) -> ExplorerState:
    try:
        runs[state.run].source_ids(text)
    except InputError as error:
        notices.append(f"The link's sentence could not be used. {error.sentence}")
        return state
    return replace(state, sentence=text)


def _index(text: str, limit: int) -> int | None:
    """A whole number from 0 up to but not including the limit, written in ASCII digits; else None."""
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        return None
    return int(text) if int(text) < limit else None


def _number(text: str, least: float, most: float) -> float | None:
    """A plain decimal number between two others, rounded to hundredths as the controls are; else None."""
    if not _DECIMAL.fullmatch(text):
        return None
    number = round(float(text), 2)
    return number if least <= number <= most else None


def _joined(prefix: tuple[int, ...]) -> str:
    return "-".join(map(str, prefix))


def _place(text: str, limit: int, vocabulary: Vocabulary) -> int | None:
    """A number below a limit, or the id of a token that is written out: it stays right when ids change."""
    return vocabulary.id(text) if text in vocabulary and not text.isdigit() else _index(text, limit)


def _prefix(text: str, vocabulary: Vocabulary) -> tuple[int, ...] | None:
    """Tokens or their ids with hyphens between them, the last perhaps the end; None where another is no word."""
    parts = text.split("-")[: MAX_OUTPUT_TOKENS + 1]
    ids = [_place(part, len(vocabulary), vocabulary) for part in parts]
    words = tuple(token_id for token_id in ids if token_id is not None and token_id >= Vocabulary.eos_id)
    possible = len(words) == len(ids) <= MAX_OUTPUT_TOKENS and Vocabulary.eos_id not in words[:-1]
    return words if possible else None


def _branches(text: str, vocabulary: Vocabulary) -> tuple[Branch, ...] | None:
    """Branches with semicolons between them, each a prefix, a colon and a name; None where one is impossible."""
    found: dict[tuple[int, ...], Branch] = {}
    for part in text.split(";")[:MAX_BRANCHES]:
        ids, _, name = part.partition(":")
        prefix = _prefix(ids, vocabulary)
        if prefix is None or ":" in name:
            return None
        found.setdefault(prefix, Branch(prefix, name[:MAX_NAME].strip()))
    return tuple(found.values())


def _trail(text: str, vocabulary: Vocabulary) -> tuple[CellPlace, ...] | None:
    """Cells with semicolons between them, each a site and its index with hyphens; None where one is no such."""
    cells = []
    for part in text.split(";")[:MAX_TRAIL]:
        found = _CELL.fullmatch(part)
        index = [_place(each, MAX_INDEX, vocabulary) for each in found[2].split("-")[1:]] if found else [None]
        places = tuple(place for place in index if place is not None)
        if found is None or len(places) < len(index):
            return None
        cells.append(CellPlace(found[1], places))
    return tuple(cells)


def _block(text: str) -> str | None:
    """A stack, or a part of one that there is in any layer."""
    where = locate(text)
    known = text in (where.stack, f"{where.stack}.{where.part}")
    return text if known and not (where.crosses and where.stack == "encoder") else None
