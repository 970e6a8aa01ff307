"""What the page of tokens says of a run's embedding tables: who is near to whom, and what sharing them saves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from core.analysis.embedding_geometry import (
    Neighbour,
    PrincipalAxes,
    analogy,
    nearest_neighbours,
    sampled_rows,
)
from core.config import TransformerConfig
from core.data.vocabulary import SPECIALS, Vocabulary
from core.model.shapes import expected_parameters
from explorer.look.theme import format_count
from explorer.models.recorded import Recorded
from explorer.views.embedding.component import RankedToken, RankingData
from explorer.views.embedding.figure import Role

MAX_POINTS = 2_000
"""Tokens on a map, or to choose from."""
N_NEIGHBOURS = 8
N_ANALOGOUS = 5
_ANALOGIES = {"en_fr": ("cats", "cat", "dog")}
"""Three tokens to begin with; a task without them begins with those of its sentence."""


@dataclass(frozen=True, eq=False)
class Table:
    """An embedding table and what its rows are called.

    Attributes:
        parameter: Its name in the model.
        title: For the visitor.
        vocabulary: Of its rows.
        source_ids: Tokens of the sentence that it is read for.
        target_ids: Likewise of the output.
    """

    parameter: str
    title: str
    vocabulary: Vocabulary
    source_ids: frozenset[int]
    target_ids: frozenset[int]

    @property
    def in_use(self) -> frozenset[int]:
        """All tokens that the table is read for, but for the special ones."""
        return frozenset(each for each in self.source_ids | self.target_ids if each >= len(SPECIALS))

    def role(self, token_id: int) -> Role:
        """What a token is to the sentence and its output."""
        if token_id < len(SPECIALS):
            return "special"
        in_source, in_target = token_id in self.source_ids, token_id in self.target_ids
        return (
            "both"
            if in_source and in_target
            else "source"
            if in_source
            else "target"
            if in_target
            else "other"
        )


def tables(recorded: Recorded) -> tuple[Table, ...]:
    """The one table that both sides share, or those of source and target."""
    run = recorded.run
    source = frozenset(recorded.trace.src.tolist())
    target = frozenset(recorded.trace.tgt_in.tolist()) | frozenset(recorded.trace.tgt_out.tolist())
    if run.config.tie_embeddings:
        return (Table("src_embed.weight", "Shared", run.src_tokenizer.vocabulary, source, target),)
    return (
        Table("src_embed.weight", "Source", run.src_tokenizer.vocabulary, source, frozenset()),
        Table("tgt_embed.weight", "Target", run.tgt_tokenizer.vocabulary, frozenset(), target),
    )


def shown_ids(table: Table) -> tuple[int, ...]:
    """Ids of the tokens that a map shows: all but padding, or so many of a large vocabulary."""
    kept = {*table.in_use, *range(1, len(SPECIALS))}
    found = sampled_rows(len(table.vocabulary), MAX_POINTS + 1, kept | {Vocabulary.pad_id})
    return tuple(token_id for token_id in found if token_id != Vocabulary.pad_id)


def sampling_notice(table: Table, shown: Sequence[int]) -> str:
    """One sentence where not all tokens are shown; else nothing."""
    size = len(table.vocabulary) - 1
    if len(shown) == size:
        return ""
    return (
        f"Showing {format_count(len(shown))} of {format_count(size)} tokens: those in use, and the others at "
        "equal distances of their ids. The axes are those of the whole table."
    )


def map_places(recorded: Recorded, table: Table, axes: PrincipalAxes, ids: Sequence[int]) -> np.ndarray:
    """Places of some tokens along the axes [token, axis]."""
    rows = recorded.run.model.get_parameter(table.parameter).detach()[list(ids)]
    return axes.project(rows.cpu()).numpy()


def neighbours_of(recorded: Recorded, table: Table, token_id: int) -> RankingData:
    """The tokens whose vectors point most nearly the same way."""
    weight = recorded.run.model.get_parameter(table.parameter)
    leave_out = {token_id, Vocabulary.pad_id}
    found = nearest_neighbours(weight, weight[token_id], N_NEIGHBOURS, leave_out=leave_out)
    return RankingData("Nearest to", (table.vocabulary.token(token_id),), _ranked(table, found))


def analogous(recorded: Recorded, table: Table, a: int, b: int, c: int) -> RankingData:
    """The tokens nearest to a − b + c, those three left out."""
    weight = recorded.run.model.get_parameter(table.parameter)
    found = analogy(weight, a, b, c, N_ANALOGOUS, leave_out={Vocabulary.pad_id})
    tokens = [table.vocabulary.token(token_id) for token_id in (a, b, c)]
    return RankingData("Nearest to", (tokens[0], "−", tokens[1], "+", tokens[2]), _ranked(table, found))


def first_analogy(recorded: Recorded, table: Table) -> tuple[int, int, int]:
    """Three tokens to begin with."""
    known = _ANALOGIES.get(recorded.run.task, ())
    if known and all(token in table.vocabulary for token in known):
        a, b, c = (table.vocabulary.id(token) for token in known)
        return a, b, c
    ids = torch.cat((recorded.trace.src, recorded.trace.tgt_in, recorded.trace.tgt_out)).tolist()
    written = (each for each in dict.fromkeys(ids) if each in table.in_use)
    own = [each for each in written if not table.vocabulary.token(each).isspace()] or [Vocabulary.unk_id]
    return own[0], own[1 % len(own)], own[2 % len(own)]


def sharing(config: TransformerConfig) -> tuple[str, ...]:
    """Sentences on the shared matrix, or on the three: sizes, and what sharing saves or would save."""
    d_model, total = config.d_model, expected_parameters(config)
    if config.tie_embeddings:
        apart = expected_parameters(replace(config, tie_embeddings=False))
        size = config.tgt_vocab_size * d_model
        return (
            f"Source embedding, target embedding and the output's projection are **one matrix** of "
            f"{format_count(config.tgt_vocab_size)} × {d_model} = {_exact(size)} numbers.",
            f"With three matrices the model would have {_exact(apart)} parameters instead of {_exact(total)}: "
            f"sharing saves {_exact(apart - total)}, {(apart - total) / apart:.1%} of them.",
        )
    sizes = [_exact(size * d_model) for size in (config.src_vocab_size, config.tgt_vocab_size)]
    apart_sentence = (
        f"Source embedding, target embedding and the output's projection are **three matrices** of {sizes[0]}, "
        f"{sizes[1]} and {sizes[1]} numbers."
    )
    if config.src_vocab_size != config.tgt_vocab_size:
        return (
            apart_sentence,
            f"They cannot be one: the vocabularies have {format_count(config.src_vocab_size)} and "
            f"{format_count(config.tgt_vocab_size)} tokens, and one row cannot stand for two different ones.",
        )
    tied = expected_parameters(replace(config, tie_embeddings=True))
    return (
        apart_sentence,
        f"As one matrix they would leave {_exact(tied)} parameters of {_exact(total)}, "
        f"{(total - tied) / total:.1%} fewer.",
    )


def _ranked(table: Table, found: Sequence[Neighbour]) -> tuple[RankedToken, ...]:
    return tuple(RankedToken(table.vocabulary.token(n.token_id), n.token_id, n.cosine) for n in found)


def _exact(count: int) -> str:
    return f"{count:,}"
