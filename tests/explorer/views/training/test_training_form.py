"""The form that starts a training: what it begins with, what is made of it, and what cannot be started."""

from dataclasses import replace

import pytest

from core.config import TrainConfig, TransformerConfig
from core.data.pairs import Cutting
from core.data.tasks import TASKS
from core.errors import ConfigError, ExplorerError, InputError
from core.model.transformer import Transformer
from core.presets import preset
from core.run import load_run
from core.training.expected_time import PartTimes
from core.training.own_pairs import PAIRS
from explorer.server.limits import MOST_HANDED_OVER, Limits
from explorer.trainings.expected import typical_lengths
from explorer.views.training.controls import FIRST_ROW, MODEL_ROWS, TRAINING_ROWS, form_problem
from explorer.views.training.form import (
    MODEL_SETTINGS,
    MOST_UPDATES,
    TASK_NAMES,
    TRAINING_SETTINGS,
    describe,
    describe_train_on,
    first_values,
    is_usual,
    size_sentence,
    time_sentence,
    title_of,
    usual_settings,
    values_on,
)
from explorer.views.training.form_words import in_form_words
from explorer.views.training.own_pairs import (
    NamedText,
    PairsRequest,
    UploadedPairs,
    prepare_own_pairs,
    read_uploaded,
)
from explorer.views.training.own_pairs_controls import TOKENIZERS
from tests.explorer.own_runs import train_pairs
from tests.optional import unwrap

LINES = "\n".join(f"red{i} cat{j}\tcat{j} red{i}" for i in range(10) for j in range(10))


def own(text: str = LINES, tokenizer: str = "word", seed: int = 0):
    return prepare_own_pairs(PairsRequest(file_of(text), cutting=Cutting(tokenizer), seed=seed))


def file_of(text: str | bytes, name: str = "pairs.tsv") -> UploadedPairs:
    return UploadedPairs((NamedText(text if isinstance(text, bytes) else text.encode(), name),))


def pasted(text: str) -> UploadedPairs:
    return file_of(text, "")


@pytest.mark.parametrize("task", [name for name in TASK_NAMES if name != PAIRS])
def test_a_form_begins_with_the_preset_but_looks_more_often(task):
    values = first_values(task)
    description = describe(task, values)
    known = preset(task).training
    config = description.train_config
    assert (config.steps, config.peak_learning_rate, config.warmup_steps, config.n_train) == (
        known.steps, known.peak_learning_rate, known.warmup_steps, known.n_train,
    )  # fmt: skip
    assert all(getattr(description.config, name) == value for name, value in preset(task).model.items())
    assert config.steps / config.validate_every >= 8
    assert is_usual(task, values)
    assert is_usual(task, values | {"seed": 5})
    assert not is_usual(task, values | {"d_model": 32})


def test_every_choice_reaches_the_run():
    changes = {
        "d_model": 48, "n_heads": 6, "n_encoder_layers": 2, "n_decoder_layers": 3, "d_ff": 96, "dropout": 0.2,
        "norm_position": "pre", "positional": "none", "activation": "gelu", "tie_embeddings": False,
        "steps": 77, "batch_size": 5, "n_train": 123, "schedule": "constant", "peak_learning_rate": 0.01,
        "warmup_steps": 3, "label_smoothing": 0.0, "validate_every": 11, "patience": 4, "seed": 9,
    }  # fmt: skip
    assert set(changes) == set(first_values("copy"))
    description = describe("copy", changes)
    for name, value in changes.items():
        holder = description.config if hasattr(description.config, name) else description.train_config
        assert getattr(holder, name) == value


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"d_model": 63}, "d_model 63 must be a multiple of n_heads 4"),
        ({"d_model": 15, "n_heads": 5}, "must be even"),
        ({"steps": 70}, "warmup_steps 70 must be below steps 70"),
        ({"schedule": "paper", "warmup_steps": 0}, "needs warmup_steps of at least 1"),
        ({"schedule": "inverse_sqrt", "warmup_steps": 0}, "needs warmup_steps of at least 1"),
        ({"patience": -1}, "patience must be a whole number of at least 0"),
        ({"norm_position": "sideways"}, "norm_position must be one of"),
        ({"d_model": "64"}, "d_model must be a whole number"),
    ],
)
def test_what_is_impossible_is_a_sentence(changes, sentence):
    with pytest.raises(ConfigError, match=sentence):
        describe("copy", first_values("copy") | changes)


