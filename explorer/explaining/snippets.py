"""Code that a reader can paste into Python in the project's folder, and that prints a number of the screen.

Every value in it is written by `repr`, so whatever somebody typed is one string constant and never code.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.activations.location import locate
from core.interventions.intervention import Intervention
from core.interventions.links import write_link
from explorer.explaining.code import ROOT
from explorer.explaining.scene import Scene, Shown
from explorer.trainings.run_folders import runs_folder

IDS = ("src", "tgt_in")


def cell_snippet(
    run_name: str,
    sentence: str,
    prefix: tuple[int, ...],
    site: str,
    index: tuple[int, ...],
    *,
    updates: int | None = None,
    changes: tuple[Intervention, ...] = (),
) -> str:
    """Python that prints one number of a run: of a recorded site, a parameter, the ids, or the whole hypothesis.

    Args:
        run_name: Folder of a run, shipped or own.
        sentence: As typed.
        prefix: Ids of the tokens that were forced.
        site: As for `core.explain`.
        index: Of the number, as for `core.explain`.
        updates: Moment of the training whose weights the run has; None for the best ones.
        changes: What is changed in it as it runs.
    """
    place = repr(tuple(map(int, index)))
    if locate(site).learned:
        imports, load = _loading(run_name, updates)
        return _joined(
            [*imports, "from core.model.parameters import find_parameter"],
            [load, f"print(find_parameter(run.model, {site!r})[{place}].item())"],
        )
    if site in IDS:
        shown = Shown("", (f"print(recorded.{site}[{int(index[-1])}].item())",))
    elif locate(site).kind == "hypothesis":
        shown = Shown("", (f"print(explain(run, recorded, {site!r}, {place}).recorded)",), ("explain",))
    else:
        shown = Shown("", (f"print(recorded.activations[{site!r}][{place}].item())",))
    return _whole(run_name, updates, changes, sentence, prefix, shown)


def update_snippet(
    run_name: str, update: int, checkpoint: int | None, site: str, index: tuple[int, ...]
) -> str:
    """Python that makes an update of a run again and prints one of its numbers.

    Args:
        run_name: Folder of a run, shipped or own.
        update: Counted from 0.
        checkpoint: Updates after which the checkpoint was made that it follows; None: from the seed.
        site: As for `core.explanation.update.explain_update`.
        index: Of the number.
    """
    order = f"Order({_folder(run_name)!r}, checkpoint={checkpoint}, update={update})"
    return _joined(
        [
            "from core.explanation.update import explain_update",
            "from core.training.replay import Order, replay",
        ],
        [f"update = replay({order}).update", f"print(explain_update(update, {site!r}, {index!r}).recorded)"],
    )


def worths_snippet(run_name: str, split: str, n_pairs: int, path: str, *, updates: int | None = None) -> str:
    """Python that prints the part of a run that is worth most, with what it is worth.

    Args:
        run_name: Folder of a run, shipped or own.
        split: Of its pairs.
        n_pairs: How many of them, from the first.
        path: Of the feed-forward network whose neurons are measured; empty for the heads.
        updates: Moment of the training whose weights the run has; None for the best ones.
    """
    imports, load = _loading(run_name, updates)
    ablations = f"neuron_ablations(run.model, {path!r})" if path else "head_ablations(run.model)"
    names = sorted(
        {"dataset_of", "worths", ablations.partition("(")[0]} | ({"load_run"} if not updates else set())
    )
    return _joined(
        ["from pathlib import Path", f"from core import {', '.join(names)}", *(imports if updates else ())],
        [
            load,
            f"pairs = dataset_of(Path({_folder(run_name)!r}), run).splits.{split}[:{n_pairs}]",
            f"print(max(worths(run, pairs, {ablations}), key=lambda each: each.loss.value))",
        ],
    )


def block_snippet(scene: Scene, shown: Shown) -> str:
    """Python that prints the number that the sentences of a block show."""
    state = scene.state
    return _whole(state.run, state.updates, state.changes, state.sentence, state.decoding.prefix, shown)


def _whole(
    run_name: str,
    updates: int | None,
    changes: tuple[Intervention, ...],
    sentence: str,
    prefix: Sequence[int],
    shown: Shown,
) -> str:
    names = set(shown.names)
    imports, load = _loading(run_name, updates)
    body: list[str] = []
    if any("src" in line for line in shown.lines) or shown.needs_trace:
        body.append(f"src = run.encode_source({sentence!r})")
    if shown.needs_trace:
        names |= {"DecodeConfig", "decode_steps", "last_step", "trace"}
        body += [
            # As explorer.models.translation.translate decodes.
            "config = DecodeConfig(max_length=run.output_limit)",
            f"last = last_step(decode_steps(run.model, src[None], config, prefix={list(map(int, prefix))!r}))",
            "recorded = trace(run.model, src, last.hypotheses[0])",
        ]
    if updates is None:
        imports, names = [], names | {"load_run"}
    lines = [*body, *shown.lines]
    if changes:
        names.add("read_link")
        load = f"{load}.intervene(*read_link({write_link(changes)!r}))"
        lines = ["with run.changing():", *(f"    {line}" for line in lines)]
    named = [f"from core import {', '.join(sorted(names))}"] if names else []
    return _joined([*named, *imports], [load, *lines])


def _loading(run_name: str, updates: int | None) -> tuple[list[str], str]:
    """The imports and the line that load a run."""
    folder = _folder(run_name)
    if updates is None:
        return ["from core import load_run"], f"run = load_run({folder!r})"
    imports = ["from core.training.history import load_run_at"]
    return imports, f"run = load_run_at({folder!r}, {updates})"


def _folder(run_name: str) -> str:
    """Where a run lies, as whoever stands in the project's folder names it."""
    own = runs_folder() / run_name
    is_shipped = (ROOT / "checkpoints" / run_name).is_dir() or not own.is_dir()
    place = ROOT / "checkpoints" / run_name if is_shipped else own
    return (place.relative_to(ROOT) if place.is_relative_to(ROOT) else place).as_posix()


def _joined(imports: Sequence[str], body: Sequence[str]) -> str:
    return "\n".join([*imports, "", *body]) + "\n"
