"""Packs plain data with bytes in it for a page: JSON and all bytes behind it, gzipped; attached.js unpacks it."""

from __future__ import annotations

import gzip
import json
import struct
from typing import Any


def pack(value: object) -> bytes:
    """Return data as the page takes them: the length of the JSON as uint32, the JSON, the bytes.

    Parameters
    ----------
    value
        Plain data; where there are bytes, the JSON says where they begin and how many they are.
    """
    blobs: list[bytes] = []
    begin = 0

    def refer(found: object) -> dict[str, Any]:
        nonlocal begin
        if not isinstance(found, bytes):
            message = f"expected plain data or bytes, found {found!r:.60}"
            raise TypeError(message)
        blobs.append(found)
        begin += len(found)
        return {"bytes": [begin - len(found), len(found)]}

    text = json.dumps(value, default=refer, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    return gzip.compress(b"".join([struct.pack("<I", len(text)), text, *blobs]), compresslevel=9, mtime=0)
