"""How many outputs are exactly right, in words: as they are written, and by their tokens where these differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.command_line import part
from core.data.tasks import TASKS
from core.evaluation.figures import leading_exact

if TYPE_CHECKING:
    from core.run_description import RunDescription


def explain_difference(run: RunDescription, figures: Mapping[str, float]) -> str:
    """Explain why other outputs are right as written than by token; empty where they are as many, or may well be."""
    if "string_match" not in figures:
        # A task's targets are made of what its tokenizer keeps.
        return "" if run.task in TASKS else _loss(run)
    if figures["string_match"] == figures["exact_match"]:
        return ""
    if figures["string_match"] > figures["exact_match"]:
        return "some outputs spell a reference with other tokens"
    return _loss(run) or "the tokenizer does not keep every character"


def describe_exact(run: RunDescription, figures: Mapping[str, float], things: str = "") -> str:
    """Count the outputs that are right, as one figure where text and tokens agree, otherwise as both with the reason.

    Args:
        run: The run that wrote the outputs.
        figures: Figures of an evaluation; those of older runs do not say how many texts were equal.
        things: What is counted, such as "held-out sources".
    """
    of = f" {things}" if things else ""
    return f"{part(leading_exact(figures), figures['n_pairs'])}{of} {describe_right(run, figures)}"


def describe_right(run: RunDescription, figures: Mapping[str, float]) -> str:
    """Say how the outputs that `leading_exact` counts are right, with the other figure where it differs."""
    why = explain_difference(run, figures)
    if "string_match" not in figures:
        return f"right by token ({why})" if why else "exactly right"
    if not why:
        return "exactly right, as written"
    by_token = part(figures["exact_match"], figures["n_pairs"])
    return f"exactly right as written ({by_token} by token: {why})"


def describe_bleu(bleu: float, tokenizer: str) -> str:
    """Format BLEU with the tokenizer that it was computed with, such as "86.3 (sacrebleu 13a)"."""
    return f"{bleu:.1f} (sacrebleu {tokenizer})"


def _loss(run: RunDescription) -> str:
    loss = run.tgt_tokenizer.loss
    return f"the tokenizer loses {loss}" if loss else ""
