"""Where a lesson stands: a column at the right of the page, which makes room for it; on a phone a sheet from below."""

from __future__ import annotations

from explorer.look.theme import in_both_themes

WIDTH = 300
"""Pixels of the column."""
LEAST_WINDOW = 900
"""Pixels of the window from which on there is a column; in a narrower one it is a sheet."""

_HEARD = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);"
_COMMON = f"""
.st-key-lesson {{
  position: fixed; z-index: 999968; background: {in_both_themes("side")}; overflow: hidden auto;
  flex-wrap: nowrap; overscroll-behavior: contain; font-size: 14px;
}}
.st-key-lesson h3 {{ font-size: 20px; line-height: 26px; padding: 0 0 8px; outline: none; }}
.st-key-lesson p {{ font-size: 14px; line-height: 21px; }}
.st-key-lesson_head {{ flex-wrap: nowrap; }}
.st-key-lesson_head > :has(.st-key-lesson_contents), .st-key-lesson_contents {{ flex: 1 1 0; min-width: 0; }}
.st-key-lesson_head > :has(.st-key-lesson_place) {{ flex: none; }}
.st-key-lesson a {{ min-height: 24px; }}
.st-key-lesson_contents a {{ padding: 0; }}
.st-key-lesson_contents a p {{ font-size: 13px; white-space: normal; }}
.st-key-lesson_place p {{ font-size: 13px; white-space: nowrap; font-variant-numeric: tabular-nums; }}
.lesson-segments {{ display: flex; gap: 3px; }}
.lesson-segments i {{ flex: 1; height: 4px; border-radius: 2px; background: {in_both_themes("line2")}; }}
.lesson-segments .done {{ background: {in_both_themes("ink2")}; }}
.lesson-segments .here {{ background: {in_both_themes("primary")}; }}
.st-key-lesson_card {{
  background: {in_both_themes("bg")}; border: 1px solid {in_both_themes("line2")}; border-radius: 8px;
  padding: 10px 12px 8px; gap: 4px;
}}
.lesson-heard {{ {_HEARD} }}
.st-key-lesson_question, .st-key-lesson_check {{ border-top: 1px solid {in_both_themes("line")}; padding-top: 10px; }}
.st-key-lesson_answer_asked {{ font-weight: 650; }}
/* One answer a line, as wide as the column. */
.st-key-lesson [data-testid="stButtonGroup"] > div {{ gap: 6px; }}
.st-key-lesson [data-testid="stButtonGroup"] :is(button, label) {{
  background: {in_both_themes("bg")}; height: auto; min-height: 32px; border-radius: 8px; white-space: normal;
  text-align: left;
}}
.lesson-answers p {{
  margin: 0 0 6px; padding: 5px 12px; border: 1px solid {in_both_themes("line2")}; border-radius: 8px;
  background: {in_both_themes("bg")}; display: flex; gap: 8px; overflow-wrap: anywhere;
}}
.lesson-answers .given {{
  border: 2px solid {in_both_themes("ink")}; padding: 4px 11px; font-weight: 600; color: {in_both_themes("ink2")};
}}
.lesson-answers .right b {{ margin-left: auto; white-space: nowrap; font-size: 13px; font-weight: 600; }}
.lesson-answers .right b::before {{ content: "✓ "; }}
.st-key-lesson_said_verdict, .st-key-lesson_noticed_verdict {{
  border-left: 2px solid {in_both_themes("ink")}; padding-left: 12px;
}}
/* Streamlit marks a link to the page that is open; here they are ways to go on, all alike. */
.st-key-lesson_ways {{ margin-top: auto; padding-top: 8px; }}
.st-key-lesson_ways a {{ background: transparent; }}
[class*="st-key-lesson_steps"] {{ flex-wrap: nowrap; }}
[class*="st-key-lesson_steps"] a {{
  border: 1px solid {in_both_themes("line2")}; justify-content: center; min-height: 34px;
  background: {in_both_themes("bg")};
}}
/* Of a link with an address, lest Streamlit's tint for a link under the pointer weigh more. */
.st-key-lesson_steps_solid .st-key-lesson_next a[href] {{ background: {in_both_themes("primary")}; }}
.st-key-lesson_steps_solid .st-key-lesson_next a[href]:is(:hover, :focus-visible, :active) {{
  background: color-mix(in srgb, {in_both_themes("primary")}, black 15%);
}}
.st-key-lesson_steps_solid .st-key-lesson_next a * {{ color: {in_both_themes("on-primary")}; }}
.st-key-lesson_links {{ justify-content: space-between; align-items: center; }}
.st-key-lesson_links a {{ padding: 0; min-height: 24px; }}
.st-key-lesson_links :is(a, button) p {{ font-size: 13px; color: {in_both_themes("link")}; }}
.st-key-lesson_links button {{ padding: 0; min-height: 24px; }}
.st-key-lesson_covered {{
  margin-top: 44px; padding: 28px; color: {in_both_themes("mute")};
  border: 1.5px dashed {in_both_themes("line2")}; border-radius: 10px;
}}
/* What a stop speaks of as a whole. */
[data-testid="stMain"] [data-lit] {{
  outline: 2px solid {in_both_themes("ink")}; outline-offset: 4px; border-radius: 6px;
}}
"""
_COLUMN = f"""
.st-key-lesson {{
  top: var(--above); right: 0; bottom: 0; width: {WIDTH}px; padding: 16px 26px 16px 25px; gap: 12px;
  border-left: 1px solid {in_both_themes("line")};
}}
[data-testid="stApp"] {{ --beside-title: {WIDTH + 8}px; }}
.st-key-page {{ padding-right: var(--beside-title); }}
"""
_SHEET = f"""
.st-key-lesson {{
  left: 0; right: 0; bottom: 0; max-height: 46vh; padding: 12px 14px; gap: 8px;
  border-top: 1px solid {in_both_themes("line2")}; border-radius: 12px 12px 0 0;
}}
/* Folded it says where to look, and leaves the rest of the window to the picture. */
.st-key-lesson[data-folded] {{ max-height: 58px; padding: 7px 14px; overflow: hidden; }}
.st-key-lesson[data-folded] > :not(.st-key-lesson_card, :has(> .st-key-lesson_card)) {{ display: none; }}
.st-key-lesson[data-folded] .st-key-lesson_light_place {{ position: absolute; visibility: hidden; }}
.st-key-lesson[data-folded] .st-key-lesson_card {{ border: 0; padding: 0; background: transparent; }}
[data-testid="stMain"] > [data-testid="stMainBlockContainer"] {{ padding-bottom: 50vh; }}
"""


