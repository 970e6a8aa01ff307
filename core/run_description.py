"""What is known of a run without its weights: the file `run.json`. Reading it needs no torch."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Self

from core.config import (
    MAX_NUMBER,
    MOST_OUTPUT_TOKENS,
    USUAL_OUTPUT_TOKENS,
    TrainConfig,
    TransformerConfig,
    short,
)
from core.data.cleaning import clean_source, clean_target
from core.data.tasks import TASKS
from core.data.tokenizers import CharacterTokenizer, Tokenizer, tokenizer_from_dict
from core.errors import ConfigError, InputError, RunError, excerpt
from core.evaluation.figures import USUAL_BLEU_TOKENIZER
from core.files import read_bounded
from core.model.shapes import expected_parameters
from core.notebook import html_table
from core.numbers import is_number, is_whole
from core.training.outcome import outcome
from core.training.progress import Progress

RUN_FILE = "run.json"
MODEL_FILE = "model.safetensors"
FORMAT = 1
PIECE = "piece"
"""What one token is called where words are cut into parts."""
MOST_NAMED = 5
"""Unknown tokens that a message names."""
MAX_RUN_BYTES = 16 * 2**20
MAX_NAME_LENGTH, MAX_PROBE_LENGTH = 100, 1000
"""Characters of a task's or a figure's name, and of a probe."""
SHARES = frozenset({"exact_match", "token_accuracy", "unseen_exact_match"})
"""Figures of an evaluation that are shares of its pairs or tokens."""
LARGEST_FLOAT = sys.float_info.max
MAX_PROBES, MAX_FIGURES, MAX_HISTORY = 100, 50, 10_000
"""Probes of a run, figures of one moment, and moments of its history."""


@dataclass(frozen=True)
class Parent:
    """The run whose weights another one began with.

    Attributes:
        name: Its folder's name.
        fingerprint: Of its files as they were then (`core.run.Run.fingerprint`).
    """

    name: str
    fingerprint: str

    @classmethod
    def from_dict(cls, values: Any) -> Self | None:
        """Build from plain JSON values, none of which is trusted; None where a run has no parent."""
        if values is None:
            return None
        if not isinstance(values, dict) or set(values) != {"name", "fingerprint"}:
            raise ConfigError("parent must have a name and a fingerprint, and nothing else")
        return cls(*(_name(f"the parent's {each}", values[each]) for each in ("name", "fingerprint")))


@dataclass(frozen=True, kw_only=True)
class RunDescription:
    """Everything about a trained model but its weights.

    Attributes:
        name: The folder's name.
        task: Name of the task that it learned.
        config: Of the model.
        src_tokenizer: Of its sources.
        tgt_tokenizer: Of its targets; the same object where the vocabulary is one.
        train_config: How it was trained.
        evaluation: Figures of held-out pairs, such as exact_match; empty when it was never evaluated. Those of a
            training that was stopped before its end have the number of its updates as `stopped_after`.
        progress: Figures of `core.training.progress.Progress` at the end of the training, and the validation loss
            of a model that knows token frequencies alone as `frequency_loss`; empty before the end.
        history: Some updates of the training: index, loss, learning_rate, grad_norm.
        max_source_tokens: Longest source that it was made for.
        max_target_tokens: Longest target of its pairs, without EOS; None for a task, and for a run from before this
            was stored.
        bleu_tokenizer: Name of sacrebleu's tokenizer that BLEU among its figures was computed with.
        probes: Sources that are translated again and again while it is trained.
        best_after: Updates after which its weights were taken, the best on the validation pairs.
        parent: The run that its training went on from; None where it began with random weights.
    """

    name: str
    task: str
    config: TransformerConfig
    src_tokenizer: Tokenizer
    tgt_tokenizer: Tokenizer
    train_config: TrainConfig
    evaluation: Mapping[str, float] = field(default_factory=dict)
    progress: Mapping[str, float] = field(default_factory=dict)
    history: tuple[Mapping[str, float], ...] = ()
    max_source_tokens: int = 24
    max_target_tokens: int | None = None
    bleu_tokenizer: str = USUAL_BLEU_TOKENIZER
    probes: tuple[str, ...] = ()
    best_after: int | None = None
    parent: Parent | None = None

    @property
    def updates(self) -> int:
        """Updates that were really made; fewer than planned where training was stopped."""
        return int(self.history[-1]["index"]) + 1 if self.history else 0

    @property
    def output_limit(self) -> int:
        """Most tokens of an output, EOS included, unless a caller asks for another limit."""
        return self.output_limit_for(self.max_target_tokens or 0)

    def output_limit_for(self, longest: int) -> int:
        """Return the limit of outputs for a longest target of this many tokens, without EOS.

        It leaves half as much room again as that target needs, and fits into learned positions.
        """
        most = min(max(USUAL_OUTPUT_TOKENS, longest + longest // 2 + 5), MOST_OUTPUT_TOKENS)
        return min(most, self.config.max_len) if self.config.positional == "learned" else most

    @property
    def is_complete(self) -> bool:
        """True if the training has ended as it should; one that was stopped has figures of its best weights so far."""
        return bool(self.evaluation) and "stopped_after" not in self.evaluation

    @property
    def source_unit(self) -> str:
        """What somebody types one token of: a word, a letter, a character, or a piece of a word."""
        return _unit_of(self.src_tokenizer, "word")

    @property
    def target_unit(self) -> str:
        """What the model writes one token of."""
        return _unit_of(self.tgt_tokenizer, PIECE)

    @property
    def reads_unknown(self) -> bool:
        """True if the model reads <unk> in place of a token that it does not know, and False if it rejects the text.

        Held-out lines of a user's own pairs may have a token that no training pair has, and for a rare character there
        may be no byte-pair piece. A task has a closed vocabulary, and another token is a slip of the pen.
        """
        return self.source_unit == PIECE or self.task not in TASKS

    def unknown_in(self, text: str) -> tuple[str, ...]:
        """Return the tokens of a typed source that the model does not know, each once."""
        return tuple(self.src_tokenizer.unknown(self._clean_source_text(text)))

    def _clean_source_text(self, text: str) -> str:
        return clean_source(text, keep_spaces=self.src_tokenizer.exact_spaces).text

    def source_ids(self, text: str) -> list[int]:
        """Return the ids of a typed source, with eos.

        Raises:
            InputError: when the text has no token or too many, or one that the model rejects because it does not
                know it.
        """
        unit = self.source_unit
        text = self._clean_source_text(text)
        tokens = self.src_tokenizer.tokenize(text)
        if not tokens:
            raise InputError(f"Type at least one {'word' if unit == PIECE else unit}.")
        if len(tokens) > self.max_source_tokens:
            raise InputError(f"{self.max_source_tokens} {unit}s at most; this has {len(tokens)}.")
        unknown = self.src_tokenizer.unknown(text)
        if unknown and not self.reads_unknown:
            raise InputError(f"The model does not know {_named(unknown)}; use other {unit}s.")
        return [*self.src_tokenizer.encode(text), self.config.eos_id]

    def target_ids(self, text: str) -> list[int]:
        """Ids of a target's text, or of its beginning, without eos.

        Raises:
            InputError: when it has a token that the model cannot write.
        """
        text = clean_target(text, keep_spaces=self.tgt_tokenizer.exact_spaces).text
        unknown = self.tgt_tokenizer.unknown(text)
        if unknown:
            raise InputError(f"The model cannot write {_named(unknown)}; use other {self.target_unit}s.")
        return self.tgt_tokenizer.encode(text)

    def __repr__(self) -> str:
        """The run in a line: its name, its task, and how large its model is."""
        return f"<{type(self).__name__} {self.name!r}: {', '.join(f'{key} {value}' for key, value in self._facts())}>"

    def _repr_html_(self) -> str:
        """The same as a table, and the figures of the held-out pairs."""
        figures = [(name, f"{value:.4g}") for name, value in self.evaluation.items()]
        return html_table(self.name, [*self._facts(), *figures])

    def _facts(self) -> list[tuple[str, object]]:
        config = self.config
        return [
            ("task", self.task),
            ("layers", f"{config.n_encoder_layers} + {config.n_decoder_layers}"),
            ("d_model", config.d_model),
            ("heads", config.n_heads),
            ("parameters", f"{expected_parameters(config):,}"),
            ("tokens", f"{len(self.src_tokenizer.vocabulary):,} → {len(self.tgt_tokenizer.vocabulary):,}"),
            ("updates", f"{self.updates:,}"),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values from which `from_dict` builds the description again."""
        tokenizers = {"source_tokenizer": self.src_tokenizer.to_dict()}
        if self.tgt_tokenizer is not self.src_tokenizer:
            tokenizers["target_tokenizer"] = self.tgt_tokenizer.to_dict()
        return {
            "format": FORMAT,
            "task": self.task,
            "max_source_tokens": self.max_source_tokens,
            **({"max_target_tokens": self.max_target_tokens} if self.max_target_tokens else {}),
            "model": self.config.to_dict(),
            "training": self.train_config.to_dict(),
            "evaluation": dict(self.evaluation),
            **(
                {"bleu_tokenizer": self.bleu_tokenizer} if self.bleu_tokenizer != USUAL_BLEU_TOKENIZER else {}
            ),
            # The sentence is for whoever opens the file; it follows from the figures.
            **({"progress": dict(self.progress), "outcome": outcome(self)} if self.progress else {}),
            "history": [dict(step) for step in self.history],
            "probes": list(self.probes),
            "best_after": self.best_after,
            **({"parent": asdict(self.parent)} if self.parent else {}),
            **tokenizers,
        }

    def to_json(self) -> bytes:
        """The bytes of a `run.json`."""
        return (json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n").encode()

    @classmethod
    def from_dict(cls, name: str, values: Mapping[str, Any]) -> Self:
        """Build from plain JSON values, none of which is trusted.

        Raises:
            RunError: when a value is missing or impossible.
        """
        try:
            config = TransformerConfig.from_dict(values["model"])
            src = tokenizer_from_dict(values["source_tokenizer"])
            tgt = tokenizer_from_dict(values["target_tokenizer"]) if "target_tokenizer" in values else src
            _check_vocabularies(config, src, tgt)
            return cls(
                name=name,
                task=_name("task", values["task"]),
                config=config,
                src_tokenizer=src,
                tgt_tokenizer=tgt,
                train_config=TrainConfig.from_dict(values["training"]),
                evaluation=_evaluation(values["evaluation"]),
                progress=_progress(values.get("progress", {})),
                history=_history(values["history"]),
                max_source_tokens=_count("max_source_tokens", values["max_source_tokens"]),
                max_target_tokens=_count_or_none("max_target_tokens", values.get("max_target_tokens")),
                bleu_tokenizer=_name("bleu_tokenizer", values.get("bleu_tokenizer", USUAL_BLEU_TOKENIZER)),
                probes=_texts("probes", values.get("probes", [])),
                best_after=_count_or_none("best_after", values.get("best_after")),
                parent=Parent.from_dict(values.get("parent")),
            )
        except KeyError as error:
            raise RunError(f"{name}/{RUN_FILE} lacks {error.args[0]}; make the run again") from error
        except (ConfigError, TypeError, AttributeError) as error:
            raise RunError(f"{name}/{RUN_FILE} cannot be used: {error}") from error


def parse_description(name: str, stored: bytes) -> RunDescription:
    """The description in the bytes of a `run.json`.

    Raises:
        RunError: when it is not one.
    """
    try:
        values = json.loads(stored)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{name}/{RUN_FILE} is not JSON; make the run again") from error
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise RunError(f"{name}/{RUN_FILE} is not a run of format {FORMAT}; make the run again")
    return RunDescription.from_dict(name, values)


def read_description(folder: Path | str) -> RunDescription:
    """The description of the run in a folder.

    Raises:
        RunError: when there is none, or it is damaged.
    """
    folder = Path(folder)
    return parse_description(folder.name, read_bounded(folder / RUN_FILE, MAX_RUN_BYTES))


def read_as_unknown(unknown: Sequence[str]) -> str:
    """Say that a model reads <unk> in the place of these tokens."""
    return f"{_named(unknown)} {'was' if len(unknown) == 1 else 'were'} never seen in training; read as <unk>"


def _named(tokens: Sequence[str]) -> str:
    return ", ".join(f"“{excerpt(token, 30)}”" for token in tokens[:MOST_NAMED])


def _unit_of(tokenizer: Tokenizer, morpheme: str) -> str:
    """What one token is called; morphemes are called differently by those who type and by those who read."""
    if isinstance(tokenizer, CharacterTokenizer):
        return "letter" if all(map(str.isalpha, tokenizer.vocabulary.words)) else "character"
    return {"word": "word", "cased_word": "word", "morpheme": morpheme}.get(tokenizer.kind, PIECE)


def _check_vocabularies(config: TransformerConfig, src: Tokenizer, tgt: Tokenizer) -> None:
    for side, tokenizer, size in (
        ("source", src, config.src_vocab_size),
        ("target", tgt, config.tgt_vocab_size),
    ):
        if len(tokenizer.vocabulary) != size:
            raise ConfigError(
                f"the {side} tokenizer has {len(tokenizer.vocabulary)} tokens, but the model has {size}"
            )


def _numbers(values: Any) -> dict[str, float]:
    if not isinstance(values, dict):
        raise ConfigError(f"figures must be a table of numbers, not {type(values).__name__}")
    if len(values) > MAX_FIGURES:
        raise ConfigError(f"it has {len(values):,} figures of one moment; {MAX_FIGURES} is the most")
    for name, value in values.items():
        if not is_number(value, -LARGEST_FLOAT, LARGEST_FLOAT):
            raise ConfigError(
                f"the figure {excerpt(str(name))} must be a finite number of 64 bits, not {short(value)}"
            )
    return {_name("a figure's name", name): value for name, value in values.items()}


def _evaluation(values: Any) -> dict[str, float]:
    found = _numbers(values)
    for name in SHARES & set(found):
        if not 0 <= found[name] <= 1:
            raise ConfigError(f"{name} must be a share from 0 to 1, not {short(found[name])}")
    return found


def _progress(values: Any) -> dict[str, float]:
    found = _numbers(values)
    # Earlier versions did not count perfect validations.
    required = {field.name for field in fields(Progress)} - {"perfect"}
    lacking = sorted(required - set(found)) if found else []
    if lacking:
        raise ConfigError(f"progress lacks {lacking[0]}")
    return found


def _history(values: Any) -> tuple[dict[str, float], ...]:
    if not isinstance(values, list) or len(values) > MAX_HISTORY:
        raise ConfigError(f"history must be a list of at most {MAX_HISTORY:,} updates")
    history = tuple(_numbers({"index": -1, **step}) for step in values)
    for step in history:
        if not is_number(step["index"], -1, MAX_NUMBER):
            raise ConfigError(
                f"history has an update {short(step['index'])}; the last can be {int(MAX_NUMBER):,}"
            )
    return history


def _name(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{what} must be a text, not {type(value).__name__}")
    return _bounded(what, value, MAX_NAME_LENGTH)


def _bounded(what: str, text: str, most: int) -> str:
    """A text that every visitor will be shown."""
    if len(text) > most:
        raise ConfigError(f"{what} has {len(text):,} characters; {most:,} is the most")
    return text


def _count(name: str, value: Any) -> int:
    if not is_whole(value, 1):
        raise ConfigError(f"{name} must be a whole number of at least 1, not {short(value)}")
    if value > MAX_NUMBER:
        raise ConfigError(f"{name} must be at most {int(MAX_NUMBER):,}")
    return value


def _count_or_none(name: str, value: Any) -> int | None:
    return value if value is None or is_whole(value, 0, 0) else _count(name, value)


def _texts(name: str, values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ConfigError(f"{name} must be a list of texts")
    if len(values) > MAX_PROBES:
        raise ConfigError(f"{name} has {len(values):,} texts; {MAX_PROBES} is the most")
    return tuple(_bounded(f"one of the {name}", value, MAX_PROBE_LENGTH) for value in values)
