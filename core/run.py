"""A run: a trained model with its tokenizers, its configurations and what is known about its quality.

On disk a run is a folder with `run.json` (everything but the weights) and `model.safetensors`.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, overload

import torch
from safetensors.torch import save as save_tensors
from torch import Tensor

from core.activations.record import edit
from core.activations.trace import Trace, trace
from core.config import BeamConfig, DecodeConfig, TransformerConfig
from core.data.cleaning import clean_source, clean_target
from core.data.tasks import Pair
from core.decoding import together
from core.decoding.together import Target
from core.device import DTYPES, resolve_device
from core.errors import ExplorerError, InputError, RunError, excerpt
from core.files import prepare_folder, read_bounded, write_whole
from core.interventions.changes import UNCHANGED, Changes, bind
from core.interventions.intervention import Intervention
from core.interventions.links import to_json
from core.model.positional_encoding import warn_of_last_position
from core.model.random_numbers import DrawnFrom
from core.model.shapes import expected_parameters, parameter_shapes
from core.model.transformer import Transformer
from core.notebook import brief
from core.numbers import counted
from core.run_description import (
    MAX_RUN_BYTES,
    MODEL_FILE,
    RUN_FILE,
    RunDescription,
    parse_description,
    read_as_unknown,
)
from core.safetensors_file import MAX_HEADER_BYTES, read_tensors

if TYPE_CHECKING:
    from core.evaluation.held_out import HeldOut

MAX_MODEL_BYTES = 4 * 2**30
Method = DecodeConfig | BeamConfig | None
"""How a target is produced; None stands for greedily."""
Prefix = str | Sequence[int]
"""The beginning of a target, as a text or as ids."""
STORED_DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


@dataclass(frozen=True)
class Output:
    """An output of a run, with its probability.

    Attributes:
        text: The output as it is written.
        ids: Its token ids, up to and with EOS, or as many as it may have.
        log_prob: log P(ids | source), the sum over all tokens; those of a prefix count.
        score: What beam search compares by; None where there was no search.
        truncated: Whether it stopped at the limit, before the model wrote EOS.
    """

    text: str
    ids: tuple[int, ...]
    log_prob: float
    score: float | None
    truncated: bool


@dataclass(frozen=True, kw_only=True)
class Run(RunDescription):
    """A model and everything needed to use it.

    Attributes:
        model: In evaluation mode; it stays as it was trained, whatever is changed on the way.
        fingerprint: Digest of the files it was loaded from, and of the changes; empty for a run that was never saved.
        changes: What is changed whenever this run translates, is traced or evaluated; see `intervene`.
        trained: The run without changes, where it has any.
    """

    model: Transformer
    fingerprint: str = ""
    changes: Changes = UNCHANGED
    trained: Run | None = None

    def __repr__(self) -> str:
        """As of its description, and how much is changed."""
        described, n = RunDescription.__repr__(self), len(self.changes.interventions)
        return f"{described.removesuffix('>')}, {counted(n, 'change')}>" if n else described

    def encode_source(self, text: str) -> Tensor:
        """Source ids [source position] of a typed text, with eos, on the model's device.

        Raises:
            InputError: as source_ids.
        """
        return torch.tensor(self.source_ids(text), device=self.model.device)

    def encode_target(self, text: str) -> Tensor:
        """Target ids [target position] of a text, with eos, on the model's device.

        Raises:
            InputError: as target_ids.
        """
        return torch.tensor([*self.target_ids(text), self.config.eos_id], device=self.model.device)

    def intervene(self, *interventions: Intervention) -> Run:
        """The same run with these changes after those that it has; they act wherever it computes.

        ``run.intervene(ZeroAblation("decoder.layers.1.cross_attn.context", head=1)).translate(text)``

        Sentences that a change names are run through the model as it was trained, led by what it writes for them.

        Raises:
            InputError: as source_ids, for a sentence of a change.
            UnknownSite: when a site matches nothing in the model.
            CaptureError: when a site cannot be edited so, has no such head or unit, or a donor no such position.
        """
        trained = self.trained or self
        changes = bind(
            self.model,
            (*self.changes.interventions, *interventions),
            lambda sentence, sites: trained.trace(sentence, *sites),
        )
        named = _digest(trained.fingerprint.encode(), to_json(changes.interventions).encode())
        return replace(
            trained, changes=changes, trained=trained, fingerprint=named if trained.fingerprint else ""
        )

    @contextmanager
    def changing(self, n_source: int | None = None) -> Iterator[None]:
        """The changes act on whatever the model computes inside the block, and nowhere else.

        For what takes a model and not a run: ``with run.changing(): beam_search(run.model, src)``.

        Args:
            n_source: Tokens of the source, with EOS, which the changes must fit; None where nobody knows yet.

        Raises:
            CaptureError: when a change asks for a position that the source does not have, or for another length.
        """
        if n_source is not None:
            self.changes.check(n_source)
        # Without changes nothing is opened: an edit makes attention eager, which rounds otherwise than the fused one.
        with edit(self.model, self.changes.edits) if self.changes.edits else nullcontext():
            yield

    @overload
    def translate(self, text: str, config: Method = None, *, prefix: Prefix = ()) -> str: ...

    @overload
    def translate(
        self, text: list[str] | tuple[str, ...], config: Method = None, *, prefix: Prefix = ()
    ) -> list[str]: ...

    def translate(
        self, text: str | list[str] | tuple[str, ...], config: Method = None, *, prefix: Prefix = ()
    ) -> str | list[str]:
        """The model's answer to a typed text, or to each of several, which are decoded together.

        Args:
            text: As somebody types it; or a list of such.
            config: How it is produced, by default greedily; a BeamConfig searches. At a temperature above 0 text i of
                a list draws as row i of `generate` with the same seed, so repeat a text to get several samples of it.
            prefix: What the answer begins with, whatever the model says: a text, or target ids.

        Raises:
            InputError: as source_ids, led by the text's place in a list; or when the prefix is too long or has other
                tokens than words.
            CaptureError: when a change asks for a position that a text does not have.
        """
        texts = text if isinstance(text, list | tuple) else [text]
        outputs = [best for best, *_ in self.outputs(texts, config, prefix=prefix)]
        for place, each in enumerate(texts):
            if unknown := self.unknown_in(each):
                where = f"text {place + 1}: " if len(texts) > 1 else ""
                warnings.warn(where + read_as_unknown(unknown), stacklevel=2)
        if config is not None and any(output.truncated for output in outputs):
            warn_of_last_position(self.config, config.max_length)
        answers = [output.text for output in outputs]
        return answers[0] if isinstance(text, str) else answers

    def outputs(
        self, texts: Sequence[str], config: Method = None, *, prefix: Prefix = ()
    ) -> list[tuple[Output, ...]]:
        """Decode several texts together; return for each what is written, with its probability and whether it ended.

        Args:
            texts: Sources as a visitor types them.
            config: How they are decoded, by default greedily; a BeamConfig gives the n best, each text once.
            prefix: The beginning of every output, a text or target ids.

        Raises:
            InputError: as `translate`.
            CaptureError: likewise.
        """
        sources = []
        for place, text in enumerate(texts):
            with _naming(f"text {place + 1}", when=len(texts) > 1):
                if not isinstance(text, str):
                    raise InputError(f"give a text to translate, not {brief(text)}")
                source = self.source_ids(text)
                self.changes.check(len(source))
                sources.append(source)
        return self.outputs_of_ids(sources, config, prefix=prefix)

    def outputs_of_ids(
        self,
        sources: Sequence[Sequence[int]],
        config: Method = None,
        *,
        prefix: Prefix = (),
        places: Sequence[int] | None = None,
    ) -> list[tuple[Output, ...]]:
        """Decode sources of ids, each ending in EOS, as `outputs` does with texts.

        Args:
            sources: Ids of each.
            config: The method, by default greedy decoding.
            prefix: The beginning of every output.
            places: Place of each source among all that are sampled, from which its draws follow; by default in
                this list.
        """
        searched = config
        if isinstance(config, BeamConfig) and config.n_returned > 1:
            # Of hypotheses with one text only the best is returned, so the others of the beam must be at hand.
            searched = replace(config, n_best=config.width)
        wanted = config.n_returned if isinstance(config, BeamConfig) else 1
        decoded = self._decoded(sources, searched, prefix, places)
        return [tuple(self._distinct(targets))[:wanted] for targets in decoded]

    def trace(self, text: str, *patterns: str, target: str | None = None, prefix: Prefix = ()) -> Trace:
        """Everything that the model computes for a typed text and its answer, or a target of yours.

        Args:
            text: As somebody types it.
            patterns: Which sites are recorded, as for `record`; none means every site.
            target: What the decoder reads and is to write, with EOS added; by default what the model writes greedily.
            prefix: What the model's own answer begins with.

        Raises:
            InputError: as source_ids and target_ids; or when there are both a target and a prefix.
            UnknownSite: when a pattern matches no site of the model.
            CaptureError: when a change asks for a position that is not there, or for another length.
        """
        source = self.source_ids(text)
        if target is not None and prefix:
            raise InputError("a target stands for the whole answer; leave the prefix out")
        if target is None:
            ((best, *_),) = self._decoded([source], None, prefix)
            written = best.ids
        else:
            written = (*self.target_ids(target), self.config.eos_id)
        self.changes.check(len(source), len(written))
        device = self.model.device
        ids = torch.tensor(source, device=device), torch.tensor(written, device=device)
        with edit(self.model, self.changes.edits):
            found = trace(self.model, *ids, *patterns)
        if not found.logits.isfinite().all():
            raise InputError(
                "the logits of this run are not finite numbers; a weight or a change is too large"
            )
        source_token, target_token = self.src_tokenizer.vocabulary.token, self.tgt_tokenizer.vocabulary.token
        return replace(
            found,
            source_tokens=tuple(map(source_token, source)),
            target_tokens=tuple(map(target_token, written)),
        )

    def evaluate(self, pairs: Iterable[Pair | tuple[str, str]], *, split: str = "own") -> HeldOut:
        """What the model makes of held-out pairs, one by one and in figures; of MOST_PAIRS at most.

        Args:
            pairs: Each a Pair, or a source and its target; their texts are cleaned as those of a training are.
            split: What they are called.

        Raises:
            InputError: when there is no pair, or one of them is not a source and a target, two texts with tokens.
        """
        # Most who use a run never evaluate it.
        from core.evaluation.pairs import held_out

        if isinstance(pairs, str | Mapping) or not isinstance(pairs, Iterable):
            raise InputError(f"give a list of pairs, each a source and its target, not {brief(pairs)}")
        whole = []
        for place, pair in enumerate(pairs):
            with _naming(f"pair {place + 1}"):
                whole.append(self._cleaned(_pair_of(pair)))
        return held_out(self, whole, split=split)

    def _cleaned(self, pair: Pair) -> Pair:
        """Return a pair with its texts as the run learns and reads them.

        Raises:
            InputError: when nothing is left of its source or its target.
        """
        keeps_source, keeps_target = self.src_tokenizer.exact_spaces, self.tgt_tokenizer.exact_spaces
        cleaned = replace(
            pair,
            source=clean_source(pair.source, keep_spaces=keeps_source).text,
            target=clean_target(pair.target, keep_spaces=keeps_target).text,
            others=tuple(clean_target(text, keep_spaces=keeps_target).text for text in pair.others),
        )
        for side, tokenizer in (("source", self.src_tokenizer), ("target", self.tgt_tokenizer)):
            if not tokenizer.tokenize(getattr(cleaned, side)):
                raise InputError(f"the {side} has no token; write one or leave the pair out")
        return cleaned

    def _distinct(self, targets: Sequence[Target]) -> Iterator[Output]:
        """Yield the targets as outputs, of those with one text the first."""
        seen: set[str] = set()
        for target in targets:
            text = self.tgt_tokenizer.decode(target.ids)
            if text not in seen:
                seen.add(text)
                truncated = target.ids[-1:] != (self.config.eos_id,)
                yield Output(text, target.ids, target.log_prob, target.score, truncated)

    def _decoded(
        self,
        sources: Sequence[Sequence[int]],
        config: Method,
        prefix: Prefix,
        places: Sequence[int] | None = None,
    ) -> list[tuple[Target, ...]]:
        for source in sources:
            self.changes.check(len(source))
        edits, ids = self.changes.edits, self._prefix_ids(prefix)
        method = config or DecodeConfig()
        if method.max_length is None:
            method = replace(method, max_length=self.output_limit)
        return together.decode_together(self.model, sources, method, prefix=ids, edits=edits, places=places)

    def _prefix_ids(self, prefix: Prefix) -> Sequence[int]:
        return self.target_ids(prefix) if isinstance(prefix, str) else prefix


@contextmanager
def _naming(name: str, *, when: bool = True) -> Iterator[None]:
    """Put the name of a text or pair before the sentence of an error about it."""
    try:
        yield
    except ExplorerError as error:
        if not when:
            raise
        raise type(error)(f"{name}: {error}") from error


def _pair_of(given: object) -> Pair:
    """Return a pair that a caller gives as such, or as a source and its target.

    Raises:
        InputError: when it is neither.
    """
    if isinstance(given, tuple | list) and len(given) == 2:
        pair = Pair(given[0], given[1], alignment=())
    elif isinstance(given, Pair):
        pair = given
    else:
        raise InputError(f"give a source and its target, two texts, not {brief(given)}")
    for side, text in (("source", pair.source), ("target", pair.target)):
        if not isinstance(text, str):
            raise InputError(f"the {side} must be a text, not {brief(text)}")
    return pair


def save_run(run: Run, folder: Path | str, *, dtype: torch.dtype | None = None) -> None:
    """Write a run's two files; each appears whole or not at all.

    Args:
        run: What to write.
        folder: Made where it does not exist.
        dtype: Of the weights on disk, by default the model's own; float16 halves the file, and they are
            computed with in full again.

    Raises:
        RunError: when the folder cannot be written, or `load_run` would not read the same run from it: the model
            has other modules or weights than its configuration describes, a weight that is no finite number in
            the dtype, or the run has changes.
    """
    if run.changes.interventions:
        raise RunError("a run is saved as it was trained; save run.trained, and its changes as a link")
    folder = Path(folder)
    described, stored = _run_files(run, dtype)
    prepare_folder(folder)
    _write(folder, described, stored)


def write_run(run: Run, folder: Path) -> None:
    """`save_run` into a folder that is there; where it is gone, it is not made again.

    Raises:
        RunError: as save_run.
    """
    _write(folder, *_run_files(run))


def _write(folder: Path, described: bytes, stored: bytes) -> None:
    write_whole(folder / MODEL_FILE, stored)
    write_whole(folder / RUN_FILE, described)


def _run_files(run: Run, dtype: torch.dtype | None = None) -> tuple[bytes, bytes]:
    """Return the bytes of a run's two files, which `load_run` reads.

    Raises:
        RunError: when it would not read them, or read another run.
    """
    check_model(run.model, run.config)
    try:
        described = run.to_json()
    except (TypeError, ValueError) as error:
        raise RunError(f"{RUN_FILE} cannot be written: {error}") from error
    if len(described) > MAX_RUN_BYTES:
        raise RunError(f"{RUN_FILE} would have {len(described):,} bytes; {MAX_RUN_BYTES:,} is the most")
    description = parse_description(run.name, described)
    stored = model_file(run.model, dtype)
    _read_weights(description, stored, MODEL_FILE)
    return described, stored


def model_file(model: Transformer, dtype: torch.dtype | None = None) -> bytes:
    """The bytes of a model file with these weights.

    Raises:
        RunError: when a weight is too large for the dtype, or the dtype is not read.
    """
    if dtype is not None and dtype not in STORED_DTYPES:
        raise RunError(f"weights are stored in floating point of 16, 32 or 64 bits, not as {dtype}")
    # Copies: a file has no room for two tensors with one memory.
    stored = {
        name: tensor.to("cpu", dtype, copy=True).contiguous()
        for name, tensor in unique_weights(model).items()
    }
    for name, tensor in stored.items():
        if not tensor.isfinite().all():
            raise RunError(
                f"{name} has values that are not finite in {tensor.dtype}; save it with more digits"
            )
    return save_tensors(stored)


def check_model(model: Transformer, config: TransformerConfig) -> None:
    """Raise a RunError if a model file and its configuration would not give this model again."""
    if model.config != config:
        name = next(name for name, value in vars(config).items() if getattr(model.config, name) != value)
        raise RunError(
            f"the model was built with {name} {getattr(model.config, name)}, but the run's configuration says "
            f"{getattr(config, name)}; give the run the model's own configuration"
        )
    built = Transformer(config, device="meta")
    _check_parts("module", _kinds(model), _kinds(built))
    for what in ("parameter", "buffer"):
        found, expected = (
            {
                name: f"{list(tensor.shape)} {tensor.dtype}"
                for name, tensor in getattr(each, f"named_{what}s")()
            }
            for each in (model, built)
        )
        _check_parts(what, found, expected)
    unwritten = next((name for name, tensor in unique_weights(model).items() if tensor.is_meta), None)
    if unwritten is not None:
        raise RunError(f"{unwritten} has no numbers yet: it is on the device meta; load weights first")


def _kinds(model: Transformer) -> dict[str, str]:
    """Return the class of each module by name, with where it is defined: torch has several of the name Linear."""
    return {
        name: f"{type(module).__module__}.{type(module).__name__}" for name, module in model.named_modules()
    }


def _check_parts(what: str, found: Mapping[str, str], expected: Mapping[str, str]) -> None:
    """Raise a RunError that names the first part of a model that its configuration does not describe."""
    for name in (*found, *expected):
        if found.get(name) != expected.get(name):
            raise RunError(
                f"the {what} {excerpt(name) or 'model'} is {found.get(name, 'missing')}, but load_run would build "
                f"{expected.get(name, 'none')}; save the model as its configuration describes it"
            )


def load_run(folder: Path | str, device: str = "cpu", *, weights_file: str = MODEL_FILE) -> Run:
    """Read a run from its folder; nothing in the files is trusted, and no code in them is ever run.

    Args:
        folder: Of the run.
        device: "cpu", "cuda" or "mps".
        weights_file: Inside the folder, by default the weights that the run is used with.

    Raises:
        RunError: when a file is missing, damaged, or does not fit the other.
        ConfigError: when this machine has no such device.
    """
    folder = Path(folder)
    target = resolve_device(device)
    described = read_bounded(folder / RUN_FILE, MAX_RUN_BYTES)
    description = parse_description(folder.name, described)
    stored = read_bounded(folder / weights_file, _most_bytes(description.config))
    weights = _read_weights(description, stored, f"{folder.name}/{weights_file}")
    model = _build_model(description.config, weights, target)
    return Run(**vars(description), model=model, fingerprint=_digest(described, stored))


def unique_weights(model: Transformer) -> dict[str, Tensor]:
    """Every learned tensor once, by the first of its names."""
    return {name: parameter.detach() for name, parameter in model.named_parameters()}


def _most_bytes(config: TransformerConfig) -> int:
    """Bytes that a file with this model's weights can have: eight a weight, and a header."""
    return min(MAX_MODEL_BYTES, 8 * expected_parameters(config) + MAX_HEADER_BYTES)


