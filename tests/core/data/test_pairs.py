"""Laws of reading a user's own pairs."""

import codecs
import os
import time
import tracemalloc
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.pairs import (
    Drop,
    DropReason,
    PairLimits,
    PairsFile,
    pairs_to_tsv,
    parse_copy,
    parse_pairs,
    read_pairs,
)
from core.data.tasks.task import Pair
from core.errors import InputError
from tests.marks import left_to_proofs

# Pieces that mean something to one layout or another, so that random files are not all refused at once.
PIECES = st.sampled_from(
    [
        *("a", "b", "é", "e\u0301", "1", "22", "source", "target", "#", '"', '""', "\t", "\t", ",", ";", "|"),
        *("\n", "\n", "\r\n", "\r", " ", "\x00", "\ufeff", "\u202e", "\x1c", "\x85", "\u2028", "<b>", "&lt;"),
        *("#html:true\n", "#separator:", "comma\n", "tab\n", "#columns:a\n", "#tags column:1\n", "&#x9;"),
    ]
)
LIVELY_BYTES = st.one_of(
    st.binary(),
    st.text().map(str.encode),
    st.lists(PIECES, max_size=25).map("".join).map(str.encode),
    st.lists(PIECES, max_size=25).map(lambda pieces: "".join(pieces).encode("utf-16")),
)
NAMES = st.sampled_from(["pairs.tsv", "pairs.csv", "pairs"])


def sides(found: PairsFile):
    return [(pair.source, pair.target) for pair in found.pairs]


def parsed(text, name="pairs.tsv", limits=None):
    data = text if isinstance(text, bytes) else text.encode()
    return parse_pairs(data, name, limits) if limits else parse_pairs(data, name)


def reasons(found):
    return {drop.reason: (drop.count, drop.lines) for drop in found.report.drops}


def refusal_of(data, name):
    """The sentence with which bytes are refused, empty where they are read."""
    try:
        parse_pairs(data, name)
    except InputError as refusal:
        return str(refusal)
    return ""


CAT = [("the cat", "die Katze"), ("a dog", "ein Hund")]


@pytest.mark.parametrize(
    ("name", "data", "layout"),
    [
        ("x.tsv", "the cat\tdie Katze\na dog\tein Hund\n", "tab-separated, 2 columns"),
        ("x", "the cat\tdie Katze\na dog\tein Hund", "tab-separated, 2 columns"),
        ("x.txt", "the cat\tdie Katze\r\n\r\na dog\tein Hund\r\n", "tab-separated, 2 columns"),
        ("x.txt", "the cat\tdie Katze\ra dog\tein Hund\r", "tab-separated, 2 columns"),
        ("x.txt", codecs.BOM_UTF8 + b"the cat\tdie Katze\na dog\tein Hund", "tab-separated, 2 columns"),
        ("x.txt", "the cat\tdie Katze\na dog\tein Hund".encode("utf-16"), "tab-separated, 2 columns"),
        ("x.CSV", "the cat,die Katze\na dog,ein Hund\n", "comma-separated, 2 columns"),
        ("x.csv", '"the cat","die\nKatze"\n"a dog", "ein Hund"', "comma-separated, 2 columns"),
        ("x.csv", "the cat;die Katze\na dog;ein Hund\n", "semicolon-separated, 2 columns"),
        ("x.csv", "the cat|die Katze\na dog|ein Hund\n", "pipe-separated, 2 columns"),
        ("x.csv", "the cat\tdie Katze\na dog\tein Hund\n", "tab-separated, 2 columns"),
        ("x.txt", "#separator:tab\nthe cat\tdie Katze\na dog\tein Hund\n", "tab-separated, 2 columns"),
        ("x.txt", "#separator:Comma\nthe cat,die Katze\na dog,ein Hund\n", "comma-separated, 2 columns"),
        ("x.txt", "#separator:;\nthe cat;die Katze\na dog;ein Hund\n", "semicolon-separated, 2 columns"),
        ("x.txt", "#separator: Pipe\nthe cat|die Katze\na dog|ein Hund\n", "pipe-separated, 2 columns"),
        ("x.txt", "#separator:colon\nthe cat:die Katze\na dog:ein Hund\n", "colon-separated, 2 columns"),
        (
            "x.txt",
            '#separator:space\n"the cat" "die Katze"\n"a dog" "ein Hund"\n',
            "space-separated, 2 columns",
        ),
        (
            "x.txt",
            "#html:true\nthe <b>c</b>at\tdie&nbsp;Katze\na<br>dog\t<div>ein Hund</div>",
            "tab-separated, 2 columns",
        ),
        (
            "x.txt",
            "#separator:tab\n#guid column:1\n#tags column:4\nQx7\tthe cat\tdie Katze\tpet\nZ\ta dog\tein Hund\t\n",
            "tab-separated, 4 columns",
        ),
        (
            "x.tsv",
            "12\tthe cat\t77\tdie Katze\n13\ta dog\t78\tein Hund\n",
            "tab-separated, 4 columns",
        ),
        ("x.tsv", "the cat\tdie Katze\tby Ann\tmore\na dog\tein Hund\n", "tab-separated, 4 columns"),
    ],
)
def test_the_layouts_that_people_have_are_recognised(name, data, layout):
    found = parsed(data, name)
    assert sides(found) == CAT
    assert (found.report.layout, found.report.dropped, found.report.lines) == (layout, 0, 2)


