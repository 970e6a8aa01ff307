"""The Transformer, smallest part first: masks, embedding, attention, feed-forward, stacks, the whole."""
