"""Words longer than any in training: what sinusoidal and learned positions make of places they never met."""

from core.experiments.experiment import Arm, Choice, Claim, Condition, Experiment, Observation
from core.experiments.settings import of_preset

_MOST = 0.2
"""Exact match up to which longer words count as not copied."""
_LEAST = 0.5

LONGER_WORDS = Experiment(
    key="longer-words",
    title="Longer than training",
    summary="Trained on words of 3 to 10 letters, with sinusoidal or learned positions; tried on up to 13 letters.",
    question="Sinusoidal positions are a formula with a value for every place; learned ones are a table, and its "
    "later rows were never trained. Which of the two models copies words of 12 letters?",
    **of_preset(
        "copy",
        {"n_encoder_layers": 2, "n_decoder_layers": 2},
        steps=400,
        warmup_steps=100,
        peak_learning_rate=3e-3,
        validate_every=50,
    ),
    arms=(
        Arm("control", "Sinusoidal", "Sinusoidal positions, copy", {}, {}),
        Arm("learned", "Learned", "Learned positions, copy", {"positional": "learned"}, {}),
    ),
    choices=(
        Choice(
            "The sinusoidal one: its formula goes on",
            (
                Condition("control.exact_12_letters", "at least", _LEAST),
                Condition("learned.exact_12_letters", "at most", _MOST),
            ),
            "The formula goes on, but the layers above have never met what it gives there. Of 12 letters the "
            "sinusoidal model copies {control.exact_12_letters}, the learned one {learned.exact_12_letters}.",
        ),
        Choice(
            "The learned one: it was trained for copying",
            (
                Condition("learned.exact_12_letters", "at least", _LEAST),
                Condition("control.exact_12_letters", "at most", _MOST),
            ),
            "Its rows beyond the longest word were never moved by training and are still random. Of 12 letters it "
            "copies {learned.exact_12_letters}, the sinusoidal model {control.exact_12_letters}.",
        ),
        Choice(
            "Both: copying is the same at any length",
            (
                Condition("control.exact_12_letters", "at least", _LEAST),
                Condition("learned.exact_12_letters", "at least", _LEAST),
            ),
            "What was learned is not a rule for any length: both copy test words of 3 to 10 letters "
            "({control.exact_match} and {learned.exact_match}), but of 12 letters only {control.exact_12_letters} "
            "and {learned.exact_12_letters}.",
        ),
        Choice(
            "Neither",
            (
                Condition("control.exact_12_letters", "at most", _MOST),
                Condition("learned.exact_12_letters", "at most", _MOST),
            ),
            "Having a value for a place is not the same as knowing what to do with it. Of 12 letters the sinusoidal "
            "model copies {control.exact_12_letters}, the learned one {learned.exact_12_letters}.",
        ),
    ),
    claims=(
        Claim(
            "One letter more than in training is another matter: of 11 letters the sinusoidal model copies "
            "{control.exact_11_letters}, the learned one {learned.exact_11_letters}. The formula buys a place or "
            "so, not words of any length.",
            (
                Condition("control.exact_11_letters", "at least", "learned.exact_11_letters", by=0.2),
                Condition("control.exact_13_letters", "at most", 0.1),
            ),
        ),
    ),
    headline="exact_12_letters",
    seen=Observation(
        "These words are as short as those in training. Which model copied such words in the end?",
        ("The sinusoidal one alone", "The learned one alone", "Both"),
        2,
        "Of the test words of 3 to 10 letters the sinusoidal model copies {control.exact_match} and the learned one "
        "{learned.exact_match}. Only longer words tell that something is missing.",
        (
            Condition("control.exact_match", "at least", 0.9),
            Condition("learned.exact_match", "at least", 0.9),
        ),
    ),
    figures={
        "exact_match": "Exact match, test words",
        "exact_10_letters": "Exact match, 10 letters",
        "exact_11_letters": "Exact match, 11 letters",
        "exact_12_letters": "Exact match, 12 letters",
        "exact_13_letters": "Exact match, 13 letters",
    },
)