def test_without_html_tags_and_entities_are_text():
    assert sides(parsed("a <b>\t&amp;")) == [("a <b>", "&amp;")]
    assert sides(parsed("#html:true\na &lt;b&gt;\t&amp;")) == [("a <b>", "&")]


def test_quotes_are_text_in_a_file_without_a_csv_name():
    assert sides(parsed('"Hi," he said.\t"Hallo", sagte er.')) == [('"Hi," he said.', '"Hallo", sagte er.')]


def test_quoted_columns_hold_separators_quotes_and_ends_of_lines():
    found = parsed('"Hi, ""you""\nthere",Hallo\n,x\n', "x.csv")
    assert sides(found) == [('Hi, "you" there', "Hallo")]
    assert reasons(found) == {DropReason.NO_SOURCE: (1, (3,))}


def test_commas_in_sentences_do_not_win_over_the_separator():
    assert sides(parsed("Hi, you;Hallo, du\nYes, sir;Ja\n", "x.csv"))[0] == ("Hi, you", "Hallo, du")
    assert sides(parsed("Hi, you\tHallo, du\nAh, no\n", "x.csv")) == [("Hi, you", "Hallo, du")]


def test_comments_are_left_out_but_a_quoted_number_sign_is_text():
    assert sides(parsed("# by Ann\na\tb\n#c\td\n")) == [("a", "b"), ("#c", "d")]
    assert sides(parsed('# by "Ann\na,b\n#c,d\n"#e",f\n', "x.csv")) == [("a", "b"), ("#c", "d"), ("#e", "f")]


def test_a_third_column_is_kept_for_credits_only():
    found = parsed("a b\tc\tCC-BY 2.0  Ann\nd e\tf\tCC-BY 2.0 Ann\ng h\ti\ng h\ti\tCC-BY 2.0 Bob\n")
    assert [pair.attribution for pair in found.pairs] == ["CC-BY 2.0 Ann", "CC-BY 2.0 Ann", ""]
    assert found.report.sentences()[-1] == "2 pairs say whom to credit; a run keeps that with its pairs."
    assert not any("credit" in sentence for sentence in parsed("a\tb\n").report.sentences())


@pytest.mark.parametrize(
    "first", ["source\ttarget", "SRC\tTgt", "en\tde", "German\tEnglish", "Front\tBack\tby"]
)
def test_a_first_line_of_names_is_a_header(first):
    found = parsed(f"{first}\na b\tc\n")
    assert sides(found) == [("a b", "c")]
    assert found.report.header == tuple(first.split("\t"))
    assert (found.report.lines, found.report.dropped) == (1, 0)


