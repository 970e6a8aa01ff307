"""The tensor view: one tensor, or two and their difference, or the operations of an update; every cell can be asked.

The inspector and *One update* draw with it; what it is fed, a stop is fed as well (`explorer.browser.stop`). Stages
and heads change in the browser, and Python hears of the visitor's choice when it rests and of an asked cell at once.
"""

from pathlib import Path

from explorer.browser.assets import script, view_style
from explorer.browser.kept_view import KeptView
from explorer.browser.tensors import EVENTS, pack
from explorer.tensors import TensorViewData

SCRIPT = script(__file__)


def tensor_view(data: TensorViewData, *, key: str) -> None:
    """Show the view. The browser keeps its own choices while ``data.key`` stays the same."""
    _component(data=pack(data), key=key, events=EVENTS)


_component = KeptView(
    "tensor_view",
    html='<div class="tensor-view" data-look="light"></div>',
    css=view_style(Path(__file__).parent / "view.css"),
    js=SCRIPT,
)
