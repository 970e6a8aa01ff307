"""A user's own pairs as the page Train takes them: what was uploaded, how it is read and cut, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

from core.data.dataset import Dataset
from core.data.pairs import (
    AUTOMATIC_CUTTING,
    PIECE_NAMES,
    Cutting,
    PairLimits,
    PairsFile,
    ReadingOptions,
    make_limits,
    parse_aligned,
    parse_pairs,
)
from core.data.pairs.reading import AUTOMATIC_READING, shorten_name
from core.data.tokenizers import Tokenizer
from core.errors import InputError
from core.numbers import counted
from core.run import Run
from core.run_description import RunDescription
from core.training.own_pairs import PAIRS
from core.training.plan import HeldOutPairs, plan_pairs, plan_pairs_on
from explorer.server.limits import MOST_HANDED_OVER, OPEN, Limits
from explorer.views.training.form import usual_settings

MOST_PASTED = 200_000
"""Most characters of pasted text; they travel with the page, a file does not."""
NO_PAIRS = f"Bring a file of pairs, or paste some, up to {MOST_PASTED:,} characters."
PASTED = "The pasted text"
"""Name of pasted text in sentences about it."""


@dataclass(frozen=True)
class NamedText:
    """The bytes of a text.

    Attributes:
        data: All bytes, or their digest where only the difference to other texts counts.
        name: Name of the file; empty for pasted text.
    """

    data: bytes
    name: str = ""


@dataclass(frozen=True)
class UploadedPairs:
    """Texts that a user brought: pasted pairs, one file of pairs, or two files with the sources and the targets."""

    texts: tuple[NamedText, ...] = ()

    def __bool__(self) -> bool:
        return any(text.data.strip() for text in self.texts)

    def digest(self) -> UploadedPairs:
        """Return digests in place of the texts, which a session need not keep twice."""
        return UploadedPairs(tuple(NamedText(sha256(text.data).digest(), text.name) for text in self.texts))


NOTHING_UPLOADED = UploadedPairs()


@dataclass(frozen=True)
class PairsRequest:
    """A user's own pairs and how they are to be learned.

    Attributes:
        pairs: Pairs to learn.
        validation: Pairs that choose the best weights; a part of the others if there are none.
        test: Pairs that measure them, likewise.
        reading: How all of them are to be read.
        cutting: How they are cut into tokens.
        seed: Seed by which they are dealt out.
    """

    pairs: UploadedPairs
    validation: UploadedPairs = NOTHING_UPLOADED
    test: UploadedPairs = NOTHING_UPLOADED
    reading: ReadingOptions = AUTOMATIC_READING
    cutting: Cutting = AUTOMATIC_CUTTING
    seed: int = 0

    def digest(self) -> PairsRequest:
        """Return the request with digests in place of its texts."""
        return replace(
            self,
            pairs=self.pairs.digest(),
            validation=self.validation.digest(),
            test=self.test.digest(),
        )


@dataclass(frozen=True)
class OwnPairs:
    """A user's own pairs, ready to be learned.

    Attributes:
        description: Description of a run with the usual settings.
        dataset: The pairs in their splits.
        remarks: Sentences about what is left out, lost or unknown, and about the vocabulary.
        longest: Tokens of the longest source and of the longest target.
    """

    description: RunDescription
    dataset: Dataset
    remarks: tuple[str, ...]
    longest: tuple[int, int]


def pair_limits(limits: Limits) -> PairLimits:
    """Return how much a server reads of a user's pairs."""
    most = limits.pairs_count if limits.most_pairs is None else min(limits.pairs_count, limits.most_pairs)
    return make_limits(min(limits.pairs_bytes, limits.most_upload), most, limits.pairs_tokens)


def read_uploaded(
    uploaded: UploadedPairs, limits: Limits = OPEN, options: ReadingOptions = AUTOMATIC_READING
) -> PairsFile:
    """Read the pairs that a user brought, as many as the server takes.

    Raises:
        InputError: There is no pair that can be used, the texts are too large, or there are more than two.
    """
    if not uploaded:
        raise InputError(NO_PAIRS)
    if len(uploaded.texts) > 2:
        raise InputError(
            f"{len(uploaded.texts)} files were brought; bring one file of pairs, or two of which line n of one "
            "answers line n of the other."
        )
    for text in uploaded.texts:
        _require_small(text, limits)
    allowed = pair_limits(limits)
    first, *others = uploaded.texts
    if not others:
        return parse_pairs(first.data, first.name or PASTED, allowed, options)
    (second,) = others
    return parse_aligned(first.data, second.data, (first.name, second.name), allowed, options)


