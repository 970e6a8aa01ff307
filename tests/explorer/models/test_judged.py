"""Is this right? What is known of the answer to a source, and an output beside it."""

import pytest

from core.data.tasks import TASKS, get_task
from core.run_description import read_description
from explorer.models.judged import Answer, answer_to, judge
from explorer.models.known import known_runs, run_folder
from tests.explorer.random_recording import random_recording
from tests.optional import unwrap

EOS = "</s>"
RUNS = {run.task: name for name, run in reversed(known_runs().items())}


def description(name):
    return read_description(run_folder(name))


@pytest.mark.parametrize("task", TASKS)
def test_every_example_of_every_task_has_its_right_answer(task):
    run = description(RUNS[task])
    for example in get_task(task).examples:
        answer = answer_to(RUNS[task], run, example.source)
        right = unwrap(get_task(task).reference(example.source)).target
        assert answer.target == right
        assert right in answer.sentence
        output = (*run.tgt_tokenizer.tokenize(right), EOS)
        assert judge(answer, run.tgt_tokenizer, output).verdict == "right"


@pytest.mark.parametrize(
    ("task", "source", "label"),
    [
        ("en_fr", "always good books", "outside the grammar"),
        ("dates", "31 february 2010", "not such a date"),
        ("en_de_numbers", "ten seventy", "not such a number"),
        ("copy", "", "outside the task"),
    ],
)
def test_a_source_without_a_right_answer_is_said_to_be_outside(task, source, label):
    answer = answer_to(RUNS[task], description(RUNS[task]), source)
    judged = judge(answer, description(RUNS[task]).tgt_tokenizer, ("x", EOS))
    assert (answer.target, judged.verdict, judged.label, judged.should) == (None, "unknown", label, ())
    assert "nobody here knows its right answer" in answer.sentence


@pytest.mark.parametrize(
    ("output", "wrong", "missing"),
    [
        # Another word, one that is left out as a dropped "today" is, one too many, and no end.
        (("le", "chien", "dort", EOS), "0100", "0100"),
        (("le", "dort", EOS), "000", "0100"),
        (("le", "chat", "chat", "dort", EOS), "01000", "0000"),
        (("le", "chat", "dort"), "000", "0001"),
        ((), "", "1111"),
    ],
)
def test_what_differs_is_marked_on_both_sides(output, wrong, missing):
    answer = Answer("le chat dort", "test pair", "")
    judged = judge(answer, description(RUNS["en_fr"]).tgt_tokenizer, output)
    assert (judged.verdict, judged.label) == ("wrong", "not right, test pair")
    assert judged.should == ("le", "chat", "dort", EOS)
    assert ["".join(map(str, map(int, each))) for each in (judged.wrong, judged.missing)] == [wrong, missing]


def test_a_task_that_this_program_does_not_have_is_outside():
    run = random_recording().run
    assert answer_to("random", run, "w1 w2").note == "outside the task"


def test_every_accepted_answer_is_right():
    tokenizer = description(RUNS["en_fr"]).tgt_tokenizer
    answer = Answer("le chat dort", "", "", others=("le chien dort",))
    outputs = ("le chat dort", "le chien dort", "le chat chante")
    verdicts = [judge(answer, tokenizer, (*text.split(), EOS)).verdict for text in outputs]
    assert verdicts == ["right", "right", "wrong"]
