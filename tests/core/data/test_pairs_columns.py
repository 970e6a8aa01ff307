"""Laws of choosing the columns of a pairs file, and of telling a header from a pair."""

import pytest

from core.data.pairs import DropReason, ReadingOptions, parse_pairs
from core.errors import InputError

COLOURS = ("red", "blue", "green", "old")
THINGS = ("lamp", "door", "boat")
BODY = [(f"{colour} {thing}", f"{thing}-{colour}") for colour in COLOURS for thing in THINGS]


def table(first, row, separator="\t"):
    """Return a file of twelve rows: a first line, and a row for each pair with its number."""
    lines = [row.format(number=number, s=source, t=target) for number, (source, target) in enumerate(BODY, 1)]
    return "\n".join([*([first] if first else []), *lines]).replace("\t", separator).encode()


def read(data, name="pairs.tsv", **options):
    return parse_pairs(data, name, options=ReadingOptions(**options))


def sides(found):
    return [(pair.source, pair.target) for pair in found.pairs]


@pytest.mark.parametrize(
    ("first", "row", "columns"),
    [
        ("corpus\tenglish_sentence\tgerman_sentence", "news\t{s}\t{t}", (2, 3)),
        ("src\tsrc_lang\ttrg\ttrg_lang", "{s}\t<en>\t{t}\t<de>", (1, 3)),
        ("English\tJapanese", "{s}\t{t}", (1, 2)),
        ("human date\tmachine date", "{s}\t{t}", (1, 2)),
        ("sentence\tlogical_form\ttype", "{s}\t{t}\tprimitive", (1, 2)),
        ("\tEnglish\tHindi", "{number}\t{s}\t{t}", (2, 3)),
        ("source\tenglish_sentence", "{s}\t{t}", (1, 2)),
        ("target\tsource", "{t}\t{s}", (2, 1)),
        ("id\tquestion\tscore\tanswer", "{number}\t{s}\t0.5\t{t}", (2, 4)),
        ("Deutsch\tFrançais", "{s}\t{t}", (1, 2)),
        ("हिन्दी\tEnglish", "{s}\t{t}", (1, 2)),
        ("frase en español\tfrase en inglés", "{s}\t{t}", (1, 2)),
        ("número\tfrase in italiano\ttraduzione", "{number}\t{s}\t{t}", (2, 3)),
        ("Satz auf Deutsch\tÜbersetzung", "{s}\t{t}", (1, 2)),
        ("id\tSentence in German\tSentence in English", "{number}\t{s}\t{t}", (2, 3)),
        ("序号\t原文\t译文", "{number}\t{s}\t{t}", (2, 3)),
        ("sourceText\ttargetText", "{s}\t{t}", (1, 2)),
        ("sentence1\tsentence2", "{s} 1\t{t} 2", (1, 2)),
        ("lang\tword\tipa", "eng\t{s}\t{t}", (2, 3)),
        ("no_diacritics\twith_diacritics", "{s}\t{t}", (1, 2)),
        ("split\tnl\tbash", "train\t{s}\t{t}", (2, 3)),
        ("src\ttgt", "{number}\t{s}\t{t}", (2, 3)),
        ("eng_Latn\tdeu_Latn", "{s}\t{t}", (1, 2)),
        ("before\tafter", "{s}\t{t} too", (1, 2)),
        ("Kabardian\tEnglish", "{s}\t{t} too", (1, 2)),
        ("premise\tlabel\thypothesis", "{s}\tyes\t{t}", (1, 3)),
    ],
)
@pytest.mark.parametrize(("separator", "name"), [("\t", "pairs.tsv"), (",", "pairs.csv")])
def test_named_columns_are_found_and_the_header_is_reported(first, row, columns, separator, name):
    found = read(table(first, row, separator), name)
    assert [(source[:8], target[:8]) for source, target in sides(found)] == [(s[:8], t[:8]) for s, t in BODY]
    assert len(found.pairs) == len(BODY)
    assert (found.report.columns.source, found.report.columns.target) == columns
    assert found.report.header == tuple(first.split("\t"))
    (sentence,) = (text for text in found.report.sentences() if "header" in text)
    assert sentence.endswith("; to use it as a pair, add --no-header.")


