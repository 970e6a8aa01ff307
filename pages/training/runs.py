"""Runs: every model that is here, shipped, trained or uploaded; to open, rename, download, delete and compare."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from core.config import TransformerConfig
from core.errors import ExplorerError
from core.model.shapes import expected_parameters as count
from core.run_description import MODEL_FILE, RunDescription
from core.training.kept import kept_by
from core.training.lock import is_training
from explorer.histories.runs_table import (
    MISSING,
    SHIPPED,
    Curves,
    RunRow,
    curves_of,
    disk_size,
    kept_sentence,
    labels,
    own_row,
    problem_of,
    settings_of,
    shipped_row,
    table_of,
)
from explorer.histories.wishes import say_problem
from explorer.histories.words import parent_sentence
from explorer.look.card import card
from explorer.look.chart import page_theme, plotly_chart
from explorer.look.number_table import number_table
from explorer.look.theme import format_share, in_both_themes
from explorer.models.known import known_runs, own_description, run_folder, shipped_runs
from explorer.models.server import training_engine
from explorer.server.shared import server_limits
from explorer.shell.class_mode import MANAGED, draw_admin_door, expiry_sentence, visitor
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.trainings import archive
from explorer.trainings.run_folders import MOST_TITLE, RunFolders
from explorer.trainings.status import GOING_ON, LIVING, RunStatus
from explorer.view import WAYS_INTO
from explorer.views.experiments.words import listed
from explorer.views.runs import VIEW
from explorer.views.runs.figure import MOST_CURVES, run_curves
from explorer.views.runs.norms import draw_run_norms
from explorer.views.training.view import PARENT
from explorer.visitor.links import query_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import visitor_state
from explorer.visitor.state import choose_run
from explorer.visitor.values import SessionValue

TABLE_KEY, CHOSEN_KEY = "runs_table", "runs_chosen"
NEXT, ADDED = SessionValue[str | None]("runs_next", None), SessionValue("runs_added", 0)
"""The run that was added just now, and how many were."""
TRAIN = "pages/training/train.py"
FEW_MOMENTS = 5
"""Moments that a run is offered to be thinned to."""
PROBLEM = "runs_problem"
"""Key of what cannot be, and the beginning of the keys of what cannot be in one place."""
REFRESH = 3.0
"""Seconds between two looks at what trains, waits, or has appeared."""
STYLE = f"""
.st-key-run_title [data-testid="stText"] {{ font-size: 20px; font-weight: 650; }}
:is(.st-key-runs_left_out, .st-key-run_summary_thinned) [data-testid="stText"] * {{
  color: {in_both_themes("mute")}; white-space: pre-wrap;
}}
.st-key-run_summary_thinned [data-testid="stText"] * {{ font-size: .875rem; }}
[class*="st-key-runs_problem"] {{
  border-left: 2px solid {in_both_themes("error")}; padding-left: 12px;
}}
[class*="st-key-runs_problem"] [data-testid="stText"] * {{
  color: {in_both_themes("error")}; white-space: pre-wrap;
}}
"""

runs = known_runs()
by = visitor()


def all_rows() -> list[RunRow]:
    """The shipped runs, then one's own, the newest first."""
    engine, shipped, known = training_engine(), shipped_runs(), known_runs()
    rows = [
        shipped_row(key, run, size=sum(_sizes(run_folder(key))), count=count) for key, run in shipped.items()
    ]
    for status in engine.statuses():
        with suppress(ExplorerError):  # Deleted meanwhile.
            rows.append(row_of(status, known, count))
    return rows


def _sizes(folder: Path) -> Iterator[int]:
    """Bytes of each of its files."""
    return (file.stat().st_size for file in folder.rglob("*") if file.is_file())


def row_of(status: RunStatus, known: Runs, count: Callable[[TransformerConfig], int]) -> RunRow:
    """The row of a run of the runs folder."""
    key, engine, shipped = status.run_id, training_engine(), shipped_runs()
    is_shown = key in known and key not in shipped
    problem = (
        "" if is_shown else problem_of(key, engine.run_folder(key), shipped, server_limits().listed_runs)
    )
    return own_row(status, own_description(key), size=engine.disk_bytes(key), count=count, problem=problem)


