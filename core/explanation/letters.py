"""The letters of the formulas: the paper's where it has them.

Places: p position, i query, j key, n head, e place in a head, d place in d_model, u hidden unit, v token, t step. The
paper's h is how many heads there are.
"""

from core.explanation.formula import Symbol

B, D, E, HEAD, I, J, P, T, U, V, X, Y = map(Symbol, "bdenijptuvxy")  # noqa: E741
OTHER_J, OTHER_V = Symbol("j", accent="prime"), Symbol("v", accent="prime")
"""Places that a sum runs over while j and v are the number's own."""
D_MODEL, D_K = Symbol("d")[Symbol("model"),], Symbol("d")[Symbol("k"),]
EPSILON, SMOOTHING, ALPHA = Symbol("ε"), Symbol("ε")[Symbol("ls"),], Symbol("α")
LOGIT = Symbol("z")
LARGEST = Symbol("max")
"""What is taken off before an exponential."""
