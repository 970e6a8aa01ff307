"""The three attentions: of the encoder, masked in the decoder, and across."""

from typing import Literal

from core.activations.location import Stack
from explorer.view import SENTENCE_PARTS, Contents, Subject, View
from explorer.visitor.extent import AttentionKind
from explorer.visitor.sublayers import SIDES

Sublayer = Literal["self_attn", "cross_attn"]


def _attention(key: AttentionKind, title: str, stack: Stack, sublayer: Sublayer) -> View:
    """One of the three as a view; its page and its part are called as its key."""
    name = key.replace("-", "_")

    def load() -> Contents:
        from functools import partial

        from explorer.views.attention import data, sheet, words

        said = words.AttentionWords(key, words.IDEAS[key])
        return Contents(said, partial(data.attention_view, kind=key), sheet.blocks(key))

    return View(
        key=key,
        title=title,
        section="Model",
        page=f"pages/model/{name}.py",
        parts={**SENTENCE_PARTS, "view": name},
        subject=Subject(("attention",), stack, sublayer),
        is_block=True,
        row_side=lambda _: SIDES[stack],
        load=load,
    )


SELF_ATTENTION = _attention("self-attention", "Self-attention", "encoder", "self_attn")
MASKED_SELF_ATTENTION = _attention("masked-self-attention", "Masked self-attention", "decoder", "self_attn")
CROSS_ATTENTION = _attention("cross-attention", "Cross-attention", "decoder", "cross_attn")