def test_the_size_is_that_of_the_model_which_is_not_built():
    description = describe("copy", first_values("copy"))
    count = sum(parameter.numel() for parameter in Transformer(description.config).parameters())
    assert size_sentence(description).startswith(f"{count:,} parameters. ")
    assert f"{16 * count / 2**20:,.1f} MiB" in size_sentence(description)


def test_own_pairs_are_reported_on():
    first = LINES.splitlines()[0]
    found = own(f"{LINES}\nalone\t\n{first}\nred1\tred1\n")
    said = " ".join(found.remarks)
    assert "81 pairs for training, 10 for validation, 10 for the test." in said
    assert "The vocabulary has 24 tokens: words." in said
    assert found.longest == (2, 2)


def test_what_was_pasted_is_not_called_a_file():
    assert (
        read_uploaded(pasted(LINES)).report.sentences()[0]
        == "The pasted text has 100 pairs (tab-separated, 2 columns)."
    )


@pytest.mark.parametrize("letter", ["a", "\N{GRINNING FACE}"])
def test_of_a_paste_that_the_browser_has_cut_nobody_says_how_long_it_was(letter):
    units = len(letter.encode("utf-16-le")) // 2
    cut = letter * (MOST_HANDED_OVER // units)
    with pytest.raises(InputError, match=f"The pasted text has at least {len(cut):,} characters, and"):
        read_uploaded(pasted(cut))
    with pytest.raises(InputError, match=f"The pasted text has {len(cut) - 2:,} characters, and"):
        read_uploaded(pasted(cut[2:]))


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_own_pairs_are_cut_as_chosen(tokenizer):
    found = own(tokenizer=tokenizer)
    kinds = {"auto": "cased_word", "word": "cased_word", "lowercase-word": "word"}
    assert found.description.src_tokenizer.kind == kinds.get(tokenizer, tokenizer)


def test_targets_can_be_cut_by_another_choice():
    cutting = Cutting("word", target_tokenizer="character")
    found = prepare_own_pairs(PairsRequest(file_of(LINES), cutting=cutting))
    kinds = found.description.src_tokenizer.kind, found.description.tgt_tokenizer.kind
    assert kinds == ("cased_word", "character")
    assert "Sources are cut into words, targets into characters." in found.remarks
    assert not describe(PAIRS, first_values(PAIRS), found).config.tie_embeddings


def test_settings_of_own_pairs_leave_their_split_alone():
    found = own(seed=3)
    values = first_values(PAIRS) | {"seed": 8, "n_train": 10, "steps": 400, "d_model": 32, "batch_size": 16}
    description = describe(PAIRS, values, found)
    splits, config = found.dataset.splits, description.train_config
    assert (config.n_train, config.n_validation, config.n_test) == (
        len(splits.train), len(splits.validation), len(splits.test),
    )  # fmt: skip
    # Its pairs were dealt out by this one.
    assert config.seed == 3
    assert (config.steps, config.batch_size, config.bucket_batches) == (400, 16, 16)
    assert description.config.d_model == 32
    assert description.config.src_vocab_size == len(description.src_tokenizer.vocabulary)
    assert description.probes == found.description.probes != ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Bring a file"),
        ("  \n\t\n", "Bring a file"),
        ("no tab in here", "no"),
        ("a b\tb a\nb a\ta b", "at least"),
        ("\0\0\tx", "not plain text"),
        ("x" * 2_100_000, "larger than 2 MB"),
    ],
)
def test_pairs_that_cannot_be_used_are_a_sentence(text, sentence):
    with pytest.raises(InputError, match=sentence):
        own(text)


def test_markup_in_a_file_is_nothing_but_text():
    found = own(LINES + "\n<b>bold</b> **x**\t![i](http://x.y/z.png)")
    assert any(
        "<b>bold</b>" in pair.source
        for pair in (
            *found.dataset.splits.train,
            *found.dataset.splits.validation,
            *found.dataset.splits.test,
        )
    )
    assert not any("<b>" in remark for remark in found.remarks)


def test_own_pairs_have_to_be_brought():
    with pytest.raises(ExplorerError, match="Bring pairs of your own"):
        describe(PAIRS, first_values(PAIRS))


