"""The lines that tell a newcomer what they look at, and the pages that show them."""

from explorer.browser.first_visit import first_visit
from explorer.view import HOME, Registry, View
from explorer.visitor.state import ExplorerState
from explorer.visitor.values import SessionValue

_FIRST_PAGE = SessionValue("first_page", "")
"""Key of the view with which the session began."""
_ON_HOME = (
    "A real Transformer reads the text at the top and writes its output one token at a time.",
    "Every cell shows numbers of this run: click a block to open it, then a number to see its formula.",
    "Press play, change the text, or force another token.",
)


def visit_lines(view: View, state: ExplorerState, views: Registry) -> tuple[str, ...]:
    """Return what the card of a first visit says on a page; nothing during a lesson, which explains what it shows.

    Args:
        view: The open view.
        state: The visitor's choices.
        views: All views.
    """
    if state.learning.lesson:
        return ()
    if view.key == HOME:
        return _ON_HOME
    return (
        "This app shows a real Transformer at work: reading, writing and learning.",
        "In a picture of the model, click a number to see its formula.",
        f"New here? Start with “{views[HOME].title}”, the first page.",
    )


def draw_first_visit(view: View, state: ExplorerState, views: Registry) -> None:
    """Draw the card on the session's first page, and an empty one on others, so that no element changes its place."""
    first_page = _FIRST_PAGE.value or view.key
    _FIRST_PAGE.set(first_page)
    first_visit(visit_lines(view, state, views) if view.key == first_page else ())
