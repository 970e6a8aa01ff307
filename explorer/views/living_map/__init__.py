"""The living map: the whole network in one picture, through which every step of a decoding runs. The first view."""

from explorer.view import HOME, HOME_PAGE, SENTENCE_PARTS, Contents, View
from explorer.views.living_map import sheet, words

VIEW = View(
    key=HOME,
    title="Watch it run",
    place="Watch",
    line="the whole model, token by token",
    page=HOME_PAGE,
    parts={**SENTENCE_PARTS, "view": "living_map"},
    contents=Contents(words, sheet=sheet.blocks),
)
