"""What is said of a block at each of four depths: the idea, the numbers, the formula, the code."""
