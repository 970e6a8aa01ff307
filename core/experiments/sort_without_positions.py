"""No positional encoding, sorting: a task in which the order of the source means nothing."""

from core.experiments.experiment import Arm, Choice, Claim, Condition, Experiment, Observation
from core.experiments.settings import of_preset

_ALIKE = 0.05

SORT_WITHOUT_POSITIONS = Experiment(
    key="sort-without-positions",
    title="Sort without positions",
    summary="The positional encoding is left out once more, but now the model is to sort the letters.",
    question="Without positions a model cannot copy. Will it learn to put 3 to 10 letters in alphabetical order?",
    **of_preset("sort", validate_every=25),
    arms=(
        Arm("control", "With positions", "With positions, sort", {}, {}),
        Arm("none", "No positions", "No positions, sort", {"positional": "none"}, {}),
    ),
    choices=(
        Choice(
            "No: it fails as it fails to copy",
            (Condition("none.exact_match", "at most", 0.3),),
            "A bag of letters is all that sorting needs: which letters there are and how often, never where they "
            "stood. Exact: {none.exact_match} without positions, {control.exact_match} with them.",
        ),
        Choice(
            "Partly: it loses count of its own output",
            (
                Condition("none.exact_match", "at least", 0.3),
                Condition("none.exact_match", "at most", 0.9),
            ),
            "The causal mask keeps the order of the output apart: every position sees one token more than the one "
            "before it. Exact: {none.exact_match} without positions, {control.exact_match} with them.",
        ),
        Choice(
            "Yes: it sorts as well as with positions",
            (
                Condition("none.exact_match", "at least", 0.9),
                Condition("none.exact_match", "at least", "control.exact_match", by=-_ALIKE),
            ),
            "The answer does not depend on where the letters stood, so nothing is missing. "
            "Exact: {none.exact_match} without positions, {control.exact_match} with them.",
        ),
    ),
    claims=(
        Claim(
            "Longer words than any in training even come out better without positions: of 12 letters "
            "{none.exact_12_letters} are exact against {control.exact_12_letters}. A model with positions meets "
            "some there that training never showed.",
            (Condition("none.exact_12_letters", "at least", "control.exact_12_letters", by=0.2),),
        ),
    ),
    headline="exact_match",
    seen=Observation(
        "How did the two models compare in the end?",
        ("Only the one with positions sorted", "Both sorted", "Neither sorted"),
        1,
        "Of the test words {control.exact_match} are sorted with positions and {none.exact_match} without them.",
        (
            Condition("control.exact_match", "at least", 0.9),
            Condition("none.exact_match", "at least", 0.9),
        ),
    ),
    figures={
        "exact_match": "Exact match, test words",
        "letters_any_order": "Its letters, any order",
        "exact_11_letters": "Exact match, 11 letters",
        "exact_12_letters": "Exact match, 12 letters",
        "exact_13_letters": "Exact match, 13 letters",
    },
)
