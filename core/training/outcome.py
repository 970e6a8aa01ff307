"""What a finished training's figures mean where they look like nothing. Reading it needs no torch."""

from core.run_description import RunDescription


def nothing_right(run: RunDescription) -> str:
    """What a result without one exact answer means, and what to try; empty for any other result."""
    figures = run.evaluation
    if figures.get("exact_match") != 0:
        return ""
    accuracy = figures.get("token_accuracy", 0.0)
    means = (
        "An answer counts only if every token of it is right, so 0 need not mean that nothing was learned: given "
        f"the right tokens before it, {accuracy:.0%} of the tokens are predicted right."
    )
    pairs, updates = run.train_config.n_train, run.train_config.steps
    return (
        f"{means} Try more than {updates:,} updates, and more than {pairs:,} training pairs if there are any. "
        "If the loss has hardly fallen, try a lower learning rate or a longer warm-up."
    )
