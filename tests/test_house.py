"""The house's laws, counted; each count sees a violation that is planted for it."""

import pytest

from tests.house import (
    ADD_NORM,
    MOST_LINES,
    ROOT,
    cycles,
    long_functions,
    loose_docstrings,
    name_parsing,
    scatter,
    session_reads,
)


def test_nobody_outside_the_catalogue_takes_a_name_apart():
    assert name_parsing() == []


@pytest.mark.parametrize(
    "line",
    [
        'name.startswith("encoder")',
        'name.endswith(("_attn", "_norm"))',
        'name.rpartition(".")',
        'name.split(".layers.")',
        'name.startswith(f"{stack}.layers.")',
        'name.removesuffix(".context")',
        '"cross_attn" in name',
        're.compile(r"(encoder|decoder)\\.layers\\.(\\d+)")',
    ],
)
def test_a_planted_parsing_of_names_is_counted(tmp_path, line):
    (tmp_path / "explorer").mkdir()
    (tmp_path / "streamlit_app.py").touch()
    (tmp_path / "explorer" / "innocent.py").write_text(
        'ok = text.startswith("#") and site in ("src", "tgt_in")\n'
    )
    assert name_parsing(tmp_path) == []
    (tmp_path / "explorer" / "planted.py").write_text(f"def stack(name):\n    return {line}\n")
    assert name_parsing(tmp_path) == ["explorer/planted.py:2"]


def test_the_visitors_room_alone_reads_and_writes_the_session():
    assert session_reads() == []


@pytest.mark.parametrize(
    "line",
    [
        'x = st.session_state["depth"]',
        'st.session_state.depth = "code"',
        "from streamlit import session_state",
        'x = getattr(st, "session_state")',
    ],
)
def test_a_planted_use_of_the_session_is_counted(tmp_path, line):
    for room in ("visitor", "shell"):
        (tmp_path / "explorer" / room).mkdir(parents=True)
    (tmp_path / "streamlit_app.py").touch()
    (tmp_path / "explorer/visitor/values.py").write_text(f"import streamlit as st\n{line}\n")
    (tmp_path / "explorer/shell/innocent.py").write_text("import streamlit as st\nst.button('x', key='x')\n")
    assert session_reads(tmp_path) == []
    (tmp_path / "explorer/shell/planted.py").write_text(f"import streamlit as st\n{line}\n")
    assert session_reads(tmp_path) == ["explorer/shell/planted.py:2"]


def test_no_two_modules_of_core_and_no_two_rooms_import_one_another():
    assert cycles() == []


def test_a_planted_cycle_is_counted_though_an_import_is_inside_a_function(tmp_path):
    for room in ("views/one", "views/two"):
        (tmp_path / "explorer" / room).mkdir(parents=True)
    (tmp_path / "explorer/views/one/data.py").write_text("from explorer.views.two.data import x\n")
    (tmp_path / "explorer/views/two/data.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from explorer.views.one.data import T\nx = 1\n"
    )
    assert cycles(tmp_path) == []
    (tmp_path / "explorer/views/two/words.py").write_text(
        "def f():\n    from explorer.views.one import data\n"
    )
    assert cycles(tmp_path) == [["explorer.views.one", "explorer.views.two"]]


def test_a_planted_cycle_of_modules_of_core_is_counted(tmp_path):
    (tmp_path / "core" / "model").mkdir(parents=True)
    (tmp_path / "core/model/__init__.py").write_text("from core.model import whole\n")
    (tmp_path / "core/model/part.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from core.model.whole import Whole\nx = 1\n"
    )
    (tmp_path / "core/model/whole.py").write_text("from core.model.part import x\n")
    assert cycles(tmp_path) == []
    (tmp_path / "core/model/part.py").write_text("def f():\n    from core.model import whole\n")
    assert cycles(tmp_path) == [["core.model.part", "core.model.whole"]]


def test_few_files_lie_loose_in_the_root():
    assert len(list((ROOT / "explorer").glob("[a-z]*.py"))) <= 3


def test_a_subject_stands_in_few_files_outside_of_its_room():
    # Its page, the list of all views, an experiment, a lesson, the glossary, the names of numbers.
    assert len(scatter(ADD_NORM, "explorer/views/add_norm")) <= 6


@pytest.mark.parametrize("spelling", ["add-norm", "add_norm", "Add & norm", "addNorm", "AddNorm", "add norm"])
def test_a_planted_mention_is_counted_in_any_spelling(tmp_path, spelling):
    (tmp_path / "explorer" / "look").mkdir(parents=True)
    (tmp_path / "pages").mkdir()
    (tmp_path / "explorer" / "look" / "innocent.py").write_text("store.add_norms(norms)\n")
    (tmp_path / "explorer" / "look" / "planted.py").write_text(f"KEY = {spelling!r}\n")
    assert scatter(ADD_NORM, "explorer/views/add_norm", tmp_path) == ["explorer/look/planted.py"]


def test_no_function_is_too_long_to_be_read_at_once():
    assert long_functions(MOST_LINES) == []


def test_a_planted_function_of_too_many_lines_is_counted(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "streamlit_app.py").write_text("def whole():\n" + "    f()\n" * 59)
    (tmp_path / "pages" / "planted.py").write_text(
        "class Page:\n    def long(self):\n" + "        f()\n" * 60
    )
    assert long_functions(60, tmp_path) == ["61 lines, pages/planted.py:2 long"]


def test_a_docstring_stands_by_itself():
    assert loose_docstrings() == []


@pytest.mark.parametrize("text", ["Of the vocabulary.", "Those of a scene.", "Seconds.", "The same without."])
def test_a_planted_docstring_that_goes_on_from_a_name_is_counted(tmp_path, text):
    (tmp_path / "streamlit_app.py").touch()
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "innocent.py").write_text(
        'X = 1\n"""Most tokens of the vocabulary that are shown."""\n'
    )
    assert loose_docstrings(tmp_path) == []
    (tmp_path / "core" / "planted.py").write_text(f'X = 1\n"""{text}"""\n')
    assert loose_docstrings(tmp_path) == ["core/planted.py:2"]
