"""What must hold in a copy of the product to which the view `lengths` was added; tests/recipes/test_recipes.py asks."""

import pytest

from explorer.app import REGISTRY
from explorer.glossary.terms import glossary
from explorer.lessons.reading import read_lesson
from tests.pages.opening import menu_links, open_page, title_of
from tests.test_registry import LESSON, LessonError

VIEW = REGISTRY["lengths"]


def test_added_view_has_page_link_and_worksheet():
    app = open_page(VIEW.page)
    assert not app.exception
    assert title_of(app) == "Vector lengths"
    shown = app.dataframe[0].value
    assert shown["token"].iloc[-1] == "</s>"
    assert (shown["length"].astype(float) > 0).all()
    assert menu_links(app)["Vector lengths"][0] == "lengths"
    assert any("orksheet" in button.label for button in app.get("download_button"))


def test_lessons_may_go_there_and_light_its_parts():
    # The lesson has too few stops; its page and part are known, or the sentence would be about them.
    with pytest.raises(LessonError, match="stops"):
        read_lesson("11-x.toml", LESSON.format(page="lengths", part="table").encode(), REGISTRY)


def test_no_other_view_was_lost():
    assert {term.page for term in glossary().values()} <= {view.address for view in REGISTRY.values()}
