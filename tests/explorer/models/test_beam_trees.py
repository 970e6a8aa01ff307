"""The tree of a beam search: its numbers against the model's own, its shape, and what is said of it."""

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
import torch

from core.data.tasks import TASKS
from core.run import Run, load_run
from explorer.look.theme import format_log_prob
from explorer.models.beam_trees import (
    BEAM_EXAMPLES,
    EXAMPLE_PENALTY,
    EXAMPLE_WIDTH,
    BeamTree,
    search,
    verdict,
)
from explorer.models.known import CHECKPOINTS, RECORDED
from tests.optional import unwrap

SENTENCE = "the two old dogs do not sing"
WON = BEAM_EXAMPLES["en_fr"].source
"""Where greedy decoding loses."""
ADJECTIVES = ("sad", "old", "red", "big", "new", "cold", "blue", "happy", "young", "tired", "strange")
SEARCHES = [
    ("en-fr", SENTENCE, 3, 0.9),
    ("en-fr", WON, 4, 0.6),
    ("en-fr", "", 2, 0.6),  # That of `awkward`.
    ("en-de-numbers", "ten seventy", 5, 0.0),
    ("reverse", "kgqntdglisu", 2, 2.0),
]


@cache
def run_of(name: str) -> Run:
    return load_run(CHECKPOINTS / name)


@cache
def tree_of(name: str, text: str, width: int, length_penalty: float) -> BeamTree:
    return search(run_of(name), text, width=width, length_penalty=length_penalty)


@cache
def teacher_forced(name: str, text: str, ids: tuple[int, ...]) -> torch.Tensor:
    """Log-probabilities [target position, vocab] of a whole pass over bos and these ids."""
    run = run_of(name)
    tgt_in = torch.tensor([[run.config.bos_id, *ids]])
    with torch.no_grad():
        return run.model(run.encode_source(text)[None], tgt_in)[0].double().log_softmax(dim=-1)


@cache
def awkward() -> str:
    """A source whose search drops greedy's path, whatever the weights: no sentence, so the model is unsure of it."""
    fragments = (
        f"the {adjective} {verb}" for adjective in ADJECTIVES for verb in ("arrive", "waits", "sleep")
    )
    trees = ((text, tree_of("en-fr", text, 2, 0.6)) for text in fragments)
    return next(
        text
        for text, tree in trees
        if tree.end == "settled" and any(node.fate == "outside" for node in tree.nodes)
    )


@pytest.fixture(params=SEARCHES, ids=lambda s: f"{s[0]}-{s[1]}-{s[2]}-{s[3]}")
def searched(request) -> tuple[BeamTree, str, str]:
    """A tree with its model and source."""
    name, text, width, penalty = request.param
    text = text or awkward()
    return tree_of(name, text, width, penalty), name, text


@pytest.mark.proof
def test_every_number_of_the_tree_is_what_teacher_forcing_gives(searched):
    tree, name, text = searched
    for place, node in enumerate(tree.nodes):
        ids = tree.ids(place)
        log_probs = teacher_forced(name, text, ids[:-1])[range(len(ids)), list(ids)]
        log_prob = float(log_probs.sum())
        assert node.token_log_prob == pytest.approx(float(log_probs[-1]), abs=1e-4)
        assert node.log_prob == pytest.approx(log_prob, abs=1e-4)
        assert node.score == pytest.approx(log_prob / ((5 + len(ids)) / 6) ** tree.length_penalty, abs=1e-4)


