"""What page and panel show of an update: stages of real numbers, tables, sentences, explanations by words."""

from dataclasses import replace

import numpy as np
import pytest

from core.explanation.update import explain_update
from core.explanation.update_sites import OF_TOKENS, PARTS, SCALARS, update_values
from core.training.records import TrainStep
from core.training.run_store import RunStore
from explorer.browser.explain_panel import pack as pack_panel
from explorer.browser.tensors import Looked, pack
from explorer.tensors import CellPlace
from explorer.views.update import data as stages
from explorer.views.update import tables as tables
from explorer.views.update.data import looked_at, update_view
from explorer.views.update.explaining import update_data
from explorer.views.update.proof import reported_step, updates_made
from explorer.views.update.scene import UpdateScene
from explorer.views.update.words import norm_snippet, numbers_sentence, update_formula, update_sources
from explorer.visitor.state import ExplorerState
from tests.explorer.own_runs import train_tiny
from tests.explorer.stage_cells import cell_index
from tests.explorer.updates import scene_of
from tests.optional import unwrap

STATE = ExplorerState(run="tiny0001", sentence="abc")
MATRIX, VECTOR, SHARED = (
    "encoder.layers.0.self_attn.w_q",
    "decoder.layers.0.cross_attn.b_v",
    "src_embed.weight",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("runs"), stop_after=12)


@pytest.fixture(scope="module")
def scene(folder) -> UpdateScene:
    return scene_of(folder, 4)


@pytest.mark.proof
@pytest.mark.parametrize("name", [MATRIX, VECTOR, SHARED, "decoder.layers.0.feed_forward.linear2.weight"])
def test_every_stage_of_every_kind_of_parameter_fits_the_view(scene, name):
    data = update_view(
        scene,
        replace(STATE, inspector=replace(STATE.inspector, site=name), update=replace(STATE.update, pair=3)),
    )
    assert pack(data)
    assert [stage.key for stage in data.stages] == [
        "loss", "labels", "logits", "gradient", "clipping", "first_moment", "second_moment", "change", "weights",
    ]  # fmt: skip
    assert [chooser.value for chooser in data.choosers] == [3, scene.update.parameters.index(name)]


