"""Questions about what was studied of a model: what it would say midway, what a step costs, what was measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from core.analysis.cache_cost import (
    cache_bytes,
    encoder_multiply_adds,
    encoder_parts,
    even_length,
    multiply_adds,
)
from core.analysis.logit_lens import deciding_points, logit_lens
from core.experiments import EXPERIMENTS
from core.experiments.arms import describe_arm
from core.experiments.measured import read_measured
from core.interventions.patching import patched_sites
from core.numbers import is_whole
from explorer.lessons.asked import Asked
from explorer.lessons.findings import FactError, Finding, counted, found_at, words
from explorer.lessons.places import one_place_on
from explorer.lessons.run_facts import setting_of
from explorer.models.patching_maps import map_of


def _lens(asked: Asked) -> Finding:
    run, trace = asked.recorded.run, asked.recorded.trace
    points = logit_lens(run.model, trace.activations)
    steps = asked.recorded.tensor("generator.log_probs").axes[0]
    step, what, point = (
        one_place_on(steps, asked.options["step"]),
        asked.options["what"],
        asked.options.get("point", 0),
    )
    if not is_whole(point, 0, len(points) - 1):
        raise FactError(
            f"'point' is a whole number from 0 to {len(points) - 1}, one for each point of the stream."
        )
    if what == "token":
        return words(run.tgt_tokenizer.vocabulary.token(points[point].top(step, 1)[0].token_id), "target")
    if what == "probability":
        written = int(trace.tgt_out[step])
        return asked.number(math.exp(float(points[point].log_probs[step, written])), "probability")
    if what == "decided":
        decided = deciding_points(points, trace.tgt_out)[step]
        if decided is None:
            raise FactError("the token that was written is not the most probable one at the end.")
        return counted(decided)
    raise FactError("'what' is 'token', 'probability' or 'decided'.")


def _carried(asked: Asked) -> Finding:
    """What one borrowed vector brings along of the difference to a second sentence's answer."""
    options, recorded, site = asked.options, asked.recorded, str(asked.options["site"])
    outputs = recorded.tensor("generator.log_probs").axes[0]
    step = one_place_on(outputs, options["step"])
    rows = [each.name for each in patched_sites(recorded.run.model.sites())]
    if site not in rows:
        raise FactError(f"the patching map has no row {site!r}; it has {', '.join(rows)}.")
    found = map_of(recorded.run, asked.state.sentence, str(options["second"]), step)
    # Of all axes of a site one has the tokens.
    axis = next(axis for axis in recorded.tensor(site).axes if axis.labels)
    if "place" in options:
        return asked.number(found.share(site, one_place_on(axis, options["place"])), "ratio")
    shares = found.shares[found.sites.index(site)].nan_to_num(-math.inf)
    return found_at((axis,), (int(shares.argmax()),))


def _arm(asked: Asked) -> Finding:
    experiment = EXPERIMENTS.get(str(asked.options["experiment"]))
    if experiment is None:
        raise FactError(f"there is no such experiment; there are {', '.join(EXPERIMENTS)}.")
    arm = next((each for each in experiment.arms if each.key == asked.options["arm"]), None)
    if arm is None:
        keys = ", ".join(each.key for each in experiment.arms)
        raise FactError(f"the experiment {experiment.key} has no such arm; it has {keys}.")
    return setting_of(describe_arm(experiment, arm, seed=0).config, asked)


def _measured(asked: Asked) -> Finding:
    measured, options = read_measured(), asked.options
    arms = measured.get(str(options["experiment"]), {})
    arm = arms.get(str(options["arm"]))
    figures = arm.figures.get(str(options["figure"])) if arm else None
    if figures is None:
        raise FactError(f"nothing of that name was measured; experiments are {', '.join(measured)}.")
    pick = {"least": min, "most": max}.get(str(options["pick"]))
    if pick is None:
        raise FactError("'pick' is 'least' or 'most' of the seeds.")
    is_ratio = any(word in str(options["figure"]) for word in ("loss", "gradient"))
    return asked.number(pick(figures), "ratio" if is_ratio else "probability")


def _measured_on(asked: Asked) -> Finding:
    arms = read_measured().get(str(asked.options["experiment"]))
    if arms is None:
        raise FactError(f"there is no such experiment; there are {', '.join(read_measured())}.")
    return words(" and ".join(sorted({arm.machine for arm in arms.values()})))


def _cost(asked: Asked) -> Finding:
    config, source, step = asked.recorded.run.config, len(asked.recorded.source), asked.options.get("step", 0)
    if not is_whole(step, 0):
        raise FactError("'step' is a whole number from 0 on.")
    linear, attention = encoder_parts(config, source)
    answers = {
        "encoder": lambda: encoder_multiply_adds(config, source),
        "linear": lambda: linear,
        "attention": lambda: attention,
        "even": lambda: even_length(config),
        "cache": lambda: cache_bytes(config, source, step),
        "with": lambda: multiply_adds(config, source, step, use_cache=True).total,
        "without": lambda: multiply_adds(config, source, step, use_cache=False).total,
    }
    what = asked.options["of"]
    if what not in answers:
        raise FactError(
            "'of' is 'encoder', its 'linear' maps or its 'attention', at how many tokens these are 'even', 'cache' "
            "(in bytes), or a step 'with' or 'without' the cache."
        )
    return counted(answers[what]())


STUDY_ASKS: Mapping[str, Callable[[Asked], Finding]] = {
    "lens": _lens,
    "carried": _carried,
    "arm": _arm,
    "measured": _measured,
    "measured_on": _measured_on,
    "cost": _cost,
}
"""The functions that answer, by what is asked."""
