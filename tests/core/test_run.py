"""Runs on disk: what was saved comes back, and whatever is damaged is refused with a sentence."""

import json
import os
import struct
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.nn.utils.prune import l1_unstructured

from core import translate
from core.config import MOST_LAYERS, DecodeConfig, TrainConfig, TransformerConfig
from core.data.tasks import get_task
from core.data.tokenizers import BpeTokenizer, CharacterTokenizer
from core.data.vocabulary import Vocabulary
from core.errors import ConfigError, InputError, RunError
from core.model.shapes import expected_parameters
from core.model.transformer import Transformer
from core.run import Run, load_run, save_run
from core.run_description import MODEL_FILE, RUN_FILE, parse_description
from core.safetensors_file import MAX_HEADER_BYTES
from core.training.plan import model_config


@pytest.fixture
def run() -> Run:
    task = get_task("copy")
    torch.manual_seed(0)
    tokenizer, _ = task.tokenizers()
    return Run(
        name="untrained",
        task="copy",
        config=model_config(*task.tokenizers()),
        model=Transformer(model_config(*task.tokenizers())).eval(),
        src_tokenizer=tokenizer,
        tgt_tokenizer=tokenizer,
        train_config=TrainConfig(),
        evaluation={"exact_match": 0.5, "n_pairs": 10},
        history=({"index": 0, "loss": 3.5},),
        max_source_tokens=12,
    )


@pytest.fixture
def folder(run, tmp_path):
    save_run(run, tmp_path / "untrained")
    return tmp_path / "untrained"


def test_a_saved_run_comes_back_whole(run, folder):
    loaded = load_run(folder)
    assert not loaded.model.training
    for name, value in run.model.state_dict().items():
        assert torch.equal(loaded.model.state_dict()[name], value), name
    assert loaded.model.generator.weight is loaded.model.src_embed.weight
    assert loaded.model.config == run.model.config
    assert loaded.src_tokenizer == run.src_tokenizer
    assert (loaded.evaluation, loaded.history) == (run.evaluation, run.history)
    assert loaded.name == "untrained"


@pytest.mark.parametrize(
    ("characters", "unit"),
    [("abcé", "letter"), ("ab1", "character"), ("ab ", "character"), ("他说：", "character")],
)
def test_unit_of_characters_is_letter_if_all_are_letters(run, characters, unit):
    tokenizer = CharacterTokenizer(Vocabulary.build(characters))
    assert replace(run, tgt_tokenizer=tokenizer).target_unit == unit


def test_unknown_token_is_read_as_unk_by_a_run_of_own_pairs(run):
    own = replace(run, task="pairs")
    known, unknown = own.source_ids("a"), own.source_ids("a1")
    assert unknown == [known[0], Vocabulary.unk_id, known[-1]]
    assert own.unknown_in("a1") == ("1",)
    with pytest.warns(UserWarning, match="“1” was never seen in training; read as <unk>"):
        own.translate("a1")


def test_tied_matrices_are_stored_once(folder):
    stored = load_file(folder / MODEL_FILE)
    assert "src_embed.weight" in stored
    assert not {"tgt_embed.weight", "generator.weight"} & stored.keys()


def test_half_precision_halves_the_file_and_computes_in_full(run, folder, tmp_path):
    save_run(run, tmp_path / "half", dtype=torch.float16)
    assert (tmp_path / "half" / MODEL_FILE).stat().st_size < 0.6 * (folder / MODEL_FILE).stat().st_size
    assert load_run(tmp_path / "half").model.src_embed.weight.dtype == torch.float32


def test_the_fingerprint_follows_the_files(run, folder, tmp_path):
    assert load_run(folder).fingerprint == load_run(folder).fingerprint
    save_run(replace(run, evaluation={"exact_match": 0.6}), tmp_path / "other")
    assert load_run(tmp_path / "other").fingerprint != load_run(folder).fingerprint


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Type at least one letter."),
        ("   ", "Type at least one letter."),
        ("a1é", "does not know “1”, “é”"),
        ("a" * 13, "12 letters at most; this has 13."),
        ("</s>", "does not know “<”, “/”, “>”"),
    ],
)
def test_sources_that_cannot_be_read_are_refused_with_a_sentence(run, text, sentence):
    with pytest.raises(InputError, match=sentence):
        run.translate(text)


