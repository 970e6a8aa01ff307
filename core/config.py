"""Frozen configurations of the model, its training and its decoding, checked when they are made."""

import reprlib
from dataclasses import Field, dataclass, fields
from typing import Any, ClassVar, Literal, Self, get_args, get_origin, get_type_hints

from core.errors import ConfigError
from core.numbers import is_number, is_whole

NormPosition = Literal["post", "pre"]
Positional = Literal["sinusoidal", "learned", "none"]
ActivationName = Literal["relu", "gelu", "silu"]
DTypeName = Literal["float32", "bfloat16", "float64"]
AttentionBackend = Literal["auto", "eager"]
Schedule = Literal["linear", "paper", "inverse_sqrt", "constant"]
TrainDTypeName = Literal["float32", "bfloat16"]


MAX_NUMBER = 1e6
"""No setting has a use for more: above are only mistakes and overflows."""
MAX_BEAM_WIDTH = 1_000
"""Every hypothesis has its own keys and values in memory, at every layer and step."""
MOST_LAYERS, MOST_HEADS = 100, 128
"""Most layers of a stack and most heads of an attention block: a layer is some thirty modules, a head a picture."""

MOST_MOMENTS = 1_000
"""Most moments of a training whose weights are kept."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60


SPECIAL_IDS = {"pad_id": ("<pad>", 0), "bos_id": ("<s>", 1), "eos_id": ("</s>", 2)}
"""Token and id of each special id: vocabularies and batches have no others."""


class _Checked:
    """Shared checks: truth values and choices are those that their type allows, numbers lie within their bounds."""

    _later: ClassVar[frozenset[str]] = frozenset()
    """Settings that earlier versions did not have."""
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    """Every class with these checks is a dataclass."""
    _types: ClassVar[dict[str, Any]]
    """The declared type of each setting."""

    def __init_subclass__(cls) -> None:
        # Once for each class: to work types out takes longer than all the checks of a configuration.
        cls._types = get_type_hints(cls)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values from which `from_dict` builds it again.

        A setting that earlier versions did not have is left out at its default, so what they have written and what
        is written now are the same.
        """
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in self._later or getattr(self, field.name) != field.default
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Build from plain JSON values.

        Raises:
            ConfigError: when a key is unknown or missing, or a value is impossible.
        """
        if not isinstance(values, dict):
            raise ConfigError(f"{cls.__name__} must be a table of settings, not {type(values).__name__}")
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ConfigError(f"{cls.__name__} has no setting {short(unknown[0])}; remove it")
        try:
            return cls(**values)
        except TypeError as error:
            raise ConfigError(f"{cls.__name__} is incomplete: {error}") from error

    def _require_int(self, name: str, least: int, most: int = int(MAX_NUMBER)) -> None:
        value = getattr(self, name)
        if not is_whole(value, least):
            raise ConfigError(f"{name} must be a whole number of at least {least}, not {short(value)}")
        if value > most:
            raise ConfigError(f"{name} must be at most {most:,}, not {short(value)}")

    def _require_seed(self) -> None:
        self._require_int("seed", 0, 2**63 - 1)

    def _require_share(self, name: str) -> None:
        value = getattr(self, name)
        if not is_number(value, 0) or value >= 1:
            raise ConfigError(f"{name} must be a number from 0 up to but not including 1, not {short(value)}")

    def _require_positive(self, name: str) -> None:
        value = getattr(self, name)
        if not is_number(value, 0, MAX_NUMBER) or value == 0:
            raise ConfigError(f"{name} must be a finite number above 0, not {short(value)}")

    def _require_bool(self, name: str) -> None:
        value = getattr(self, name)
        if not isinstance(value, bool):
            raise ConfigError(f"{name} must be true or false, not {short(value)}")

    def _require_declared(self) -> None:
        """Truth values are true or false, and choices among those that their type names."""
        for name, hint in self._types.items():
            value = getattr(self, name)
            if hint is bool or (hint == bool | None and value is not None):
                self._require_bool(name)
            if get_origin(hint) is Literal and value not in get_args(hint):
                raise ConfigError(f"{name} must be one of {', '.join(get_args(hint))}, not {short(value)}")


def short(value: object) -> str:
    """A wrong value as a sentence may carry it: not endless; Python refuses to write numbers of thousands of digits."""
    if isinstance(value, int) and abs(value) > MAX_NUMBER**4:
        return "a number of very many digits"
    return _SHORT.repr(value)


USUAL_OUTPUT_TOKENS = 50
"""Most tokens of an output, EOS included, where neither a caller nor a run says otherwise."""
MOST_OUTPUT_TOKENS = 10_000
"""Largest limit that a run's file can set by itself: nothing in it is trusted."""
PAPER_VOCAB_SIZE = 37_000
"""Tokens that both languages share in the paper's English-German model, about (section 5.1)."""


