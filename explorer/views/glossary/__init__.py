"""The glossary: the words of the field, and where each can be seen."""

from explorer.view import LEARN, Contents, View
from explorer.views.glossary import sheet

VIEW = View(
    key="glossary",
    title="Glossary",
    place=LEARN,
    line="every term, and where the model has it",
    lead="What the words of the field mean; dotted words on a page are explained here.",
    page="pages/learn/glossary.py",
    explains=False,
    contents=Contents(document=sheet.document),
)
