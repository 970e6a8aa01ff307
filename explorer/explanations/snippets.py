"""Code that a reader can paste into Python in the project's folder, and that prints a number of the screen.

Every value in it is written by `repr`, so whatever somebody typed is one string constant and never code.
"""

from __future__ import annotations

from collections.abc import Sequence

from explorer.explanations.scene import Scene, Shown
from explorer.translation import MAX_OUTPUT_TOKENS

LEARNED = frozenset({"weight", "bias", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v"})
"""Last parts of the names of parameters; no recorded site ends in one of them."""
IDS = ("src", "tgt_in")


def cell_snippet(
    run_name: str, sentence: str, prefix: tuple[int, ...], site: str, index: tuple[int, ...]
) -> str:
    """Python that prints one number of a run: of a recorded site, a parameter, the ids, or the whole hypothesis.

    Args:
        run_name: Folder of a shipped run.
        sentence: As typed.
        prefix: Ids of the tokens that were forced.
        site: As for `core.explain`.
        index: Of the number, as for `core.explain`.
    """
    place = repr(tuple(map(int, index)))
    if site.rpartition(".")[2] in LEARNED:
        return _joined(
            ["from core import load_run", "from core.explanation.parameters import find_parameter"],
            [_load(run_name), f"print(find_parameter(run.model, {site!r})[{place}].item())"],
        )
    if site in IDS:
        lines = (f"print(recorded.{site}[{int(index[-1])}].item())",)
        return _whole(run_name, sentence, prefix, Shown("", lines))
    if site.startswith("hypothesis."):
        lines = (f"print(explain(run, recorded, {site!r}, {place}).recorded)",)
        return _whole(run_name, sentence, prefix, Shown("", lines, ("explain",)))
    return _whole(
        run_name, sentence, prefix, Shown("", (f"print(recorded.activations[{site!r}][{place}].item())",))
    )


def block_snippet(scene: Scene, shown: Shown) -> str:
    """Python that prints the number that the sentences of a block show."""
    return _whole(scene.state.run, scene.state.sentence, scene.state.prefix, shown)


def _whole(run_name: str, sentence: str, prefix: Sequence[int], shown: Shown) -> str:
    names = {"load_run", *shown.names}
    body = [_load(run_name)]
    if any("src" in line for line in shown.lines) or shown.needs_trace:
        body.append(f"src = run.encode_source({sentence!r})")
    if shown.needs_trace:
        names |= {"DecodeConfig", "decode_steps", "last_step", "trace"}
        body += [
            # As explorer.translation.translate decodes.
            f"config = DecodeConfig(max_length={MAX_OUTPUT_TOKENS})",
            f"last = last_step(decode_steps(run.model, src[None], config, prefix={list(map(int, prefix))!r}))",
            "recorded = trace(run.model, src, last.hypotheses[0])",
        ]
    return _joined([f"from core import {', '.join(sorted(names))}"], [*body, *shown.lines])


def _load(run_name: str) -> str:
    return f"run = load_run({f'checkpoints/{run_name}'!r})"


def _joined(imports: Sequence[str], body: Sequence[str]) -> str:
    return "\n".join([*imports, "", *body]) + "\n"
