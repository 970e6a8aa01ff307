"""Figures that several seeds gave as marks on one scale: open ones for the seeds, filled ones for this run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from core.experiments.experiment import Experiment
from core.experiments.measured import ArmMeasured
from explorer.look.theme import in_both_themes
from explorer.views.experiments.words import figure_text, is_share, listed

SHAPES = ("disc", "square", "triangle", "diamond")
"""The mark of each model, in the order of the arms; models are never told apart by colour."""
COVERED = "exact_match"
"""The figure on a card before the answer is told: another one of the control alone might tell half of it."""
_ROOM = 1.1
"""Length of a scale of losses, in largest values."""

CSS = f"""
.dots {{ display: grid; grid-template-columns: minmax(90px, 150px) minmax(0, 1fr); gap: 4px 14px; font-size: 13px;
  line-height: 1.3; color: {in_both_themes("ink")}; }}
.dots .name {{ text-align: right; align-self: center; }}
.dots .lines {{ position: relative; padding: 3px 8px; }}
.dots .lines::before {{ content: ""; position: absolute; inset: 0 8px; border: solid {in_both_themes("line")};
  border-width: 0 1px; background: linear-gradient({in_both_themes("line")} 0 0) center / 1px 100% no-repeat; }}
.dots .line {{ position: relative; height: 18px; }}
.dots .line.unknown {{ display: flex; align-items: center; justify-content: center; gap: 8px;
  color: {in_both_themes("mute")}; }}
.dots .line.unknown::before, .dots .line.unknown::after {{ content: ""; flex: 1;
  border-top: 1px dashed {in_both_themes("line2")}; }}
.dots .scale {{ display: flex; justify-content: space-between; padding: 0 4px; font-size: 12px;
  color: {in_both_themes("mute")}; }}
.mark {{ display: inline-block; position: relative; width: 11px; height: 11px; box-sizing: border-box; flex: none;
  background: {in_both_themes("ink")}; }}
.dots .line:not(.unknown) > .mark {{ position: absolute; top: 3.5px; margin-left: -5.5px; }}
.mark.open::after {{ content: ""; position: absolute; inset: 1.6px; background: {in_both_themes("bg")};
  border-radius: inherit; }}
.mark.disc {{ border-radius: 50%; }}
.mark.triangle {{ clip-path: polygon(50% 0, 100% 100%, 0 100%); }}
.mark.triangle.open::after {{ inset: 3.6px 2.6px 1.6px; clip-path: polygon(50% 0, 100% 100%, 0 100%); }}
.mark.diamond {{ transform: rotate(45deg) scale(.82); }}
"""


@dataclass(frozen=True)
class DotLine:
    """One model's values of a figure.

    Attributes:
        label: Of the model.
        shape: Of its marks.
        seeds: What the measured seeds gave; None where that is not told yet.
        own: What this run gave.
    """

    label: str
    shape: str
    seeds: tuple[float, ...] | None
    own: float | None = None


@dataclass(frozen=True)
class DotFigure:
    """A figure of all models: a share, or a loss, whose scale ends above its largest value."""

    name: str
    label: str
    lines: tuple[DotLine, ...]

    @property
    def end(self) -> float:
        """Where the scale ends; it begins with 0."""
        if is_share(self.name):
            return 1.0
        return _ROOM * max(value for line in self.lines for value in _values(line))


def dot_figures(
    experiment: Experiment,
    measured: Mapping[str, ArmMeasured],
    here: Mapping[str, Mapping[str, float]] | None = None,
) -> list[DotFigure]:
    """The figure of the verdict and every other one that is a share, of all models."""
    names = [name for name in experiment.figures if is_share(name) or name == experiment.headline]
    return [_figure(experiment, measured, name, here or {}) for name in names]


def card_dots(experiment: Experiment, measured: Mapping[str, ArmMeasured], *, told: bool) -> DotFigure:
    """The figure of the verdict; unless the answer is told, what the control gets right and nothing of the others."""
    if told:
        return _figure(experiment, measured, experiment.headline, {})
    whole = _figure(experiment, measured, COVERED, {})
    control, *others = whole.lines
    covered = tuple(DotLine(line.label, line.shape, None) for line in others)
    return DotFigure(whole.name, whole.label, (control, *covered))


def dots_html(figures: Sequence[DotFigure]) -> str:
    """The figures below one another; a scale stands under each whose next one has another."""
    rows = []
    for place, each in enumerate(figures):
        ends = [other.end for other in figures[place + 1 : place + 2]]
        rows.append(_row(each) + ("" if ends == [each.end] else f"<span></span>{_scale(each.end)}"))
    return f'<div class="dots" role="img" aria-label="{escape(_spoken(figures))}">{"".join(rows)}</div>'


def mark_html(shape: str, *, is_open: bool = False, style: str = "") -> str:
    """A model's mark."""
    return f'<span class="mark {shape}{" open" * is_open}" style="{style}"></span>'


def _figure(
    experiment: Experiment,
    measured: Mapping[str, ArmMeasured],
    name: str,
    here: Mapping[str, Mapping[str, float]],
) -> DotFigure:
    lines = tuple(
        DotLine(arm.label, shape, measured[arm.key].figures[name], here.get(arm.key, {}).get(name))
        for arm, shape in zip(experiment.arms, SHAPES, strict=False)
    )
    return DotFigure(name, experiment.figures[name], lines)


def _values(line: DotLine) -> tuple[float, ...]:
    return (*(line.seeds or ()), *(() if line.own is None else (line.own,)))


def _row(figure: DotFigure) -> str:
    lines = "".join(_line(line, figure.end) for line in figure.lines)
    return f'<span class="name">{escape(figure.label)}</span><div class="lines">{lines}</div>'


def _line(line: DotLine, end: float) -> str:
    if line.seeds is None:
        return f'<div class="line unknown">{mark_html(line.shape, is_open=True)} ?</div>'
    marks = [mark_html(line.shape, is_open=True, style=_place(value, end)) for value in line.seeds]
    if line.own is not None:
        marks.append(mark_html(line.shape, style=_place(line.own, end)))
    return f'<div class="line">{"".join(marks)}</div>'


def _place(value: float, end: float) -> str:
    return f"left:{100 * value / end:.2f}%"


def _scale(end: float) -> str:
    ends = (0.0, end / 2, end)
    texts = ("0", "0.5", "1") if end == 1 else tuple(f"{value:.1f}" for value in ends)
    return f'<span class="scale">{"".join(f"<span>{text}</span>" for text in texts)}</span>'


def _spoken(figures: Sequence[DotFigure]) -> str:
    return " ".join(
        f"{figure.label}: {'; '.join(_spoken_line(figure.name, each) for each in figure.lines)}."
        for figure in figures
    )


def _spoken_line(name: str, line: DotLine) -> str:
    if line.seeds is None:
        return f"{line.label} not told yet"
    own = "" if line.own is None else f", this run {figure_text(name, line.own)}"
    return f"{line.label} {listed([figure_text(name, value) for value in line.seeds])}{own}"
