"""Choices as their fields declare them: one name each, defaults that a link may say, and dependencies that exist."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace

import pytest

from explorer.visitor.declared import PAGE, Choice, Group, cleared, link_names
from explorer.visitor.forms import Unusable
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.scope import default_scope
from explorer.visitor.state import Cut, ExplorerState, Look, PositionLook, default_state
from tests.explorer.visitor.test_state import RUNS
from tests.hostile import TEXTS
from tests.states import with_choices


def declarations(kind: type, path: str = "") -> Iterator[tuple[str, Choice | Group]]:
    """Every declaration of a record and of its records, by its place: ``look.block``."""
    for each in fields(kind):
        declared = each.metadata.get("declared")
        if declared is None:
            continue
        yield f"{path}{each.name}", declared
        if isinstance(declared, Group):
            yield from declarations(declared.kind, f"{path}{each.name}.")


DECLARED = dict(declarations(ExplorerState))
CHOICES = {path: declared for path, declared in DECLARED.items() if isinstance(declared, Choice)}


def test_every_field_but_the_counter_is_declared_and_no_two_choices_have_one_name_in_a_link():
    assert {each.name for each in fields(ExplorerState)} - {path.split(".")[0] for path in DECLARED} == {
        "sentence_id"
    }
    names = Counter(declared.link for declared in CHOICES.values())
    assert [name for name, count in names.items() if count > 1] == []
    assert set(names) == link_names(ExplorerState)


def test_what_a_choice_depends_on_is_a_choice_or_the_page_that_is_open():
    named = {name for declared in DECLARED.values() for name in declared.depends_on}
    assert named - {PAGE} <= set(CHOICES)
    assert {"run", "sentence", "look.block"} <= named


def test_what_depends_on_a_choice_goes_back_and_nothing_else_does():
    state = with_choices(default_state(RUNS), position=3, block="encoder", layer=1, step=2, seed=7)
    after = cleared(state, "sentence")
    assert (after.look.position, after.decoding.step) == (None, None)
    assert after == with_choices(state, position=None, step=None)
    assert cleared(state, "update.key") == state


def test_where_somebody_looks_belongs_to_the_page_and_the_step_and_the_layer_to_all_pages():
    ofs = {path for path, declared in CHOICES.items() if PAGE in declared.depends_on}
    of_one_page = {"look": Look, "positions": PositionLook}
    looks = {f"{name}.{each.name}" for name, kind in of_one_page.items() for each in fields(kind)}
    assert ofs == looks - {"look.layer"} | {
        "inspector.site",
        "decoding.moment",
        "decoding.varied",
        "training",
    }
    state = with_choices(
        default_state(RUNS), stage="keys", head=2, layer=1, step=2, site="src", cut=Cut("query")
    )
    another = with_choices(default_state(RUNS), stage="values", position=3, layer=0, step=5)
    assert cleared(state, PAGE) == with_choices(default_state(RUNS), layer=1, step=2)
    assert cleared(state, PAGE, like=another) == with_choices(another, layer=1, step=2)


@pytest.mark.parametrize("path", CHOICES)
def test_a_form_reads_what_it_writes_whatever_anybody_has_written(path):
    form, scope = CHOICES[path].form, default_scope(RUNS).at_sentence("the cat sleeps")
    for text in TEXTS.values():
        value = None
        with suppress(Unusable):
            value = form.read(text, scope)
        assert value is None or form.read(form.write(value), scope) == value


def test_a_state_without_choices_is_an_empty_link_and_a_counter_is_in_none():
    assert query_of(default_state(RUNS), RUNS) == {}
    assert query_of(replace(default_state(RUNS), sentence_id=9), RUNS) == {}
    assert state_from_query({"sentence_id": "9"}, RUNS) == (default_state(RUNS), ())
