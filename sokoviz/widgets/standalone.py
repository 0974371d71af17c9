"""Pages that work without a kernel: the parts of a widget over a model in memory, in one file."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

from sokoviz.widgets.modules import join_modules, join_styles

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Nothing is fetched from anywhere: all that the page needs is in it.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def make_page(entry: str, styles: tuple[str, ...], values: Mapping[str, Any], title: str) -> str:
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
    """
    data = json.dumps(values, ensure_ascii=False).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n"
        f"<style>:root {{ color-scheme: light dark; }} body {{ margin: 16px; }}\n{join_styles(*styles)}</style>\n"
        "</head>\n"
        f'<body>\n<main id="sokoviz"></main>\n<script type="application/json" id="sokoviz-values">{data}</script>\n'
        f'<script type="module">\n{join_modules(entry)}\n</script>\n</body>\n</html>\n'
    )
