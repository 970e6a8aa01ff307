"""An update that is looked at: what was captured of it, with the tokens of its run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.activations.location import locate
from core.data.vocabulary import PAD
from core.run_description import RunDescription
from core.training.captured import CapturedUpdate
from core.training.replayed import Replayed
from explorer.views.update.choices import UpdateChoice
from explorer.visitor.state import ExplorerState


@dataclass(frozen=True, eq=False)
class UpdateScene:
    """One update of one run.

    Attributes:
        key: Names run and update.
        run: What is known of the run.
        choice: Which update, and where it was begun from.
        replayed: All of it.
    """

    key: str
    run: RunDescription
    choice: UpdateChoice
    replayed: Replayed

    @property
    def update(self) -> CapturedUpdate:
        """What the trainer did."""
        return self.replayed.update

    @property
    def n_pairs(self) -> int:
        """Sentence pairs of the batch."""
        return len(self.update.batch.src)

    def pair(self, state: ExplorerState) -> int:
        """The sentence pair that is looked at."""
        return min(state.update.pair or 0, self.n_pairs - 1)

    def parameter(self, state: ExplorerState) -> str:
        """The parameter that is looked at: the inspector's, if the update knows it by this name, else a projection."""
        names = self.update.parameters
        if state.inspector.site in names:
            return state.inspector.site
        return next(
            (name for name in names if locate(name).crosses and locate(name).value == "w_q"), names[0]
        )

    def token(self, side: Literal["source", "target", "label"], row: int, position: int) -> str:
        """A token of the batch: of the sources, of what the decoder reads, or of the labels."""
        batch = self.update.batch
        ids = {"source": batch.src, "target": batch.tgt_in, "label": batch.tgt_out}[side]
        tokenizer = self.run.src_tokenizer if side == "source" else self.run.tgt_tokenizer
        return tokenizer.vocabulary.token(int(ids[row, position]))

    def tokens(self, side: Literal["source", "target", "label"], row: int) -> tuple[str, ...]:
        """A row of the batch without its padding."""
        batch = self.update.batch
        width = (batch.src if side == "source" else batch.tgt_out).shape[1]
        found = (self.token(side, row, position) for position in range(width))
        return tuple(token for token in found if token != PAD)


def scene_key(run: str, choice: UpdateChoice) -> str:
    """Names a run and one of its updates."""
    return f"{run}/{choice.key}"
