"""What several seeds gave, as marks: one for each, models told apart by their shape, this run's filled."""

import re

import pytest

from core.experiments import EXPERIMENTS
from core.experiments.measured import read_measured
from explorer.views.experiments.dots import SHAPES, DotFigure, DotLine, card_dots, dot_figures, dots_html

ALL = list(EXPERIMENTS.values())
MEASURED = read_measured()


def test_every_seed_has_an_open_mark_at_its_value_and_this_run_a_filled_one():
    html = dots_html([DotFigure("exact_match", "Exact <match>", (DotLine("a", "disc", (0.25, 0.5), 0.75),))])
    assert re.findall(r'class="mark (.*?)" style="(.*?)"', html) == [
        ("disc open", "left:25.00%"),
        ("disc open", "left:50.00%"),
        ("disc", "left:75.00%"),
    ]
    assert "Exact &lt;match&gt;: a 0.250 and 0.500, this run 0.750." in html


def test_a_loss_has_a_scale_of_its_own():
    figure = DotFigure("last_loss", "Loss", (DotLine("a", "disc", (1.0, 2.0), None),))
    assert figure.end > 2
    assert DotFigure("led_accuracy", "Led", figure.lines).end == 1


def test_figures_of_one_scale_share_it_and_others_have_their_own():
    line = (DotLine("a", "disc", (0.5,), None),)
    shares, loss = [DotFigure(name, name, line) for name in ("x", "y")], DotFigure("loss", "loss", line)
    assert dots_html(shares).count('class="scale"') == 1
    assert dots_html([loss, *shares]).count('class="scale"') == 2


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_models_differ_in_their_shape_and_every_share_is_drawn(experiment):
    assert len(experiment.arms) <= len(SHAPES)
    figures = dot_figures(experiment, MEASURED[experiment.key])
    assert experiment.headline in {figure.name for figure in figures}
    assert all(len({line.shape for line in figure.lines}) == len(experiment.arms) for figure in figures)
    assert {"loss", "last_loss"}.isdisjoint({each.name for each in figures} - {experiment.headline})


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_a_card_tells_nothing_of_the_answer_before_it_is_told(experiment):
    measured = MEASURED[experiment.key]
    covered = card_dots(experiment, measured, told=False)
    control, *others = covered.lines
    assert control.seeds == measured[experiment.control.key].figures["exact_match"]
    assert [line.seeds for line in others] == [None] * len(others)
    told = card_dots(experiment, measured, told=True)
    assert told.name == experiment.headline
    assert all(line.seeds for line in told.lines)
