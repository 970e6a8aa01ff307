"""The pages of the app by their addresses, as the registry of views has them."""

from explorer.app import REGISTRY
from explorer.view import HOME as FIRST_VIEW
from explorer.view import HOME_ADDRESSES

TITLES = {view.address: view.title for view in REGISTRY.values() if view.address}
"""Title of each page, by its address; without the first page."""

FIRST = dict.fromkeys(("", *HOME_ADDRESSES), REGISTRY[FIRST_VIEW].title)
"""The same of the first page, which opens by the bare address and by others that are in links."""

HOME = REGISTRY[FIRST_VIEW].page
FILES = tuple(view.page for view in REGISTRY.values())
"""The script of each page."""
READING = tuple(view.page for view in REGISTRY.values() if view.reads_sentence)
"""The scripts of those with the bar of the sentence."""
