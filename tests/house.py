"""Counts what the house's laws speak of. `python -m tests.house` prints the counts; tests/test_house.py holds them.

Law 3: nobody takes a name apart. What a site or a parameter is, is said by the catalogue (core/activations).
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRODUCT = ("core", "explorer", "pages", "streamlit_app.py")
CATALOGUE = "core/activations/"

_CUTS = {"startswith", "endswith", "removeprefix", "removesuffix"}
_SPLITS = {"split", "rsplit", "partition", "rpartition"}
_PATTERNS = {"compile", "match", "search", "fullmatch", "sub", "split", "findall", "finditer"}
_PARTS = (
    "encoder|decoder|src|tgt|embed|layers|self_attn|cross_attn|attn|feed_forward|add_norm|norm|add|final_norm"
    "|generator|hypothesis|update|weights?|bias|scores|masked_scores|mask|context|output|positions|log_probs"
    "|in_proj|out_proj|linear1|linear2|w_[qkv]|b_[qkv]"
)
_FRAGMENT = re.compile(rf"[._]?({_PARTS})([._]({_PARTS}))*[._]?")
_IN_A_PATTERN = re.compile(r"encoder|decoder|layers\\\.|_attn|feed_forward|final_norm|_embed|hypothesis")


def product_files(root: Path = ROOT) -> Iterator[Path]:
    """Every Python file of the product."""
    for part in PRODUCT:
        found = root / part
        yield from sorted(found.rglob("*.py")) if found.is_dir() else filter(Path.is_file, [found])


def name_parsing(root: Path = ROOT) -> list[str]:
    """Places outside the catalogue that take the name of a site or a parameter apart, as ``file:line``."""
    found = []
    for path in product_files(root):
        where = path.relative_to(root).as_posix()
        if not where.startswith(CATALOGUE):
            tree = ast.parse(path.read_text())
            found += [f"{where}:{node.lineno}" for node in ast.walk(tree) if _takes_apart(node)]
    return found


def _takes_apart(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
        # `"cross_attn" in name` reads a name; `name in ("src", "tgt_in")` compares whole ones.
        contained = isinstance(node.left, ast.Constant) and not isinstance(node.comparators[0], ast.Tuple)
        return contained and any(map(_is_fragment_with_a_joint, _texts(node.left)))
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return False
    method, texts = node.func.attr, _texts(node.args[0])
    if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
        return method in _PATTERNS and any(map(_IN_A_PATTERN.search, texts))
    if method in _SPLITS:
        return any(text == "." or _FRAGMENT.fullmatch(text) for text in texts)
    return method in _CUTS and any(map(_FRAGMENT.fullmatch, texts))


def _is_fragment_with_a_joint(text: str) -> bool:
    """Part of a name and no whole one, which a mapping may be asked for: ``cross_attn``, ``.layers.``."""
    return bool(_FRAGMENT.fullmatch(text)) and "_" in text.replace(".", "_") and "." not in text.strip(".")


def _texts(node: ast.AST) -> list[str]:
    """The strings that are written in an argument: alone, in a tuple, or between the braces of an f-string."""
    return [
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


if __name__ == "__main__":
    places = name_parsing()
    print(f"names taken apart outside the catalogue: {len(places)}", *places, sep="\n  ")
