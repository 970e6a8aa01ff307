"""Laws of names above columns: odd names beside known ones, weak names beside strong ones, and columns without text."""

import pytest

from core.data.pairs import ReadingOptions, parse_pairs
from core.errors import InputError

WORDS = [(f"red lamp {chr(n)}", f"rote Lampe {chr(n)}") for n in range(97, 117)]


def read(first, row, separator="\t", name="x.tsv", words=WORDS, **options):
    lines = [
        row.format(s=s, t=t, n=n, flag=n % 2, kind=("good", "bad")[n % 2]) for n, (s, t) in enumerate(words)
    ]
    text = "".join(f"{line}\n" for line in [*first, *lines]).replace("\t", separator)
    return parse_pairs(text.encode(), name, options=ReadingOptions(**options))


def sides(found):
    return [(pair.source, pair.target) for pair in found.pairs]


@pytest.mark.parametrize(
    ("first", "row"),
    [
        ("english\tgerman\tmeaning_id\tlabel", "{s}\t{t}\t{n}\t{kind}"),
        ("id\tquestion1\tquestion2\tis_duplicate", "{n}\t{s}\t{t}\t{flag}"),
        ("text_en\tis_ok\ttext_de", "{s}\t{flag}\t{t}"),
        ("gold_label\tsentence1\tsentence2", "neutral\t{s}\t{t}"),
        ("gold_label\tsentence1\tsentence2", "{kind}\t{s}\t{t}"),
        ("label\tenglish\tgerman", "{kind}\t{s}\t{t}"),
        ("right\ttitle\ttext", "{flag}\t{s}\t{t}"),
        ("source\ten\tde", "news\t{s}\t{t}"),
        ("instruction\tinput\toutput", "Translate\t{s}\t{t}"),
        ("instruction\tinput\toutput", "{s}\t\t{t}"),
    ],
)
def test_weak_names_and_labels_do_not_beat_texts(first, row):
    found = read([first], row)
    assert sides(found) == WORDS
    assert found.report.header == tuple(first.split("\t"))


@pytest.mark.parametrize("count", [3, 20])
@pytest.mark.parametrize(
    ("first", "row"),
    [
        ("Nr.\tDeutsch\tEnglisch", "{n}\t{s}\t{t}"),
        ("Unnamed: 0\ten\tde", "{n}\t{s}\t{t}"),
        ("#id\ten\tde", "{n}\t{s}\t{t}"),
        ("# English\tGerman", "{s}\t{t}"),
        ("№\tАнглийский\tРусский", "{n}\t{s}\t{t}"),
        ("English (US)\tGerman (DE)", "{s}\t{t}"),
        ("English:\tGerman:", "{s}\t{t}"),
        ("ID-Nr\tSatz (DE)\tSatz (EN)\tLevel [1-5]", "{n}\t{s}\t{t}\t{flag}"),
        ("id\ten", "{s}\t{t}"),
        ("en\tno", "{s}\t{t}"),
        ("english\tgerman\tenglish\tgerman", "{s}\t{t}\tx{n}a\ty{n}b"),
        ("Nummer\tWort\tBild", "{n}\t{s}\t{t}"),
        ("英语\t中文", "{s}\t{t}"),
    ],
)
@pytest.mark.parametrize(("separator", "name"), [("\t", "x.tsv"), (";", "x.csv")])
def test_odd_name_beside_known_ones_is_part_of_a_header(first, row, separator, name, count):
    found = read([first], row, separator, name, WORDS[:count])
    assert sides(found) == WORDS[:count]
    assert found.report.header == tuple(first.split("\t"))


def test_first_row_with_a_cell_of_other_rows_is_no_header():
    found = read(["German\tDeutsch\tnoun"], "{s}\t{t}\tnoun")
    assert sides(found)[0] == ("German", "Deutsch")


@pytest.mark.parametrize(
    ("remark", "comments", "dropped"),
    [("# from Ann, in May, checked", (1,), 0), ("# from Ann", (1,), 0), ("My words", (), 1)],
)
@pytest.mark.parametrize("name", ["x.csv", "x.txt"])
def test_remark_above_names_is_no_pair(remark, comments, dropped, name):
    found = read([remark, "en,de"], "{s},{t}", ",", name)
    assert sides(found) == WORDS
    assert (found.report.comments.lines, found.report.dropped) == (comments, dropped)


@pytest.mark.parametrize(
    "row", ["https://a.de/{n}\t{s}\t{t}", "www.a.de/{n}\t{n}.\t{s}\t{t}", "{n})\t{s}\t{t}"]
)
def test_addresses_and_numbered_items_are_no_texts(row):
    assert sides(read([], row)) == WORDS
    assert sides(read([], row, words=WORDS[:3])) == WORDS[:3]


@pytest.mark.parametrize("row", ["{n}\tdeu\t{s}", "{s}\t{n}\t{flag}", "https://a.de/{n}\t{s}\t{kind}"])
def test_file_without_two_columns_of_text_is_refused(row):
    with pytest.raises(InputError, match=r"x\.tsv has no two columns of text; .* --columns \d,\d"):
        read([], row)
    assert len(read([], row, columns=(3, 1)).pairs) == len(WORDS)
