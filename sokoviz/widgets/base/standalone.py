"""Pages that work without a kernel: the parts of a widget over a model in memory, in one file."""

from __future__ import annotations

import base64
import html
import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sokoviz.widgets.base.modules import join_modules, join_styles

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Nothing is fetched from anywhere: all that the page needs is in it.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'{}; style-src 'unsafe-inline'; img-src data: blob:"

_NOTHING: Mapping[str, bytes] = MappingProxyType({})


def make_page(
    entry: str,
    styles: tuple[str, ...],
    values: Mapping[str, Any],
    title: str,
    attached: Mapping[str, bytes] = _NOTHING,
) -> str:
    """Return a page as HTML.

    Parameters
    ----------
    entry
        Name of a module that mounts a widget on the element ``sokoviz`` with the values of ``sokoviz-values``.
    styles
        Names of style sheets.
    values
        What the model in memory begins with; text in it stays text.
    title
        Title of the page.
    attached
        Gzipped data by name, which attached.js unpacks; a script may be among them.
    """
    policy = _POLICY.format(" 'unsafe-eval'" if attached else "")
    data = json.dumps(values, ensure_ascii=False).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n"
        f"<style>:root {{ color-scheme: light dark; }} body {{ margin: 16px; }}\n{join_styles(*styles)}</style>\n"
        "</head>\n"
        f'<body>\n<main id="sokoviz"></main>\n<script type="application/json" id="sokoviz-values">{data}</script>\n'
        f"{''.join(_attachment(*each) for each in attached.items())}"
        f'<script type="module">\n{join_modules(entry)}\n</script>\n</body>\n</html>\n'
    )


def _attachment(name: str, data: bytes) -> str:
    """Data in an element that browsers leave alone."""
    text = base64.b64encode(data).decode()
    return f'<script type="application/gzip" id="sokoviz-attached-{name}">{text}</script>\n'
