"""A run with interventions: everything that it does is changed, and the model stays as it was trained."""

from pathlib import Path

import pytest
import torch

from core import BeamConfig, DecodeConfig, Run, load_run, patching_map, save_run
from core.errors import CaptureError, InputError, RunError
from core.interventions.intervention import (
    AttentionRow,
    MeanAblation,
    Patch,
    Scaling,
    Steering,
    Unmask,
    ZeroAblation,
)
from core.interventions.patching import patched_sites
from tests.core.conftest import random_model
from tests.core.variants import EXACT

ROOT = Path(__file__).parents[3]
SENTENCE, PLURAL = "the small cat does not sleep", "the small cats do not sleep"
CROSS = "decoder.layers.1.cross_attn"


@pytest.fixture(scope="module")
def run() -> Run:
    return load_run(ROOT / "checkpoints" / "en-fr")


@pytest.mark.proof
def test_a_run_that_reads_another_sentences_words_translates_that_sentence(run):
    changed = run.intervene(Patch("src_embed.output", PLURAL))
    for config in (
        None,
        DecodeConfig(use_cache=False),
        BeamConfig(width=3),
        DecodeConfig(temperature=1.0, seed=3),
    ):
        assert changed.translate(SENTENCE, config) == run.translate(PLURAL, config)
        assert changed.translate(SENTENCE, config) != run.translate(SENTENCE, config)
    assert changed.trace(SENTENCE).target_tokens == run.trace(PLURAL).target_tokens
    held_out = changed.evaluate([(SENTENCE, run.translate(PLURAL))])
    assert held_out.figures.exact_match == 1
    assert held_out.results[0].losses == pytest.approx(
        run.evaluate([(PLURAL, run.translate(PLURAL))]).results[0].losses, abs=1e-5
    )


def test_the_run_that_it_was_made_of_is_as_it_was(run):
    weights = {name: value.clone() for name, value in run.model.state_dict().items()}
    before = run.translate(SENTENCE)
    changed = run.intervene(ZeroAblation(f"{CROSS}.output"))
    assert changed.translate(SENTENCE) != before
    assert run.translate(SENTENCE) == changed.trained.translate(SENTENCE) == before
    assert all(torch.equal(value, weights[name]) for name, value in run.model.state_dict().items())


def test_changes_are_added_to_those_that_are_there_and_donors_are_of_the_trained_model(run):
    first, second = ZeroAblation(f"{CROSS}.output"), Patch("decoder.layers.0.cross_attn.v", PLURAL, head=1)
    both = run.intervene(first).intervene(second)
    assert both.changes.interventions == (first, second)
    assert both.trained is run
    assert torch.equal(
        both.trace(SENTENCE, target="le chat").logits,
        run.intervene(first, second).trace(SENTENCE, target="le chat").logits,
    )


def test_a_changed_run_has_a_name_of_its_own(run):
    one, two = (run.intervene(Scaling(f"{CROSS}.q", factor)) for factor in (1.5, 2.0))
    assert len({run.fingerprint, one.fingerprint, two.fingerprint}) == 3
    assert run.intervene(Scaling(f"{CROSS}.q", 2.0)).fingerprint == two.fingerprint


def test_a_changed_run_is_not_saved(run, tmp_path):
    with pytest.raises(RunError, match="saved as it was trained"):
        save_run(run.intervene(Unmask("causal")), tmp_path / "changed")
    assert not (tmp_path / "changed").exists()


def test_a_sentence_that_lacks_what_a_change_asks_for_is_refused_by_everything(run):
    for change, sentence in (
        (ZeroAblation("src_embed.output", positions=(9,)), "at least 10 source tokens; this has 7"),
        (Patch("src_embed.output", "a dog sings"), "needs 4 source tokens; this has 7"),
        (
            AttentionRow(f"{CROSS}.weights", (1.0,) * 8, positions=(0,)),
            "at least 8 source tokens; this has 7",
        ),
    ):
        changed = run.intervene(change)
        for ask in (
            lambda changed=changed: changed.translate(SENTENCE),
            lambda changed=changed: changed.trace(SENTENCE),
            lambda changed=changed: changed.evaluate([(SENTENCE, "le chat")]),
        ):
            with pytest.raises(CaptureError, match=sentence):
                ask()
    beyond = run.intervene(ZeroAblation("tgt_embed.output", positions=(30,)))
    assert beyond.translate(SENTENCE) == run.translate(SENTENCE)
    with pytest.raises(CaptureError, match="at least 31 target tokens; this has 7"):
        beyond.trace(SENTENCE)
    with pytest.raises(InputError, match="does not know “xyzzy”"):
        run.intervene(Patch("src_embed.output", "the xyzzy"))


def test_a_mean_takes_away_what_is_of_one_sentence_and_leaves_what_is_of_all(run):
    others = ("a dog sings", "the birds do not eat", PLURAL)
    changed = run.intervene(MeanAblation("src_embed.output", others))
    assert changed.translate(SENTENCE) == changed.translate("a black dog does not sing")


