"""The name of the product and its picture: encoder and decoder, side by side."""

from pathlib import Path

PRODUCT = "Transformer explorer"
BRAND = Path(__file__).parent / "brand.svg"
