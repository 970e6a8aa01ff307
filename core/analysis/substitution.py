"""Substitution: one token of the source gives way to others of its kind, and everything else stays as it is.

Sentences that differ in one token are minimal pairs: what a model writes for each shows what that token decides, such
as a carry, an agreement, or a threshold. After Linzen et al., "Assessing the Ability of LSTMs to Learn
Syntax-Sensitive Dependencies" (2016).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import torch
from torch import Tensor

from core.config import USUAL_OUTPUT_TOKENS, DecodeConfig
from core.data.tokenizers import CharacterTokenizer, Tokenizer
from core.data.vocabulary import SPECIALS
from core.decoding.autoregressive import decode_steps
from core.decoding.exact import exact
from core.errors import InputError
from core.model.transformer import Transformer
from core.notebook import Brief
from core.numbers import is_whole

Kind = Literal["digits", "letters", "neighbours", "vocabulary"]

MAX_VALUES = 26
"""An alphabet; the picture of more would be no picture."""
LEAST_VALUES = 6
"""Where fewer stand between the same two neighbours, what stands beside one of them comes after."""


@dataclass(frozen=True, repr=False)
class Alternatives(Brief):
    """The tokens that can stand at one position of a source.

    Attributes:
        kind: What they have in common with the token there: ``digits`` and ``letters`` are all of the vocabulary;
            ``neighbours`` stand beside the same tokens somewhere in the sources; ``vocabulary`` are any tokens,
            where neither is known.
        values: Their ids, the token's own among them: digits by value, letters in the order of the alphabet, others
            from the most frequent to the rarest.
        n_between: How many of the ``neighbours`` stand between both neighbours; the others stand beside one.
        n_sources: How many sources were looked through.
    """

    kind: Kind
    values: tuple[int, ...]
    n_between: int = 0
    n_sources: int = 0


@dataclass(frozen=True, repr=False)
class Variation(Brief):
    """What a model makes of one source with each of V values at a position; T steps of a target are asked for.

    Attributes:
        outputs: Greedy output of each source [V, produced tokens], without bos, right-padded.
        log_prob: log P of each output, the sum of its steps, float64 [V].
        ended: Whether the model ended each output itself [V].
        rival_probs: P of two tokens as the next one after the target's first t tokens, float64 [V, T, 2].
        best_ids: The most probable next token there [V, T].
        best_probs: Its probability, float64 [V, T].
    """

    outputs: Tensor
    log_prob: Tensor
    ended: Tensor
    rival_probs: Tensor
    best_ids: Tensor
    best_probs: Tensor


class Contexts:
    """How often each token stands between which neighbours, counted once for all positions that are asked of.

    A sentence's begin and its end are neighbours as well.

    Args:
        sources: Ids of the sources that are looked through, each without eos.

    Attributes:
        n_sources: How many these were.
    """

    def __init__(self, sources: Iterable[Sequence[int]] = ()) -> None:
        self.n_sources = 0
        # By both neighbours, by the one before, by the one after; None where the sentence begins or ends.
        self._between: defaultdict[tuple[int | None, int | None], Counter[int]] = defaultdict(Counter)
        self._after: defaultdict[int | None, Counter[int]] = defaultdict(Counter)
        self._before: defaultdict[int | None, Counter[int]] = defaultdict(Counter)
        for source in sources:
            self.n_sources += 1
            for left, token, right in zip((None, *source), source, (*source[1:], None), strict=False):
                self._between[left, right][token] += 1
                self._after[left][token] += 1
                self._before[right][token] += 1

    def between(self, before: int | None, after: int | None) -> Counter[int]:
        """How often each token stands between two neighbours; None is the sentence's begin or its end."""
        return Counter(self._between.get((before, after)))

    def beside(self, before: int | None, after: int | None) -> Counter[int]:
        """How often each token has one of two neighbours and not the other."""
        between = self.between(before, after)
        return Counter(self._after.get(before)) - between + (Counter(self._before.get(after)) - between)


