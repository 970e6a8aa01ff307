"""What parts are worth over held-out pairs: as loops over single changes and single pairs give it."""

import random
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from core import Run, load_run
from core.activations.record import edit
from core.data.tasks import Pair, get_task
from core.data.vocabulary import Vocabulary
from core.errors import CaptureError, InputError, UnknownSite
from core.interventions.changes import bind
from core.interventions.intervention import Scaling, Steering, ZeroAblation
from core.interventions.sweep import head_ablations, neuron_ablations
from core.interventions.worth import N_STRONGEST, WorthSweep, Z, worths
from tests.core.conftest import random_model

ROOT = Path(__file__).parents[3]
NOTHING = Scaling("decoder.layers.0.cross_attn.context", 1.0)
"""A change that changes nothing."""
STRANGE = Pair("the cat sleeps", "le zygomorphe dort", ())
"""A pair with a word that the vocabulary lacks."""


def exactly(run: Run) -> Run:
    """The same run in float64."""
    return replace(run, model=deepcopy(run.model).double())


@pytest.fixture(scope="module")
def trained() -> Run:
    return exactly(load_run(ROOT / "checkpoints" / "en-fr"))


@pytest.fixture(scope="module")
def pairs() -> tuple[Pair, ...]:
    rng = random.Random(5)
    found = [get_task("en_fr").sample(rng) for _ in range(8)]
    return (*found, STRANGE)


@pytest.fixture(scope="module", params=["trained", "one layer", "changed"])
def run(request, trained) -> Run:
    if request.param == "changed":
        return trained.intervene(ZeroAblation("decoder.layers.0.cross_attn.context", head=3))
    if request.param == "trained":
        return trained
    config = replace(
        trained.config, n_encoder_layers=1, n_decoder_layers=1, norm_position="pre", dtype="float64"
    )
    return replace(trained, config=config, model=random_model(config))


def one_by_one(run, pairs, intervention):
    """Rises of the losses of each pair's tokens with a change, and the most probable ones, each pair by itself."""
    both = run.changes.then(bind(run.model, [intervention]))
    for pair in pairs:
        source = torch.tensor([[*run.src_tokenizer.encode(pair.source), run.config.eos_id]])
        target = run.tgt_tokenizer.encode(pair.target)
        read, labels = (
            torch.tensor([[run.config.bos_id, *target]]),
            torch.tensor([*target, run.config.eos_id]),
        )
        losses = []
        for changes in (run.changes, both):
            with torch.no_grad(), edit(run.model, changes.edits):
                logits = run.model(source, read)[0]
            losses.append(F.cross_entropy(logits, labels, reduction="none"))
        yield losses[1] - losses[0], logits[:, 2:].argmax(dim=-1) + 2


def some(run):
    return (*head_ablations(run.model), *neuron_ablations(run.model, "encoder.layers.0.feed_forward")[:4])


@pytest.mark.proof
def test_the_worths_are_those_of_a_loop_over_single_changes_and_single_pairs(run, pairs):
    found = worths(run, pairs, some(run))
    assert [each.intervention for each in found] == list(some(run))
    for each in found:
        alone = list(one_by_one(run, pairs, each.intervention))
        costs = torch.stack([rises.sum() for rises, _ in alone])
        assert each.loss.value == pytest.approx(
            costs.sum().item() / sum(len(rises) for rises, _ in alone), abs=1e-6
        )
        dearest = costs.sort(descending=True).values[:N_STRONGEST].tolist()
        assert [one.cost for one in each.strongest] == pytest.approx(dearest, abs=1e-6)
        for one in each.strongest:
            rises, tokens = alone[one.row]
            assert list(one.losses) == pytest.approx(rises.tolist(), abs=1e-6)
            assert list(one.tokens) == tokens.tolist()
    assert max(each.loss.value for each in found) > 0.01


@pytest.mark.proof
def test_exact_is_what_the_changed_model_writes_by_itself(trained, pairs):
    found = worths(trained, pairs, head_ablations(trained.model))
    before = [each.exact for each in trained.evaluate(pairs).results]
    assert before == [True] * (len(pairs) - 1) + [False]
    for each in found:
        after = [result.exact for result in trained.intervene(each.intervention).evaluate(pairs).results]
        assert each.exact.value == pytest.approx((sum(before) - sum(after)) / len(pairs), abs=1e-12)
        assert [one.exact for one in each.strongest] == [after[one.row] for one in each.strongest]
    assert max(each.exact.value for each in found) > 0