@pytest.mark.parametrize("first", ["it\tes", "source\tQuelle", "en\tin", "no\tso", "the source\ttarget"])
def test_a_first_line_that_may_be_a_pair_is_one(first):
    assert sides(parsed(f"{first}\na b\tc\n"))[0] == tuple(first.split("\t"))


def test_names_further_down_or_below_named_columns_are_a_pair():
    assert sides(parsed("a\tb\nsource\ttarget\n")) == [("a", "b"), ("source", "target")]
    assert sides(parsed("#columns:x\ty\nsource\ttarget\n")) == [("source", "target")]


def test_what_is_dropped_is_counted_by_reason_with_its_first_lines():
    lines = [
        "a\tb",
        "c",
        "\td",
        "a\tb",
        "a\tx",
        "e\t ",
        "w " * 41 + "\ty",
        "f\tf",
        "g\t\ufeff",
        "h\ti",
        "j\tk",
    ]
    found = parsed("\n".join(lines) + "\n\n")
    assert sides(found) == [("a", "b"), ("a", "x"), ("f", "f"), ("h", "i"), ("j", "k")]
    assert reasons(found) == {
        DropReason.NO_TARGET: (3, (2, 6, 9)),
        DropReason.NO_SOURCE: (1, (3,)),
        DropReason.REPEATED: (1, (4,)),
        DropReason.TOO_LONG: (1, (7,)),
    }
    assert (found.report.lines, found.report.kept, found.report.dropped) == (11, 5, 6)


def test_the_report_says_it_in_sentences():
    found = parsed("source\ttarget\na b\tc\nd\ne\n" + "x " * 41 + "\ty\nf\tg\n", "../my pairs.tsv")
    assert found.report.sentences() == (
        "my pairs.tsv has 2 pairs (tab-separated, 2 columns).",
        "Its first line was taken for a header: source, target; to use it as a pair, add --no-header.",
        "3 of 5 lines were dropped: 2 without a target (first: line 3), 1 with a side that is too long (line 5).",
        "A side may have 40 words and 400 characters.",
    )
    assert str(found.report) == " ".join(found.report.sentences())


def test_a_report_of_one_line_is_english_too():
    assert str(parsed("a\tb").report) == "pairs.tsv has 1 pair (tab-separated, 2 columns)."
    assert str(Drop(DropReason.NO_TOKENS, 1_200)) == "1,200 with a side that has no token"
    assert parsed("a\tb\nc").report.sentences()[1] == "1 of 2 lines was dropped: 1 without a target (line 2)."


def test_lines_pairs_and_bytes_are_limited():
    limits = PairLimits(max_bytes=60, max_lines=3, max_pairs=2)
    found = parsed("a b c\td\ne\tf\ng\th\n", limits=limits)
    assert sides(found) == [("a b c", "d"), ("e", "f")]
    assert reasons(found) == {DropReason.BEYOND_LAST: (1, (3,))}
    with pytest.raises(InputError, match="more than 3 lines"):
        parsed("a\tb\n" * 4, limits=limits)
    with pytest.raises(InputError, match="larger than"):
        parsed("a\t" + "b" * 59, limits=limits)


@pytest.mark.parametrize(
    ("text", "is_kept"), [("a b c", True), ("a b c d", False), ("नमस्ते दोस्तों हिन्दी", True)]
)
def test_words_are_counted_as_spaces_separate_them(text, is_kept):
    found = parsed(f"x\ty\n{text}\tz", limits=PairLimits(max_words=3))
    assert (len(found.pairs) == 2) == is_kept


@pytest.mark.parametrize(("length", "is_kept"), [(400, True), (401, False)])
def test_texts_without_spaces_are_measured_in_characters(length, is_kept):
    assert (len(parsed(f"x\ty\n{'猫' * length}\tz").pairs) == 2) == is_kept


