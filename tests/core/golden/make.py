"""Writes the golden values that the tests compare with: ``python -m tests.core.golden.make``."""

import json
from pathlib import Path

from tests.core.golden.formulas import golden_values
from tests.core.golden.weights import N_LAYERS, golden_weights

FILE = Path(__file__).parent / "expected.json"
DECIMALS = 12


def kept(name: str) -> bool:
    """Whether the file holds this value: the last layers' weights stand for those before them."""
    return name in ("logits", "loss") or f".{N_LAYERS - 1}." in name


def main() -> None:
    """Write the file anew."""
    weights = golden_weights()
    expected = {
        norm: {
            name: value.round(DECIMALS).tolist()
            for name, value in golden_values(weights, norm).items()
            if kept(name)
        }
        for norm in ("post", "pre")
    }
    FILE.write_text(json.dumps(expected, indent=None, separators=(",", ":")).replace('],"', '],\n"') + "\n")


if __name__ == "__main__":
    main()
