"""The learning rate over the updates of a run."""

from core.config import TrainConfig


def learning_rate(step: int, config: TrainConfig, d_model: int) -> float:
    """Linear warm-up, then what config.schedule says (section 5.3, equation 3).

    - "linear": to the peak, then down to 0 after the last update: it ends a short, planned run best.
    - "paper": d_model^-0.5 · min(n^-0.5, n · warmup^-1.5) for the n-th update.
    - "inverse_sqrt": to the peak, then peak · √(warmup/n): it need not know which update is the last.
    - "constant": to the peak, then no change.

    Args:
        step: The update, counted from 0.
        config: Schedule, peak, warm-up and number of updates.
        d_model: Width of the model.
    """
    number, warmup = step + 1, config.warmup_steps
    if config.schedule == "paper":
        return float(d_model**-0.5 * min(number**-0.5, number * warmup**-1.5))
    if step < warmup:
        return config.peak_learning_rate * number / warmup
    if config.schedule == "inverse_sqrt":
        return float(config.peak_learning_rate * (warmup / number) ** 0.5)
    if config.schedule == "constant":
        return config.peak_learning_rate
    return config.peak_learning_rate * (config.steps - step) / (config.steps - warmup)
