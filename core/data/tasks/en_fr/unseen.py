"""The adjective–noun pairs that can be kept out of training: each word is known, the two together are not."""

from __future__ import annotations

from core.data.tasks.en_fr.grammar import Sentence

UNSEEN_PAIRS = frozenset(
    {
        ("beautiful", "bird"),
        ("big", "garden"),
        ("black", "cat"),
        ("blue", "hat"),
        ("clever", "bee"),
        ("clever", "child"),
        ("cold", "soup"),
        ("good", "cake"),
        ("green", "book"),
        ("happy", "girl"),
        ("new", "table"),
        ("old", "letter"),
        ("old", "man"),
        ("red", "apple"),
        ("sad", "boy"),
        ("sad", "song"),
        ("small", "hospital"),
        ("small", "picture"),
        ("strange", "owl"),
        ("strange", "school"),
        ("tired", "dog"),
        ("tired", "king"),
        ("white", "horse"),
        ("white", "house"),
        ("young", "woman"),
    }
)
"""Adjective and singular noun. Every adjective is here, no noun twice: no word is much rarer without them.

None of them asks for a French adjective that only other pairs of its noun could tell (gros).
"""


def has_unseen_pair(sentence: Sentence) -> bool:
    """Whether one of the pairs is in the sentence, in either number: an old man, or the men are old."""
    return any(
        (adjective.english, noun.singular) in UNSEEN_PAIRS for adjective, noun in sentence.descriptions()
    )
