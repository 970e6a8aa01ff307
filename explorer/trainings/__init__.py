"""Trainings as processes: queue, pause, stop, resume, archives."""
