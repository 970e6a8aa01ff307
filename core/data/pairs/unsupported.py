"""Forms of files that are not read: each is named, with one way out."""

from __future__ import annotations

import re

from core.errors import InputError

_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "a gzip archive", "unpack it first (gunzip)"),
    (b"BZh", "a bzip2 archive", "unpack it first (bunzip2)"),
    (b"\xfd7zXZ\0", "an xz archive", "unpack it first (unxz)"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", "unpack it first (unzstd)"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"),
    (b"Rar!", "a RAR archive", "unpack it first"),
    (b"%PDF", "PDF", "copy the pairs into a table and save that as tab-separated text"),
    (b"{\\rtf", "RTF", "save it as plain text, one pair a line: source, tab, target"),
    (b"SQLite format 3\0", "a SQLite database", "export the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Office file (XLS, DOC)", "save it as CSV or as tab-separated text"),
    (b"PAR1", "Parquet", "save it as CSV or as JSON lines"),
    (b"ARROW1", "Arrow", "save it as CSV or as JSON lines"),
    (b"\xde\x12\x04\x95", "a compiled gettext catalogue (MO)", "use the PO file, or msgunfmt"),
    (b"\x95\x04\x12\xde", "a compiled gettext catalogue (MO)", "use the PO file, or msgunfmt"),
    (b"\x89PNG", "a PNG picture", "type the pairs as text, one a line: source, tab, target"),
    (b"\xff\xd8\xff", "a JPEG picture", "type the pairs as text, one a line: source, tab, target"),
)
_TABLE = "save its table as CSV or as tab-separated text"
_ZIP_CONTENTS: tuple[tuple[bytes, str, str], ...] = (
    (b"opendocument.spreadsheet", "an OpenDocument spreadsheet (ODS)", _TABLE),
    (b"opendocument.text", "an OpenDocument text (ODT)", _TABLE),
    (b"xl/", "an Excel workbook (XLSX)", _TABLE),
    (b"word/", "a Word document (DOCX)", _TABLE),
    (b"epub+zip", "an e-book (EPUB)", _TABLE),
    (b"collection.anki2", "an Anki package (APKG)", "export its notes as plain text (.txt)"),
)
_TO_TEXT = "export it as TMX or tab-separated text"
_XML_ROOTS = {
    "xliff": ("XLIFF", _TO_TEXT),
    "html": ("HTML", "copy the pairs into a table and save that as tab-separated text"),
    "ts": ("a Qt Linguist file (TS)", _TO_TEXT),
    "martif": ("a term base (TBX)", _TO_TEXT),
    "tbx": ("a term base (TBX)", _TO_TEXT),
    "resources": ("an Android resource file", _TO_TEXT),
    "cesalign": (
        "a file of alignments (XCES)",
        "export the sentences themselves as TMX or tab-separated text",
    ),
}
_ROOT = re.compile(r"<(?:\w+:)?([A-Za-z][\w.-]*)")
_PROLOGUE_ENDS = (("<?", "?>"), ("<!--", "-->"), ("<!", ">"))
"""Beginning and end of declarations and comments before the root of a document."""
_XML_BEGINS = ("<?xml", "<!doctype", "<html", "<tmx", "<xliff", "<tbx", "<martif")
_SUBTITLES = re.compile(r"\s*(?:WEBVTT\b|\d+\n\d\d:\d\d:\d\d,\d{3} --> )")
_PROLOGUE = 20_000
"""Characters in which the root of an XML file must begin."""


def refuse_binary(data: bytes, name: str) -> None:
    """Refuse the bytes of a form that is no text.

    Raises:
        InputError: the bytes are of such a form; the message names it.
    """
    for magic, form, way_out in _MAGIC:
        if data.startswith(magic):
            raise InputError(_sentence(name, form, way_out))
    if data.startswith(b"PK\x03\x04"):
        head = data[:_PROLOGUE] + data[-_PROLOGUE:]
        found = (entry for entry in _ZIP_CONTENTS if entry[0] in head)
        _, form, way_out = next(found, (b"", "a ZIP archive", "unpack it first"))
        raise InputError(_sentence(name, form, way_out))


def xml_root(text: str) -> str:
    """Return the lower-case name of a document's root element; empty if the text is no XML or HTML."""
    begin = text[:_PROLOGUE].lstrip("\ufeff \t\n")
    if not begin.startswith("<"):
        return ""
    place = _root_place(begin)
    found = _ROOT.match(begin, place)
    root = found[1] if found else ""
    is_document = begin.lower().startswith(_XML_BEGINS) or text.rstrip().endswith(f"</{root}>")
    first_line = begin.partition("\n")[0]
    has_cells = "\t" in first_line or _has_several_elements(first_line, begin[place:].strip(), root)
    return root.lower() if root and is_document and not has_cells else ""


def _has_several_elements(line: str, text: str, root: str) -> bool:
    """Return True if the first line closes its first element and text follows: a document has one element."""
    if root.lower() in ("html", "tmx") or root.lower() in _XML_ROOTS:
        return False
    opened = len(re.findall(rf"<{re.escape(root)}\b", line))
    _, closing, rest = text.partition(f"</{root}>")
    return opened > 0 and opened == line.count(f"</{root}>") and bool(closing and rest.strip())


def _root_place(begin: str) -> int:
    """Return the place of the first element in a text, behind declarations and comments."""
    place = 0
    while True:
        for opening, closing in _PROLOGUE_ENDS:
            if begin.startswith(opening, place):
                end = begin.find(closing, place + len(opening))
                # Declarations within a document type have such ends of their own.
                if opening == "<!" and "[" in begin[place:end]:
                    end = begin.find(closing, begin.find("]", place))
                break
        else:
            return place
        if end < 0:
            return len(begin)
        place = end + len(closing)
        while begin[place : place + 1].isspace():
            place += 1


def refuse_text(text: str, root: str, name: str) -> None:
    """Refuse a text of a form that is known but not read.

    Args:
        text: The whole text.
        root: Name of its root element, empty if it is no XML.
        name: Name of the file.

    Raises:
        InputError: the text is of such a form; the message names it.
    """
    if root:
        form, way_out = _XML_ROOTS.get(root, ("XML", _TO_TEXT))
        raise InputError(_sentence(name, form, way_out))
    if _SUBTITLES.match(text):
        raise InputError(
            _sentence(
                name, "a file of subtitles", "bring two files whose lines answer each other, without times"
            )
        )


def _sentence(name: str, form: str, way_out: str) -> str:
    return f"{name} is {form}, which is not read; {way_out}"
