"""Laws of files of records: what of JSON, PO and TMX becomes pairs, and that the rest is named."""

import json

import pytest

from core.data.pairs import DropReason, parse_pairs
from core.errors import InputError

WORDS = [(f"red lamp {n}", f"rote Lampe {n}") for n in range(12)]


def read(text, name="x.json"):
    return parse_pairs(text.encode(), name)


def lines(make):
    return "".join(json.dumps(make(source, target)) + "\n" for source, target in WORDS)


def sides(found):
    return [(pair.source, pair.target) for pair in found.pairs]


@pytest.mark.parametrize(
    "make",
    [
        lambda s, t: {"id": "0", "translation": {"en": s, "id": t}},
        lambda s, t: {"de": "x", "translation": {"xx": s, "de": t}},
        lambda s, t: {"translation": {"en": s, "de": t, "score": 1}, "meta": {"src": "news"}},
        lambda s, t: {"meta": {"src": "news", "n": 1}, "translation": {"en": s, "de": t}},
        lambda s, t: {"translation": {"en": s, "no": t, "fr": "x " + s}},
        lambda s, t: {"question": s, "answers": {"text": [t], "answer_start": [1]}},
        lambda s, t: {"input": {"text": s}, "output": {"text": t}},
    ],
)
def test_inner_objects_give_the_texts(make):
    assert sides(read(lines(make))) == WORDS


@pytest.mark.parametrize(
    ("make", "note"),
    [
        (lambda s, t: {"en": s, "de": t, "meta": {"n": 1}}, "“meta” holds objects in 12 entries; they are not read."),
        (lambda s, t: {"en": s, "de": t, "spans": [{"n": 1}]}, "“spans” holds objects in 12 entries"),
        (lambda s, t: {"translation": {"en": s, "de": t}, "meta": {"src": "x"}}, "“meta” holds objects"),
    ],
)  # fmt: skip
def test_unread_values_are_named(make, note):
    found = read(lines(make))
    assert sides(found) == WORDS
    assert note in str(found.report)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda s, t: {"source": [s, s], "target": t}, "“source” holds lists in 12 entries; only targets may be"),
        (lambda s, t: {"id": 1, "question": s, "sql": {"sel": 1}}, "“sql” holds objects in 12 entries; they are"),
        (lambda s, t: {"question": s, "answer": True}, "“answer” holds true or false in 12 entries; write them as"),
    ],
)  # fmt: skip
def test_refusal_names_wrong_values(make, sentence):
    with pytest.raises(InputError, match=sentence):
        read(lines(make))


def test_repeated_keys_keep_all_targets():
    found = read('{"hello": "a", "hello": "b", "x": "y"}')
    assert sides(found) == [("hello", "a"), ("hello", "b"), ("x", "y")]
    assert sides(read('{"src": "hello", "tgt": "a", "tgt": "b"}\n')) == [("hello", "a"), ("hello", "b")]


def test_lists_of_targets_are_counted():
    text = '{"src": "a", "tgt": ["b", "c"]}\n{"src": "d", "tgt": ["e", "f"]}\n{"src": "g", "tgt": "h"}\n'
    assert "2 entries with lists gave 4 pairs." in str(read(text).report)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "null"])
def test_empty_numbers_are_no_targets(value):
    found = read(f'{{"src": "a", "tgt": "b"}}\n{{"src": "c", "tgt": {value}}}\n')
    assert sides(found) == [("a", "b")]
    assert [(drop.reason, drop.lines) for drop in found.report.drops] == [(DropReason.NO_TARGET, (2,))]


def test_commas_between_lines_of_json_are_no_fault():
    assert sides(read('{"src": "a", "tgt": "b"},\n{"src": "c", "tgt": "d"},\n')) == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize(
    ("source", "separator"),
    [("[{n}; 2]", " => "), ("{{a{n}}}", ","), ("<b>red {n}</b>", ","), ("<b>a {n}</b>", " ||| ")],
)
@pytest.mark.parametrize("target", ["rot {n}", "<b>rot {n}</b>"])
def test_brackets_before_a_separator_are_text(source, separator, target):
    pairs = [(source.format(n=n), target.format(n=n)) for n in range(12)]
    assert sides(read("".join(f"{separator.join(pair)}\n" for pair in pairs), "x.txt")) == pairs


