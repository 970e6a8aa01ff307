"""The words of the product: every visible sentence in reading order, and the rules that they keep."""
