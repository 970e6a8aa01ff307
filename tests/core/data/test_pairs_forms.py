"""Laws of the forms in which pairs are read: each is recognised by what it holds, and the others are named."""

import gzip
import io
import json
import zipfile

import pytest

from core.data.pairs import DropReason, PairLimits, ReadingOptions, parse_aligned, parse_pairs, read_aligned
from core.errors import InputError

LAMP = [("red lamp", "rot Lampe"), ("blue door", "blau Tür")]
PO_HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def tmx(*units, head='<header srclang="en"/>', before=""):
    body = "".join(f"<tu>{unit}</tu>\n" for unit in units)
    return f'<?xml version="1.0"?>\n{before}<tmx version="1.4">{head}<body>\n{body}</body></tmx>'


def segment(language, text):
    return f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'


UNITS = [segment("en", source) + segment("de", target) for source, target in LAMP]


def read(data, name="x.txt", **options):
    return parse_pairs(
        data if isinstance(data, bytes) else data.encode(), name, options=ReadingOptions(**options)
    )


def sides(found):
    return [(pair.source, pair.target) for pair in found.pairs]


def reasons(found):
    return {drop.reason: (drop.count, drop.lines) for drop in found.report.drops}


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("".join(json.dumps({"source": s, "target": t}) + "\n" for s, t in LAMP), "JSON lines"),
        ("".join(json.dumps([s, t], ensure_ascii=False) + "\n" for s, t in LAMP), "JSON lines"),
        ("".join(json.dumps({"translation": {"en": s, "de": t}}) + "\n" for s, t in LAMP), "JSON lines"),
        (json.dumps([{"id": 7, "answer": t, "question": s} for s, t in LAMP], indent=1), "JSON"),
        (json.dumps(LAMP), "JSON"),
        (json.dumps(dict(LAMP)), "JSON"),
        (json.dumps({"src": [s for s, _ in LAMP], "tgt": [t for _, t in LAMP]}), "JSON"),
        (json.dumps({"en": dict(enumerate(s for s, _ in LAMP)), "de": dict(enumerate(t for _, t in LAMP))}), "JSON"),
        (json.dumps({"version": "1", "data": [{"input": s, "output": t} for s, t in LAMP]}), "JSON"),
        (tmx(*UNITS), "TMX"),
        (tmx(*UNITS, before='<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'), "TMX"),
        (tmx(*(segment("de", t) + segment("en", s) for s, t in LAMP)), "TMX"),
        (PO_HEAD + "".join(f'#: a.c:1\nmsgid "{s}"\nmsgstr "{t}"\n\n' for s, t in LAMP), "PO"),
        ("".join(f'msgctxt "menu"\nmsgid ""\n"{s}"\nmsgstr "{t}"\n\n' for s, t in LAMP), "PO"),
        ("".join(f"{s} ||| {t}\n" for s, t in LAMP), "separated by |||, 2 columns"),
        ("".join(f"{s}|||{t}\n" for s, t in LAMP), "separated by |||, 2 columns"),
        ("".join(f"{s} => {t}\n" for s, t in LAMP), "separated by =>, 2 columns"),
        ("".join(f"{s} → {t}\n" for s, t in LAMP), "separated by →, 2 columns"),
        ("".join(f"IN: {s} OUT: {t}\n" for s, t in LAMP), "IN: … OUT: …"),
        ("".join(f"source: {s} target: {t}\n" for s, t in LAMP), "SOURCE: … TARGET: …"),
        ("".join(f"Q: {s}\nA: {t}\n\n" for s, t in LAMP), "Q: and A: on two lines"),
        ("".join(f"{s}   {t}\n" for s, t in LAMP), "dictionary, separated by spaces, 2 columns"),
        ("| en | de |\n|---|:-:|\n" + "".join(f"| {s} | {t} |\n" for s, t in LAMP), "table drawn with |, 2 columns"),
        ("".join(f"{s},{t}\n" for s, t in LAMP), "comma-separated, 2 columns"),
        ("".join(f"{s};{t}\n" for s, t in LAMP), "semicolon-separated, 2 columns"),
        ("sep=;\n" + "".join(f"{s};{t}\n" for s, t in LAMP), "semicolon-separated, 2 columns"),
        ("".join(f'"{s}","{t}"\n' for s, t in LAMP), "comma-separated, 2 columns"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["pasted pairs", "x.tsv"])
