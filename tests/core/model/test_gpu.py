"""A GPU computes what the processor computes: logits, gradients, decoding and training."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.config import AttentionBackend, DecodeConfig, NormPosition
from core.run import load_run
from core.train import main as train
from core.training.loss import label_smoothed_cross_entropy
from tests.core.conftest import PAD, TINY, random_model
from tests.optional import unwrap

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA GPU")

EN_FR = Path(__file__).parents[3] / "checkpoints" / "en-fr"
SENTENCES = ["the small cat sleeps", "the dogs eat the bread", "a dog sings"]


@pytest.mark.parametrize("backend", ["eager", "auto"])
@pytest.mark.parametrize("norm_position", ["post", "pre"])
def test_gpu_computes_the_logits_and_gradients_of_the_cpu(
    backend: AttentionBackend, norm_position: NormPosition, src: torch.Tensor, tgt_in: torch.Tensor
) -> None:
    config = replace(
        TINY,
        attention_backend=backend,
        norm_position=norm_position,
        final_norm=norm_position == "pre",
    )
    results = []
    for device in ("cpu", "cuda"):
        model = random_model(config).to(device)
        logits = model(src.to(device), tgt_in.to(device))
        labels = tgt_in.to(device)
        label_smoothed_cross_entropy(logits, labels, smoothing=0.1, pad_id=PAD).backward()
        gradients = [unwrap(parameter.grad) for parameter in model.parameters()]
        results.append([value.cpu() for value in (logits, *gradients)])
    for on_cpu, on_gpu in zip(*results, strict=True):
        torch.testing.assert_close(on_gpu, on_cpu, rtol=0, atol=1e-10)


@pytest.mark.parametrize("use_cache", [True, False])
def test_gpu_decodes_like_the_cpu(use_cache: bool) -> None:
    config = DecodeConfig(use_cache=use_cache)
    on_cpu, on_gpu = (load_run(EN_FR, device).translate(SENTENCES, config) for device in ("cpu", "cuda"))
    assert on_gpu == on_cpu


def test_gpu_records_the_values_of_the_cpu() -> None:
    on_cpu, on_gpu = (load_run(EN_FR, device).trace(SENTENCES[0]) for device in ("cpu", "cuda"))
    for site in on_cpu.activations:
        torch.testing.assert_close(
            on_gpu.activations[site].cpu(), on_cpu.activations[site], rtol=1e-3, atol=1e-3
        )


def test_gpu_training_follows_the_cpu(tmp_path: Path) -> None:
    losses = {}
    for device in ("cpu", "cuda"):
        out = tmp_path / device
        options = ["--task", "copy", "--steps", "20", "--n-train", "500", "--dropout", "0", "--quiet"]
        options += ["--schedule", "constant", "--warmup-steps", "0"]
        assert train([*options, "--device", device, "--out", str(out)]) == 0
        history = json.loads((out / "run.json").read_text(encoding="utf-8"))["history"]
        losses[device] = [update["loss"] for update in history]
    assert losses["cuda"] == pytest.approx(losses["cpu"], rel=2e-3)