@dataclass(frozen=True, kw_only=True)
class TransformerConfig(_Checked):
    """Everything that decides the shape and the arithmetic of a model.

    The defaults are the base model of "Attention Is All You Need" (section 3, table 3), written to
    the letter: post-norm, sinusoidal positions, ReLU, dropout on sub-layer outputs and embedding sums.
    """

    src_vocab_size: int
    """Number of source tokens, special ones included."""
    tgt_vocab_size: int
    """Number of target tokens; equals src_vocab_size when the embeddings are tied."""
    d_model: int = 512
    """Width of the residual stream."""
    n_heads: int = 8
    """Attention heads; each has size d_model / n_heads."""
    n_encoder_layers: int = 6
    """Number of encoder layers."""
    n_decoder_layers: int = 6
    """Number of decoder layers."""
    d_ff: int = 2048
    """Inner width of the feed-forward network."""
    dropout: float = 0.1
    """Share that is dropped of every sub-layer's output and of the sums of embedding and position (section 5.4)."""
    attention_dropout: float = 0.0
    """Share that is dropped of the attention weights; the paper's text has none, many code bases do."""
    ffn_dropout: float = 0.0
    """Share that is dropped of the feed-forward network's hidden units; the paper's text has none."""
    max_len: int = 512
    """Longest sequence for which positions are learned, or tabulated in advance."""
    pad_id: int = 0
    """Id of `<pad>`, the padding of a batch; always 0."""
    bos_id: int = 1
    """Id of `<s>`, the first token that the decoder reads; always 1."""
    eos_id: int = 2
    """Id of `</s>`, the last token of every sequence; always 2."""
    norm_position: NormPosition = "post"
    """"post": LayerNorm(x + sublayer(x)), the paper. "pre": x + sublayer(LayerNorm(x))."""
    final_norm: bool | None = None
    """A LayerNorm after each stack. None means: as norm_position needs it (pre yes, post no)."""
    positional: Positional = "sinusoidal"
    """Positional encoding (section 3.5)."""
    activation: ActivationName = "relu"
    """Activation function of the feed-forward networks."""
    tie_embeddings: bool = True
    """One matrix as source embedding, target embedding and output projection (section 3.4)."""
    attention_bias: bool = True
    """Biases in the four projections of an attention block."""
    scale_scores: bool = True
    """Divide q·k by √d_head (section 3.2.1); off only to show what happens without."""
    causal: bool = True
    """Hide later target tokens (section 3.2.3); off only to show what happens without."""
    norm_eps: float = 1e-5
    """ε of every LayerNorm."""
    dtype: DTypeName = "float32"
    """Number type of the weights and of all arithmetic."""
    attention_backend: AttentionBackend = "auto"
    """"auto": fused kernels when nobody looks; "eager": every intermediate value is always made."""

    def __post_init__(self) -> None:
        for name in ("src_vocab_size", "tgt_vocab_size", "d_model", "d_ff", "max_len"):
            self._require_int(name, 1)
        self._require_int("n_heads", 1, MOST_HEADS)
        for name in ("n_encoder_layers", "n_decoder_layers"):
            self._require_int(name, 1, MOST_LAYERS)
        for name in ("dropout", "attention_dropout", "ffn_dropout"):
            self._require_share(name)
        self._require_positive("norm_eps")
        self._require_declared()
        self._require_special_ids()
        self._require_possible_combination()

    def _require_special_ids(self) -> None:
        for name, (token, required) in SPECIAL_IDS.items():
            value = getattr(self, name)
            if not is_whole(value, required, required):
                raise ConfigError(
                    f"{name} must be {required}, not {short(value)}: {token} has this id in every vocabulary and "
                    "batch; renumber the tokens"
                )
        if min(self.src_vocab_size, self.tgt_vocab_size) < len(SPECIAL_IDS):
            raise ConfigError(f"a vocabulary has at least the {len(SPECIAL_IDS)} tokens <pad>, <s> and </s>")

    def _require_possible_combination(self) -> None:
        if self.d_model % self.n_heads:
            raise ConfigError(f"d_model {self.d_model} must be a multiple of n_heads {self.n_heads}")
        if self.positional == "sinusoidal" and self.d_model % 2:
            raise ConfigError(
                f"d_model {self.d_model} must be even: sinusoidal positions pair a sine with a cosine"
            )
        if self.tie_embeddings and self.src_vocab_size != self.tgt_vocab_size:
            raise ConfigError(
                f"tie_embeddings needs one vocabulary, but the source has {self.src_vocab_size} tokens "
                f"and the target {self.tgt_vocab_size}; make them one or set tie_embeddings=False"
            )
        if self.norm_position == "pre" and self.final_norm is False:
            raise ConfigError("norm_position 'pre' needs final_norm: its residual stream is never normalised")

    @property
    def d_head(self) -> int:
        """Size of one head: d_model / n_heads."""
        return self.d_model // self.n_heads

    @property
    def score_scale(self) -> float:
        """What q·k is multiplied by: 1/√d_head, or 1 with scale_scores off."""
        return self.d_head**-0.5 if self.scale_scores else 1.0

    @property
    def has_final_norm(self) -> bool:
        """Whether a LayerNorm follows each stack."""
        return self.norm_position == "pre" if self.final_norm is None else self.final_norm

    @classmethod
    def base(cls, *, src_vocab_size: int, tgt_vocab_size: int, **changes: Any) -> Self:
        """The paper's base model (table 3): N=6, h=8, d_model=512, d_ff=2048."""
        tied = changes.pop("tie_embeddings", src_vocab_size == tgt_vocab_size)
        return cls(
            src_vocab_size=src_vocab_size, tgt_vocab_size=tgt_vocab_size, tie_embeddings=tied, **changes
        )


