"""Titles of heads: at EOS or at BOS, and a sink only where that was measured."""

import pytest

from core.analysis.head_looks import MOST_RISE, HeadLook, Place, RestCost, Rows
from explorer.views.worth.data import RULES, head_title

ENCODER, DECODER, CROSS = (
    f"{name}.weights"
    for name in ("encoder.layers.0.self_attn", "decoder.layers.0.self_attn", "decoder.layers.0.cross_attn")
)
FREE, DEAR = RestCost(0.0, 0), RestCost(1.4, 259)


@pytest.mark.parametrize(
    ("site", "place", "cost", "title"),
    [
        (ENCODER, "rest", DEAR, "at EOS"),
        (ENCODER, "rest", FREE, "sink at EOS"),
        (CROSS, "rest", DEAR, "at EOS"),
        (DECODER, "rest", DEAR, "at BOS"),
        (DECODER, "rest", FREE, "sink at BOS"),
        (DECODER, "rest", None, "at BOS"),
        (CROSS, "gold", None, "aligns"),
        (ENCODER, "next", None, "next"),
    ],
)
def test_head_title_names_the_token_at_rest(
    site: str, place: Place, cost: RestCost | None, title: str
) -> None:
    assert head_title(HeadLook(site, 0, {place: Rows(100, 90)}, cost)) == title


def test_head_without_a_role_has_no_title() -> None:
    assert head_title(HeadLook(ENCODER, 0, {"rest": Rows(100, 20)}, FREE)) == ""


def test_rule_names_both_tokens_and_the_limit() -> None:
    rule = RULES["rest"].format(source="letter", target="letter")
    assert all(words in rule for words in ("at EOS", "at BOS", f"less than {MOST_RISE} nats per letter"))
