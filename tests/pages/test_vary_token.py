"""Vary one token, under the decoding of Step by step: what it shows, another token, and a value as the sentence."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.substitution import alternatives, vary_token
from core.run import load_run
from explorer.models.known import loaded_run, shipped_runs
from explorer.models.sources import learned_sources
from explorer.views.vary.component import vary_view
from explorer.visitor.scope import DEFAULT_RUN
from tests.app_tests import another_server
from tests.explorer.own_runs import train_pairs
from tests.marks import left_to_proofs
from tests.pages import opening
from tests.pages.opening import choose_step, header_of, message_of, query_of

VIEW = "vary_token"
SENTENCE = "the small cat does not sleep"


def open_page(**query: str) -> AppTest:
    return opening.open_page("pages/generation/step_by_step.py", **query)


def numbers_of(app: AppTest) -> dict[str, np.ndarray]:
    """The numbers behind the header of the picture's message."""
    message = message_of(app, VIEW)
    found, layout = {}, header_of(app, VIEW)["arrays"]
    sizes = [int(np.prod(shape)) for _, shape in layout]
    body = np.frombuffer(message[len(message) - 4 * sum(sizes) :], "<f4")
    for (name, shape), size, start in zip(layout, sizes, np.cumsum([0, *sizes]), strict=False):
        found[name] = body[start : start + size].reshape(shape)
    return found


def report(app: AppTest, event: str, **what) -> AppTest:
    told = {"key": header_of(app, VIEW)["key"], **what}
    return opening.after_report(app, event, told, page="step-by-step", part=vary_view.path)


def chosen(app: AppTest) -> str:
    header = header_of(app, VIEW)
    return header["source_tokens"][header["position"]]


def test_the_picture_holds_what_the_core_computes():
    app = open_page(sentence=SENTENCE, vary="2", step="4")
    header, numbers = header_of(app, VIEW), numbers_of(app)
    run = loaded_run(DEFAULT_RUN)
    src = run.encode_source(SENTENCE)
    ids, learned = src.tolist()[:-1], learned_sources(DEFAULT_RUN)
    values = alternatives(run.src_tokenizer, ids, 2, lambda: learned.contexts)
    assert header["values"] == [run.src_tokenizer.vocabulary.token(value) for value in values.values]
    assert values.values[header["own"]] == ids[2]
    target = header_of(app, "step_by_step")["output_ids"]
    pairs = [(each["own"], each["other"]) for each in header["rivals"]]
    found = vary_token(run.model, src, 2, values.values, target, pairs, max_length=50)
    np.testing.assert_allclose(numbers["rival_probs"], found.rival_probs, atol=1e-7)
    np.testing.assert_allclose(numbers["best_probs"], found.best_probs, atol=1e-7)
    np.testing.assert_allclose(numbers["log_prob"], found.log_prob, atol=1e-6)
    assert header["best_ids"] == found.best_ids.tolist()
    assert (header["step"], query_of(app)["vary"]) == (4, "2")


def test_it_begins_with_what_the_step_reads_most_and_another_token_goes_into_the_link():
    app = open_page(sentence=SENTENCE, step="4")
    assert chosen(app) == "sleep"
    assert "vary" not in query_of(app)
    assert chosen(choose_step(app, 2, report=3)) == "cat"
    app = report(app, "varied", position=3)
    assert (chosen(app), query_of(app)["vary"]) == ("does", "3")
    assert chosen(choose_step(app, 4, report=8)) == "does"


def test_a_value_becomes_the_sentence_and_goes_on_being_varied():
    app = open_page(sentence=SENTENCE, vary="2", step="0")
    dog = header_of(app, VIEW)["values"].index("dog")
    app = report(app, "used", value=dog, position=2, step=3)
    assert query_of(app) == {"sentence": "the small dog does not sleep", "step": "3", "vary": "2"}
    header = header_of(app, VIEW)
    assert (header["values"][header["own"]], header["position"], header["step"]) == ("dog", 2, 3)
    assert opening.bar_of(app)["value"] == "the small dog does not sleep"


def test_another_sentence_forgets_which_token_was_varied():
    app = opening.submit(open_page(sentence=SENTENCE, vary="2"), "the cats sleep")
    assert "vary" not in query_of(app)


def test_a_forced_branch_is_what_is_varied_and_greedy_is_its_rival():
    run = loaded_run(DEFAULT_RUN)
    begun = run.tgt_tokenizer.encode("le petit chat ne mange")
    app = open_page(sentence=SENTENCE, vary="2", step="4", prefix="-".join(map(str, begun)))
    header = header_of(app, VIEW)
    assert header["n_forced"] == len(begun)
    rivals = header["rivals"][4]
    assert (header["tokens"][str(rivals["own"])], header["tokens"][str(rivals["other"])]) == ("mange", "dort")
    assert rivals["origin"] == "greedy"
    for output in header["outputs"]:
        text = "".join(part["text"] for part in output["parts"] if part["mark"] != "missing")
        assert text.startswith("le petit chat ne mange")


def test_the_reference_is_the_rival_where_it_leaves():
    run = loaded_run(DEFAULT_RUN)
    eats = "-".join(map(str, run.tgt_tokenizer.encode("le petit chat ne mange")))
    app = open_page(sentence=SENTENCE, step="4", branches=f"{eats}:reference")
    header = header_of(app, VIEW)
    rivals = header["rivals"][4]
    assert (header["tokens"][str(rivals["other"])], rivals["origin"]) == ("mange", "reference")


@pytest.mark.parametrize("name", left_to_proofs(shipped_runs(), {"copy"}))
def test_every_shipped_model_can_be_varied_in_each_of_its_places(name):
    app = open_page(model=name)
    header = header_of(app, VIEW)
    for position in range(len(header["source_tokens"])):
        header = header_of(open_page(model=name, vary=str(position)), VIEW)
        assert header["position"] == position
        assert header["values"][header["own"]] == header["source_tokens"][position]
        assert len(header["values"]) > 1


SUMS = "\n".join(
    f"{one}{sign}{two}\t{sign}{one + two}" for one in range(10) for two in range(5) for sign in "+-"
)


@pytest.mark.proof
def test_a_run_of_own_pairs_is_varied_by_its_digits_and_by_its_own_training_sources(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))
    another_server()
    folder = train_pairs(tmp_path, "sums", text=SUMS, tokenizer="character")
    header = header_of(open_page(model="sums", sentence="3+4", vary="0"), VIEW)
    assert (header["kind"], header["values"]) == ("digits", list("0123456789"))
    assert header["sentences"][7] == "7+4"
    header = header_of(open_page(model="sums", sentence="3+4", vary="1"), VIEW)
    assert sorted(header["values"]) == ["+", "-"]
    assert (header["own_pairs"], header["n_sources"]) == (True, load_run(folder).train_config.n_train)
    another_server()