@pytest.mark.parametrize(
    ("row", "columns", "count"),
    [
        ("{number}\t{s}\t{t}", (2, 3), 3),
        ("0.{number}\t{s}\t{t}", (2, 3), 3),
        ("news\t{s}\t{t}", (2, 3), 3),
        ("<en>\t{s}\t<de>\t{t}", (2, 4), 4),
        ("en\t{s}\tde\t{t}", (2, 4), 4),
        ("train-{number}\t{s}\t{t}", (2, 3), 3),
        ("{s}\t{t}\tV;PST", (1, 2), 3),
        ("{s}\t{t}\t0.5\t{number}", (1, 2), 4),
        ("1{number}\t{s}\t2{number}\t{t}", (2, 4), 4),
    ],
)
def test_numbers_and_labels_are_no_sources(row, columns, count):
    found = read(table("", row))
    assert sides(found) == BODY
    report = found.report
    assert (report.columns.source, report.columns.target, report.columns.count) == (*columns, count)
    assert report.columns.unused == tuple(n for n in range(1, count + 1) if n not in columns)
    sentence = " ".join(report.sentences())
    assert f"It uses columns {columns[0]} and {columns[1]} of {count}" in sentence
    assert all(str(number) in sentence.partition("; column")[2] for number in report.columns.unused)
    assert report.credited == 0


def test_parts_of_speech_are_no_targets():
    rows = [
        ("dog", "noun", "Hund"),
        ("run", "verb", "laufen"),
        ("red", "adj.", "rot"),
        ("well", "Adverb", "gut"),
    ]
    data = "".join("\t".join(row) + "\n" for row in rows).encode()
    assert sides(read(data)) == [(word, other) for word, _, other in rows]
    tagged = "".join(f"{word}\t{tag}\n" for word, tag, _ in rows).encode()
    assert sides(read(tagged)) == [(word, tag) for word, tag, _ in rows], "where they are all there is"


def test_labels_before_their_texts_are_the_targets():
    data = "".join(f"{('good', 'bad')[n % 2]}\tfilm {n} was long\n" for n in range(40)).encode()
    assert sides(read(data))[:2] == [("film 0 was long", "good"), ("film 1 was long", "bad")]
    few = "".join(f"say {n % 2}\tanswer {n}\n" for n in range(40)).encode()
    assert sides(read(few))[0] == ("say 0", "answer 0"), "sources with many answers are no labels"


def test_two_columns_of_numbers_and_words_stay_as_they_are():
    data = "".join(f"{n}\tnumber {n}\n" for n in range(30)).encode()
    assert sides(read(data))[3] == ("3", "number 3")


@pytest.mark.parametrize("header", ["number\tword", "Number\troman", "key\tvalue"])
def test_two_named_columns_of_numbers_and_words_are_read(header):
    data = f"{header}\n" + "".join(f"{n}\tnumber {n}\n" for n in range(30))
    assert sides(read(data.encode()))[3] == ("3", "number 3")


@pytest.mark.parametrize(
    "first",
    [
        "German\tDeutsch",
        "hello\thallo",
        "source\tQuelle",
        "in\tout",
        "it\tes",
        "Red lamp.\tlamp-red.",
        "a_b c\td",
    ],
)
def test_a_first_pair_is_no_header(first):
    found = read(table(first, "{s}\t{t}"))
    assert sides(found)[0] == tuple(first.split("\t"))
    assert found.report.header == ()


def test_the_user_decides_about_the_header():
    assert sides(read(b"alpha\tbeta\na b\tc\n", has_header=True)) == [("a b", "c")]
    assert sides(read(b"English\tJapanese\na b\tc\n", has_header=False))[0] == ("English", "Japanese")
    sentences = read(b"alpha\tbeta\na b\tc\n", has_header=True).report.sentences()
    assert sentences[1] == "Its first line was taken for a header: alpha, beta."


def test_repeated_header_is_dropped():
    found = read(
        b"source\ttarget\na b\tc\nsource\ttarget\nd\te\n" + b"".join(b"x%d\ty\n" % n for n in range(10))
    )
    assert ("source", "target") not in sides(found)
    assert {drop.reason: drop.lines for drop in found.report.drops} == {DropReason.HEADER: (3,)}


def test_the_user_decides_about_the_columns():
    data = table("src\tsrc_lang\ttrg\ttrg_lang", "{s}\t<en>\t{t}\t<de>")
    found = read(data, columns=(3, 1))
    assert sides(found) == [(target, source) for source, target in BODY]
    assert (
        "It uses columns 3 (trg) and 1 (src) of 4; columns 2 (src_lang) and 4 (trg_lang) are not used."
        in str(found.report)
    )


