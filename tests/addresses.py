"""The pages of the app, read from the entry script without running it."""

import re
from pathlib import Path

ENTRY = Path(__file__).parent.parent / "streamlit_app.py"
_PAGE = re.compile(r'\("(?P<file>[a-z_]+)", "(?P<title>[^"]+)", "(?P<address>[a-z-]+)"\)')

TITLES: dict[str, str] = {found["address"]: found["title"] for found in _PAGE.finditer(ENTRY.read_text())}
"""What the sidebar calls each page, by its address; the home page, which has none, is left out."""
