"""The sentence field cuts a text as the model's tokenizer does; Node.js runs the field's script for this."""

import json
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tokenizers import BpeTokenizer, CasedWordTokenizer, CharacterTokenizer, Tokenizer
from core.data.vocabulary import Vocabulary
from explorer.browser.assets import BUNDLE

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is missing")
ANSWER = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { data, text } = JSON.parse(line);
  console.log(JSON.stringify(proven.tokenize(text.normalize("NFC"), proven.cutterOf(data))));
}
"""
CODE = ("    return  f(x)\n\treturn  f(y)", "if a == b:  return ▁ab ab", "été, été")
# Characters that every version of Python and of Node.js has assigned, without the many that differ in nothing.
ASSIGNED = [
    chr(code)
    for code in range(0x20000)
    if unicodedata.ucd_3_2_0.category(chr(code)) not in ("Cn", "Co", "Cs") and not 0x3400 <= code <= 0xD7A3
]
TEXTS = st.text(
    st.sampled_from(
        "abLl'’qu·▁ \t\n\u00a0\x1c\x85.,()\"“”«»„–-=*/@$%‰👍🏽"
        "👩\u200d\u200c\u200b\u00ad\ufe0f🇩🇪का\u0301é❤_7²\ufeff，中་"
    ),
    max_size=30,
) | st.text(st.sampled_from(ASSIGNED), max_size=30)

Cut = Callable[[Tokenizer, str], list[dict[str, object]]]


@pytest.fixture(scope="module")
def cut_by_script(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cut]:
    """Yield a function that returns the tokens of the field's script with their places in the text."""
    path = tmp_path_factory.mktemp("script") / "cutting.mjs"
    page = (
        "Object.assign(globalThis, "
        "{ document: new EventTarget(), window: new EventTarget(), MutationObserver: class {} });"
    )
    path.write_text(f"{page}\n{BUNDLE}{ANSWER}", encoding="utf-8")
    with subprocess.Popen(
        ["node", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdin
        assert process.stdout
        stdin, stdout = process.stdin, process.stdout

        def cut(tokenizer: Tokenizer, text: str) -> list[dict[str, object]]:
            data: dict[str, object] = {
                "mode": tokenizer.kind,
                "exact_spaces": tokenizer.exact_spaces,
                "max_characters": 2000,
                "words": tokenizer.vocabulary.words,
                "replacements": {},
                "merges": tokenizer.merges if isinstance(tokenizer, BpeTokenizer) else (),
            }
            stdin.write(json.dumps({"data": data, "text": text}) + "\n")
            stdin.flush()
            found: list[dict[str, object]] = json.loads(stdout.readline())
            return found

        yield cut
        stdin.close()


@pytest.mark.parametrize(
    "tokenizer",
    [
        CasedWordTokenizer(Vocabulary.build(())),
        CasedWordTokenizer(Vocabulary.build(()), exact_spaces=True),
        # Emoji that a model knows in no part are shown in one, so it knows their parts.
        CharacterTokenizer(Vocabulary.build("👍👩❤🇩🇪"), exact_spaces=True),
        BpeTokenizer.train(CODE, 90, exact_spaces=True),
        BpeTokenizer.train(CODE, 90),
    ],
    ids=lambda tokenizer: f"{tokenizer.kind}-{tokenizer.exact_spaces}",
)
@given(text=TEXTS)
def test_the_field_cuts_a_text_as_the_model_does(cut_by_script: Cut, tokenizer: Tokenizer, text: str) -> None:
    found = cut_by_script(tokenizer, text)
    tokens = [point for cut in found for point in _points(str(cut["text"]), tokenizer)]
    assert tokens == tokenizer.tokenize(text)


@pytest.mark.proof
def test_every_assigned_character_is_cut_alike(cut_by_script: Cut) -> None:
    tokenizer = CasedWordTokenizer(Vocabulary.build(()), exact_spaces=True)
    text = " ".join(f"a{sign}b {sign} {sign}c" for sign in ASSIGNED)
    assert [cut["text"] for cut in cut_by_script(tokenizer, text)] == tokenizer.tokenize(text)


@given(text=TEXTS)
def test_places_of_tokens_are_those_in_the_text(cut_by_script: Cut, text: str) -> None:
    tokenizer = CasedWordTokenizer(Vocabulary.build(()), exact_spaces=True)
    units = unicodedata.normalize("NFC", text).encode("utf-16-le")
    for cut in cut_by_script(tokenizer, text):
        start, end = int(str(cut["start"])), int(str(cut["end"]))
        written = units[2 * start : 2 * end].decode("utf-16-le")
        assert str(cut["text"]) in (written, "·" + written, "▁" + written)


def _points(token: str, tokenizer: Tokenizer) -> list[str]:
    return list(token) if tokenizer.kind == "character" else [token]
