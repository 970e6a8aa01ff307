"""The table of what is not written, and what stands in its place: the paper's names, and plain English.

A rule is a pattern and a sentence. What it finds in code between backticks does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.source_rules import ROOT
from tests.words.texts import Sentence, docstrings, hints, sentences, without_code


@dataclass(frozen=True)
class Rule:
    """What is not written.

    Attributes:
        says: What to write instead.
        pattern: Finds it, in letters of any size.
        shown: Whether it is about what is shown alone; code keeps its own names, and so do docstrings.
    """

    says: str
    pattern: str
    shown: bool = False

    def breaks(self, text: str) -> bool:
        """Whether a text breaks the rule."""
        return re.search(self.pattern, without_code(text), re.IGNORECASE) is not None


@dataclass(frozen=True)
class Fault:
    """A text that breaks a rule; where is its file and line."""

    where: str
    rule: Rule
    text: str


_PARTS = r"(layers?|sub-layers?|norms?|embeddings?|blocks?|softmax|sums?|verbs?|words?)"
RULES = (
    Rule("multiplied by", r"multipl(y|ies|ied|ying)\b(?![-–]add)((?!\bby\b)[^.;:,])*? with\b"),
    Rule(
        "after what comes earlier, not behind it",
        rf"\bbehind ((the|a|each|every|its|one of|last|first) )*{_PARTS}",
    ),
    Rule("identical layers", r"\bequal (layers|parts|blocks|stacks)|stacks? of equal"),
    Rule("end up close together", r"\bcomes? to lie|lie alike"),
    Rule("too rarely to be merged into", r"\bseldom\b|merged? to one"),
    Rule("that is how many remain", r"\bso many (stay|remain|are left)"),
    Rule("that many, this many", r"\bso many\b(?! (as|that)\b)|\bafter so long\b", shown=True),
    Rule("that would be true if", r"\bso it (would be|is) (if|with|in)\b"),
    Rule("a uniform guess", r"\beven chances\b"),
    Rule("turned out differently from", r"\botherwise than\b|\b(came|comes?|turn(s|ed)?) out otherwise"),
    Rule(
        "per token, per second",
        r"\b(nats|bits|bytes|tokens|updates|products|multiply-adds) (a|an|each) (token|second|parameter|pair|step)\b"
        r"|products a second",
    ),
    Rule("gives credit for", r"\bhonou?rs? what"),
    Rule(
        "is not a, is not one of",
        r"(?<!there )\b(is|are) (no|none) (?!longer|more\b|less\b|fewer|better|worse|other|such|need|way|room)[a-z<]",
        shown=True,
    ),
    Rule(
        "a score is a dot product",
        r"\b(query|queries) times (a |the |each |every )?keys?\b|(?<!dot )product of a query",
    ),
    Rule(
        "the subject before its verb",
        r"(?:^|[.:;,!?] |\band )(at|beside|between|before|after|under|behind|above|below|in its \w+ place)\b"
        r"[^.,:;!?]{1,40} stands? (the\b|what\b|its\b|one\b|an?\b|\{|…)",
        shown=True,
    ),
    Rule("square root", r"(?<!square )\broot of\b", shown=True),
    Rule("teacher forcing; the decoder reads it", r"\bled by\b", shown=True),
    Rule("subtracted from", r"\btaken off\b", shown=True),
    Rule("multiply-adds, with a hyphen", r"multiply–add"),
    Rule("a database", r"\bdata bases?\b"),
    Rule(
        "layer norm; `LayerNorm` in formulas alone", r"(?<!\{)(?<!torch's )\bLayerNorms?\b(?!\()", shown=True
    ),
    Rule("learned", r"\b(learnt|spelt|burnt|dreamt|misspelt)\b"),
    Rule(
        "British spelling",
        r"\b(?!\w*(tokeni|si)z|pri[sz]e|seiz|citizen|(?<=Layer )Normalization)"
        r"\w+(iz(e[ds]?|ers?|ing|ations?)|yz(e[ds]?|ing))\b"
        r"|\b(color|neighbor|behavior|favor|honor|gray|labeled|labeling|modeling|canceled|catalog(?!ue))\w*"
        r"|\bcenter(ed|s)?\b",
    ),
    Rule(
        "BOS, EOS and PAD",
        r"\b(start|beginning|begin|end|stop|padding|sentence)[- ](marks?|markers?|tokens?|symbols?)\b"
        r"|\b(start|end)[- ]of[- ](sentence|sequence)[- ](mark|token|symbol)|<(bos|eos|sos)>|the end among them",
    ),
    Rule("d_k", r"\bd_head\b", shown=True),
    Rule("z for logits", r"ℓ|\\ell(?![a-z])", shown=True),
    Rule("W_O, with its letter below", r"(?<!i)W\^\{?[OQKV]\b", shown=True),
    Rule("heads are head_0 to head_{h−1}", r"head\}?_\{?h\}?(?![\w−-])", shown=True),
    Rule("4 × 7 × 16, with spaces", r"[\w…}]×[\w…{]|\d·\d", shown=True),
)
OF_HINTS = (Rule("a hint begins with “Look at”, so that it is a sentence", r"^(?!Look at )"),)


def faults(root: Path = ROOT) -> list[Fault]:
    """All visible sentences and docstrings that break a rule, in reading order, and the lessons' hints."""
    said = [rule for rule in RULES if not rule.shown]
    return [
        *_faults(sentences(root), RULES),
        *_faults(docstrings(root), said),
        *_faults(hints(root), OF_HINTS),
    ]


def _faults(texts: Iterable[Sentence], rules: Iterable[Rule]) -> Iterator[Fault]:
    for each in texts:
        for rule in rules:
            if rule.breaks(each.text):
                yield Fault(f"{each.file}:{each.line}", rule, each.text)
