"""Where heads look: as a loop over single rows counts it, for every variant of the attention."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from core import Run, head_looks, load_run
from core.activations.record import edit, record
from core.analysis.head_looks import (
    LEAST_ROWS,
    MOST_RISE,
    NAMED_FROM,
    HeadLook,
    Place,
    RestCost,
    Rows,
    joined_looks,
    measure_rest,
)
from core.data.tasks import Pair, get_task
from core.interventions.intervention import AttentionRow, ZeroAblation
from tests.core.conftest import random_model
from tests.optional import unwrap

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def trained() -> Run:
    return load_run(ROOT / "checkpoints" / "en-fr")


@pytest.fixture(scope="module")
def pairs():
    rng = random.Random(3)
    return tuple(get_task("en_fr").sample(rng) for _ in range(20))


@pytest.fixture(params=["trained", "sees ahead", "one layer"])
def run(request, trained):
    if request.param == "trained":
        return trained
    other = (
        {"causal": False} if request.param == "sees ahead" else {"n_encoder_layers": 1, "n_decoder_layers": 1}
    )
    config = replace(trained.config, **other)
    return replace(trained, config=config, model=random_model(config))


def row_by_row(run, pairs):
    """(site, head, place) to [rows, hits], each pair by itself."""
    counts: Counter[tuple[str, int, str, str]] = Counter()
    for pair in pairs:
        source = [*run.src_tokenizer.encode(pair.source), run.config.eos_id]
        target = run.tgt_tokenizer.encode(pair.target)
        read = [run.config.bos_id, *target]
        with torch.no_grad(), record(run.model, "*.weights") as seen:
            run.model(torch.tensor([source]), torch.tensor([read]))
        for site in run.model.sites():
            if site.operation != "softmax" or "head" not in site.axes:
                continue
            where = site.location
            for head in range(run.config.n_heads):
                looks = seen[site.name][0, head].argmax(dim=-1).tolist()
                for place, query, keys in questions(where, source, target, run.config.causal, pair.alignment):
                    counts[site.name, head, place, "n"] += 1
                    counts[site.name, head, place, "hits"] += looks[query] in keys
    return counts


def questions(where, source, target, causal, alignment):
    """Every row that counts of one attention, with the keys that it would be right to look at."""
    n_source, n_target = len(source), len(target) + 1
    if where.crosses:
        for query, keys in enumerate(alignment):
            if keys:
                yield "gold", query, keys
        for query in range(len(target)):
            yield "rest", query, [n_source - 1]
    elif where.stack == "encoder":
        for query in range(n_source - 1):
            if query:
                yield "previous", query, [query - 1]
            yield "next", query, [query + 1]
            yield "rest", query, [n_source - 1]
    else:
        for query in range(1, n_target):
            yield "previous", query, [query - 1]
            if not causal and query < n_target - 1:
                yield "next", query, [query + 1]
            yield "rest", query, [0]


def test_the_shares_are_those_of_a_loop_over_single_rows(run, pairs):
    expected = row_by_row(run, pairs)
    found = head_looks(run, pairs)
    counted = {
        (look.site, look.head, place, name): getattr(rows, name)
        for look in found
        for place, rows in look.rows.items()
        for name in ("n", "hits")
    }
    assert {key: n for key, n in counted.items() if n} == {key: n for key, n in expected.items() if n}
    heads = [(look.site, look.head) for look in found]
    assert len(set(heads)) == len(heads)
    sites = 2 * run.config.n_decoder_layers + run.config.n_encoder_layers
    assert len(heads) == sites * run.config.n_heads
    assert any(key[3] == "hits" and n for key, n in counted.items())


def test_the_looks_of_two_sets_of_pairs_join_to_those_of_both(trained, pairs):
    own = [replace(pair, alignment=()) for pair in pairs[:7]]
    parts = head_looks(trained, own), head_looks(trained, pairs[7:])
    assert joined_looks(*parts) == head_looks(trained, [*own, *pairs[7:]])


def test_without_alignments_nobody_says_gold(trained, pairs):
    own = [replace(pair, alignment=()) for pair in pairs]
    assert any("gold" in look.rows for look in head_looks(trained, pairs))
    assert not any("gold" in look.rows for look in head_looks(trained, own))


def test_a_head_that_looks_at_nothing_looks_at_no_place(trained, pairs):
    silent = trained.intervene(ZeroAblation("encoder.layers.0.self_attn.weights", head=2))
    looks = {(look.site, look.head): look for look in head_looks(silent, pairs)}
    off = looks["encoder.layers.0.self_attn.weights", 2]
    assert {rows.hits for rows in off.rows.values()} == {0}
    assert off.role is None


def test_a_row_that_is_set_is_counted_as_it_is_set(trained, pairs):
    site = "decoder.layers.0.self_attn.weights"
    set_row = trained.intervene(AttentionRow(site, (0.0, 1.0), positions=(2,)))
    before, after = (
        next(look for look in head_looks(run, pairs) if (look.site, look.head) == (site, 1)).rows["previous"]
        for run in (trained, set_row)
    )
    assert after.n == before.n
    assert after.hits > before.hits


@pytest.mark.parametrize(
    ("rows", "role"),
    [
        ({"previous": Rows(100, 97), "rest": Rows(100, 3)}, "previous"),
        ({"previous": Rows(100, 74), "rest": Rows(100, 20)}, None),
        ({"gold": Rows(100, 80), "rest": Rows(100, 90)}, "rest"),
        ({"gold": Rows(LEAST_ROWS - 1, LEAST_ROWS - 1)}, None),
        ({"next": Rows(LEAST_ROWS, int(NAMED_FROM * LEAST_ROWS))}, "next"),
        ({}, None),
    ],
)
def test_a_head_has_the_name_of_the_place_that_most_of_enough_rows_look_at(rows, role):
    assert HeadLook("encoder.layers.0.self_attn.weights", 0, rows).role == role


def test_the_last_cross_attention_of_the_shipped_model_aligns(trained, pairs):
    roles = {(look.site, look.head): look.role for look in head_looks(trained, pairs)}
    last = f"decoder.layers.{trained.config.n_decoder_layers - 1}.cross_attn.weights"
    assert "gold" in {role for (site, _), role in roles.items() if site == last}


@pytest.fixture(scope="module")
def reverse() -> tuple[Run, tuple[Pair, ...]]:
    """The model that reverses letters, with words that it gets right."""
    rng = random.Random(5)
    return load_run(ROOT / "checkpoints" / "reverse"), tuple(
        get_task("reverse").sample(rng) for _ in range(40)
    )


def cost_word_by_word(run: Run, pairs: Sequence[Pair], look: HeadLook) -> RestCost:
    """Measure the cost of a head's values at the token of rest pair by pair, with torch's own loss."""
    rise, n_tokens, n_lost = 0.0, 0, 0
    place = -1 if look.rest_token == "EOS" else 0

    def remove(value: Tensor) -> Tensor:
        value[0, look.head, place] = 0.0
        return value

    for pair in pairs:
        source = torch.tensor([[*run.src_tokenizer.encode(pair.source), run.config.eos_id]])
        target = [*run.tgt_tokenizer.encode(pair.target), run.config.eos_id]
        read, labels = torch.tensor([[run.config.bos_id, *target[:-1]]]), torch.tensor(target)
        found = []
        for edits in ({}, {look.site.replace("weights", "v"): remove}):
            with torch.no_grad(), edit(run.model, edits):
                logits = run.model(source, read)[0]
            right = bool((logits.argmax(dim=-1) == labels).all())
            found.append((float(cross_entropy(logits, labels, reduction="sum")), right))
        (before, was_right), (after, is_right) = found
        rise, n_tokens = rise + after - before, n_tokens + len(target)
        n_lost += was_right and not is_right
    return RestCost(rise / n_tokens, n_lost)


@pytest.mark.proof
def test_rest_cost_equals_a_loop_over_single_pairs(reverse):
    run, pairs = reverse
    at_rest = [look for look in head_looks(run, pairs) if look.role == "rest"]
    assert {look.rest_token for look in at_rest} == {"EOS", "BOS"}
    for look in at_rest:
        found, expected = (
            unwrap(measure_rest(run, pairs, look).rest_cost),
            cost_word_by_word(run, pairs, look),
        )
        assert found.n_lost == expected.n_lost
        assert found.rise == pytest.approx(expected.rise, abs=1e-4)


def test_heads_with_the_length_at_eos_are_no_sinks(reverse):
    run, pairs = reverse
    looks = [measure_rest(run, pairs, look) for look in head_looks(run, pairs)]
    at_eos = [look for look in looks if look.role == "rest" and look.rest_token == "EOS"]
    assert at_eos
    for look in at_eos:
        assert unwrap(look.rest_cost).n_lost > len(pairs) / 4, "without EOS many words come out wrong"
        assert not look.is_sink
    at_bos = [look for look in looks if look.role == "rest" and look.rest_token == "BOS"]
    assert [look.is_sink for look in at_bos] == [True] * len(at_bos)
    assert at_bos


def test_head_with_another_role_is_not_measured(trained, pairs):
    (named,) = [look for look in head_looks(trained, pairs) if look.role == "gold"][:1]
    assert measure_rest(trained, pairs, named) is named
    assert not named.is_sink


@pytest.mark.parametrize(
    ("cost", "is_sink"),
    [
        (None, False),
        (RestCost(0.0, 0), True),
        (RestCost(MOST_RISE, 0), False),
        (RestCost(0.0, 1), False),
        (RestCost(-0.5, 0), True),
    ],
)
def test_sink_needs_every_output_and_a_small_rise(cost, is_sink):
    rows: dict[Place, Rows] = {"rest": Rows(100, 90)}
    assert HeadLook("encoder.layers.0.self_attn.weights", 0, rows, cost).is_sink is is_sink
    assert not HeadLook("encoder.layers.0.self_attn.weights", 0, {"next": Rows(100, 90)}, cost).is_sink
