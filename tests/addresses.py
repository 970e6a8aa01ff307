"""The pages of the app, read from the entry script without running it."""

import re
from pathlib import Path

ENTRY = Path(__file__).parent.parent / "streamlit_app.py"
_SECTION = re.compile(r'\bsection\(\s*"(\w+)",')
_PAGE = re.compile(r'\("(?P<file>[a-z_]+)", "(?P<title>[^"]+)", "(?P<address>[a-z-]+)"\)')

_, *_SECTIONS = _SECTION.split(ENTRY.read_text(encoding="utf-8"))
_PAGES = [
    (folder, found)
    for folder, listed in zip(_SECTIONS[::2], _SECTIONS[1::2], strict=True)
    for found in _PAGE.finditer(listed)
]

TITLES: dict[str, str] = {found["address"]: found["title"] for _, found in _PAGES}
"""What the sidebar calls each page, by its address; without the first page."""

FIRST: dict[str, str] = {"": "Watch it run", "translate": "Watch it run"}
"""The same of the first page, which opens by the bare address and by its name."""

HOME = "pages/home/translate.py"
FILES = (HOME, *(f"pages/{folder}/{found['file']}.py" for folder, found in _PAGES))
"""The script of each page."""
