"""Post-norm and pre-norm, each with and without warm-up: a race of four at one constant rate."""

from core.experiments.experiment import Arm, Choice, Claim, Condition, Experiment, Observation
from core.experiments.settings import of_preset

WARMUP = 100
_APART = 0.2
"""Nats per token by which one arm must be behind another to have lost against it."""


def _behind(loser: str, *winners: str) -> tuple[Condition, ...]:
    return tuple(
        Condition(f"{loser}.last_loss", "at least", f"{winner}.last_loss", by=_APART) for winner in winners
    )


_NUMBERS = (
    "Loss of the last batches: post-norm {control.last_loss} with warm-up and {post_cold.last_loss} without, "
    "pre-norm {pre.last_loss} with and {pre_cold.last_loss} without."
)

NORM_AND_WARMUP = Experiment(
    key="norm-and-warmup",
    title="Post-norm, pre-norm and warm-up",
    summary="Four models race over 300 updates: layer norm after or before each sub-layer, with and without warm-up.",
    question="The paper normalises after each sub-layer (post-norm) and lets the learning rate warm up. Later models "
    "normalise before it (pre-norm). At the same learning rate, which falls behind?",
    **of_preset(
        "reverse",
        {"n_encoder_layers": 3, "n_decoder_layers": 3},
        steps=300,
        warmup_steps=WARMUP,
        schedule="constant",
        peak_learning_rate=5e-3,
        validate_every=25,
    ),
    arms=(
        Arm("control", "Post-norm, warm-up", "Post-norm with warm-up, reverse", {}, {}),
        Arm(
            "post_cold",
            "Post-norm, no warm-up",
            "Post-norm without warm-up, reverse",
            {},
            {"warmup_steps": 0},
        ),
        Arm("pre", "Pre-norm, warm-up", "Pre-norm with warm-up, reverse", {"norm_position": "pre"}, {}),
        Arm(
            "pre_cold",
            "Pre-norm, no warm-up",
            "Pre-norm without warm-up, reverse",
            {"norm_position": "pre"},
            {"warmup_steps": 0},
        ),
    ),
    choices=(
        Choice(
            "Post-norm without warm-up",
            _behind("post_cold", "control", "pre", "pre_cold"),
            f"{_NUMBERS} At this rate post-norm needs the warm-up.",
        ),
        Choice(
            "Pre-norm without warm-up",
            _behind("pre_cold", "control", "post_cold", "pre"),
            f"Pre-norm leaves the residual stream itself alone. {_NUMBERS}",
        ),
        Choice(
            "Both without warm-up, by about the same",
            (*_behind("post_cold", "control"), *_behind("pre_cold", "pre")),
            f"The two norms do not need it alike. {_NUMBERS}",
        ),
        Choice(
            "Both pre-norms",
            (*_behind("pre", "control"), *_behind("pre_cold", "post_cold")),
            f"Neither is behind in this race. {_NUMBERS}",
        ),
    ),
    claims=(
        Claim(
            "Of the test words, post-norm has {control.exact_match} exactly right with warm-up and "
            "{post_cold.exact_match} without.",
            (Condition("control.exact_match", "at least", "post_cold.exact_match", by=0.1),),
        ),
        Claim(
            "To pre-norm the warm-up makes little difference here: its losses end at {pre.last_loss} with and "
            "{pre_cold.last_loss} without.",
            (Condition("pre_cold.last_loss", "at most", "pre.last_loss", by=-0.1),),
        ),
    ),
    headline="last_loss",
    seen=Observation(
        "Which of the four losses ended highest?",
        ("Post-norm, warm-up", "Post-norm, no warm-up", "Pre-norm, warm-up", "Pre-norm, no warm-up"),
        1,
        "The last batches have a loss of {post_cold.last_loss} there, and of {control.last_loss}, {pre.last_loss} and "
        "{pre_cold.last_loss} in the others.",
        _behind("post_cold", "control", "pre", "pre_cold"),
    ),
    figures={
        "last_loss": "Loss of the last 25 batches, nats per token",
        "exact_match": "Exact match, test words",
    },
)
