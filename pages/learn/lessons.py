"""Lessons: short ways through the app, each with what it teaches and how far the visitor has come."""

import streamlit as st

from explorer.app import REGISTRY
from explorer.lessons.library import lesson_library
from explorer.look.markdown_text import plain
from explorer.models.known import known_runs
from explorer.shell.lesson_list import draw_lessons
from explorer.shell.model_page import page_head
from explorer.shell.worksheet_download import draw_lesson_worksheets
from explorer.views.lessons import VIEW

runs = known_runs()
library = lesson_library(REGISTRY)
state = page_head(VIEW, runs, words=False)
for problem in library.problems:
    st.warning(plain(f"This file is not a lesson yet. {problem}"), icon=":material/edit_note:")
draw_lessons(library, state, runs, REGISTRY)
draw_lesson_worksheets(library.lessons.values(), runs, REGISTRY)
