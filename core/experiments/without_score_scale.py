"""No division by √d_head, in one wide head: most rows of attention begin with nearly all weight on one key."""

from core.experiments.experiment import Arm, Choice, Claim, Condition, Experiment, Observation
from core.experiments.settings import of_preset

WITHOUT_SCORE_SCALE = Experiment(
    key="without-score-scale",
    title="No √d_k in the scores",
    summary="One head of 128 dimensions; its scores q·k are not divided by √128.",
    question="The weights could learn to be smaller by themselves. What comes of leaving the division out, after "
    "300 updates of learning to reverse words?",
    **of_preset(
        "reverse",
        {"d_model": 128, "n_heads": 1},
        steps=300,
        warmup_steps=75,
        peak_learning_rate=2e-3,
        validate_every=25,
    ),
    arms=(
        Arm("control", "Divided by √128", "Scores divided by √128, reverse", {}, {}),
        Arm("unscaled", "Not divided", "Scores not divided, reverse", {"scale_scores": False}, {}),
    ),
    choices=(
        Choice(
            "Nothing: the weights make up for it",
            (
                Condition("unscaled.exact_match", "at least", 0.9),
                Condition("control.exact_match", "at least", 0.8),
            ),
            "They could, but within 300 updates they do not: {unscaled.exact_match} of the words come out exactly "
            "right, {control.exact_match} with the division.",
        ),
        Choice(
            "It learns more slowly, and gets half way",
            (
                Condition("unscaled.exact_match", "at least", 0.3),
                Condition("unscaled.exact_match", "at most", 0.9),
            ),
            "It is not half way: {unscaled.exact_match} of the words come out exactly right, "
            "{control.exact_match} with the division; the losses are {unscaled.loss} and {control.loss}.",
        ),
        Choice(
            "It hardly learns at all",
            (
                Condition("unscaled.exact_match", "at most", 0.1),
                Condition("control.exact_match", "at least", 0.8),
                Condition("unscaled.loss", "at least", "control.loss", by=1.0),
            ),
            "{unscaled.exact_match} of the words come out exactly right, {control.exact_match} with the division; "
            "the losses are {unscaled.loss} and {control.loss} nats per token.",
        ),
    ),
    claims=(
        Claim(
            "Before the first update the largest weight of a row of the encoder's attention is "
            "{unscaled.first_top_weight} on average, with the division {control.first_top_weight}.",
            (
                Condition("unscaled.first_top_weight", "at least", 0.8),
                Condition("control.first_top_weight", "at most", 0.5),
            ),
        ),
        Claim(
            "That does not keep the gradient out: for the first batch ‖∂L/∂W_Q‖ is {unscaled.query_gradient_after_0}, "
            "with the division {control.query_gradient_after_0}. After 100 updates it is "
            "{unscaled.query_gradient_after_100} and {control.query_gradient_after_100}, after 300 "
            "{unscaled.query_gradient_after_300} and {control.query_gradient_after_300}.",
            (
                Condition(
                    "unscaled.query_gradient_after_0", "at least", "control.query_gradient_after_0", by=0.3
                ),
            ),
        ),
    ),
    headline="exact_match",
    seen=Observation(
        "What did the exact match of the model without the division do?",
        ("It stayed near 0", "It rose later than the other", "It rose and fell again"),
        0,
        "In the end {unscaled.exact_match} of the test words come out exactly right, {control.exact_match} with the "
        "division.",
        (
            Condition("unscaled.exact_match", "at most", 0.1),
            Condition("control.exact_match", "at least", 0.8),
        ),
    ),
    figures={
        "exact_match": "Exact match, test words",
        "loss": "Loss of the test words, nats per token",
        "first_top_weight": "Largest weight of a row before training, mean",
        "query_gradient_after_0": "‖∂L/∂W_Q‖ for the first batch",
        "query_gradient_after_100": "‖∂L/∂W_Q‖ after 100 updates",
        "query_gradient_after_300": "‖∂L/∂W_Q‖ after 300 updates",
    },
)
