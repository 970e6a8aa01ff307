"""Keys of a lesson, and the part of the page that a stop speaks of: brought into view, and said aloud."""

from __future__ import annotations

import json
from pathlib import Path

import streamlit as st

from explorer.browser.assets import beside, parts, script, style

_HERE = Path(__file__).parent
SCRIPTS = (*parts("theme", "lesson_keys"), *beside(__file__, "keys"))

_component = st.components.v2.component(
    "lesson_keys",
    html='<p class="lesson-keys" data-look="light"><span class="line"></span>'
    '<span class="unseen" role="status"></span></p>',
    css=style(_HERE / "keys.css"),
    js=script(*SCRIPTS),
)


def lesson_keys(*, stop: str, part: str, said: str, line: str, key: str) -> None:
    """Listen to the keys and draw the line that names them.

    Args:
        stop: Names the stop; where it is another one, its part is brought into view.
        part: Key of the container or view that is highlighted; empty for none.
        said: What was said to the last answer, for those who do not see it.
        line: Which keys there are.
        key: Of the component in the session.
    """
    _component(data=json.dumps({"stop": stop, "part": part, "said": said, "line": line}).encode(), key=key)
