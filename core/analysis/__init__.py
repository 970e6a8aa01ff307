"""What recorded values and edits say of a model: logit lens, attention statistics, ablation."""
