"""Tokens and embeddings: text becomes ids, ids become vectors."""

from explorer.view import SENTENCE_PARTS, STOP, Contents, Subject, View
from explorer.views.embedding import data, sheet, words
from explorer.views.embedding.sides import open_side

VIEW = View(
    key="tokens",
    title="Tokens and embeddings",
    place="Watch",
    line="token ids, their vectors, and positions",
    lead="The text is cut into tokens, and each one's id picks a row of a learned table.",
    page="pages/model/tokens.py",
    parts={
        **SENTENCE_PARTS,
        "cuts": "token_view",
        "view": STOP,
        "geometry": "geometry",
        "sharing": "sharing",
    },
    subject=Subject(("ids", "embedding"), but=("positions",)),
    is_block=True,
    row_side=open_side,
    contents=Contents(words, data.tokens_view, sheet.blocks),
)
