"""Every sentence of the product that a person may come to see, in reading order.

Read are the docs, the lessons, the glossary, and every text in the code: of a page, in the browser, on paper, in a
refusal, as help of a command. Code between backticks is left out: it follows torch's names.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.source_rules import ROOT, product_files

DOCS = ("README.md", "docs", "checkpoints/README.md", "benchmarks/README.md", "SECURITY.md")
READ_FIRST = ("explorer/lessons/content", "explorer/glossary")
"""What is read from its beginning to its end, before the pages."""
FINDINGS = ("core/interventions/findings.json", "core/experiments/measured.json")
GAP = "…"
"""Stands for what is filled in when a text is shown."""

_LETTERS = re.compile(r"[^\W\d_]{2,}")
_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_TAG = re.compile(r"<[^<>\n]{1,200}>")
_STYLE = re.compile(r"[.#\w\])-]\s*{[^{}]*:[^{}]*;?[^{}]*}|^\s*[a-z-]+:[^.!?;]*;\s*($|[a-z-]+:)", re.DOTALL)
_OF_MACHINES = re.compile(
    r"^(import |from \w+ import |SELECT |INSERT |DELETE |CREATE |PRAGMA |AND )"
    r"|^[.#\[:@(<][a-z-]+[\s\[.:{>(=]"
    r"|\w\.\w+\[|^\w+ = \w+[.(\[]|print\("
    r"|^(top|bottom|middle) (left|center|right)$|^head d_head$|\[role=|translate(3d|[XYZ])?\(|'self'|clamp\(|^var\(--"
)


@dataclass(frozen=True)
class Sentence:
    """A text that a person may come to see.

    Attributes:
        file: It stands in, from the root.
        line: Where it begins.
        text: With `GAP` for what is filled in.
    """

    file: str
    line: int
    text: str


def sentences(root: Path = ROOT) -> Iterator[Sentence]:
    """Every visible sentence, in reading order."""
    for path in _in_reading_order(root):
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        for line, words in _READERS[path.suffix](text):
            shown = " ".join(words.split())
            if _is_shown(shown):
                yield Sentence(name, line, shown)


def docstrings(root: Path = ROOT) -> Iterator[Sentence]:
    """The docstrings of the product, which whoever uses it from Python reads."""
    for path in product_files(root):
        name = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                yield Sentence(name, node.lineno, " ".join(str(node.value.value).split()))


def hints(root: Path = ROOT) -> Iterator[Sentence]:
    """What the stops of the shipped lessons say to look at."""
    for path in sorted((root / READ_FIRST[0]).glob("*.toml")):
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        for stop in tomllib.loads(text).get("stops", []):
            if "look" in stop:
                yield Sentence(name, _line_of(text, stop["look"]), stop["look"])


def without_code(text: str) -> str:
    """A text without what stands between backticks."""
    return _CODE.sub(" ", text)


def _in_reading_order(root: Path) -> Iterator[Path]:
    """The docs, lessons and glossary, each page followed by the room of its view, and all other code."""
    seen: dict[Path, None] = {}
    for part in (
        *DOCS,
        *READ_FIRST,
        *_pages(root),
        "explorer",
        "pages",
        "streamlit_app.py",
        "core",
        *FINDINGS,
    ):
        found = root / part
        for path in sorted(found.rglob("*")) if found.is_dir() else [found]:
            if path.is_file() and path.suffix in _READERS and _is_written(path, part):
                seen.setdefault(path)
    yield from seen


def _is_written(path: Path, part: str) -> bool:
    """Whether somebody writes a file: a script that is made of TypeScript is not, nor are a workshop's settings."""
    match path.suffix:
        case ".json":
            return part in FINDINGS
        case ".js":
            return not path.with_suffix(".ts").exists() and not path.with_name("tsconfig.json").exists()
    return True


def _pages(root: Path) -> Iterator[str]:
    """Each page's script and the room of its view, in the order of the menus."""
    listed = root / "explorer/app.py"
    rooms = (
        re.findall(r"^        (\w+)\.[A-Z_]+,$", listed.read_text(), re.MULTILINE) if listed.exists() else []
    )
    for room in dict.fromkeys(rooms):
        init = (root / "explorer/views" / room / "__init__.py").read_text()
        yield from re.findall(r'"(pages/\w+/\w+\.py)"', init)
        yield f"explorer/views/{room}"


