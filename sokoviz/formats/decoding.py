"""From bytes to lines of text, whatever program wrote them."""

from __future__ import annotations

import re

# Longer marks first: that of UTF-32 starts with that of UTF-16.
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_UNMARKED = ((b"<\x00", "utf-16-le"), (b"\x00<", "utf-16-be"))  # XML without a mark, XML 1.0, appendix F.1
_XML_ENCODING = re.compile(
    rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']((?:iso-8859|windows|koi8)-[0-9a-z]{1,4})[\"']", re.IGNORECASE
)
_LINE_END = re.compile("\r\n|\r|\n")


def decode(data: str | bytes) -> str:
    """Text without a byte-order mark: UTF-8, else what XML declares, else Windows' superset of Latin-1."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    for start, encoding in _UNMARKED:
        if data.startswith(start):
            return data.decode(encoding, errors="replace")
    declared = _XML_ENCODING.match(data)
    names = [declared[1].decode("ascii")] if declared else []
    for encoding in [*names, "utf-8", "cp1252"]:
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


def split_lines(text: str) -> list[str]:
    """Lines without their ends; only CR, LF and CRLF end a line, so that line numbers agree with editors."""
    return _LINE_END.split(text)
