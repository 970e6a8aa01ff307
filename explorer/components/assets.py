"""The browser side of the components, as the text that is sent: shared parts first, without comments."""

import re
from pathlib import Path

from explorer.theme import component_tokens_css

THEME_SCRIPT = Path(__file__).parent / "theme.js"

# The text travels with every update of a component. Whole-line comments and indentation are a third of it.
_COMMENT = re.compile(r"^\s*(?://.*|/\*\*?(?:[^*]|\*(?!/))*\*/)\s*$", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)


def script(*paths: Path) -> str:
    """JavaScript files joined into one module in the given order, after what every component shares."""
    return "\n".join(_without_comments(path.read_text(encoding="utf-8")) for path in (THEME_SCRIPT, *paths))


def style(path: Path) -> str:
    """A component's CSS, after the colours of both themes."""
    return component_tokens_css() + "\n" + _without_comments(path.read_text(encoding="utf-8"))


def _without_comments(text: str) -> str:
    return _INDENT.sub("", _COMMENT.sub("", text))
