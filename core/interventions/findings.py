"""What interventions find in a shipped model: the file that `python -m core.interventions.findings` writes.

One pair of sentences that differ in number: which word carries the number of the verb, where the decoder picks it up,
what the model writes when parts are changed or missing, and how far that is from what its attention shows.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import RunError
from core.files import read_bounded, write_whole
from core.interventions.intervention import Intervention, Patch, ZeroAblation
from core.interventions.links import write_link

if TYPE_CHECKING:
    from core.activations.trace import Trace
    from core.interventions.patching import PatchingMap
    from core.run import Run

FINDINGS_FILE = Path(__file__).with_name("findings.json")
SHIPPED_RUN = Path("checkpoints/en-fr")
SENTENCE, DONOR, VERB = "the small cat does not sleep", "the small cats do not sleep", "dort"
SINGLE_WORDS = ("the small cats does not sleep", "the small cat do not sleep")
"""The sentence with one of the donor's words."""
DIGITS = 6
_MOST_BYTES = 2**20


def findings(run: Run) -> dict[str, Any]:
    """Measure everything, as plain JSON values with DIGITS decimals."""
    # Reading what was found needs no torch.
    from core.interventions.patching import patching_map

    seen = run.trace(SENTENCE)
    step = seen.target_tokens.index(VERB)
    found = patching_map(run, SENTENCE, DONOR, step)
    column = [site for site in found.sites if _at_the_step(run, site)]
    rises = [found.share(site, step) for site in column]
    gains = [after - before for before, after in zip([0.0, *rises], rises, strict=False)]
    embedding = found.shares[0].tolist()
    return {
        "fingerprint": run.fingerprint,
        "sentence": SENTENCE,
        "donor": DONOR,
        "answers": [run.translate(SENTENCE), run.translate(DONOR)],
        "tokens": [found.own, found.donor],
        "differences": _rounded(found.differences),
        "carrier": found.source_tokens[embedding.index(max(embedding))],
        "picked_up_by": column[gains.index(max(gains))],
        "shares": _shares(found),
        "writes": {write_link(changes): _written(run, changes) for changes in _changes(run, found, seen)},
        "direct": _direct(run, seen, step),
        "alignment_error_rates": _error_rates(run, seen),
    }


def read_findings(path: Path = FINDINGS_FILE) -> dict[str, Any]:
    """What was found.

    Raises:
        RunError: when the file cannot be read.
    """
    try:
        stored = json.loads(read_bounded(path, _MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path.name} cannot be used; run python -m core.interventions.findings") from error
    return dict(stored)


def _at_the_step(run: Run, name: str) -> bool:
    """Whether a row of the map is the decoder's stream, in which the deciding column can be followed."""
    (site,) = (site for site in run.model.sites() if site.name == name)
    return site.rows_side == "target"


def _shares(found: PatchingMap) -> dict[str, list[float]]:
    return {site: _rounded(row.tolist()) for site, row in zip(found.sites, found.shares, strict=True)}


def _changes(run: Run, found: PatchingMap, seen: Trace) -> Iterable[list[Intervention]]:
    """One word borrowed at a time; then each cross-attention off, whole and head by head."""
    embedding = found.sites[0]
    for sentence in SINGLE_WORDS:
        words = zip(SENTENCE.split(), sentence.split(), strict=True)
        places = tuple(place for place, (own, other) in enumerate(words) if own != other)
        yield [Patch(embedding, sentence, positions=places)]
    for layer in range(run.config.n_decoder_layers):
        path = f"decoder.layers.{layer}.cross_attn"
        yield [ZeroAblation(f"{path}.output")]
        for head in range(run.config.n_heads):
            yield [ZeroAblation(f"{path}.context", head=head)]


def _written(run: Run, changes: Sequence[Intervention]) -> str:
    return run.intervene(*changes).translate(SENTENCE)


def _direct(run: Run, seen: Trace, step: int) -> dict[str, Any]:
    """The verb's logit by sub-layer, and of the last cross-attention what is read beside what is used."""
    from core.analysis.attribution import attribute_logit

    found = attribute_logit(run.model, seen, step)
    by_path: dict[str, float] = {}
    for part, value in zip(found.parts, found.contributions.tolist(), strict=True):
        name = part.path if part.kind != "bias" else "biases"
        by_path[name] = by_path.get(name, 0.0) + value
    last = f"decoder.layers.{run.config.n_decoder_layers - 1}.cross_attn"
    of_heads = [
        by_key
        for part, by_key in zip(found.parts, found.by_key, strict=True)
        if part.path == last and by_key is not None
    ]
    weights = seen.activations[f"{last}.weights"][0, :, step].double().mean(dim=0)
    return {
        "logit": round(found.value, DIGITS),
        "parts": {name: round(value, DIGITS) for name, value in by_path.items()},
        "source_tokens": list(seen.source_tokens),
        "read": _rounded(weights.tolist()),
        "used": _rounded(sum(of_heads[1:], of_heads[0]).tolist()),
    }


def _error_rates(run: Run, seen: Trace) -> dict[str, float | None]:
    """How far attention, and what is used of it, are from the known alignment."""
    from core.analysis.attention_statistics import gold_mask
    from core.analysis.attribution import alignment_errors
    from core.data.tasks import get_task

    pair = get_task(run.task).reference(SENTENCE)
    if pair is None:
        return {}
    gold = gold_mask(pair.alignment, len(seen.tgt_out), len(seen.src))
    found = alignment_errors(run.model, seen, gold)
    rates = {"attention": found.read, "direct attribution": found.used}
    return {name: None if rate is None else round(rate, DIGITS) for name, rate in rates.items()}


def _rounded(values: Iterable[float]) -> list[float]:
    # Plus 0, so that no -0 is written.
    return [round(value, DIGITS) + 0.0 for value in values]


def write_findings(run: Run) -> None:
    """Measure, and write the file that is shipped.

    Raises:
        RunError: when that cannot be written.
    """
    write_whole(FINDINGS_FILE, (json.dumps(findings(run), ensure_ascii=False, indent=1) + "\n").encode())


def main() -> None:
    """Entry of the command."""
    from core.run import load_run

    parser = argparse.ArgumentParser(
        prog="python -m core.interventions.findings",
        description="Measure interventions on the shipped English-French model and store the findings.",
    )
    parser.parse_args()
    write_findings(load_run(SHIPPED_RUN))
    found = read_findings()
    print(
        f"the number of the verb is carried by {found['carrier']!r} and picked up by {found['picked_up_by']}"
    )


if __name__ == "__main__":
    main()