def test_forms_are_recognised_by_content(text, layout, name):
    found = read(text, name)
    assert sides(found) == LAMP
    assert (found.report.layout, found.report.dropped) == (layout, 0)
    assert sides(read(text.replace("\n", "\r\n"), name)) == LAMP
    assert sides(read(text.encode("utf-16"), name)) == LAMP


def test_sentences_with_commas_are_not_cut():
    with pytest.raises(InputError, match="nothing between source and target"):
        read("Hello, my friend\nBye, you, and me\nNo\n")
    assert sides(read("Hello, you\tHallo, du\nYes, sir\tJa\n"))[0] == ("Hello, you", "Hallo, du")


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (";;; sounds\nBANI  B AA N IH\nBANI(1)  B AH N IH\n", [("BANI", "B AA N IH"), ("BANI", "B AH N IH")]),
        ("the\tDH AH0\nthe(2)\tDH IY0\n", [("the", "DH AH0"), ("the", "DH IY0")]),
        ("ba B AA1\nbo B OW1\nbo(2) B AO1\n", [("ba", "B AA1"), ("bo", "B OW1"), ("bo", "B AO1")]),
    ],
)
def test_dictionaries_give_words_their_sounds(text, pairs):
    found = read(text)
    assert sides(found) == pairs
    assert "1 numbered alternative" in str(found.report)
    assert found.report.comments.count == text.count(";;;")


def test_a_bracketed_number_without_its_word_stays():
    assert sides(read("f(1)\tone\nf(2)\ttwo\ng(3)\tthree\n")) == [
        ("f(1)", "one"),
        ("f(2)", "two"),
        ("g(3)", "three"),
    ]


def test_a_list_of_targets_is_several_pairs():
    found = read('{"src": "a", "tgt": ["b", "c"], "tags": ["x", "y"]}\n{"src": "d", "tgt": "e"}\n')
    assert sides(found) == [("a", "b"), ("a", "c"), ("d", "e")]
    assert found.report.dropped == 0
    assert sides(read('{"a": ["b", "c"], "d": "e"}')) == [("a", "b"), ("a", "c"), ("d", "e")]


def test_broken_records_are_counted_with_their_place():
    found = read(
        '{"source": "a", "target": "b"}\n{"source": \n{"source": "c"}\n{"source": "d", "target": "e"}\n'
    )
    assert sides(found) == [("a", "b"), ("d", "e")]
    assert reasons(found) == {DropReason.UNREADABLE: (1, (2,)), DropReason.NO_TARGET: (1, (3,))}
    halves = read('[["a", "\\ud800"], ["b", "c"], ["d"]]')
    assert sides(halves) == [("b", "c")]
    assert (
        "2 of 3 entries were dropped: 1 not readable in this form (entry 1), 1 without a target (entry 3)."
        in str(halves.report)
    )


@pytest.mark.parametrize("text", ["{a}\tb\n{c}\td\n", "[1] x\t[2] y\n[3]\t[4]\n"])
def test_brackets_at_the_beginning_make_no_json(text):
    assert len(read(text).pairs) == 2


def test_units_of_a_memory_may_lack_a_language_or_have_several_texts():
    found = read(tmx(segment("en", "a") + segment("de", "b") + segment("de", "c"), segment("en", "d")))
    assert sides(found) == [("a", "b"), ("a", "c")]
    assert reasons(found) == {DropReason.NO_TARGET: (1, (4,))}


