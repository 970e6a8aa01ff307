"""Tokens and embeddings: text becomes ids, ids become vectors."""

from explorer.view import SENTENCE_PARTS, Contents, Subject, View, Words


def _load() -> Contents:
    from explorer.views.embedding import data, sheet, words

    return Contents(
        Words(words.IDEA, words.numbers, words.formula, words.functions), data.tokens_view, sheet.blocks
    )


VIEW = View(
    key="tokens",
    title="Tokens and embeddings",
    section="Model",
    page="pages/model/tokens.py",
    parts={
        **SENTENCE_PARTS,
        "cuts": "token_view",
        "view": "tokens",
        "geometry": "geometry",
        "sharing": "sharing",
    },
    subject=Subject(("ids", "embedding"), but=("positions",)),
    is_block=True,
    load=_load,
)