def _read_weights(description: RunDescription, stored: bytes, name: str) -> dict[str, Tensor]:
    """Return the weights of a model file in the dtype that the run computes in.

    Raises:
        RunError: when the file, which has this name, is damaged, or does not fit the description.
    """
    config = description.config
    if len(stored) > _most_bytes(config):
        raise RunError(f"{name} has {len(stored):,} bytes; {_most_bytes(config):,} is the most")
    weights = read_tensors(stored, name)
    # Compared with the description first: of two strange files nothing is made that does not fit.
    _check_weights(weights, config)
    converted = {name: tensor.to(DTYPES[config.dtype]) for name, tensor in weights.items()}
    for weight, tensor in converted.items():
        if not tensor.isfinite().all():
            # The file's own numbers may be finite.
            where = f" in {tensor.dtype}" if weights[weight].isfinite().all() else " numbers"
            raise RunError(f"{weight} holds values that are not finite{where}; make the run again")
    return converted


def _build_model(
    config: TransformerConfig, weights: Mapping[str, Tensor], device: torch.device
) -> Transformer:
    # Its first weights are drawn and thrown away; whoever draws numbers elsewhere must not notice.
    with DrawnFrom(torch.Generator(device)):
        model = Transformer(config, device)
    # Not strict: of tied matrices only the first name is stored. _check_weights has compared the rest.
    model.load_state_dict(weights, strict=False)
    return model.eval().requires_grad_(False)


def _check_weights(weights: Mapping[str, Tensor], config: TransformerConfig) -> None:
    """Count, names, shapes and types, as the configuration alone tells them."""
    stored, described = sum(tensor.numel() for tensor in weights.values()), expected_parameters(config)
    if stored != described:
        raise RunError(f"{MODEL_FILE} holds {stored:,} weights, but {RUN_FILE} describes {described:,}")
    expected = parameter_shapes(config)
    for name in expected:
        if name not in weights:
            raise RunError(f"{MODEL_FILE} lacks {name}; make the run again")
    for name, tensor in weights.items():
        if name not in expected:
            raise RunError(f"{MODEL_FILE} has {excerpt(name)}, which the model in {RUN_FILE} does not have")
        if tensor.shape != expected[name]:
            shape, described_shape = excerpt(str(list(tensor.shape))), list(expected[name])
            raise RunError(f"{name} has the shape {shape}, but {RUN_FILE} describes {described_shape}")
        if tensor.dtype not in STORED_DTYPES:
            raise RunError(f"{name} is stored as {tensor.dtype}; floating point of 16, 32 or 64 bits is read")


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:16]
