"""One update on paper: where it comes from, the open stage, its pair, every parameter, and its largest changes."""

from __future__ import annotations

from collections.abc import Iterator

from core.activations.location import locate
from explorer.browser.explain_panel import ExplanationData
from explorer.look.theme import format_count
from explorer.models.known import known_run
from explorer.models.task_facts import run_title
from explorer.views.update import tables as tables
from explorer.views.update.cached import known_update
from explorer.views.update.choices import chosen_update
from explorer.views.update.data import update_view
from explorer.views.update.panel import choices_of, shown_update
from explorer.views.update.scene import UpdateScene, scene_key
from explorer.visitor.state import ExplorerState
from explorer.worksheets.document import (
    Block,
    Heading,
    Sheet,
    html_of,
    paragraph,
    paragraph_of_markdown,
    table_of,
)
from explorer.worksheets.number import explained_blocks
from explorer.worksheets.stages import stage_blocks


def document(title: str, state: ExplorerState, address: str) -> str:
    """The HTML of the worksheet of the chosen update, which the page has made again.

    Raises:
        RunError: when the run is gone.
    """
    run, choice = known_run(state.run), chosen_update(state.update.key, choices_of(state.run))
    facts = (("Model", run_title(state.run, run)), ("Update", format_count(choice.update)))
    replayed = known_update(state.run, choice)
    if replayed is None:
        words = (
            "The server does not keep this update any more; open the page One update, which makes it again."
        )
        return html_of(Sheet(title, facts, (paragraph(words),), address))
    scene = UpdateScene(scene_key(state.run, choice), run, choice, replayed)
    blocks = (*_blocks(scene, state), *explained_blocks(_explained(state)))
    return html_of(Sheet(title, facts, blocks, address))


def _blocks(scene: UpdateScene, state: ExplorerState) -> Iterator[Block]:
    yield paragraph_of_markdown(tables.origin_sentence(scene))
    yield paragraph_of_markdown(tables.noise_sentence(scene))
    yield paragraph(". ".join(words for words, _ in tables.whole_numbers(scene)) + ".")
    yield from stage_blocks(update_view(scene, state))
    yield Heading("What the decoder reads, and its labels")
    yield paragraph(tables.pair_sentence(scene, state))
    yield table_of(tables.pair_columns(scene, state), ("decoder reads", "label"))
    yield Heading("Every parameter")
    yield table_of(tables.norm_columns(scene), ("parameter",))
    yield Heading("The largest changes")
    yield table_of(tables.largest_columns(scene), ("parameter",))


def _explained(state: ExplorerState) -> ExplanationData | None:
    """The number of the update that the panel explains; one of a model belongs to another view."""
    cell = state.look.cell
    return shown_update(state) if cell and locate(cell.site).kind == "update" else None
