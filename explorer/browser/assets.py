"""The browser side of the components, as the text that is sent, without comments.

A component's script is made from typed modules (`make browser`), or, where it is no module yet, joined from its files
with the shared parts before them.
"""

import re
from pathlib import Path

from explorer.look.theme import component_tokens_css

_SHARED = Path(__file__).parent / "shared"

# The text travels with every update of a component. Whole-line comments and indentation are a third of it.
_COMMENT = re.compile(r"^\s*(?://.*|/\*\*?(?:[^*]|\*(?!/))*\*/)\s*$", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)


def script(*paths: Path) -> str:
    """JavaScript files joined into one module in the given order."""
    return "\n".join(_without_comments(path.read_text(encoding="utf-8")) for path in paths)


def parts(*names: str) -> tuple[Path, ...]:
    """Shared parts by their names, in an order in which each uses only those before it."""
    return tuple(_SHARED / f"{name}.js" for name in names)


def shared(*more: str) -> tuple[Path, ...]:
    """The parts that most components share, and others by their names."""
    return parts("theme", "message", "report", "text", "numbers", "elements", *more)


def beside(module: str, *names: str) -> tuple[Path, ...]:
    """JavaScript files in the folder of a module, given as its ``__file__``, by their names."""
    return tuple(Path(module).parent / f"{name}.js" for name in names)


def style(path: Path) -> str:
    """A component's CSS, after the colours of both themes."""
    return component_tokens_css() + "\n" + _without_comments(path.read_text(encoding="utf-8"))


def view_style(*paths: Path) -> str:
    """The CSS of a whole view, of one file or several, after what every view begins with."""
    texts = (each.read_text(encoding="utf-8") for each in (_SHARED / "view.css", *paths))
    return "\n".join((component_tokens_css(), *map(_without_comments, texts)))


def _without_comments(text: str) -> str:
    return _INDENT.sub("", _COMMENT.sub("", text))
