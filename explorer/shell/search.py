"""The search of the navigation bar: what a text finds in the app, and where each hit leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlencode

from core.run import Run
from explorer.browser.message import pack_json
from explorer.browser.stop import RailBlock
from explorer.glossary.terms import OPENS_ON, glossary
from explorer.lessons.library import lesson_library
from explorer.models.task_facts import examples_of
from explorer.shell.blocks import AtPage, block_page, inspector_page, rail_of
from explorer.shell.lesson_way import stop_state
from explorer.tensors import Side
from explorer.view import HOME, Registry, View
from explorer.visitor.links import query_of
from explorer.visitor.scope import Runs
from explorer.visitor.state import ExplorerState, choose_sentence

LONGEST_TEXT = 100
"""Characters of a text that are sought."""
MOST_HITS, MOST_UNSOUGHT = 4, 2
"""Hits of a group, and those that are shown before anything is typed."""
GLOSSARY = "glossary"

_STACKS: Mapping[Side, str] = {"source": "encoder", "target": "decoder"}
Destination = tuple[View, ExplorerState]


@dataclass(frozen=True)
class Entry:
    """Something that can be found.

    Attributes:
        title: What it is called.
        note: What is said beside it.
        words: What else finds it: each of them alone is shown as another name.
        open: Returns the view that shows it, with its state.
    """

    title: str
    note: str
    words: tuple[str, ...]
    open: Callable[[], Destination]

    def rank(self, sought: Sequence[str]) -> int | None:
        """Return how well it fits, 0 for best; None if a sought word is missing."""
        texts = [text.casefold() for text in (self.title, *self.words, self.note)]
        for rank, found in enumerate((texts[:1], texts[:-1], [" ".join(texts)])):
            if any(all(word in text for word in sought) for text in found):
                first = any(text.startswith(sought[0]) for text in found)
                return 2 * rank + (not first)
        return None

    def other_name(self, sought: Sequence[str]) -> str:
        """Return the other name by which it was found; empty if its title has the words itself."""
        if all(word in self.title.casefold() for word in sought):
            return ""
        return next((each for each in self.words if all(word in each.casefold() for word in sought)), "")


def found(
    text: str, run: Run, state: ExplorerState, runs: Runs, views: Registry, *, here: View, at: AtPage
) -> bytes:
    """Return the message with the hits for a text, by group.

    Args:
        text: What is sought; empty for a few examples of each group.
        run: The model whose blocks, examples and values can be found.
        state: The visitor's choices.
        runs: All models.
        views: All views.
        here: The view that is open, which examples keep open if it reads a sentence.
        at: Returns the state for a link to a page.
    """
    sought = text.casefold().split()

    def hits(entries: Sequence[Entry]) -> Iterator[list[str]]:
        for each in _best(entries, sought) if sought else entries[:MOST_UNSOUGHT]:
            view, there = each.open()
            other = each.other_name(sought)
            note = f"also: {other}" if other else each.note
            yield [each.title, note, view.address, urlencode(query_of(there, runs))]

    groups = {
        name: list(hits(entries)) if sought or name != "Pages" else []
        for name, entries in _entries(run, state, runs, views, here, at).items()
    }
    return pack_json([[name, each] for name, each in groups.items() if each])


def _best(entries: Sequence[Entry], sought: Sequence[str]) -> list[Entry]:
    ranks = ((each.rank(sought), place) for place, each in enumerate(entries))
    best = sorted((rank, place) for rank, place in ranks if rank is not None)
    return [entries[place] for _, place in best[:MOST_HITS]]


def _entries(
    run: Run, state: ExplorerState, runs: Runs, views: Registry, here: View, at: AtPage
) -> dict[str, list[Entry]]:
    def page(view: View) -> Destination:
        return view, at(state, view.address)

    def term(key: str) -> Destination:
        return views[GLOSSARY], replace(at(state, views[GLOSSARY].address), term=key)

    def block(path: str) -> Destination:
        return block_page(path, state, views, at)

    def lesson(key: str) -> Destination:
        chosen = lessons[key]
        reached = dict(state.learning.reached).get(key, 1)
        number = reached if reached < len(chosen.stops) else 1
        return views[chosen.stop(number).page], stop_state(state, chosen, number, runs)

    def example(source: str) -> Destination:
        view = here if here.reads_sentence else views[HOME]
        return view, choose_sentence(at(state, view.address), source, typed=False)

    def value(name: str) -> Destination:
        return inspector_page(name, state, views, at)

    lessons = lesson_library(views).lessons
    terms = sorted(glossary().values(), key=lambda each: each.key != OPENS_ON)
    return {
        "Pages": [Entry(each.title, each.line, (), partial(page, each)) for each in views.values()],
        "Terms": [Entry(each.name, each.text, each.forms, partial(term, each.key)) for each in terms],
        "Blocks": [Entry(each.title, _stands_in(each), (), partial(block, each.id)) for each in rail_of(run)],
        "Lessons": [
            Entry(each.title, each.summary, each.covers, partial(lesson, key))
            for key, each in lessons.items()
        ],
        "Examples": [
            Entry(each.source, each.title, (each.why,), partial(example, each.source))
            for each in examples_of(run.task)
        ],
        "Values": [
            Entry(each.name, each.meaning, (), partial(value, each.name)) for each in run.model.sites()
        ],
    }


def _stands_in(block: RailBlock) -> str:
    return _STACKS[block.side] + ("" if block.layer is None else f", layer {block.layer}")
