"""Seeing and changing the values inside a model: taps, the catalogue of sites, record and edit."""
