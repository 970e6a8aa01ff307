"""How many outputs are exactly right, in words: as they are written, and by their tokens where these differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from unicodedata import normalize

from core.command_line import part
from core.data.tasks import TASKS
from core.data.tokenizers import Tokenizer

if TYPE_CHECKING:
    from core.run_description import RunDescription

_CASE, _MARKS, _SPACED, _SPACES = "Ab", "\u0932\u093e\u0932", "a, b", "a b"


def tokenizer_loss(tokenizer: Tokenizer) -> str:
    """Name what a tokenizer loses of every text, such as "the tokenizer writes lower case"; empty if nothing is known.

    It is tried with short texts, so it holds for tokenizers of saved runs as well.
    """
    if _written(tokenizer, _CASE) != _CASE:
        return "the tokenizer writes lower case"
    if _written(tokenizer, _MARKS) != _MARKS:
        return "the tokenizer parts letters from their marks"
    if _written(tokenizer, _SPACES) != _SPACES:
        return "the tokenizer leaves out spaces"
    if _written(tokenizer, _SPACED) != _SPACED:
        return "the tokenizer changes the spaces beside punctuation"
    return ""


def explain_difference(run: RunDescription, figures: Mapping[str, float]) -> str:
    """Explain why other outputs are right as written than by token; empty where they are as many, or may well be."""
    if "string_match" not in figures:
        # A task's targets are made of what its tokenizer keeps.
        return "" if run.task in TASKS else tokenizer_loss(run.tgt_tokenizer)
    if figures["string_match"] == figures["exact_match"]:
        return ""
    if figures["string_match"] > figures["exact_match"]:
        return "some outputs spell a reference with other tokens"
    return tokenizer_loss(run.tgt_tokenizer) or "the tokenizer does not keep every character"


def describe_exact(run: RunDescription, figures: Mapping[str, float], things: str = "") -> str:
    """Count the outputs that are right, as one figure where text and tokens agree, otherwise as both with the reason.

    Args:
        run: The run that wrote the outputs.
        figures: Figures of an evaluation; those of older runs do not say how many texts were equal.
        things: What is counted, such as "held-out sources".
    """
    of = f" {things}" if things else ""
    return f"{part(leading_exact(figures), figures['n_pairs'])}{of} {describe_right(run, figures)}"


def leading_exact(figures: Mapping[str, float]) -> float:
    """Return the share that is shown first: the one by text, or the one by tokens where no texts were compared."""
    return figures.get("string_match", figures["exact_match"])


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


def _written(tokenizer: Tokenizer, text: str) -> str:
    return normalize("NFC", tokenizer.join(tokenizer.tokenize(text)))
