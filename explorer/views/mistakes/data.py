"""What the view of the held-out pairs is fed, and where a pair is opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import streamlit as st

from core.data.vocabulary import Vocabulary
from core.evaluation.exactness import describe_right
from core.evaluation.held_out import MOST_PAIRS, HeldOut, Share
from core.evaluation.mistakes import MISTAKES
from core.evaluation.pair_result import PairResult
from core.run import Run
from core.run_description import RunDescription
from explorer.browser.interned import Interned
from explorer.look.token_text import visible
from explorer.models.held_out import splits_of, usual_split
from explorer.views.mistakes.component import MistakesData
from explorer.visitor.state import REFERENCE, ExplorerState, choose_sentence, keep_branch

MOST_LISTED = 2000
"""Pairs that a message holds, the wrong ones first."""
MOST_TOKENS = 200
"""Tokens that are named as the hardest ones."""
_OF_WORDS = {"invents": "Made-up words", "loses": "Words lost"}
"""Kinds of mistakes that compare words, as they are called where a model writes these letter by letter."""


def listed_pairs(held_out: HeldOut) -> tuple[PairResult, ...]:
    """The pairs of a message: the wrong ones, the worst first, then the others."""
    wrong = held_out.worst(MOST_LISTED)
    exact = (each for each in held_out.results if each.right)
    return (*wrong, *(each for each, _ in zip(exact, range(MOST_LISTED - len(wrong)), strict=False)))


def chosen_split(run: RunDescription, state: ExplorerState) -> str:
    """Return the split that a visitor has chosen, or the usual one if the run lacks that."""
    split = state.mistakes.split
    return split if split in dict(splits_of(run)) else usual_split(run)


def mistakes_data(run: Run, split: str, held_out: HeldOut | None, state: ExplorerState) -> MistakesData:
    """Return the data of the view.

    Args:
        run: The model.
        split: The split that is looked at.
        held_out: Its results so far; None before the first.
        state: The visitor's choices.
    """
    key = f"{run.fingerprint}/{split}"
    if held_out is None:
        return MistakesData(key, (), dict)
    looked = {name: getattr(state.mistakes, name) for name in ("kind", "group", "sort", "search")}
    n_results = len(held_out.results)
    return MistakesData(
        key, held_out.results, lambda: {**_content(key, n_results, run, held_out), "looked": looked}
    )


@st.cache_resource(show_spinner=False, max_entries=4)
def _content(key: str, n_results: int, _run: Run, _held_out: HeldOut) -> Mapping[str, object]:
    """Build the drawn data, which no filter changes, once for each evaluation."""
    run, held_out = _run, _held_out
    pairs, tokens = listed_pairs(held_out), Interned()
    header = {
        "split": held_out.split,
        "splits": list(splits_of(run)),
        "source_unit": run.source_unit,
        "target_unit": run.target_unit,
        **_counted(run, held_out, pairs, tokens),
    }
    arrays = _arrays(pairs, tokens)
    return {**header, "tokens": list(tokens.known), **arrays}


def _counted(run: Run, held_out: HeldOut, pairs: Sequence[PairResult], tokens: Interned) -> dict[str, object]:
    """Count what the pictures show, with the pairs of each kind by their places among those that are listed."""
    figures, places = held_out.figures, {each.number: place for place, each in enumerate(pairs)}
    has_words = any(" " in text.strip() for each in pairs for text in (each.source, each.reference))
    return {
        "n_available": held_out.n_available,
        "n_planned": min(held_out.n_available, MOST_PAIRS),
        "n_evaluated": len(held_out.results),
        "figures": {
            **figures.to_dict(),
            "exact": round(figures.leading_exact * figures.n_pairs),
            "right": describe_right(run, figures.to_dict()),
            "bleu_tokenizer": held_out.bleu_tokenizer,
        },
        "kinds": [
            {
                "key": key,
                **_told_kind(key, run, has_words=has_words),
                "pairs": [places[each.number] for each in found if each.number in places],
            }
            for key, found in held_out.mistakes.items()
        ],
        "lengths": [(each.of, each.n, each.right) for each in held_out.by_source_length()],
        "reference_lengths": [(each.of, each.n, each.right) for each in held_out.by_reference_length()],
        "firsts": _firsts(held_out.wrong),
        "hardest": [
            (tokens.place(str(each.of)), each.n, each.right) for each in _hardest(held_out.by_token())
        ],
        "confusions": [
            (tokens.place(each.expected), tokens.place(each.written) if each.written else -1, each.count)
            for each in held_out.confusions()[:MOST_TOKENS]
        ],
    }


def _told_kind(key: str, run: Run, *, has_words: bool) -> dict[str, str]:
    """Return the title and the meaning of a kind of mistake, in the units that the run writes."""
    title, meaning, unit = MISTAKES[key].title, MISTAKES[key].meaning, run.target_unit
    if key not in _OF_WORDS or unit not in ("letter", "character"):
        return {"title": title, "meaning": meaning}
    if has_words:
        return {"title": _OF_WORDS[key], "meaning": meaning}
    return {
        "title": title.replace("Words", f"{unit.capitalize()}s"),
        "meaning": meaning.replace("a word", f"a {unit}").replace("; a synonym counts as well", ""),
    }


def _arrays(pairs: Sequence[PairResult], tokens: Interned) -> dict[str, np.ndarray]:
    """The pairs: their tokens, one pair's behind the other's, and their numbers."""

    def places(sides: Iterable[Sequence[str]]) -> np.ndarray:
        """The places of many tokens, one side behind the other."""
        return np.array([tokens.place(token) for side in sides for token in side], dtype=np.float32)

    sizes = [(len(each.source_tokens), len(each.reference_tokens), len(each.output_tokens)) for each in pairs]
    return {
        "source": places(each.source_tokens for each in pairs),
        "reference": places(each.reference_tokens for each in pairs),
        "output": places(each.output_tokens for each in pairs),
        "best": places(each.teacher_forced_tokens for each in pairs),
        "losses": np.array(list(chain.from_iterable(each.losses for each in pairs))),
        "log_probs": np.array([each.log_prob for each in pairs]),
        "numbers": np.array([each.number for each in pairs]),
        # An output may be right by another reference than the one that is drawn beside it.
        "right": np.array([each.right for each in pairs], np.float32),
        "sizes": np.array(sizes),
    }


def opened_pair(run: Run, state: ExplorerState, pair: PairResult) -> ExplorerState:
    """Return the state that shows a pair at its first wrong step, with its reference as a branch beside the output.

    The page of that state says so if its source is one that the app cannot show.
    """
    state = choose_sentence(state, pair.source, typed=False)
    state = replace(state, decoding=replace(state.decoding, step=pair.first_wrong))
    reference = (*run.tgt_tokenizer.encode(pair.reference), run.config.eos_id)
    can_write = Vocabulary.unk_id not in reference
    return keep_branch(state, reference, REFERENCE) if can_write and not pair.right else state


def told_of(run: Run, results: Iterable[PairResult], opened: ExplorerState) -> tuple[str, ...]:
    """Say why a pair was opened, and where its reference is; an exact one needs no word.

    Args:
        run: The model.
        results: Results of some pairs.
        opened: The state that `opened_pair` has returned for one of them, or any other.
    """
    pair = next((each for each in results if _is_opened(run, each, opened)), None)
    if pair is None or pair.first_wrong is None:
        return ()
    step = pair.first_wrong
    written = (
        f"wrote “{visible(pair.output_tokens[step])}”"
        if step < len(pair.output_tokens)
        else "wrote nothing more"
    )
    if any(branch.name == REFERENCE for branch in opened.decoding.branches):
        where = f"The branch “{REFERENCE}” goes on as it should be."
    else:
        where = "The reference has a token that the model cannot write, so there is no branch of it."
    return (
        f"From the mistakes: at step {step} the reference has “{visible(pair.reference_tokens[step])}”, and the model "
        f"{written}. {where}",
    )


def _is_opened(run: Run, pair: PairResult, state: ExplorerState) -> bool:
    return pair.source == state.sentence and opened_pair(run, state, pair).decoding == state.decoding


def _firsts(wrong: Sequence[PairResult]) -> list[tuple[int, int, int]]:
    """How many outputs are first wrong at each place."""
    counts = np.bincount([each.first_wrong for each in wrong if each.first_wrong is not None])
    return [(place, int(count), 0) for place, count in enumerate(counts)]


def _hardest(shares: Iterable[Share]) -> list[Share]:
    """Tokens that are not always the most probable, those with the most misses first."""
    missed = (each for each in shares if each.right < each.n)
    return sorted(missed, key=lambda each: (each.right - each.n, str(each.of)))[:MOST_TOKENS]