def test_every_task_has_a_title_and_few_enough_updates():
    titles = [title_of(task) for task in TASK_NAMES]
    assert len(set(titles)) == len(titles)
    assert all(usual_settings(task).training.steps <= MOST_UPDATES for task in TASK_NAMES)


def test_the_time_of_a_training_is_told_with_its_validations_where_it_was_measured():
    training = replace(usual_settings("reverse").training, steps=300, validate_every=25)
    times = PartTimes(update=0.02, validation=0.5, test=1.0)
    assert time_sentence(times, training) == (
        "On a free core of this machine this takes about 13 s: "
        "6 s for the updates, 7 s for 12 validations and the test."
    )
    assert "2 s for one validation and the test" in time_sentence(
        times, replace(training, validate_every=300)
    )
    assert "for one validation and" in time_sentence(times, replace(training, validate_every=500))
    assert "for 4 validations and" in time_sentence(times, replace(training, validate_every=90))
    assert time_sentence(None, training) == ""


@pytest.mark.parametrize("task", TASKS)
def test_typical_lengths_are_those_of_the_tasks_examples(task):
    source, target = typical_lengths(describe(task, first_values(task)))
    assert 2 <= source <= 40
    assert 2 <= target <= 40


def test_pairs_to_measure_with_are_brought_beside_the_others_and_left_out_of_the_training():
    test = "red0 cat0\tcat0 red0\nred1 red1\tcat1 red1\n"
    found = prepare_own_pairs(PairsRequest(file_of(LINES), test=file_of(test)))
    counts = found.description.train_config
    assert (counts.n_train, counts.n_validation, counts.n_test) == (90, 9, 2)
    said = " ".join(found.remarks)
    assert "pairs.tsv has 2 pairs" in said
    assert "Left out of the training: 1 with a source that is also in the validation or test pairs" in said


def test_pairs_to_measure_with_are_read_by_the_columns_of_the_others():
    rows = "\n".join(
        f"red{i} cat{j}\t{'ab'[j % 2]}{'a' * (i % 2)}\tcat{j} red{i}" for i in range(10) for j in range(10)
    )
    few = "big cat\tinformal\tcat big\nbig dog\tformal\tdog big\n"
    found = prepare_own_pairs(PairsRequest(file_of(rows), file_of(few), file_of(few.replace("big", "wet"))))
    splits = found.dataset.splits
    assert [pair.target for pair in splits.validation] == ["cat big", "dog big"]
    assert [pair.target for pair in splits.test] == ["cat wet", "dog wet"]


def test_each_side_can_have_its_own_vocabulary_and_shares_no_matrix_then():
    found = prepare_own_pairs(
        PairsRequest(file_of(LINES.replace("\tcat", "\tKATZE")), cutting=Cutting(separate=True))
    )
    assert "The vocabulary of the sources has" in " ".join(found.remarks)
    assert not describe(PAIRS, first_values(PAIRS), found).config.tie_embeddings


def test_a_server_takes_as_much_of_ones_pairs_as_its_settings_say():
    limits = Limits(pairs_count=80, pairs_tokens=60)
    many = "\n".join(f"red{i} dog{i} cat{j}\tcat{j} red{i}" for i in range(10) for j in range(10))
    found = prepare_own_pairs(PairsRequest(file_of(many)), limits)
    assert len(found.dataset.splits.train) == 64
    long = "\n".join(f"{'a ' * 50}{n}\t{n}" for n in range(20))
    assert (
        prepare_own_pairs(
            PairsRequest(file_of(long), cutting=Cutting("word", max_tokens=60)), limits
        ).longest[0]
        == 51
    )
    with pytest.raises(InputError, match="larger than"):
        prepare_own_pairs(PairsRequest(file_of(LINES)), Limits(pairs_bytes=100))


def test_a_form_begins_within_the_limits_of_its_server():
    limits = Limits(is_public=True, most_updates=700)
    assert first_values(PAIRS, limits)["steps"] == 700
    assert describe("reverse", first_values("reverse", limits)).train_config.steps <= 700