def damage(folder, change):
    description = json.loads((folder / RUN_FILE).read_text())
    change(description)
    (folder / RUN_FILE).write_text(json.dumps(description))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d.pop("model"), "lacks model"),
        (lambda d: d.update(format=99), "not a run of format 1"),
        (lambda d: d["model"].update(d_model=63), "cannot be used: d_model 63"),
        (lambda d: d["model"].update(d_model=128), "describes"),
        (lambda d: d["model"].update(d_model=10**6, n_heads=100), "describes"),
        (lambda d: d["model"].update(d_model=10**9), "at most 1,000,000"),
        (lambda d: d["model"].update(n_encoder_layers=3), "describes"),
        (lambda d: d["model"].update(n_encoder_layers=15_000), "n_encoder_layers must be at most 100"),
        (lambda d: d["model"].update(n_decoder_layers=101), "n_decoder_layers must be at most 100"),
        (lambda d: d["model"].update(d_model=256, n_heads=256), "n_heads must be at most 128"),
        (lambda d: d.update(task=["copy"]), "task must be a text, not list"),
        (lambda d: d.update(task="x" * 101), "task has 101 characters; 100 is the most"),
        (lambda d: d.update(probes=["x" * 1001]), "1,001 characters; 1,000 is the most"),
        (lambda d: d.update(probes=["x"] * 101), "101 texts; 100 is the most"),
        (lambda d: d["evaluation"].update({"x" * 101: 1.0}), "101 characters; 100 is the most"),
        (lambda d: d["evaluation"].update({str(n): 1.0 for n in range(51)}), "50 is the most"),
        (lambda d: d["history"].append({"x" * 101: 1.0}), "101 characters; 100 is the most"),
        (lambda d: d.update(history=[{"loss": 1.0}] * 10_001), "at most 10,000 updates"),
        (
            lambda d: d["source_tokenizer"].update(kind="magic"),
            "kind to one of word, cased_word, character",
        ),
        (lambda d: d["source_tokenizer"]["tokens"].pop(), "29 tokens, but the model has 30"),
        (lambda d: d.update(max_source_tokens=0), "at least 1, not 0"),
        (lambda d: d.update(evaluation={"exact_match": "all"}), "finite number of 64 bits, not 'all'"),
        (
            lambda d: d["history"].append({"loss": float("inf")}),
            "figure loss must be a finite .* not inf",
        ),
        (lambda d: d["history"].append({"index": 1e300}), r"history has an update 1e\+300"),
        (lambda d: d.update(training={"steps": 0}), "steps must be a whole number"),
        (lambda d: d.update(model=[1, 2]), "must be a table of settings, not list"),
        (lambda d: d.update(model=None), "must be a table of settings, not NoneType"),
        (lambda d: d["model"].update(eos_id=5), "eos_id must be 2, not 5"),
        (
            lambda d: d.update(evaluation={"exact_match": 10**400}),
            "64 bits, not a number of very many digits",
        ),
        (lambda d: d.update(evaluation={"exact_match": True}), "finite number of 64 bits, not True"),
        (lambda d: d["training"].update(peak_learning_rate=10**400), "peak_learning_rate must be"),
        (lambda d: d.update(history=3), "cannot be used"),
        (lambda d: d.update(probes="cat"), "probes must be a list of texts"),
        (lambda d: d.update(best_after=-3), "best_after must be a whole number of at least 1"),
    ],
)
def test_descriptions_that_do_not_fit_are_refused_with_a_sentence(folder, change, sentence):
    damage(folder, change)
    with pytest.raises(RunError, match=sentence):
        load_run(folder)


