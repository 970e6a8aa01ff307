"""Explanations: for any cell of any site, the terms give the recorded number, and every chain ends at a leaf."""

import math
import random
from dataclasses import replace

import pytest
import torch

from core.activations.trace import trace
from core.config import TrainConfig
from core.data.tokenizers import CharacterTokenizer
from core.data.vocabulary import Vocabulary
from core.decoding.autoregressive import decode_steps
from core.errors import InputError, UnknownSite
from core.explanation.evaluation import evaluate
from core.explanation.explain import explain
from core.explanation.explanation import IDS
from core.explanation.formula import Symbol
from core.explanation.operations import OPERATIONS
from core.explanation.origin import origin
from core.model.by_hand import SITES as SITES_BY_HAND
from core.model.parameters import count_parameters, find_parameter, named_parameters
from core.run import Run
from tests.core.conftest import EOS, TINY, random_model
from tests.core.variants import VARIANTS
from tests.marks import left_to_proofs
from tests.optional import unwrap

SHARED = {True: {"tgt_embed.weight", "generator.weight"}, False: set()}


def traced(config, seed=0):
    """A run with random weights, and the trace of one hypothesis of five tokens."""
    tokenizer = CharacterTokenizer(Vocabulary.build("abcdefghijklmno"))
    run = Run(
        name="random",
        task="copy",
        config=config,
        model=random_model(config, seed),
        src_tokenizer=tokenizer,
        tgt_tokenizer=tokenizer,
        train_config=TrainConfig(),
    )
    generator = torch.Generator().manual_seed(seed)
    src = torch.cat((torch.randint(4, 19, (6,), generator=generator), torch.tensor([EOS])))
    hypothesis = torch.cat((torch.randint(4, 19, (4,), generator=generator), torch.tensor([EOS])))
    return run, trace(run.model, src, hypothesis)


def random_index(rng, shape):
    return tuple(rng.randrange(size) for size in shape)


@pytest.mark.parametrize("name", left_to_proofs(VARIANTS, {"pre"}))
def test_random_cells_of_every_site_are_explained_and_agree(name):
    run, recorded = traced(VARIANTS[name])
    rng = random.Random(name)
    for site in run.model.sites():
        for _ in range(3):
            index = random_index(rng, recorded.activations[site.name].shape)
            explanation = explain(run, recorded, site.name, index)
            assert explanation.agrees, explanation
            assert explanation.recorded == float(recorded.activations[site.name][index])
            assert explanation.terms, "every computed number has terms"


@pytest.mark.proof
@pytest.mark.parametrize("name", left_to_proofs(["post", "pre", "learned", "untied"], {"pre"}))
def test_every_operand_is_a_cell_that_can_itself_be_explained(name):
    run, recorded = traced(VARIANTS[name])
    rng = random.Random(1)
    for site in run.model.sites():
        explanation = explain(
            run, recorded, site.name, random_index(rng, recorded.activations[site.name].shape)
        )
        operands = [operand for term in explanation.terms for operand in term.operands]
        operands += [explanation.selected_by] if explanation.selected_by else []
        for operand in operands:
            if operand.site:
                assert explain(run, recorded, operand.site, operand.index).recorded == operand.value


@pytest.mark.parametrize("name", left_to_proofs(VARIANTS, {"bfloat16"}))
def test_what_is_only_passed_on_has_its_origin_where_it_is_computed_or_learned(name):
    run, recorded = traced(VARIANTS[name])
    rng, passed_on = random.Random(name), set()
    for site in run.model.sites():
        index = random_index(rng, recorded.activations[site.name].shape)
        before = explain(run, recorded, site.name, index)
        there = explain(run, recorded, *origin(run, recorded, site.name, index))
        assert there.recorded == before.recorded
        assert there.terms == () or not isinstance(unwrap(there.formula).right, Symbol), (
            "nothing but another number"
        )
        assert there.kind == "computed" or not there.terms or before.kind == "masked"
        if (there.site, there.index) != (site.name, index):
            assert before.kind == "look-up" or isinstance(unwrap(before.formula).right, Symbol), before
            passed_on.add(site.value)
    assert {"masked_scores", "output"} <= passed_on


