"""Two views of tokens: a text cut by several tokenizers with its merges replayed, and tokens ranked by cosine.

Both are told once what to show; the steps of the merging are walked through in the browser.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_json
from explorer.models.tokenizations import TITLES, Cut, Merging


@dataclass(frozen=True)
class SpecialToken:
    """A token that no text contains, and what it is for in one sentence."""

    token: str
    id: int
    meaning: str


@dataclass(frozen=True)
class TokenViewData:
    """What the first view is fed.

    Attributes:
        key: Names model and text; a new key goes back to the first step.
        cuts: The same text, once for each tokenizer.
        specials: The special tokens, in the order of their ids.
        merging: How byte-pair encoding comes to its tokens; None where there is none to watch.
    """

    key: str
    cuts: tuple[Cut, ...]
    specials: tuple[SpecialToken, ...]
    merging: Merging | None


@dataclass(frozen=True)
class RankedToken:
    """A token with the cosine between its vector and another one."""

    token: str
    id: int
    cosine: float


@dataclass(frozen=True)
class RankingData:
    """Tokens in the order of their cosines.

    Attributes:
        title: What they are near to, in plain words before the tokens of the question.
        question: Tokens and signs between them, such as ``("king", "−", "man", "+", "woman")``.
        rows: The nearest first.
    """

    title: str
    question: tuple[str, ...]
    rows: tuple[RankedToken, ...]


def pack_tokens(data: TokenViewData) -> bytes:
    """The message of the first view.

    Raises:
        ValueError: a cut has not one id for each token.
    """
    for cut in data.cuts:
        if len(cut.tokens) != len(cut.ids):
            raise ValueError(f"{cut.kind}: {len(cut.tokens)} tokens need as many ids, not {len(cut.ids)}")
    merging = data.merging
    message = {
        "key": data.key,
        "cuts": [{**vars(cut), "title": TITLES[cut.kind], "n_unknown": cut.n_unknown} for cut in data.cuts],
        "specials": data.specials,
        # The tokens of every step would be a table of length times length; the browser merges by itself.
        "merging": merging
        and {
            "start": merging.start,
            "steps": [
                {"pair": step.merge, "rank": step.rank, "places": step.positions} for step in merging.steps
            ],
            "n_merges": merging.n_merges,
            "own": merging.own,
        },
    }
    return pack_json(message)


token_view = KeptView(__file__, "token_view", pack_tokens)
"""Shows the text as each tokenizer cuts it, the special tokens, and the merges one by one."""
ranking_view: KeptView[Sequence[RankingData]] = KeptView(
    __file__,
    "ranking_view",
    pack_json,
    source="ranking",
    html='<div class="token-view ranking-view" data-look="light"></div>',
)
"""Shows tokens with their cosines, one list beside the other."""
