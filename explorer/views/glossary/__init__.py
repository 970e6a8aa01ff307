"""The glossary: the words of the field, and where each can be seen."""

from explorer.view import LEARN, Contents, View


def _load() -> Contents:
    from explorer.views.glossary import sheet

    return Contents(document=sheet.document)


VIEW = View(
    key="glossary",
    title="Glossary",
    section=LEARN,
    page="pages/learn/glossary.py",
    explains=False,
    load=_load,
)