def test_ranks_count_the_better_continuations_of_all_that_was_kept(searched):
    tree, name, text = searched
    never = [run_of(name).config.pad_id, run_of(name).config.bos_id]
    for step in range(4):
        kept = [p for p, node in enumerate(tree.nodes) if node.step == step - 1 and node.fate == "kept"]
        before = [(tree.ids(place), tree.nodes[place].log_prob) for place in kept] if step else [((), 0.0)]
        scores = []
        for ids, log_prob in before:
            after = teacher_forced(name, text, ids)[-1].clone()
            after[never] = -torch.inf
            scores.append((after + log_prob) / ((6 + step) / 6) ** tree.length_penalty)
        everything = torch.cat(scores)
        ranked = [node for node in tree.nodes if node.step == step and node.rank is not None]
        assert [node.rank for node in ranked] == list(range(1, len(ranked) + 1))
        for node in ranked:
            assert int((everything > node.score + 2e-4).sum()) < node.rank
            assert int((everything > node.score - 2e-4).sum()) >= node.rank


def test_parents_exist_come_first_and_were_kept_unless_greedy_alone_went_on(searched):
    tree, *_ = searched
    for place, node in enumerate(tree.nodes):
        if node.parent is None:
            assert node.step == 0
            continue
        parent = tree.nodes[node.parent]
        assert node.parent < place
        assert parent.step == node.step - 1
        assert node.fate == "outside" or parent.fate == "kept"


def test_no_step_keeps_more_than_the_width_or_shows_more_than_twice_as_many_pruned(searched):
    tree, *_ = searched
    counts = Counter((node.step, node.fate) for node in tree.nodes)
    for (_, fate), count in counts.items():
        assert count <= {"kept": 1, "finished": 1, "pruned": 2, "outside": 1}[fate] * tree.width


def test_the_answer_is_the_best_that_ended(searched):
    tree, *_ = searched
    finished = [node.score for node in tree.nodes if node.fate == "finished"]
    scores = [tree.nodes[place].score for place in tree.n_best]
    assert scores == sorted(finished, reverse=True)[: tree.width]


def test_greedy_is_followed_to_its_end(searched):
    tree, name, text = searched
    path = [tree.nodes[place] for place in tree.greedy]
    assert [node.step for node in path] == list(range(len(path)))
    assert [node.parent for node in path] == [None, *tree.greedy[:-1]]
    assert path[-1].text == run_of(name).translate(text)
    outside = [node.fate == "outside" for node in path]
    assert outside == sorted(outside), "once outside, never back in the beam"
    assert sum(outside) == sum(node.fate == "outside" for node in tree.nodes)


def test_a_source_for_which_greedy_leaves_the_beam_is_among_these():
    assert any(node.fate == "outside" for node in tree_of("en-fr", awkward(), 2, 0.6).nodes)


@pytest.mark.parametrize(("name", "text"), [("en-fr", SENTENCE), ("en-fr", WON), ("sort", "cat")])
def test_a_beam_of_one_is_greedy(name, text):
    tree = tree_of(name, text, 1, 0.0)
    assert tree.n_best == (tree.greedy[-1],)
    assert {tree.nodes[place].fate for place in tree.greedy} == {"kept", "finished"}
    assert verdict(tree).startswith("Greedy finds the same output")


def test_ids_and_words_read_a_path_from_its_first_token():
    tree = tree_of("en-fr", SENTENCE, 3, 0.9)
    tokenizer = run_of("en-fr").tgt_tokenizer
    best = tree.n_best[0]
    assert tree.ids(best) == (*tree.words(best), tree.eos_id)
    assert tokenizer.decode(tree.words(best)) == tree.nodes[best].text == run_of("en-fr").translate(SENTENCE)
    kept = next(place for place, node in enumerate(tree.nodes) if node.fate == "kept" and node.step == 2)
    assert tree.words(kept) == tree.ids(kept)
    assert len(tree.ids(kept)) == 3


def test_every_search_has_a_name_of_its_own():
    keys = {tree_of("en-fr", WON, width, penalty).key for width in (1, 4) for penalty in (0.0, 0.6)}
    keys |= {tree_of("sort", "cat", 1, 0.0).key, tree_of("en-fr", SENTENCE, 1, 0.0).key}
    assert len(keys) == 6