def at_a_glance() -> list[tuple[str, bool]]:
    """Which runs there are and which of them train, in no time."""
    root = training_engine().folder
    return [(name, is_training(root / name)) for name in RunFolders(root).ids()]


def folder_of(row: RunRow) -> Path:
    """Where a run lies."""
    return training_engine().run_folder(row.key) if row.is_own else run_folder(row.key)


def described(row: RunRow) -> RunDescription | None:
    """What is known of a run; None where that cannot be read."""
    return own_description(row.key) if row.is_own else shipped_runs()[row.key]


def then_rerun(act: Callable[[], object], place: str) -> None:
    """Do what was asked for and show the page anew; if it cannot be done, say so at this place."""
    try:
        act()
    except ExplorerError as error:
        say_problem(error.sentence, key=f"{PROBLEM}_{place}")
    else:
        st.rerun()


def time_zone() -> tzinfo:
    """The visitor's, or UTC where it is not known."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def draw_table(rows: list[RunRow]) -> None:
    """All runs; while one trains or waits, its row is kept true."""

    def draw() -> None:
        try:
            now = all_rows() if busy else rows
        except ExplorerError as error:
            say_problem(error.sentence, key=f"{PROBLEM}_table")
            return
        number_table(
            table_of(now, time_zone()),
            key=TABLE_KEY,
            alt=f"The {len(now)} runs that are here, with state, figures and size.",
            texts=("Title", "Task", "State"),
            # The shipped runs stand first and have no date.
            widths={"Begun": 136},
        )
        if [(row.place, row.state, row.problem) for row in now] != before:
            st.rerun()

    def look() -> None:
        # A training that is begun in a terminal appears by itself.
        if not busy and at_a_glance() != there:
            st.rerun()
        draw()

    before = [(row.place, row.state, row.problem) for row in rows]
    busy, there = any(row.state in GOING_ON for row in rows), at_a_glance()
    st.fragment(look, run_every=REFRESH)()


def say_problems(rows: list[RunRow]) -> None:
    """Why some runs are not among the models to choose from."""
    named = labels(rows)
    with st.container(key="runs_left_out", gap="xsmall"):
        for row in rows:
            if row.problem:
                st.text(f"{named[row.place]} cannot be looked into. {row.problem}")


def chosen_rows(rows: list[RunRow]) -> list[RunRow]:
    """The runs that the visitor has chosen; at first the one that the pages show."""
    by_place, named = {row.place: row for row in rows}, labels(rows)
    added = NEXT.take()
    shown = [row.place for row in rows if row.key == (added or visitor_state(runs).run)]
    chosen = SessionValue(CHOSEN_KEY, shown[:1])
    held = shown[-1:] if added else chosen.value
    chosen.set([place for place in held if place in by_place])
    places = st.multiselect(
        "Runs to open, or to compare",
        list(by_place),
        key=CHOSEN_KEY,
        format_func=named.__getitem__,
        max_selections=MOST_CURVES,
        placeholder="Choose one to open it, several to compare them",
    )
    return [by_place[place] for place in places]


def draw_actions(row: RunRow) -> None:
    """One run: what can be done with it."""
    with st.container(border=True, key="run_card"):
        # A title is somebody's text: it is drawn as it is, never as markup.
        with st.container(key="run_title"):
            st.text(row.title)
        description = described(row)
        if description and description.parent:
            st.text(parent_sentence(description.parent))
        with st.container(horizontal=True, vertical_alignment="center", key="run_actions"):
            # First, as the end of its training adds the ways into the model.
            if row.is_own:
                watched = replace(visitor_state(runs), training=row.key)
                st.page_link(
                    TRAIN,
                    label="See its training",
                    icon=":material/show_chart:",
                    query_params=query_of(watched, runs),
                )
            if row.key in runs and not row.problem:
                there = choose_run(visitor_state(runs), row.key, runs)
                for page, label, icon in WAYS_INTO:
                    st.page_link(page, label=label, icon=icon, query_params=query_of(there, runs))
            if (folder_of(row) / MODEL_FILE).is_file():
                if row.state in ("finished", SHIPPED) and st.button(
                    "Train on", icon=":material/resume:", key="run_train_on"
                ):
                    PARENT.set(row.key)
                    there = replace(visitor_state(runs), training="")
                    st.switch_page(TRAIN, query_params=query_of(there, runs))
                st.download_button(
                    f"Download ({disk_size(row.size)} on disk)",
                    data=partial(archive.pack, folder_of(row)),
                    file_name=f"{row.key}.zip",
                    mime="application/zip",
                    icon=":material/download:",
                    on_click="ignore",
                    key="run_download",
                )
            if row.is_own:
                draw_changes(row)
        if row.is_own:
            draw_kept(row)


def draw_kept(row: RunRow) -> None:
    """What a run keeps on the disk, by kind, and what could go of it."""
    kept, engine = kept_by(folder_of(row)), training_engine()
    with st.container(horizontal=True, vertical_alignment="center", key="run_kept"):
        st.caption(kept_sentence(kept))
        if row.state != "finished" or not engine.may_manage(by) or not (kept.moments or kept.checkpoints):
            return
        with st.popover(
            "Thin", icon=":material/compress:", key=f"run_thin_{kept.n_moments}_{kept.checkpoints}"
        ):
            st.markdown(
                "Some moments of its training go, evenly, and so does its checkpoint; fewer of its updates can be "
                "taken apart then. Its weights and its figures stay."
            )
            most = st.number_input(
                "Moments that stay",
                0,
                kept.n_moments,
                min(kept.n_moments, FEW_MOMENTS),
                key=f"run_moments_{row.key}",
            )
            if st.button("Thin it", type="primary", key="run_thin"):
                then_rerun(partial(engine.thin, row.key, int(most), by=by), "thin")


def draw_changes(row: RunRow) -> None:
    """What may be done with a run of one's own alone: go on with it, rename it, delete it."""
    engine = training_engine()
    status = engine.status(row.key)
    may_resume = status.can_resume and status.state not in GOING_ON and engine.may_steer(row.key, by)
    if may_resume and st.button("Continue training", icon=":material/play_arrow:", key="run_resume"):
        then_rerun(partial(engine.resume, row.key, by=by), "resume")
    if not engine.may_manage(by):
        return
    # Another key with another title: it closes when that is saved.
    with st.popover("Rename", icon=":material/edit:", key=f"run_rename_{row.title}"):
        title = st.text_input("Title", row.title, max_chars=MOST_TITLE, key=f"run_title_{row.key}")
        if st.button("Save the title", key="run_rename"):
            then_rerun(partial(engine.rename, row.key, title, by=by), "rename")
    if status.state in LIVING:
        st.caption("It trains; stop it before you delete it.")
        return
    with st.popover("Delete", icon=":material/delete:"):
        st.markdown("Its weights, figures and kept moments go for good, for everybody who uses this server.")
        if st.button("Delete it for good", type="primary", key="run_delete"):
            then_rerun(partial(engine.delete, row.key, by=by), "delete")


