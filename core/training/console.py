"""A training on the console: a bar where a terminal shows it, and a line now and then where a file does."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from core.command_line import part, percent
from core.training.records import TrainStep, Validation

if TYPE_CHECKING:
    from core.run_description import RunDescription
    from core.training.session import Event

BETWEEN_LINES = 30.0
"""Seconds between two lines about the updates where there is no terminal."""


def shown(events: Iterable[Event], description: RunDescription, *, quiet: bool = False) -> Iterator[Event]:
    """Pass the events on, with a line for each validation on stderr, and how far the updates are unless `quiet`."""
    steps = description.train_config.steps
    if quiet:
        return _lines(events, steps, float("inf"))
    return _bar(events, steps) if sys.stderr.isatty() else _lines(events, steps, BETWEEN_LINES)


def _bar(events: Iterable[Event], steps: int) -> Iterator[Event]:
    from tqdm import tqdm

    with tqdm(total=steps, unit="step", dynamic_ncols=True) as bar:
        for event in events:
            if isinstance(event, TrainStep):
                # A resumed training begins where it was.
                bar.update(event.index + 1 - bar.n)
                bar.set_postfix(
                    loss=f"{event.loss:.3f}",
                    lr=f"{event.learning_rate:.1e}",
                    tokens_per_s=f"{event.tokens_per_second:.0f}",
                    refresh=False,
                )
            else:
                bar.write(validation_line(event), file=sys.stderr)
            yield event


def _lines(events: Iterable[Event], steps: int, between: float) -> Iterator[Event]:
    said = time.monotonic()
    for event in events:
        if isinstance(event, Validation):
            print(validation_line(event), file=sys.stderr, flush=True)
            said = time.monotonic()
        elif time.monotonic() - said >= between:
            said = time.monotonic()
            print(
                f"{event.index + 1:,} of {steps:,} updates, loss {event.loss:.3f}, "
                f"{event.tokens_per_second:,.0f} tokens per second",
                file=sys.stderr,
                flush=True,
            )
        yield event


def validation_line(validation: Validation) -> str:
    """What a validation has shown, on one line."""
    figures = validation.figures
    text = f", chrF {figures.chrf:.1f}" if figures.chrf is not None else ""
    exact = f"{part(figures.exact_match, figures.n_pairs)} exact"
    if figures.string_match is not None and figures.string_match != figures.exact_match:
        # The honest figure leads: a tokenizer that loses capitals can be right by token alone.
        exact = f"{part(figures.string_match, figures.n_pairs)} exact as written ({exact} by token)"
    return (
        f"after {validation.updates:,} updates: {exact}, "
        f"{percent(figures.token_accuracy)} of the tokens{text}, loss {figures.loss:.3f}"
    )
