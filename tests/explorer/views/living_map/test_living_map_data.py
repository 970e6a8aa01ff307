"""The living map of every variant of the model: nothing is missing, and all that it shows is true."""

import re
from dataclasses import replace

import numpy as np
import pytest

from core.activations.location import locate
from core.activations.sites import axis_sizes
from core.interventions.intervention import Patch
from core.model.parameters import count_parameters, named_parameters
from core.run import load_run
from explorer.app import REGISTRY
from explorer.models.known import CHECKPOINTS, known_runs
from explorer.models.recorded import Recorded, record_translation
from explorer.models.translation import Translation, translate
from explorer.shell.blocks import block_page, inspector_page
from explorer.view import INSPECTOR
from explorer.views.living_map import component as living_map
from explorer.views.living_map.choices import done_state, looked_at, with_pages
from explorer.views.living_map.component import ACT, Beside, Forced, Inspected, Released, Rested
from explorer.views.living_map.component.data import LivingMapData
from explorer.views.living_map.data import MAX_COLUMNS, MIDDLE, NOT_A_NUMBER, TOP, living_map_data
from explorer.visitor.state import Decoding, ExplorerState, Look, default_state, undo_changes
from tests.core.variants import REPRESENTATIVE, VARIANTS
from tests.explorer.random_recording import random_run
from tests.marks import left_to_proofs
from tests.optional import unwrap
from tests.unpacked import unpacked

SENTENCE = "w4 w9 w5 w7 w4 w6"
STATE = ExplorerState(run="random", sentence=SENTENCE)
Drawn = tuple[Recorded, Translation, LivingMapData]


def drawn(**changes) -> Drawn:
    """A variant's recording, what it wrote in it, and its map."""
    variant = changes.pop("variant", "float32")
    run = random_run(replace(VARIANTS[variant], **changes))
    written = translate(run, SENTENCE)
    recorded = record_translation(run, SENTENCE, written)
    return recorded, written, living_map_data(recorded, written, written)


@pytest.fixture(scope="module", params=left_to_proofs(VARIANTS, REPRESENTATIVE & set(VARIANTS)))
def variant(request) -> Drawn:
    return drawn(variant=request.param)


@pytest.fixture(scope="module")
def plain() -> Drawn:
    return drawn()


def test_every_site_and_every_parameter_of_a_block_is_listed_under_it_once(variant):
    recorded, _, data = variant
    model = recorded.run.model
    listed = [tensor.name for block in data.blocks for tensor in block.tensors]
    assert sorted(listed) == sorted({*(site.name for site in model.sites()), *named_parameters(model)})
    for block in data.blocks:
        own = [tensor.name for tensor in block.tensors if not tensor.name.startswith(f"{block.id}.")]
        # What a stack hands on is its last module's.
        assert {locate(name).kind for name in own} <= {"stack"}
    handing_on = [
        block.id for block in data.blocks if any(locate(each.name).kind == "stack" for each in block.tensors)
    ]
    layers = [block.id for block in data.blocks if locate(block.id).kind not in ("embedding", "generator")]
    stacks = [[name for name in layers if locate(name).stack == stack] for stack in ("encoder", "decoder")]
    assert handing_on == [names[-1] for names in stacks]


@pytest.mark.sweep
@pytest.mark.parametrize("name", sorted(path.parent.name for path in CHECKPOINTS.glob("*/run.json")))
def test_every_number_of_a_shipped_model_is_told_of_one_block_from_which_the_inspector_opens_it(name: str):
    run, state = load_run(CHECKPOINTS / name), default_state(known_runs(), name)
    written = translate(run, state.sentence)
    data = living_map_data(record_translation(run, state.sentence, written), written, written)
    listed = {tensor.name: block for block in data.blocks for tensor in block.tensors}
    whole = sum(len(block.tensors) for block in data.blocks)
    assert whole == len(listed), "told twice"
    assert set(listed) == {*(site.name for site in run.model.sites()), *named_parameters(run.model)}
    for tensor, block in listed.items():
        shown = tensor.removeprefix(f"{block.id}.")
        payload = {"key": data.key, "report": 1, "kind": "inspect", "block": block.id, "name": shown}
        assert ACT.parse(payload, data) == Inspected(tensor)
        view, there = inspector_page(tensor, state, REGISTRY)
        assert (view, there.inspector.site) == (REGISTRY[INSPECTOR], tensor)


