"""MkDocs hooks: show files from outside docs/ as pages, and resolve links as they work in the repository."""

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ROOT_PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
    "checkpoints/README.md": "checkpoints.md",
}
"""Pages of the site that are written elsewhere in the repository: path of the file -> path of the page in docs/."""

_SOURCES = {page: source for source, page in ROOT_PAGES.items()}
_CODE_OR_LINK = re.compile(
    r"^(?P<fence>```+|~~~+).*?^(?P=fence)|(?P<ticks>`+)[^`].*?(?P=ticks)"
    r"|(?P<image>!?)\[(?P<label>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^()\s]+)\)",
    re.DOTALL | re.MULTILINE,
)


def on_files(files: Any, config: Any) -> Any:
    """Add a page for each file of `ROOT_PAGES`."""
    from mkdocs.structure.files import File  # The tests load this module where MkDocs is not installed.

    for source, page in ROOT_PAGES.items():
        if (ROOT / source).is_file():
            files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Rewrite the links of a page, which are relative to its place in the repository."""
    return rewrite_links(markdown, page.file.src_uri)


def rewrite_links(markdown: str, page: str) -> str:
    """Return the text of a page with the links that lead to the same places on the site.

    A link to a file that is not on the site, such as a line of code, becomes its label alone: the site does not know
    where the repository is hosted. A link to nothing stays as it is, so that `mkdocs build --strict` reports it.

    Args:
        markdown: The page as it is written in the repository.
        page: Path of the page in docs/.
    """
    source_folder = posixpath.dirname(_SOURCES.get(page, f"docs/{page}"))

    def rewrite(found: re.Match[str]) -> str:
        target = found["target"]
        if target is None or target.startswith("#") or re.match(r"[a-z][a-z0-9+.-]*:", target):
            return found[0]
        path, hash_sign, anchor = target.partition("#")
        in_repository = posixpath.normpath(posixpath.join(source_folder, path))
        if in_repository in ROOT_PAGES:
            on_site = ROOT_PAGES[in_repository]
        elif in_repository == "README.md":
            on_site = "index.md"
        elif in_repository.startswith("docs/"):
            on_site = in_repository.removeprefix("docs/")
        else:
            return found["label"] if (ROOT / in_repository).exists() else found[0]
        relative = posixpath.relpath(on_site, posixpath.dirname(page) or ".")
        return f"{found['image']}[{rewrite_in_label(found['label'])}]({relative}{hash_sign}{anchor})"

    def rewrite_in_label(label: str) -> str:
        return _CODE_OR_LINK.sub(rewrite, label)

    return _CODE_OR_LINK.sub(rewrite, markdown)
