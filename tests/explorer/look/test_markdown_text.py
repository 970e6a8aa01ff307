"""What a person typed is text in Markdown, whatever it spells."""

import pytest

from explorer.look.markdown_text import plain


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("two words", "two words"),
        ("![x](http://y)", r"\!\[x\]\(http\:\/\/y\)"),
        ("*b* $a_1$ `c`", r"\*b\* \$a\_1\$ \`c\`"),
        ("<b>\\", r"\<b\>\\"),
        ("né “é”", "né “é”"),
    ],
)
def test_every_punctuation_mark_is_escaped(text, written):
    assert plain(text) == written
