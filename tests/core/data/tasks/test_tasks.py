"""Laws that hold for every task."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tasks import TASKS, get_task
from core.errors import ConfigError

EVERY_TASK = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))


@EVERY_TASK
def test_a_task_is_found_by_its_own_name(task):
    assert get_task(task.name) is task


def test_an_unknown_task_is_refused_with_the_names():
    with pytest.raises(ConfigError, match=r"copy.*reverse.*en_fr.*'guess'"):
        get_task("guess")


@EVERY_TASK
def test_the_stream_depends_on_the_generator_alone(task):
    streams = [[task.sample(rng) for _ in range(50)] for rng in (random.Random(4), random.Random(4))]
    assert streams[0] == streams[1]
    assert streams[0] != [task.sample(random.Random(5)) for _ in range(50)]


@EVERY_TASK
@given(seed=st.integers())
def test_samples_are_whole(task, seed):
    pair = task.sample(random.Random(seed))
    src_tokenizer, tgt_tokenizer = task.tokenizers()
    n_source, n_target = len(src_tokenizer.encode(pair.source)), len(tgt_tokenizer.encode(pair.target))
    assert 0 < n_source <= task.max_source_tokens
    assert len(pair.alignment) == n_target
    for positions in pair.alignment:
        assert positions
        assert list(positions) == sorted(set(positions))
        assert set(positions) <= set(range(n_source))


@EVERY_TASK
@given(seed=st.integers())
def test_samples_are_in_the_vocabulary_and_decode_to_themselves(task, seed):
    pair = task.sample(random.Random(seed))
    for tokenizer, text in zip(task.tokenizers(), (pair.source, pair.target), strict=True):
        assert tokenizer.unknown(text) == []
        assert tokenizer.normalize(text) == text
        assert tokenizer.decode(tokenizer.encode(text)) == text


@EVERY_TASK
@given(seed=st.integers())
def test_the_reference_of_a_sample_is_the_sample(task, seed):
    pair = task.sample(random.Random(seed))
    assert task.reference(pair.source) == pair


@EVERY_TASK
@given(text=st.text())
def test_any_text_has_a_reference_or_none(task, text):
    pair = task.reference(text)
    assert pair is None or task.reference(pair.source) == pair


@EVERY_TASK
@given(seed=st.integers())
def test_sources_are_made_of_the_source_words(task, seed):
    words = task.source_words()
    assert list(words) == sorted(set(words))
    assert set(task.tokenizers()[0].tokenize(task.sample(random.Random(seed)).source)) <= set(words)


@EVERY_TASK
def test_names_and_sentences_are_short_and_whole(task):
    assert task.description.endswith(".")
    assert 20 < len(task.description) <= 120
    for name in (task.title, task.source_name, task.target_name):
        assert 0 < len(name) <= 30
        assert name[0].isupper()


def test_titles_differ_and_only_translations_are_text():
    assert len({task.title for task in TASKS.values()}) == len(TASKS)
    assert [name for name, task in TASKS.items() if task.is_text] == ["en_de_numbers", "en_fr"]


@EVERY_TASK
def test_both_sides_share_one_tokenizer(task):
    source, target = task.tokenizers()
    assert source is target
    assert task.tokenizers()[0] == source


@EVERY_TASK
def test_six_examples_are_in_the_language_and_say_why(task):
    assert len(task.examples) == 6
    assert len({example.title for example in task.examples}) == 6
    for example in task.examples:
        reference = task.reference(example.source)
        assert reference is not None
        assert reference.source == example.source
        assert len(task.tokenizers()[0].encode(example.source)) <= task.max_source_tokens
        assert 20 < len(example.why) <= 140
        assert example.why.endswith(".")
