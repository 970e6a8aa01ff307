"""What the decoding view shows equals what the model computes, for the shipped models."""

import numpy as np
import pytest
import torch

from core.activations.record import record
from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.models.translation import translate
from explorer.views.decoding.component import pack
from explorer.views.decoding.data import view_data
from explorer.visitor.state import Decoding, ExplorerState, Look

NAMES = ("copy", "en-fr")


@pytest.fixture(scope="module")
def runs():
    return {name: load_run(CHECKPOINTS / name) for name in NAMES}


def test_the_flagship_sentence_is_translated(runs):
    result = translate(runs["en-fr"], "the small cat does not sleep")
    assert result.output_tokens == ("le", "petit", "chat", "ne", "dort", "pas", "</s>")
    assert result.source_tokens == ("the", "small", "cat", "does", "not", "sleep", "</s>")


def test_the_numbers_are_those_of_an_ordinary_forward_pass(runs):
    run = runs["en-fr"]
    result = translate(run, "the man loves the small bird")
    src = run.encode_source("the man loves the small bird")[None]
    ids = [run.tgt_tokenizer.vocabulary.id(token) for token in result.output_tokens]
    tgt_in = torch.tensor([[run.config.bos_id, *ids[:-1]]])
    with torch.no_grad(), record(run.model) as activations:
        probs = run.model(src, tgt_in)[0].double().softmax(-1)
    for layer in range(2):
        for weights, site in (
            (result.weights, "decoder.layers.{}.cross_attn.weights"),
            (result.self_weights, "decoder.layers.{}.self_attn.weights"),
            (result.encoder_weights, "encoder.layers.{}.self_attn.weights"),
        ):
            assert np.array_equal(weights[layer], activations[site.format(layer)][0].numpy())
    assert result.output_ids == tuple(ids)
    assert result.log_prob == pytest.approx(
        sum(probs[t, i].log().item() for t, i in enumerate(ids)), rel=1e-6
    )
    for t, token_id in enumerate(ids):
        place = result.chosen[t]
        assert result.candidate_ids[t, place] == token_id
        assert result.candidate_probs[t, place] == pytest.approx(probs[t, token_id].item(), rel=1e-6)
        assert result.log_probs[t] == pytest.approx(probs[t, token_id].log().item(), rel=1e-5, abs=1e-7)
        expected = -(probs[t] * probs[t].log2()).sum().item()
        assert result.entropy_bits[t] == pytest.approx(expected, rel=1e-5)
        assert list(result.candidate_probs[t]) == sorted(result.candidate_probs[t], reverse=True)


def test_gold_positions_name_the_words_behind_each_token(runs):
    result = translate(runs["en-fr"], "the small cat does not sleep")
    assert result.gold is not None
    explained = [[result.source_tokens[j] for j in row] for row in result.gold]
    assert explained == [["the"], ["small"], ["cat"], ["does", "not"], ["sleep"], ["not"], ["</s>"]]


def test_a_sentence_outside_the_grammar_has_no_gold_and_says_so(runs):
    result = translate(runs["en-fr"], "cat cat cat")
    assert result.gold is None
    assert "outside the language" in result.gold_note


def test_shared_arrays_cannot_be_written_to(runs):
    result = translate(runs["copy"], "banana")
    with pytest.raises(ValueError, match="read-only"):
        result.weights[0, 0, 0, 0] = 1


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_answered_and_fits_the_view(runs, name):
    from explorer.models.task_facts import examples_of

    examples = examples_of(runs[name].task)
    assert len(examples) == 6
    for example in examples:
        result = translate(runs[name], example.source)
        state = ExplorerState(
            run=name,
            sentence=example.source,
            decoding=Decoding(step=999),
            look=Look(layer=9, head=9, gold=True),
        )
        data = view_data(runs[name], result, state)
        assert data.step == len(result.output_tokens) - 1
        assert (data.layer, data.head) == (runs[name].config.n_decoder_layers - 1, 3)
        assert len(pack(data)) < 100_000


@pytest.mark.parametrize("name", NAMES)
def test_examples_within_the_tasks_training_lengths_come_out_right(runs, name):
    from explorer.models.task_facts import examples_of, reference

    for example in examples_of(runs[name].task):
        if name == "copy" and len(example.source) > 10:
            continue
        pair = reference(runs[name].task, example.source)
        assert pair is not None
        assert runs[name].translate(example.source) == pair.target, example.title


def test_a_forced_token_is_followed_by_what_the_model_says_then(runs):
    run = runs["en-fr"]
    greedy = translate(run, "the small cats do not sleep")
    forced_id = run.tgt_tokenizer.vocabulary.id("chantent")
    result = translate(run, "the small cats do not sleep", (*greedy.output_ids[:4], forced_id))
    assert result.output_tokens == ("les", "petits", "chats", "ne", "chantent", "pas", "</s>")
    assert result.forced == (False, False, False, False, True, False, False)
    assert result.branch == result.prefix == result.output_ids[:5]
    assert result.key != greedy.key
    tgt_in = torch.tensor([[run.config.bos_id, *result.output_ids[:-1]]])
    with torch.no_grad():
        logits = run.model(run.encode_source("the small cats do not sleep")[None], tgt_in)[0].double()
    expected = -torch.nn.functional.cross_entropy(logits, torch.tensor(result.output_ids), reduction="sum")
    assert result.log_prob == pytest.approx(expected.item(), rel=1e-6)
    assert result.log_prob < greedy.log_prob


@pytest.mark.parametrize("length", range(7))
def test_forcing_what_greedy_takes_is_greedy(runs, length):
    greedy = translate(runs["en-fr"], "the small cats do not sleep")
    result = translate(runs["en-fr"], "the small cats do not sleep", greedy.output_ids[:length])
    assert result.branch == ()
    for name in ("output_ids", "forced", "log_prob", "chosen", "written"):
        assert getattr(result, name) == getattr(greedy, name)
    for name in (
        "weights",
        "self_weights",
        "encoder_weights",
        "log_probs",
        "candidate_probs",
        "entropy_bits",
    ):
        assert np.array_equal(getattr(result, name), getattr(greedy, name))


def test_a_view_of_the_encoder_counts_the_encoders_layers(runs):
    result = translate(runs["en-fr"], "the cat sleeps")
    state = ExplorerState(run="en-fr", sentence="the cat sleeps", look=Look(attention="encoder", layer=9))
    data = view_data(runs["en-fr"], result, state)
    assert (data.attention, data.layer) == ("encoder", runs["en-fr"].config.n_encoder_layers - 1)
