"""Adjective and noun pairs kept out of training: each word is known, the two together are not."""

from core.data.tasks.en_fr.unseen import UNSEEN_PAIRS
from core.experiments.experiment import Arm, Choice, Claim, Condition, Experiment, Observation
from core.experiments.settings import of_preset

_COUNT = len(UNSEEN_PAIRS)
_ALIKE = 0.03

UNSEEN_COMBINATIONS = Experiment(
    key="unseen-combinations",
    title="Words it never met together",
    summary=f"{_COUNT} pairs of adjective and noun, such as black and cat, never occur together in training.",
    question="A model translates English into French. It knows black, and it knows cat, but it has never met a "
    "black cat. How well does it translate sentences with such pairs?",
    **of_preset(
        "en_fr",
        {"n_encoder_layers": 1, "n_decoder_layers": 1},
        steps=600,
        warmup_steps=150,
        validate_every=100,
    ),
    arms=(
        Arm("control", "Nothing kept out", "All pairs, English to French", {}, {}),
        Arm(
            "kept_out",
            f"{_COUNT} pairs kept out",
            f"{_COUNT} pairs kept out, English to French",
            {},
            {"unseen_pairs": True},
        ),
    ),
    choices=(
        Choice(
            "As well as any other sentence",
            (Condition("kept_out.exact_unseen", "at least", "control.exact_unseen", by=-_ALIKE),),
            "{kept_out.exact_unseen} of them come out exactly right, {control.exact_unseen} where nothing "
            "was kept out. What it has learned of two words does not always carry over to the pair.",
        ),
        Choice(
            "Mostly right, but worse than the others",
            (
                Condition("kept_out.exact_unseen", "at least", 0.7),
                Condition("kept_out.exact_unseen", "at most", "control.exact_unseen", by=_ALIKE),
            ),
            "{kept_out.exact_unseen} of them come out exactly right, {control.exact_unseen} where nothing was kept "
            "out: most of what it has learned of two words carries over to the pair, not all of it.",
        ),
        Choice(
            "Mostly wrong: it must have seen the pair",
            (Condition("kept_out.exact_unseen", "at most", 0.3),),
            "{kept_out.exact_unseen} of them come out exactly right: most of what it needs it takes from other pairs. "
            "Where nothing was kept out it is {control.exact_unseen}.",
        ),
    ),
    claims=(
        Claim(
            "On ordinary sentences the two are nearly alike: {control.exact_match} and {kept_out.exact_match}.",
            (
                Condition("kept_out.exact_match", "at least", "control.exact_match", by=-0.02),
                Condition("control.exact_match", "at least", "kept_out.exact_match", by=-0.02),
            ),
        ),
    ),
    headline="exact_unseen",
    seen=Observation(
        "Could one tell from the two curves which model had pairs kept out?",
        ("Yes, its curves ended much worse", "No, they ended nearly alike"),
        1,
        "On ordinary sentences {control.exact_match} and {kept_out.exact_match} come out exactly right. What is "
        "missing shows only where one looks for it.",
        (
            Condition("kept_out.exact_match", "at least", "control.exact_match", by=-0.03),
            Condition("control.exact_match", "at least", "kept_out.exact_match", by=-0.03),
        ),
    ),
    figures={
        "exact_match": "Exact match, ordinary test sentences",
        "exact_unseen": "Exact match, sentences with such a pair",
    },
)
