"""Count the messages of an action, and the server's processor time beyond the model's own work."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.ui.acting import DEBUGGER, FIRST_WORD, RUN
from benchmarks.ui.memory import read_processor_seconds
from benchmarks.ui.visitor import Answer, Visitor
from core.run import load_run
from explorer.models.known import CHECKPOINTS

SENTENCE = "the small cat does not sleep"
STOPS = ("Self-attention", "Cross-attention", "Feed-forward", "Output")


@dataclass(frozen=True)
class ActionCost:
    """Cost of one kind of action on the server.

    Attributes:
        messages: Median number of messages of an answer.
        milliseconds: Mean processor time of an answer, in milliseconds.
    """

    messages: float
    milliseconds: float


def measure_actions(url: str, port: int, times: int = 60) -> dict[str, ActionCost]:
    """Measure a forced token and a change of stop, one visitor alone."""
    random = Random(0)
    with Visitor(url) as visitor:

        def force() -> Answer:
            data = visitor.read_component("step_by_step")
            step = random.randrange(len(data["output_ids"]) - 1)
            token = random.randrange(FIRST_WORD, data["vocabulary_size"])
            return visitor.report(
                "step_by_step", "action", trace=data["key"], kind="force", step=step, token_id=token
            )

        def change_stop(place: int) -> Answer:
            return visitor.follow(STOPS[place % len(STOPS)])

        visitor.open()
        visitor.submit(SENTENCE)
        visitor.follow(DEBUGGER)
        forced = _measure(port, lambda _: force(), times)
        stops = _measure(port, change_stop, times)
    return {"forced token": forced, "change of stop": stops}


def measure_model_milliseconds(times: int = 60) -> float:
    """Return the processor time in which the model is run and recorded for a new forced token, in milliseconds."""
    run = load_run(CHECKPOINTS / RUN)
    random = Random(0)
    vocabulary_size = len(run.tgt_tokenizer.vocabulary)

    def record(_: int) -> None:
        run.trace(SENTENCE, prefix=[random.randrange(FIRST_WORD, vocabulary_size)])

    record(0)
    begun = time.process_time()
    for place in range(times):
        record(place)
    return 1000 * (time.process_time() - begun) / times


def _measure(port: int, act: Callable[[int], Answer], times: int) -> ActionCost:
    for place in range(len(STOPS)):
        act(place)  # The first of each kind fills caches.
    begun = read_processor_seconds(port)
    answers = [act(place) for place in range(times)]
    seconds = read_processor_seconds(port) - begun
    messages = statistics.median(answer.n_messages for answer in answers)
    return ActionCost(messages, 1000 * seconds / times)
