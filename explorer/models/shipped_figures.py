"""Figures of shipped models, made together with the models, so that no server computes them for its first visitors.

`python -m checkpoints.make --only-figures` writes them. Each file names the fingerprint of the model that it was made
from, and says nothing about any other.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.data.vocabulary import EOS
from core.errors import RunError
from core.evaluation.held_out import HeldOut
from core.evaluation.pair_result import PairResult
from core.files import prepare_folder, read_bounded, write_whole
from core.run import Run

FOLDER = "figures"
MAX_BYTES = 16 * 2**20
_PARTS = 10_000
"""Losses are stored as whole ten thousandths of a nat, which compress to a quarter of their decimals."""


def write_figures(folder: Path, key: str, fingerprint: str, figures: Mapping[str, Any]) -> None:
    """Store some figures of a model.

    Args:
        folder: Folder of the model.
        key: Name of the figures among those of the model.
        fingerprint: Fingerprint of the model.
        figures: Plain JSON values.

    Raises:
        RunError: when the file cannot be written.
    """
    stored = json.dumps({"fingerprint": fingerprint, **figures}, ensure_ascii=False, separators=(",", ":"))
    path = _path(folder, key)
    prepare_folder(path.parent)
    # Without a date, so that the same figures are the same file.
    write_whole(path, gzip.compress(stored.encode(), mtime=0))


def read_figures(folder: Path, key: str, fingerprint: str) -> dict[str, Any] | None:
    """Return some figures of a model; None if there are none, they are another model's, or they cannot be read."""
    if not (path := _path(folder, key)).is_file():
        return None
    try:
        with gzip.open(io.BytesIO(read_bounded(path, MAX_BYTES))) as file:
            stored = json.loads(file.read(MAX_BYTES))
    except (RunError, OSError, EOFError, ValueError, RecursionError, zlib.error):
        return None
    return stored if isinstance(stored, dict) and stored.get("fingerprint") == fingerprint else None


def _path(folder: Path, key: str) -> Path:
    return folder / FOLDER / f"{key}.json.gz"


def write_held_out(folder: Path, found: HeldOut) -> None:
    """Store the results of a split with a shipped model.

    Raises:
        RunError: when the file cannot be written.
    """
    results = [
        [
            each.source,
            each.reference,
            each.others,
            None if each.output == each.reference else each.output,
            None if each.output_tokens == each.reference_tokens else each.output_tokens,
            None if each.teacher_forced_tokens == each.reference_tokens else each.teacher_forced_tokens,
            in_parts(each.losses),
            in_parts(each.log_probs),
        ]
        for each in found.results
    ]
    figures = {"n_available": found.n_available, "chrf": found.chrf, "bleu": found.bleu, "results": results}
    write_figures(folder, _of_split(found.split), found.fingerprint, figures)


def read_held_out(folder: Path, run: Run, split: str) -> HeldOut | None:
    """Return the results of a split of a shipped model; None where its figures are missing or another model's."""
    figures = read_figures(folder, _of_split(split), run.fingerprint)
    if figures is None:
        return None
    try:
        results = tuple(
            _result(run, split, number, *values) for number, values in enumerate(figures["results"])
        )
        return HeldOut(
            run.fingerprint, split, figures["n_available"], results, figures["chrf"], figures["bleu"]
        )
    except (KeyError, TypeError, ValueError):
        return None


def in_parts(losses: Sequence[float]) -> list[int]:
    """Return losses as whole parts of a nat."""
    return [round(loss * _PARTS) for loss in losses]


def from_parts(parts: Sequence[int]) -> tuple[float, ...]:
    """Return losses in nats."""
    return tuple(part / _PARTS for part in parts)


def _of_split(split: str) -> str:
    return f"held-out-{split}"


def _result(
    run: Run,
    split: str,
    number: int,
    source: str,
    reference: str,
    others: Sequence[str],
    output: str | None,
    output_tokens: Sequence[str] | None,
    teacher_forced: Sequence[str] | None,
    losses: Sequence[int],
    log_probs: Sequence[int],
) -> PairResult:
    tokenizer = run.tgt_tokenizer
    expected = (*tokenizer.tokenize(reference), EOS)
    return PairResult(
        number=number,
        split=split,
        source=source,
        reference=reference,
        output=reference if output is None else output,
        source_tokens=tuple(run.src_tokenizer.tokenize(source)),
        reference_tokens=expected,
        output_tokens=expected if output_tokens is None else tuple(output_tokens),
        teacher_forced_tokens=expected if teacher_forced is None else tuple(teacher_forced),
        losses=from_parts(losses),
        log_probs=from_parts(log_probs),
        others=tuple(others),
        other_tokens=tuple((*tokenizer.tokenize(other), EOS) for other in others),
    )