@pytest.mark.parametrize("columns", [(1, 5), (0, 1), (2, 2), (99_999, 1)])
def test_missing_columns_are_refused(columns):
    data = table("src\tsrc_lang\ttrg\ttrg_lang", "{s}\t<en>\t{t}\t<de>")
    with pytest.raises(InputError, match=r"pairs\.tsv has 4 columns; name two different ones from 1 to 4"):
        read(data, columns=columns)


@pytest.mark.parametrize(
    ("credit", "is_one"),
    [
        ("CC-BY 2.0 (France) Attribution: tatoeba.org #12 (Ann)", True),
        ("CC0", True),
        ("see https://creativecommons.org/licenses/by/4.0", True),
        ("V;PRS;3;SG", False),
        ("rot Lampe", False),
        ("Ann", False),
    ],
)
def test_only_a_licence_or_tatoeba_is_a_credit(credit, is_one):
    found = read(table("", "{s}\t{t}\t" + credit))
    assert found.report.credited == (len(BODY) if is_one else 0)
    assert found.report.columns.credit == (3 if is_one else None)
    assert bool(found.report.columns.unused) != is_one


@pytest.mark.parametrize(
    ("data", "name", "lines", "width"),
    [
        ([f"find {n}\tfind /x{chr(9) if n in (3, 7) else ' '}{n}" for n in range(16)], "x.tsv", (4, 8), 2),
        (["source,target", *(f"say {n},ok{',' if n == 5 else ' '}{n}" for n in range(16))], "x.csv", (7,), 2),
        ([f"a {n}\ttype {n}{chr(9) + 'x' if n == 0 else ''}\tb" for n in range(9)], "x.tsv", (1,), 3),
    ],
)
def test_rows_with_more_columns_are_counted_and_never_cut(data, name, lines, width):
    found = read("\n".join(data).encode(), name)
    (drop,) = found.report.drops
    assert (drop.reason, drop.count, drop.lines) == (DropReason.COLUMNS, len(lines), lines)
    assert found.report.kept == found.report.lines - len(lines)
    assert f"A line is not cut to {width} columns" in str(found.report)


def test_rows_with_fewer_columns_are_told():
    found = read(b"a b\tc\tx\n" * 1 + b"d e\tf\n" + b"".join(b"g %d\th\ty\n" % n for n in range(9)))
    assert (found.report.short.count, found.report.short.lines) == (1, (2,))
    assert "1 line has fewer columns than the others (line 2); kept." in found.report.sentences()


def test_empty_cells_at_the_end_are_no_columns():
    found = read(b"a\tb\t\t\nc\td\t\t\n")
    assert (found.report.columns.count, found.report.columns.unused) == (2, ())


@pytest.mark.parametrize(
    ("whole", "part", "expected"),
    [
        # Read alone, its one row would give the pair (g, yes).
        (b"a\tno\tb\nc\tyes\td\ne\tno\tf\n" * 4, b"g\tyes\th\n", [("g", "h")]),
        (b"id\tenglish\tgerman\n1\ta\tb\n2\tc\td\n3\te\tf\n", b"4\tg\th\n", [("g", "h")]),
        (b"source\tnote\ttarget\na\tx\tb\nc\ty\td\n", b"note\ttarget\tsource\nz\th\tg\n", [("g", "h")]),
        (b'[{"en": "a", "de": "b"}, {"en": "c", "de": "d"}]', b'[{"de": "h", "en": "g"}]', [("g", "h")]),
        # With other names or another number of columns, the file is read by its own columns.
        (b"a\tb\nc\td\n", b"target\tsource\nh\tg\n", [("g", "h")]),
        (b"1\ta\tb\n2\tc\td\n3\te\tf\n", b"g\th\n", [("g", "h")]),
    ],
)
def test_part_of_a_file_is_read_by_the_columns_of_the_whole(whole, part, expected):
    columns = read(whole).report.columns
    assert sides(read(part, like=columns)) == expected


def test_named_columns_outrank_those_of_the_training_file():
    columns = read(b"1\ta\tb\n2\tc\td\n3\te\tf\n").report.columns
    assert sides(read(b"4\tg\th\n", like=columns, columns=(3, 2))) == [("h", "g")]