@pytest.mark.parametrize("figure", [2e15, 4.5e15, 1e18, -1e300, 10**17])
def test_any_finite_figure_is_read(run, figure):
    history = ({"index": 0, "loss": figure, "grad_norm": figure},)
    described = replace(run, history=history, evaluation={"frequency_loss": figure}).to_json()
    description = parse_description("spike", described)
    assert description.history == history
    assert description.evaluation == {"frequency_loss": figure}


HUGE = "x" * 10**6


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(task=HUGE),
        lambda d: d.update(max_source_tokens=HUGE),
        lambda d: d.update(best_after=[HUGE] * 3),
        lambda d: d.update(probes=[HUGE]),
        lambda d: d["evaluation"].update({HUGE: 1}),
        lambda d: d["model"].update(causal=HUGE),
        lambda d: d["model"].update(d_model=HUGE),
        lambda d: d["model"].update(dropout=[HUGE]),
        lambda d: d["model"].update(positional=HUGE),
        lambda d: d["model"].update({HUGE: 1}),
        lambda d: d["training"].update(clip_norm={HUGE: HUGE}),
        lambda d: d["training"].update(seed=HUGE),
        lambda d: d["source_tokenizer"].update(kind=HUGE),
        lambda d: d["source_tokenizer"].update(tokens=[HUGE]),
    ],
)
def test_no_text_of_a_description_makes_a_long_sentence(folder, change):
    """Whoever opens the page Runs would be sent it."""
    damage(folder, change)
    with pytest.raises(RunError) as caught:
        load_run(folder)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "header",
    [
        {HUGE: {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}},
        {"a": {"dtype": HUGE, "shape": [1], "data_offsets": [0, 4]}},
        {"src_embed.weight": {"dtype": "F32", "shape": [1] * 10**5, "data_offsets": [0, 4]}},
    ],
)
def test_no_list_of_weights_makes_a_long_sentence(folder, header):
    listed = json.dumps(header).encode()
    (folder / MODEL_FILE).write_bytes(struct.pack("<Q", len(listed)) + listed + bytes(4))
    with pytest.raises(RunError) as caught:
        load_run(folder)
    assert len(str(caught.value)) < 500


def test_nothing_is_built_of_a_description_that_its_weights_do_not_fit(folder, monkeypatch):
    """As many weights as described, in a single tensor: a few kilobytes that would become thousands of modules."""
    deep = {"n_encoder_layers": MOST_LAYERS, "n_decoder_layers": MOST_LAYERS}
    small = {"d_model": 1, "n_heads": 1, "d_ff": 1, "positional": "none"}
    damage(folder, lambda d: d["model"].update(**deep, **small))
    config = TransformerConfig.from_dict(json.loads((folder / RUN_FILE).read_text())["model"])
    made = []
    monkeypatch.setattr(torch.nn.Module, "__init__", lambda module, *_, **__: made.append(module))
    for name in ("bomb", "src_embed.weight"):
        save_file({name: torch.zeros(expected_parameters(config), dtype=torch.float16)}, folder / MODEL_FILE)
        with pytest.raises(RunError, match=r"lacks src_embed\.weight|lacks encoder\.layers\.0"):
            load_run(folder)
    assert made == []


def test_a_list_of_weights_longer_than_any_models_is_not_read(folder, monkeypatch):
    listed = b"{" + b" " * MAX_HEADER_BYTES + b"}"
    (folder / MODEL_FILE).write_bytes(struct.pack("<Q", len(listed)) + listed)
    monkeypatch.setattr("core.safetensors_file.load", lambda *_: pytest.fail("it was read"))
    with pytest.raises(RunError, match="list of weights is longer than"):
        load_run(folder)


