"""The letters of the formulas: the paper's where it has them.

Places: p position, i query, j key, h head, e place in a head, d place in d_model, u hidden unit, v token, t step.
"""

from core.explanation.formula import Symbol

B, D, E, H, I, J, N, P, T, U, V, X, Y = map(Symbol, "bdehijnptuvxy")  # noqa: E741
OTHER_J, OTHER_V = Symbol("j", accent="prime"), Symbol("v", accent="prime")
"""Places that a sum runs over while j and v are the number's own."""
D_MODEL, D_HEAD = Symbol("d")[Symbol("model"),], Symbol("d")[Symbol("head"),]
EPSILON, ALPHA = Symbol("ε"), Symbol("α")
LOGIT = Symbol("l")
LARGEST = Symbol("max")
"""What is taken off before an exponential."""
