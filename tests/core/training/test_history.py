"""Weights along the way: which moments are kept, what they hold, that keeping them changes nothing."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.config import TrainConfig
from core.errors import RunError
from core.run import load_run
from core.training import history as history_module
from core.training import session
from core.training.checkpoint_files import checkpoint_path
from core.training.history import (
    MOST_BYTES,
    history,
    history_path,
    kept_updates,
    load_run_at,
    moments_of,
)
from core.training.records import TrainStep
from core.training.run_store import RunStore
from core.training.session import train_run
from core.training.trainer import Trainer
from tests.core.training.test_session import (
    TRAINING,
    after,
    begin,
    begun,
    figures,
    go_on,
    plan,
    same_files,
    trained,
)
from tests.marks import proofs

LONGER = replace(TRAINING, steps=23, validate_every=10, checkpoint_every=7)


def test_moments_are_dense_first_and_sparser_later():
    kept = kept_updates(1250)
    assert kept[:10] == tuple(range(0, 50, 5))
    assert {50, 100, 200, 300, 400, 500, 1000} < set(kept)
    assert kept_updates(7) == (0, 5, 7)
    assert kept_updates(1) == (0, 1)


@given(steps=st.integers(1, 10**9), most=st.integers(0, 60))
def test_moments_are_few_ascending_and_have_both_ends(steps, most):
    kept = kept_updates(steps, most)
    assert len(kept) <= most
    assert list(kept) == sorted(set(kept))
    assert all(0 <= updates <= steps for updates in kept)
    if most:
        assert kept[-1] == steps
    if most > 1:
        assert kept[0] == 0
    if most >= 30 and steps >= 1000:
        assert kept[len(kept) // 2] <= steps / 2
        assert len(kept) >= 15


@pytest.fixture
def last_checkpoint(monkeypatch):
    """Lets a finished run keep the checkpoint of its end, to be looked into."""
    monkeypatch.setattr(session, "drop_last_checkpoint", lambda folder: None)


def kept_by(config) -> int:
    """How many moments a training of such a model keeps."""
    return len(moments_of(config, TrainConfig(steps=1250)))


def test_room_is_shared_by_the_moments_of_a_large_model(monkeypatch):
    small = plan()[0].config
    large = replace(small, d_model=512, d_ff=2048, n_heads=8, n_encoder_layers=6, n_decoder_layers=6)
    assert kept_by(small) == len(kept_updates(1250)) <= 40
    assert kept_by(large) == 0  # One moment of 88 MB is more than all of them may take.
    middle = replace(small, d_model=256, d_ff=1024, n_heads=8, n_encoder_layers=2, n_decoder_layers=2)
    assert 5 < kept_by(middle) < 30
    assert len(moments_of(small, TrainConfig(steps=1250, history=7))) <= 7
    assert moments_of(small, TrainConfig(history=0)) == ()


@pytest.mark.proof
@pytest.mark.usefixtures("last_checkpoint")
def test_a_moment_holds_the_weights_of_that_moment_rounded_to_half_precision(tmp_path):
    begin(tmp_path, LONGER)
    weights: dict[int, dict[str, Tensor]] = {}
    for event in train_run(tmp_path, *begun(tmp_path)):
        for updates in history(tmp_path):
            weights.setdefault(updates, load_file(history_path(tmp_path, updates)))
        if isinstance(event, TrainStep) and event.index == 13:
            assert history(tmp_path) == [0, 5, 10]
    assert history(tmp_path) == [0, 5, 10, 15, 20, 23] == list(kept_updates(23))
    last = load_file(checkpoint_path(tmp_path, 23))
    run = load_run_at(tmp_path, 23)
    assert not run.model.training
    for name, value in run.model.named_parameters():
        assert torch.equal(value, last[f"weight.{name}"].half().float()), name
    assert (run.best_after, run.evaluation, run.name) == (23, {}, tmp_path.name)
    assert isinstance(load_run_at(tmp_path, 0).translate("cat"), str)
    fingerprints = {load_run_at(tmp_path, updates).fingerprint for updates in history(tmp_path)}
    assert len(fingerprints) == 6
    assert sum(path.stat().st_size for path in (tmp_path / "history").iterdir()) < MOST_BYTES


@pytest.mark.proof
@pytest.mark.usefixtures("last_checkpoint")
def test_keeping_weights_changes_no_bit_of_the_training(tmp_path, monkeypatch):
    trained(tmp_path / "with", LONGER)
    monkeypatch.setattr(session, "moments_of", lambda config, training: ())
    trained(tmp_path / "without", LONGER)
    assert len(history(tmp_path / "with")) == 6
    assert history(tmp_path / "without") == []
    ends = [load_file(checkpoint_path(tmp_path / name, 23)) for name in ("with", "without")]
    assert ends[0].keys() == ends[1].keys()
    assert all(torch.equal(ends[0][name], ends[1][name]) for name in ends[0])


@pytest.mark.proof
def test_other_moments_may_be_kept_than_the_usual_ones(tmp_path):
    begin(tmp_path, LONGER)
    for _ in train_run(tmp_path, *begun(tmp_path), moments=(0, 3, 17)):
        pass
    assert history(tmp_path) == [0, 3, 17]


@pytest.mark.proof
@pytest.mark.parametrize("stops", [(12, 3), *proofs(((0,),), ((4,),), ((20,),))])
def test_a_resumed_training_ends_with_the_same_moments(tmp_path, stops):
    trained(tmp_path / "whole", LONGER)
    begin(tmp_path / "parts", LONGER)
    for count in stops:
        go_on(tmp_path / "parts", should_stop=after(count))
    go_on(tmp_path / "parts")
    assert same_files(tmp_path / "whole", tmp_path / "parts")
    assert figures(tmp_path / "whole") == figures(tmp_path / "parts")


@pytest.mark.proof
def test_moments_beyond_the_checkpoint_are_removed(tmp_path):
    begin(tmp_path, LONGER)
    events = train_run(tmp_path, *begun(tmp_path))
    for event in events:
        if isinstance(event, TrainStep) and event.index == 12:
            break
    events.close()
    assert history(tmp_path) == [0, 5, 10]  # and the checkpoint is after 7
    resumed = train_run(tmp_path, *begun(tmp_path))
    next(resumed)
    assert history(tmp_path) == [0, 5]
    resumed.close()


@pytest.mark.proof
def test_a_moment_that_cannot_be_written_ends_the_training_with_a_sentence(tmp_path):
    begin(tmp_path, LONGER)
    go_on(tmp_path, should_stop=after(7))
    for path in (tmp_path / "history").iterdir():
        path.unlink()
    (tmp_path / "history").rmdir()
    (tmp_path / "history").write_text("no folder")
    with pytest.raises(RunError, match="/history cannot be written"):
        go_on(tmp_path)
    store = RunStore.read(tmp_path)
    assert store.fact("state") == "failed"
    assert "history" in store.fact("reason")
    store.close()
    (tmp_path / "history").unlink()
    go_on(tmp_path)
    assert history(tmp_path) == [10, 15, 20, 23]


def test_weights_too_large_for_half_precision_are_told_and_left_out(tmp_path, monkeypatch):
    begin(tmp_path)
    monkeypatch.setattr(history_module, "write_whole", lambda *_: pytest.fail("it was written"))
    update = Trainer.update

    def huge(trainer, batch):
        step = update(trainer, batch)
        with torch.no_grad():
            trainer.model.src_embed.weight[5, 5] = 1e6
        return step

    monkeypatch.setattr(Trainer, "update", huge)
    monkeypatch.setattr(session, "moments_of", lambda config, training: (5,))
    warnings: list[str] = []
    go_on(tmp_path, warn=warnings.append)
    assert warnings == ["weights after 5 updates are too large to be kept in half precision"]


def test_moments_that_are_not_there_or_damaged_are_told_in_a_sentence(tmp_path):
    trained(tmp_path)
    with pytest.raises(RunError, match="keeps no weights after 3 updates; it keeps: 0, 5, 6"):
        load_run_at(tmp_path, 3)
    path = history_path(tmp_path, 5)
    stored = load_file(path)
    for damage, sentence in (
        ({**stored, "src_embed.weight": stored["src_embed.weight"] * float("nan")}, "not finite"),
        ({**stored, "src_embed.weight": stored["src_embed.weight"].T.contiguous()}, "has the shape"),
        ({**stored, "src_embed.weight": stored["src_embed.weight"].int()}, "16, 32 or 64 bits"),
    ):
        save_file(damage, path)
        with pytest.raises(RunError, match=sentence):
            load_run_at(tmp_path, 5)
    path.write_bytes(path.read_bytes()[:90])
    with pytest.raises(RunError, match=r"history/000000005\.safetensors is damaged"):
        load_run_at(tmp_path, 5)


def test_norms_are_those_of_the_weights_and_of_the_gradient_before_clipping(tmp_path, monkeypatch):
    seen = {}
    update = Trainer.update

    def watched(trainer, batch):
        step = update(trainer, batch)
        model = trainer.model
        seen[trainer.updates] = (
            step.grad_norm,
            {name: value.detach().clone() for name, value in model.named_parameters()},
        )
        return step

    monkeypatch.setattr(Trainer, "update", watched)
    trained(tmp_path, replace(TRAINING, clip_norm=0.01))
    norms = figures(tmp_path)["norms"]
    assert sorted({norm.updates for norm in norms}) == [0, 2, 4, 5, 6]
    blocks = [norm.block for norm in norms if norm.updates == 4]
    assert blocks[0] == "src_embed"
    assert {"encoder.layers.0.self_attn", "decoder.layers.0.cross_attn_add_norm"} <= set(blocks)
    assert all(norm.gradient is None for norm in norms if norm.updates == 0)
    for updates in (2, 4, 5, 6):
        grad_norm, weights = seen[updates]
        here = {norm.block: norm for norm in norms if norm.updates == updates}
        assert grad_norm > 0.01
        squares = sum(norm.gradient**2 for norm in here.values())
        assert squares**0.5 == pytest.approx(grad_norm, rel=1e-3)
        everything = sum(norm.weight**2 for norm in here.values())
        assert everything == pytest.approx(sum(float(value.square().sum()) for value in weights.values()))
        own = [value for name, value in weights.items() if name.startswith("encoder.layers.0.feed_forward.")]
        expected = sum(float(value.square().sum()) for value in own) ** 0.5
        assert here["encoder.layers.0.feed_forward"].weight == pytest.approx(expected)


@pytest.mark.proof
def test_the_run_itself_loads_as_before(tmp_path):
    run = trained(tmp_path)
    assert run.fingerprint == load_run(tmp_path).fingerprint != load_run_at(tmp_path, 6).fingerprint
