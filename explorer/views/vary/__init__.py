"""Vary one token: what a model writes for each token that can stand at one place of the source.

A second picture of another view's page, so that it has no view of its own.
"""