def test_codes_within_segments_are_no_text():
    text = segment("en", 'a <bpt i="1">&lt;b&gt;</bpt><hi>b</hi> &amp; c') + segment("de-DE", "d")
    assert sides(read(tmx(text))) == [("a b & c", "d")]


def test_a_third_language_is_named_and_can_be_chosen():
    text = tmx(segment("en", "a") + segment("de", "b") + segment("fr", "c"))
    assert "It uses columns 1 (en) and 2 (de) of 3; column 3 (fr) is not used" in str(read(text).report)
    assert sides(read(text, columns=(3, 1))) == [("c", "a")]


@pytest.mark.parametrize(
    "entity",
    [
        '<!ENTITY a "x">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a "x">',
        '<!ENTITY a "&b;&b;"><!ENTITY b "x">',
    ],
)  # fmt: skip
def test_entities_are_never_read(entity):
    with pytest.raises(InputError, match="has entities of its own, which are not read"):
        read(tmx(*UNITS, before=f"<!DOCTYPE tmx [{entity}]>\n"))


def test_untranslated_messages_are_counted():
    text = PO_HEAD + (
        'msgid "one file"\nmsgid_plural "%d files"\nmsgstr[0] "eine Datei"\nmsgstr[1] "%d Dateien"\n\n'
        '#, fuzzy\nmsgid "x"\nmsgstr "y"\n\nmsgid "open"\nmsgstr ""\n\n#~ msgid "old"\n#~ msgstr "alt"\n'
    )
    found = read(text)
    assert sides(found) == [("one file", "eine Datei"), ("%d files", "%d Dateien")]
    assert {reason: count for reason, (count, _) in reasons(found).items()} == {
        DropReason.UNFINISHED: 2,
        DropReason.NO_TARGET: 1,
    }


def archive(path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr(path, "x")
    return data.getvalue()


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (
            b'<?xml version="1.0"?>\n<xliff version="1.2"></xliff>',
            "XLIFF, which is not read; export it as TMX",
        ),
        (b"<!DOCTYPE html>\n<html></html>", "HTML, which is not read"),
        (b"<!-- x > --><TS>\n</TS>", "a Qt Linguist file"),
        (b"<pairs>\n<pair/>\n</pairs>", "XML, which is not read; export it as TMX"),
        (archive("xl/workbook.xml"), "an Excel workbook"),
        (archive("word/document.xml"), "a Word document"),
        (archive("notes.txt"), "a ZIP archive"),
        (gzip.compress(b"a\tb\n", mtime=0), "a gzip archive, which is not read; unpack it first"),
        (b"%PDF-1.7\n", "PDF"),
        (b"{\\rtf1 a}", "RTF"),
        (b"SQLite format 3\0", "a SQLite database"),
        (b"1\n00:00:01,000 --> 00:00:02,000\nHi\n", "a file of subtitles"),
        (b'{"source": "a", "target"', "begins as JSON does"),
        (b"[1, 2, 3]", "JSON without pairs"),
        (b"[" * 100_000, "begins as JSON does"),
        (tmx(segment("en", "a")).encode(), "TMX without a unit in two languages"),
        (tmx(*UNITS)[:-9].encode(), "TMX that cannot be read"),
        (b'msgid "a"\nmsgstr "b"\nmsgid "c\nmsgstr\n', r"PO file that cannot be read \(line 4\)"),
        (
            b"a cat\neine Katze\na dog\nein Hund\n",
            "join alternating lines with “paste - -”, or give two files",
        ),
    ],
)
def test_other_forms_are_named_with_a_way_out(data, form):
    with pytest.raises(InputError, match=form) as refusal:
        read(data, "corpus.x")
    assert str(refusal.value).startswith("corpus.x ")
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("text", ["<b>a</b>\tc\n<i>b</i>\td\n", "<en> a\t<de> b\n<en> c\t<de> d\n"])
def test_markup_in_cells_is_no_document(text):
    assert len(read(text).pairs) == 2