@dataclass(frozen=True, kw_only=True)
class TrainConfig(_Checked):
    """How a model is trained (section 5, with a linear decay that ends a short run well)."""

    steps: int = 1250
    """Updates in all, or at most where patience may end it; a linear decay reaches 0 after the last."""
    batch_size: int = 64
    """Sentence pairs in one update."""
    bucket_batches: int = 1
    """Batches whose pairs are sorted by length: the more, the less padding, but the more alike are a batch's pairs."""
    schedule: Schedule = "linear"
    """What follows the warm-up: "linear" decay to 0, 1/√update as in the "paper" or, from the peak, "inverse_sqrt",
    which need not know when the training ends; or a "constant" rate."""
    peak_learning_rate: float = 2e-3
    """Reached at the end of the warm-up; the paper's schedule has its own, 1/√(d_model · warmup_steps)."""
    warmup_steps: int = 150
    """Updates over which the learning rate rises linearly from 0 to its peak."""
    label_smoothing: float = 0.1
    """Share of the label's probability that is spread over the vocabulary (section 5.4)."""
    clip_norm: float = 1.0
    """Largest norm of the whole gradient."""
    adam_beta1: float = 0.9
    """Decay of Adam's first moment."""
    adam_beta2: float = 0.98
    """Decay of Adam's second moment."""
    adam_eps: float = 1e-9
    """Number that Adam adds to the denominator, against division by 0."""
    dtype: TrainDTypeName = "float32"
    """ "bfloat16" multiplies in half the bits (autocast), with weights, sums and updates in full precision."""
    seed: int = 0
    """Seed of the weights, the pairs, their order and dropout."""
    n_train: int = 20_000
    """Training pairs. No source is in two of the three splits."""
    n_validation: int = 500
    """Validation pairs, which choose the best weights."""
    n_test: int = 1000
    """Test pairs, which measure the trained model."""
    unseen_pairs: bool = False
    """Keep some combinations of words that the task names out of all three, and test these by themselves."""
    validate_every: int = 250
    """Updates between two looks at the validation pairs; the best weights so far are kept."""
    checkpoint_every: int = 250
    """Updates between two checkpoints, from which a broken training goes on as if nothing had happened."""
    patience: int = 0
    """Validations in a row without a lower loss or more exact answers after which the training ends; 0 for none."""
    perfect_validations: int = 0
    """Validations in a row with every answer exact after which a training with patience ends; 0 for none."""
    history: int = 40
    """Most moments on the way whose weights are kept, so that one can go back to them; 0 for none."""

    _later: ClassVar[frozenset[str]] = frozenset({"patience", "perfect_validations", "history"})

    def __post_init__(self) -> None:
        counts = ("steps", "batch_size", "n_train", "n_validation", "n_test")
        for name in (*counts, "bucket_batches", "validate_every", "checkpoint_every"):
            self._require_int(name, 1)
        for name in ("warmup_steps", "patience", "perfect_validations"):
            self._require_int(name, 0)
        self._require_int("history", 0, MOST_MOMENTS)
        self._require_seed()
        self._require_declared()
        for name in ("label_smoothing", "adam_beta1", "adam_beta2"):
            self._require_share(name)
        for name in ("peak_learning_rate", "clip_norm", "adam_eps"):
            self._require_positive(name)
        if self.schedule in ("paper", "inverse_sqrt") and not self.warmup_steps:
            name = "the paper's schedule" if self.schedule == "paper" else "the schedule inverse_sqrt"
            raise ConfigError(f"{name} needs warmup_steps of at least 1: its rates follow from them")
        if self.schedule in ("linear", "inverse_sqrt") and self.warmup_steps >= self.steps:
            raise ConfigError(
                f"warmup_steps {self.warmup_steps} must be below steps {self.steps}: nothing would be left to decay"
            )

    def is_time_for(self, every: int, updates: int) -> bool:
        """Whether what is done every so many updates is done after these: it is after the last as well."""
        return updates % every == 0 or updates == self.steps


