"""Training: loss, schedule, the loop of updates, evaluation on held-out pairs."""
