"""Progress of a computation in the background, with its stop and what is known already; its page follows its end."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from explorer.models.background import Job, current_visitor
from explorer.visitor.live import draw_live

Result = TypeVar("Result")

REFRESH = 1.0
"""Seconds between two looks at a computation."""


def draw_job(
    ask: Callable[[], Result | Job],
    show: Callable[[Result], None],
    words: Callable[[int, int], str],
    *,
    again_label: str,
    key: str,
    height: int,
) -> None:
    """Draw a result, or a bar that fills above what is known so far; after an end without a result, the reason.

    Args:
        ask: Returns the job while it runs, and its result once that exists. Asking keeps the job running.
        show: Draws a result, also one of the parts that are done.
        words: From what is done and all of it to the text on the bar.
        again_label: Text of the button that begins the job anew.
        key: Key of the view; the buttons are named after it.
        height: Height of the skeleton, in pixels, that stands there before anything is known.
    """
    job = ask()
    if not isinstance(job, Job):
        show(job)
        return

    # The view is fed again and again: what it shows meanwhile is not out of date, and Streamlit must not fade it.
    st.html(f"<style>.st-key-{key} {{ opacity: 1 !important; transition: none !important; }}</style>")
    has_shown = job.so_far is not None

    def look() -> None:
        # The script of a view comes with a run of the whole page, so the first result begins one, as does the last.
        if ask() is not job or (job.so_far is not None and not has_shown):
            st.rerun()
        if reason := job.reason_for(visitor):
            st.text(reason)
            st.button(again_label, key=f"{key}_again", on_click=job.again)
        else:
            share = job.n_done / job.n_all if job.n_all else 0.0
            n_before = job.n_before
            st.progress(share, text=waiting_words(n_before) if n_before else words(job.n_done, job.n_all))
            st.button("Stop", key=f"{key}_stop", icon=":material/stop:", on_click=job.stop)
        if job.so_far is not None:
            show(job.so_far)
        elif not reason:
            st.empty().skeleton(height=height)

    visitor = current_visitor()
    draw_live(look, run_every=None if job.reason_for(visitor) else REFRESH)


def waiting_words(n_before: int) -> str:
    """Return the label of the bar while other jobs come first."""
    others = "1 other computation" if n_before == 1 else f"{n_before} other computations"
    return f"Waiting for {others}"