def test_unread_parts_of_messages_are_counted():
    text = (
        'msgid ""\nmsgstr "Plural-Forms: nplurals=3; plural=0;\\n"\n\nmsgctxt "menu"\nmsgid "Open"\nmsgstr "Auf"\n\n'
        'msgid "a file"\nmsgid_plural "files"\nmsgstr[0] "f"\nmsgstr[1] "fa"\nmsgstr[2] "fov"\n'
    )
    found = read(text, "x.po")
    assert sides(found) == [("Open", "Auf"), ("a file", "f"), ("files", "fov")]
    assert "1 plural form between the first and the last of a message is not read (line 8)." in str(
        found.report
    )
    assert "1 message has a context (msgctxt), which is not read (line 4)." in str(found.report)


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        ('red<ph x="1"/>lamp', "red lamp"),
        ('red <bpt i="1">&lt;b></bpt>lamp<ept i="1">&lt;/b></ept>.', "red lamp."),
        ('紅<ph x="1"/>燈', "紅燈"),
    ],
)
def test_codes_of_layout_are_counted_and_join_no_words(segment, text):
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{segment}</seg></tuv><tuv xml:lang="de"><seg>Wort {n}</seg></tuv></tu>\n'
        for n in range(2)
    )
    found = read(f'<tmx version="1.4"><header srclang="en"/><body>\n{units}</body></tmx>', "x.tmx")
    assert sides(found) == [(text, "Wort 0"), (text, "Wort 1")]
    assert "Codes of layout were left out of 2 texts (first: line 2)." in str(found.report)


def test_metadata_never_replace_the_texts_of_a_record():
    found = read(lines(lambda s, t: {"source": s, "target": t, "meta": {"source": "opus", "target": "x"}}))
    assert sides(found) == WORDS


def memory(segments, before="", n_units=1):
    unit = "".join(f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>' for language, text in segments)
    body = f'<header srclang="en"/><body>{f"<tu>{unit}</tu>" * n_units}</body>'
    return f'<?xml version="1.0"?>{before}<tmx version="1.4">{body}</tmx>'


def test_texts_beyond_those_of_a_unit_are_counted():
    found = read(memory([("en", "word"), *(("de", f"Wort {n}") for n in range(20))]))
    assert len(found.pairs) == 16
    assert "A unit may have 16 texts in a language; left out: 4 texts (first: line 1)." in found.report.notes


def test_undeclared_entities_are_refused():
    document = memory([("en", "chips&reg; now"), ("de", "Chips")], before='<!DOCTYPE tmx SYSTEM "tmx14.dtd">')
    with pytest.raises(InputError, match="has entities of its own, which are not read"):
        read(document)


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_line_separators_in_messages_end_no_line(mark):
    found = read(f'msgid ""\nmsgstr ""\n\nmsgid "red{mark}lamp"\nmsgstr "rote Lampe"\n', "x.po")
    assert sides(found) == [("red lamp" if mark.isspace() else "redlamp", "rote Lampe")]


@pytest.mark.parametrize(
    "text",
    [
        memory([(language, f"t{n}") for language in ("en", "de") for n in range(16)], n_units=400),
        json.dumps(
            [{"source": "a", "target": [f"t{n}" for n in range(100_001)], **{f"k{n}": "x" for n in range(9)}}]
        ),
    ],
    ids=["TMX", "JSON"],
)
def test_few_lines_cannot_become_endless_pairs(text):
    with pytest.raises(InputError, match="has more than 100,000 pairs; keep the ones that matter"):
        read(text)


@pytest.mark.parametrize(
    "data",
    [
        '[["", ""], ["red lamp", "rote Lampe"], ["a", "b"]]',
        '["", ""]\n["red lamp", "rote Lampe"]\n["a", "b"]\n',
    ],
)
def test_blank_first_row_is_no_header(data):
    assert sides(read(data)) == [("red lamp", "rote Lampe"), ("a", "b")]
