"""The sampling lab: from logits to a drawn token."""

from explorer.view import SENTENCE_PARTS, Contents, View
from explorer.views.sampling import sheet, words

VIEW = View(
    key="sampling-lab",
    title="Sampling lab",
    place="Decode",
    line="draw instead of taking the best",
    lead="Settings turn logits into probabilities; a random number picks the token.",
    page="pages/generation/sampling.py",
    parts={**SENTENCE_PARTS, "view": "sampling_view"},
    contents=Contents(words, sheet=sheet.blocks),
)
