"""Who may do what with a run, and how large a training may be; the engine asks before it does anything.

Who begins a run is known by a secret that the visitor's browser has made up and keeps. Of it only the digest is
written down, so whoever reads the runs folder, or a run's files, cannot act as its owner.
"""

from __future__ import annotations

import hmac
import math
from dataclasses import dataclass, field
from hashlib import sha256

from core.errors import RunError
from core.model.shapes import expected_parameters
from core.run_description import RunDescription
from core.training.plan import LEAST_POSITIONS
from explorer.server.limits import Limits


@dataclass(frozen=True)
class Visitor:
    """Who asks for something.

    Attributes:
        key: The secret of the visitor's browser; empty where it is not known.
        is_admin: Whether the visitor has given the admin token.
    """

    key: str = field(default="", repr=False)
    is_admin: bool = False

    @property
    def mark(self) -> str:
        """What is noted of a run's owner: the key's digest, or nothing where there is no key."""
        return sha256(self.key.encode(errors="backslashreplace")).hexdigest() if self.key else ""


NOBODY = Visitor()
NOT_YOURS = "Only the browser that began this training can pause, stop or resume it."


@dataclass(frozen=True)
class Rules:
    """The rules of a server with these limits; without class mode everybody may do everything."""

    limits: Limits

    def may_steer(self, visitor: Visitor, owner: str) -> bool:
        """Whether a visitor may pause, step, stop and resume the run of this owner's mark."""
        is_owner = bool(owner) and hmac.compare_digest(visitor.mark, owner)
        return not self.limits.is_public or visitor.is_admin or is_owner

    def require_steer(self, visitor: Visitor, owner: str) -> None:
        """Refuse somebody who may not steer a run.

        Raises:
            RunError: then; so do the others.
        """
        if not self.may_steer(visitor, owner):
            raise RunError(NOT_YOURS)

    def may_manage(self, visitor: Visitor) -> bool:
        """Whether a visitor may rename and delete runs, and upload some."""
        return not self.limits.is_public or visitor.is_admin

    def require_manage(self, visitor: Visitor, what: str) -> None:
        """Refuse somebody who may not manage runs; `what` is said of them, such as "deleted"."""
        if not self.may_manage(visitor):
            raise RunError(f"On this server runs are {what} with the admin token alone.")

    def require_places(self, waiting: int, living: int, count: int) -> None:
        """Refuse so many runs where others that wait and train leave no places in the queue for all of them."""
        free = max(0, self.limits.most_at_once - living)
        left = max(0, self.limits.most_waiting + free - waiting)
        if count <= left:
            return
        if count > 1:
            raise RunError(
                f"The queue has room for {left} more, and this begins {count}; try again when some have ended."
            )
        raise RunError(
            f"{waiting} runs are waiting already, which is the most; try again when one has ended."
        )

    def require_turn(self, visitor: Visitor, busy: int, count: int) -> None:
        """Refuse so many runs to a visitor of whom others train or wait already, or who is not known."""
        if not self.limits.is_public:
            return
        if not visitor.key:
            raise RunError("Your browser has not named itself yet; wait a moment, or load the page again.")
        most = self.limits.most_of_a_visitor
        if most is None or busy + count <= most:
            return
        if count > 1:
            raise RunError(
                f"Your runs that train or wait leave room for {max(0, most - busy)} more, of {most} for one visitor, "
                f"and this begins {count}; wait until some have ended."
            )
        runs = "One run" if busy == 1 else f"{busy} runs"
        raise RunError(
            f"{runs} of yours train or wait, which is the most for one visitor; wait until one has ended."
        )

    def require_size(self, description: RunDescription) -> None:
        """Refuse a training that is larger than this server lets people train, with what to make smaller."""
        if not self.limits.is_public:
            return
        limits, training = self.limits, description.train_config
        for count, most, what, advice in (
            (
                expected_parameters(description.config),
                limits.most_parameters,
                "parameters",
                "a smaller model",
            ),
            (_longest(description), limits.most_tokens, "tokens in its longest source", "shorter texts"),
            (training.steps, limits.most_updates, "updates", "fewer updates"),
            (training.batch_size, limits.most_batch, "pairs in a batch", "a smaller batch"),
            (training.n_train, limits.most_pairs, "training pairs", "fewer pairs"),
        ):
            if most is not None and count > most:
                raise RunError(
                    f"This would have {count:,} {what}; this server takes {most:,}: choose {advice}."
                )

    def require_time(self, expected: float | None) -> None:
        """Refuse a training that would not be complete in one turn; None is one that is too large to be timed."""
        most = self.limits.most_seconds
        if most is None or expected is None or expected <= most:
            return
        raise RunError(
            f"This would take about {math.ceil(expected / 60):,} minutes on a free core; this server takes "
            f"{most / 60:,.3g}: choose fewer updates or validations, or a smaller model."
        )


def _longest(description: RunDescription) -> int:
    """Tokens that a model is made for; every model has some positions more than most need."""
    positions = description.config.max_len
    return max(description.max_source_tokens, positions if positions > LEAST_POSITIONS else 0)
