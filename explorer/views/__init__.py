"""One room for each thing that is looked at."""