def prepare_own_pairs(
    request: PairsRequest,
    limits: Limits = OPEN,
    parent: Run | None = None,
    found: PairsFile | None = None,
) -> OwnPairs:
    """Cut a user's pairs into tokens and deal them out.

    Args:
        request: The pairs, and how they are to be learned.
        limits: Limits of the server.
        parent: The run that is trained further with them, whose tokenizers cut them.
        found: The pairs to learn, if they have been read already.

    Raises:
        ConfigError: The pairs have too many or too few different tokens.
        InputError: One of the texts cannot be read, or there are too few pairs.
    """
    usual = usual_settings(PAIRS)
    found = found or read_uploaded(request.pairs, limits, request.reading)
    # A part of the pairs has the columns of the whole, even where its few rows suggest others.
    reading = replace(request.reading, like=found.report.columns)
    # A user may leave these out.
    others = [
        read_uploaded(uploaded, limits, reading) if uploaded else None
        for uploaded in (request.validation, request.test)
    ]
    held_out = HeldOutPairs(*(other.pairs if other else () for other in others))
    training = replace(usual.training, seed=request.seed, n_train=len(found.pairs))
    if parent is None:
        planned = plan_pairs(found.pairs, training, usual.model, cutting=request.cutting, held_out=held_out)
    else:
        planned = plan_pairs_on(
            parent, found.pairs, training, name=parent.name, cutting=request.cutting, held_out=held_out
        )
    description, dataset, remarks = planned
    splits = dataset.splits
    everything = dataset.encode([*splits.train, *splits.validation, *splits.test])
    longest = max(map(len, everything.sources)), max(map(len, everything.targets))
    counts = description.train_config
    return OwnPairs(
        replace(description, name="Own pairs"),
        dataset,
        (
            *(
                sentence
                for other in others
                if other
                for sentence in other.report.sentences(names_flags=False)
            ),
            *remarks,
            f"{counted(counts.n_train, 'pair')} for training, {counts.n_validation:,} for validation, "
            f"{counts.n_test:,} for the test.",
            *_vocabulary_sentences(description),
            f"The longest source has {longest[0]} tokens, the longest target {longest[1]}.",
        ),
        longest,
    )


def _require_small(text: NamedText, limits: Limits) -> None:
    """Raise an InputError if a text is larger than what the server takes."""
    if not text.name:
        _require_pastable(text.data.decode())
        return
    most = pair_limits(limits).max_bytes
    if len(text.data) > most:
        is_own_limit = limits.pairs_bytes <= limits.most_upload
        variable = "EXPLORER_PAIRS_MB" if is_own_limit else "EXPLORER_MOST_UPLOAD_MB"
        raise InputError(
            f"{shorten_name(text.name)} is larger than {most / 1e6:g} MB, the most that this server reads; leave some "
            f"pairs out, or start the server with a larger {variable}"
        )


def _require_pastable(pasted: str) -> None:
    if len(pasted) <= MOST_PASTED:
        return
    # The browser has cut off what a field cannot send, and counts in units of UTF-16, perhaps one less.
    units = len(pasted.encode("utf-16-le", "surrogatepass")) // 2
    least = "at least " if units >= MOST_HANDED_OVER - 1 else ""
    raise InputError(
        f"{PASTED} has {least}{len(pasted):,} characters, and {MOST_PASTED:,} can be pasted at most. "
        "Save it as a text file and bring that, or leave some pairs out."
    )


def _vocabulary_sentences(description: RunDescription) -> Iterator[str]:
    src, tgt = description.src_tokenizer, description.tgt_tokenizer
    if src is tgt:
        yield f"The vocabulary has {_describe_vocabulary(src)}."
    else:
        yield (
            f"The vocabulary of the sources has {_describe_vocabulary(src)}; that of the targets "
            f"{_describe_vocabulary(tgt)}."
        )


def _describe_vocabulary(tokenizer: Tokenizer) -> str:
    return f"{len(tokenizer.vocabulary):,} tokens: {PIECE_NAMES[tokenizer.kind]}"
