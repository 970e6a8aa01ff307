"""The shipped models do on held-out sources what is written beside them."""

import pytest

from checkpoints.make import HERE, RECIPES, report
from core.data.batching import encode_pairs
from core.data.splits import split_pairs
from core.data.tasks import get_task
from core.run import load_run
from core.training.evaluation import evaluate


@pytest.mark.parametrize("name", RECIPES)
def test_a_shipped_model_is_right_on_sources_that_it_never_saw(name):
    run = load_run(HERE / name)
    training = run.train_config
    splits = split_pairs(
        get_task(run.task), training.seed, training.n_train, training.n_validation, training.n_test
    )
    assert not {pair.source for pair in splits.train} & {pair.source for pair in splits.test}
    some = encode_pairs(splits.test[:300], run.src_tokenizer, run.tgt_tokenizer)
    assert evaluate(run.model, some).exact_match >= RECIPES[name].least_exact_match
    assert run.evaluation["n_pairs"] >= 1000
    assert run.evaluation["exact_match"] >= RECIPES[name].least_exact_match


def test_the_table_of_shipped_models_is_the_one_that_their_files_give():
    assert (HERE / "README.md").read_text(encoding="utf-8") == report(HERE)
