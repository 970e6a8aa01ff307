"""Held-out evaluation: what a model makes of pairs that it has never seen, pair by pair and in figures."""
