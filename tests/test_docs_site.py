"""The docs site: every page is in the navigation, every link leads somewhere, every public name has an entry."""

import ast
import importlib.util
import posixpath
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
CODE = re.compile(r"^(```+|~~~+).*?^\1|(`+)[^`].*?\2", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)|<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} +(.+?) *(?:\{ *#([\w-]+) *\})?$", re.MULTILINE)
ENTRY = re.compile(r"^::: (\S+)$", re.MULTILINE)

spec = importlib.util.spec_from_file_location("docs_hooks", DOCS / "hooks.py")
assert spec
assert spec.loader
hooks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hooks)

PAGES = sorted(path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md"))
LINKED = sorted(
    {*PAGES, *(path.name for path in ROOT.glob("*.md")), "benchmarks/README.md", "checkpoints/README.md"}
)
NOT_IN_NAV = {"code-of-conduct.md"}


def nav() -> list[str]:
    """The pages of the navigation, as paths in docs/."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    section = re.search(r"^nav:\n((?: .*\n|\n)+)", text, re.MULTILINE)
    assert section
    return re.findall(r"(?:- |: )(\S+\.md)$", section[1], re.MULTILINE)


def prose(text: str) -> str:
    """A page without its code."""
    return CODE.sub("", text)


def anchors(page: str) -> set[str]:
    """The fragments that a page can be opened at."""
    text = (ROOT / page).read_text(encoding="utf-8")
    bare = re.sub(r"^(```+|~~~+).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
    found = set(ENTRY.findall(bare))
    for heading, own in HEADING.findall(bare):
        words = re.sub(r"[^\w\s-]", "", heading.lower()).strip()
        found.add(own or re.sub(r"\s", "-", words))
    return found | set(re.findall(r'\bid="([^"]+)"', bare))


def relative_links(page: str) -> list[tuple[str, str]]:
    """Path from the root and fragment of each link of a page that stays in the repository."""
    found = []
    for target in map("".join, LINK.findall(prose((ROOT / page).read_text(encoding="utf-8")))):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        path, _, fragment = target.partition("#")
        found.append(
            (posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page, fragment)
        )
    return found


def test_every_page_is_in_the_navigation_once():
    written = {page.removeprefix("docs/") for page in PAGES}
    assert sorted(nav()) == sorted((written | set(hooks.ROOT_PAGES.values())) - NOT_IN_NAV)


def test_every_page_of_the_navigation_exists():
    sources = {page: source for source, page in hooks.ROOT_PAGES.items()}
    for page in nav():
        assert (ROOT / sources.get(page, f"docs/{page}")).is_file(), page


@pytest.mark.parametrize("page", LINKED)
def test_every_relative_link_leads_somewhere(page):
    for path, fragment in relative_links(page):
        assert (ROOT / path).exists(), f"{page} links to {path}, which does not exist"
        if fragment and path.endswith(".md"):
            assert fragment in anchors(path), f"{page} links to {path}#{fragment}, which has no such heading"


def test_every_public_name_has_one_entry_in_the_api():
    tree = ast.parse((ROOT / "core" / "__init__.py").read_text(encoding="utf-8"))
    public = [
        f"core.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("core.")
        for alias in node.names
    ]
    entries = [name for page in (DOCS / "api").glob("*.md") for name in ENTRY.findall(page.read_text())]
    assert len(entries) == len(set(entries))
    assert set(public) <= set(entries)


@pytest.mark.parametrize(
    ("page", "written", "shown"),
    [
        ("class.md", "[s](../SECURITY.md#how)", "[s](security.md#how)"),
        ("api/runs.md", "[a](../python.md) [c](../../core/run.py)", "[a](../python.md) c"),
        ("contributing.md", "[a](docs/architecture.md#floors)", "[a](architecture.md#floors)"),
        ("contributing.md", "[![i](docs/run.webp)](README.md)", "[![i](run.webp)](index.md)"),
        ("benchmarks.md", "[c](../checkpoints/README.md)", "[c](checkpoints.md)"),
        ("class.md", "[x](../missing.md)", "[x](../missing.md)"),
        ("class.md", "[t](https://toml.io) [h](#here)", "[t](https://toml.io) [h](#here)"),
        ("class.md", "`[s](../SECURITY.md)`", "`[s](../SECURITY.md)`"),
        ("class.md", "```\n[s](../SECURITY.md)\n```", "```\n[s](../SECURITY.md)\n```"),
    ],
)
def test_links_of_the_repository_are_resolved_on_the_site(page, written, shown):
    assert hooks.rewrite_links(written, page) == shown


def nginx_sample() -> str:
    """The configuration in docs/proxy.md, without comments."""
    (sample,) = re.findall(r"```nginx\n(.*?)```", (DOCS / "proxy.md").read_text(encoding="utf-8"), re.DOTALL)
    return re.sub(r"#.*", "", sample)


def test_nginx_sample_bounds_slow_and_greedy_clients():
    sample = nginx_sample()
    for name in ("client_header_timeout", "client_body_timeout", "send_timeout", "limit_conn", "limit_req"):
        assert re.search(rf"^ *{name} +[^;]+;", sample, re.MULTILINE), name


def test_nginx_sample_hides_session_ids_and_metrics():
    locations = dict(re.findall(r"location ([^{]+?) {(.*?)}", nginx_sample(), re.DOTALL))
    assert "access_log off;" in locations["/_stcore/upload_file/"]
    assert "return 404;" in locations["= /_stcore/metrics"]


@pytest.mark.parametrize("page", ["command-line.md", "gpu.md"])
def test_docs_call_updates_equal_up_to_rounding(page):
    text = " ".join((DOCS / page).read_text(encoding="utf-8").split())
    (sentence,) = re.findall(r"[^.]*make the same updates[^.]*\.", text)
    assert "up to rounding" in sentence
