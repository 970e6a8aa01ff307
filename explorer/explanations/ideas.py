"""The idea of each block: what it does and why it is there, in two sentences."""

from collections.abc import Mapping

IDEAS: Mapping[str, str] = {
    "home": (
        "The encoder reads the whole source once; the decoder then writes the output one token at a time, reading "
        "the source and its own output so far. Each new token is only a score for every token of the vocabulary "
        "until one is taken, so what you see here is the whole way from scores to text."
    ),
    "map": (
        "An encoder reads the source, a decoder writes the output, and both are stacks of equal layers "
        "through which each token travels as one vector. Only attention moves anything between tokens; "
        "everything else works on each token by itself, which is why one model reads sequences of different "
        "lengths."
    ),
    "tokens": (
        "The text is cut into tokens of a fixed vocabulary, and each token’s id picks one row of a learned table. "
        "The rest of the model can only compute with numbers, so text has to become vectors first."
    ),
    "positions": (
        "A vector that depends only on the position is added to each token’s vector. Attention without a mask"
        " does not see the order of what it reads; without this, two orders of the same words would look "
        "alike to the encoder."
    ),
    "self-attention": (
        "Each source token compares its query with the key of every source token and takes their values in as "
        "weighted averages, one for each head. So a token’s vector can hold what stands around it; the weights "
        "say what was read, not why."
    ),
    "masked-self-attention": (
        "Each output token reads itself and the output tokens before it, never a later one. The mask is there "
        "because in training the whole right answer is fed in at once, and without it a token could be copied from "
        "the place that it is meant to predict."
    ),
    "cross-attention": (
        "The queries come from the decoder, the keys and values from the encoder’s output. It is the only place "
        "where the source reaches the output; the weights say which source vectors were read, not why."
    ),
    "masks": (
        "A mask sets the score of a forbidden key to minus infinity before the softmax, so its weight is "
        "exactly zero. So padding, which is no text, has no influence on anything, and in the decoder’s self-"
        "attention nothing that comes later has any either."
    ),
    "add-norm": (
        "A sub-layer’s output is added to the vector that went past it, and a norm brings vectors to mean 0 "
        "and variance 1 before a learned scale and shift. The sum lets a layer change a little and keep the "
        "rest; the norm keeps the size of the numbers in hand however many layers follow."
    ),
    "feed-forward": (
        "Each position’s vector goes through the same small network: a wider vector, a non-linearity, and "
        "back. Attention only takes weighted averages of vectors; this network can change what a position has"
        " gathered in ways that no average can."
    ),
    "output": (
        "At each step the decoder’s output vector is multiplied with one row for each token of the "
        "vocabulary, which gives that token’s logit, and the softmax turns the logits into probabilities. "
        "Training needs a probability for every possible next token, and decoding needs them to choose one."
    ),
    "step-by-step": (
        "Each step reads the source and everything written so far, and gives a probability to every next token; "
        "greedy decoding takes the most probable one. Whatever is taken becomes part of what the next step reads, "
        "which is why one forced token can change all that follows."
    ),
    "sampling-lab": (
        "Instead of always taking the most probable token, one random number picks a token, each as often as "
        "it is probable. Temperature, top-k and top-p change these probabilities first, so that outputs vary "
        "without tokens that the model gives almost no probability."
    ),
    "beams": (
        "Beam search keeps several unfinished outputs side by side and extends all of them, because the most "
        "probable next token does not always lead to the most probable whole output. Every further token "
        "makes an output less probable, so scores are divided by a length penalty before they are compared."
    ),
}
"""By the key of the block or the page."""