def test_shapes_are_those_of_the_run_and_of_the_model(variant):
    recorded, written, data = variant
    config = recorded.run.config
    sizes = axis_sizes(
        config, batch=1, src_length=len(recorded.source), tgt_length=len(written.output_tokens)
    )
    expected = {site.name: site.shape(sizes)[1:] for site in recorded.run.model.sites()}
    expected |= {name: tuple(values.shape) for name, values in named_parameters(recorded.run.model).items()}
    for block in data.blocks:
        for tensor in block.tensors:
            assert tensor.shape == expected[tensor.name], tensor.name


def test_parameters_of_the_blocks_add_up_to_all_of_them(variant):
    recorded, _, data = variant
    assert sum(block.n_parameters for block in data.blocks) == count_parameters(recorded.run.model)
    generator = next(block for block in data.blocks if block.id == "generator")
    tied = recorded.run.config.tie_embeddings
    assert (generator.n_parameters == 0, generator.note) == (tied, "tied to the embedding" if tied else "")


def test_every_block_says_in_words_what_it_is_and_opens_the_page_that_shows_it(variant):
    data = with_pages(variant[2], REGISTRY)
    for block in data.blocks:
        assert block.title
        assert block.text.endswith("."), block.id
        assert block.page == unwrap(REGISTRY.showing(locate(block.id))).title
    titles = {block.page for block in data.blocks}
    assert titles >= {"Masked self-attention", "Cross-attention", "Feed-forward", "Add & norm", "Output"}


def test_lanes_go_through_all_sublayers_in_the_order_of_the_computation(variant):
    recorded, _, data = variant
    config = recorded.run.config
    assert [each.layer for each in data.encoder.sublayers] == [
        i for i in range(config.n_encoder_layers) for _ in range(2)
    ]
    kinds = [(each.kind, each.crosses) for each in data.decoder.sublayers]
    in_a_layer = [("attention", False), ("attention", True), ("feed-forward", False)]
    assert kinds == in_a_layer * config.n_decoder_layers
    ids = {block.id for block in data.blocks}
    sites = {site.name for site in recorded.run.model.sites()}
    for each in (*data.encoder.sublayers, *data.decoder.sublayers):
        assert {each.id, each.joins} <= ids
        assert set(each.tiles) <= sites
    assert bool(data.encoder.embedding.positions) == (config.positional != "none")


