"""Interventions: what a model does when some of its values are set, scaled, moved or taken from another run."""
