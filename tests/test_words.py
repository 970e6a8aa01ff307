"""The table of words: every rule sees a text that breaks it, wherever it stands, and leaves plain English alone."""

import pytest

from tests.words.__main__ import main
from tests.words.rules import RULES, faults
from tests.words.texts import GAP, docstrings, of_markdown, of_python, of_toml, of_typescript, sentences

STIFF_AND_NATURAL = [
    ("the vector is multiplied with W_Q", "the vector is multiplied by W_Q, with a bias"),
    ("A head multiplies the whole vector of 64 numbers with its part", "It multiplies by √64; with that it ends"),
    ("Behind the last layer stands a norm", "The app is behind a proxy"),
    ("a norm behind each sub-layer", "Nobody is behind in this race"),
    ("stacks of equal layers", "stacks of identical layers"),
    ("used alike, they come to lie alike", "used alike, they end up close together"),
    ("too seldom to be merged to one token", "too rarely to be merged into one token"),
    ("So many stay: the diagonal", "That is how many remain: the diagonal"),
    ("So it would be if they were averaged", "That would be true if they were averaged"),
    ("Weights after so many updates", "Weights after this many updates, not so many that it forgets"),
    ("Between the two matrices stands the ReLU", "The ReLU stands between the two matrices"),
    ("divided by the root of the variance", "divided by the square root of the variance"),
    ("led by the right answer", "called by its name under teacher forcing"),
    ("The largest is taken off each", "The largest is subtracted from each"),
    ("1,100 multiply–adds", "1,100 multiply-adds"),
    ("a viewer of data bases", "a viewer of databases"),
    ("LayerNorm after each sub-layer", "\\text{LayerNorm}(x), a layer norm after each sub-layer"),
    ("even chances over all tokens", "a uniform guess over all tokens"),
    ("This seed came out otherwise than the measured ones", "This seed turned out differently from them"),
    ("3.4 nats a token", "3.4 nats per token"),
    ("900 tokens a second", "900 tokens per second, one pair a line"),
    ("it honours what is almost right", "it gives credit for what is almost right"),
    ("the labels that are no padding", "labels that are not padding; there is no mask, and it is no longer"),
    ("page 7 is none of the pages", "page 7 is not one of the pages"),
    ("a score is a query times a key", "a score is the dot product of a query and a key"),
    ("the product of a query and a key", "the dot product of a query and a key"),
    ("what was learnt", "what was learned"),
    ("the row is normalized", "the row is normalised by the tokenizer, whatever its size"),
    ("its color is gray", "its colour is grey, and the catalogue has it"),
    ("the start mark, and the end token", "BOS, and EOS"),
    ("divided by √d_head", "divided by √d_k, in code `d_head`"),
    ("the logits \\ell = x W", "the logits z = x W"),
    ("Concat of all, times W^O", "Concat of all, times W_O"),
    ("\\text{head}_h = softmax", "\\text{head}_0 to \\text{head}_{h-1}"),
    ("a matrix of 7×64 numbers", "a matrix of 7 × 64 numbers"),
    ("each of 4·7 numbers", "each of 4 · 7 numbers"),
]  # fmt: skip


def planted(root, text):
    (root / "README.md").write_text(f"# Title\n\n{text}.\n")
    return [fault.rule for fault in faults(root)]


@pytest.mark.parametrize(("stiff", "natural"), STIFF_AND_NATURAL, ids=[pair[0] for pair in STIFF_AND_NATURAL])
def test_a_planted_phrase_is_found_and_what_stands_in_its_place_is_not(tmp_path, stiff, natural):
    assert planted(tmp_path, stiff)
    assert planted(tmp_path, natural) == []