def test_files_that_are_missing_or_damaged_are_refused_with_a_sentence(folder, tmp_path):
    with pytest.raises(RunError, match=r"nowhere/run\.json cannot be read"):
        load_run(tmp_path / "nowhere")
    whole = (folder / MODEL_FILE).read_bytes()
    (folder / MODEL_FILE).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RunError, match="is damaged"):
        load_run(folder)
    (folder / MODEL_FILE).write_bytes(b"\x80\x04\x95 not safetensors")
    with pytest.raises(RunError, match="is damaged"):
        load_run(folder)
    (folder / RUN_FILE).write_text("[" * 100_000)
    with pytest.raises(RunError, match="is not JSON"):
        load_run(folder)


def test_weights_of_another_name_or_shape_are_refused(folder):
    stored = load_file(folder / MODEL_FILE)
    moved = dict(stored)
    moved["encoder.other"] = moved.pop("encoder.layers.0.self_attn.out_proj.bias")
    save_file(moved, folder / MODEL_FILE)
    with pytest.raises(RunError, match=r"lacks encoder\.layers\.0\.self_attn\.out_proj\.bias"):
        load_run(folder)
    turned = {**stored, "src_embed.weight": stored["src_embed.weight"].T.contiguous()}
    save_file(turned, folder / MODEL_FILE)
    with pytest.raises(RunError, match=r"has the shape \[64, 30\], but run\.json describes \[30, 64\]"):
        load_run(folder)


def test_weights_that_are_not_finite_are_refused(folder):
    stored = load_file(folder / MODEL_FILE)
    stored["src_embed.weight"][4, 0] = float("nan")
    save_file(stored, folder / MODEL_FILE)
    with pytest.raises(RunError, match=r"src_embed\.weight holds values that are not finite"):
        load_run(folder)


def test_weights_that_overflow_the_models_dtype_are_refused(folder):
    stored = {name: value.double() for name, value in load_file(folder / MODEL_FILE).items()}
    stored["src_embed.weight"][4, 0] = 1e300
    save_file(stored, folder / MODEL_FILE)
    with pytest.raises(RunError, match=r"not finite in torch\.float32"):
        load_run(folder)


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.int32])
def test_weights_of_a_kind_that_is_not_read_are_refused(folder, dtype):
    stored = {name: value.to(dtype) for name, value in load_file(folder / MODEL_FILE).items()}
    save_file(stored, folder / MODEL_FILE)
    with pytest.raises(RunError, match="16, 32 or 64 bits"):
        load_run(folder)


def test_a_run_is_not_saved_with_fewer_digits_than_it_has_or_with_overflow(run, tmp_path):
    precise = replace(run.config, dtype="float64")
    save_run(replace(run, config=precise, model=Transformer(precise)), tmp_path / "precise")
    assert load_file(tmp_path / "precise" / MODEL_FILE)["src_embed.weight"].dtype == torch.float64
    with torch.no_grad():
        run.model.src_embed.weight[5, 5] = 1e6
    with pytest.raises(RunError, match=r"not finite in torch\.float16"):
        save_run(run, tmp_path / "half", dtype=torch.float16)
    assert not (tmp_path / "half").exists()


def test_save_run_rejects_nan_weights(run, tmp_path):
    with torch.no_grad():
        run.model.src_embed.weight[4, 0] = torch.nan
    with pytest.raises(RunError, match=r"src_embed\.weight has values that are not finite"):
        save_run(run, tmp_path / "broken")
    assert not (tmp_path / "broken").exists()


def add_module(run):
    run.model.decoder.layers[0].adapter = nn.Linear(4, 4)


def replace_module(run):
    run.model.encoder.layers[1].self_attn.out_proj = NonDynamicallyQuantizableLinear(64, 64)


def remove_layer(run):
    del run.model.encoder.layers[1]


def prune_matrix(run):
    l1_unstructured(run.model.encoder.layers[0].feed_forward.linear1, "weight", amount=0.5)


def add_buffer(run):
    run.model.register_buffer("running_mean", torch.zeros(3))


def untie(run):
    run.model.generator.weight = nn.Parameter(run.model.generator.weight.detach().clone())


def convert(run):
    run.model.double()


def move_to_meta(run):
    run.model.to("meta")