def draw_comparison(rows: list[RunRow]) -> None:
    """Curves, figures and settings of several runs."""
    named = labels(rows)
    curves: dict[str, Curves] = {}
    for row in rows:
        try:
            curves[row.place] = curves_of(folder_of(row), described(row))
        except ExplorerError as error:
            say_problem(f"{named[row.place]}: {error.sentence}", key=f"{PROBLEM}_{row.place}")
    theme = page_theme()
    with st.container(border=True, key="run_curves"):
        for title, key, values, share in (
            ("Loss of the training", "run_losses", {k: c.losses for k, c in curves.items()}, False),
            (
                "Exact match on the validation pairs",
                "run_matches",
                {k: c.exact_matches for k, c in curves.items()},
                True,
            ),
        ):
            st.subheader(title, anchor=False)
            known = {named[key]: points for key, points in values.items() if points}
            if not known:
                st.caption("None of these runs has kept these figures.")
                continue
            figure = run_curves(known, title.lower(), theme=theme, share=share, marks=share)
            plotly_chart(
                figure,
                key=key,
                alt=f"{title} over the updates of {len(known)} runs; the numbers stand below.",
            )
            if len(known) < len(rows):
                st.caption("The others have not kept these figures; a shipped run keeps its losses alone.")
        draw_summary(named, curves)
        draw_run_norms({named[row.place]: folder_of(row) for row in rows}, theme)
    draw_settings(rows, named)


