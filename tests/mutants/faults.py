"""Twelve faults that people make in a Transformer, each as a change of one place in core."""

from dataclasses import dataclass
from pathlib import Path

LAWS = "tests/core/model/test_laws.py"
PARITY = "tests/core/model/test_parity.py"
GOLDEN = "tests/core/golden/test_golden.py"
DECODING = "tests/core/decoding/test_autoregressive.py"
BEAM = "tests/core/decoding/test_beam.py"
EQUATIONS = f"{GOLDEN}::test_the_logits_and_the_loss_are_those_of_the_equations"


@dataclass(frozen=True)
class Fault:
    """A mistake, and the tests that must see it.

    Attributes:
        name: What is wrong.
        file: Where, from the root of the project.
        right: The source text that is replaced; it occurs there exactly once.
        wrong: What it becomes.
        tests: ``file::function`` of the tests that must turn red, each of them.
    """

    name: str
    file: str
    right: str
    wrong: str
    tests: tuple[str, ...]

    def planted(self, root: Path) -> str:
        """The whole file with the fault in it.

        Raises:
            ValueError: when the right text is not there exactly once.
        """
        path = root / self.file
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        count = text.count(self.right)
        if count != 1:
            raise ValueError(
                f"fault {self.name!r} replaces {self.right!r}, which occurs {count} times in {self.file} "
                "and not once; bring tests/mutants/faults.py up to date"
            )
        return text.replace(self.right, self.wrong)


FAULTS = (
    Fault(
        "scale missing",
        "core/model/attention.py",
        "self.scale = config.score_scale",
        "self.scale = 1.0",
        (f"{LAWS}::test_scores_are_queries_times_keys_over_the_root_of_the_head_size", EQUATIONS),
    ),
    Fault(
        "causal mask off by one",
        "core/model/masks.py",
        "return key <= query",
        "return key <= query + 1",
        (
            f"{LAWS}::test_a_later_target_token_never_changes_earlier_logits",
            f"{LAWS}::test_masks_say_where_a_query_may_look",
        ),
    ),
    Fault(
        "padding inverted",
        "core/model/masks.py",
        "(ids != pad_id)[:, None, None, :]",
        "(ids == pad_id)[:, None, None, :]",
        (f"{LAWS}::test_masks_hide_padding_and_the_future", EQUATIONS),
    ),
    Fault(
        "norm placement: post written as pre",
        "core/model/encoder.py",
        "x = self.self_attn_add_norm(x, self.self_attn(x, mask))",
        "x = x + self.self_attn(LayerNorm.forward(self.self_attn_add_norm, x), mask)",
        (f"{PARITY}::test_an_encoder_layer_equals_torchs", EQUATIONS),
    ),
    Fault(
        "norm ε of 1e-3",
        "core/model/add_norm.py",
        "self.eps = config.norm_eps",
        "self.eps = 1e-3",
        (f"{PARITY}::test_an_encoder_layer_equals_torchs", EQUATIONS),
    ),
    Fault(
        "label smoothing not spread over the vocabulary",
        "core/training/loss.py",
        "-log_probs.mean(dim=-1)",
        "-log_probs.sum(dim=-1)",
        (f"{PARITY}::test_the_loss_equals_torchs_cross_entropy", EQUATIONS),
    ),
    Fault(
        "padding counted in the loss",
        "core/training/loss.py",
        "per_label.masked_fill(~counts, 0.0).sum() / counts.sum()",
        "per_label.mean()",
        (f"{PARITY}::test_the_loss_equals_torchs_cross_entropy", EQUATIONS),
    ),
    Fault(
        "sin and cos swapped",
        "core/model/positional_encoding.py",
        "(angle.sin(), angle.cos())",
        "(angle.cos(), angle.sin())",
        (f"{PARITY}::test_sinusoids_are_the_papers_formula_written_out", EQUATIONS),
    ),
    Fault(
        "embedding scale missing",
        "core/model/embedding.py",
        "self.scale = math.sqrt(config.d_model)",
        "self.scale = 1.0",
        (f"{PARITY}::test_the_whole_model_equals_torchs_stacks_in_values_and_gradients", EQUATIONS),
    ),
    Fault(
        "a stale cache row",
        "core/model/cache.py",
        "torch.cat((self.values, v), dim=2)",
        "torch.cat((self.values, self.values[:, :, :1]), dim=2)",
        (
            f"{DECODING}::test_cached_decoding_equals_uncached",
            f"{BEAM}::test_cached_search_equals_uncached",
        ),
    ),
    Fault(
        "beam length penalty upside down",
        "core/decoding/beam.py",
        "** alpha)",
        "** -alpha)",
        (
            f"{BEAM}::test_length_penalty_is_that_of_wu_et_al",
            f"{BEAM}::test_an_exhaustive_beam_finds_what_brute_force_finds",
        ),
    ),
    Fault(
        "heads joined in the wrong order",
        "core/model/attention.py",
        "context.transpose(1, 2).flatten(2)",
        "context.transpose(1, 2).mT.flatten(2)",
        (f"{PARITY}::test_self_attention_equals_torchs_multihead_attention", EQUATIONS),
    ),
)
