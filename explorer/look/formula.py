"""Formulas as MathML, which browsers draw by themselves, and the font that they are drawn in.

Without a font made for mathematics a browser leaves out the sign of a root, so the app brings one: a part of Latin
Modern Math 1.959 (B. Jackowski, P. Strzelczyk, P. Pianowski), which may be used, changed and passed on under the GUST
Font License (https://www.gust.org.pl/projects/e-foundry/licenses). `pyftsubset` made the part: the letters, digits and
signs of this project's formulas, their sizes, and kerning.
"""

import re
from functools import lru_cache
from pathlib import Path

from latex2mathml.converter import convert

FONT = (Path(__file__).parent / "math.woff2").read_bytes()

_UNKNOWN = (
    # What KaTeX knows and the converter to MathML does not, with what says the same.
    (re.compile(r"\\\\\[[^\]]*\]"), r"\\\\"),
    (re.compile(r"(\\begin\{aligned\}|\\\\) *&"), r"\1 "),
    (re.compile(r"\{(?:gathered|aligned)\}"), "{matrix}"),
    (re.compile(r"\\Big(?=\\[{}])"), ""),
    (re.compile(r"\\operatorname\*?\{arg\\,max\}|\\arg(?:\\,|\\!)? *\\max"), r"\\operatorname{argmax}"),
)
_PARTS = re.compile(r"\\[a-zA-Z]+|\\?.")
# The converter marks no sign: a minus with a number on its right alone would get the space of a difference.
_SIGN = re.compile(r"(<mo[^>]*>&#x000(?:28|2C|2F|3D);</mo>(?:<mrow>)*)<mo>&#x02212;</mo>")

# A prime is raised already; as a superscript it would be too small to see.
_PRIME = re.compile(r"<msup>(<mi>[^<]*</mi>)<mi>&#x02032;</mi></msup>")


@lru_cache(maxsize=512)
def mathml(latex: str) -> str:
    """Convert a display formula from LaTeX to MathML."""
    for pattern, known in _UNKNOWN:
        latex = pattern.sub(known, latex)
    signed = _SIGN.sub(r'\1<mo form="prefix">&#x02212;</mo>', convert(latex, display="block"))
    return _PRIME.sub(r'<mrow>\1<mo lspace="0" rspace="0">&#x02032;</mo></mrow>', signed)


def mathml_pieces(line: str) -> list[str]:
    """Convert one line of LaTeX to MathML, split before each relation so that the browser can wrap it."""
    pieces, depth = [""], 0
    for part in _PARTS.findall(line):
        depth += part in ("{", r"\left") or -(part in ("}", r"\right"))
        if not depth and (part == r"\in" or part in "=≠"):
            pieces.append("")
        pieces[-1] += part
    return [mathml(piece) for piece in pieces if piece.strip()]


def font_face(source: str) -> str:
    """Return the rule of a style sheet that names the font `Explorer Math`.

    Args:
        source: Address of the font.
    """
    return f'@font-face {{ font-family: "Explorer Math"; src: url("{source}") format("woff2"); }}'