def test_every_rule_is_broken_by_one_of_the_planted_phrases():
    assert [
        rule.says for rule in RULES if not any(rule.breaks(stiff) for stiff, _ in STIFF_AND_NATURAL)
    ] == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("docs/more.md", "| what | learnt words |\n"),
        ("explorer/lessons/content/01-a.toml", 'text = "It was learnt once."\n'),
        ("explorer/glossary/terms.toml", '[[term]]\ntext = "What was learnt before."\n'),
        ("pages/model/masks.py", 'def f():\n    st.write(f"It learnt {n} words")\n'),
        ("explorer/views/masks/data.py", "TEXT = (\n    'of all that '\n    'was learnt'\n)\n"),
        ("explorer/browser/stop/view.ts", "const text = `it learnt ${n} words`; // and no more\n"),
        ("explorer/browser/stop/rail.ts", "const text = n ? `for ${plural(`learnt word ${n}`)}` : '';\n"),
        ("explorer/browser/tensor_view/panel.ts", 'const text = /["\']/.test(x) ? "it learnt words" : "";\n'),
        ("core/config.py", 'raise ConfigError("leave out what was learnt")\n'),
        ("core/device.py", '"""What was learnt by now."""\n'),
        ("docs/a.md", "It translates what was learnt.\n"),
        ("explorer/views/a/component/map.ts", 'const a = "each cell: what was learnt; the share of it";\n'),
        ("pages/training/mistakes.py", 'X = "Every pair: what was learnt, and where; a click opens it."\n'),
    ],
)
def test_a_text_is_found_wherever_it_stands(tmp_path, file, text):
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(text)
    assert [fault.where.split(":")[0] for fault in faults(tmp_path)] == [file]


def test_a_hint_that_is_a_fragment_is_found(tmp_path):
    lesson = tmp_path / "explorer/lessons/content/01-a.toml"
    lesson.parent.mkdir(parents=True)
    lesson.write_text(
        '[[stops]]\ntext = "A row."\nlook = "Look at its ids."\n[[stops]]\nlook = "The ids under it."\n'
    )
    assert [(fault.where.split(":")[1], fault.text) for fault in faults(tmp_path)] == [
        ("5", "The ids under it.")
    ]


def test_what_is_no_text_for_people_is_left_alone(tmp_path):
    (tmp_path / "explorer").mkdir()
    (tmp_path / "explorer/view.py").write_text(
        'KEY = "learnt"\nSTYLE = ".learnt { color: red; }"\nSQL = "SELECT learnt FROM facts"\n# what was learnt\n'
    )
    (tmp_path / "explorer/moved.ts").write_text(
        'a = "translate(learnt 3px)"; b = "top: learnt 1px;"; c = `margin: learnt 0; padding: ${n}px 0`;\n'
    )
    (tmp_path / "explorer/made.ts").write_text('// what was learnt\nconst a = "one";\n')
    (tmp_path / "explorer/made.js").write_text('const a = "it was learnt, once";\n')
    assert list(faults(tmp_path)) == []


def test_texts_are_read_as_they_are_shown():
    assert list(of_python('"""Docs."""\nx = f"{n} of {m} words" "and more"\n')) == [
        (2, f"{GAP} of {GAP} wordsand more")
    ]
    assert list(of_typescript('x(`${n} of ${f(`${m} it`)}`, "a \\" b"); // "c"\nconst r = /"/;')) == [
        (1, f"{GAP} of {GAP}"),
        (1, f"{GAP} it"),
        (1, 'a \\" b'),
    ]
    assert list(of_toml('a = "one"\n[b]\nc = ["two", "three"]\n')) == [(1, "one"), (3, "two"), (3, "three")]
    assert list(of_markdown("# A\n\nTwo\nlines.\n\n```\ncode\n```\n- item\n\n    more code\n")) == [
        (1, "# A"),
        (3, "Two lines."),
        (9, "- item"),
    ]


def test_the_list_has_docs_lessons_and_glossary_first_and_each_room_after_its_page():
    files = list(dict.fromkeys(each.file for each in sentences()))
    order = [
        "README.md",
        "docs/architecture.md",
        "explorer/lessons/content/01-tokens.toml",
        "explorer/glossary/terms.toml",
        "pages/model/masks.py",
        "explorer/views/masks/words.py",
        "pages/training/runs.py",
        "explorer/browser/stop/view.ts",
        "core/config.py",
    ]
    assert [files.index(file) for file in order] == sorted(files.index(file) for file in order)
    assert any(each.text.startswith("Attention in which queries") for each in sentences())
    assert any(
        each.text.startswith("How the decoder") or each.file == "core/config.py" for each in docstrings()
    )


def test_the_words_of_the_product_keep_every_rule(capsys):
    assert main(["--check"]) == 0, capsys.readouterr().out