def break_weight(run):
    with torch.no_grad():
        run.model.src_embed.weight[5, 5] = torch.nan


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            add_module,
            r"the module decoder\.layers\.0\.adapter is torch\.nn.*Linear, but load_run would build none",
        ),
        (
            replace_module,
            r"the module encoder\.layers\.1\.self_attn\.out_proj is .*NonDynamically.*build torch\.nn",
        ),
        (remove_layer, r"the module encoder\.layers\.1 is missing, but load_run would build"),
        (prune_matrix, r"linear1\.weight_orig is .*, but load_run would build none"),
        (add_buffer, r"the buffer running_mean is \[3\] torch\.float32, but load_run would build none"),
        (untie, r"the parameter generator\.weight is .*, but load_run would build none"),
        (convert, r"src_embed\.weight is .*float64, but load_run would build .*float32"),
        (move_to_meta, r"src_embed\.weight has no numbers yet"),
        (break_weight, r"src_embed\.weight has values that are not finite"),
    ],
)
def test_unreadable_model_is_not_saved(change, sentence, run, tmp_path):
    change(run)
    with pytest.raises(RunError, match=sentence):
        save_run(run, tmp_path / "changed")
    assert not (tmp_path / "changed").exists()


def larger_tokenizer(run):
    return CharacterTokenizer(
        replace(run.src_tokenizer.vocabulary, tokens=(*run.src_tokenizer.vocabulary.tokens, "!"))
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            lambda run: {"src_tokenizer": larger_tokenizer(run)},
            "source tokenizer has 31 tokens, but the model has 30",
        ),
        (
            lambda run: {"tgt_tokenizer": larger_tokenizer(run)},
            "target tokenizer has 31 tokens, but the model has 30",
        ),
        (
            lambda run: {"config": replace(run.config, norm_eps=1e-3)},
            "built with norm_eps 1e-05, but the .* 0.001",
        ),
        (lambda run: {"config": replace(run.config, n_encoder_layers=9)}, "built with n_encoder_layers"),
        (lambda run: {"evaluation": {"exact_match": float("nan")}}, "exact_match must be a finite number"),
        (lambda run: {"evaluation": {"exact_match": torch.tensor(1.0)}}, r"run\.json cannot be written"),
        (lambda run: {"history": ({"loss": float("inf")},)}, "loss must be a finite number"),
        (lambda run: {"probes": ("x" * 1001,)}, "1,000 is the most"),
        (lambda run: {"max_source_tokens": 0}, "max_source_tokens must be a whole number of at least 1"),
        (lambda run: {"task": "\ud800"}, r"run\.json cannot be written"),
    ],
)
def test_unreadable_description_is_not_saved(changes, sentence, run, tmp_path):
    with pytest.raises(RunError, match=sentence):
        save_run(replace(run, **changes(run)), tmp_path / "changed")
    assert not (tmp_path / "changed").exists()


@pytest.mark.parametrize("dtype", [torch.int32, torch.float8_e4m3fn])
def test_unreadable_dtype_is_not_saved(dtype, run, tmp_path):
    with pytest.raises(RunError, match="floating point of 16, 32 or 64 bits, not as torch"):
        save_run(run, tmp_path / "changed", dtype=dtype)
    assert not (tmp_path / "changed").exists()


def test_parameters_with_a_common_memory_are_saved(run, tmp_path):
    """One flat tensor often holds all parameters, as in distributed training."""
    layer = run.model.encoder.layers[0].feed_forward
    flat = torch.cat([layer.linear1.bias, layer.linear2.bias]).detach()
    layer.linear1.bias.data, layer.linear2.bias.data = flat.split([layer.linear1.bias.numel(), 64])
    save_run(run, tmp_path / "flat")
    loaded = load_run(tmp_path / "flat").model
    assert torch.equal(loaded.get_parameter("encoder.layers.0.feed_forward.linear1.bias"), flat[:-64])


