"""Questions about a run as a whole: its tokens and outputs, its vocabularies, its sizes and its training."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Literal

from core.activations.location import locate
from core.analysis.embedding_geometry import analogy, nearest_neighbours
from core.config import PAPER_VOCAB_SIZE, BeamConfig, TransformerConfig
from core.explanation.explain import explain
from core.model.parameters import count_parameters
from core.model.shapes import expected_parameters
from core.numbers import is_number, is_whole
from explorer.lessons.asked import Asked
from explorer.lessons.findings import FactError, Finding, counted, phrase, words
from explorer.lessons.places import one_place_on
from explorer.models.decodings import beam_of, recorded_beside
from explorer.models.loaded import learned_tokenizers
from explorer.models.padded_batch import OWN, default_titles, masked_batch, other_examples
from explorer.models.tokenizations import cuts
from explorer.tensors import Axis
from explorer.visitor.running import run_of

# ---- tokens and outputs --------------------------------------------------------------------------------------------


def _tokens_of(asked: Asked) -> tuple[tuple[str, ...], Sequence[int], Literal["source", "target"]]:
    """Tokens and ids of a side, and whose colour they have."""
    recorded, side = asked.recorded, asked.options["side"]
    if side == "source":
        return recorded.source, recorded.trace.src.tolist(), "source"
    if side == "input":
        return recorded.inputs, recorded.trace.tgt_in.tolist(), "target"
    if side == "output":
        return recorded.outputs, recorded.trace.tgt_out.tolist(), "target"
    raise FactError("'side' is 'source', 'input' (what the decoder reads) or 'output'.")


def _place(asked: Asked) -> int:
    tokens, _, _ = _tokens_of(asked)
    return one_place_on(Axis("place", len(tokens), tokens), asked.options["place"])


def _token(asked: Asked) -> Finding:
    tokens, _, side = _tokens_of(asked)
    place = _place(asked)
    axis = Axis("position", len(tokens), tokens, side)
    plain = words(tokens[place], side)
    return Finding(plain.value, plain.pieces, (axis,), (place,))


def _id(asked: Asked) -> Finding:
    return counted(int(_tokens_of(asked)[1][_place(asked)]))


def _n_tokens(asked: Asked) -> Finding:
    return counted(len(_tokens_of(asked)[0]))


def _output(asked: Asked) -> Finding:
    recorded = asked.recorded
    ids = [each for each in recorded.trace.tgt_out.tolist() if each != recorded.run.config.eos_id]
    return phrase(recorded.run.tgt_tokenizer.decode(ids))


def _probability(asked: Asked) -> Finding:
    log_probs = asked.recorded.tensor("generator.log_probs")
    steps, vocabulary = log_probs.axes
    step = one_place_on(steps, asked.options["step"])
    produced = int(asked.recorded.trace.tgt_out[step])
    token = one_place_on(vocabulary, asked.options["token"]) if "token" in asked.options else produced
    return asked.number(math.exp(float(log_probs.values[step, token])), "probability")


def _explained(asked: Asked) -> Finding:
    site, index = str(asked.options["site"]), asked.options.get("index", [])
    if not isinstance(index, list) or not all(map(is_whole, index)):
        raise FactError("'index' is a list of whole numbers.")
    recorded = asked.recorded
    value = explain(recorded.run, recorded.trace, site, tuple(index)).recorded
    form = {"hypothesis.prob": "probability", "hypothesis.log_prob": "log_prob"}.get(site, locate(site).value)
    return asked.number(value, form)


# ---- vocabularies and tokenizers -----------------------------------------------------------------------------------


def _table(asked: Asked) -> tuple[str, Axis]:
    """The embedding table of a side, and its tokens."""
    side = asked.options.get("side", "source")
    if side not in ("source", "target"):
        raise FactError("'side' is 'source' or 'target'.")
    run = asked.recorded.run
    tokenizer = run.src_tokenizer if side == "source" else run.tgt_tokenizer
    tokens = tuple(tokenizer.vocabulary.tokens)
    return f"{'src' if side == 'source' else 'tgt'}_embed.weight", Axis("vocab", len(tokens), tokens)


def _nearest(asked: Asked) -> Finding:
    name, vocabulary = _table(asked)
    token = one_place_on(vocabulary, asked.options["token"])
    weight = asked.recorded.run.model.get_parameter(name)
    found = nearest_neighbours(weight, weight[token], 1, leave_out={token, asked.recorded.run.config.pad_id})
    return words(vocabulary.labels[found[0].token_id])


def _analogy(asked: Asked) -> Finding:
    name, vocabulary = _table(asked)
    tokens = asked.options["tokens"]
    if not isinstance(tokens, list) or len(tokens) != 3:
        raise FactError("'tokens' is a list of three: the first less the second plus the third.")
    a, b, c = (one_place_on(vocabulary, each) for each in tokens)
    run = asked.recorded.run
    found = analogy(run.model.get_parameter(name), a, b, c, 1, leave_out={run.config.pad_id})
    return words(vocabulary.labels[found[0].token_id])


def _tokenized(asked: Asked) -> Finding:
    run = asked.runs[asked.state.run]
    found = {
        # A lesson asks for words, whichever kind of words the model reads.
        cut.kind.removeprefix("cased_"): cut
        for cut in cuts(run, learned_tokenizers(asked.state.run), asked.state.sentence)
    }
    kind = str(asked.options["tokenizer"])
    if kind not in found:
        raise FactError(f"there is no tokenizer {kind!r} here; there are {', '.join(found)}.")
    return counted(len(found[kind].tokens))


def _vocabulary(asked: Asked) -> Finding:
    return counted(_vocabulary_size(asked))


def _vocabulary_size(asked: Asked) -> int:
    config, side = asked.runs[asked.state.run].config, asked.options["side"]
    if side not in ("source", "target"):
        raise FactError("'side' is 'source' or 'target'.")
    return config.src_vocab_size if side == "source" else config.tgt_vocab_size


def _uniform(asked: Asked) -> Finding:
    return asked.number(math.log(_vocabulary_size(asked)), "ratio")


# ---- the model and its training ------------------------------------------------------------------------------------


def _parameters(asked: Asked) -> Finding:
    model = asked.recorded.run.model
    if "of" not in asked.options:
        return counted(count_parameters(model))
    pattern = str(asked.options["of"])
    sizes = [each.numel() for name, each in model.named_parameters() if fnmatch.fnmatchcase(name, pattern)]
    if not sizes:
        raise FactError(f"no parameter is called {pattern!r}.")
    return counted(sum(sizes))


def _base(asked: Asked) -> Finding:
    tokens = PAPER_VOCAB_SIZE
    return counted(expected_parameters(TransformerConfig.base(src_vocab_size=tokens, tgt_vocab_size=tokens)))


def _setting(asked: Asked) -> Finding:
    return setting_of(asked.runs[asked.state.run].config, asked)


def setting_of(config: TransformerConfig, asked: Asked) -> Finding:
    """One setting of a model, by the name that the fact asks for.

    Raises:
        FactError: when there is none of that name.
    """
    name = str(asked.options["name"])
    known = {each.name for each in fields(config)} | {"d_head"}
    if name not in known:
        raise FactError(f"a model has no setting {name!r}; it has {', '.join(sorted(known))}.")
    value = getattr(config, name)
    if not is_number(value):
        return words(str(value))
    return counted(value) if isinstance(value, int) else asked.number(value, "ratio")


def _held_out(asked: Asked) -> Finding:
    figures, name = asked.runs[asked.state.run].evaluation, str(asked.options["name"])
    if name not in figures:
        raise FactError(
            f"nothing called {name!r} was measured of this model; there are {', '.join(figures)}."
        )
    return asked.number(float(figures[name]), "count" if name == "n_pairs" else "probability")


def _training(asked: Asked) -> Finding:
    history, name, at = asked.runs[asked.state.run].history, str(asked.options["name"]), asked.options["at"]
    step = next((each for each in history if each["index"] == at), None)
    if step is None or name not in step:
        raise FactError(f"the training's record has no {name!r} at update {at}.")
    return asked.number(float(step[name]), name)


def _beam(asked: Asked) -> Finding:
    width, penalty = asked.options.get("width", 4), asked.options.get("penalty", 0.6)
    if not is_whole(width) or not is_number(penalty):
        raise FactError("'width' is a whole number and 'penalty' a number.")
    run = run_of(asked.state)
    BeamConfig(width=width, length_penalty=float(penalty))
    tree = beam_of(run, asked.state.sentence, width, float(penalty))
    ends = {"best": tree.nodes[tree.n_best[0]], "greedy": tree.nodes[tree.greedy[-1]]}
    end, _, what = str(asked.options["what"]).partition(" ")
    if end not in ends or what not in ("output", "log_prob", "score"):
        raise FactError("'what' is 'best' or 'greedy', a space, and 'output', 'log_prob' or 'score'.")
    if what == "output":
        return phrase(ends[end].text)
    return asked.number(float(getattr(ends[end], what)), "log_prob")


def _masking(asked: Asked) -> Finding:
    off, what = asked.options["off"], asked.options["what"]
    if off not in ("padding", "causal") or what not in ("changed", "largest_change"):
        raise FactError("'off' is 'padding' or 'causal', and 'what' is 'changed' or 'largest_change'.")
    run, sentence = asked.recorded.run, asked.state.sentence
    examples = other_examples(run, sentence)
    others = recorded_beside(run, examples, default_titles(run, sentence))
    effect = masked_batch(run, [(OWN, asked.recorded), *others], off).effect
    if what == "changed":
        return counted(int(effect.changed[0].sum()))
    return asked.number(float(effect.largest_change[0].max()), "log_prob")


RUN_ASKS: Mapping[str, Callable[[Asked], Finding]] = {
    "token": _token,
    "id": _id,
    "tokens": _n_tokens,
    "output": _output,
    "probability": _probability,
    "explained": _explained,
    "nearest": _nearest,
    "analogy": _analogy,
    "tokenized": _tokenized,
    "vocabulary": _vocabulary,
    "uniform": _uniform,
    "base": _base,
    "parameters": _parameters,
    "setting": _setting,
    "held_out": _held_out,
    "training": _training,
    "beam": _beam,
    "masking": _masking,
}
"""The functions that answer for a run, by what is asked."""
