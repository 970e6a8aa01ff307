"""Colours with meaning and the forms of numbers: written here once, read by every figure and component.

A *role* is one colour with one meaning (the source side, a chosen candidate, a key); a *ramp* turns a number
into a colour. Each exists for the light and for the dark page. Components receive both tables as CSS custom
properties (:func:`component_tokens_css`); ``.streamlit/config.toml`` repeats a few of them for Streamlit's own
widgets, and a test holds the two together.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Literal

ThemeType = Literal["light", "dark"]
RampName = Literal["weight", "plus", "minus"]

# role: (light, dark)
_ROLES: Mapping[str, tuple[str, str]] = {
    "bg": ("#FFFFFF", "#13171A"),
    "side": ("#F5F6F4", "#0F1315"),
    "well": ("#F3F5F5", "#1B2124"),
    "line": ("#DDE2E3", "#2A3237"),  # hairlines and cards
    "line2": ("#C3CBCE", "#435058"),  # controls and blocks
    "ink": ("#182126", "#E8EDEF"),
    "ink2": ("#46535A", "#BAC5CA"),
    "mute": ("#5E6B72", "#97A4AA"),
    "primary": ("#14607A", "#27778F"),
    "on-primary": ("#FFFFFF", "#FFFFFF"),
    "link": ("#14607A", "#7CC6DC"),
    "source": ("#2F64DA", "#6197F4"),
    "source-tint": ("#EAF0FD", "#18253A"),
    "source-line": ("#AEC4F3", "#345183"),
    "target": ("#AC5302", "#E9812F"),
    "target-tint": ("#FBEFE4", "#33231A"),
    "target-line": ("#E6BE98", "#7A4D2E"),
    "on-target": ("#FFFFFF", "#1C1108"),
    "q": ("#57287D", "#DCCBFF"),
    "k": ("#22796A", "#5E9F8C"),
    "v": ("#4A3900", "#FFE08A"),
    "hatch": ("#B4BEC2", "#4C5960"),
    "positive": ("#14607A", "#7CC6DC"),
    "negative": ("#B3261E", "#FF9E88"),
    "focus": ("#0B57D0", "#8AB8FF"),
    "error": ("#B3261E", "#FF9E88"),
}

ROLES: Mapping[ThemeType, Mapping[str, str]] = {
    "light": {name: pair[0] for name, pair in _ROLES.items()},
    "dark": {name: pair[1] for name, pair in _ROLES.items()},
}
"""Role colours by theme: ``ROLES["dark"]["source"]``."""

RAMPS: Mapping[ThemeType, Mapping[RampName, tuple[str, ...]]] = {
    "light": {
        "weight": ("#F6F9FA", "#D3E4EA", "#9AC2D0", "#5595AB", "#1F6982", "#08394A"),
        "plus": ("#F7F8F8", "#D3E4EA", "#9AC2D0", "#5595AB", "#236F88", "#0B4A60"),
        "minus": ("#F7F8F8", "#F9DED9", "#EFAFA5", "#DC7A6C", "#BE3A2F", "#8C1410"),
    },
    "dark": {
        "weight": ("#1B2226", "#1E3944", "#28606F", "#4592A7", "#8ACADA", "#DFF5FA"),
        "plus": ("#1D2327", "#1E3944", "#265C6B", "#3687A0", "#58B4D0", "#8FE0F8"),
        "minus": ("#1D2327", "#3F2420", "#79332B", "#B94B3D", "#E8705C", "#FF9E88"),
    },
}
"""Ramp stops by theme, value 0 first: ``weight`` runs 0 to 1, ``plus`` and ``minus`` run 0 to the largest size."""

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MINUS = "\N{MINUS SIGN}"


def ramp_color(stops: Sequence[str], position: float) -> str:
    """Colour at ``position`` (0 to 1) of a ramp, linear between its stops in sRGB."""
    place = min(max(position, 0.0), 1.0) * (len(stops) - 1)
    left = min(int(place), len(stops) - 2)
    part = place - left
    start, end = _channels(stops[left]), _channels(stops[left + 1])
    return "#" + "".join(f"{round(a + (b - a) * part):02X}" for a, b in zip(start, end, strict=True))


def component_tokens_css() -> str:
    """CSS custom properties for components: roles as ``--ink``, ramp stops as ``--weight-0`` … ``--weight-5``.

    A component puts ``data-look="light"`` or ``"dark"`` on its root element and everything below it reads the
    colours of that theme.
    """
    return "\n".join(_tokens_of(theme) for theme in ("light", "dark"))


def in_both_themes(role: str) -> str:
    """A role as a CSS colour that follows Streamlit's own page, for the few styles outside of components."""
    return f"light-dark({ROLES['light'][role]}, {ROLES['dark'][role]})"