def alternatives(
    tokenizer: Tokenizer, ids: Sequence[int], position: int, contexts: Callable[[], Contexts] = Contexts
) -> Alternatives:
    """Which tokens can stand at a position of a source: those of its kind that somebody could type there.

    A digit gives way to each digit of the vocabulary, a letter of a character tokenizer to each letter of its case.
    Any other token gives way to those that stand between the same two neighbours somewhere in the sources, where
    the sentence's begin and end are neighbours as well; where these are few, also to those beside one of them.
    `MAX_VALUES` at most, the most frequent; and only what the tokenizer would read again as the same tokens.

    Args:
        tokenizer: Of the source.
        ids: Of the source [source position], without eos.
        position: From 0.
        contexts: Asked for the sources that the model has learned from, where a digit's or a letter's kind does not
            say enough.

    Raises:
        InputError: when the source has no such position.
    """
    if not is_whole(position, 0, len(ids) - 1):
        raise InputError(f"choose a position from 0 to {len(ids) - 1} of this source, not {position}")
    own = ids[position]
    if alike := _of_its_class(tokenizer, own):
        kind: Kind = "digits" if tokenizer.vocabulary.token(own)[-1].isdecimal() else "letters"
        return Alternatives(kind, tuple(_typable(tokenizer, ids, position, alike)))
    seen = contexts()
    before, after = (None, *ids)[position], (*ids[1:], None)[position]
    between, beside = seen.between(before, after), seen.beside(before, after)
    closest = _most(_typable(tokenizer, ids, position, _ranked(between)), MAX_VALUES, own)
    wider = (token for token in _ranked(beside) if token not in closest)
    missing = max(0, LEAST_VALUES - len(closest))
    values = (*closest, *islice(_typable(tokenizer, ids, position, wider), missing))
    if len(values) > 1:
        return Alternatives("neighbours", values, len(closest), seen.n_sources)
    words = range(len(SPECIALS), len(tokenizer.vocabulary))
    return Alternatives("vocabulary", _most(_typable(tokenizer, ids, position, words), MAX_VALUES, own))


@torch.no_grad()
def vary_token(
    model: Transformer,
    src: Tensor,
    position: int,
    values: Sequence[int],
    target: Sequence[int],
    rivals: Sequence[tuple[int, int]],
    *,
    prefix: Sequence[int] = (),
    max_length: int = USUAL_OUTPUT_TOKENS,
) -> Variation:
    """Put each value at a position of a source: what the model writes then, and what it thinks of two rivals.

    All sources are one batch: decoded greedily, and run once over the same target under teacher forcing, as `trace`
    does with one. So the probabilities of a step differ by the source's token alone.

    Args:
        model: In evaluation mode.
        src: Source ids [source position], with eos.
        position: That is varied, from 0.
        values: Ids of the tokens that stand there, one after the other.
        target: Ids [T] of the target that the steps belong to, without bos.
        rivals: For each step t two ids, asked of as the next token after target[:t].
        prefix: Ids with which every output begins, whatever the model says.
        max_length: Most tokens that are produced.

    Raises:
        InputError: when the source has no such position, a value or a rival is no token of its vocabulary, rivals and
            target do not fit; or as `decode_steps`.
    """
    _check(model, src, position, values, target, rivals)
    varied = src.repeat(len(values), 1)  # [V, S]
    varied[:, position] = torch.tensor(values, device=src.device)
    log_probs = []
    config = DecodeConfig(max_length=max_length)
    for last in decode_steps(model, varied, config, prefix=prefix, reads_ahead=True):
        log_probs.append(exact(last.log_prob))
    rival_probs, best_probs, best_ids = _next_tokens(model, varied, target, rivals)
    return Variation(
        outputs=last.hypotheses.cpu(),
        log_prob=torch.stack(log_probs).sum(dim=0).cpu(),
        ended=last.finished.cpu(),
        rival_probs=rival_probs,
        best_ids=best_ids,
        best_probs=best_probs,
    )


