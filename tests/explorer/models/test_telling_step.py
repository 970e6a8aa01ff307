"""On which step a decoding rests before anybody has chosen one."""

import numpy as np
import pytest

from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.models.recorded import record_translation
from explorer.models.task_facts import examples_of
from explorer.models.telling_step import telling_step
from explorer.models.translation import Translation, translate

MODELS = ("copy", "reverse", "sort", "dates", "en-de-numbers", "en-fr")


@pytest.fixture(scope="module", params=MODELS)
def run(request):
    return load_run(CHECKPOINTS / request.param)


@pytest.fixture(scope="module")
def en_fr():
    return load_run(CHECKPOINTS / "en-fr")


def read_at_rest(translation: Translation) -> tuple[str, str]:
    """The token that the resting step writes, and the source token that it reads most."""
    step = translation.telling_step
    return translation.output_tokens[step], translation.source_tokens[
        int(translation.weights[-1].mean(0)[step].argmax())
    ]


@pytest.mark.parametrize(
    ("sentence", "at_rest"),
    [
        ("the small cat does not sleep", ("dort", "sleep")),
        ("the child does not drink any water", ("boit", "drink")),
        ("the small white mice are happy", ("blanches", "white")),
    ],
)
def test_a_translation_rests_where_a_verb_or_adjective_is_found_at_another_place(en_fr, sentence, at_rest):
    assert read_at_rest(translate(en_fr, sentence)) == at_rest


def test_the_first_example_rests_on_dort(en_fr):
    first = examples_of("en_fr")[0].source
    translation = translate(en_fr, first)
    assert translation.telling_step == 4
    assert record_translation(en_fr, first, translation).telling_step == 4, "all pages rest alike"


@pytest.mark.proof
def test_every_example_of_every_model_rests_on_a_token_that_was_read_from_the_source(run):
    for example in examples_of(run.task):
        translation = translate(run, example.source)
        step, mean = translation.telling_step, translation.weights[-1].mean(0)
        assert translation.output_ids[step] != run.config.eos_id, example.source
        assert mean[step].argmax() < mean.shape[1] - 1, f"{example.source}: it reads EOS"
        assert record_translation(run, example.source, translation).telling_step == step


def test_a_number_with_unit_and_ten_rests_on_the_crossing():
    run = load_run(CHECKPOINTS / "en-de-numbers")
    assert read_at_rest(translate(run, "forty-two thousand three hundred and sixty-seven")) in (
        ("zwei", "two"),
        ("·vierzig", "forty"),
        ("·sechzig", "sixty"),
    )


def test_copied_letters_rest_on_one_that_is_not_the_first():
    run = load_run(CHECKPOINTS / "copy")
    for text in ("cat", "banana", "level"):
        assert translate(run, text).telling_step > 0


def test_forced_tokens_have_a_resting_step_of_their_own(en_fr):
    words = en_fr.tgt_tokenizer.vocabulary
    forced = translate(en_fr, "the small cat does not sleep", [words.id("la"), words.id("petite")])
    assert forced.output_tokens[:2] == ("la", "petite")
    assert forced.output_ids[forced.telling_step] != en_fr.config.eos_id


def test_an_output_of_the_end_token_alone_rests_on_it(en_fr):
    ended = translate(en_fr, "the small cat does not sleep", [en_fr.config.eos_id])
    assert (ended.output_tokens, ended.telling_step) == (("</s>",), 0)


def made_up(*rows: tuple[float, ...]) -> np.ndarray:
    """Weights of two heads whose mean these rows are; the last column is that of EOS."""
    mean = np.array(rows, dtype=np.float32)
    return np.stack([mean + 0.01, mean - 0.01])


@pytest.mark.parametrize(
    ("weights", "ended", "step"),
    [
        pytest.param(made_up((0.9, 0, 0.1), (0, 0.8, 0.2), (0, 0.95, 0.05)), True, 0, id="not EOS"),
        pytest.param(
            made_up((0.9, 0, 0.1), (0.02, 0.9, 0.08)), False, 1, id="never the first of two equal ones"
        ),
        pytest.param(made_up((0.9, 0, 0.1), (0.3, 0.6, 0.1)), False, 0, id="the first where it is sharper"),
        pytest.param(made_up((0.9, 0, 0.1), (0.8, 0.1, 0.1), (0.4, 0.6, 0)), False, 2, id="read once"),
        pytest.param(made_up((0.9, 0, 0, 0.1), (0, 0, 0.6, 0.4)), False, 1, id="found at another place"),
        pytest.param(made_up((0.1, 0.1, 0.8), (0.3, 0.2, 0.5)), False, 1, id="EOS read by all"),
        pytest.param(made_up((0.4, 0.3, 0.3), (0.3, 0.4, 0.3)), False, 1, id="nothing is read sharply"),
        pytest.param(made_up((0.5, 0.5)), True, 0, id="one step that ends"),
        pytest.param(made_up((0.7, 0.3)), False, 0, id="one step that does not"),
        pytest.param(np.full((2, 3, 4), np.nan), True, 1, id="a model that has diverged"),
    ],
)
def test_the_step_is_the_sharpest_on_a_word_of_its_own(weights, ended, step):
    assert telling_step(weights, ended=ended) == step


@pytest.mark.parametrize(
    ("gold", "step"), [(None, 2), (((0,), (1,), (1,)), 0), (((0,), (1,), (2,)), 2), ((), 2)]
)
def test_word_with_two_target_tokens_gives_no_step(gold, step):
    """The second word is read sharply by one step alone, and yet two tokens come from it by the gold alignment."""
    weights = made_up((0.9, 0.05, 0.05, 0), (0.4, 0.45, 0.1, 0.05), (0, 0.95, 0.05, 0))
    assert telling_step(weights, ended=False, gold=gold) == step
