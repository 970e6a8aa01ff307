"""Texts that somebody may type, paste, link to or upload to do harm, and a run that is made of nothing else."""

from pathlib import Path

from core.config import TrainConfig, TransformerConfig
from core.data.tokenizers import CharacterTokenizer, WordTokenizer
from core.data.vocabulary import Vocabulary
from core.model.transformer import Transformer
from core.run import Run, save_run

ELSEWHERE = "http://elsewhere.test"
"""A host that no page may ask for anything."""

TEXTS = {
    "HTML": "<img src=x onerror=window.pwned=1>",
    "HTML, no spaces": "<svg/onload=window.pwned=1>",
    "HTML, an end": '"></textarea></script><b>bold</b>',
    "script": "<script>window.pwned=1</script>",
    "style": f"</style><style>@import '{ELSEWHERE}/x.css'</style>",
    "entities": "&lt;b&gt;&#60;b&#62;&amp;",
    "Plotly": f"<a href='{ELSEWHERE}'>x</a><br><sup>y</sup>",
    "LaTeX": r"$\href{javascript:window.pwned=1}{x}$ $$\frac{1}{$$",
    "Markdown image": f"![x]({ELSEWHERE}/x.png)",
    "Markdown link": "[x](javascript:window.pwned=1)",
    "Markdown table": "# a\n\n| b | `c` |\n|---|---|\n**d** _e_ ~~f~~",
    "Streamlit Markdown": ":red[x] :material/delete: :cat: :blue-badge[y]",
    "Python": "'); __import__('os').system('touch pwned') #",
    "Python, quotes": "\"\"\"\\'''\\",
    "template": "{self.__class__} %s %(x)d ${7*7} {{7*7}}",
    "SQL": "'; DROP TABLE steps; --",
    "spreadsheet": f'=HYPERLINK("{ELSEWHERE}","x")',
    "spreadsheet, plus": "+1+cmd|' /C calc'!A0",
    "spreadsheet, at": "@SUM(1+1)",
    "path": "../../../../etc/passwd",
    "path, absolute": "/etc/passwd",
    "path, Windows": "C:\\Windows\\win.ini",
    "device": "/dev/zero",
    "device, Windows": "CON",
    "query": "x&model=copy#?run=../x%00%0d%0aSet-Cookie:a=b",
    "JSON": '{"__proto__": {"pwned": 1}}',
    "prototype": "__proto__",
    "lines": "a\r\nb\u2028c\u2029d\x0be",
    "controls": "a\x00b\x07c\x1b[31md\x7f",
    "right to left": "\u202egnp.exe \u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd",
    "zero width": "a\u200bb\u200dc\ufeffd\u2060e",
    "combining": "e" + "\u0301" * 60,
    "surrogate": "\ud83d half",
    "astral": "\U0001f469\u200d\U0001f52c\U0010ffff",
    "number": "1e999",
    "digits": "\u0663\uff13\u00b2",
    "nothing": " \t\u00a0\u3000 ",
    "very long": "<b>long</b> " * 2000,
}
"""By what each of them tries."""

MARKUP = tuple(
    text
    for name, text in TEXTS.items()
    if name.startswith(("HTML", "script", "style", "entities", "Plotly", "LaTeX", "Markdown", "Streamlit"))
)
"""Those that a page which takes them for markup shows as something else."""

RUN_ID = "hostile1"
SENTENCE = TEXTS["HTML"]
"""What the hostile run's model reads; so it reads each text of one line that is short enough."""


def hostile_run(root: Path) -> Path:
    """A run whose task, name, title, sources and every token of whose output is hostile; its model is random."""
    words = [text for text in TEXTS.values() if len(text) < 100 and _is_whole(text)]
    letters = sorted({letter for text in words for letter in text if letter.isprintable()})
    source = CharacterTokenizer(Vocabulary.build(letters))
    target = WordTokenizer(Vocabulary.build(words))
    config = TransformerConfig(
        src_vocab_size=len(source.vocabulary),
        tgt_vocab_size=len(target.vocabulary),
        d_model=8,
        n_heads=2,
        n_encoder_layers=1,
        n_decoder_layers=1,
        d_ff=8,
        max_len=128,
        tie_embeddings=False,
    )
    run = Run(
        name=TEXTS["script"],
        task=TEXTS["Markdown image"],
        config=config,
        model=Transformer(config),
        src_tokenizer=source,
        tgt_tokenizer=target,
        train_config=TrainConfig(),
        max_source_tokens=100,
        probes=(SENTENCE, TEXTS["Markdown link"]),
    )
    folder = root / RUN_ID
    save_run(run, folder)
    return folder


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
