"""What if: the running model with something in it changed, beside what it is as it was trained."""

from explorer.view import SENTENCE_PARTS, WHAT_IF, Contents, View


def _load() -> Contents:
    from explorer.views.what_if import sheet, words

    return Contents(words, sheet=sheet.blocks)


VIEW = View(
    key=WHAT_IF,
    title="What if",
    section="Generation",
    page="pages/generation/what_if.py",
    parts={**SENTENCE_PARTS, "view": "what_if"},
    forks=False,
    load=_load,
)
