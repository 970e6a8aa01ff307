"""The measured proof that the numbers are true: what the test run wrote, as a sentence for the foot of a page."""

import json
from dataclasses import dataclass
from pathlib import Path

PROOF = Path(__file__).parents[2] / "build" / "proof.json"


@dataclass(frozen=True)
class Proof:
    """How far the model is from torch's own layers, as the tests measured it on this machine.

    Attributes:
        largest_difference: Between any two numbers, in float64.
        compared: Numbers compared.
        torch: Version of the reference.
    """

    largest_difference: float
    compared: int
    torch: str


def read_proof(path: Path = PROOF) -> Proof | None:
    """What the last whole test run measured, or None where none has run here."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return Proof(float(values["largest_difference"]), int(values["compared"]), str(values["torch"])[:40])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def proof_sentence(proof: Proof | None) -> str:
    """The sentence under a page."""
    if proof is None:
        return "`make test` measures how far these numbers are from torch's own layers."
    return (
        f"Checked against torch's own layers: largest difference {proof.largest_difference:.1e} "
        f"among {proof.compared:,} numbers (float64, torch {proof.torch.split('+')[0]})."
    )
