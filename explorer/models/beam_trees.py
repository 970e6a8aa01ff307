"""The tree of a beam search as plain values, with greedy decoding's path in it."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.config import BeamConfig, DecodeConfig
from core.data.tasks import Example
from core.data.tokenizers import Tokenizer
from core.decoding.autoregressive import decode_steps
from core.decoding.beam import Beam, BeamHypothesis, beam_score, beam_steps
from core.run import Run
from explorer.look.theme import format_log_prob

Fate = Literal["kept", "pruned", "finished", "outside"]
"""What became of a node; `outside` is what greedy alone has seen, after the beam dropped it or was over."""
End = Literal["settled", "nothing kept", "limit"]
"""Why a search is over: nothing kept could still get into the answer, all have ended, or too many tokens."""

EXAMPLE_WIDTH = 4
EXAMPLE_PENALTY = 0.6
BEAM_EXAMPLES: Mapping[str, Example] = {
    "en_fr": Example(
        "Beam search wins",
        "my white",
        "Nobody said my white what. Greedy takes the plural, mes, and cannot take it back; beam search still has mon.",
    ),
    "dates": Example(
        "Beam search wins",
        "December 22o 20a95",
        "Two typing errors. Greedy settles on February; beam search still has December.",
    ),
    "en_de_numbers": Example(
        "Beam search wins",
        "ten seventy",
        "No number of the language. Greedy hears ten thousand and loses the seventy.",
    ),
    "copy": Example(
        "Beam search wins",
        "myclhkacrar",
        "More letters than the model has learned. Greedy copies one too many; beam search stops in time.",
    ),
    "sort": Example(
        "Beam search wins",
        "ewofomrdpe",
        "Greedy forgets the second e and never comes back to it; beam search sorts the letters right.",
    ),
    "reverse": Example(
        "Beam search wins",
        "kgqntdglisu",
        "Longer than anything that the model has learned: both outputs are wrong, greedy’s is less probable.",
    ),
}
"""For each task a source for which its shipped model finds, with width 4 and α 0.6, an output that scores higher than
greedy's."""

NODE_BYTES = 400
"""About how many bytes a node of the tree takes without its text."""


@dataclass(frozen=True, slots=True)
class BeamNode:
    """A target, whole or still growing, known by its newest token.

    Attributes:
        step: In which that token came, from 0.
        parent: Index of the node that it extends; None in step 0.
        token_id: The token's id.
        token: The token.
        text: All tokens up to here as text.
        token_log_prob: The token's log-probability.
        log_prob: log P of all tokens up to here.
        score: log_prob / ((5 + tokens) / 6)^α.
        fate: What became of it.
        rank: Its place by score among all continuations of its step, 1 the best; None outside.
    """

    step: int
    parent: int | None
    token_id: int
    token: str
    text: str
    token_log_prob: float
    log_prob: float
    score: float
    fate: Fate
    rank: int | None


@dataclass(frozen=True)
class BeamTree:
    """A whole search. Nodes are named by their index; a parent comes before its children.

    Attributes:
        key: Names model, source and settings; equal keys, equal trees.
        width: Of the beam.
        length_penalty: α.
        nodes: Step by step, best first; then what greedy alone has seen.
        n_best: The answer, best first.
        greedy: Greedy's path from its first token to its last.
        eos_id: Id of EOS.
        end: Why the search is over.
    """

    key: str
    width: int
    length_penalty: float
    nodes: tuple[BeamNode, ...]
    n_best: tuple[int, ...]
    greedy: tuple[int, ...]
    eos_id: int
    end: End

    @property
    def n_bytes(self) -> int:
        """Memory held, about."""
        return sum(NODE_BYTES + 4 * len(node.text) for node in self.nodes)

    def ids(self, node: int) -> tuple[int, ...]:
        """The target ids from the first token to this node's."""
        ids: list[int] = []
        place: int | None = node
        while place is not None:
            ids.append(self.nodes[place].token_id)
            place = self.nodes[place].parent
        return tuple(reversed(ids))

    def words(self, node: int) -> tuple[int, ...]:
        """The same without EOS: what a decoding can be made to begin with."""
        ids = self.ids(node)
        return ids[:-1] if ids[-1] == self.eos_id else ids

    @property
    def beats_greedy(self) -> bool:
        """Whether the search found an output that scores higher than greedy's."""
        return self.nodes[self.n_best[0]].score > self.nodes[self.greedy[-1]].score


def beam_key(fingerprint: str, text: str, width: int, length_penalty: float) -> str:
    """A short name for one search of one model."""
    return hashlib.sha256(f"{fingerprint}\n{width}\n{length_penalty}\n{text}".encode()).hexdigest()[:16]


def search(run: Run, text: str, *, width: int, length_penalty: float) -> BeamTree:
    """Search for the best outputs for a source, and decode it greedily.

    Raises:
        InputError: when the model cannot read the source.
    """
    src = run.encode_source(text)[None]
    config = BeamConfig(width=width, length_penalty=length_penalty, max_length=run.output_limit)
    with run.changing(src.shape[1]):
        beams = [step.beams[0] for step in beam_steps(run.model, src, config)]
        steps = decode_steps(run.model, src, DecodeConfig(max_length=run.output_limit))
        greedy = [(int(step.chosen[0]), float(step.log_prob[0])) for step in steps]
    return beam_tree(
        beams,
        greedy,
        run.tgt_tokenizer,
        config,
        eos_id=run.config.eos_id,
        key=beam_key(run.fingerprint, text, width, length_penalty),
    )


