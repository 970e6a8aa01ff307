"""A visitor's choices: what they are, how a link writes them, where the session keeps them."""
