"""Visitors of the first page who each force another token of a sentence of their own: how soon they are answered."""

import statistics
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import urlencode

from benchmarks.ui.acting import FIRST_WORD
from benchmarks.ui.memory import read_processor_seconds
from benchmarks.ui.route import PATHS, Requester
from benchmarks.ui.visitor import parse_header
from core.data.tasks import get_task

MAP = PATHS["living_map"]


@dataclass
class Asked:
    """Answers to a crowd.

    Attributes:
        seconds: Time from each request to the last byte of its answer.
        mistakes: Descriptions of answers with another sentence or token than was asked for.
        processor: Processor time of the server for an answer, in milliseconds.
    """

    seconds: list[float] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    processor: float = 0.0

    @property
    def median(self) -> float:
        """Median time of an answer in milliseconds."""
        return 1000 * statistics.median(self.seconds)

    @property
    def p95(self) -> float:
        """95th percentile of the times in milliseconds."""
        return 1000 * statistics.quantiles(self.seconds, n=20)[-1]


class Asker:
    """A visitor that keeps one connection.

    Args:
        url: Address of the server.
        seed: Seed of the visitor's sentence and tokens.
    """

    def __init__(self, url: str, seed: int) -> None:
        self._random = Random(seed)
        self._requester = Requester(url, f"{seed:043d}")
        sentence = get_task("en_fr").sample(self._random).source
        self._address = urlencode({"sentence": sentence})
        self._shown = self._ask("", "", {})

    def force(self) -> tuple[float, str]:
        """Force a random token; return the seconds that it took, and what is wrong with the answer."""
        before = self._shown
        step = self._random.randrange(len(before["output_ids"]) - 1)
        token = self._random.randrange(FIRST_WORD, before["n_vocabulary"])
        report = {"kind": "force", "step": step, "token_id": token, "key": before["key"], "report": 1}
        begun = time.monotonic()
        self._shown = self._ask(MAP, "act", report)
        seconds = time.monotonic() - begun
        wanted, found = [*before["output_ids"][:step], token], self._shown["output_ids"][: step + 1]
        is_own = self._shown["source"] == before["source"] and found == wanted
        return seconds, "" if is_own else f"forced {wanted}, got {found}"

    def close(self) -> None:
        """Close the connection."""
        self._requester.close()

    def _ask(self, part: str, event: str, report: dict[str, Any]) -> dict[str, Any]:
        reply = self._requester.ask("", self._address, part, event, report)
        self._address = reply.address
        return parse_header(reply.messages[MAP])


def ask_as_crowd(url: str, port: int, *, visitors: int, seconds: float, pause: float) -> Asked:
    """Let visitors force tokens at random moments.

    Args:
        url: Address of the server.
        port: Port of the server, by which its process is found.
        visitors: How many there are.
        seconds: Duration in seconds.
        pause: Mean seconds between two actions of a visitor.

    Raises:
        RuntimeError: when a visitor gets no answer.
    """
    result, lock, failures = Asked(), threading.Lock(), []
    askers = [Asker(url, seed) for seed in range(visitors)]
    end = time.monotonic() + seconds

    def act(asker: Asker, moments: Random) -> None:
        due = time.monotonic() + moments.uniform(0, pause)
        try:
            with closing(asker):
                while due < end:
                    time.sleep(max(0.0, due - time.monotonic()))
                    taken, mistake = asker.force()
                    with lock:
                        result.seconds.append(taken)
                        result.mistakes += [mistake] if mistake else []
                    due += moments.uniform(0.5, 1.5) * pause
        except Exception as error:
            failures.append(f"{type(error).__name__}: {error}")

    begun = read_processor_seconds(port)
    threads: Sequence[threading.Thread] = [
        threading.Thread(target=act, args=(asker, Random(-seed - 1))) for seed, asker in enumerate(askers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise RuntimeError(f"{len(failures)} visitors got no answer; the first failed with {failures[0]}")
    result.processor = 1000 * (read_processor_seconds(port) - begun) / len(result.seconds)
    return result
