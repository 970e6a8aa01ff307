"""Counts what the house's laws speak of. `python -m tests.house` prints the counts; tests/test_house.py holds them.

Law 1: a thing has one room; the rooms do not import one another. Law 3: nobody takes a name apart. What a site or a
parameter is, is said by the catalogue (core/activations).
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRODUCT = ("core", "explorer", "pages", "streamlit_app.py")
CATALOGUE = "core/activations/"
ADD_NORM = r"(?i)add\W{0,3}_?norm(?!s)"
"""The block in any spelling: add-norm, add_norm, Add & norm."""
MOST_LINES = 60
"""Of a function: what can be read at once."""
OF_THE_VISITOR, SESSION = "explorer/visitor/", "session_state"
"""The one room that reads and writes it; a page has its widgets' values as a `SessionValue`."""
OF_HOSTS = "explorer/server/"
"""Names with dots that are taken apart here are those of hosts."""

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


_GOES_ON = re.compile(
    r"\s*((Of|Those|Its|Their|Likewise) |\w+\.\s*$|(The same|By|With|For|As) [^,]{0,25}\.\s*$)"
)


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
        if not where.startswith((CATALOGUE, OF_HOSTS)):
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


def session_reads(root: Path = ROOT) -> list[str]:
    """Places outside the visitor's room that name Streamlit's session state, as ``file:line``."""
    found = []
    for path in product_files(root):
        where = path.relative_to(root).as_posix()
        if not where.startswith(OF_THE_VISITOR):
            nodes = ast.walk(ast.parse(path.read_text()))
            found += [f"{where}:{node.lineno}" for node in nodes if _names_the_session(node)]  # type: ignore[attr-defined]
    return found


def _names_the_session(node: ast.AST) -> bool:
    """``st.session_state``, the import of it, and its name in a string, as ``getattr`` takes it."""
    if isinstance(node, ast.ImportFrom):
        return any(alias.name == SESSION for alias in node.names)
    named = isinstance(node, ast.Attribute) and node.attr == SESSION
    return named or (isinstance(node, ast.Constant) and node.value == SESSION)


def cycles(root: Path = ROOT) -> list[list[str]]:
    """Groups of modules of `core`, and of rooms of `explorer`, that import one another, inside functions as well.

    A room is a package of `explorer`, or one of `explorer.views`. Imports for types alone do not count, nor those of
    a command (``__main__``), which is a root of its own.
    """
    modules = _imports(root, "core")
    rooms: dict[str, set[str]] = {}
    for module, imported in _imports(root, "explorer").items():
        rooms.setdefault(room_of(module), set()).update(map(room_of, imported))
    return [sorted(group) for edges in (modules, rooms) for group in _components(edges) if len(group) > 1]


def _imports(root: Path, package: str) -> dict[str, set[str]]:
    """What each module of a package imports of it."""
    paths = {
        path.relative_to(root).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
        for path in sorted((root / package).rglob("*.py"))
        if path.name != "__main__.py"
    }
    return {
        module: {
            # `from a import b` names a module b of the package a, or something that the module a has.
            name if name in paths else name.rpartition(".")[0]
            for name in _imported_names(ast.parse(path.read_text()))
            if name.startswith(f"{package}.")
        }
        for module, path in paths.items()
    }


def scatter(pattern: str, room: str, root: Path = ROOT) -> list[str]:
    """Files of `explorer` and `pages` outside a room in which a subject stands, in any spelling of the pattern."""
    found = []
    for path in sorted(path for folder in ("explorer", "pages") for path in (root / folder).rglob("*")):
        where = path.relative_to(root).as_posix()
        if path.suffix in (".py", ".ts", ".js", ".css", ".toml") and not where.startswith(room):
            found += [where] if re.search(pattern, path.read_text(encoding="utf-8")) else []
    return found


def loose_docstrings(root: Path = ROOT) -> list[str]:
    """Docstrings that cannot be read by themselves, as ``file:line``: they go on from a name, as "Of the model."."""
    return [
        f"{path.relative_to(root).as_posix()}:{statement.lineno}"
        for path in product_files(root)
        for node in ast.walk(ast.parse(path.read_text()))
        for statement in (node.body if isinstance(getattr(node, "body", None), list) else ())
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if _GOES_ON.match(str(statement.value.value))
    ]


def long_functions(most: int, root: Path = ROOT) -> list[str]:
    """Functions of the product with more lines than that, the longest first: how many, and where each stands."""
    lengths = [
        (node.end_lineno - node.lineno + 1, f"{path.relative_to(root).as_posix()}:{node.lineno} {node.name}")
        for path in product_files(root)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    ]
    return [f"{length} lines, {where}" for length, where in sorted(lengths, reverse=True) if length > most]


def room_of(module: str) -> str:
    """The folder that a module belongs to: ``explorer.shell``, ``explorer.views.output``, ``core.model``."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == ["views"] else 2])


def _imported_names(tree: ast.AST) -> Iterator[str]:
    """What is imported, each with the module that it comes from: ``core.config.TrainConfig``."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        yield from _imported_names(node)


def _components(edges: dict[str, set[str]]) -> list[set[str]]:
    """Modules or rooms that reach one another, each group once."""

    def reached(start: str) -> set[str]:
        seen, todo = set(), [start]
        while todo:
            for room in edges.get(todo.pop(), set()) - seen:
                seen.add(room)
                todo.append(room)
        return seen

    reach = {room: reached(room) for room in edges}
    groups = {
        frozenset({room, *(other for other in reach[room] if room in reach.get(other, set()))})
        for room in edges
    }
    return [set(group) for group in groups]


if __name__ == "__main__":
    places, knots, spread = name_parsing(), cycles(), scatter(ADD_NORM, "explorer/views/add_norm")
    print(f"names taken apart outside the catalogue: {len(places)}", *places, sep="\n  ")
    readers = session_reads()
    print(
        f"places outside the visitor's room that name the session state: {len(readers)}", *readers, sep="\n  "
    )
    print(f"files in the root of explorer: {len(list((ROOT / 'explorer').glob('[a-z]*.py')))}")
    print(
        f"groups of modules of core or of rooms of explorer that import one another: {len(knots)}",
        *map(", ".join, knots),
        sep="\n  ",
    )
    print(f"files outside its room in which add & norm stands: {len(spread)}", *spread, sep="\n  ")
    loose = loose_docstrings()
    print(f"docstrings that do not stand by themselves: {len(loose)}", *loose, sep="\n  ")
    long = long_functions(MOST_LINES)
    print(f"functions of more than {MOST_LINES} lines: {len(long)}", *long, sep="\n  ")
