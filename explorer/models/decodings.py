"""What a model made of a sentence: translations, recordings and searches, each computed once for all visitors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from core.config import DTypeName
from core.data.tasks import Example
from core.errors import CaptureError, InputError
from core.run import Run
from explorer.models.beam_trees import BEAM_EXAMPLES, EXAMPLE_PENALTY, EXAMPLE_WIDTH, BeamTree, search
from explorer.models.recorded import Recorded, in_dtype, record_translation, translate_and_record
from explorer.models.shared_cache import SharedCache
from explorer.models.translation import Translation

_TRANSLATIONS: SharedCache[Translation] = SharedCache("translations", 64 * 2**20)
_RECORDINGS: SharedCache[Recorded] = SharedCache("recordings", 512 * 2**20)
_BEAMS: SharedCache[BeamTree] = SharedCache("beam trees", 16 * 2**20)


def translation_of(run: Run, text: str, prefix: tuple[int, ...] = ()) -> Translation:
    """The translation of a sentence after a forced prefix, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the prefix cannot be forced.
    """
    key = (run.fingerprint, text, prefix)

    def made() -> Translation:
        known = _RECORDINGS.held((run.fingerprint, text, ()))
        translation, recorded = translate_and_record(run, text, prefix, known)
        if recorded is not None:
            _RECORDINGS.get(key, lambda: recorded)
        return translation

    return _TRANSLATIONS.get(key, made)


def recorded_of(run: Run, text: str, prefix: tuple[int, ...] = ()) -> Recorded:
    """Everything that the model computed for a sentence and its output, recorded once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    translation = translation_of(run, text, prefix)
    return _RECORDINGS.get(
        (run.fingerprint, text, prefix), lambda: record_translation(run, text, translation)
    )


def recorded_in(recorded: Recorded, dtype: DTypeName) -> Recorded:
    """Return a recording in another dtype, made once for all visitors.

    Raises:
        InputError: when the recording is of a changed model.
    """
    return _RECORDINGS.get(("dtype", dtype, recorded.key), lambda: in_dtype(recorded, dtype))


def recorded_beside(run: Run, texts: Mapping[str, str], titles: Iterable[str]) -> list[tuple[str, Recorded]]:
    """Sentences beside a visitor's own, by their titles; without those that a change of the run does not fit.

    Raises:
        InputError: as `recorded_of`.
    """
    found = []
    for title in titles:
        # What is changed at the last word of a long sentence is not there in a short one.
        with suppress(CaptureError):
            found.append((title, recorded_of(run, texts[title])))
    return found


def beam_of(run: Run, text: str, width: int, length_penalty: float) -> BeamTree:
    """The tree of a beam search, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence.
    """
    key = (run.fingerprint, text, width, length_penalty)
    return _BEAMS.get(key, lambda: search(run, text, width=width, length_penalty=length_penalty))


def winning_example(run: Run) -> Example | None:
    """A source of the run's task for which beam search finds what greedy misses; None where this run has none.

    An example is found with the task's shipped model: another model of the task may write the same in both ways, and a
    changed one may have a change of a place that the example lacks.
    """
    example = BEAM_EXAMPLES.get(run.task)
    with suppress(CaptureError, InputError):
        if example and beam_of(run, example.source, EXAMPLE_WIDTH, EXAMPLE_PENALTY).beats_greedy:
            return example
    return None
