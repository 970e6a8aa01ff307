"""Sentences of the command line in the words of the form."""

from __future__ import annotations

import re

_FLAGS = {
    "(--tokenizer bpe, in the app Byte pairs)": "(Byte pairs under Tokens)",
    "--max-bytes, on a server EXPLORER_PAIRS_MB": "EXPLORER_PAIRS_MB of the server",
    "--tokenizer character": "Characters under Tokens",
    "--tokenizer word": "Words under Tokens",
    "--tokenizer bpe": "Byte pairs under Tokens",
    "leave out --tie-embeddings": "Tie embeddings in the details",
    "--source-file, --target-file": "both at once",
    "raise --max-pairs": "ask the server's administrator to raise EXPLORER_PAIRS_COUNT",
    "choose --bpe-size": "allow, under Byte pairs, at most,",
    "--max-tokens": "EXPLORER_PAIRS_TOKENS of the server",
    "--columns": "Columns",
    "--keep-spaces": "“Keep every space”, under “Tokens in detail”,",
}
"""Words of the form for flags of the command line, longer flags first."""
_FLAG = re.compile("|".join(map(re.escape, _FLAGS)))


def in_form_words(sentence: str) -> str:
    """Return a sentence with the labels of the form in place of the command line's flags."""
    return _FLAG.sub(lambda found: _FLAGS[found[0]], sentence)