def test_a_limit_that_stops_the_search_is_told(monkeypatch):
    with monkeypatch.context() as limited:
        limited.setattr("core.run_description.RunDescription.output_limit", 3)
        tree = search(run_of("en-fr"), SENTENCE, width=2, length_penalty=0.6)
    assert tree.end == "limit"
    assert {tree.nodes[place].fate for place in tree.n_best} == {"kept"}
    assert tree_of("en-fr", SENTENCE, 3, 0.9).end == "settled"


# The recorded training is that of a task which has a shipped model as well.
@pytest.mark.parametrize(
    "name",
    [
        path.name
        for path in sorted(CHECKPOINTS.iterdir())
        if (path / "run.json").exists() and path.name != RECORDED
    ],
)
def test_the_example_of_each_task_is_one_where_beam_search_wins(name):
    example = BEAM_EXAMPLES[run_of(name).task]
    tree = tree_of(name, example.source, EXAMPLE_WIDTH, EXAMPLE_PENALTY)
    best, greedy = tree.nodes[tree.n_best[0]], tree.nodes[tree.greedy[-1]]
    assert tree.beats_greedy
    assert best.text != greedy.text
    assert best.score > greedy.score + 0.05, "close calls may fall out otherwise on another machine"


@pytest.mark.parametrize(
    ("name", "greedy", "best"),
    [
        ("en-fr", "mes blanches blanc", "mon blanc"),
        ("dates", "2095-02-22", "2095-12-22"),
        ("en-de-numbers", "zehntausend", "zehnundsiebzig"),
        ("copy", "myclhkacrara", "myclhkacrar"),
        ("sort", "defmooprww", "deefmooprw"),
    ],
)
def test_what_is_said_of_the_examples_is_so(name, greedy, best):
    tree = tree_of(name, BEAM_EXAMPLES[run_of(name).task].source, EXAMPLE_WIDTH, EXAMPLE_PENALTY)
    assert (tree.nodes[tree.greedy[-1]].text, tree.nodes[tree.n_best[0]].text) == (greedy, best)


def test_in_the_example_that_both_get_wrong_both_are_wrong():
    source = BEAM_EXAMPLES["reverse"].source
    tree = tree_of("reverse", source, EXAMPLE_WIDTH, EXAMPLE_PENALTY)
    right = unwrap(TASKS["reverse"].reference(source)).target
    assert right not in {tree.nodes[tree.n_best[0]].text, tree.nodes[tree.greedy[-1]].text}


def test_the_sentence_names_both_scores():
    tree = tree_of("en-fr", WON, 4, 0.6)
    best, greedy = tree.nodes[tree.n_best[0]], tree.nodes[tree.greedy[-1]]
    assert verdict(tree) == (
        f"Beam search found an output that scores {format_log_prob(best.score, total=True)}; "
        f"greedy’s scores {format_log_prob(greedy.score, total=True)}."
    )


def test_the_sentence_says_when_a_beam_has_dropped_the_better_output():
    tree = tree_of("en-fr", awkward(), 2, 0.6)
    # As if the best two had never been found: a worse one leads the list.
    others = (place for place in range(len(tree.nodes)) if place not in tree.greedy)
    worst = min(others, key=lambda place: tree.nodes[place].score)
    said = verdict(replace(tree, n_best=(worst,)))
    score = tree.nodes[tree.greedy[-1]].score
    assert said.startswith(f"Greedy’s output scores {format_log_prob(score, total=True)}, better than the −")
    dropped = next(tree.nodes[p].step for p in tree.greedy if tree.nodes[p].fate == "pruned")
    assert said.endswith(f"this beam dropped it at step {dropped}.")


def test_equal_scores_are_not_called_better():
    tree = tree_of("en-fr", WON, 4, 0.6)
    nodes = list(tree.nodes)
    nodes[tree.n_best[0]] = replace(nodes[tree.n_best[0]], score=nodes[tree.greedy[-1]].score)
    even = replace(tree, nodes=tuple(nodes))
    assert not even.beats_greedy
    assert "score the same" in verdict(even)
