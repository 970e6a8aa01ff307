"""The three attentions: of the encoder, masked in the decoder, and across."""

from collections.abc import Callable
from typing import Literal

from core.activations.location import Location, Stack
from explorer.view import SENTENCE_PARTS, Contents, View, Words

Key = Literal["self-attention", "masked-self-attention", "cross-attention"]


def _is_plain(where: Location) -> bool:
    return where.kind == "attention" and not where.causal and not where.crosses


def _is_masked(where: Location) -> bool:
    return where.causal


def _is_crossing(where: Location) -> bool:
    return where.crosses


def _attention(key: Key, title: str, stack: Stack, owns: Callable[[Location], bool]) -> View:
    """One of the three as a view; its page and its part are called as its key."""
    name, crosses = key.replace("-", "_"), key == "cross-attention"

    def load() -> Contents:
        from functools import partial

        from explorer.views.attention import data, sheet, words

        functions = partial(words.functions, crosses=crosses, masked=key == "masked-self-attention")
        idea = {
            "self-attention": words.SELF_IDEA,
            "masked-self-attention": words.MASKED_IDEA,
            "cross-attention": words.CROSS_IDEA,
        }[key]
        numbers = words.numbers(stack, "cross_attn" if crosses else "self_attn")
        formula = words.formula(stack, "cross" if crosses else "self")
        return Contents(
            Words(idea, numbers, formula, functions),
            partial(data.attention_view, kind=key),
            sheet.blocks(key),
        )

    return View(
        key=key,
        title=title,
        section="Model",
        page=f"pages/model/{name}.py",
        parts={**SENTENCE_PARTS, "view": name},
        owns=owns,
        is_block=True,
        load=load,
    )


SELF_ATTENTION = _attention("self-attention", "Self-attention", "encoder", _is_plain)
MASKED_SELF_ATTENTION = _attention("masked-self-attention", "Masked self-attention", "decoder", _is_masked)
CROSS_ATTENTION = _attention("cross-attention", "Cross-attention", "decoder", _is_crossing)
