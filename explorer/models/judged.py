"""Whether what a model wrote is right, where somebody knows the answer: the task's rules, or a run's own pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from core.data.tokenizers import Tokenizer
from core.data.vocabulary import Vocabulary
from core.run_description import RunDescription
from core.training.own_pairs import PAIRS
from explorer.models.references import Split, own_pairs_of
from explorer.models.task_facts import reference, why_unknown

Verdict = Literal["right", "wrong", "unknown"]
_SPLITS: dict[Split, tuple[str, str]] = {
    "train": ("trained on", "One of the pairs that the model was trained on."),
    "validation": (
        "validation pair",
        "A validation pair: the model was not trained on it, but its weights were chosen by it.",
    ),
    "test": ("test pair", "A test pair, which the model was not trained on."),
}


@dataclass(frozen=True)
class Answer:
    """What is known of the right answer to a source.

    Attributes:
        target: The right answer; None where nobody knows it.
        note: What the source was there for, in a word or two; or why the answer is not known.
        sentence: The same in whole sentences.
        others: Other answers that are as right.
    """

    target: str | None
    note: str
    sentence: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """An output beside the right answer.

    Attributes:
        verdict: What it is.
        label: The same in a few words.
        should: Tokens of the right answer with EOS where the output is another one; empty otherwise.
        missing: Which of these the output lacks in their place.
        wrong: Which tokens of the output are not those of the answer in their place.
    """

    verdict: Verdict
    label: str
    should: tuple[str, ...] = ()
    missing: tuple[bool, ...] = ()
    wrong: tuple[bool, ...] = ()


def answer_to(name: str, run: RunDescription, source: str) -> Answer:
    """The right answer to a source that somebody typed, and who says so.

    Args:
        name: Of the run, shipped or own.
        run: Its description.
        source: As it was typed.
    """
    if run.task == PAIRS:
        return _own_answer(name, source)
    pair = reference(run.task, source)
    if pair is None:
        note, sentence = why_unknown(run.task)
        return Answer(None, note, f"{sentence}, so nobody here knows its right answer.")
    return Answer(pair.target, "", f"By the rules of the task the right answer is “{pair.target}”.")


def _own_answer(name: str, source: str) -> Answer:
    own = own_pairs_of(name)
    known = own.of(source) if own else None
    if known:
        note, sentence = _SPLITS[known.split]
        accepted = known.pair.accepted
        references = "Its reference" if len(accepted) == 1 else "Its references"
        return Answer(
            known.pair.target, note, f"{sentence} {references}: {' · '.join(accepted)}", known.pair.others
        )
    why = "Not one of this run's own pairs" if own else "This run is here without its pairs"
    return Answer(None, "no reference", f"{why}, so there is no reference to compare the output with.")


def judge(answer: Answer, tokenizer: Tokenizer, output: Sequence[str]) -> Judged:
    """Compare an output with the right answer, token by token.

    Args:
        answer: To the source.
        tokenizer: Of the outputs.
        output: Tokens, with EOS unless a limit stopped it.
    """
    if answer.target is None:
        return Judged("unknown", answer.note)
    eos = tokenizer.vocabulary.token(Vocabulary.eos_id)
    right, *others = ((*tokenizer.tokenize(text), eos) for text in (answer.target, *answer.others))
    note = f", {answer.note}" if answer.note else ""
    if tuple(output) in (right, *others):
        return Judged("right", f"right{note}")
    wrong, missing = [True] * len(output), [True] * len(right)
    for block in SequenceMatcher(a=output, b=right, autojunk=False).get_matching_blocks():
        wrong[block.a : block.a + block.size] = missing[block.b : block.b + block.size] = [False] * block.size
    return Judged("wrong", f"not right{note}", right, tuple(missing), tuple(wrong))
