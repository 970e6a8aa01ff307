"""How a training stands, in words."""

from explorer.training.status import RunStatus

_WORDS = {
    "starting": "Starting",
    "training": "Training",
    "paused": "Paused",
    "stopped": "Stopped at a checkpoint",
    "interrupted": "Interrupted",
    "finished": "Finished",
    "failed": "Failed",
}
_MEANINGS = {
    "waiting": "It begins as soon as the training before it ends.",
    "starting": "A process makes the pairs and the first, random weights.",
    "training": "Every update moves all weights by one batch; now and then the validation pairs are tried.",
    "paused": "Nothing moves. One update makes exactly one more.",
}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def state_words(status: RunStatus) -> str:
    """What goes on with a run; of one that waits, how many are before it."""
    if status.state != "waiting":
        return _WORDS[status.state]
    if not status.place:
        return "Waiting, next in the queue"
    return f"Waiting, {status.place} in the queue before it"


def duration(seconds: float) -> str:
    """About how long, as people say it."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def explanation(status: RunStatus) -> str:
    """One sentence about what a run's state means."""
    if status.state == "training" and status.updates >= status.of:
        return "All updates are made; the best weights are tried on the test pairs."
    if status.can_resume:
        return "Its last checkpoint is there; Resume goes on from it."
    return _MEANINGS.get(status.state, "")


def rate(value: float) -> str:
    """A learning rate: three digits that count."""
    if value == 0 or value >= 1e-4:
        return f"{value:.3g}"
    mantissa, _, power = f"{value:.1e}".partition("e-")
    return f"{mantissa} · 10⁻{power.lstrip('0').translate(_RAISED)}"
