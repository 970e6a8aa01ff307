"""How a training stands, in words."""

from core.evaluation.exactness import describe_right
from core.evaluation.figures import leading_exact
from core.run_description import Parent, RunDescription
from core.training.outcome import FORM, outcome
from explorer.look.theme import format_count, format_part, raised
from explorer.models.known import known_runs, shipped_runs
from explorer.models.task_facts import run_title
from explorer.server.limits import Limits
from explorer.trainings.status import RunStatus

_WORDS = {
    "starting": "Starting",
    "training": "Training",
    "paused": "Paused",
    "silent": "Does not answer",
    "interrupted": "Interrupted",
    "finished": "Finished",
    "failed": "Failed",
}
_MEANINGS = {
    "waiting": "It begins as soon as the training before it ends.",
    "starting": "A process makes the pairs and the first, random weights.",
    "training": "Every update moves all weights by one batch; now and then the validation pairs are tried.",
    "paused": "Nothing moves. One update makes exactly one more.",
    "silent": "Its process has given no sign of life for minutes: it hangs, or was suspended. It keeps no other "
    "training waiting. Stop ends it at once; Resume then goes on from its last checkpoint.",
}


def state_words(status: RunStatus) -> str:
    """What goes on with a run; of one that waits, how many are before it."""
    if status.state == "stopped":
        if status.has_checkpoint:
            return "Stopped at a checkpoint"
        return "Stopped before its first update" if status.can_resume else "Stopped"
    if status.state != "waiting":
        return _WORDS[status.state]
    if not status.place:
        return "Waiting, next in the queue"
    return f"Waiting, {status.place} in the queue before it"


def progress_words(status: RunStatus) -> str:
    """How many updates were made, of how many; of a training whose patience may end it before, of at most how many."""
    most = "at most " if status.may_end_early and status.updates < status.of else ""
    return f"{status.updates:,} of {most}{status.of:,} updates"


def duration(seconds: float) -> str:
    """About how long, as people say it."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def turn_sentence(limits: Limits) -> str:
    """How long a training may go on; empty where that is as long as it needs."""
    if limits.most_seconds is None:
        return ""
    return (
        f"On this server a training that is not complete after {limits.most_seconds / 60:,.3g} minutes, pauses "
        "included, ends at a checkpoint. Whoever began it can resume it then, when it is its turn again."
    )


def explanation(status: RunStatus) -> str:
    """One sentence about what a run's state means."""
    if status.state == "training" and status.updates >= status.of:
        return "All updates are made; the best weights are tried on the test pairs."
    if status.state == "starting" and status.has_checkpoint:
        return "A process makes the pairs and reads the last checkpoint."
    if status.can_resume and status.has_checkpoint:
        return "Its last checkpoint is there; Resume goes on from it."
    if status.can_resume:
        return "It has no checkpoint yet; Resume begins with its first update."
    if status.state in ("stopped", "interrupted"):
        return "It has no checkpoint that its training could go on from."
    return _MEANINGS.get(status.state, "")


def result_sentence(run: RunDescription) -> str:
    """What came out of a training, in a sentence of Markdown; empty where it has not been measured."""
    figures = run.evaluation
    if not {"exact_match", "n_pairs"} <= set(figures) or run.best_after is None:
        return ""
    result = (
        f"The weights after {format_count(run.best_after)} updates did best on the validation pairs and "
        f"were kept: **{format_part(leading_exact(figures), int(figures['n_pairs']))}** test sources, "
        f"none of which was trained on, come out {describe_right(run, figures)}."
    )
    return f"{result} {outcome(run, FORM)}".rstrip()


def parent_sentence(parent: Parent) -> str:
    """Which run's weights a training began with, by its title where it is still here."""
    return f"It began with the weights of “{called(parent.name)}” ({parent.fingerprint})."


def called(name: str) -> str:
    """What people call a run: the title of one's own, the task of a shipped one; the name of one that is gone."""
    run = known_runs().get(name)
    if run is None:
        return name
    return run_title(name, run) if name in shipped_runs() else run.name


def rate(value: float) -> str:
    """A learning rate: three digits that count."""
    if value == 0 or value >= 1e-4:
        return f"{value:.3g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa} · 10{raised(int(exponent))}"