def test_a_masked_score_and_a_learned_number_are_their_own_origin():
    run, recorded = traced(TINY)
    masked = ("decoder.layers.0.self_attn.masked_scores", (0, 1, 0, 2))
    assert origin(run, recorded, *masked) == masked
    assert origin(run, recorded, masked[0], (0, 1, 2, 0)) == (
        "decoder.layers.0.self_attn.scores",
        (0, 1, 2, 0),
    )
    assert origin(run, recorded, "src", (0, 1)) == ("src", (0, 1))
    assert origin(run, recorded, "src_embed.weight", (3, 1)) == ("src_embed.weight", (3, 1))


def test_a_chain_of_explanations_ends_at_ids_and_learned_numbers():
    run, recorded = traced(TINY)
    rng = random.Random(2)
    leaves = set(named_parameters(run.model)) | set(IDS)
    for _ in range(20):
        explanation = explain(run, recorded, "generator.log_probs", (0, rng.randrange(5), rng.randrange(19)))
        for _ in range(200):
            nexts = [o for term in explanation.terms for o in term.operands if o.site]
            nexts += [explanation.selected_by] if explanation.selected_by else []
            if not nexts:
                break
            chosen = rng.choice(nexts)
            explanation = explain(run, recorded, chosen.site, chosen.index)
        assert explanation.site in leaves or explanation.site.endswith(".positions"), explanation.site


@pytest.mark.parametrize("name", ["post", "silu-no-bias", "learned", "untied"])
def test_every_parameter_can_be_looked_up_and_the_packed_projection_is_three(name):
    run, recorded = traced(VARIANTS[name])
    names = named_parameters(run.model)
    assert not any("in_proj" in name for name in names)
    assert sum(
        unwrap(find_parameter(run.model, name)).numel()
        for name in set(names) - SHARED[run.config.tie_embeddings]
    ) == (count_parameters(run.model))
    w_k = unwrap(find_parameter(run.model, "encoder.layers.0.self_attn.w_k"))
    assert torch.equal(w_k, run.model.encoder.layers[0].self_attn.in_proj.weight[24:48])
    rng = random.Random(3)
    for parameter in names:
        values = unwrap(find_parameter(run.model, parameter))
        index = random_index(rng, values.shape)
        explanation = explain(run, recorded, parameter, index)
        assert (explanation.kind, explanation.terms) == ("look-up", ())
        assert explanation.recorded == float(values[index])


def test_a_wrong_operand_would_be_noticed():
    run, recorded = traced(TINY)
    site = "decoder.layers.1.cross_attn.scores"
    explanation = explain(run, recorded, site, (0, 1, 2, 3))
    other = explain(run, recorded, site, (0, 1, 2, 4))
    assert not replace(explanation, recorded=other.recorded).agrees


def test_the_explained_score_is_the_unscaled_product_over_the_root_of_the_head_size():
    run, recorded = traced(TINY)
    explanation = explain(run, recorded, "encoder.layers.0.self_attn.scores", (0, 3, 1, 2))
    q, k = (recorded.activations[f"encoder.layers.0.self_attn.{name}"][0, 3] for name in "qk")
    assert explanation.total == pytest.approx(float(q[1] @ k[2]), abs=1e-12)
    assert explanation.divisor is not None
    assert evaluate(explanation.divisor, explanation.bound) == pytest.approx(math.sqrt(6))
    assert [operand.index[:3] for operand in explanation.terms[0].operands] == [(0, 3, 1), (0, 3, 2)]


def test_a_masked_cell_says_why():
    run, recorded = traced(TINY)
    masked = explain(run, recorded, "decoder.layers.0.self_attn.masked_scores", (0, 0, 1, 4))
    assert (masked.kind, masked.recorded) == ("masked", -math.inf)
    reason = explain(run, recorded, "decoder.layers.0.self_attn.mask", (0, 1, 4))
    assert [term.value for term in reason.terms] == [1.0, 0.0]
    weight = explain(run, recorded, "decoder.layers.0.self_attn.weights", (0, 0, 1, 4))
    assert weight.result == weight.recorded == 0.0