def draw_summary(named: dict[str, str], curves: dict[str, Curves]) -> None:
    """The curves in numbers."""

    def shown(value: float | None) -> str:
        return MISSING if value is None else f"{value:.3f}"

    losses = {key: [loss for _, loss in found.losses] for key, found in curves.items()}
    best = {
        key: max((share for _, share in found.exact_matches), default=None) for key, found in curves.items()
    }
    number_table(
        {
            "Run": [named[key] for key in curves],
            "First loss": [shown(each[0] if each else None) for each in losses.values()],
            "Lowest loss": [shown(found.lowest) for found in curves.values()],
            "Last loss": [shown(each[-1] if each else None) for each in losses.values()],
            "Best exact match": [MISSING if each is None else format_share(each) for each in best.values()],
        },
        key="run_summary",
        alt="First, lowest and last loss, and the best exact match on the validation pairs, of each run.",
        texts=("Run",),
    )
    thinned = [named[key] for key, found in curves.items() if not found.is_whole]
    if thinned:
        # They are titles, somebody's text, so this is no markdown.
        with st.container(key="run_summary_thinned"):
            st.text(
                f"Only some updates are kept of {listed(thinned)}: the lowest loss is the lowest of these."
            )


def draw_settings(rows: list[RunRow], named: dict[str, str]) -> None:
    """The settings side by side, those that differ first and marked."""
    found = {row.place: described(row) for row in rows}
    known = {place: run for place, run in found.items() if run is not None}
    with card("Settings", key="run_settings"):
        if len(known) < 2:
            st.caption("There are not two runs whose settings can be read.")
            return
        settings = settings_of(list(known.values()))
        n_different = sum(setting.differs for setting in settings)
        st.markdown(f"{n_different} of {len(settings)} settings differ; they stand first and have a ≠.")
        only = st.toggle("Only what differs", value=n_different > 0, key="run_settings_only")
        shown = [setting for setting in settings if setting.differs or not only]
        number_table(
            {
                "Setting": [setting.name for setting in shown],
                "≠": ["≠" if setting.differs else "" for setting in shown],
                **{
                    named[key]: [setting.values[place] for setting in shown]
                    for place, key in enumerate(known)
                },
            },
            key="run_settings_table",
            alt="The settings of each run; differences are marked.",
            texts=("Setting", "≠"),
        )


def draw_upload() -> None:
    """A run from somewhere else; in class mode whoever runs the server brings it."""
    engine = training_engine()
    if not engine.may_manage(by):
        st.caption(MANAGED)
        return
    with card("Bring a run", key="run_upload"):
        st.markdown(
            "A zip file as the download above makes it: `run.json`, `model.safetensors` and perhaps `metrics.sqlite`. "
            "Runs that were trained in a terminal appear by themselves if they lie in the runs folder."
        )
        # After a run was added the fields are new ones, empty: a second press would add it twice.
        added = ADDED.value
        uploaded = st.file_uploader(
            "Zip file",
            type="zip",
            max_upload_size=min(engine.limits.most_upload, archive.MOST_ARCHIVE_BYTES) // 2**20,
            key=f"run_file_{added}",
        )
        title = st.text_input(
            "Its title", max_chars=MOST_TITLE, placeholder="Uploaded run", key=f"run_file_title_{added}"
        )
        if st.button("Add this run", disabled=uploaded is None, key="run_add") and uploaded is not None:

            def add() -> None:
                NEXT.set(engine.add(uploaded, title=title, by=by))
                ADDED.set(added + 1)

            then_rerun(add, "upload")


def draw_chosen() -> None:
    """What can be done with one run, or how several compare."""
    chosen = chosen_rows(rows)
    if len(chosen) == 1:
        draw_actions(chosen[0])
    elif chosen:
        draw_comparison(chosen)


st.html(f"<style>{STYLE}</style>")
page_head(VIEW, runs, words=False)
with loading(TABLE_KEY, height=300):
    rows = all_rows()
    # Within the block: the first table brings in pyarrow, which takes seconds once.
    draw_table(rows)
if kept := expiry_sentence(server_limits()):
    st.caption(kept)
say_problems(rows)
for part in (draw_chosen, draw_upload, draw_admin_door):
    try:
        part()
    except ExplorerError as error:
        say_problem(error.sentence, key=PROBLEM)
