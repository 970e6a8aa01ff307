"""The controls with which a user brings pairs, sees how they are read, and chooses how they are cut into tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.data.pairs import Cutting, NoTextColumns, PairsFile, PairsReport, ReadingOptions
from core.data.pairs.reading import SURVEYED_COLUMNS
from core.data.tasks import Pair
from core.errors import ExplorerError, InputError, excerpt
from core.run import Run
from explorer.look.number_table import number_table
from explorer.look.token_text import token_line, visible
from explorer.server.limits import MOST_HANDED_OVER, Limits
from explorer.views.training.form_words import in_form_words
from explorer.views.training.own_pairs import (
    NamedText,
    OwnPairs,
    PairsRequest,
    UploadedPairs,
    pair_limits,
    prepare_own_pairs,
    read_uploaded,
)
from explorer.visitor.values import SessionValue

TOKENIZERS: Mapping[str, str] = {
    "auto": "As suits them",
    "word": "Words",
    "lowercase-word": "Lower-case words",
    "bpe": "Byte pairs",
    "character": "Characters",
}
"""Choices of a tokenizer by their names in `core.data.pairs`."""
PAIRS_KEYS = ("train_upload", "train_paste")
VALIDATION_KEYS = ("train_upload_validation", "train_paste_validation")
TEST_KEYS = ("train_upload_test", "train_paste_test")
TOKENIZER_KEY, TARGET_TOKENIZER_KEY = "train_tokenizer", "train_target_tokenizer"
SEPARATE_KEY, SPACES_KEY, UNCHANGED_KEY = "train_separate", "train_keep_spaces", "train_drop_unchanged"
WORDS_KEY, BYTE_PAIRS_KEY = "train_most_words", "train_byte_pairs"
PREVIEWED_PAIRS = 3
CUT_PAIRS = 10
"""Pairs that are shown cut into tokens."""
LEAST_TOKENS = 10
_MOST_NAME = 24
# It counts up to what the field can send, which is more than is taken.
_WITHOUT_COUNT = "".join(
    f'.st-key-{key} [data-testid="InputInstructions"] > :last-child {{ display: none; }}'
    for _, key in (PAIRS_KEYS, VALIDATION_KEYS, TEST_KEYS)
)


@dataclass(frozen=True)
class Reading:
    """Excerpt of pairs that were read, which a session keeps.

    Attributes:
        report: How they were understood, and what was dropped and changed.
        first: The first pairs.
        doubt: Why the user has to choose the columns; empty where they were recognised.
    """

    report: PairsReport
    first: tuple[Pair, ...]
    doubt: str = ""

    @classmethod
    def from_file(cls, found: PairsFile, doubt: str = "") -> Reading:
        """Return the report and the first pairs of a file."""
        return cls(found.report, found.pairs[:PREVIEWED_PAIRS], doubt)


RECOGNISED = SessionValue[tuple[object, Reading | str] | None]("train_recognised", None)
"""The last upload as it was recognised, or why it could not be read."""
OWN = SessionValue[tuple[object, Reading | None, OwnPairs | str] | None]("train_own", None)
"""The last request: how its pairs were read, and what came of them or why they cannot be learned."""


def choose_own_pairs(seed: int, limits: Limits, parent: Run | None = None) -> OwnPairs:
    """Draw the controls of a user's own pairs, and read them within the limits of the server.

    Args:
        seed: Seed by which they are dealt out.
        limits: Limits of the server.
        parent: The run that is trained further with them, whose tokenizers cut them.

    Raises:
        InputError: The pairs cannot be learned.
    """
    uploaded = _bring("A file of pairs, or two files whose lines answer each other", PAIRS_KEYS, limits, 120)
    below = st.container(key="train_read", gap="small")
    cutting = _choose_cutting(limits) if parent is None else Cutting(max_tokens=limits.pairs_tokens)
    with st.expander("Pairs to measure with"):
        st.caption(
            "Without pairs here, a tenth of the others chooses the best weights and another tenth tests them. What is "
            "brought here is left out of the training."
        )
        validation = _bring("A file to validate with", VALIDATION_KEYS, limits, 90)
        test = _bring("A file to test with", TEST_KEYS, limits, 90)
    keep_spaces = parent.src_tokenizer.exact_spaces if parent else cutting.keep_spaces
    found, recognised = _recognise(uploaded, limits, ReadingOptions(keep_spaces=keep_spaces))
    with below:
        controls = st.container(horizontal=True, vertical_alignment="bottom", key="train_reading")
        preview = st.container()
    options = _choose_reading(controls, uploaded, recognised)
    request = PairsRequest(uploaded, validation, test, options, cutting, seed)
    key = (request.digest(), parent.fingerprint if parent else "")
    known = OWN.value
    if known is None or known[0] != key:
        with st.spinner("Reading the pairs"):
            known = (key, *_prepare(request, limits, parent, found, recognised.report.options))
        OWN.set(known)
    _, reading, own = known
    _show_reading(preview, reading or recognised, cuts=parent is None)
    if isinstance(own, str):
        # A new error at every rerun: one that is raised again keeps what every rerun held.
        raise InputError(own)
    return own


def show_own_pairs(own: OwnPairs) -> None:
    """Draw what is left out, lost or unknown of a user's pairs, and the first of them cut into tokens."""
    with st.container(key="train_learned_pairs", gap="xxsmall"):
        for remark in own.remarks:
            st.text(in_form_words(remark))
    with st.expander("The first pairs, cut into tokens"):
        description, shown = own.description, own.dataset.splits.train[:CUT_PAIRS]
        _pairs_table(
            [token_line(description.src_tokenizer.tokenize(pair.source)) for pair in shown],
            [token_line(description.tgt_tokenizer.tokenize(pair.target)) for pair in shown],
            shown,
            key="train_pairs",
            alt="The first training pairs, a bar between their tokens",
        )


