"""Rules about the product's source that no linter has; `make check` runs `python -m tests.source_rules`."""

import ast
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRODUCT = ("core", "explorer", "pages", "streamlit_app.py")
CATALOGUE = "core/activations/"
MOST_LINES = 60
"""Longest function of the product, in lines."""
OF_THE_VISITOR, SESSION = "explorer/visitor/", "session_state"
"""The only package that reads and writes Streamlit's session; a page holds its widgets' values as `SessionValue`."""
STATE = "ExplorerState"
OF_HOSTS = "explorer/server/"
"""The dotted names that are split here are host names."""

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
_CONTINUES_NAME = re.compile(
    r"\s*((Of|Those|Its|Their|Likewise) |\w+\.\s*$|(The same|By|With|For|As) [^,]{0,25}\.\s*$)"
)


@cache
def parsed(path: Path) -> ast.Module:
    """Parse a source file once for all rules."""
    return ast.parse(path.read_text(encoding="utf-8"))


def product_files(root: Path = ROOT) -> Iterator[Path]:
    """Yield every Python file of the product."""
    for part in PRODUCT:
        found = root / part
        yield from sorted(found.rglob("*.py")) if found.is_dir() else filter(Path.is_file, [found])


def name_parsing(root: Path = ROOT) -> list[str]:
    """List places outside the catalogue that split the name of a site or parameter, as ``file:line``."""
    found = []
    for path in product_files(root):
        where = path.relative_to(root).as_posix()
        if not where.startswith((CATALOGUE, OF_HOSTS)):
            tree = parsed(path)
            found += [
                f"{where}:{node.lineno}"
                for node in ast.walk(tree)
                if isinstance(node, ast.expr) and _takes_apart(node)
            ]
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
    """Return True for a proper part of a name, such as ``cross_attn`` or ``.layers.``."""
    return bool(_FRAGMENT.fullmatch(text)) and "_" in text.replace(".", "_") and "." not in text.strip(".")


def _texts(node: ast.AST) -> list[str]:
    """List the string constants in an argument, including those in tuples and f-strings."""
    return [
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


def session_reads(root: Path = ROOT) -> list[str]:
    """List places outside `explorer.visitor` that name Streamlit's session state, as ``file:line``."""
    found = []
    for path in product_files(root):
        where = path.relative_to(root).as_posix()
        if not where.startswith(OF_THE_VISITOR):
            nodes = ast.walk(parsed(path))
            found += [f"{where}:{node.lineno}" for node in nodes if _names_the_session(node)]  # type: ignore[attr-defined]
    return found


def _names_the_session(node: ast.AST) -> bool:
    """Return True for ``st.session_state``, an import of it, and its name as a string."""
    if isinstance(node, ast.ImportFrom):
        return any(alias.name == SESSION for alias in node.names)
    named = isinstance(node, ast.Attribute) and node.attr == SESSION
    return named or (isinstance(node, ast.Constant) and node.value == SESSION)


def cycles(root: Path = ROOT) -> list[list[str]]:
    """List import cycles between modules of `core` and between packages of `explorer` and `explorer.views`.

    Imports inside functions count. Imports for type checking and those of a command (``__main__``) do not.
    """
    modules = _imports(root, "core")
    packages: dict[str, set[str]] = {}
    for module, imported in _imports(root, "explorer").items():
        packages.setdefault(package_of(module), set()).update(map(package_of, imported))
    return [sorted(group) for edges in (modules, packages) for group in _components(edges) if len(group) > 1]


def _imports(root: Path, package: str) -> dict[str, set[str]]:
    """Map each module of a package to the modules of the package that it imports."""
    paths = {
        path.relative_to(root).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
        for path in sorted((root / package).rglob("*.py"))
        if path.name != "__main__.py"
    }
    return {
        module: {
            # In `from a import b`, b is a module of the package a or a name in the module a.
            name if name in paths else name.rpartition(".")[0]
            for name in _imported_names(parsed(path))
            if name.startswith(f"{package}.")
        }
        for module, path in paths.items()
    }


def _body_of(node: ast.AST) -> list[ast.stmt]:
    body = getattr(node, "body", None)
    return body if isinstance(body, list) else []


def loose_docstrings(root: Path = ROOT) -> list[str]:
    """List docstrings that only make sense after the name, such as "Of the model.", as ``file:line``."""
    return [
        f"{path.relative_to(root).as_posix()}:{statement.lineno}"
        for path in product_files(root)
        for node in ast.walk(parsed(path))
        for statement in _body_of(node)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if _CONTINUES_NAME.match(str(statement.value.value))
    ]


def rebuilt_records(root: Path = ROOT) -> list[str]:
    """List calls that build a whole record where `dataclasses.replace` would keep its other fields.

    A record of a visitor's choices exists from the first page on, so a call with arguments forgets its other fields.
    So does a call that passes on a field of an instance of the same class: of ``self``, or of an annotated argument.
    The whole state of a visitor is built in its own package alone.
    """
    files = {path.relative_to(root).as_posix(): parsed(path) for path in product_files(root)}
    classes = [
        (where, node)
        for where, tree in files.items()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and "frozen=True" in "".join(map(ast.unparse, node.decorator_list))
    ]
    records = {node.name for _, node in classes}
    choices = {
        node.name
        for where, node in classes
        if where.startswith(OF_THE_VISITOR) and _has_only_choices_with_defaults(node)
    }
    found = []
    for where, tree in files.items():
        chosen = choices & _names_of_the_visitor(where, tree)
        for call, kinds in _calls(tree):
            called = _name_of(call.func)
            is_whole = called == STATE and not where.startswith(OF_THE_VISITOR)
            forgets = is_whole or (called in chosen and (call.args or call.keywords))
            if forgets or (called in records and _passes_on(call, called, kinds)):
                found.append(f"{where}:{call.lineno} {called}")
    return found


def _has_only_choices_with_defaults(record: ast.ClassDef) -> bool:
    values = [field.value for field in record.body if isinstance(field, ast.AnnAssign)]
    made = [_name_of(value.func) if isinstance(value, ast.Call) else "" for value in values]
    return bool(made) and set(made) <= {"choice", "group", "optional_group"}


def _names_of_the_visitor(where: str, tree: ast.Module) -> set[str]:
    """Return the names that a module takes from `explorer.visitor` or defines there; other packages have namesakes."""
    if where.startswith(OF_THE_VISITOR):
        return {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    package = OF_THE_VISITOR.strip("/").replace("/", ".")
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules = {
        alias.asname or alias.name for node in imports if node.module == package for alias in node.names
    }
    return {
        alias.name for node in imports if (node.module or "").startswith(package) for alias in node.names
    } | {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
    }


def _name_of(node: ast.AST | None) -> str:
    """Return the last part of a class's name as a call or an annotation writes it; empty for anything else."""
    if isinstance(node, ast.Constant):
        return str(node.value).rpartition(".")[2]
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, Mapping[str, str]]]:
    """Yield every call with the classes of ``self`` and of the arguments around it, by their names."""
    todo: list[tuple[ast.AST, Mapping[str, str]]] = [(tree, {})]
    while todo:
        node, kinds = todo.pop()
        if isinstance(node, ast.ClassDef):
            kinds = {**kinds, "self": node.name}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            named = {each.arg: _name_of(each.annotation) for each in arguments if each.annotation}
            kinds = {**kinds, **named}
        elif isinstance(node, ast.Call):
            yield node, kinds
        todo += [(child, kinds) for child in ast.iter_child_nodes(node)]


