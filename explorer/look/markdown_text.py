"""Texts that a person typed, for the few places where Streamlit takes Markdown alone."""

import re

# CommonMark takes a backslash before any ASCII punctuation as "this very character".
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")


def plain(text: str) -> str:
    """A text that Markdown shows letter by letter: no image is fetched, no link made, no formula set."""
    return _PUNCTUATION.sub(r"\\\g<0>", text)
