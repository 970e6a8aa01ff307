"""The map in miniature: where on it a page is, as a link to the map with everything that the visitor has chosen."""

import streamlit as st

from core.activations.location import locate
from explorer.look.theme import in_both_themes
from explorer.view import View
from explorer.visitor.links import query_of
from explorer.visitor.session import at_page
from explorer.visitor.state import ExplorerState, Runs

MAP = "pages/model/map.py"
WIDTH, HEIGHT = 70, 60

_ENCODER, _DECODER = 6, 44
_WIDE = 20
# What stands where: a name of it, top and height. Behind each sub-layer is its sum, normalised or not.
_BLOCKS: tuple[tuple[str, float, float], ...] = (
    ("src", 53, 6),
    ("tgt_in", 53, 6),
    ("src_embed.positions", 46, 5),
    ("tgt_embed.positions", 46, 5),
    ("encoder.self_attn", 37, 7),
    ("encoder.self_attn_add", 32, 4),
    ("encoder.feed_forward", 25, 6),
    ("encoder.feed_forward_add", 20.5, 4),
    ("decoder.self_attn", 37, 7),
    ("decoder.self_attn_add", 32, 4),
    ("decoder.cross_attn", 25, 6),
    ("decoder.cross_attn_add", 20, 4),
    ("decoder.feed_forward", 13, 6),
    ("decoder.feed_forward_add", 8.5, 4),
    ("generator", 0, 6),
)
# The two streams, and the memory between them: left, top, width, height.
_LINES = ((15.5, 19, 1, 36), (53.5, 6, 1, 50), (15.5, 19, 20, 1), (35.5, 19, 1, 10), (35.5, 28.5, 10, 1))

# The link lies over the picture, and its words are there for those who cannot see it.
_STYLE = """
.st-key-page { position: relative; }
.st-key-page_head { min-height: 60px; padding-right: 90px; justify-content: center; }
.st-key-locator { position: absolute; top: 0; right: 0; width: 70px; }
.locator { position: relative; width: 70px; height: 60px; }
.locator i { position: absolute; box-sizing: border-box; }
.st-key-locator div:not(.locator) { position: static; }
.st-key-locator a { position: absolute; left: -6px; top: -6px; width: 82px; height: 72px; margin: 0;
  border-radius: 8px; }
.st-key-locator a * { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
"""


def locator_html(view: View) -> str:
    """The figure as small boxes with those filled that a view shows; colours of both themes.

    Boxes of HTML rather than of SVG, which Streamlit takes out of what a page may write.
    """
    boxes = [_box(line, "", in_both_themes("line2")) for line in _LINES]
    for name, top, height in _BLOCKS:
        where = locate(name)
        # No value is the masks' own: they are looked at beside the attention that they hide something from.
        lit = view.owns(where) or (view.key == "masks" and where.kind == "attention")
        width, radius = (height, height / 2) if where.value == "positions" else (_WIDE, 1.5)
        left = (_ENCODER if where.side == "source" else _DECODER) + (_WIDE - width) / 2
        colour = in_both_themes(where.side if lit else "line2")
        fill = colour if lit else in_both_themes("bg")
        boxes.append(_box((left, top, width, height), colour, fill, radius))
    return f'<div aria-hidden="true" class="locator">{"".join(boxes)}</div>'


def draw_locator(view: View, state: ExplorerState, runs: Runs) -> None:
    """Draw the miniature and its link at the right of the page's title; of a page of no block nothing.

    Call it after the page has run, in the page's container: the link then knows what was chosen there.
    """
    if not view.is_block:
        return
    with st.container(key="locator", width=WIDTH, gap=None):
        st.html(f"<style>{_STYLE}</style>{locator_html(view)}")
        _link_to_map(f"Map: you are at {view.title.lower()}", None, state, runs)


def map_link(state: ExplorerState, runs: Runs) -> None:
    """Draw the link of the pages that are about no single block."""
    _link_to_map("See it on the map", ":material/account_tree:", state, runs)


def _link_to_map(label: str, icon: str | None, state: ExplorerState, runs: Runs) -> None:
    st.page_link(MAP, label=label, icon=icon, query_params=query_of(at_page(state, "map"), runs))


def _box(place: tuple[float, float, float, float], border: str, fill: str, radius: float = 0) -> str:
    left, top, width, height = place
    edge = f"border:1px solid {border};border-radius:{radius:g}px;" if border else ""
    where = f"left:{left:g}px;top:{top:g}px;width:{width:g}px;height:{height:g}px"
    return f'<i style="{where};{edge}background:{fill}"></i>'
