"""The three attentions: of the encoder, masked in the decoder, and across."""

from functools import partial

from core.activations.location import locate
from explorer.view import SENTENCE_PARTS, Contents, Subject, View
from explorer.views.attention import data, sheet, words
from explorer.visitor.extent import PATHS, AttentionKind


def _attention(key: AttentionKind, title: str, line: str) -> View:
    """One of the three as a view; its page and its part are called as its key."""
    name, where = key.replace("-", "_"), locate(PATHS[key])
    return View(
        key=key,
        title=title,
        place="Watch",
        line=line,
        page=f"pages/model/{name}.py",
        parts={**SENTENCE_PARTS, "view": name},
        subject=Subject(("attention",), where.stack, where.sublayer or None),
        is_block=True,
        row_side=lambda _: where.side,
        contents=Contents(
            words.AttentionWords(key), partial(data.attention_view, kind=key), sheet.blocks(key)
        ),
    )


SELF_ATTENTION = _attention("self-attention", "Self-attention", "tokens of the source read one another")
MASKED_SELF_ATTENTION = _attention(
    "masked-self-attention", "Masked self-attention", "the output reads what it has written"
)
CROSS_ATTENTION = _attention("cross-attention", "Cross-attention", "the output reads the source")
