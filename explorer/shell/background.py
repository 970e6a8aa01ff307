"""How far a computation in the background is, with its stop; its page is drawn anew when it has ended."""

from collections.abc import Callable

import streamlit as st

from explorer.models.background import Job

REFRESH = 0.5
"""Seconds between two looks at how far it is."""


def draw_job(
    job: Job,
    ask: Callable[[], object],
    words: Callable[[int, int], str],
    *,
    again_label: str,
    key: str,
) -> None:
    """Draw a bar that fills, until the job is over; where it ended without a result, why, and a way to begin anew.

    Args:
        job: That is waited for.
        ask: Gives the job again while it goes on, and its result when that is there. Who asks keeps it going.
        words: From what is done and all of it to what is said on the bar.
        again_label: What the button says that begins it anew.
        key: Of the view that will stand here; the buttons are named after it.
    """

    def look() -> None:
        if ask() is not job:
            st.rerun()
        if job.has_ended:
            st.text(job.reason)
            st.button(again_label, key=f"{key}_again", on_click=job.again)
            return
        share = job.n_done / job.n_all if job.n_all else 0.0
        st.progress(share, text=words(job.n_done, job.n_all))
        st.button("Stop", key=f"{key}_stop", icon=":material/stop:", on_click=job.stop)

    st.fragment(look, run_every=None if job.has_ended else REFRESH)()
