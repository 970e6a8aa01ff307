"""The map of the model: the paper's figure with its shapes, parameters and values."""

from explorer.view import SENTENCE_PARTS, Contents, View, Words


def _load() -> Contents:
    from explorer.views.map import sheet, words

    return Contents(Words(words.IDEA, words.numbers, words.formula, words.functions), sheet=sheet.blocks)


VIEW = View(
    key="map",
    title="Map",
    section="Model",
    page="pages/model/map.py",
    parts={**SENTENCE_PARTS, "view": "map_view"},
    load=_load,
)
