"""The tensor view: one tensor, or two and their difference, or the operations of an update; every cell can be asked.

The inspector and *One update* draw with it; what it is fed, a stop is fed as well (`explorer.browser.stop`). Stages
and heads change in the browser, and Python hears of the visitor's choice when it rests and of an asked cell at once.
"""

from explorer.browser.kept_view import KeptView
from explorer.browser.tensors import EVENTS, pack

tensor_view = KeptView(__file__, "tensor_view", pack, EVENTS)
"""Shows the view. The browser keeps its own choices while the key of the data stays the same."""