@pytest.mark.proof
def test_a_run_that_is_trained_on_keeps_its_model_and_its_pairs(tmp_path):
    folder = train_pairs(tmp_path)
    parent = load_run(folder)
    values = values_on(parent) | {"steps": 500}
    same = describe_train_on(parent, values, None)
    assert (same.config, unwrap(same.parent).fingerprint) == (parent.config, parent.fingerprint)
    assert same.train_config.n_train == parent.train_config.n_train
    assert (same.train_config.steps, same.updates, dict(same.evaluation)) == (500, 0, {})
    text = "\n".join(f"{a} word {n}\tone {a} more" for a in "abcdefgh" for n in range(4))
    others = prepare_own_pairs(PairsRequest(file_of(text), seed=3), parent=parent)
    described = describe_train_on(parent, values, others)
    assert described.src_tokenizer is parent.src_tokenizer
    assert described.train_config.n_train == len(others.dataset.splits.train) != parent.train_config.n_train


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: TrainConfig(steps=300, warmup_steps=300),
            "Warm-up 300 must be below Updates 300: nothing would be left to decay.",
        ),
        (lambda: small_model(d_model=50, n_heads=4), "Width 50 must be a multiple of Heads 4"),
        (lambda: TrainConfig(steps=0), "Updates must be a whole number of at least 1, not 0."),
        (
            lambda: TrainConfig(schedule="paper", warmup_steps=0),
            "The paper's schedule needs Warm-up of at least 1: its rates follow from them.",
        ),
        (lambda: small_model(tgt_vocab_size=8), "make them one or switch Tie embeddings off."),
    ],
)
def test_form_problem_uses_the_labels_of_the_fields(make, said):
    with pytest.raises(ConfigError) as caught:
        make()
    assert said in form_problem(caught.value)


def small_model(**settings: int) -> TransformerConfig:
    return TransformerConfig.from_dict({"src_vocab_size": 9, "tgt_vocab_size": 9, **settings})


def test_form_problem_leaves_the_name_of_a_file_alone():
    assert form_problem(InputError("“steps 300.tsv” has no pair")) == "“steps 300.tsv” has no pair."


def test_file_is_called_by_its_own_name():
    assert (
        own_file("mein Wortschatz.txt").report.sentences()[0].startswith("mein Wortschatz.txt has 100 pairs")
    )
    with pytest.raises(InputError, match=r"^empty\.dict has no line with a pair"):
        read_uploaded(file_of("# nothing\n", "empty.dict"))


def own_file(name: str):
    return read_uploaded(file_of(LINES, name))


def test_file_beyond_the_limit_names_the_limit_and_its_variable():
    limits = Limits(pairs_bytes=1_000_000)
    with pytest.raises(
        InputError,
        match=r"large\.tsv is larger than 1 MB, the most that this server reads.*EXPLORER_PAIRS_MB",
    ):
        read_uploaded(file_of("a\tb\n" * 375_000, "large.tsv"), limits)
    with pytest.raises(InputError, match="EXPLORER_MOST_UPLOAD_MB"):
        read_uploaded(
            file_of("a\tb\n" * 375_000, "large.tsv"),
            replace(limits, pairs_bytes=10**8, most_upload=10**6),
        )


def test_every_setting_of_the_form_has_a_field_in_sight():
    """The warm-up must be shorter than the updates, so that both are shown together."""
    assert {"steps", "warmup_steps"} <= set(FIRST_ROW)
    rows = [name for row in (FIRST_ROW, *MODEL_ROWS, *TRAINING_ROWS) for name in row]
    assert sorted(rows) == sorted((*MODEL_SETTINGS, *TRAINING_SETTINGS))


def test_two_files_answer_each_other_line_by_line():
    texts = (NamedText(b"red\nblue\n", "words.en"), NamedText(b"rot\nblau\n", "words.de"))
    found = read_uploaded(UploadedPairs(texts))
    assert [(pair.source, pair.target) for pair in found.pairs] == [("red", "rot"), ("blue", "blau")]
    with pytest.raises(InputError, match="3 files were brought; bring one file of pairs, or two"):
        read_uploaded(UploadedPairs((*texts, texts[0])))


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("choose one, such as --tokenizer character.", "choose one, such as Characters under Tokens."),
        ("or give two files (--source-file, --target-file)", "or give two files (both at once)"),
        ("keep the ones that matter, or raise --max-pairs", "EXPLORER_PAIRS_COUNT"),
        (
            "--keep-spaces keeps all spaces, as code needs them.",
            "“Keep every space”, under “Tokens in detail”, keeps",
        ),
    ],
)
def test_flags_become_words_of_the_form(sentence, said):
    assert said in in_form_words(sentence)
    assert "--" not in in_form_words(sentence)