def beam_tree(
    beams: Sequence[Beam],
    greedy: Iterable[tuple[int, float]],
    tokenizer: Tokenizer,
    config: BeamConfig,
    *,
    eos_id: int,
    key: str = "",
) -> BeamTree:
    """The tree of a search.

    Args:
        beams: Every step of it.
        greedy: The ids that greedy decoding chose, with their log-probabilities.
        tokenizer: Of the target side.
        config: Of the search.
        eos_id: Id of EOS.
        key: What the tree is called.
    """
    grower = _Grower(tokenizer, config.length_penalty)
    for beam in beams:
        grower.add_step(beam)
    path = grower.follow(greedy)
    return BeamTree(
        key=key,
        width=config.width,
        length_penalty=config.length_penalty,
        nodes=tuple(grower.nodes),
        n_best=_distinct(grower, beams[-1], tokenizer),
        greedy=path,
        eos_id=eos_id,
        end=_end_of(beams[-1], config.max_length),
    )


def verdict(tree: BeamTree) -> str:
    """One sentence that compares the best output found with greedy's."""
    best, greedy = tree.nodes[tree.n_best[0]], tree.nodes[tree.greedy[-1]]
    found, usual = (format_log_prob(node.score, total=True) for node in (best, greedy))
    if tree.n_best[0] == tree.greedy[-1]:
        return f"Greedy finds the same output, which scores {usual}: beam search finds no better one."
    if best.score > greedy.score:
        return f"Beam search found an output that scores {found}; greedy’s scores {usual}."
    if best.score == greedy.score:
        return f"Beam search and greedy found different outputs that score the same, {usual}."
    path = (tree.nodes[place] for place in tree.greedy)
    dropped = next(node.step for node in path if node.fate in ("pruned", "outside"))
    return (
        f"Greedy’s output scores {usual}, better than the {found} found here: this beam dropped it at "
        f"step {dropped}."
    )


class _Grower:
    """A tree while it grows: nodes, and the place of each by its ids."""

    def __init__(self, tokenizer: Tokenizer, length_penalty: float) -> None:
        self.tokenizer, self.length_penalty = tokenizer, length_penalty
        self.nodes: list[BeamNode] = []
        self.places: dict[tuple[int, ...], int] = {}

    def add_step(self, beam: Beam) -> None:
        """Everything that a step has kept, finished and pruned.

        No continuation that the step leaves out ranks before one of these: of what is pruned, only endings
        rank before what is kept, and of them there are fewer than it names.
        """
        groups: dict[Fate, tuple[BeamHypothesis, ...]] = {
            "kept": beam.kept,
            "finished": beam.finished,
            "pruned": beam.pruned,
        }
        everyone = [(hypothesis, fate) for fate, group in groups.items() for hypothesis in group]
        everyone.sort(key=lambda entry: (-entry[0].score, entry[0].ids))
        for rank, (hypothesis, fate) in enumerate(everyone, 1):
            self.add(hypothesis.ids, hypothesis.token_log_prob, hypothesis.log_prob, fate, rank)

    def follow(self, greedy: Iterable[tuple[int, float]]) -> tuple[int, ...]:
        """Greedy's path; where the beam has not been, it goes on outside."""
        ids: tuple[int, ...] = ()
        path: list[int] = []
        for token_id, token_log_prob in greedy:
            before = self.nodes[path[-1]].log_prob if path else 0.0
            ids = (*ids, token_id)
            if ids not in self.places:
                self.add(ids, token_log_prob, before + token_log_prob, "outside", None)
            path.append(self.places[ids])
        return tuple(path)

    def add(
        self, ids: tuple[int, ...], token_log_prob: float, log_prob: float, fate: Fate, rank: int | None
    ) -> None:
        self.places[ids] = len(self.nodes)
        node = BeamNode(
            step=len(ids) - 1,
            parent=self.places[ids[:-1]] if len(ids) > 1 else None,
            token_id=ids[-1],
            token=self.tokenizer.vocabulary.token(ids[-1]),
            text=self.tokenizer.decode(ids),
            token_log_prob=token_log_prob,
            log_prob=log_prob,
            score=beam_score(log_prob, len(ids), self.length_penalty),
            fate=fate,
            rank=rank,
        )
        self.nodes.append(node)


def _distinct(grower: _Grower, last: Beam, tokenizer: Tokenizer) -> tuple[int, ...]:
    """Return the nodes of the best hypotheses, of those with one text the best alone."""
    best = {tokenizer.decode(hypothesis.ids): hypothesis for hypothesis in reversed(last.n_best)}
    return tuple(grower.places[each.ids] for each in last.n_best if best[tokenizer.decode(each.ids)] is each)


def _end_of(last: Beam, max_length: int | None) -> End:
    if not last.kept:
        return "nothing kept"
    return "limit" if last.index + 1 == max_length else "settled"
