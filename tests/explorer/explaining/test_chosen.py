"""The words beside every view, asked about cells of all that it shows: each tells the cell's value and its tokens."""

import re
from typing import Any

import numpy as np
import pytest

from core.activations.location import locate
from core.model.parameters import find_parameter
from explorer.app import REGISTRY
from explorer.explaining.chosen import numbers_of, scene_of
from explorer.explaining.names import tokens_at
from explorer.explaining.scene import Scene
from explorer.look.theme import format_signed
from explorer.shell.explain_panel import at_site
from explorer.tensors import CellPlace
from explorer.visitor.state import ExplorerState, Look
from tests.explorer.random_recording import random_recording
from tests.optional import unwrap

ROOMS = {
    "tokens", "positions", "self-attention", "masked-self-attention", "cross-attention", "masks", "add-norm",
    "feed-forward", "output",
}  # fmt: skip
VARIANTS: dict[str, dict[str, Any]] = {
    "post": {},
    "pre": {"norm_position": "pre"},
    "unscaled": {"scale_scores": False},
}
SUM = re.compile(r"the sum of (\d+) (?:products|terms), (?:(\S+); (÷ √(\d+)) = )?(\S+)\.")


def scene_at(recorded, view, cell: CellPlace) -> Scene:
    """A view as it opens where a cell of it is explained."""
    state = ExplorerState(run="random", sentence=recorded.sentence, look=Look(trail=(cell,)))
    state = at_site(state, cell.site, cell.index)
    return scene_of(view, recorded, state, None)


def cells(recorded) -> list[tuple[CellPlace, float]]:
    """One number of every site and every parameter, from the middle and from the end of each in turn."""
    found: list[tuple[CellPlace, float]] = []
    for name in [site.name for site in recorded.run.model.sites()]:
        values = recorded.values(name)
        index = tuple(size // 2 if len(found) % 2 else size - 1 for size in values.shape)
        found.append((CellPlace(name, (0, *index)), float(values[index])))
    for name in dict(recorded.run.model.named_parameters()):
        # The three projections lie in one matrix, and each is explained by its own name.
        own = {"in_proj.weight": "w_k", "in_proj.bias": "b_k"}.get(locate(name).value)
        name = locate(name).beside(own) if own else name
        values = find_parameter(recorded.run.model, name)
        index = tuple(size // 2 for size in unwrap(values).shape)
        found.append((CellPlace(name, index), float(unwrap(values)[index])))
    return found


def printed(cell: CellPlace, value: float) -> str:
    form = locate(cell.site).value
    if form == "mask":
        return "yes" if value else "no"
    return f"{value:.4f}" if form == "weights" else format_signed(value)


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS)
def test_every_view_tells_the_value_and_the_tokens_of_any_cell_that_it_shows(changes):
    recorded, told = random_recording(**changes), set()
    for cell, value in cells(recorded):
        for key, view in REGISTRY.items():
            if not view.owns(locate(cell.site)):
                continue
            told.add(key)
            numbers = numbers_of(unwrap(view.contents.words), scene_at(recorded, view, cell))
            pieces = {piece.text for piece in numbers.pieces}
            assert printed(cell, value) in pieces, (key, cell, numbers.text)
            tokens = {words.text for words in tokens_at(cell, recorded).values()}
            assert tokens <= pieces, (key, cell, numbers.text)
            assert numbers.shown.text == printed(cell, value), (key, cell)
    assert told == ROOMS


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS)
def test_a_sum_of_products_is_told_as_it_multiplies_out(changes):
    recorded = random_recording(**changes)
    path, size = "decoder.layers.1.cross_attn", recorded.run.config.d_head
    view = REGISTRY["cross-attention"]
    for head, query, key in np.ndindex(*recorded.values(f"{path}.scores").shape):
        cell = CellPlace(f"{path}.scores", (0, head, query, key))
        text = numbers_of(unwrap(view.contents.words), scene_at(recorded, view, cell)).text
        n, product, scaled, root, result = unwrap(SUM.search(text)).groups()
        q, k = (recorded.values(f"{path}.{letter}")[head].astype(np.float64) for letter in "qk")
        assert (int(n), result) == (size, format_signed(float(recorded.values(cell.site)[head, query, key])))
        if "scale_scores" in changes:
            assert scaled is None
        else:
            assert (product, int(root)) == (format_signed(float(q[query] @ k[key])), size)


def test_a_cell_of_another_view_or_one_that_is_not_there_leaves_the_words_as_they_are():
    recorded = random_recording()
    words = unwrap(REGISTRY["feed-forward"].contents.words)
    for cell in (
        CellPlace("decoder.layers.1.cross_attn.scores", (0, 0, 0, 0)),
        CellPlace("decoder.layers.1.feed_forward.hidden", (0, 99, 0)),
        CellPlace("decoder.layers.9.feed_forward.hidden", (0, 0, 0)),
    ):
        state = ExplorerState(run="random", sentence=recorded.sentence, look=Look(trail=(cell,)))
        scene = scene_of(REGISTRY["feed-forward"], recorded, state, None)
        assert numbers_of(words, scene) == words.numbers(Scene(recorded, state))
