"""One text in several cuts: what each tokenizer makes of it, and the merges of byte-pair encoding replayed."""

from dataclasses import replace

import pytest

from core.data.tasks import TASKS
from core.data.tokenizers import BpeTokenizer, CharacterTokenizer
from core.data.vocabulary import EOS
from core.run_description import read_description
from explorer.models.known import CHECKPOINTS
from explorer.models.task_facts import examples_of
from explorer.models.tokenizations import N_MERGED, N_SOURCES, TITLES, cuts, learn_tokenizers, merging
from explorer.views.embedding.token_page import SPECIAL_TOKENS
from tests.optional import unwrap


@pytest.fixture(scope="module")
def run():
    return read_description(CHECKPOINTS / "en-fr")


@pytest.fixture(scope="module")
def learned(run):
    return learn_tokenizers(run)


TEXT = "the small cat does not sleep"


def test_the_models_own_cut_comes_first_with_the_ids_that_the_model_reads(run, learned):
    own, *others = cuts(run, learned, TEXT)
    assert own.own
    assert list(own.ids) == run.source_ids(TEXT)
    assert own.tokens == (*TEXT.split(), EOS)
    assert [cut.kind for cut in others] == ["character", "bpe"]
    assert not any(cut.own for cut in others)
    assert learned.n_sources == N_SOURCES


def test_every_cut_ends_with_the_end_token_and_is_the_whole_text(run, learned):
    own, characters, bpe = cuts(run, learned, TEXT)
    assert "".join(characters.tokens[:-1]) == TEXT
    assert "".join(bpe.tokens[:-1]) == "▁" + TEXT.replace(" ", "▁")
    for cut in (own, characters, bpe):
        assert cut.tokens[-1] == EOS
        assert cut.ids[-1] == 2
        assert len(cut.ids) == len(cut.tokens)
        assert max(cut.ids) < cut.vocabulary_size
        assert cut.n_unknown == 0
    assert len(own.tokens) < len(bpe.tokens) < len(characters.tokens)


def test_a_letter_model_learns_what_words_and_merges_would_be():
    run = read_description(CHECKPOINTS / "copy")
    learned = learn_tokenizers(run)
    own, words, bpe = cuts(run, learned, "zqxj")
    assert (own.kind, words.kind, bpe.kind) == ("character", "cased_word", "bpe")
    # No two random words are alike: a vocabulary of words knows none that it has not seen.
    assert words.tokens[0] == "zqxj"
    assert words.ids[0] == 3
    assert words.n_unknown == 1


@pytest.mark.sweep
@pytest.mark.parametrize("task", TASKS)
def test_every_shipped_tasks_examples_can_be_cut_and_merged(task):
    run = read_description(CHECKPOINTS / task.replace("_", "-"))
    learned = learn_tokenizers(run)
    for example in examples_of(task):
        found = cuts(run, learned, example.source)
        assert len({cut.kind for cut in found}) == len(found) >= 3
        assert {cut.kind for cut in found} <= set(TITLES)
        replayed = unwrap(merging(run, learned, example.source))
        (bpe,) = (cut for cut in found if cut.kind == "bpe")
        last = replayed.steps[-1].tokens if replayed.steps else replayed.start
        assert last == bpe.tokens[:-1]
        assert replayed.n_merges <= N_MERGED


@pytest.mark.proof
def test_a_byte_pair_model_replays_its_own_merges(run, learned):
    own = next(each for each in learned.others if isinstance(each, BpeTokenizer))
    bpe_run = replace(run, src_tokenizer=own)
    again = learn_tokenizers(bpe_run)
    assert [each.kind for each in again.others] == ["character", "cased_word"]
    assert unwrap(merging(bpe_run, again, TEXT)).own
    assert not unwrap(merging(run, learned, TEXT)).own


def test_nothing_is_replayed_for_an_endless_text_or_without_merges(run, learned):
    assert merging(run, learned, "cat " * 400) is None
    without = replace(
        learned, others=tuple(each for each in learned.others if isinstance(each, CharacterTokenizer))
    )
    assert merging(run, without, TEXT) is None


def test_a_run_of_an_unknown_task_is_compared_by_its_own_words(run):
    own = replace(run, task="somebody's own", probes=("the cat sleeps", "the cat sings"))
    found = cuts(own, learn_tokenizers(own), "the cat sleeps")
    assert [cut.kind for cut in found] == ["word", "character", "bpe"]
    assert all(cut.n_unknown == 0 for cut in found)


@pytest.mark.proof
def test_learning_is_the_same_each_time(run, learned):
    again = learn_tokenizers(run)
    assert [each.to_dict() for each in again.others] == [each.to_dict() for each in learned.others]


def test_the_special_tokens_are_told_with_their_ids(run):
    assert [(each.token, each.id) for each in SPECIAL_TOKENS] == list(
        zip(run.src_tokenizer.vocabulary.tokens[:4], range(4), strict=True)
    )
