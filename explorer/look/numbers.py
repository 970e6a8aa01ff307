"""How the panel writes numbers: briefly in its table, with all digits beside it, by their kind in its head."""

import math

from core.activations.location import locate
from explorer.look.theme import format_log_prob, format_probability, format_signed, raised


def brief(value: float) -> str:
    """A number of the table: three decimals, or two digits and a power of ten where they would say nothing."""
    size = abs(value)
    if math.isfinite(value) and size and not 0.0005 <= size < 10000:
        mantissa, exponent = f"{size:.1e}".split("e")
        sign = "−" if value < 0 else ""
        return f"{sign}{mantissa}·10{raised(int(exponent))}"
    if size < 1e6 and value == round(value) and size > 1:
        return f"{value:.0f}".replace("-", "−")
    return format_log_prob(value, total=True)


def exact(value: float) -> str:
    """Nine digits: they tell any two float32 apart."""
    if not math.isfinite(value):
        return format_signed(value)
    mantissa, _, exponent = f"{value:.9g}".replace("-", "−").partition("e")
    return f"{mantissa} · 10{raised(int(exponent.replace('−', '-')))}" if exponent else mantissa


def value_text(site: str, value: float) -> str:
    """The number of a site, in the form of its kind: ids whole, probabilities with four decimals, others signed."""
    where = locate(site)
    if where.kind == "ids" or where.value == "mask":
        return f"{value:.0f}"
    if where.value in ("prob", "weights"):
        return format_probability(value)
    return format_signed(value)