def test_the_loss_and_the_scores_of_a_hypothesis_are_explained():
    run, recorded = traced(TINY)
    loss = explain(run, recorded, "hypothesis.loss")
    expected = torch.nn.functional.cross_entropy(recorded.logits, recorded.tgt_out, label_smoothing=0.1)
    assert loss.agrees
    assert loss.result == pytest.approx(expected.item(), abs=1e-12)
    token = explain(run, recorded, "hypothesis.token_loss", (2,))
    assert token.agrees
    assert token.result == loss.terms[2].value
    assert sum(term.operands[0].value for term in token.terms) == pytest.approx(1.0)
    log_probs = recorded.logits.log_softmax(-1)
    total = log_probs.gather(1, recorded.tgt_out[:, None]).sum().item()
    assert explain(run, recorded, "hypothesis.log_prob").result == pytest.approx(total, abs=1e-12)
    assert explain(run, recorded, "hypothesis.log_prob").agrees
    score = explain(run, recorded, "hypothesis.score")
    assert score.result == pytest.approx(total / ((5 + 5) / 6) ** 0.6, abs=1e-12)


@pytest.mark.parametrize("name", ["post", "float32", "bfloat16"])
def test_a_probability_is_the_softmax_of_the_logits(name):
    run, recorded = traced(VARIANTS[name])
    expected = recorded.logits.softmax(-1)
    for step, token in ((0, 0), (2, 7), (4, 18)):
        probability = explain(run, recorded, "hypothesis.prob", (step, token))
        assert probability.agrees
        assert probability.recorded == expected[step, token].item()
        assert len(probability.terms) == run.config.tgt_vocab_size
        (operand,) = probability.terms[token].operands
        assert explain(run, recorded, operand.site, operand.index).recorded == operand.value
    assert explain(run, recorded, "hypothesis.prob", (-1, -1)).index == (4, 18)


@pytest.mark.proof
def test_the_log_probability_is_the_sum_of_the_decoding_steps():
    run, _ = traced(TINY)
    src = torch.tensor([5, 9, 4, EOS])
    steps = list(decode_steps(run.model, src[None]))
    recorded = trace(run.model, src, steps[-1].hypotheses[0])
    total = sum(step.log_prob.item() for step in steps)
    assert explain(run, recorded, "hypothesis.log_prob").result == pytest.approx(total, abs=1e-10)


@pytest.mark.proof
def test_every_operation_of_the_catalogue_has_an_explanation():
    used = {site.operation for config in VARIANTS.values() for site in random_model(config).sites()}
    used |= {site.operation for site in SITES_BY_HAND}
    assert used == set(OPERATIONS)


@pytest.mark.parametrize(
    ("site", "index", "error", "sentence"),
    [
        ("encoder.output", (0, 0), InputError, r"give 3 numbers, not 2"),
        ("encoder.output", (0, 7, 0), InputError, r"index \[0, 7, 0\] is outside of encoder\.output"),
        ("encoder.outputs", (0, 0, 0), UnknownSite, "is neither a site nor a parameter"),
        ("src", (0, 99), InputError, "outside of src"),
        ("hypothesis.loss", (1,), InputError, "takes 0 numbers"),
        ("hypothesis.token_loss", (5,), InputError, "outside of the 5 produced tokens"),
        ("hypothesis.prob", (0,), InputError, "takes 2 numbers"),
        ("hypothesis.prob", (5, 0), InputError, "outside of the 5 steps and 19 tokens"),
    ],
)
def test_what_is_not_there_is_refused_with_a_sentence(site, index, error, sentence):
    run, recorded = traced(TINY)
    with pytest.raises(error, match=sentence):
        explain(run, recorded, site, index)


def test_negative_indices_count_from_the_end():
    run, recorded = traced(TINY)
    assert explain(run, recorded, "encoder.output", (0, -1, -1)).index == (0, 6, 23)


def test_an_operand_that_was_not_recorded_is_named():
    run, recorded = traced(TINY)
    only = trace(run.model, recorded.src, recorded.tgt_out, "*.cross_attn.weights", "*.cross_attn.context")
    with pytest.raises(UnknownSite, match=r"cross_attn\.v' was not recorded"):
        explain(run, only, "decoder.layers.0.cross_attn.context", (0, 0, 0, 0))


def test_an_id_is_explained_by_its_token():
    run, recorded = traced(TINY)
    explanation = explain(run, recorded, "src", (0, 6))
    assert explanation.meaning == "The id of the token “</s>” in the vocabulary."
