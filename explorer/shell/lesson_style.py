"""How a lesson changes the look of the page: the strip stays in sight, its part is framed, a demonstration is large."""

from __future__ import annotations

from explorer.look.theme import in_both_themes

ZOOM = 1.25
"""How much larger the strip is in front of a class; everything in it grows alike."""

_STRIP = f"""
.st-key-lesson {{
  background: {in_both_themes("bg")}; border: 1px solid {in_both_themes("line2")}; border-radius: 10px;
  padding: 10px 20px 12px; margin-block: 8px 4px;
  box-shadow: 0 1px 2px rgb(0 0 0 / .06), 0 6px 18px light-dark(rgb(20 30 40 / .08), rgb(0 0 0 / .5));
}}
.st-key-lesson h3 {{ padding: 0 0 4px; }}
.st-key-lesson_text, .st-key-lesson_look {{ margin-bottom: -8px; }}
/* Streamlit marks a link to the page that is open; here they are ways to go on, all alike. */
.st-key-lesson_bar a {{ padding-block: 2px; background: transparent; }}
.st-key-lesson_bar a p {{ font-weight: 400; }}
.st-key-lesson_keys {{ margin-left: auto; }}
/* Of a link with an address, lest Streamlit's tint for a link under the pointer weigh more. */
.st-key-lesson_next a[href] {{ background: {in_both_themes("primary")}; }}
.st-key-lesson_next a[href]:is(:hover, :focus-visible, :active) {{
  background: color-mix(in srgb, {in_both_themes("primary")}, black 15%);
}}
.st-key-lesson_next a * {{ color: {in_both_themes("on-primary")}; }}
.st-key-lesson_previous a, .st-key-lesson_next a {{ border: 1px solid {in_both_themes("line2")}; }}
.st-key-lesson_place p {{ white-space: nowrap; font-variant-numeric: tabular-nums; }}
.st-key-lesson_verdict {{ border-left: 2px solid {in_both_themes("ink")}; padding-left: 12px; }}
.st-key-lesson_question {{ border-left: 1px solid {in_both_themes("line")}; padding-left: 20px; }}
@media (min-width: 640px) and (min-height: 640px) {{
  div:has(> .st-key-lesson) {{ position: sticky; top: 0; z-index: 999970; }}
  :has(> div > .st-key-bar) > div:has(> .st-key-lesson) {{ top: 61px; }}
  .st-key-lesson {{ max-height: 48vh; overflow: hidden auto; }}
}}
@media (max-width: 1099.98px) {{
  .st-key-lesson_keys {{ display: none; }}
}}
@media (max-width: 639.98px) {{
  .st-key-lesson {{ padding: 10px 14px 12px; }}
  .st-key-lesson_question {{ border-left: 0; padding-left: 0; }}
}}
"""

_DEMO = f"""
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"], [data-testid="stHeader"] {{ display: none; }}
.st-key-lesson {{ zoom: {ZOOM}; }}
"""


def lesson_css(part: str, *, demo: bool) -> str:
    """The style of a stop.

    Args:
        part: Key of the container or view that it speaks of; empty for none.
        demo: Whether it is shown to a class: what stands above its part is folded away, and what stands below it
            steps back.
    """
    style = _STRIP + (_DEMO if demo else "")
    if not part:
        return style
    style += f"""
.st-key-{part} {{ outline: 3px solid {in_both_themes("link")}; outline-offset: 6px; border-radius: 6px; }}
"""
    if demo:
        style += f"""
.st-key-page > :has(~ * .st-key-{part}), .st-key-page > :has(~ .st-key-{part}) {{ display: none; }}
.st-key-page > :not(:has(.st-key-{part}), .st-key-{part}) {{ opacity: .3; }}
/* What is for one reader alone. */
.st-key-worksheet, .st-key-words_menu {{ display: none; }}
/* Whoever points at what is dimmed, or comes there by the keyboard, can read it. */
.st-key-page > :not(:has(.st-key-{part}), .st-key-{part}):is(:hover, :focus-within) {{ opacity: 1; }}
"""
    return style
