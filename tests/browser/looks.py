"""How a view looks, kept small enough to be stored, and how far two looks are apart."""

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageOps

SCALE = 0.4
"""Of the screen's pixels: letters become grey texture, while a moved line or another colour stays plain."""
BITS = 4
"""Of each colour; the rest is noise of the anti-aliasing that would only make the file larger."""
PLAIN = 48
"""Difference of a colour, of 255, from which a pixel counts as changed: three of the kept levels."""
MAX_MEAN = 0.5
"""Mean difference of all colours, of 255, that the same look may have; between two runs it is 0.0004 at most."""
MAX_CHANGED = 0.002
"""Share of pixels that may have changed in the same look: a word of the running text, not a line."""


@dataclass(frozen=True)
class Distance:
    """How far two looks are apart.

    Attributes:
        mean: Mean difference of all colours, of 255.
        changed: Share of the pixels that differ plainly.
    """

    mean: float
    changed: float

    @property
    def is_same(self) -> bool:
        """Whether both are the same look to a person."""
        return self.mean <= MAX_MEAN and self.changed <= MAX_CHANGED


def small_look(screenshot: bytes) -> Image.Image:
    """A screenshot, made small."""
    image = Image.open(io.BytesIO(screenshot)).convert("RGB")
    size = (round(image.width * SCALE), round(image.height * SCALE))
    return ImageOps.posterize(image.resize(size, Image.Resampling.BOX), BITS)


def distance(one: Image.Image, other: Image.Image) -> Distance:
    """How far two looks are apart; as far as can be where their sizes differ."""
    if one.size != other.size:
        return Distance(255.0, 1.0)
    differences = np.abs(np.asarray(one, dtype=np.int16) - np.asarray(other, dtype=np.int16))
    return Distance(float(differences.mean()), float((differences.max(axis=-1) >= PLAIN).mean()))
