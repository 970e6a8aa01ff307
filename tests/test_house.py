"""The house's laws, counted; each count sees a violation that is planted for it."""

import pytest

from tests.house import name_parsing


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