def test_tiles_hold_the_recorded_values_within_half_a_step_of_the_scale(variant):
    recorded, _, data = variant
    for site, codes in data.codes.items():
        values = recorded.values(site)
        # [position, head, number] as a tile has it.
        rows = values.swapaxes(0, 1) if values.ndim == 3 else values.reshape(len(values), codes.shape[1], -1)
        shown = rows[:, :, :: -(-rows.shape[2] // codes.shape[2])]
        assert codes.shape == shown.shape, site
        told = (codes.astype(np.float64) - MIDDLE) / MIDDLE * data.limit
        inside = np.abs(shown) <= data.limit
        assert np.abs(told - shown)[inside].max() <= data.limit / MIDDLE / 2 * 1.001, site
        assert set(codes[shown > data.limit]) <= {TOP}
        assert set(codes[shown < -data.limit]) <= {0}


def test_few_values_lie_beyond_the_scale_of_all_tiles(variant):
    _, _, data = variant
    codes = np.concatenate([each.ravel() for each in data.codes.values()])
    assert ((codes == TOP) | (codes == 0)).mean() <= 0.021


def test_weights_logits_and_probabilities_are_the_recorded_ones_bit_for_bit(variant):
    recorded, written, data = variant
    sites = [site.name for site in recorded.run.model.sites() if site.name.endswith(".weights")]
    assert sorted(data.weights) == sorted(sites)
    for site, weights in data.weights.items():
        np.testing.assert_array_equal(weights, recorded.values(site))
    np.testing.assert_array_equal(data.logits, recorded.values("generator.logits"))
    np.testing.assert_array_equal(data.candidates.probs, written.candidate_probs)
    np.testing.assert_array_equal(data.log_probs, written.log_probs)
    chosen = data.candidates.probs[np.arange(len(data.outputs)), list(data.candidates.chosen)]
    np.testing.assert_allclose(chosen, np.exp(data.log_probs), rtol=1e-5)
    ids = [row[place] for row, place in zip(data.candidates.ids, data.candidates.chosen, strict=True)]
    assert tuple(ids) == data.output_ids


@pytest.mark.proof
def test_of_a_large_vocabulary_the_largest_and_smallest_logits_are_told():
    recorded, written, data = drawn(src_vocab_size=2_500, tgt_vocab_size=2_500)
    logits = recorded.values("generator.logits")
    assert (data.n_vocabulary, data.logits.shape) == (2_500, (len(logits), 1_000))
    falling = np.sort(logits, axis=1)[:, ::-1]
    np.testing.assert_array_equal(data.logits[:, :500], falling[:, :500])
    np.testing.assert_array_equal(data.logits[:, 500:], falling[:, -500:])
    assert [
        logits[step, token] for step, token in enumerate(written.output_ids)
    ] == data.written_logits.tolist()
    assert len(living_map.pack(data)) < 600_000, "as much as is sent at most, for 50 tokens"


@pytest.mark.proof
def test_what_is_no_number_is_marked_and_nothing_else():
    recorded, written, _ = drawn()
    site = "decoder.layers.1.feed_forward.output"
    recorded.trace.activations[site][0, 2, 3] = float("nan")
    data = living_map_data(recorded, written, written)
    marked = {name: int((codes == NOT_A_NUMBER).sum()) for name, codes in data.codes.items()}
    assert {name: n for name, n in marked.items() if n} == {site: 1}
    assert data.codes[site].reshape(len(data.outputs), -1)[2, 3] == NOT_A_NUMBER


@pytest.mark.proof
def test_a_wide_model_is_thinned_and_says_so():
    recorded, _, data = drawn(d_model=96, n_heads=2, d_ff=480)
    queries, hidden = (
        data.codes[f"decoder.layers.0.{name}"] for name in ("self_attn.q", "feed_forward.hidden")
    )
    assert queries.shape[1:] == (2, MAX_COLUMNS)
    assert hidden.shape[1:] == (2, 5 * MAX_COLUMNS)
    assert data.every == 3
    assert recorded.run.config.d_head == 48


def test_a_state_names_the_moment_and_without_one_the_telling_step(plain):
    recorded, written, data = plain

    def at(**decoding):
        shown = looked_at(data, written, replace(STATE, decoding=Decoding(**decoding)))
        return shown.step, shown.moment

    assert at() == (recorded.telling_step, None)
    assert at(step=1, moment=11_000) == (1, 11_000)
    assert at(step=49) == (len(data.outputs) - 1, None), "another sentence may be longer"


def test_a_token_is_forced_and_released(plain):
    recorded, written, _ = plain
    run = recorded.run
    other = next(i for i in written.candidate_ids[1].tolist() if i != written.output_ids[1] and i > 2)
    assert done_state(run, STATE, Rested(2, 17_000)).decoding == Decoding(step=2, moment=17_000)
    # The real translations are kept by the server; here none of a visitor's run is known.
    state = done_state(run, replace(STATE, decoding=Decoding(step=1, moment=5000)), Forced(1, other))
    assert state.decoding.prefix == (*written.output_ids[:1], other)
    assert (state.decoding.step, state.decoding.moment) == (1, None)
    again = done_state(run, state, Released())
    assert again.decoding.prefix == ()


def test_a_page_opens_at_the_block_that_was_chosen():
    state = replace(STATE, look=Look(layer=1, stage="values"))
    view, there = block_page("decoder.layers.0.cross_attn_add_norm", state, REGISTRY)
    assert view.page == "pages/model/add_norm.py"
    assert (there.look.block, there.look.layer, there.look.stage) == ("decoder.cross_attn", 0, "")
    view, there = block_page("src_embed", state, REGISTRY)
    assert (view.page, there.look.block, there.look.layer) == ("pages/model/tokens.py", "encoder", 1)


def test_every_block_opens_a_page_of_the_model_and_fits_into_a_link(variant):
    files = {view.page for view in REGISTRY.values() if view.is_block}
    for block in variant[2].blocks:
        view, there = block_page(block.id, STATE, REGISTRY)
        assert view.page in files, block.id
        assert re.fullmatch(r"(encoder|decoder)?(\.[a-z_]+)?", there.look.block), block.id


def test_a_changed_model_stands_beside_what_it_was_trained_to_be_after_the_same_tokens():
    trained = load_run(CHECKPOINTS / "en-fr")
    sentence = "the small cat does not sleep"
    changed = trained.intervene(Patch("src_embed.output", "the small cat do not sleep", positions=(3,)))
    written = translate(changed, sentence)
    data = living_map_data(record_translation(changed, sentence, written), written, written)
    target = changed.tgt_tokenizer.decode(written.output_ids)
    seen = trained.trace(sentence, target=target)
    assert data.outputs == seen.target_tokens
    probs = seen.logits.double().softmax(dim=-1).numpy()
    expected = np.take_along_axis(probs, np.asarray(data.candidates.ids), axis=1)
    np.testing.assert_allclose(unwrap(data.candidates.trained), expected, atol=1e-6)
    differs = [(one, other) for one, other in zip(data.outputs, data.trained, strict=True) if one != other]
    assert differs == [("dorment", "dort")]
    assert {"candidates.trained", "trained_log_probs"} <= unpacked(living_map.pack(data))[1].keys()
    best = probs.max(axis=-1)
    np.testing.assert_allclose(np.exp(unwrap(data.trained_log_probs)), best, atol=1e-6)


@pytest.fixture(scope="module")
def beside() -> tuple[Recorded, Recorded, dict[str, LivingMapData]]:
    """A changed recording, the same tokens read by the trained model, and the three maps of the two."""
    trained = load_run(CHECKPOINTS / "en-fr")
    sentence = "the small cat does not sleep"
    changed = trained.intervene(Patch("src_embed.output", "the small cat do not sleep", positions=(3,)))
    written = translate(changed, sentence)
    recorded = record_translation(changed, sentence, written)
    maps = {
        each: living_map_data(recorded, written, written, compared=each)
        for each in ("changed", "trained", "difference")
    }
    return recorded, record_translation(trained, sentence, written), maps


@pytest.mark.parametrize("compared", ["changed", "trained", "difference"])
def test_of_a_changed_model_the_map_draws_its_values_the_trained_ones_or_what_lies_between(beside, compared):
    recorded, trained, maps = beside
    data = maps[compared]
    assert (data.compared, data.key.endswith(f"/{compared}")) == (compared, True)

    def expected(site: str) -> np.ndarray:
        a, b = recorded.values(site), trained.values(site)
        return {"changed": a, "trained": b, "difference": a - b}[compared]

    for site, weights in data.weights.items():
        np.testing.assert_allclose(weights, expected(site), atol=1e-6, err_msg=site)
        assert np.abs(weights).max() <= data.weight_limit
    np.testing.assert_allclose(data.logits, expected("generator.logits"), atol=1e-4)
    steps = np.arange(len(data.outputs))
    written = expected("generator.logits")[steps, recorded.trace.tgt_out.numpy()]
    np.testing.assert_allclose(data.written_logits, written, atol=1e-4)
    lane = data.encoder.embedding.output
    values = expected(lane).reshape(data.codes[lane].shape)
    coded = np.rint(MIDDLE + np.clip(values.astype(np.float64) / data.limit, -1, 1) * MIDDLE)
    assert np.abs(coded - data.codes[lane]).max() <= 1
    # What is borrowed at one token differs there alone, before any layer has mixed the tokens.
    if compared == "difference":
        assert [place for place, row in enumerate(values) if row.any()] == [3]


def test_whose_values_are_drawn_is_a_choice_of_the_moment_and_goes_with_the_change(beside):
    recorded, _, maps = beside
    report = Beside("difference", Rested(4, 17_000))
    changes = recorded.run.changes.interventions
    state = done_state(recorded.run, replace(STATE, changes=changes), report)
    assert (state.look.compared, state.decoding.step, state.decoding.moment) == ("difference", 4, 17_000)
    assert undo_changes(state).look.compared == "changed"
    # The same tokens and candidates stand at both ends, whichever values are drawn between them.
    for data in maps.values():
        assert (data.outputs, data.candidates.ids) == (
            maps["changed"].outputs,
            maps["changed"].candidates.ids,
        )


def test_a_model_as_it_was_trained_has_nothing_beside_it(plain):
    _, _, data = plain
    assert data.trained == ()
    assert data.candidates.trained is None
    assert not {"candidates.trained", "trained_log_probs"} & unpacked(living_map.pack(data))[1].keys()
    recorded, written, _ = plain
    assert living_map_data(recorded, written, written, compared="difference").compared == "changed"