PRESENT_CSS = f"""
[data-testid="stHeader"] {{ display: none; }}
.st-key-lesson {{
  position: fixed; inset: 0; z-index: 999980; background: {in_both_themes("bg")}; gap: 0; flex-wrap: nowrap;
}}
.present-strip {{
  display: flex; align-items: center; gap: 20px; height: 56px; padding: 0 40px; font-size: 22px;
  border-bottom: 1px solid {in_both_themes("line")};
}}
.present-strip span {{ color: {in_both_themes("ink2")}; white-space: nowrap; }}
.lesson-segments {{ display: flex; gap: 3px; width: 190px; }}
.lesson-segments i {{ flex: 1; height: 6px; border-radius: 3px; background: {in_both_themes("line2")}; }}
.lesson-segments :is(.done, .here) {{ background: {in_both_themes("primary")}; }}
.st-key-present_body {{
  flex: none; height: calc(100vh - 132px); flex-wrap: nowrap; overflow: auto; padding: 24px 40px;
}}
.st-key-present_body h3 {{ font-size: 32px; line-height: 40px; padding: 0; outline: none; max-width: 1100px; }}
.st-key-present_body [data-testid="stMarkdown"] p {{ font-size: 24px; }}
.st-key-present_body [class*="st-key-present_"] {{ font-size: 24px; --sentence: 24px; }}
.present-answers {{ display: flex; flex-wrap: wrap; gap: 12px; }}
.present-answers p {{
  margin: 0; padding: 9px 26px; border: 1.5px solid {in_both_themes("line2")}; border-radius: 10px;
  font-size: 24px; line-height: 30px;
}}
.present-answers .right {{ border: 3px solid {in_both_themes("ink")}; font-weight: 700; padding: 7.5px 24.5px; }}
.st-key-present_foot {{
  flex: none; height: 76px; padding: 0 40px; gap: 16px; flex-wrap: nowrap;
  border-top: 1px solid {in_both_themes("line")};
}}
.st-key-present_foot > :has(.present-said) {{ flex: 1 1 0; }}
.st-key-lesson > .st-key-lesson_keys {{ position: absolute; }}
.present-said {{ margin: 0; font-size: 22px; color: {in_both_themes("ink2")}; }}
.st-key-present_foot a {{
  min-height: 50px; padding: 0 22px; border: 1.5px solid {in_both_themes("line2")}; border-radius: 10px;
  background: transparent; justify-content: center;
}}
.st-key-present_foot a p {{ font-size: 22px; }}
.st-key-present_foot .st-key-lesson_next a[href] {{ background: {in_both_themes("primary")}; }}
.st-key-present_foot .st-key-lesson_next a * {{ color: {in_both_themes("on-primary")}; }}
@media (max-width: {LEAST_WINDOW - 0.02}px) {{
  .present-strip {{ padding: 0 16px; gap: 12px; }}
  .present-strip b {{ overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }}
  .lesson-segments {{ flex: none; width: 96px; }}
  .st-key-present_body {{ padding: 16px; }}
  .st-key-present_body h3 {{ font-size: 26px; line-height: 33px; }}
  .st-key-present_foot {{ padding: 0 16px; gap: 8px; }}
  .st-key-present_foot > :has(.present-said) p {{ display: none; }}
  .st-key-present_foot a {{ padding: 0 14px; }}
}}
"""
"""Before an audience there is one thing on the screen, between a strip and a foot; no word is under 22 px."""


def lesson_css(*, reads_sentence: bool) -> str:
    """The style of a lesson.

    Args:
        reads_sentence: Whether the bar of a sentence stands above the page.
    """
    # What stands above the page is higher where it says that the model is a changed one.
    above = "calc(var(--bar) + 1px)" if reads_sentence else "var(--nav)"
    return (
        f'[data-testid="stApp"] {{ --above: {above}; }}'
        + _COMMON
        + f"@media (min-width: {LEAST_WINDOW}px) {{{_COLUMN}}}"
        + f"@media (max-width: {LEAST_WINDOW - 0.02}px) {{{_SHEET}}}"
    )
