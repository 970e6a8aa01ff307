"""Known runs, loaded models, and what a model made of a sentence, kept for all visitors."""