def test_texts_are_composed_and_what_cannot_be_seen_is_removed():
    found = parsed("e\u0301 \u00a0 x\u200b\x07y\u202e\ta\x07\u0301\n")
    assert sides(found) == [("é xy", "á")]
    # Joiners belong to the spelling of Persian, Hindi and emoji.
    assert sides(parsed("می\u200cخواهم\t👩\u200d🔬\n")) == [("می\u200cخواهم", "👩\u200d🔬")]


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("x.tsv", b"", "no line with a pair"),
        ("x.tsv", codecs.BOM_UTF8, "no line with a pair"),
        ("x.tsv", b"\n \n\t\n\r\n", "no line with a pair"),
        ("x.tsv", b"# one\n# two\n", "no line with a pair"),
        ("x.tsv", b"source\ttarget\n", "nothing below its first line"),
        ("x.tsv", b"one\ntwo\n", "nothing between source and target"),
        ("x.csv", b"one\ntwo\n", "nothing between source and target"),
        (
            "x.tsv",
            b"one\t\ntwo\t\n\tthree\n",
            r"2 without a target \(first: line 1\), 1 without a source \(line 3\)",
        ),
        ("x.tsv", b"a\tb\r\nc\r\rd\xe9\te", r"byte 0xE9 in line 4"),
        ("x.tsv", "a\tb".encode("utf-16")[:-1], "byte 6"),
        ("x.tsv", "a\tb".encode("utf-16-le"), "not plain text"),
        ("x.tsv", b"\x89PNG\r\n\x1a\n\x00\x00", "is a PNG picture, which is not read"),
        ("x.tsv", b"PK\x03\x04\x00\x00", "is a ZIP archive, which is not read"),
        ("x.csv", b'a,b\nc,d\n"e,f\ng,h\n', r"line 3 of x\.csv cannot be cut"),
        ("x.csv", b'"a,b\nc,d\n', r"line 1 of x\.csv cannot be cut"),
        ("x.csv", b'a,b\nc,"d" e\n', r"line 2 of x\.csv cannot be cut"),
        ("x.txt", b'#separator:tab\n# more\na\tb\n\n"c\td\n', r"line 5 of x\.txt cannot be cut"),
        ("x.txt", b"#separator:banana\na\tb\n", "separator that is not known"),
        ("x.txt", b'#separator:"\na\tb\n', "separator that is not known"),
        ("x.csv", b"a," + b"b" * 200_000, "too long"),
        ("x.tsv", b"a\t" + b"b" * 1_000_000, "too long"),
        ("x.tsv", b"a" * 2_000_001, "larger than 2 MB"),
    ],
)
def test_a_bad_file_is_refused_with_one_sentence(name, data, sentence):
    with pytest.raises(InputError, match=sentence) as refusal:
        parse_pairs(data, name)
    message = str(refusal.value)
    assert "x." in message
    assert len(message) < 200
    assert message.isprintable()


def test_a_hostile_name_is_not_printed():
    with pytest.raises(InputError) as refusal:
        parse_pairs(b"", "a\n\x1b[31m\u202e" + "b" * 5_000)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 150
    with pytest.raises(InputError, match=r"^the file has"):
        parse_pairs(b"", "\n")


@pytest.mark.sweep
@pytest.mark.parametrize(
    "data",
    [
        b"x\t" * 999_999,
        b"x," * 999_999,
        b'"\n' * 99_999,
        b'",' * 900_000,
        b"| " * 900_000 + b"x",
        b"a,\n" * 99_999,
        b"<" * 1_900_000 + b"\tb",
        b"#html:true\n" + b"<" * 1_900_000 + b"\tb",
        b"#html:true\n" + b"&#" * 900_000 + b"\tb",
        b"#html:true\n" + b"&" * 1_900_000 + b"\tb",
        b"#html:true\n&#" + b"9" * 1_000_000 + b";\tb",
        b"#a:b\n" * 99_999,
        b"#separator:" + b"x" * 1_900_000,
        "".join(f"{number} \t{number}a\n" for number in range(99_999)).encode()[:2_000_000],
    ],
    ids=lambda data: str(data[:14]),
)
@pytest.mark.parametrize("name", left_to_proofs(["x.tsv", "x.csv"], {"x.tsv"}))
def test_hostile_files_are_read_or_refused_within_moments(name, data):
    before = time.process_time()
    message = refusal_of(data, name)
    assert time.process_time() - before < 15
    assert len(message) < 200


