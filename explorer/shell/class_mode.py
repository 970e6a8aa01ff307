"""What class mode adds to the pages: who asks, the door for whoever runs the server, and why some things are shut."""

from __future__ import annotations

import streamlit as st

from core.errors import InputError
from explorer.browser.owner_key import owner_key
from explorer.histories.wishes import say_problem
from explorer.server.limits import DAY, MOST_TOKEN, Limits
from explorer.server.shared import admin_gate, server_limits
from explorer.trainings.rules import NOBODY, Visitor
from explorer.visitor.session import IS_ADMIN, VISITOR_KEY
from explorer.visitor.values import SessionValue

OWNER_KEY = "owner_key"
TOKEN, PROBLEM = SessionValue[str | None]("admin_token", None), SessionValue("admin_problem", "")
# The component shows nothing; without this a gap would stay in its place.
_HIDDEN = f"<style>.st-key-{OWNER_KEY} {{ display: none; }}</style>"
MANAGED = "Runs are renamed, deleted and added here with the admin token alone."


def visitor() -> Visitor:
    """Who looks at the page; in class mode the browser is asked for its secret, so call it once in a run of a page."""
    if not server_limits().is_public:
        return NOBODY
    st.html(_HIDDEN)
    if secret := owner_key(key=OWNER_KEY):
        VISITOR_KEY.set(secret)
    return Visitor(VISITOR_KEY.value, IS_ADMIN.value)


def expiry_sentence(limits: Limits) -> str:
    """What becomes of visitors' runs; empty where they stay."""
    if limits.run_seconds is None:
        return ""
    days = limits.run_seconds // DAY
    return (
        f"This server deletes a run {days} {'day' if days == 1 else 'days'} after its training has ended, and the "
        "oldest ones earlier when there is no room: download what you want to keep."
    )


def draw_admin_door() -> None:
    """In class mode: where the admin token is given, or what was given is taken back."""
    if not server_limits().is_public or not admin_gate().exists:
        return
    if IS_ADMIN.value:
        with st.container(horizontal=True, vertical_alignment="center", key="admin_inside"):
            st.caption("You may rename, delete, add and stop all runs until this page is loaded again.")
            st.button("Give up these rights", key="admin_leave", on_click=IS_ADMIN.set, args=(False,))
        return
    with st.expander("For whoever runs this server"), st.form("admin", clear_on_submit=True, border=False):
        st.text_input("Admin token", type="password", max_chars=MOST_TOKEN, key=TOKEN.key, autocomplete="off")
        if st.form_submit_button("Enter", key="admin_enter"):
            _try()
        if PROBLEM.value:
            say_problem(PROBLEM.value, key="runs_problem_admin")


def _try() -> None:
    PROBLEM.set("")
    try:
        admin_gate().enter(TOKEN.value or "")
    except InputError as error:
        PROBLEM.set(error.sentence)
    else:
        IS_ADMIN.set(True)
        st.rerun()