def test_matrices_in_one_memory_are_saved_one_by_one(run, tmp_path):
    """torch.load gives tied matrices one memory; two files' worth of weights must not end in safetensors' own error."""
    config = replace(run.config, tie_embeddings=False)
    model = Transformer(config).eval()
    model.generator.weight.data = model.tgt_embed.weight.data
    save_run(replace(run, config=config, model=model), tmp_path / "shared")
    loaded = load_run(tmp_path / "shared").model
    assert torch.equal(loaded.generator.weight, loaded.tgt_embed.weight)


def test_a_folder_that_cannot_be_written_is_named(run, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="cannot be written"):
        save_run(run, tmp_path / "file" / "run")


def test_a_pipe_in_the_place_of_a_file_does_not_hang(folder):
    (folder / RUN_FILE).unlink()
    os.mkfifo(folder / RUN_FILE)
    with pytest.raises(RunError, match="there is no such file"):
        load_run(folder)


def test_loading_draws_no_random_number_that_others_would_have_drawn(folder):
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    load_run(folder)
    assert torch.equal(torch.rand(3), expected)


def test_a_device_that_is_not_there_is_named(folder):
    with pytest.raises(ConfigError, match="device must be cpu, cuda or mps, not 'abacus'"):
        load_run(folder, device="abacus")
    with pytest.raises(ConfigError, match="not 'cpu:x'"):
        load_run(folder, device="cpu:x")


def test_a_model_file_larger_than_its_description_allows_is_not_read(folder, monkeypatch):
    with open(folder / "model.safetensors", "r+b") as file:
        file.truncate(100 * 2**20)
    monkeypatch.setattr("core.safetensors_file.load", lambda *_: pytest.fail("it was read"))
    with pytest.raises(RunError, match="larger than"):
        load_run(folder)


def test_unknown_character_of_byte_pairs_is_read_as_unk(run, tmp_path):
    tokenizer = BpeTokenizer.train(["so no", "no so", "sooo"] * 3, 14)
    size = len(tokenizer.vocabulary)
    config = replace(run.config, src_vocab_size=size, tgt_vocab_size=size)
    pieces = replace(
        run, config=config, model=Transformer(config).eval(), src_tokenizer=tokenizer, tgt_tokenizer=tokenizer
    )
    ids = pieces.source_ids("no ßo")
    assert ids.count(Vocabulary.unk_id) == 1
    assert ids == [*tokenizer.encode("no ßo"), Vocabulary.eos_id]
    with pytest.warns(UserWarning, match=r"^“ß” was never seen in training; read as <unk>"):
        pieces.translate("no ßo")
    with pytest.warns(UserWarning, match=r"^text 2: “ß”, “é” were never seen in training"):
        pieces.translate(["so", "ß é"])
    with pytest.raises(InputError, match="does not know “ß”"):
        run.translate("ß")


def test_output_at_the_last_learned_position_is_told(run, tmp_path, capsys):
    config = replace(run.config, positional="learned", max_len=8)
    model = Transformer(config).eval()
    with torch.no_grad():
        bias = model.get_parameter(f"decoder.layers.{config.n_decoder_layers - 1}.feed_forward_add_norm.bias")
        bias.add_(model.src_embed.weight[7], alpha=5)
    short = replace(run, config=config, model=model)
    with pytest.warns(UserWarning, match="ended after 8 tokens, before max_length 30"):
        short.translate("abc", DecodeConfig(max_length=30))
    save_run(short, tmp_path / "short")
    assert translate.main(["--run", str(tmp_path / "short"), "--max-length", "30", "abc"]) == 0
    assert "stopped after 8 tokens, the last position that the model has learned" in capsys.readouterr().err


def test_weights_larger_than_are_read_are_not_saved(run, tmp_path, monkeypatch):
    monkeypatch.setattr("core.run.MAX_MODEL_BYTES", 1000)
    with pytest.raises(RunError, match="1,000 is the most"):
        save_run(run, tmp_path / "large")
    assert not (tmp_path / "large").exists()
