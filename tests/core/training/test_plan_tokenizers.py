"""A training of own pairs is planned with tokenizers that suit each side, and says what they lose."""

import pytest

from core.config import TrainConfig
from core.data.pairs import Cutting
from core.data.tasks.task import Pair
from core.errors import ConfigError
from core.training.arguments import CUTTING_FLAGS, given, options_of
from core.training.plan import plan_pairs

TRAINING = TrainConfig(n_train=60, n_validation=10, n_test=10)
SOUNDS = [
    Pair(a + b + c, f"{a.upper()} {b.upper()}0 {c.upper()}", ())
    for a in "bdgk"
    for b in "aeiou"
    for c in "ptmn"
]
SENTENCES = [Pair(f"{a} {b}", f"{b.title()} {a}.", ()) for a in "abcdefgh" for b in ("cat", "dog", "bird")]


def test_unlike_sides_share_no_matrix():
    description, dataset, remarks = plan_pairs(SOUNDS, TRAINING)
    assert (description.src_tokenizer.kind, description.tgt_tokenizer.kind) == ("character", "cased_word")
    assert not description.config.tie_embeddings
    assert remarks == ("Sources are cut into characters, targets into words.",)
    held_out = (*dataset.splits.validation, *dataset.splits.test)
    assert not any(description.src_tokenizer.unknown(pair.source) for pair in held_out)


def test_a_shared_matrix_needs_a_shared_vocabulary():
    with pytest.raises(ConfigError, match=r"characters, targets into words; switch tie_embeddings off"):
        plan_pairs(SOUNDS, TRAINING, {"tie_embeddings": True})
    one = plan_pairs(SOUNDS, TRAINING, {"tie_embeddings": True}, cutting=Cutting("character"))[0]
    assert one.config.tie_embeddings


def test_unknown_words_are_named_before_training():
    _, dataset, remarks = plan_pairs(SOUNDS, TRAINING, cutting=Cutting("word"))
    n_held_out = len(dataset.splits.validation) + len(dataset.splits.test)
    assert remarks[0].startswith("A token that was never seen, such as “")
    assert remarks[0].endswith(f"stands in {n_held_out} of {n_held_out} held-out sources.")


def test_a_lossy_tokenizer_is_announced_before_training():
    _, _, remarks = plan_pairs(SENTENCES, TRAINING, cutting=Cutting("lowercase-word"))
    assert remarks[0].startswith("24 of 24 targets do not survive this tokenizer (capital letters")
    assert not any("survive" in remark for remark in plan_pairs(SENTENCES, TRAINING)[2])


def test_flags_choose_the_tokenizer_of_each_side():
    typed = ["--pairs", "x.tsv", "--out", "runs/x", "--source-tokenizer", "character", "--tokenizer", "word"]
    cutting = Cutting(**given(options_of(typed), CUTTING_FLAGS))
    assert cutting.choices == ("character", "word")
