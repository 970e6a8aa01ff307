"""Record what every page receives and how it looks, and compare two records: proof that a rebuilt page is the same.

    python -m tests.browser.sameness record build/sameness/before
    python -m tests.browser.sameness compare build/sameness/before build/sameness/after

A record holds the JSON of every message that answers a page's first request, a hash of its arrays, and pictures in
three sizes and two themes. Views that a background job fills later, such as *Mistakes*, are in the pictures only. The
comparison lists each message whose arrays or fields differ, and lays differing pictures side by side in `index.html`.
Names of the pages to record may follow: `record FOLDER output masks`.
"""

import argparse
import html
import io
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from os import environ
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser

from benchmarks.ui.visitor import Visitor, parse_header
from tests.addresses import TITLES
from tests.browser.looks import distance, small_look
from tests.browser.recording import browser_and_app, skip_first_minute
from tests.browser.screenshots import settle
from tests.browser.soundness import opened, resize, wear
from tests.conftest import PATIENCE

SIZES = ((1440, 900), (1280, 720), (390, 844))
SENTENCE = "sentence=the+small+cat+does+not+sleep"
STATES = {
    **{address: [SENTENCE, f"{SENTENCE}&step=3&layer=1&head=2"] for address in ("", *TITLES)},
    "step-by-step": [f"{SENTENCE}&step=3", f"{SENTENCE}&step=3&prefix=10-10", f"{SENTENCE}&vary=2"],
    "masks": [f"{SENTENCE}&step=3", f"{SENTENCE}&step=3&mask_off=causal"],
    "beams": [SENTENCE, f"{SENTENCE}&beam=7"],
}
"""Queries under which each page is recorded; the same for all models' pages."""
TIMES = re.compile(r"[\d.,]+ ?(?:ms|s|min|MB|GB)\b")
"""Figures of the machine, which differ from run to run."""
LEAST_BYTES = 64
"""Bytes from which the data of a message count as a component's; a shorter one is a hash of numbers."""


def record_messages(url: str, pages: Sequence[str], folder: Path) -> None:
    """Write the data of every component on every page, as one file a state."""
    for page in pages:
        for number, query in enumerate(STATES[page]):
            with Visitor(url) as visitor:
                visitor.open(page, query)
                found = dict(_component_data(visitor))
            target = folder / f"{page or 'home'}-{number}.json"
            target.write_text(json.dumps(found, indent=1, sort_keys=True), encoding="utf-8")


def record_pictures(browser: Browser, url: str, pages: Sequence[str], folder: Path) -> None:
    """Write screenshots of every page in all sizes and themes."""
    for page in pages:
        for number, query in enumerate(STATES[page]):
            context = browser.new_context(base_url=url, reduced_motion="reduce")
            tab = context.new_page()
            tab.set_default_timeout(1000 * PATIENCE)
            skip_first_minute(tab)
            tab.goto(f"/{page}?{query}")
            opened(tab)
            for width, height in SIZES:
                resize(tab, width, height)
                for theme in ("light", "dark"):
                    wear(tab, theme)
                    settle(tab)
                    shot = Image.open(io.BytesIO(tab.screenshot(caret="hide", animations="disabled")))
                    name = f"{page or 'home'}-{number}-{width}-{theme}.webp"
                    shot.convert("RGB").save(folder / name, lossless=True)
            context.close()


def compare_messages(before: Path, after: Path) -> list[str]:
    """Return a sentence for each difference between the messages of two records."""
    found = []
    for name, (one, other) in _pairs(before, after, "*.json", _read_json):
        found += [f"{name}: {difference}" for difference in find_differences(one, other)]
    return found


def find_differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Return the places in which two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [
            difference
            for key in sorted({*one, *other})
            for difference in find_differences(one.get(key), other.get(key), f"{path}.{key}".strip("."))
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            difference
            for place, both in enumerate(zip(one, other, strict=True))
            for difference in find_differences(*both, f"{path}[{place}]")
        ]
    return [] if one == other else [f"{path}: {_excerpt(one)} became {_excerpt(other)}"]


def compare_pictures(before: Path, after: Path, report: Path) -> list[str]:
    """Return a sentence for each picture that looks different, and lay them side by side in a page."""
    rows, found = [], []
    for name, (one, other) in _pairs(before, after, "*.webp", Path.read_bytes):
        apart = None if one is None or other is None else distance(small_look(one), small_look(other))
        if apart is None or not apart.is_same:
            found.append(f"{name}: {'only one record has it' if apart is None else apart}")
            images = "".join(
                f'<img src="{html.escape((folder / name).as_uri())}">' for folder in (before, after)
            )
            rows.append(f"<h2>{html.escape(name)}</h2><div>{images}</div>")
    style = "<style>div { display: flex; gap: 8px } img { width: 49%; object-fit: contain }</style>"
    report.write_text(f"<!doctype html>{style}{''.join(rows)}", encoding="utf-8")
    return found


def main() -> None:
    """Record, or compare two records and exit with 1 if they differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.sameness", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record", help="record all pages, or those that are named")
    record.add_argument("folder", type=Path)
    record.add_argument("pages", nargs="*", metavar="PAGE", help="address of a page; home is the first one")
    record.add_argument("--messages-only", action="store_true", help="leave out the pictures")
    compare = commands.add_parser("compare", help="compare two records")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.command == "record":
        pages = ["" if page == "home" else page for page in options.pages] or list(STATES)
        options.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as runs:
            environ["EXPLORER_RUNS"] = runs
            with browser_and_app() as (browser, url):
                record_messages(url, pages, options.folder)
                if not options.messages_only:
                    record_pictures(browser, url, pages, options.folder)
        return
    before, after = options.before.resolve(), options.after.resolve()
    found = compare_messages(before, after) + compare_pictures(before, after, after / "index.html")
    print("\n".join(found) or "No difference.")
    raise SystemExit(1 if found else 0)


def _component_data(visitor: Visitor) -> Iterator[tuple[str, Any]]:
    for element in visitor.elements.values():
        if element.WhichOneof("type") != "bidi_component":
            continue
        component = element.bidi_component
        key = component.id.split("-", 2)[-1]
        data = component.bytes or component.json.encode()
        if len(data) >= LEAST_BYTES:
            yield key, _describe_message(data)


def _describe_message(data: bytes) -> Any:
    """Return the JSON of a message, and a hash of the numbers behind it; of numbers alone, their hash."""
    try:
        header = json.loads(TIMES.sub("(a time)", json.dumps(parse_header(data))))
    except ValueError:
        return {"numbers": sha256(data).hexdigest()}
    behind = data[4 + int.from_bytes(data[:4], "little") :] if data[4:5] == b"{" else b""
    return {**header, "numbers": sha256(behind).hexdigest()}


def _pairs(
    before: Path, after: Path, pattern: str, read: Callable[[Path], Any]
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    names = sorted({file.name for folder in (before, after) for file in folder.glob(pattern)})
    for name in names:
        files = [folder / name for folder in (before, after)]
        one, other = (read(file) if file.exists() else None for file in files)
        yield name, (one, other)


def _read_json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _excerpt(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"


if __name__ == "__main__":
    main()