@pytest.mark.proof
def test_a_map_is_the_loop_over_its_patches(run):
    found = patching_map(run, SENTENCE, PLURAL, step=4)
    own, donor = (run.trace(each, "generator.logits") for each in (SENTENCE, PLURAL))
    tokens = [int(each.tgt_out[4]) for each in (own, donor)]

    def difference(trace):
        return float(trace.logits[4, tokens[1]].double() - trace.logits[4, tokens[0]].double())

    assert found.differences == pytest.approx((difference(own), difference(donor)), abs=1e-5)
    assert [len(row) for row in found.shares] == [7] * len(found.sites)
    target = run.tgt_tokenizer.decode(own.tgt_out.tolist())
    for site, shares in zip(found.sites, found.shares, strict=True):
        for position in range(7):
            patched = run.intervene(Patch(site, PLURAL, positions=(position,)))
            alone = difference(patched.trace(SENTENCE, "generator.logits", target=target))
            share = (alone - found.differences[0]) / (found.differences[1] - found.differences[0])
            assert float(shares[position]) == pytest.approx(share, abs=1e-5)
            assert found.share(site, position) == float(shares[position])


@pytest.mark.proof
def test_a_map_of_a_changed_run_is_the_loop_over_its_patches_too(run):
    changed = run.intervene(
        Scaling(f"{CROSS}.context", 1.1, head=2), Patch("decoder.layers.0.cross_attn.q", PLURAL)
    )
    found = patching_map(changed, SENTENCE, PLURAL, step=4)
    target = changed.translate(SENTENCE)
    value = changed.trace(PLURAL).activations["src_embed.output"][0, 3]
    steer = tuple((value - changed.trace(SENTENCE).activations["src_embed.output"][0, 3]).tolist())
    patched = changed.intervene(Steering("src_embed.output", steer, positions=(3,)))
    tokens = [changed.encode_target(word)[0].item() for word in (found.own, found.donor)]
    own, donor = patched.trace(SENTENCE, target=target).logits[4, tokens].double().tolist()
    share = (donor - own - found.differences[0]) / (found.differences[1] - found.differences[0])
    assert found.share("src_embed.output", 3) == pytest.approx(share, abs=1e-4)
    assert found.differences != patching_map(run, SENTENCE, PLURAL, step=4).differences


def test_answers_of_other_lengths_are_compared_where_both_have_a_token(run):
    sentence, donor = "the cat often sleeps", "the cat never sleeps"
    own, other = run.trace(sentence), run.trace(donor)
    assert len(own.tgt_out) < len(other.tgt_out)
    for one, two in ((sentence, donor), (donor, sentence)):
        found = patching_map(run, one, two)
        target, taken = run.translate(one), min(len(own.tgt_out), len(other.tgt_out))
        # A single patch, made and traced by itself, gives the same share.
        word = Patch("src_embed.output", two, positions=(2,))
        tokens = [run.encode_target(token)[0].item() for token in (found.own, found.donor)]
        own_logit, donor_logit = (
            run.intervene(word).trace(one, target=target).logits[found.step, tokens].tolist()
        )
        start, end = found.differences
        expected = (donor_logit - own_logit - start) / (end - start)
        assert found.share("src_embed.output", 2) == pytest.approx(expected, abs=1e-4)
        for site, shares in zip(found.sites, found.shares, strict=True):
            n_known = int((~shares.isnan()).sum())
            is_target = len(shares) == len(found.target_tokens) and site.startswith(("tgt", "decoder"))
            assert n_known == (taken if is_target and ".cross_attn." not in site else len(shares))
    with pytest.raises(InputError, match="a step from 0 to 4, not 5"):
        patching_map(run, donor, sentence, step=5)


def test_a_changed_run_says_so(run):
    assert repr(run.intervene(Unmask("causal"))) == repr(run).removesuffix(">") + ", 1 change>"


def test_the_last_value_of_the_deciding_column_brings_everything_and_later_columns_nothing(run):
    found = patching_map(run, SENTENCE, PLURAL, step=4)
    last = found.sites[-1]
    assert last == "decoder.layers.1.cross_attn_add_norm.output"
    assert found.share(last, 4) == pytest.approx(1, abs=1e-5)
    assert found.share(last, 3) == pytest.approx(0, abs=1e-5)
    assert found.share("tgt_embed.output", 6) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("config", EXACT.values(), ids=EXACT)
def test_a_map_has_the_stream_after_each_attention_and_no_row_that_repeats_another(config):
    names = [site.name for site in patched_sites(random_model(config).sites())]
    after = "add_norm" if config.norm_position == "post" else "add"
    encoder = [f"encoder.layers.{i}.self_attn_{after}.output" for i in range(2)]
    decoder = [
        f"decoder.layers.{i}.{part}"
        for i in range(3)
        for part in (
            f"self_attn_{after}.output",
            "cross_attn.k",
            "cross_attn.v",
            f"cross_attn_{after}.output",
        )
    ]
    assert names == ["src_embed.output", *encoder, "tgt_embed.output", *decoder]


def test_a_map_says_how_far_it_is_and_may_be_stopped(run):
    seen = []
    found = patching_map(
        run, SENTENCE, PLURAL, progress=lambda *of: seen.append(of), stop=lambda: bool(seen), max_bytes=1
    )
    assert seen == [(1, 84)]
    assert sum(int((~row.isnan()).sum()) for row in found.shares) == 1
    assert found.step == 0


def test_sentences_that_cannot_be_compared_are_refused_with_a_sentence(run):
    for donor, step, sentence in (
        ("a dog sings", None, "needs 7 source tokens; this has 4"),
        (SENTENCE, None, "writes the same for both"),
        (PLURAL, 3, "the same token at step 3"),
        (PLURAL, 7, "a step from 0 to 6, not 7"),
    ):
        with pytest.raises(InputError, match=sentence):
            patching_map(run, SENTENCE, donor, step)
    with pytest.raises(InputError, match=r"no position 9 of 'src_embed\.output'"):
        patching_map(run, SENTENCE, PLURAL).share("src_embed.output", 9)
