"""Recognition of the form of a pairs file by its text, not by its name."""

from __future__ import annotations

import codecs
import re

from core.data.pairs.content import Content
from core.data.pairs.delimited import read_delimited
from core.data.pairs.json_form import read_json
from core.data.pairs.labelled import read_labelled
from core.data.pairs.po import is_po, read_po
from core.data.pairs.tmx import read_tmx
from core.data.pairs.unsupported import refuse_binary, refuse_text, xml_root
from core.errors import InputError

_LINE_END = re.compile(r"\r\n?")
_BYTES_LINE_END = re.compile(rb"\r\n?|\n")


def decode_text(data: bytes, name: str) -> str:
    """Return the text of UTF-8 bytes, or of UTF-16 bytes that begin with its mark; lines end in a newline.

    Raises:
        InputError: the bytes are not such a text.
    """
    refuse_binary(data, name)
    utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if utf_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(_BYTES_LINE_END.findall(data, 0, error.start)) + 1
        where = f"byte {error.start:,}" if utf_16 else f"byte 0x{data[error.start]:02X} in line {line:,}"
        raise InputError(f"{name} is not text that can be read ({where}); save it as UTF-8") from error
    if "\0" in text:
        raise InputError(f"{name} is not plain text; save the pairs as UTF-8 text, one pair a line")
    return _LINE_END.sub("\n", text)


def recognise(text: str, name: str) -> Content:
    """Return the rows of a text in the form that it has.

    Raises:
        InputError: the form is known but not read, or the text is broken.
    """
    root = xml_root(text)
    if root == "tmx":
        return read_tmx(text, name)
    refuse_text(text, root, name)
    if is_po(text):
        return read_po(text, name)
    return read_json(text, name) or read_labelled(text) or read_delimited(text, name)
