"""The pages of the app by their addresses, as the registry of views has them."""

from explorer.app import REGISTRY
from explorer.view import HOME as FIRST_VIEW

TITLES = {view.address: view.title for view in REGISTRY.values() if view.address}
"""What the sidebar calls each page, by its address; without the first page."""

FIRST = {"": REGISTRY[FIRST_VIEW].title, "translate": REGISTRY[FIRST_VIEW].title}
"""The same of the first page, which opens by the bare address and by its name."""

HOME = REGISTRY[FIRST_VIEW].page
FILES = tuple(view.page for view in REGISTRY.values())
"""The script of each page."""