def test_two_files_answer_each_other_line_by_line(tmp_path):
    (tmp_path / "c.en").write_text("red lamp\n\n# x\n\nblue door\n")
    (tmp_path / "c.de").write_text("rot Lampe\nleer\ny\n\nblau Tür")
    found = read_aligned(tmp_path / "c.en", tmp_path / "c.de")
    assert sides(found) == [("red lamp", "rot Lampe"), ("# x", "y"), ("blue door", "blau Tür")]
    assert reasons(found) == {DropReason.NO_SOURCE: (1, (2,))}
    assert found.report.sentences()[0] == "c.en with c.de has 3 pairs (two files, 2 columns)."


def test_two_files_of_different_length_are_refused_with_both_counts():
    with pytest.raises(InputError, match=r"a\.en has 3 lines and a.de 2"):
        parse_aligned(b"a\nb\nc\n", b"x\ny\n", ("a.en", "a.de"))
    with pytest.raises(InputError, match=r"a.de is larger than 1e-05 MB.*--max-bytes.*EXPLORER_PAIRS_MB"):
        parse_aligned(b"a\n", b"x\n" * 9, ("a.en", "a.de"), PairLimits(max_bytes=10))


@pytest.mark.parametrize(("source", "target"), [(b"a\nb\n\n \n", b"x\ny"), (b"a\nb\n", b"x\ny\n\n")])
def test_empty_lines_at_the_end_of_one_file_do_not_count(source, target):
    assert sides(parse_aligned(source, target, ("a", "b"))) == [("a", "x"), ("b", "y")]


def test_names_in_the_first_lines_of_two_files_are_a_header():
    found = parse_aligned(b"German\nrot\n", b"English\nred\n", ("a.de", "a.en"))
    assert (sides(found), found.report.header) == ([("rot", "red")], ("German", "English"))
    labels = parse_aligned(b"good\nbad\n" * 20, b"".join(b"f %d\n" % n for n in range(40)), ("a", "b"))
    assert sides(labels)[0] == ("good", "f 0"), "the user has said which file holds the sources"


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ('"red lamp\nplease"\t"a ""b"""\nx\ty\n', [("red lamp please", 'a "b"'), ("x", "y")]),
        ('"a\tb"\tc\nd\t"e"\n', [("a b", "c"), ("d", "e")]),
        ('"a" b\t"c"\nd\te\n', [('"a" b', '"c"'), ("d", "e")]),
        ('"a\tb\nc\td"\ne\tf\n', [('"a', "b"), ("c", 'd"'), ("e", "f")]),
        ('say "a"\tb "c"\n', [('say "a"', 'b "c"')]),
    ],
)
def test_fitting_quotes_of_cells_are_read(text, pairs):
    found = read(text)
    assert sides(found) == pairs
    assert ("without the outer quotes" in str(found.report)) == (pairs[0][0][0] != '"' and text[0] == '"')


@pytest.mark.parametrize(
    ("text", "kept", "comments"),
    [
        ("# add x\tm += x\nreturn\treturn;\n", 2, ()),
        ("#include <x>\tb\n# a note\nc\td\n", 2, (2,)),
        ("#love\tb\n#1\td\n#html:true\tc\n", 3, ()),
        ("#separator:tab\n# made by Ann\n#html:false\na\tb\n#c\td\n", 2, (2,)),
        ("#Author: Ann\na\tb\n", 1, (1,)),
    ],
)
def test_number_sign_before_a_separator_begins_a_pair(text, kept, comments):
    found = read(text)
    assert len(found.pairs) == kept
    assert found.report.comments.lines == comments
    assert ("left out" in str(found.report)) == bool(comments)


def test_all_targets_of_a_source_are_kept():
    found = read("go\tgeh\ngo\tlauf\ngo\tgeh\nrun\tlauf\n")
    assert sides(found) == [("go", "geh"), ("go", "lauf"), ("run", "lauf")]
    assert reasons(found) == {DropReason.REPEATED: (1, (3,))}