def test_each_shown_cell_is_the_number_that_is_explained_under_its_name(scene):
    data = update_view(
        scene,
        replace(STATE, inspector=replace(STATE.inspector, site=MATRIX), update=replace(STATE.update, pair=2)),
    )
    for tensor in (tensor for tensor in data.tensors.values() if tensor.askable):
        place = {axis.name: axis.shown // 2 for axis in tensor.axes}
        index = cell_index(tensor, place)
        shown = tensor.values[tuple(place[axis.name] for axis in tensor.axes)]
        assert explain_update(scene.update, tensor.site, index).recorded == pytest.approx(float(shown))


def test_the_product_of_both_factors_at_all_tokens_is_the_gradient(scene, monkeypatch):
    monkeypatch.setattr(stages, "SHOWN_TERMS", 10**6)
    data = update_view(scene, replace(STATE, inspector=replace(STATE.inspector, site=MATRIX)))
    dy, x, gradient = (data.tensors[name].values[0] for name in ("dy", "x", "gradient"))
    np.testing.assert_allclose(dy @ x, gradient, atol=1e-6)
    assert data.stages[3].kind == "product"
    shared = update_view(scene, replace(STATE, inspector=replace(STATE.inspector, site=SHARED)))
    assert shared.stages[3].kind == "one", "three uses are no single product"


def test_a_large_matrix_is_shown_by_the_rows_with_the_largest_gradients(scene, monkeypatch):
    monkeypatch.setattr(stages, "MAX_CELLS", 64)
    data = update_view(scene, replace(STATE, inspector=replace(STATE.inspector, site=MATRIX)))
    rows = data.tensors["weight"].axes[1]
    assert rows.shown == 4
    assert rows.window == "The 4 of 16 rows with the largest gradients."
    norms = scene.update.of("gradient", MATRIX).norm(dim=1)
    assert min(norms[list(unwrap(rows.places))]) >= sorted(norms.tolist())[-4]
    assert pack(data)


def test_padding_is_hatched_in_the_losses_and_left_out_of_a_pair(scene):
    data = update_view(scene, replace(STATE, update=replace(STATE.update, pair=1)))
    padding = (scene.update.batch.tgt_out == 0).numpy()
    assert padding.any()
    assert (data.tensors["loss"].hidden == padding).all()
    assert data.tensors["prob"].axes[1].shown == int((~padding[1]).sum())


def test_a_look_changes_only_what_was_chosen(scene):
    names = scene.update.parameters
    default = {"pair": 0, "parameter": names.index(scene.parameter(STATE))}
    assert looked_at(scene, STATE, Looked("change", default)) == replace(
        STATE, look=replace(STATE.look, stage="change")
    )
    other = looked_at(scene, STATE, Looked("loss", {"pair": 2, "parameter": names.index(VECTOR)}))
    assert (other.update.pair, other.inspector.site) == (2, VECTOR)


def test_a_site_or_a_pair_that_the_update_does_not_have_falls_back(scene):
    state = replace(
        STATE,
        inspector=replace(STATE.inspector, site="encoder.output"),
        update=replace(STATE.update, pair=999),
    )
    assert scene.parameter(state) in scene.update.parameters
    assert scene.pair(state) == scene.n_pairs - 1


def panel(scene: UpdateScene, site: str, *index: int):
    explanation = explain_update(scene.update, site, index)
    data = update_data(explanation, scene, (CellPlace(site, index),), code="print()")
    assert pack_panel(data)
    assert data.agrees
    return data


def said(data) -> str:
    return "".join(words.text for words in data.words)


@pytest.mark.sweep
@pytest.mark.parametrize("name", [MATRIX, VECTOR, SHARED, "decoder.layers.0.cross_attn_add_norm.weight"])
@pytest.mark.parametrize("part", PARTS)
def test_every_number_of_a_parameter_has_words_formula_numbers_and_links_that_hold(scene, name, part):
    site = f"update.{part}.{name}"
    index = (5, 2)[: update_values(scene.update, site).dim()]
    data = panel(scene, site, *index)
    assert said(data)
    assert bool(data.formula) == bool(data.numbers) == bool(data.terms)
    for cell in data.links:
        assert explain_update(scene.update, cell.site, cell.index)


@pytest.mark.parametrize("site", [*SCALARS, *OF_TOKENS])
def test_every_other_number_has_words_formula_and_numbers(scene, site):
    index = (1, 0, 4)[: update_values(scene.update, f"update.{site}").dim()]
    data = panel(scene, f"update.{site}", *index)
    assert said(data)
    assert data.formula
    assert data.numbers


def test_the_way_from_a_weight_leads_to_the_tokens_of_the_batch(scene):
    site, index = f"update.weight.{SHARED}", (6, 3)
    for part in (
        "change",
        "corrected_first",
        "first_moment",
        "clipped",
        "gradient",
        "logit_gradient",
        "prob",
    ):
        data = panel(scene, site, *index)
        (site, index) = next(
            (cell.site, cell.index)
            for cell in sorted(data.links, key=str)
            if cell.site.startswith(f"update.{part}")
        )
    assert site == "update.prob"


def test_terms_of_a_gradient_are_named_by_their_tokens(scene):
    data = panel(scene, f"update.gradient.{MATRIX}", 1, 2)
    assert data.letter == "token"
    assert [column.text for column in data.columns] == ["∂L/∂y", "x"]
    term = data.terms[0]
    row, position = map(int, term.place.split(", "))
    assert term.token.text == scene.token("source", row, position)
    assert "padding adds exactly 0" in data.note
    shared = panel(scene, f"update.gradient.{SHARED}", 6, 3)
    assert "3 places" in shared.note
    assert [column.text for column in shared.columns] == ["∂L", "factor"]
    assert said(shared).startswith("Gradient of an embedding entry: ")


def test_a_padded_label_says_that_it_does_not_count(scene):
    row, position = (scene.update.batch.tgt_out == 0).nonzero()[0].tolist()
    data = panel(scene, "update.logit_gradient", row, position, 4)
    assert data.note == "The label is padding, which does not count."
    assert not data.terms


def test_tables_have_a_row_for_each_parameter_position_and_largest_change(scene):
    norms = tables.norm_columns(scene)
    assert norms["parameter"] == list(scene.update.parameters)
    pair = tables.pair_columns(scene, STATE)
    assert pair["decoder reads"][0] == "<s>"
    real = [label for label in pair["label"] if label != "<pad>"]
    assert real[-1] == "</s>"
    assert pair["decoder reads"][1 : len(real)] == real[:-1], "the input is the target, shifted"
    largest = tables.largest_columns(scene)
    assert len(largest["Δ"]) == tables.LARGEST
    every = [
        float(update_values(scene.update, f"update.change.{name}").abs().max()) for name in norms["parameter"]
    ]
    first, place = largest["parameter"][0], tuple(map(int, largest["at"][0].split(", ")))
    found = update_values(scene.update, f"update.change.{first}")[place]
    assert abs(float(found)) == max(every)
    assert all(now != then for now, then in zip(largest["before"], largest["after"], strict=True))


def test_sentences_tell_which_update_it_is_and_what_is_random(scene, folder):
    assert "made again from seed 0, after the 4 updates before it" in tables.origin_sentence(scene)
    after = scene_of(folder, 12, 12)
    assert "follows the training checkpoint after 12 updates" in tables.origin_sentence(after)
    assert "nothing is random" in tables.noise_sentence(scene)
    noisy = replace(scene.update, config=replace(scene.update.config, dropout=0.1, ffn_dropout=0.2))
    told = tables.noise_sentence(replace(scene, replayed=replace(scene.replayed, update=noisy)))
    assert "dropout 0.1 on sub-layers and 0.2 on hidden units" in told


def test_the_proof_says_whether_the_training_wrote_the_same_down(scene):
    step = scene.update.step
    assert "to the last bit" in tables.proof_sentence(scene, step)
    near = TrainStep(4, step.loss * (1 + 1e-6), step.learning_rate, step.grad_norm, 0.0)
    assert "rounding" in tables.proof_sentence(scene, near)
    assert "no figures" in tables.proof_sentence(scene, None)
    changed = replace(scene, replayed=replace(scene.replayed, changes=("threads 2, now 1",)))
    assert "threads 2, now 1" in tables.proof_details(changed, (3, 3))[1]


@pytest.mark.parametrize(
    ("checkpoint", "dropout", "why"),
    [
        (None, 0.0, "has drawn other first weights."),
        (None, 0.1, "has drawn other first weights or numbers for the dropout."),
        (4, 0.1, "has drawn other numbers for the dropout."),
        (4, 0.0, "more than rounding explains"),
    ],
)
def test_another_loss_is_put_down_to_what_this_update_draws(scene, checkpoint, dropout, why):
    update = replace(scene.update, config=replace(scene.update.config, ffn_dropout=dropout))
    changed = replace(
        scene,
        choice=replace(scene.choice, checkpoint=checkpoint),
        replayed=replace(scene.replayed, update=update),
    )
    told = replace(scene.update.step, loss=2 * scene.update.step.loss)
    assert why in tables.proof_sentence(changed, told)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (4, "it is the one that it will make next."),
        (3, "The training has made 3 updates so far; it has not come to this one."),
        (1, "made 1 update so far"),
        (0, "made no update so far"),
    ],
)
def test_an_update_is_the_next_one_only_if_it_is(scene, made, said):
    assert said in tables.proof_sentence(scene, None, made)
    assert "to the last bit" in tables.proof_sentence(scene, scene.update.step, 5)


