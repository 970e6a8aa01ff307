"""The three attentions: of the encoder, masked in the decoder, and across."""

from functools import partial

from core.activations.location import Location
from explorer.view import SENTENCE_PARTS, Contents, View, Words


def _load_self() -> Contents:
    from explorer.views.attention import data, sheet, words

    return Contents(
        Words(
            words.SELF_IDEA,
            words.numbers("encoder", "self_attn"),
            words.formula("encoder", "self"),
            words.functions,
        ),
        partial(data.attention_view, kind="self-attention"),
        sheet.blocks("self-attention"),
    )


def _load_masked() -> Contents:
    from explorer.views.attention import data, sheet, words

    return Contents(
        Words(
            words.MASKED_IDEA,
            words.numbers("decoder", "self_attn"),
            words.formula("decoder", "self"),
            partial(words.functions, masked=True),
        ),
        partial(data.attention_view, kind="masked-self-attention"),
        sheet.blocks("masked-self-attention"),
    )


def _load_crossing() -> Contents:
    from explorer.views.attention import data, sheet, words

    return Contents(
        Words(
            words.CROSS_IDEA,
            words.numbers("decoder", "cross_attn"),
            words.formula("decoder", "cross"),
            partial(words.functions, crosses=True),
        ),
        partial(data.attention_view, kind="cross-attention"),
        sheet.blocks("cross-attention"),
    )


def _is_plain(where: Location) -> bool:
    return where.kind == "attention" and not where.causal and not where.crosses


def _is_masked(where: Location) -> bool:
    return where.causal


def _is_crossing(where: Location) -> bool:
    return where.crosses


SELF_ATTENTION = View(
    key="self-attention",
    title="Self-attention",
    section="Model",
    page="pages/model/self_attention.py",
    parts={**SENTENCE_PARTS, "view": "self_attention"},
    owns=_is_plain,
    is_block=True,
    load=_load_self,
)
MASKED_SELF_ATTENTION = View(
    key="masked-self-attention",
    title="Masked self-attention",
    section="Model",
    page="pages/model/masked_self_attention.py",
    parts={**SENTENCE_PARTS, "view": "masked_self_attention"},
    owns=_is_masked,
    is_block=True,
    load=_load_masked,
)
CROSS_ATTENTION = View(
    key="cross-attention",
    title="Cross-attention",
    section="Model",
    page="pages/model/cross_attention.py",
    parts={**SENTENCE_PARTS, "view": "cross_attention"},
    owns=_is_crossing,
    is_block=True,
    load=_load_crossing,
)
