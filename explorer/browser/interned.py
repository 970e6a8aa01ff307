"""Texts of a message, each of which travels once: elsewhere its place stands for it."""


class Interned:
    """Texts by their places, in the order in which they are first asked for.

    Attributes:
        known: The place of each text.
    """

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def place(self, text: str) -> int:
        """The place of a text."""
        return self.known.setdefault(text, len(self.known))
