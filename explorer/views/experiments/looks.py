"""Where the effect of an experiment can be seen in the models that it has trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.models.task_facts import reference
from explorer.visitor.scope import Runs
from explorer.visitor.state import (
    ExplorerState,
    choose_branch,
    choose_run,
    choose_sentence,
    look_anew,
)


@dataclass(frozen=True)
class Look:
    """A page on which the arms differ to the eye.

    Attributes:
        page: File of the page.
        label: Title of its page.
        source: That the models are given there.
        stage: Stage of the computation that is open there; empty for the page's own.
        is_led: Whether the right answer is forced upon the models, as it stands in the decoder in training.
    """

    page: str
    label: str
    source: str
    stage: str = ""
    is_led: bool = False

    def state_of(self, state: ExplorerState, run: str, runs: Runs) -> ExplorerState:
        """The state in which a run is looked at like this.

        Args:
            state: Of the visitor.
            run: Key of the run.
            runs: Among which it is.
        """
        there = choose_sentence(choose_run(state, run, runs), self.source, typed=False)
        answer = reference(runs[run].task, self.source) if self.is_led else None
        if answer is not None:
            there = choose_branch(there, tuple(runs[run].tgt_tokenizer.encode(answer.target)))
        return look_anew(there, stage=self.stage)


def _look(file: str, label: str, source: str, stage: str = "", *, is_led: bool = False) -> Look:
    return Look(f"pages/{file}.py", label, source, stage, is_led)


LOOKS: Mapping[str, tuple[Look, ...]] = {
    "copy-without-positions": (
        _look("model/cross_attention", "Cross-attention", "cat", "softmax"),
        _look("model/positions", "Positions", "cat"),
    ),
    "sort-without-positions": (
        _look("model/cross_attention", "Cross-attention", "explanation", "softmax"),
        _look("generation/step_by_step", "Step by step", "explanation"),
    ),
    "longer-words": (
        _look("model/cross_attention", "Cross-attention", "explanations", "softmax"),
        _look("model/positions", "Positions", "explanations"),
    ),
    "without-causal-mask": (
        _look("model/masked_self_attention", "Masked self-attention", "transforms", "softmax", is_led=True),
        _look("generation/step_by_step", "Step by step", "transforms"),
    ),
    "without-score-scale": (
        _look("model/self_attention", "Self-attention", "transforms", "softmax"),
        _look("model/cross_attention", "Cross-attention", "transforms", "softmax"),
    ),
    "norm-and-warmup": (_look("model/add_norm", "Add & norm", "transforms"),),
    "unseen-combinations": (
        _look("model/cross_attention", "Cross-attention", "the black cat sleeps"),
        _look("generation/step_by_step", "Step by step", "the black cat sleeps"),
    ),
}
"""Where to look, by the experiment's key; the source is one that every arm can read."""