def test_unchanged_pairs_are_kept_and_reported():
    text = "colour\tcolor\nfour\tfour\nhour\thour\n"
    found = read(text)
    assert (len(found.pairs), found.report.unchanged.lines) == (3, (2, 3))
    sentence = (
        "2 pairs have a target equal to its source (first: line 2); kept, unless you add --drop-unchanged."
    )
    assert sentence in found.report.sentences()
    assert reasons(read(text, drop_unchanged=True)) == {DropReason.IDENTICAL: (2, (2, 3))}


def test_changes_are_counted_by_side_and_kind_with_their_first_line():
    found = read("a\tb\nc  d\te\u0301\nf\u200bg\th  i\nj\u200bk\u00a0l\tm\u00adn\n")
    assert {(c.side, str(c.change)): (c.count, c.lines) for c in found.report.changes} == {
        ("source", "spaces"): (2, (2, 4)),
        ("source", "invisible characters"): (2, (3, 4)),
        ("target", "composed characters"): (1, (2,)),
        ("target", "spaces"): (1, (3,)),
    }
    assert "2 sources: spaces (first: line 2)" in str(found.report)
    assert sides(found)[-1] == ("jk l", "m\u00adn")


def test_sentences_of_a_form_leave_out_flags_of_its_controls():
    report = read("id\tsource\ttarget\n1\ta  b\tc\n2\td\td\n").report
    flags = ("--no-header", "--columns", "--drop-unchanged")
    assert all(flag in str(report) for flag in flags)
    said = " ".join(report.sentences(names_flags=False))
    assert not any(flag in said for flag in flags)
    for fact in (
        "header: id, source, target.",
        "columns 2 (source) and 3 (target) of 3",
        "1 source: spaces",
        "kept.",
    ):
        assert fact in said


@pytest.mark.parametrize(
    "target",
    [
        "लाल मकान",
        "بَيْتٌ كَبِيرٌ",
        "שָׁלוֹם",
        "น้ำดื่ม",
        "一丁七",
        "မြန်မာ",
        "lọ̀",
        "می\u200cخواهم",
        "👩\u200d🔬❤️",
        "B AA N IH",
    ],
)
def test_texts_of_all_scripts_stay_as_they_are(target):
    found = read(f"a b\t{target}\nc\t{target} {target}\n")
    assert sides(found) == [("a b", target), ("c", f"{target} {target}")]
    assert found.report.changes == ()


def test_spaces_are_kept_on_request():
    found = read("set i\t    i = 0\nprint  x\tprint('  ')\t\n", keep_spaces=True)
    assert sides(found) == [("set i", "    i = 0"), ("print  x", "print('  ')")]
    assert found.report.changes == ()
    assert sides(read('"if x:\n  y"\tz\n', keep_spaces=True)) == [("if x:\n  y", "z")]
    assert sides(read("a,   b\nc,d\n", "x.csv", keep_spaces=True)) == [("a", "   b"), ("c", "d")]


def test_break_marks_in_targets_are_the_task():
    found = read("".join(f"{chr(0x1780 + n)}ក\t{chr(0x1780 + n)}\u200bក\n" for n in range(10)))
    assert all("\u200b" in pair.target for pair in found.pairs)
    assert (found.report.unchanged.count, found.report.changes) == (0, ())


def test_questions_and_answers_may_have_several_lines():
    texts = [("What does\nthe red lamp\nshow?", "That the\nengine runs."), ("Why?", "Nobody\nknows\nthat.")]
    found = read(
        "# Of Ann\n" + "".join(f"Q: {question}\nA: {answer}\n\n" for question, answer in texts), "x.txt"
    )
    assert sides(found) == [
        (question.replace("\n", " "), answer.replace("\n", " ")) for question, answer in texts
    ]
    assert [found.report.comments.count, found.report.dropped] == [1, 0]
