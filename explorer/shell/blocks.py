"""The blocks of a model, and the pages that show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from core.activations.location import Kind, Location, locate
from core.run import Run
from explorer.browser.stop import RailBlock
from explorer.view import HOME, INSPECTOR, Registry, View
from explorer.visitor.session import at_page
from explorer.visitor.state import ExplorerState, choose_block, choose_site

AtPage = Callable[[ExplorerState, str], ExplorerState]
"""Returns the state for a link to a page, from the visitor's choices and the page's address."""
_TITLES: dict[Kind, str] = {"embedding": "Embedding", "generator": "Output"}
_WEIGHTS: dict[Kind, int] = {"embedding": 10, "attention": 14, "feed_forward": 9, "generator": 7}


def rail_of(run: Run) -> tuple[RailBlock, ...]:
    """The blocks of a model in the order of the computation."""
    return tuple(
        RailBlock(
            where.path,
            _title(where),
            _short(where),
            where.side,
            where.layer,
            _WEIGHTS.get(where.kind, 3),
            where.crosses,
        )
        for where in _modules(run)
    )


def _modules(run: Run) -> Iterator[Location]:
    """Every block that has a picture, once."""
    modules = dict.fromkeys(locate(site.name).module for site in run.model.sites())
    return (where for where in modules if where.title or where.kind in _TITLES)


def _title(where: Location) -> str:
    if where.joins or where.kind == "norm":
        return f"{where.title} around {where.sublayer_title.lower()}"
    return where.title or _TITLES[where.kind]


def _short(where: Location) -> str:
    """Return the text on a block of the rail, where there is little room."""
    return "+" if where.joins else "norm" if where.normalizes else _title(where)


def block_page(
    block: str, state: ExplorerState, views: Registry, at: AtPage = at_page
) -> tuple[View, ExplorerState]:
    """The view that shows a block, and the state that it opens with: at the block's layer and sub-layer.

    Args:
        block: Module path; empty for the whole picture.
        state: The choices before.
        views: All of them.
        at: Returns the state for a link to a page.
    """
    if not block:
        return views[HOME], at(state, views[HOME].address)
    where = locate(block)
    view = views.showing(where)
    assert view is not None, block
    there = at(state, view.address)
    layer = there.look.layer if where.layer is None else where.layer
    # A view of one sub-layer needs not be told which.
    is_known = view.subject is not None and bool(view.subject.sublayer)
    chosen = "" if is_known else f"{where.stack}.{where.part}" if where.part else where.stack
    # A norm before its sub-layer is in one picture with the sum after it: it is that picture as far as the norm.
    stage = "output" if where.kind == "norm" else ""
    there = replace(there, look=replace(there.look, stage=stage, layer=layer))
    return view, choose_block(there, chosen)


def inspector_page(
    name: str, state: ExplorerState, views: Registry, at: AtPage = at_page
) -> tuple[View, ExplorerState]:
    """The view of all numbers of a recorded value or a parameter, and the state that it opens with."""
    view = views[INSPECTOR]
    return view, choose_site(at(state, view.address), name)
