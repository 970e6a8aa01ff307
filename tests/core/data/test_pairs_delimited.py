"""Laws of files whose cells are separated by marks: which mark it is, which quotes are text, which lines stray."""

import pytest

from core.data.pairs import DropReason, ReadingOptions, parse_pairs

WORDS = [(f"rote Lampe {n}", f"red lamp {n}") for n in range(20)]


def read(text, name="x.tsv", **options):
    return parse_pairs(text.encode(), name, options=ReadingOptions(**options))


def sides(found):
    return [(pair.source, pair.target) for pair in found.pairs]


def rows(separator, last=""):
    return "".join(f"{separator.join(pair)}{last.format(n)}\n" for n, pair in enumerate(WORDS, 10))


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        (rows(";", ";0,{}"), "semicolon"),
        (rows(";", ";0,{}") + "a;b;c;0,5\n", "semicolon"),
        ("".join(f"Ja, {s};{t}\n" for s, t in WORDS), "semicolon"),
        ("".join(f"{s}; ja,{t}\n" for s, t in WORDS), "comma"),
        ("".join(f"Ja, {s}\t{t}; yes\n" for s, t in WORDS), "tab"),
        (rows(";"), "semicolon"),
    ],
)
@pytest.mark.parametrize("name", ["x.csv", "x.txt"])
def test_separator_is_not_a_mark_within_texts(text, separator, name):
    assert read(text, name).report.layout.startswith(f"{separator}-separated")


def test_bars_within_cells_of_a_table_are_text():
    assert sides(read("".join(f"{s} ||| x\t{t}\n" for s, t in WORDS)))[0] == (
        "rote Lampe 0 ||| x",
        "red lamp 0",
    )


def test_quotation_over_two_lines_swallows_no_pair():
    text = 'Er kam.\tHe came.\n„Ihr ging.\t"She went.\nEr blieb.“\tHe stayed."\n„Halt.“\t"Stop."\nJa.\tYes.\n'
    assert sides(read(text)) == [
        ("Er kam.", "He came."),
        ("„Ihr ging.", '"She went.'),
        ("Er blieb.“", 'He stayed."'),
        ("„Halt.“", '"Stop."'),
        ("Ja.", "Yes."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f'write {n}\t"{n}"\n' for n in range(20)),
        rows("\t") + 'say stop\t"Stop!"\n',
        "".join(f'"{s}"\t„{t}“\n' for s, t in WORDS),
    ],
)
def test_needless_quotes_are_text(text):
    found = read(text)
    assert sides(found)[-1] == tuple(text.splitlines()[-1].split("\t"))
    assert "quotes" not in str(found.report)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('"a"\t"b"\n"c"\t"d"\n', "4 cells in quotes were read as a spreadsheet writes them, "
            "without the outer quotes (first: line 1)"),
        ('"a"\t1\n"c"\t2,5\n', "2 cells in quotes were"),
        ('a\tb\nx\t"c ""d"""\n', "1 cell in quotes was read as a spreadsheet writes them, "
            "without the outer quotes (line 2)."),
    ],
)  # fmt: skip
def test_outer_quotes_are_counted_with_their_line(text, note):
    found = read(text)
    assert note in str(found.report)
    assert all(not cell.startswith('"') for pair in sides(found) for cell in pair)


@pytest.mark.parametrize(
    "text",
    [
        "English | German\n--- | ---\nred | rot\nold\\|new | alt\\|neu\n",
        "# Words\n\nI learn these:\n\n| Wort | Bild |\n|---|:-:|\n| red | rot |\n| old\\|new | alt\\|neu |\n",
        " en | de \n----+----\n red | rot\n old\\|new | alt\\|neu\n",
    ],
)
def test_rule_of_a_drawn_table_is_no_pair(text):
    found = read(text, "x.md")
    assert sides(found) == [("red", "rot"), ("old|new", "alt|neu")]
    assert "Its header is above its rule: " in str(found.report)
    lost = {drop.reason: drop.lines for drop in found.report.drops}
    assert lost == ({DropReason.UNREADABLE: (3,)} if "learn" in text else {})


@pytest.mark.parametrize("gap", [" ", "  "])
def test_comment_behind_sounds_is_not_learned(gap):
    found = read(
        f"cat{gap}K AE1 T\ndog{gap}D AO1 G\narc{gap}AA1 R K # place, french\n"
        f"bird{gap}B ER1 D\nd'un{gap}D AH0 N # foreign\n"
    )
    assert sides(found)[2] == ("arc", "AA1 R K")
    assert "2 comments behind sounds were left out (first: line 3)." in str(found.report)


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.txt"])
def test_endless_cell_is_only_a_dropped_pair(name):
    found = read(
        rows("," if name == "x.csv" else "\t") + '"big"' + (",\t"[name != "x.csv"]) + f'"{"x" * 200_000}"\n',
        name,
    )
    assert sides(found) == WORDS
    assert [(drop.reason, drop.lines) for drop in found.report.drops] == [(DropReason.TOO_LONG, (21,))]


@pytest.mark.parametrize("separator", [" ||| ", " => ", " -> ", ";", "|", "   "])
def test_stray_line_is_dropped_and_counted(separator):
    found = read(rows(separator) + "and so on\n", "x.txt")
    assert sides(found) == WORDS
    assert [(drop.count, drop.lines) for drop in found.report.drops] == [(1, (21,))]


@pytest.mark.parametrize("gap", [" OUT: ", "\nOUT: "])
def test_stray_line_and_comment_beside_labels_are_counted(gap):
    labelled = "".join(f"IN: {s}{gap}{t}\n" for s, t in WORDS)
    found = read(f"# of Ann\n{labelled}that is all\n# end\n", "x.txt")
    last = 2 + labelled.count("\n")
    assert sides(found) == WORDS
    assert [(drop.count, drop.lines) for drop in found.report.drops] == [(1, (last,))]
    assert found.report.comments.lines == (1, last + 1)
