"""No positional encoding, copying: what the encoder gives no longer tells in which order the letters stood."""

from core.experiments.experiment import Arm, Choice, Claim, Condition, Experiment, Observation
from core.experiments.settings import of_preset

COPY_WITHOUT_POSITIONS = Experiment(
    key="copy-without-positions",
    title="Copy without positions",
    summary="The positional encoding is left out, and the model is to copy words of 3 to 10 letters.",
    question="Attention compares letters with letters. If nothing says where a letter stands, how many words "
    "will the model copy exactly?",
    **of_preset("copy", validate_every=25),
    arms=(
        Arm("control", "With positions", "With positions, copy", {}, {}),
        Arm("none", "No positions", "No positions, copy", {"positional": "none"}, {}),
    ),
    choices=(
        Choice(
            "Nearly all: it can find each letter by comparing",
            (Condition("none.exact_match", "at least", 0.9),),
            "Comparing finds *which* letters there are, not *where*: cat, act and tac give the encoder the same "
            "vectors in another order, and attention does not see that order. Exact: {none.exact_match} without "
            "positions, {control.exact_match} with them.",
        ),
        Choice(
            "About half: the longer words go wrong",
            (
                Condition("none.exact_match", "at least", 0.3),
                Condition("none.exact_match", "at most", 0.7),
            ),
            "Length is not the limit: nothing at all tells cat from act, however short the word is. "
            "Exact: {none.exact_match} without positions, {control.exact_match} with them.",
        ),
        Choice(
            "Hardly any: it knows the letters, not their order",
            (
                Condition("none.exact_match", "at most", 0.1),
                Condition("control.exact_match", "at least", 0.9),
            ),
            "To the decoder the source is a bag of letters: attention gives the same whatever their order. "
            "Exact: {none.exact_match} without positions, {control.exact_match} with them.",
        ),
    ),
    claims=(
        Claim(
            "Under teacher forcing, the model without positions gets {none.led_accuracy} of the next letters right; "
            "with positions it is {control.led_accuracy}.",
            (Condition("control.led_accuracy", "at least", "none.led_accuracy", by=0.2),),
        ),
        Claim(
            "It does learn the letters: exactly those of the source, in whatever order, in {none.letters_any_order} "
            "of the test words.",
            (Condition("none.letters_any_order", "at least", "none.exact_match", by=0.2),),
        ),
    ),
    headline="exact_match",
    seen=Observation(
        "What was wrong in the end with the words of the model without positions?",
        ("Their letters were not those of the source", "Their letters stood in another order", "Nothing"),
        1,
        "Of its test words {none.letters_any_order} have exactly the letters of the source, and {none.exact_match} "
        "have them in their order.",
        (
            Condition("none.letters_any_order", "at least", 0.3),
            Condition("none.exact_match", "at most", 0.1),
        ),
    ),
    figures={
        "exact_match": "Exact match, test words",
        "led_accuracy": "Next letter right, under teacher forcing",
        "letters_any_order": "Its letters, any order",
        "loss": "Loss of the test words, nats per token",
    },
)
