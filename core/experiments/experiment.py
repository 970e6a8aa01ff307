"""What an experiment is: a question, its possible answers, and arms that differ from their control in what is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.config import TrainConfig

Figures = Mapping[str, tuple[float, ...]]
"""What was measured, by `arm.figure`: one value for each seed, in the same order everywhere."""


@dataclass(frozen=True)
class Condition:
    """A comparison that every seed must meet.

    Attributes:
        left: `arm.figure`.
        relation: Of left to right.
        right: A number, or another `arm.figure`; the least favourable seeds of both are compared.
        by: How far apart they must be at least.
    """

    left: str
    relation: Literal["at least", "at most"]
    right: float | str
    by: float = 0.0

    def holds(self, figures: Figures) -> bool:
        """Whether what was measured meets it; what was not measured does not."""
        left = figures.get(self.left, ())
        right = figures.get(self.right, ()) if isinstance(self.right, str) else (self.right,)
        if not left or not right:
            return False
        if self.relation == "at least":
            return min(left) >= max(right) + self.by
        return max(left) <= min(right) - self.by


@dataclass(frozen=True)
class Claim:
    """A sentence that may be said only where its conditions hold.

    Attributes:
        sentence: With the median of a measured figure wherever it says `{arm.figure}`.
        holds_if: What must have been measured.
    """

    sentence: str
    holds_if: tuple[Condition, ...]

    def holds(self, figures: Figures) -> bool:
        """Whether every condition is met."""
        return all(condition.holds(figures) for condition in self.holds_if)


@dataclass(frozen=True)
class Choice:
    """A possible answer to an experiment's question.

    Attributes:
        text: As somebody chooses it.
        is_right_if: What must have been measured for it to be the right one.
        reply: Why it is, or is not; with medians, as a claim's sentence has them.
    """

    text: str
    is_right_if: tuple[Condition, ...]
    reply: str

    @property
    def short(self) -> str:
        """What it answers, without why."""
        return self.text.partition(":")[0]

    def is_right(self, figures: Figures) -> bool:
        """Whether what was measured says so."""
        return all(condition.holds(figures) for condition in self.is_right_if)


@dataclass(frozen=True)
class Observation:
    """A question about what could be seen while the arms trained, asked once the verdict is there.

    Attributes:
        question: That whoever has looked can answer.
        answers: To choose from.
        right: Place of the one that was seen.
        reply: What there was to see; with medians, as a claim's sentence has them.
        holds_if: What must have been measured; where it does not hold nothing is asked.
    """

    question: str
    answers: tuple[str, ...]
    right: int
    reply: str
    holds_if: tuple[Condition, ...]

    def holds(self, figures: Figures) -> bool:
        """Whether every condition is met."""
        return all(condition.holds(figures) for condition in self.holds_if)


@dataclass(frozen=True)
class Arm:
    """One of the models that are trained side by side.

    Attributes:
        key: Names it in figures; one word.
        label: For people, beside the other arms.
        title: Of its run.
        model: Settings of the model that differ from the control's; those of the training stand in `training`.
    """

    key: str
    label: str
    title: str
    model: Mapping[str, object]
    training: Mapping[str, object]


@dataclass(frozen=True)
class Experiment:
    """Models that differ in one thing, and what comes of it.

    Attributes:
        key: Names it in an address.
        title: For people.
        summary: What is taken away or changed, in one sentence.
        question: That is asked before anything is trained.
        task: That every arm learns.
        model: Settings of the control's model that differ from the small default model.
        training: Of the control.
        arms: The control first.
        choices: Possible answers; of what was measured, exactly one is right.
        claims: What else may be said where it was measured.
        headline: The figure of which the verdict tells every seed.
        seen: What is asked in the end.
        figures: What is measured of every arm, and what people call it (core/experiments/measurements.py).
    """

    key: str
    title: str
    summary: str
    question: str
    task: str
    model: Mapping[str, object]
    training: TrainConfig
    arms: tuple[Arm, ...]
    choices: tuple[Choice, ...]
    claims: tuple[Claim, ...]
    headline: str
    seen: Observation
    figures: Mapping[str, str]

    @property
    def control(self) -> Arm:
        """What the others are compared with."""
        return self.arms[0]

    def model_of(self, arm: Arm) -> dict[str, object]:
        """All settings of an arm's model that differ from the small default model."""
        return {**self.model, **arm.model}

    def training_of(self, arm: Arm, seed: int) -> TrainConfig:
        """How an arm is trained with a seed.

        Raises:
            ConfigError: when a setting is impossible.
        """
        changes: Mapping[str, Any] = arm.training
        return replace(self.training, **changes, seed=seed)

    def right_choice(self, figures: Figures) -> Choice | None:
        """The answer that what was measured gives; None where it gives none, or not one alone."""
        right = [choice for choice in self.choices if choice.is_right(figures)]
        return right[0] if len(right) == 1 else None


def figures_of(measured: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[float, ...]]:
    """What one seed's arms gave, as conditions read it."""
    return {f"{arm}.{name}": (value,) for arm, values in measured.items() for name, value in values.items()}
