"""The browser side of all components: one script, which the app's own server serves under the hash of its text.

`make browser` makes it from the typed modules. Style sheets stand before it as they are written, without comments.
"""

from __future__ import annotations

import gzip
import json
import re
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit import config

from explorer.look.formula import FONT
from explorer.look.theme import component_tokens_css

_ROOT = Path(__file__).parents[1]
_COMMENT = re.compile(r"^\s*(?:/\*\*?(?:[^*]|\*(?!/))*\*/)\s*$", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)


def _styles() -> dict[str, str]:
    """The style sheets by their paths, and the colours of both themes."""
    sheets = {
        path.relative_to(_ROOT).as_posix(): path.read_text(encoding="utf-8") for path in _ROOT.rglob("*.css")
    }
    texts = {path: _INDENT.sub("", _COMMENT.sub("", sheets[path])) for path in sorted(sheets)}
    return {"theme.css": component_tokens_css(), **texts}


BUNDLE = f"const STYLES = {json.dumps(_styles())};\n" + (_ROOT / "browser" / "bundle.js").read_text(
    encoding="utf-8"
)
"""The whole script; it exports `views`, the default exports of all modules by their paths, and their wrappers."""
_NAME = f"{sha256(BUNDLE.encode()).hexdigest()[:16]}.js"
_FONT_NAME = f"{sha256(FONT).hexdigest()[:16]}.woff2"
_FAILED = "The script of this page could not be loaded. Load the page again."


def script(module: str, name: str = "view", *, is_kept: bool = False) -> str:
    """Return the script of a component, which takes its view from the bundle.

    Args:
        module: ``__file__`` of the Python module beside which the TypeScript module lies.
        name: File name of the TypeScript module, without its ending.
        is_kept: Whether its numbers travel by themselves.

    Raises:
        ValueError: when the bundle has no such module.
    """
    path = json.dumps(view_path(module, name))
    if f"{path}:" not in BUNDLE:
        raise ValueError(f'the bundle has no module {path}; run "make browser"')
    view = f"views[{path}]"
    view = f"hosted({f'kept({view})' if is_kept else view}, {path})"
    # An address is needed whole: the script itself has none that others could be relative to.
    return f"""let view;
try {{
const {{ hosted, kept, views }} = await import(location.origin + {json.dumps(_address(_NAME))});
view = {view};
}} catch (error) {{
console.error(error);
view = ({{ parentElement }}) => {{ parentElement.textContent = {json.dumps(_FAILED)}; }};
}}
export default view;
"""


def view_path(module: str, name: str = "view") -> str:
    """Return the name of a TypeScript module among the views of the bundle."""
    return (Path(module).parent / name).relative_to(_ROOT).as_posix()


def font_address() -> str:
    """Return the address of the formulas' font on this server."""
    return _address(_FONT_NAME)


def _address(name: str) -> str:
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"{base and f'/{base}'}/bundle/{name}"


def bundle_routes() -> list[Route]:
    """Return the routes of the script and of the formulas' font.

    Browsers keep both for ever, since other contents have other names.
    """
    packed = gzip.compress(BUNDLE.encode(), 9)
    kept = {"Cache-Control": "public, max-age=31536000, immutable"}

    def answer(request: Request) -> Response:
        headers = kept | {"Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(BUNDLE, headers=headers, media_type="text/javascript")
        return Response(packed, headers=headers | {"Content-Encoding": "gzip"}, media_type="text/javascript")

    def font(request: Request) -> Response:
        return Response(FONT, headers=kept, media_type="font/woff2")

    return [Route(_address(_NAME), answer), Route(font_address(), font)]
