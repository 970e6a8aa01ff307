"""Views, trainings, experiments and lessons as files to print."""
