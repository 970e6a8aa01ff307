"""Lessons: ten short ways through the app, each with what it teaches and how far the visitor has come."""

import streamlit as st

from explorer.lesson_list import draw_lessons
from explorer.markdown_text import plain
from explorer.model_store.runs import known_runs
from explorer.model_store.server import lesson_library
from explorer.notices import draw_notices
from explorer.session import visitor_state
from explorer.worksheet_download import draw_lesson_worksheets

runs = known_runs()
library = lesson_library()
st.title("Lessons", anchor=False)
st.markdown(
    "Each lesson goes through a few views of the live model and asks before it tells. "
    "All of them are open: begin anywhere, leave for free play, come back to the same stop."
)
draw_notices()
for problem in library.problems:
    st.warning(plain(f"This file is no lesson yet. {problem}"), icon=":material/edit_note:")
draw_lessons(library, visitor_state(runs), runs)
draw_lesson_worksheets(library.lessons.values(), runs)
