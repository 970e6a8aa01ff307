"""The learning rate over the updates of a run."""

from core.config import TrainConfig


def learning_rate(step: int, config: TrainConfig) -> float:
    """Linear warm-up to the peak, then linear decay to 0 after the last update.

    Warm-up as in section 5.3; the linear decay ends a short, planned run better than 1/√step does.

    Args:
        step: The update, counted from 0.
        config: Peak, warm-up and number of updates.
    """
    warmup, total = config.warmup_steps, config.steps
    if step < warmup:
        return config.peak_learning_rate * (step + 1) / warmup
    return config.peak_learning_rate * (total - step) / (total - warmup)
