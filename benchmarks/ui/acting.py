"""A scripted visitor that acts at random and checks that each answer shows its own sentence, token and head."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.ui.visitor import Answer, Visitor
from core.data.tasks import get_task
from core.run_description import read_description
from explorer.models.known import CHECKPOINTS
from explorer.view import STOP

RUN = "en-fr"
DEBUGGER, HEADS, HOME = "Step by step", "Self-attention", "Watch it run"
PAGES = ("Self-attention", "Masked self-attention", "Cross-attention", HOME, "Add & norm", "Output")
"""Titles of the pages that a class uses: their views are fed from one recording."""
EVERY_PAGE = (
    *PAGES, "Tokens and embeddings", "Positions", "Masks", "Feed-forward", "Sampling lab", "Beam search", "Train",
    "Runs", "Tensor inspector",
)  # fmt: skip
"""Titles of all pages that need nothing but a sentence."""
FIRST_WORD = 3
"""Id of the first token after the special tokens."""


class Actor:
    """A visitor that takes one random action after another.

    Attributes:
        mistakes: Descriptions of answers that did not match this visitor's action; empty if the server is correct.

    Args:
        visitor: Session to act in.
        seed: Seed of the random choices; actors with different seeds type different sentences.
        pages: Titles of the pages to visit.
    """

    def __init__(self, visitor: Visitor, seed: int, pages: Sequence[str] = PAGES) -> None:
        self.visitor = visitor
        self.mistakes: list[str] = []
        self._random, self._pages, self._task = random.Random(seed), pages, get_task("en_fr")
        self._tokenizer = read_description(CHECKPOINTS / RUN).src_tokenizer
        self._sentence = ""
        self._page = HOME

    def begin(self) -> Answer:
        """Open the home page and type the first sentence."""
        self.visitor.open()
        return self._type()

    def act(self) -> tuple[str, Answer]:
        """Take a random action; return its name and the server's answer."""
        actions: dict[str, Callable[[], Answer]] = {
            "sentence": self._type,
            "token": self._force if self._page == DEBUGGER else lambda: self._go(DEBUGGER),
            "head": self._choose_head if self._page == HEADS else lambda: self._go(HEADS),
            "page": lambda: self._go(self._random.choice(self._pages)),
        }
        name = self._random.choice(list(actions))
        # An action that first had to change the page counts as a page change.
        moved = (name == "token" and self._page != DEBUGGER) or (name == "head" and self._page != HEADS)
        answer = actions[name]()
        self._check_sentence()
        return "page" if moved else name, answer

    def _type(self) -> Answer:
        if self._page not in (HOME, DEBUGGER):
            self._go(self._random.choice((HOME, DEBUGGER)))
        self._sentence = self._task.sample(self._random).source
        return self.visitor.submit(self._sentence)

    def _go(self, title: str) -> Answer:
        self._page = title
        return self.visitor.follow(title)

    def _force(self) -> Answer:
        data = self.visitor.read_component("step_by_step")
        step = self._random.randrange(len(data["output_ids"]) - 1)
        token = self._random.randrange(FIRST_WORD, data["vocabulary_size"])
        answer = self.visitor.report(
            "step_by_step", "action", trace=data["key"], kind="force", step=step, token_id=token
        )
        expected = [*data["output_ids"][:step], token]
        found = self.visitor.read_component("step_by_step")["output_ids"][: step + 1]
        if found != expected:
            self.mistakes.append(f"forced {expected}, got {found}")
        return answer

    def _choose_head(self) -> Answer:
        data = self.visitor.read_component(STOP)
        choices = {
            chooser["axis"]: self._random.randrange(len(chooser["options"])) for chooser in data["choosers"]
        }
        stage = self._random.choice(data["stages"])["key"]
        answer = self.visitor.report(STOP, "view", key=data["key"], stage=stage, choices=choices)
        if f"head={choices['head']}" not in self.visitor.query and choices["head"]:
            self.mistakes.append(f"head {choices['head']} is not in {self.visitor.query}")
        return answer

    def _check_sentence(self) -> None:
        expected = [*self._tokenizer.tokenize(self._sentence), "</s>"]
        for found in self._shown_sources():
            if found != expected:
                self.mistakes.append(f"typed {expected}, got {found}")

    def _shown_sources(self) -> list[list[str]]:
        """Return every list of source tokens that the page's view contains."""
        found: list[list[str]] = []
        for key in ("living_map", "step_by_step", STOP):
            try:
                data = self.visitor.read_component(key)
            except LookupError:
                continue
            found += [data[name] for name in ("source_tokens", "source") if name in data]
            found += [axis["labels"] for axis in _source_axes(data)]
        return found


def _source_axes(data: dict[str, Any]) -> list[dict[str, Any]]:
    tensors = data.get("tensors", {}).values()
    return [axis for tensor in tensors for axis in tensor["axes"] if axis["side"] == "source"]
