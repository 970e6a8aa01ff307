"""Settings of the property tests of the data."""

from hypothesis import settings

# A deadline per example measures how busy the machine is, not whether a law holds.
settings.register_profile("data", deadline=None)
settings.load_profile("data")
