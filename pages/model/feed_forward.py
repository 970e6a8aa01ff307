"""Feed-forward: two matrices with a non-linearity between, the same at every position."""

import streamlit as st

from explorer.app import REGISTRY
from explorer.look.card import card, under_the_view
from explorer.look.chart import page_theme, plotly_chart
from explorer.look.number_table import number_table
from explorer.models.known import known_runs
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop
from explorer.shell.term_text import term_text
from explorer.views.feed_forward import VIEW
from explorer.visitor.sublayers import SIDES, chosen_stack

MOST_PLACES = 8

runs = known_runs()
state = page_head(VIEW, runs)
recorded, state = draw_stop(VIEW, state, runs, REGISTRY)

from core.analysis.neurons import strongest_firings
from explorer.views.feed_forward import data as feed_forward
from explorer.views.feed_forward import tables as feed_forward_tables
from explorer.views.feed_forward.cached import example_units
from explorer.views.feed_forward.figure import firing_bars

stack, config = chosen_stack(state), recorded.run.config
with st.container(border=True, key="unit_story"), under_the_view():
    story = feed_forward.unit_story(recorded, state)
    unit, examples = story.neuron.unit, example_units(recorded.run, story.path)
    found = strongest_firings(examples.hidden, unit, MOST_PLACES)
    st.subheader(f"Where unit {unit} fires most", anchor=False)
    if found:
        plotly_chart(
            firing_bars(
                [(examples.texts[each.text], each.position, each.value) for each in found],
                SIDES[stack],
                theme=page_theme(),
                revision=f"{story.path}/{unit}",
            ),
            key="firing_chart",
            alt=f"The {len(found)} tokens of the examples at which unit {unit} of {story.path} fires most",
        )
    term_text(feed_forward_tables.places_sentence(len(found), len(examples.texts)))
    term_text(feed_forward_tables.story_sentence(recorded, story))

with card("The strongest units of the lit row", key="strongest"):
    term_text(feed_forward_tables.neuron_sentence(stack, feed_forward.between(recorded, state)))
    number_table(
        feed_forward_tables.neuron_columns(recorded, feed_forward.neurons(recorded, state), stack),
        texts=("raises", "lowers"),
        key="neuron_table",
        alt="The strongest hidden units of the lit row, and what each of them writes",
    )

with card("Silent units", key="silent"):
    # Its values are numbers of hidden units, not those of attention.
    term_text(
        feed_forward_tables.zeros_sentence(feed_forward.zeros(recorded, state), config.activation),
        but=("value",),
    )
    number_table(
        feed_forward_tables.token_columns(feed_forward.units_by_token(recorded, state), config.d_ff),
        texts=("token", "strongest units"),
        key="token_table",
        alt="How many hidden units of every token are exactly 0, and which are the strongest",
    )
