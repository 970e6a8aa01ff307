"""The three attentions: of the encoder, masked in the decoder, and across."""

from functools import partial

from core.activations.location import locate
from explorer.view import SENTENCE_PARTS, STOP, Contents, Subject, View
from explorer.views.attention import data, sheet, words
from explorer.visitor.extent import PATHS, AttentionKind


def _attention(key: AttentionKind, title: str, *, line: str, lead: str, unmasked_lead: str = "") -> View:
    """One of the three as a view; its page is called as its key."""
    name, where = key.replace("-", "_"), locate(PATHS[key])
    return View(
        key=key,
        title=title,
        place="Watch",
        line=line,
        lead=lead,
        unmasked_lead=unmasked_lead,
        page=f"pages/model/{name}.py",
        parts={**SENTENCE_PARTS, "view": STOP},
        subject=Subject(("attention",), where.stack, where.sublayer or None),
        is_block=True,
        row_side=lambda _: where.side,
        contents=Contents(
            words.AttentionWords(key), partial(data.attention_view, kind=key), sheet.blocks(key)
        ),
    )


SELF_ATTENTION = _attention(
    "self-attention",
    "Self-attention",
    line="tokens of the source read one another",
    lead="Every source token compares its query with every key and gathers the values, weighted by how well they "
    "match.",
)
MASKED_SELF_ATTENTION = _attention(
    "masked-self-attention",
    "Masked self-attention",
    line="the output reads what it has written",
    lead="Each position looks back at what the decoder has read so far; the causal mask hides the rest.",
    unmasked_lead="This model has no causal mask: each position looks at those after it as well.",
)
CROSS_ATTENTION = _attention(
    "cross-attention",
    "Cross-attention",
    line="the output reads the source",
    lead="The output asks the source: queries come from the decoder, keys and values from the encoder's output.",
)