@dataclass(frozen=True, kw_only=True)
class DecodeConfig(_Checked):
    """How a translation is produced, token by token."""

    max_length: int | None = None
    """Most tokens that are produced, EOS included; None stands for the run's own limit, or 50 without a run."""
    temperature: float = 0.0
    """0 takes the most probable token; above 0 samples from softmax(logits / temperature)."""
    top_k: int | None = None
    """Sample among this many most probable tokens only; None: among all."""
    top_p: float = 1.0
    """Sample among the fewest most probable tokens that have this share of the probability, after top_k; 1: all."""
    seed: int = 0
    """Seed of the draws when temperature is above 0. Of several texts each draws numbers of its own, which follow from
    the seed and the text's place among them; a text that is translated alone has the first place."""
    use_cache: bool = True
    """Keep keys and values of earlier steps; off recomputes them, with the same result."""

    def __post_init__(self) -> None:
        if self.max_length is not None:
            self._require_int("max_length", 1)
        self._require_seed()
        self._require_declared()
        # Below a hundredth the division overflows, and the result is the greedy one anyway.
        if not is_number(self.temperature, 0, 1000) or 0 < self.temperature < 0.01:
            raise ConfigError(f"temperature must be 0, or from 0.01 to 1000, not {short(self.temperature)}")
        if self.top_k is not None:
            self._require_int("top_k", 1)
        if not is_number(self.top_p, 0, 1) or self.top_p == 0:
            raise ConfigError(f"top_p must be a number above 0, and 1 at most, not {short(self.top_p)}")
        if not self.temperature:
            self._refuse_settings_of_sampling()

    def _refuse_settings_of_sampling(self) -> None:
        for field in fields(self):
            if field.name in ("top_k", "top_p", "seed") and getattr(self, field.name) != field.default:
                raise ConfigError(f"{field.name} applies to sampling; add temperature above 0")


@dataclass(frozen=True, kw_only=True)
class BeamConfig(_Checked):
    """How beam search looks for the best targets of a source; the defaults are section 6.1's."""

    width: int = 4
    """Unfinished hypotheses that are kept after each step."""
    length_penalty: float = 0.6
    """α in log P / ((5 + |y|) / 6)^α: 0 compares by log P alone, more favours longer targets."""
    max_length: int | None = None
    """Most tokens of a hypothesis, EOS included; None stands for the run's own limit, or 50 without a run."""
    n_best: int | None = None
    """Hypotheses in the answer. None means: as many as width."""
    use_cache: bool = True
    """Keep keys and values of earlier steps; off recomputes them, with the same result."""

    def __post_init__(self) -> None:
        self._require_int("width", 1, MAX_BEAM_WIDTH)
        if self.max_length is not None:
            self._require_int("max_length", 1)
        self._require_declared()
        alpha = self.length_penalty
        # Above 10 only the length would count, and far above the power would overflow.
        if not is_number(alpha, 0, 10):
            raise ConfigError(f"length_penalty must be a number from 0 to 10, not {short(alpha)}")
        if self.n_best is not None:
            self._require_int("n_best", 1)
            if self.n_best > self.width:
                raise ConfigError(f"n_best {self.n_best} must be at most width {self.width}; widen the beam")

    @property
    def n_returned(self) -> int:
        """Hypotheses in the answer: n_best, or width where it is not given."""
        return self.width if self.n_best is None else self.n_best
