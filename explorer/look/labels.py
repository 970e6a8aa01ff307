"""Texts as a figure may carry them: what somebody typed, drawn letter by letter and never interpreted."""

from explorer.look.token_text import visible

# Plotly reads a few tags, entities, and TeX between dollars. It decodes entities last, after it has looked for the
# other two, so that a character written as one is only ever itself.
_MARKUP = str.maketrans({character: f"&#{ord(character)};" for character in "&<>$"})


def literal(text: str) -> str:
    """A text that Plotly draws as it is, whatever tags, entities or formulas it spells; what is invisible is marked."""
    return unread(visible(text))


def unread(text: str) -> str:
    """The same of a text in which everything invisible is marked already, such as the name of a row."""
    return text.translate(_MARKUP)
