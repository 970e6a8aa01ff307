"""The registry of views is the only list of them: whatever lists views in the app derives from it."""

import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

from core.activations.location import locate
from core.config import TransformerConfig
from explorer import views
from explorer.app import REGISTRY
from explorer.glossary.terms import glossary
from explorer.lessons.lesson import LessonError
from explorer.lessons.reading import read_lesson
from explorer.view import LEARN, Registry, Subject, View
from tests.core.conftest import TINY
from tests.explorer.random_recording import random_recording
from tests.optional import unwrap

ROOT = Path(__file__).parent.parent
PLANTED = View(
    key="planted",
    title="Planted",
    place="Planted place",
    line="in a place of its own",
    page="pages/planted/planted.py",
    parts={"corner": "planted_corner"},
    subject=Subject(("attention",), only=("mask",)),
)
WITH_ONE_MORE = Registry((PLANTED, *REGISTRY.values()))
LESSON = """
title = "A lesson"
summary = "Of a planted view."
covers = ["nothing"]
[[stops]]
title = "One"
page = "{page}"
target = {{ part = "{part}" }}
text = "Look."
"""


def test_every_room_exports_its_views_and_all_of_them_are_registered():
    exported = [
        value
        for room in pkgutil.iter_modules(views.__path__, f"{views.__name__}.")
        for value in vars(import_module(room.name)).values()
        if isinstance(value, View)
    ]
    assert {view.key for view in exported} == set(REGISTRY)
    assert len(exported) == len(REGISTRY)


def test_every_view_has_its_script():
    for view in REGISTRY.values():
        assert (ROOT / view.page).is_file(), view.page


def test_one_more_view_stands_in_its_place_and_at_its_address():
    assert WITH_ONE_MORE.places()["Planted place"] == [PLANTED]
    assert WITH_ONE_MORE.at("planted") is PLANTED


def test_one_more_view_shows_what_it_owns():
    mask = locate("decoder.layers.0.self_attn.mask")
    assert WITH_ONE_MORE.showing(mask) is PLANTED
    assert unwrap(REGISTRY.showing(mask)).key == "masked-self-attention"


def test_two_views_explain_numbers_of_their_own():
    own = {view.key for view in REGISTRY.values() if view.contents.explanation is not None}
    assert own == {"attention-by-hand", "one-update"}


@pytest.mark.parametrize(("page", "part"), [("planted", "corner"), ("masks", "findings")])
def test_lessons_go_to_every_view_and_light_its_parts(page, part):
    text = LESSON.format(page=page, part=part).encode()
    with pytest.raises(LessonError, match="stops"):  # It has too few; its page and part are known.
        read_lesson("11-planted.toml", text, WITH_ONE_MORE)
    for wrong in ({"page": "none", "part": part}, {"page": page, "part": "none"}):
        with pytest.raises(LessonError, match="none"):
            read_lesson("11-planted.toml", LESSON.format(**wrong).encode(), WITH_ONE_MORE)


def test_terms_of_the_glossary_lead_to_views():
    assert {term.page for term in glossary().values()} <= {view.address for view in REGISTRY.values()}


def test_two_views_of_one_key_are_refused():
    with pytest.raises(ValueError, match="same key"):
        Registry((PLANTED, PLANTED))


@pytest.mark.parametrize("key", REGISTRY)
def test_a_views_contents_fit_its_description(key):
    view = REGISTRY[key]
    contents = view.contents
    if contents.words is not None:
        assert contents.words.IDEA.endswith((".", "?"))
        config: TransformerConfig = TINY
        assert all(map(callable, contents.words.functions(config)))
    if view.is_block:
        assert contents.words is not None
        assert contents.stages is not None
        assert contents.sheet is not None
    assert view.place != LEARN or not view.explains or view.contents.explanation is not None


def test_every_value_of_every_kind_of_model_is_shown_in_some_view():
    plain = random_recording()
    changed = random_recording(norm_position="pre", positional="learned", tie_embeddings=False)
    for recorded in (plain, changed):
        for site in recorded.run.model.sites():
            assert REGISTRY.showing(site.location) is not None, site.name
