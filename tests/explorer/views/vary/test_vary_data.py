"""One varied token: which one, against which rivals, what is marked in an output, and what its picture may report."""

from dataclasses import replace

import numpy as np
import pytest

from core.data.vocabulary import Vocabulary
from core.run import Run
from explorer.models.decodings import translation_of
from explorer.models.known import loaded_run
from explorer.models.sources import N_SOURCES, learned_sources
from explorer.models.translation import Translation
from explorer.views.vary.component import EVENTS, Part, Used, Varied, VaryData
from explorer.views.vary.data import Branch, _parts, compute_sweep, rivals_of, varied_position, vary_data
from explorer.visitor.scope import DEFAULT_RUN
from explorer.visitor.state import Decoding, ExplorerState

SENTENCE = "the small cat does not sleep"
STEP = 4
CAT, SLEEP = 2, 5


@pytest.fixture(scope="module")
def run() -> Run:
    return loaded_run(DEFAULT_RUN)


@pytest.fixture(scope="module")
def shown(run) -> Translation:
    return translation_of(run, SENTENCE)


@pytest.fixture(scope="module")
def data(run, shown) -> VaryData:
    rivals = rivals_of(shown, ())
    sweep = compute_sweep(run, SENTENCE, shown, CAT, rivals, lambda: learned_sources(DEFAULT_RUN))
    return vary_data(run, shown, sweep, rivals, step=STEP)


def id_of(run: Run, word: str) -> int:
    return run.tgt_tokenizer.vocabulary.id(word)


def test_the_varied_token_is_the_chosen_one_or_the_one_that_the_step_reads_most(shown):
    state = ExplorerState(run=DEFAULT_RUN, sentence=SENTENCE)
    read = shown.weights[-1].mean(axis=0)
    assert varied_position(state, shown, STEP) == read[STEP].argmax() == SLEEP
    assert varied_position(state, shown, 2) == CAT
    # The last step reads the end, which is no token that could be another.
    assert read[-1].argmax() == len(shown.source_tokens) - 1
    assert varied_position(state, shown, shown.last_step) == read[-1, :-1].argmax()
    assert varied_position(replace(state, decoding=Decoding(varied=1)), shown, STEP) == 1
    assert varied_position(replace(state, decoding=Decoding(varied=99)), shown, STEP) == SLEEP


def test_weights_of_a_broken_model_still_name_a_token(shown):
    broken = replace(shown, weights=np.full_like(shown.weights, np.nan))
    assert varied_position(ExplorerState(run=DEFAULT_RUN, sentence=SENTENCE), broken, STEP) == 0


def test_without_a_branch_the_rival_is_the_most_probable_other_token(shown):
    for step, each in enumerate(rivals_of(shown, ())):
        others = {
            token: prob
            for token, prob in zip(shown.candidate_ids[step], shown.candidate_probs[step], strict=True)
            if token not in (shown.output_ids[step], Vocabulary.pad_id, Vocabulary.bos_id)
        }
        assert (each.own, each.origin) == (shown.output_ids[step], "")
        assert each.other == max(others, key=others.__getitem__)


def test_a_branch_that_leaves_at_a_step_names_the_rival_there_and_nowhere_else(run, shown):
    begun = shown.output_ids[:STEP]
    eats, plays = id_of(run, "mange"), id_of(run, "joue")
    plain = rivals_of(shown, ())
    branches = [Branch("", (*begun, eats)), Branch("plays", (*begun, plays, 5, 6))]
    found = rivals_of(shown, branches)
    assert (found[STEP].other, found[STEP].origin) == (plays, "plays")
    assert [each for t, each in enumerate(found) if t != STEP] == [
        each for t, each in enumerate(plain) if t != STEP
    ]
    found = rivals_of(shown, [*branches, Branch("reference", (*begun, eats, 5))])
    assert (found[STEP].other, found[STEP].origin) == (eats, "reference")


@pytest.mark.parametrize(
    ("before", "now", "parts"),
    [
        ("le chat dort", "le chat dort", [("le chat dort", "same")]),
        ("le chat dort", "le chien dort", [("le", "same"), (" chien", "other"), (" dort", "same")]),
        ("le chat dort", "le dort", [("le", "same"), (" chat", "missing"), (" dort", "same")]),
        ("le chat dort", "le chat ne dort pas", [
            ("le chat", "same"), (" ne", "other"), (" dort", "same"), (" pas", "other"),
        ]),
        ("le chat dort", "", [("le chat dort", "missing")]),
    ],
)  # fmt: skip
def test_an_output_is_marked_where_it_is_another_and_where_something_is_missing(run, before, now, parts):
    tokenizer = run.tgt_tokenizer
    found = _parts(tokenizer, tokenizer.encode(before), tokenizer.encode(now))
    assert list(found) == [Part(text, mark) for text, mark in parts]


@pytest.mark.proof
def test_the_picture_has_a_row_for_each_noun_and_marks_the_sentences_own(run, shown, data):
    assert data.values[data.own] == "cat"
    assert {"dog", "girl", "bird"} <= set(data.values)
    assert (data.kind, data.n_sources, data.own_pairs) == ("neighbours", N_SOURCES, False)
    assert data.sentences == tuple(f"the small {value} does not sleep" for value in data.values)
    assert data.outputs[data.own].parts == (Part("le petit chat ne dort pas", "same"),)
    girl = data.outputs[data.values.index("girl")]
    assert girl.parts == (Part("la petite fille", "other"), Part(" ne dort pas", "same"))
    assert girl.ended


@pytest.mark.proof
def test_the_numbers_of_the_sentences_own_row_are_those_of_its_decoding(shown, data):
    own = data.rival_probs[data.own]
    np.testing.assert_allclose(own[:, 0], np.exp(shown.log_probs), atol=1e-6)
    assert data.log_prob[data.own] == pytest.approx(shown.log_prob, abs=1e-5)
    best = [data.tokens[token] for token in data.best_ids[data.own]]
    assert tuple(best) == shown.output_tokens


@pytest.mark.proof
def test_a_noun_decides_the_article_and_each_output_is_that_of_its_sentence_alone(run, data):
    for row, sentence in enumerate(data.sentences):
        alone = translation_of(run, sentence)
        assert "".join(
            part.text for part in data.outputs[row].parts if part.mark != "missing"
        ) == run.translate(sentence)
        assert data.log_prob[row] == pytest.approx(alone.log_prob, abs=1e-4)
        assert data.tokens[data.best_ids[row, 0]] == alone.output_tokens[0]


@pytest.mark.proof
def test_reports_are_read_where_they_fit(data):
    position, used = EVENTS
    payload = {"key": data.key, "report": 9}
    assert position.parse({**payload, "position": 3}, data) == Varied(3)
    for wrong in (6, -1, True, "3", None):
        assert position.parse({**payload, "position": wrong}, data) is None
    assert position.parse({**payload, "key": "another", "position": 3}, data) is None
    assert used.parse({**payload, "value": 1, "position": CAT, "step": 3}, data) == Used(1, 3)
    assert used.parse({**payload, "value": len(data.values), "position": CAT, "step": 3}, data) is None
    # The rows were those of another position when they were pressed.
    assert used.parse({**payload, "value": 1, "position": SLEEP, "step": 3}, data) is None


def test_a_letter_needs_no_sources():
    run = loaded_run("sort")
    shown = translation_of(run, "cat")
    sweep = compute_sweep(run, "cat", shown, 1, rivals_of(shown, ()), pytest.fail)
    assert len(sweep.possible.values) == 26