def format_probability(value: float) -> str:
    """Three decimals from 0.1, four below, ``<0.0001`` for what four would round away; never per cent."""
    if 0 < value < 0.0001:
        return "<0.0001"
    return _fixed(value, 3 if value >= 0.1 else 4)


def format_share(value: float) -> str:
    """A share of counted things, as a probability; but what is not all never reads as all: ``0.9998``, ``>0.9999``."""
    text = format_probability(value)
    if value >= 1 or text != "1.000":
        return text
    finer = _fixed(value, 4)
    return ">0.9999" if finer == "1.0000" else finer


def format_part(share: float, of: int) -> str:
    """How many of some things a share of them is: ``4,999 of 5,000``."""
    return f"{format_count(round(share * of))} of {format_count(of)}"


def format_signed(value: float) -> str:
    """A signed tensor value: three decimals, or four significant digits outside 0.001–9999 (``2.4 · 10⁻⁷``)."""
    size = abs(value)
    if not math.isfinite(value) or value == 0 or 0.001 <= size <= 9999:
        return _fixed(value, 3)
    mantissa, exponent = f"{size:.3e}".split("e")
    digits = mantissa.rstrip("0").rstrip(".")
    return f"{_MINUS if value < 0 else ''}{digits} · 10{raised(int(exponent))}"


def raised(exponent: int) -> str:
    """An exponent as it stands beside its base: ``⁻⁷``."""
    return str(exponent).translate(_SUPERSCRIPTS)


def format_log_prob(value: float, *, total: bool = False) -> str:
    """A log-probability or entropy: two decimals in lists, three when it is a ``total``."""
    return _fixed(value, 3 if total else 2)


def format_count(value: int) -> str:
    """A count with thousands commas; from a million on three digits and a unit (``63.1 M``)."""
    if abs(value) < 1_000_000:
        return f"{value:,}".replace("-", _MINUS)
    # Rounded first: 999,999,999 is 1.00 G, not 1000 M.
    digits = f"{abs(value):.2e}"
    exponent = min(int(digits.split("e")[1]) // 3 * 3, 12)
    scaled = float(digits) / 10**exponent
    decimals = max(0, 2 - int(math.log10(scaled)))
    sign = _MINUS if value < 0 else ""
    return f"{sign}{scaled:,.{decimals}f} { {6: 'M', 9: 'G', 12: 'T'}[exponent] }"


def _fixed(value: float, decimals: int) -> str:
    if math.isnan(value):
        return "NaN"
    sign = _MINUS if value < 0 else ""
    return f"{sign}∞" if math.isinf(value) else f"{sign}{abs(value):.{decimals}f}"


def _tokens_of(theme: ThemeType) -> str:
    roles = [f"--{name}:{colour}" for name, colour in ROLES[theme].items()]
    ramps = [f"--{name}-{i}:{c}" for name, stops in RAMPS[theme].items() for i, c in enumerate(stops)]
    return f'[data-look="{theme}"]{{color-scheme:{theme};{";".join(roles + ramps)}}}'


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
