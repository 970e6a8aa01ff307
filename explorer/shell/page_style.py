"""How a page is laid out: its head on one line, the picture under it, and what is said of that at its right."""

from explorer.glossary.marking import ADDRESS
from explorer.look.theme import in_both_themes
from explorer.shell.notices import NOTICES_KEY

NOTE_KEY = "depth_card"
"""Key of the container with a page's words."""
EXPLAIN_KEY = "explain"
"""Key of the container with the number that is explained."""
_BESIDE = f":is(.st-key-{NOTE_KEY}, .st-key-{EXPLAIN_KEY})"
"""What the column at the right of a picture may hold."""
_EXPLAINING = ".st-key-page[data-explaining]"
"""The page while a number is explained; the panel itself is always there."""
_TAKEN = f".st-key-page:is(:has(.st-key-{NOTE_KEY}), [data-explaining])"
"""The page while that column holds something."""
# What is written on a button for those who hear it, beside a sign for those who see it.
HEARD = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);"
"""Style of what is only heard."""
# Nothing of Streamlit's takes height from the picture: its header lies over the page as two small buttons, and what
# is there for its script alone leaves no gap. The note hangs in a column of its own that takes no room in the flow, so
# that no view is drawn anew when the window passes the width from which it stands there. That column has one occupant:
# while a number is explained, it takes the place of the words. A picture with a corner to spare says where that is.
_STYLE = f"""
[data-testid="stMain"] a[href^="{ADDRESS}?term="]:focus-visible {{
  border-radius: 2px; outline: 2px solid {in_both_themes("focus")}; outline-offset: 2px; box-shadow: none;
}}
[data-testid="stApp"] {{ --note: 280px; --nav: 56px; --sentence-bar: 0px; --head: 40px; }}
[data-testid="stApp"] {{ --bar: calc(var(--nav) + var(--sentence-bar)); }}
[data-testid="stMain"] > [data-testid="stMainBlockContainer"] {{ max-width: none; padding: 0 16px 48px; }}
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] {{ gap: 0; }}
[data-testid="stHeader"] {{ height: 56px; min-height: 0; background: none; pointer-events: none; }}
[data-testid="stApp"] [data-testid="stHeader"] * {{ pointer-events: none; }}
[data-testid="stApp"] [data-testid="stHeader"] :is(button, button *) {{ pointer-events: auto; }}
[data-testid="stMain"] [class*="st-key-script_"], .st-key-page .st-key-owner_key {{ position: absolute; }}
.st-key-page {{ position: relative; gap: 12px; }}
.st-key-page[data-turning] [data-stale="true"] {{ display: none; }}
/* What the browser has taken from the page before, and the place of what Streamlit has still to draw. */
.st-key-page[data-ahead] > :not(
  :has([class*="st-key-page_head"], .st-key-stop, {_BESIDE}, .st-key-worksheet)
) {{ display: none; }}
.st-key-page[data-ahead="more"]::after {{
  content: ""; height: 320px; border-radius: 8px; background: {in_both_themes("well")};
}}
[class*="st-key-page_head"] {{ min-height: var(--head); margin-bottom: -12px; padding-right: 124px; }}
[class*="st-key-page_head"] div:has(> h1) {{
  display: flex; align-items: center; gap: 14px; min-height: var(--head); max-height: var(--head);
}}
[class*="st-key-page_head"] h1 {{
  margin: 0; padding: 0; font-size: 20px; font-weight: 650; line-height: 28px;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}}
[class*="st-key-page_head"] h1:empty {{ display: none; }}
[class*="st-key-page_head"] p {{
  flex: 1 1 0; min-width: 0; padding-top: 3px;
  font-size: 14px; line-height: 24px; margin: 0; color: {in_both_themes("ink2")};
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}}
/* A term that has the focus is read with its whole sentence, where that does not fit on the line. */
[class*="st-key-page_head"] p:focus-within {{
  position: relative; z-index: 3; overflow: visible; white-space: normal; background: {in_both_themes("bg")};
}}
[class*="st-key-page_head"] nav {{
  flex: none; order: 1; display: flex; margin-left: auto; border: 1px solid {in_both_themes("line2")};
  border-radius: 8px; overflow: hidden;
}}
[class*="st-key-page_head"] nav[hidden] {{ display: none; }}
[class*="st-key-page_head"] nav a {{
  padding: 0 10px; font-size: 14px; line-height: 30px; text-decoration: none; white-space: nowrap;
  color: {in_both_themes("ink2")};
}}
[class*="st-key-page_head"] nav a + a {{ border-left: 1px solid {in_both_themes("line")}; }}
[class*="st-key-page_head"] nav a:hover {{ background: {in_both_themes("well")}; }}
[class*="st-key-page_head"] nav a[aria-current] {{
  background: {in_both_themes("source-tint")}; color: {in_both_themes("ink")}; font-weight: 650;
}}
[class*="st-key-page_head"] nav a:focus-visible {{ outline-offset: -2px; }}
.st-key-worksheet {{ position: absolute; top: 4px; right: 0; width: auto; }}
.st-key-worksheet button {{ min-height: 32px; padding: 0 4px; }}
.st-key-words_menu {{ position: absolute; top: 4px; right: 114px; width: auto; z-index: 4; }}
.st-key-words_menu button {{ min-height: 32px; padding: 0 4px; }}
.st-key-words_menu button p {{ {HEARD} }}
/* A sentence above a picture leaves them their place. */
.st-key-page:has(.st-key-words_menu) [data-testid="stAlert"] {{ width: calc(100% - 164px); }}
.st-key-page_head_menu {{ padding-right: 164px; }}
/* The choice of a tensor stands in the line of its page's title, where there is room. */
@media (min-width: 1000px) {{
  .st-key-tensor_choice {{ position: absolute; top: 1px; right: 124px; width: 440px; z-index: 3; }}
  .st-key-page:has(.st-key-tensor_choice) .st-key-page_head_alone {{ padding-right: 580px; }}
}}
.st-key-{EXPLAIN_KEY} {{ flex-wrap: nowrap; outline: none; scroll-margin-top: calc(var(--bar) + 8px); }}
.st-key-page:not([data-explaining]) > div:has(> .st-key-{EXPLAIN_KEY}) {{ display: none; }}
@media (min-width: 1440px) {{
  [data-testid="stApp"] {{ --note: 302px; }}
}}
@media (max-width: 639.98px) {{
  .st-key-page_head_note {{ padding-right: 40px; }}
  :is(.st-key-page_head_note, .st-key-page_head_menu) p {{ display: none; }}
  .st-key-page_head_alone {{ padding-right: 0; margin-bottom: 0; }}
  .st-key-page_head_alone div:has(> h1) {{ max-height: none; flex-wrap: wrap; row-gap: 0; }}
  .st-key-page_head_alone h1 {{ max-width: calc(100% - 40px); white-space: normal; }}
  .st-key-page_head_alone p {{ flex: 1 1 100%; white-space: normal; }}
  [class*="st-key-page_head"] nav {{ display: none; }}
  .st-key-worksheet button p {{ {HEARD} }}
  .st-key-page_head_menu {{ padding-right: 84px; }}
  .st-key-words_menu {{ right: 30px; }}
  .st-key-page:has(.st-key-words_menu) [data-testid="stAlert"] {{ width: calc(100% - 96px); }}
  .st-key-{NOTE_KEY} {{ border: 1px solid {in_both_themes("line")}; border-radius: 10px; padding: 12px; }}
}}
/* Beside the title there is no room for a whole sentence, so it stands below. */
@media (min-width: 640px) and (max-width: 1100px) {{
  [class*="st-key-page_head"] {{ margin-bottom: -8px; }}
  [class*="st-key-page_head"] div:has(> h1) {{ max-height: none; flex-wrap: wrap; row-gap: 0; }}
  [class*="st-key-page_head"] nav {{ margin-block: 4px; }}
  [class*="st-key-page_head"] nav a {{ line-height: 28px; }}
  [class*="st-key-page_head"] p {{
    order: 2; flex: 1 0 calc(100% + 124px); margin-right: -124px; padding: 0; white-space: normal;
  }}
  .st-key-page_head_menu p {{ flex-basis: calc(100% + 164px); margin-right: -164px; }}
}}
@media (min-width: 640px) and (max-width: 1279.98px) {{
  .st-key-{NOTE_KEY} {{ border: 1px solid {in_both_themes("line")}; border-radius: 10px; padding: 14px; }}
}}
"""
_WITH_NOTE = f"""
@media (min-width: 1280px) {{
  .st-key-page:has(.st-key-page_head_note, .st-key-{NOTE_KEY}), {_EXPLAINING}:not([data-corner]) {{
    padding-right: calc(var(--note) + 16px);
  }}
  .st-key-page div:has(> .st-key-page_head_note),
  {_TAKEN} div:has(> [class*="st-key-page_head"]) {{
    width: calc(100% + var(--note) + 16px); max-width: none;
  }}
  .st-key-page div:has(> {_BESIDE}) {{
    position: absolute; top: calc(var(--head) + 4px); right: 0; bottom: 0; width: var(--note);
  }}
  .st-key-page {_BESIDE} {{
    position: sticky; top: calc(var(--bar) + 12px); max-height: calc(100vh - var(--bar) - 24px); overflow: hidden auto;
    flex-wrap: nowrap; border-left: 1px solid {in_both_themes("line")}; padding: 2px 2px 2px 16px;
  }}
  /* The rail of a stop stands over its words as well. */
  {_TAKEN} .st-key-stop {{ --beside: calc(var(--note) + 16px); }}
  .st-key-page:has(.st-key-stop) div:has(> {_BESIDE}) {{ top: calc(var(--head) + 76px); }}
  /* A notice stands between title and rail: then the words begin beside it, and the rail ends before them. */
  .st-key-page:has(.st-key-{NOTICES_KEY}) .st-key-stop {{ --beside: 0px; }}
  .st-key-page:has(.st-key-{NOTICES_KEY}):has(.st-key-stop) div:has(> {_BESIDE}) {{ top: calc(var(--head) + 4px); }}
  .st-key-page:has(.st-key-stop) {_BESIDE} {{ max-height: calc(100vh - var(--bar) - var(--head) - 96px); }}
  {_EXPLAINING} .st-key-{NOTE_KEY} {{ visibility: hidden; }}
  .st-key-page[data-corner] div:has(> .st-key-{EXPLAIN_KEY}) {{
    top: var(--corner-top); left: var(--corner-left); width: var(--corner-width); height: var(--corner-height);
  }}
  .st-key-page[data-corner] .st-key-{EXPLAIN_KEY} {{ position: static; height: 100%; border: 0; padding: 0 2px; }}
  {_EXPLAINING}[data-corner] {{ --corner-shown: hidden; --shape-shown: none; }}
}}
"""
# Where there is no column it stands right below the picture, above the words and what else the page has.
_WITHOUT_NOTE = f"""
  {_EXPLAINING} > div:has(> .st-key-{NOTE_KEY}), {_EXPLAINING} > div:has(> .st-key-{NOTE_KEY}) ~ div {{ order: 2; }}
  {_EXPLAINING} > div:has(> .st-key-{EXPLAIN_KEY}):nth-child(n) {{ order: 1; }}
  .st-key-{EXPLAIN_KEY} {{ border: 1px solid {in_both_themes("line")}; border-radius: 10px; padding: 12px 14px; }}
"""


def page_style(*, has_note: bool) -> str:
    """The style of every page.

    Args:
        has_note: Whether what is said of a picture may stand at its right, where the window is wide enough; otherwise
            something else has that place, such as a lesson.
    """
    if not has_note:
        return _STYLE + _WITHOUT_NOTE
    return _STYLE + _WITH_NOTE + "@media (max-width: 1279.98px) {" + _WITHOUT_NOTE + "}"
