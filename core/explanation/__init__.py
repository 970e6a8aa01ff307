"""How each recorded number was computed: formula, operands, terms, result."""
