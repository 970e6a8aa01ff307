"""Producing a translation token by token; every decoder yields DecodeSteps."""