def test_what_the_training_told_of_an_update_is_one_row_of_a_store_that_is_closed_again(
    scene, folder, monkeypatch
):
    monkeypatch.setenv("EXPLORER_RUNS", str(folder.parent))
    close, closed = RunStore.close, []

    def closing(store):
        closed.append(store)
        close(store)

    monkeypatch.setattr(RunStore, "close", closing)
    monkeypatch.setattr(RunStore, "steps", lambda store: pytest.fail("every update was read"))
    told = reported_step(folder.name, scene)
    assert told is not None
    assert (told.index, told.loss) == (4, scene.update.step.loss)
    assert updates_made(folder.name) == 12
    assert len(closed) == 2


def test_the_update_after_the_newest_checkpoint_is_told_of_nowhere(folder, monkeypatch):
    monkeypatch.setenv("EXPLORER_RUNS", str(folder.parent))
    assert reported_step(folder.name, scene_of(folder, 12, checkpoint=12)) is None


def test_each_depth_speaks_of_this_update(scene):
    numbers = numbers_sentence(scene)
    assert f"{scene.update.batch.n_tokens} labels in {scene.n_pairs} pairs" in numbers
    assert "^{5}" in "".join(update_formula(scene).sizes)
    assert update_sources()[0].name == "Trainer.update"
    assert "update=4" in norm_snippet(scene, "tiny0001")


def test_the_snippet_prints_the_number_of_the_panel(scene, folder, capsys):
    snippet = (
        norm_snippet(scene, "tiny0001")
        .replace("checkpoints/tiny0001", str(folder))
        .replace("runs/tiny0001", str(folder))
    )
    exec(snippet, {})
    assert capsys.readouterr().out.strip() == str(scene.update.step.grad_norm)
