"""How a number came about, for the panel and for paper."""
