"""Producing translations token by token; every decoder is a generator of Steps."""