def _bring(label: str, keys: tuple[str, str], limits: Limits, height: int) -> UploadedPairs:
    """Draw a place for files and one to paste into; return what was brought."""
    st.html(f"<style>{_WITHOUT_COUNT}</style>")
    left, right = st.columns(2)
    files = left.file_uploader(
        label,
        # Any file name: the content tells the form, and a refusal by this program names the file.
        type=None,
        accept_multiple_files=True,
        key=keys[0],
        help=f"Up to {pair_limits(limits).max_bytes / 1e6:g} MB; the server's administrator changes that with "
        "EXPLORER_PAIRS_MB.",
        max_upload_size=max(1, min(limits.pairs_bytes, limits.most_upload) // 10**6),
    )
    pasted = right.text_area(
        "or paste them",
        key=keys[1],
        # A longer text is rejected by a sentence; beyond this limit the field would take nothing, without a word.
        max_chars=MOST_HANDED_OVER,
        height=height,
        placeholder="good morning\tguten Morgen\ngood night\tgute Nacht",
        disabled=bool(files),
    )
    if files:
        return UploadedPairs(tuple(NamedText(file.getvalue(), file.name) for file in files))
    return UploadedPairs((NamedText(pasted.encode(errors="replace")),))


def _recognise(
    uploaded: UploadedPairs, limits: Limits, options: ReadingOptions
) -> tuple[PairsFile | None, Reading]:
    """Return the pairs as they are recognised, and what the session keeps of them.

    The pairs themselves are None if they were read before.

    Raises:
        InputError: They cannot be read.
    """
    key, found = (uploaded.digest(), options), None
    known = RECOGNISED.value
    if known is None or known[0] != key:
        try:
            with st.spinner("Reading the pairs"):
                found, doubt = _read_in_doubt(uploaded, limits, options)
            known = (key, Reading.from_file(found, doubt))
        except ExplorerError as error:
            known = (key, in_form_words(error.sentence))
        RECOGNISED.set(known)
    if isinstance(known[1], str):
        raise InputError(known[1])
    return found, known[1]


def _read_in_doubt(uploaded: UploadedPairs, limits: Limits, options: ReadingOptions) -> tuple[PairsFile, str]:
    """Return the pairs, and why the user has to choose their columns; empty where these were recognised."""
    try:
        return read_uploaded(uploaded, limits, options), ""
    except NoTextColumns as error:
        nearest = (error.columns.source, error.columns.target)
        found = read_uploaded(uploaded, limits, replace(options, columns=nearest))
        return found, (
            f"{found.report.name} has no two columns of text; numbers, labels, tags, parts of speech and addresses "
            "do not count. Choose the source column and the target column."
        )


def _prepare(
    request: PairsRequest,
    limits: Limits,
    parent: Run | None,
    found: PairsFile | None,
    recognised: ReadingOptions,
) -> tuple[Reading | None, OwnPairs | str]:
    """Return how the pairs were read, and the pairs ready to be learned or why they cannot be."""
    reading = None
    try:
        if found is None or request.reading != recognised:
            found = read_uploaded(request.pairs, limits, request.reading)
        reading = Reading.from_file(found)
        return reading, prepare_own_pairs(request, limits, parent, found)
    except ExplorerError as error:
        return reading, in_form_words(error.sentence)


def _choose_reading(place: DeltaGenerator, uploaded: UploadedPairs, recognised: Reading) -> ReadingOptions:
    """Draw how a file is read, beginning with what was recognised; return what the user decides instead.

    Raises:
        InputError: The columns were not recognised, and the user has not chosen two.
    """
    report, doubt = recognised.report, recognised.doubt
    # The keys name the file, so that the controls of each begin with what was recognised in it.
    suffix = uploaded.digest().texts[0].data.hex()[:8]
    columns = report.columns
    # Columns are recognised among the first ones only, and a line of tabs can have thousands.
    numbers = range(1, min(columns.count, SURVEYED_COLUMNS) + 1)
    names = [text.name for text in uploaded.texts] if len(uploaded.texts) == 2 else columns.names
    labels = _column_labels(names, report.example, len(numbers))
    source, target = (
        place.selectbox(
            label,
            numbers,
            index=None if doubt else number - 1,
            key=f"train_{key}_column_{suffix}",
            format_func=lambda number: labels[number - 1],
            placeholder="Choose",
            width=220,
        )
        for label, key, number in (
            ("Source column", "source", columns.source),
            ("Target column", "target", columns.target),
        )
    )
    if source is None or target is None:
        raise InputError(doubt)
    if source == target:
        raise InputError("Source and target are the same column; choose another one for one of them.")
    has_header = bool(report.header)
    if has_header or not columns.names:
        has_header = place.checkbox(
            "First line names the columns", value=has_header, key=f"train_header_{suffix}"
        )
    drop_unchanged = report.unchanged.count > 0 and place.checkbox(
        f"Drop unchanged pairs ({report.unchanged.count:,})",
        key=UNCHANGED_KEY,
        help="Pairs whose target equals their source. In a translation they are often lines that nobody translated; in "
        "spelling or inflection, unchanged is an answer.",
    )
    is_same_header = has_header == bool(report.header)
    is_recognised = not doubt and is_same_header and (source, target) == (columns.source, columns.target)
    return ReadingOptions(
        # With another decision on the header other columns would be recognised than those that are shown.
        columns=None if is_recognised else (source, target),
        has_header=None if is_same_header else has_header,
        keep_spaces=report.options.keep_spaces,
        drop_unchanged=drop_unchanged,
    )


def _column_labels(names: Sequence[str], example: Sequence[str], count: int) -> list[str]:
    """Return the number of each column with its name or, where it has none, with the first text in it."""
    known = [excerpt(name, _MOST_NAME) for name in names] or [
        f"“{excerpt(cell, _MOST_NAME)}”" if cell else "" for cell in example
    ]
    known += [""] * (count - len(known))
    return [f"{number} · {text}" if text else str(number) for number, text in enumerate(known[:count], 1)]


def _choose_cutting(limits: Limits) -> Cutting:
    """Draw how the pairs are cut into tokens."""
    tokenizer = st.segmented_control(
        "Tokens", tuple(TOKENIZERS), key=TOKENIZER_KEY, default="auto", required=True,
        format_func=TOKENIZERS.__getitem__,
    )  # fmt: skip
    most = limits.pairs_vocabulary
    with st.expander("Tokens in detail"):
        target_tokenizer = st.segmented_control(
            "Tokens of the targets", tuple(TOKENIZERS), key=TARGET_TOKENIZER_KEY,
            format_func=TOKENIZERS.__getitem__,
            help="If nothing is chosen here, the targets are cut by the choice under Tokens.",
        )  # fmt: skip
        sizes = st.columns(4)
        max_words = sizes[0].number_input(
            "Different words, at most", LEAST_TOKENS, most, most, 100, key=WORDS_KEY,
            help="If there are more, smaller pieces are taken where the tokens are chosen as suits the pairs.",
        )  # fmt: skip
        bpe_size = sizes[1].number_input(
            "Byte pairs, at most", LEAST_TOKENS, most, most, 100, key=BYTE_PAIRS_KEY,
            help="Tokens of a byte-pair vocabulary. With fewer, texts are cut into smaller pieces.",
        )  # fmt: skip
        separate = sizes[2].checkbox(
            "Separate vocabularies", key=SEPARATE_KEY,
            help="One for the sources and one for the targets, which share no matrix then.",
        )  # fmt: skip
        keep_spaces = sizes[3].checkbox(
            "Keep every space", key=SPACES_KEY,
            help="As code needs it. Otherwise several spaces become one, and texts begin without any.",
        )  # fmt: skip
    return Cutting(
        tokenizer,
        int(max_words),
        int(bpe_size),
        separate,
        limits.pairs_tokens,
        target_tokenizer=target_tokenizer,
        keep_spaces=keep_spaces,
    )


def _show_reading(place: DeltaGenerator, reading: Reading, *, cuts: bool) -> None:
    """Draw the first pairs as they were read, and what the report says; `cuts` where the form decides on tokens."""
    with place:
        _pairs_table(
            [_readable(pair.source) for pair in reading.first],
            [_readable(pair.target) for pair in reading.first],
            reading.first,
            key="train_preview",
            alt="The first pairs as they are read",
        )
        with st.container(key="train_report", gap="xxsmall"):
            for sentence in reading.report.sentences(names_flags=False):
                # Of a run that is trained on, the tokenizer has decided on spaces.
                if cuts or "--keep-spaces" not in sentence:
                    st.text(in_form_words(sentence))


def _readable(text: str) -> str:
    """Return a text with marks for what cannot be seen; a single space between words stays a space."""
    return re.sub(r"(?<=[^␣])␣(?=[^␣])", " ", visible(text))


def _pairs_table(
    sources: list[str], targets: list[str], pairs: tuple[Pair, ...], *, key: str, alt: str
) -> None:
    columns = {"source": sources, "target": targets}
    if any(pair.attribution for pair in pairs):
        columns["credit"] = [pair.attribution for pair in pairs]
    number_table(columns, texts=tuple(columns), key=key, alt=alt)
