"""A room names its cache, and the server holds what is in it."""

import ast
from collections import Counter
from pathlib import Path

import pytest
import streamlit as st

from explorer.models.shared_cache import SharedCache

ROOT = Path(__file__).parents[3]
STATEFUL = {
    "ByteBoundedCache",
    "Jobs",
    "Lock",
    "RLock",
    "Condition",
    "Queue",
    "Thread",
    "OrderedDict",
    "defaultdict",
    "deque",
}


def test_every_visitor_has_the_same_value_and_no_other_cache_has_it():
    key = object()
    one, again = SharedCache("a test's", 100, len), SharedCache("a test's", 100, len)
    other = SharedCache("another test's", 100, len)
    value = one.get(key, lambda: "made")
    assert again.get(key, lambda: "made anew") is value
    assert other.held(key) is None
    one.clear()
    assert again.held(key) is None


def test_shared_cache_survives_clearing_of_streamlits_caches():
    cache = SharedCache("a third test's", 100, len)
    cache.get("key", lambda: "made")
    st.cache_resource.clear()
    assert cache.held("key") == "made"


def calls_of_modules(root: Path):
    """The constructors that are called as a module is brought in, with their first arguments."""
    for path in [
        *(root / "explorer").rglob("*.py"),
        *(root / "core").rglob("*.py"),
        *(root / "pages").rglob("*.py"),
    ]:
        for node in ast.parse(path.read_text()).body:
            value = getattr(node, "value", None)
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(value, ast.Call):
                # A class may be given its type where it is called: Jobs[int]("a").
                made = value.func.value if isinstance(value.func, ast.Subscript) else value.func
                name = made.id if isinstance(made, ast.Name) else getattr(made, "attr", "")
                yield path, name, [each.value for each in value.args if isinstance(each, ast.Constant)]


@pytest.mark.proof
def test_no_two_caches_have_one_name():
    names = Counter(arguments[0] for _, name, arguments in calls_of_modules(ROOT) if name == "SharedCache")
    assert len(names) > 10
    assert set(names.values()) == {1}


@pytest.mark.proof
def test_no_module_holds_what_visitors_change():
    assert [(path, name) for path, name, _ in calls_of_modules(ROOT) if name in STATEFUL] == []


def test_a_planted_value_of_a_module_is_found(tmp_path):
    (tmp_path / "explorer").mkdir()
    (tmp_path / "explorer" / "planted.py").write_text(
        "_MAPS: Cache[Map] = ByteBoundedCache(2**20)\n_LOCK = threading.Lock()\n_JOBS = Jobs[int]('a')\n"
    )
    assert [name for _, name, _ in calls_of_modules(tmp_path)] == ["ByteBoundedCache", "Lock", "Jobs"]
