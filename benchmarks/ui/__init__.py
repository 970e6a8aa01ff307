"""Measure how long a visitor waits, in Chromium and over plain websockets."""