@pytest.mark.proof
@pytest.mark.parametrize(
    "data", [b"x\t" * 999_999, b"a\t\n" * 99_999, b'"\n' * 99_999], ids=["wide", "long", "quotes"]
)
def test_hostile_files_take_little_memory(data):
    tracemalloc.start()
    refusal_of(data, "x.csv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 * len(data)


@given(LIVELY_BYTES, NAMES)
def test_any_bytes_are_read_or_refused(data, name):
    if message := refusal_of(data, name):
        assert message.isprintable()
        return
    found = parse_pairs(data, name)
    assert found.report.kept == len(found.pairs) > 0
    assert found.report.lines == found.report.kept + found.report.dropped
    assert len({(pair.source, pair.target) for pair in found.pairs}) == len(found.pairs)
    for text in (text for pair in found.pairs for text in (pair.source, pair.target)):
        assert text == unicodedata.normalize("NFC", " ".join(text.split())) != ""
        assert not any(unicodedata.category(character) == "Cc" for character in text)


@given(LIVELY_BYTES, NAMES)
def test_a_copy_reads_back_identically(data, name):
    if refusal_of(data, name):
        return
    found = parse_pairs(data, name)
    assert parse_copy(pairs_to_tsv(found.pairs), "copy.tsv") == found.pairs


@pytest.mark.parametrize(
    "pair", [("source", "target"), ("#a", "#b"), ('"a', 'b"'), ("1", "2"), ("a", "a"), ("#html:true", "<b>")]
)
def test_a_copy_of_a_pair_that_looks_like_something_else_reads_back(pair):
    source, target = pair
    pairs = (Pair(source, target, ()), Pair("x", "y", ()), Pair("z", "y", ()))
    assert parse_copy(pairs_to_tsv(pairs), "copy.tsv") == pairs
    assert parse_copy(pairs_to_tsv(pairs[:1]), "copy.tsv") == pairs[:1]


def test_the_copy_of_the_largest_upload_may_be_larger_than_an_upload():
    # Each of these letters is one character of three bytes, which Unicode composes of two.
    found = parsed("".join(f"{number}\t{chr(0x958) * 200}\n" for number in range(3_200)))
    copy = pairs_to_tsv(found.pairs)
    assert len(copy) > 2_000_000
    assert parse_copy(copy, "copy.tsv") == found.pairs


def test_pairs_are_written_to_a_file_and_read_from_it(tmp_path):
    found = parsed("a b\tc\tCC-BY Ann\nd\te\n")
    (tmp_path / "pairs.tsv").write_bytes(pairs_to_tsv(found.pairs))
    again = read_pairs(tmp_path / "pairs.tsv")
    assert (again.pairs, again.report.name) == (found.pairs, "pairs.tsv")
    assert again.pairs[0].attribution == "CC-BY Ann"


def test_files_that_cannot_be_read_are_refused(tmp_path):
    (tmp_path / "large.tsv").write_bytes(b"a\tb\n" * 600_000)
    os.mkfifo(tmp_path / "pipe.tsv")
    for name in ("missing.tsv", ".", "large.tsv", "pipe.tsv", "\0.tsv"):
        with pytest.raises(InputError) as refusal:
            read_pairs(tmp_path / name)
        assert len(str(refusal.value)) < 200


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    with open(tmp_path / "huge.tsv", "wb") as file:
        file.truncate(2**40)
    with pytest.raises(InputError, match="larger"):
        read_pairs(tmp_path / "huge.tsv")