def of_python(text: str) -> Iterator[tuple[int, str]]:
    """The texts of a Python file, without docstrings; texts that are filled in have `GAP` for what fills them."""
    tree = ast.parse(text)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in ast.walk(node) if isinstance(part, ast.Constant)}
    found = []
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (str(part.value) if isinstance(part, ast.Constant) else GAP for part in node.values)
            found.append((node.lineno, "".join(parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append((node.lineno, node.value))
    yield from sorted(found, key=lambda each: each[0])


_TYPESCRIPT = re.compile(
    r"""//[^\n]*|/\*.*?\*/"""
    r"""|(?P<pattern>(?<=[(,=:\[!&|?{};\n])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)"""
    r"""|"(?P<double>(?:\\.|[^"\\\n])*)"|'(?P<single>(?:\\.|[^'\\\n])*)'|(?P<template>`)""",
    re.DOTALL,
)


def of_typescript(text: str) -> Iterator[tuple[int, str]]:
    """The texts of a script, without its comments."""
    at = 0
    while found := _TYPESCRIPT.search(text, at):
        line, at = text.count("\n", 0, found.start()) + 1, found.end()
        if found["template"]:
            whole, inner, at = _template(text, at)
            yield line, whole
            for each in inner:
                yield from ((line + more - 1, words) for more, words in of_typescript(each))
        elif (quoted := found["double"] or found["single"]) is not None:
            yield line, quoted


def _template(text: str, at: int) -> tuple[str, list[str], int]:
    """A template from behind its first backtick: its words, the code that fills it, and where it ends."""
    words, inner = [], []
    while at < len(text) and text[at] != "`":
        if text.startswith("${", at):
            depth, begin = 1, at + 2
            at = begin
            while depth:
                if text[at] == "`":
                    _, _, at = _template(text, at + 1)
                    continue
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
            inner.append(text[begin : at - 1])
            words.append(GAP)
        else:
            step = 2 if text[at] == "\\" else 1
            words.append(text[at : at + step])
            at += step
    return "".join(words), inner, at + 1


def of_toml(text: str) -> Iterator[tuple[int, str]]:
    """The texts of a lesson or the glossary, where they stand."""
    for words in _strings(tomllib.loads(text)):
        yield _line_of(text, words), words


def of_json(text: str) -> Iterator[tuple[int, str]]:
    """The texts of findings."""
    for words in _strings(json.loads(text)):
        yield _line_of(text, words), words


def _line_of(text: str, words: str) -> int:
    first = words.split("\n")[0][:40]
    return text.count("\n", 0, max(0, text.find(first))) + 1


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def of_markdown(text: str) -> Iterator[tuple[int, str]]:
    """The paragraphs, items and cells of a page of the docs, without its code."""
    bare = re.sub(r"```.*?```", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    begun, words = 0, list[str]()
    for number, line in enumerate([*bare.split("\n"), ""], start=1):
        begins = not line.strip() or re.match(r"\s*([-*|#>]|\d+\.)\s", line)
        if begins and words:
            yield begun, " ".join(words)
            words = []
        if line.strip() and (words or not line.startswith("    ")):
            begun = begun if words else number
            words.append(line.strip())


_READERS = {
    ".md": of_markdown,
    ".toml": of_toml,
    ".json": of_json,
    ".py": of_python,
    ".ts": of_typescript,
    ".js": of_typescript,
}


def _is_shown(text: str) -> bool:
    """Whether a text is for people: words with blanks between them, or one that begins as a label does."""
    if _STYLE.search(text) or _OF_MACHINES.search(text):
        return False
    bare = _TAG.sub(" ", without_code(text))
    if len(_LETTERS.findall(bare)) >= 2 and " " in text.strip():
        return True
    return bool(re.fullmatch(r"[A-Z][a-z]+(-[a-z]+)?[.!?]?", text))
