"""No causal mask: in training the decoder sees the token that it is to predict, and in decoding it does not."""

from core.experiments.experiment import Arm, Choice, Claim, Condition, Experiment, Observation
from core.experiments.settings import of_preset

WITHOUT_CAUSAL_MASK = Experiment(
    key="without-causal-mask",
    title="No causal mask",
    summary="Every position of the decoder may see all others, the token that it is to predict among them.",
    question="In training the whole reference stands in the decoder. Without the mask each position may look at the "
    "tokens after it, and the next one is the answer. What becomes of a model that learns to reverse words?",
    **of_preset("reverse", validate_every=25),
    arms=(
        Arm("control", "With the mask", "Causal mask, reverse", {}, {}),
        Arm("open", "No mask", "No causal mask, reverse", {"causal": False}, {}),
    ),
    choices=(
        Choice(
            "It does not learn: its loss stays high",
            (Condition("open.loss", "at least", 1.0),),
            "Its loss falls as low as with the mask, {open.loss} against {control.loss} nats per token: the answer "
            "stands one place further on, and reading it there is easily learned.",
        ),
        Choice(
            "It decodes better: it sees more",
            (Condition("open.exact_match", "at least", "control.exact_match", by=0.02),),
            "It sees more only as long as somebody writes the answer for it. On its own there is nothing to the "
            "right: {open.exact_match} of the words come out exactly right, {control.exact_match} with the mask.",
        ),
        Choice(
            "A low loss, but it cannot decode",
            (
                Condition("open.loss", "at most", 0.3),
                Condition("open.led_accuracy", "at least", 0.95),
                Condition("open.exact_match", "at most", 0.1),
                Condition("control.exact_match", "at least", 0.9),
            ),
            "It learned to read the answer off: under teacher forcing {open.led_accuracy} of its tokens are right, on "
            "its own {open.exact_match} of the words. Nobody who watches the loss alone would notice.",
        ),
        Choice(
            "Nothing changes: the mask only saves work",
            (
                Condition("open.exact_match", "at least", 0.9),
                Condition("control.exact_match", "at least", 0.9),
            ),
            "The losses are alike, {open.loss} and {control.loss}, yet without the mask {open.exact_match} of the "
            "words come out exactly right, with it {control.exact_match}.",
        ),
    ),
    claims=(
        Claim(
            "The two losses give no hint: {control.loss} with the mask, {open.loss} without.",
            (Condition("open.loss", "at most", "control.loss", by=-0.05),),
        ),
    ),
    headline="exact_match",
    seen=Observation(
        "Whose loss ended lower, and whose words came out right?",
        (
            "Both times the model with the mask",
            "Both times the model without it",
            "The loss without, the words with it",
        ),
        2,
        "The loss of the test words is {open.loss} without the mask and {control.loss} with it; exactly right are "
        "{open.exact_match} and {control.exact_match} of them.",
        (
            Condition("open.loss", "at most", "control.loss", by=-0.02),
            Condition("open.exact_match", "at most", "control.exact_match", by=-0.5),
        ),
    ),
    figures={
        "loss": "Loss of the test words, nats per token",
        "led_accuracy": "Next letter right, under teacher forcing",
        "token_accuracy": "Letter right, decoding by itself",
        "exact_match": "Exact match, test words",
    },
)