def _next_tokens(
    model: Transformer, varied: Tensor, target: Sequence[int], rivals: Sequence[tuple[int, int]]
) -> tuple[Tensor, Tensor, Tensor]:
    """P of the rivals [V, T, 2], and the most probable token with its P [V, T], under teacher forcing."""
    tgt_in = torch.tensor([[model.config.bos_id, *target[:-1]]], device=varied.device)
    decoded = model.decode(tgt_in.repeat(len(varied), 1), *model.encode(varied))  # [V, T, D]
    asked, best_probs, best_ids = [], [], []
    # Step by step: the logits of all steps of a large vocabulary together would fill the memory.
    for step, pair in enumerate(rivals):
        probs = exact(model.generator(decoded[:, step])).softmax(dim=-1)  # [V, vocab]
        asked.append(probs[:, list(pair)])
        best = probs.max(dim=-1)
        best_probs.append(best.values)
        best_ids.append(best.indices)
    stacked = (torch.stack(each, dim=1).cpu() for each in (asked, best_probs, best_ids))
    rival_probs, best_prob, best_id = stacked
    return rival_probs, best_prob, best_id


def _of_its_class(tokenizer: Tokenizer, own: int) -> tuple[int, ...]:
    """All digits for a digit, all letters of its case for a letter of a character tokenizer; nothing for others."""
    vocabulary = tokenizer.vocabulary
    token = vocabulary.token(own)
    # Before the digit, a mark of the tokenizer's may say where its word begins.
    mark, last = token[:-1], token[-1]
    words = enumerate(vocabulary.tokens[len(SPECIALS) :], start=len(SPECIALS))
    if last.isdecimal() and not any(letter.isalnum() for letter in mark):
        found = [(int(word[-1]), id) for id, word in words if word[:-1] == mark and word[-1].isdecimal()]
    elif isinstance(tokenizer, CharacterTokenizer) and token.isalpha():
        found = [
            (ord(word), id) for id, word in words if word.isalpha() and word.islower() == token.islower()
        ]
    else:
        return ()
    return _most([id for _, id in sorted(found)], MAX_VALUES, own) if len(found) > 1 else ()


def _ranked(counted: Counter[int]) -> list[int]:
    """The most frequent first; equally frequent ones in the order of the vocabulary."""
    return sorted(counted, key=lambda token: (-counted[token], token))


def _most(ids: Iterable[int], most: int, own: int) -> tuple[int, ...]:
    """The first of some ids, the token's own among them: at the end where it is not one of these."""
    kept = list(islice(ids, most))
    return tuple(kept if own in kept else [*kept[: most - 1], own])


def _typable(tokenizer: Tokenizer, ids: Sequence[int], position: int, values: Iterable[int]) -> Iterable[int]:
    """The tokens among some with which the source's text is read as the same tokens, and the source's own."""
    for value in values:
        changed = [*ids[:position], value, *ids[position + 1 :]]
        if value == ids[position] or tokenizer.encode(tokenizer.decode(changed)) == changed:
            yield value


def _check(
    model: Transformer,
    src: Tensor,
    position: int,
    values: Sequence[int],
    target: Sequence[int],
    rivals: Sequence[tuple[int, int]],
) -> None:
    config = model.config
    if not is_whole(position, 0, len(src) - 2):
        raise InputError(f"choose a position from 0 to {len(src) - 2} of this source, not {position}")
    if not values or not target:
        raise InputError("give at least one value for the position, and a target of at least one token")
    if len(rivals) != len(target):
        raise InputError(
            f"give two rivals for each of the {len(target)} steps of the target, not {len(rivals)}"
        )
    _check_ids("value", values, config.src_vocab_size, (config.pad_id, config.bos_id, config.eos_id))
    _check_ids("rival", [token for pair in rivals for token in pair], config.tgt_vocab_size, (config.pad_id,))


def _check_ids(what: str, ids: Sequence[int], size: int, never: Collection[int]) -> None:
    for token in ids:
        if not is_whole(token, 0, size - 1) or token in never:
            raise InputError(f"{what} {token} is not a word of the vocabulary of {size} tokens")
