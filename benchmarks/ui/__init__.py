"""How long a visitor waits, in a real Chromium."""
