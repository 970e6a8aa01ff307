"""The visitor's state: a link reopens the same view, and a bad link falls back with a sentence."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.config import TrainConfig
from core.data.tasks import get_task
from core.run_description import RunDescription
from core.training.plan import model_config
from explorer.tensors import CellPlace
from explorer.visitor.forms import MAX_BRANCHES, MAX_NAME, MAX_TRAIL, Branch
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.state import (
    Beam,
    Cut,
    Decoding,
    ExperimentChoice,
    ExplorerState,
    Inspector,
    Look,
    Sampling,
    UpdateChoice,
    back_on_trail,
    choose_block,
    choose_branch,
    choose_experiment,
    choose_run,
    choose_sentence,
    choose_site,
    choose_update,
    choose_varied,
    choose_varied_sentence,
    default_state,
    explain_cell,
    follow_operand,
    keep_branch,
    remove_branch,
)
from tests.states import with_choices


def description(name: str, task_name: str) -> RunDescription:
    task = get_task(task_name)
    src, tgt = task.tokenizers()
    return RunDescription(
        name=name,
        task=task_name,
        config=model_config(*task.tokenizers()),
        src_tokenizer=src,
        tgt_tokenizer=tgt,
        train_config=TrainConfig(),
        max_source_tokens=task.max_source_tokens,
    )


RUNS = {"copy": description("copy", "copy"), "en-fr": description("en-fr", "en_fr")}
FIRST = get_task("en_fr").examples[0].source


def test_without_a_query_the_default_models_first_example_is_shown():
    state, notices = state_from_query({}, RUNS)
    assert state == ExplorerState(run="en-fr", sentence=FIRST)
    assert notices == ()
    assert query_of(state, RUNS) == {}


@pytest.mark.parametrize(
    "state",
    [
        ExplorerState(run="en-fr", sentence="the cats sleep"),
        ExplorerState(
            run="copy", sentence="hello", decoding=Decoding(step=3), look=Look(layer=1, head=0, gold=True)
        ),
        ExplorerState(run="copy", sentence=get_task("copy").examples[0].source, look=Look(head=3)),
        ExplorerState(run="en-fr", sentence=FIRST, decoding=Decoding(step=0)),
        ExplorerState(
            run="en-fr", sentence=FIRST, look=Look(attention="encoder"), decoding=Decoding(prefix=(12, 45))
        ),
        ExplorerState(
            run="en-fr",
            sentence=FIRST,
            decoding=Decoding(
                prefix=(12, 46),
                branches=(Branch((12, 45), "the other & more"), Branch((7,)), Branch((9, 8, 7), "é")),
            ),
        ),
        ExplorerState(
            run="copy", sentence="hello", sampling=Sampling(temperature=0.35, top_k=5, top_p=0.9, seed=77)
        ),
        ExplorerState(
            run="copy",
            sentence="hello",
            depth="code",
            decoding=Decoding(prefix=(12, 2)),
            look=Look(position=3, stage="scores"),
        ),
        ExplorerState(
            run="copy",
            sentence="hello",
            look=Look(
                trail=(
                    CellPlace("generator.logits", (0, 2, 5)),
                    CellPlace("encoder.layers.0.self_attn.w_q", (1, 2)),
                )
            ),
        ),
        ExplorerState(run="copy", sentence="hello", look=Look(trail=(CellPlace("hypothesis.score", ()),))),
        ExplorerState(
            run="copy",
            sentence="hello",
            sampling=Sampling(temperature=0.0),
            beam=Beam(width=12, length_penalty=0.0),
        ),
        ExplorerState(run="copy", sentence="hello", look=Look(block="decoder.cross_attn", layer=1)),
        ExplorerState(run="copy", sentence="hello", look=Look(block="encoder")),
        ExplorerState(
            run="en-fr", sentence=FIRST, experiment=ExperimentChoice(key="longer-words", predicted="see")
        ),
        ExplorerState(
            run="en-fr",
            sentence=FIRST,
            experiment=ExperimentChoice(
                key="no-mask", predicted="2", arms=("abcd0123", "00000000", "zzzzzzzz")
            ),
        ),
        ExplorerState(run="copy", sentence="hello", update=UpdateChoice(key="checkpoint-1250", pair=63)),
    ],
)
def test_a_link_reopens_the_same_view(state):
    assert state_from_query(query_of(state, RUNS), RUNS) == (state, ())


def test_tokens_may_stand_in_a_link_for_their_ids():
    query = {"prefix": "la-petite", "branches": "les:many", "explain": "generator.log_probs-0-4-dort"}
    state, notices = state_from_query(query, RUNS)
    token_id = RUNS["en-fr"].tgt_tokenizer.vocabulary.id
    assert notices == ()
    assert state.decoding.prefix == (token_id("la"), token_id("petite"))
    assert state.decoding.branches == (Branch((token_id("les"),), "many"),)
    assert state.look.trail == (CellPlace("generator.log_probs", (0, 4, token_id("dort"))),)


def test_a_digit_in_a_link_is_an_id_though_it_is_a_token_too():
    runs = {**RUNS, "dates": description("dates", "dates")}
    assert "7" in runs["dates"].tgt_tokenizer.vocabulary
    state, notices = state_from_query({"model": "dates", "prefix": "7"}, runs)
    assert (state.decoding.prefix, notices) == ((7,), ())


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"model": "../../etc"}, "names a model that is not here"),
        ({"sentence": "the dragon sleeps"}, "could not be used. The model does not know “dragon”"),
        ({"sentence": ""}, "Type at least one word"),
        ({"sentence": "the " * 400}, "24 words at most"),
        ({"layer": "2"}, "The link's layer cannot be used"),
        ({"head": "-1"}, "The link's head cannot be used"),
        ({"step": "٣"}, "The link's step cannot be used"),
        ({"step": "1e3"}, "The link's step cannot be used"),
        ({"attention": "all"}, "The link's attention cannot be used"),
        ({"block": "encoder.cross_attn"}, "The link's block cannot be used"),
        ({"block": "decoder.layers"}, "The link's block cannot be used"),
        ({"block": "decoder.self_attn\n"}, "The link's block cannot be used"),
        ({"prefix": "12-x"}, "The link's prefix cannot be used"),
        ({"prefix": "12-1"}, "The link's prefix cannot be used"),
        ({"prefix": "12-2-12"}, "The link's prefix cannot be used"),
        ({"explain": "a/b"}, "The link's explain cannot be used"),
        ({"explain": "generator.logits-0-x"}, "The link's explain cannot be used"),
        ({"experiment": "../x"}, "The link's experiment cannot be used"),
        ({"predicted": "12"}, "The link's predicted cannot be used"),
        ({"arms": "abcd0123-"}, "The link's arms cannot be used"),
        ({"arms": "-".join(["abcd0123"] * 9)}, "The link's arms cannot be used"),
        ({"depth": "abyss"}, "The link's depth cannot be used"),
        ({"stage": "Scores!"}, "The link's stage cannot be used"),
        ({"position": "-1"}, "The link's position cannot be used"),
        ({"prefix": "99999"}, "The link's prefix cannot be used"),
        ({"prefix": "-".join(["9"] * 2000)}, "The link's prefix cannot be used"),
        ({"branches": "12:a;;"}, "The link's branches cannot be used"),
        ({"branches": "12:a:b"}, "The link's branches cannot be used"),
        ({"temperature": "-1"}, "The link's temperature cannot be used"),
        ({"temperature": "nan"}, "The link's temperature cannot be used"),
        ({"top_p": "0"}, "The link's top_p cannot be used"),
        ({"top_k": "9999"}, "The link's top_k cannot be used"),
        ({"beam": "0"}, "The link's beam cannot be used"),
        ({"beam": "500"}, "The link's beam cannot be used"),
        ({"penalty": "3"}, "The link's penalty cannot be used"),
        ({"update": "seed-"}, "The link's update cannot be used"),
        ({"update": "seed-5\n"}, "The link's update cannot be used"),
        ({"pair": "-1"}, "The link's pair cannot be used"),
    ],
)
def test_what_cannot_be_used_falls_back_with_a_sentence(query, sentence):
    state, notices = state_from_query(query, RUNS)
    assert state == default_state(RUNS)
    assert len(notices) == 1
    assert sentence in notices[0]


def test_the_rest_of_a_link_survives_one_bad_part():
    state, notices = state_from_query({"model": "copy", "sentence": "abc", "head": "99", "step": "2"}, RUNS)
    assert (state.run, state.sentence, state.decoding.step, state.look.head) == ("copy", "abc", 2, None)
    assert len(notices) == 1


KEYS = st.sampled_from(
    ["model", "sentence", "step", "layer", "head", "gold", "attention", "prefix", "branches", "temperature",
     "top_k", "top_p", "seed", "beam", "penalty", "depth", "explain", "stage", "position", "block", "site", "other"]
)  # fmt: skip
VALUES = st.text(max_size=80) | st.from_regex(r"[0-9]{1,3}([-:;.][0-9a-z ]{0,3}){0,4}", fullmatch=True)


@given(st.dictionaries(KEYS, VALUES))
def test_no_query_breaks_the_state_and_what_is_kept_is_stable(query):
    state, _ = state_from_query(query, RUNS)
    assert state.run in RUNS
    RUNS[state.run].source_ids(state.sentence)
    assert state_from_query(query_of(state, RUNS), RUNS) == (state, ())


def test_another_model_starts_with_its_own_first_example():
    state = choose_run(ExplorerState(run="en-fr", sentence=FIRST, look=Look(layer=1, head=2)), "copy", RUNS)
    assert (state.run, state.sentence) == ("copy", get_task("copy").examples[0].source)
    assert (state.look.layer, state.look.head, state.decoding.step) == (None, None, None)
    assert choose_run(state, "nothing", RUNS) is state


def test_another_sentence_keeps_the_head_and_starts_over():
    before = ExplorerState(
        run="en-fr", sentence=FIRST, decoding=Decoding(step=4), look=Look(layer=1, head=2, gold=True)
    )
    after = choose_sentence(before, "the cats sleep", typed=True)
    assert after == replace(before, sentence="the cats sleep", decoding=replace(before.decoding, step=None))
    assert choose_sentence(before, "x", typed=False).sentence_id == before.sentence_id + 1


BEFORE = ExplorerState(
    run="en-fr", sentence=FIRST, decoding=Decoding(step=2, prefix=(12,), branches=(Branch((7,), "first"),))
)


def test_another_branch_keeps_the_one_before():
    after = choose_branch(BEFORE, (12, 45))
    assert after.decoding.prefix == (12, 45)
    assert after.decoding.branches == (Branch((7,), "first"), Branch((12,)))
    # Back and forth adds nothing twice, and a name is not lost.
    assert choose_branch(choose_branch(after, (12,)), (12, 45)).decoding.branches == after.decoding.branches
    assert choose_branch(after, (7,)).decoding.branches == (
        Branch((7,), "first"),
        Branch((12,)),
        Branch((12, 45)),
    )
    assert choose_branch(BEFORE, ()).decoding.branches == (Branch((7,), "first"), Branch((12,)))


def test_the_varied_token_stays_in_a_branch_and_goes_with_the_sentence():
    state = choose_varied(BEFORE, 4)
    assert choose_branch(state, (12, 45)).decoding.varied == 4
    assert choose_sentence(state, "x", typed=True).decoding.varied is None


def test_a_value_that_becomes_the_sentence_goes_on_being_varied_at_the_same_step():
    after = choose_varied_sentence(choose_varied(BEFORE, 4), "the cats sleep", 3, 2)
    assert (after.sentence, after.sentence_id) == ("the cats sleep", BEFORE.sentence_id + 1)
    assert after.decoding == Decoding(step=2, varied=3)


def test_branches_are_named_and_removed():
    named = keep_branch(BEFORE, (7,), " a: b;" + "c" * 99)
    assert named.decoding.branches == (Branch((7,), "a b" + "c" * (MAX_NAME - 4)),)
    assert keep_branch(named, (7,)).decoding.branches == named.decoding.branches
    assert remove_branch(BEFORE, (7,)).decoding.branches == ()
    assert remove_branch(BEFORE, (12,)).decoding.prefix == ()
    assert remove_branch(BEFORE, (99,)) == BEFORE


def test_the_oldest_branch_gives_way():
    state = BEFORE
    for token_id in range(20, 20 + MAX_BRANCHES + 3):
        state = keep_branch(state, (token_id,))
    assert len(state.decoding.branches) == MAX_BRANCHES
    assert state.decoding.branches[-1] == Branch((22 + MAX_BRANCHES,))


def test_another_sentence_or_model_has_no_branches_yet():
    for after in (choose_sentence(BEFORE, "x", typed=True), choose_run(BEFORE, "copy", RUNS)):
        assert (after.decoding.prefix, after.decoding.branches) == ((), ())


CELLS = [CellPlace("encoder.output", (0, place, 1)) for place in range(MAX_TRAIL + 3)]


def test_the_way_to_an_explained_number_grows_goes_back_and_begins_anew():
    state = explain_cell(BEFORE, CELLS[0])
    for cell in CELLS[1:3]:
        state = follow_operand(state, cell)
    assert state.look.trail == tuple(CELLS[:3])
    assert back_on_trail(state, 0).look.trail == tuple(CELLS[:1])
    assert back_on_trail(state, -1).look.trail == ()
    assert explain_cell(state, CELLS[5]).look.trail == (CELLS[5],)


def test_a_long_way_forgets_its_beginning():
    state = explain_cell(BEFORE, CELLS[0])
    for cell in CELLS[1:]:
        state = follow_operand(state, cell)
    assert state.look.trail == tuple(CELLS[-MAX_TRAIL:])


def test_another_sentence_explains_nothing_any_more():
    assert choose_sentence(explain_cell(BEFORE, CELLS[0]), "the cat sleeps", typed=True).look.trail == ()


def test_another_block_keeps_layer_and_stage_and_explains_nothing_any_more():
    cell = CellPlace("encoder.layers.0.self_attn_add_norm.sum", (0, 1, 2))
    before = replace(BEFORE, look=replace(BEFORE.look, layer=1, stage="normalized", trail=(cell,)))
    assert choose_block(before, "decoder.feed_forward") == replace(
        before, look=replace(before.look, block="decoder.feed_forward", trail=())
    )


def test_another_experiment_is_predicted_anew_and_another_model_leaves_it():
    own = ExperimentChoice("longer-words", "1", ("abcd0123",))
    state = replace(default_state(RUNS), experiment=own)
    moved = choose_sentence(choose_run(state, "copy", RUNS), "hello", typed=True)
    assert moved.experiment == own
    assert choose_experiment(state, "no-mask").experiment == ExperimentChoice("no-mask")


def test_another_update_begins_at_its_first_pair_and_another_tensor_at_its_first_row():
    state = with_choices(default_state(RUNS), cut=Cut("query", first_row=64, first_column=7))
    state = replace(state, update=UpdateChoice("seed-10", 3))
    assert choose_update(state, "seed-20").update == UpdateChoice("seed-20")
    assert choose_site(state, "src").inspector == Inspector("src", Cut("query"))