def _passes_on(call: ast.Call, called: str, kinds: Mapping[str, str]) -> bool:
    """Return True if an argument is an attribute of a name whose class is the one that is called."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    read = [value.value for value in given if isinstance(value, ast.Attribute)]
    return any(isinstance(owner, ast.Name) and kinds.get(owner.id) == called for owner in read)


def long_functions(most: int, root: Path = ROOT) -> list[str]:
    """List functions of the product that are longer than the given number of lines, longest first."""
    lengths = [
        (node.end_lineno - node.lineno + 1, f"{path.relative_to(root).as_posix()}:{node.lineno} {node.name}")
        for path in product_files(root)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    ]
    return [f"{length} lines, {where}" for length, where in sorted(lengths, reverse=True) if length > most]


def package_of(module: str) -> str:
    """Return the package of a module, such as ``explorer.shell``, ``explorer.views.output`` or ``core.model``."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == ["views"] else 2])


def _imported_names(tree: ast.AST) -> Iterator[str]:
    """Yield imported names with their modules, such as ``core.config.TrainConfig``."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        yield from _imported_names(node)


def _components(edges: dict[str, set[str]]) -> list[set[str]]:
    """List the strongly connected groups of an import graph."""

    def reached(start: str) -> set[str]:
        seen, todo = set[str](), [start]
        while todo:
            for node in edges.get(todo.pop(), set()) - seen:
                seen.add(node)
                todo.append(node)
        return seen

    reach = {node: reached(node) for node in edges}
    groups = {
        frozenset({node, *(other for other in reach[node] if node in reach.get(other, set()))})
        for node in edges
    }
    return [set(group) for group in groups]


RULES: dict[str, Callable[[], list[str]]] = {
    "site and parameter names are split only in the catalogue": name_parsing,
    "the session is used only in explorer.visitor": session_reads,
    "modules and packages do not import one another": lambda: [" <-> ".join(group) for group in cycles()],
    f"functions have at most {MOST_LINES} lines": lambda: long_functions(MOST_LINES),
    "docstrings make sense without the name": loose_docstrings,
    "records are changed with dataclasses.replace": rebuilt_records,
}


def main() -> int:
    """Print every violation; return 1 if there is one."""
    found = {rule: violations() for rule, violations in RULES.items()}
    for rule, places in found.items():
        if places:
            print(f"Broken rule: {rule}", *places, sep="\n  ")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
