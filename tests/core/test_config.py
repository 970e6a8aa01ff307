"""Configurations refuse what is impossible, with the numbers in the sentence."""

import pytest

from core.config import DecodeConfig, TrainConfig, TransformerConfig
from core.errors import ConfigError


def config(**changes):
    return TransformerConfig(**{"src_vocab_size": 20, "tgt_vocab_size": 20, **changes})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"d_model": 100, "n_heads": 8}, "d_model 100 must be a multiple of n_heads 8"),
        ({"d_model": 15, "n_heads": 3}, "d_model 15 must be even"),
        ({"tgt_vocab_size": 21}, "the source has 20 tokens and the target 21"),
        ({"dropout": 1.0}, "dropout must be a number from 0 up to but not including 1, not 1.0"),
        ({"dropout": "much"}, "not 'much'"),
        ({"n_heads": 0}, "n_heads must be a whole number of at least 1, not 0"),
        ({"n_heads": True}, "not True"),
        ({"pad_id": 7, "bos_id": 8, "eos_id": 9}, "pad_id must be 0, not 7: <pad> has this id in every"),
        ({"bos_id": 0}, "bos_id must be 1, not 0: <s> has"),
        ({"eos_id": 3}, "eos_id must be 2, not 3: </s> has"),
        ({"src_vocab_size": 2, "tgt_vocab_size": 2}, "at least the 3 tokens <pad>, <s> and </s>"),
        ({"norm_position": "middle"}, "norm_position must be one of post, pre, not 'middle'"),
        ({"norm_position": "pre", "final_norm": False}, "needs final_norm"),
        ({"norm_eps": float("nan")}, "norm_eps must be a finite number above 0"),
        ({"norm_eps": 10**400}, "norm_eps must be a finite number above 0"),
        ({"activation": ["relu"]}, "activation must be one of"),
    ],
)
def test_impossible_models_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises(ConfigError, match=sentence):
        config(**changes)


def test_an_odd_width_is_possible_without_sinusoids():
    assert config(d_model=15, n_heads=3, positional="learned").d_head == 5


def test_base_is_the_papers_base_model():
    base = TransformerConfig.base(src_vocab_size=37000, tgt_vocab_size=37000)
    assert (base.n_encoder_layers, base.n_decoder_layers, base.n_heads) == (6, 6, 8)
    assert (base.d_model, base.d_head, base.d_ff, base.dropout) == (512, 64, 2048, 0.1)
    assert base.norm_position == "post"
    assert not base.has_final_norm


def test_base_unties_vocabularies_of_different_size():
    assert not TransformerConfig.base(src_vocab_size=10, tgt_vocab_size=12).tie_embeddings


def test_unknown_and_missing_settings_are_named():
    with pytest.raises(ConfigError, match="no setting 'd_modell'"):
        TransformerConfig.from_dict({"src_vocab_size": 9, "tgt_vocab_size": 9, "d_modell": 64})
    with pytest.raises(ConfigError, match="tgt_vocab_size"):
        TransformerConfig.from_dict({"src_vocab_size": 9})


@pytest.mark.parametrize("config_class", [TrainConfig, DecodeConfig])
def test_seeds_that_no_generator_takes_are_refused(config_class):
    with pytest.raises(ConfigError, match="seed must be at most"):
        config_class(seed=2**64)


def test_training_needs_updates_after_the_warmup():
    with pytest.raises(ConfigError, match="warmup_steps 100 must be below steps 100"):
        TrainConfig(steps=100, warmup_steps=100)


@pytest.mark.parametrize("temperature", [-0.1, float("inf"), float("nan"), "hot", 1e-40, 10**400])
def test_impossible_temperatures_are_refused(temperature):
    with pytest.raises(ConfigError, match="temperature must be 0, or from"):
        DecodeConfig(temperature=temperature)