def test_a_token_that_the_vocabulary_lacks_is_not_met_by_saying_unknown(trained):
    def says(token_id, position):
        favour = [1e4 * (each == token_id) for each in range(trained.config.tgt_vocab_size)]
        return Steering("generator.logits", tuple(favour), positions=(position,))

    stubborn = trained.intervene(says(Vocabulary.unk_id, 0), says(Vocabulary.eos_id, 1))
    pairs = [Pair("the cat sleeps", "zygomorphe", ()), Pair("the dog sleeps", "zygomorphe", ())]
    sweep = WorthSweep(stubborn, pairs, [NOTHING])
    list(sweep.passes())
    assert [one.tokens for one in sweep.worths()[0].strongest] == [(Vocabulary.unk_id, Vocabulary.eos_id)] * 2
    assert sweep.n_exact_before == stubborn.evaluate(pairs).figures.exact_match == 0


def test_the_interval_of_the_loss_is_over_sentences_that_are_drawn_whole(trained, pairs):
    """Against the jackknife, which leaves out one sentence at a time."""
    (found,) = worths(trained, pairs, [ZeroAblation("decoder.layers.1.cross_attn.context", head=3)])
    alone = [rises for rises, _ in one_by_one(trained, pairs, found.intervention)]
    without = torch.stack([torch.cat([*alone[:row], *alone[row + 1 :]]).mean() for row in range(len(alone))])
    n = len(alone)
    error = ((n - 1) / n * (without - without.mean()).square().sum()).sqrt().item()
    assert (found.loss.high - found.loss.low) / 2 == pytest.approx(Z * error, rel=0.1)
    assert (found.loss.high + found.loss.low) / 2 == pytest.approx(found.loss.value, abs=1e-9)


def test_an_interval_of_exact_has_a_width_where_no_sentence_has_changed_and_narrows_with_their_number(
    trained, pairs
):
    few, many = (worths(trained, pairs[:-1] * times, [NOTHING])[0].exact for times in (1, 10))
    assert few.value == many.value == 0
    assert few.low < many.low < 0 < many.high < few.high


def test_what_changes_nothing_costs_nothing(trained, pairs):
    (found,) = worths(trained, pairs, [NOTHING])
    assert (found.loss.value, found.loss.low, found.loss.high, found.exact.value) == (0, 0, 0, 0)
    assert all(one.cost == 0 for one in found.strongest)


def test_a_sweep_tells_how_far_it_is_and_stops_when_asked(trained, pairs):
    sweep = WorthSweep(trained, pairs, head_ablations(trained.model))
    done = list(sweep.passes())
    assert done == sorted(set(done))
    assert done[-1] == sweep.n_all == len(pairs) * 24
    figures = trained.evaluate(pairs).figures
    assert sweep.loss_before == pytest.approx(figures.loss, abs=1e-6)
    assert sweep.n_exact_before == round(figures.exact_match * len(pairs))
    told, asked = [], iter([False, True])
    stopped = worths(
        trained,
        pairs,
        head_ablations(trained.model),
        progress=lambda *each: told.append(each),
        stop=lambda: next(asked),
    )
    assert stopped == ()
    assert [n for n, _ in told] == done[:2]


def test_what_cannot_be_measured_is_refused_in_a_sentence(trained, pairs):
    with pytest.raises(InputError, match="at least two held-out pairs"):
        worths(trained, pairs[:1], head_ablations(trained.model))
    with pytest.raises(UnknownSite):
        worths(trained, pairs, [ZeroAblation("decoder.layers.7.cross_attn.context", head=0)])
    with pytest.raises(CaptureError, match="head 4 is outside"):
        worths(trained, pairs, [ZeroAblation("decoder.layers.1.cross_attn.context", head=4)])
    far = trained.intervene(ZeroAblation("src_embed.output", positions=(30,)))
    with pytest.raises(CaptureError, match=r"position 30 of .* needs at least 31 source tokens"):
        worths(far, pairs, head_ablations(trained.model))
