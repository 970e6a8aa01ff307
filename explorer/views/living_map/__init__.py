"""The living map: the whole network in one picture, through which every step of a decoding runs. The first view."""

from explorer.view import HOME, HOME_PAGE, SENTENCE_PARTS, Contents, View


def _load() -> Contents:
    from explorer.views.living_map import sheet, words

    return Contents(words, sheet=sheet.blocks)


VIEW = View(
    key=HOME,
    title="Watch it run",
    section="",
    page=HOME_PAGE,
    parts={**SENTENCE_PARTS, "view": "living_map"},
    load=_load,
)
