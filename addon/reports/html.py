# SPDX-License-Identifier: GPL-3.0-or-later
"""One HTML file with its pictures inside: headings, sentences, tables and PNG plots."""

from __future__ import annotations

import base64
from html import escape

from .tables import Table

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1280px; margin: 2em auto; padding: 0 1.5em; color: #1b1b1b; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.2em; border-bottom: 1px solid #ccc; }
img { max-width: 100%; display: block; margin: 0.6em 0; }
figcaption { color: #444; font-size: 14px; max-width: 100ch; } figure { margin: 1em 0; }
table { border-collapse: collapse; font-size: 13px; margin: 0.8em 0; } .wide { overflow-x: auto; }
th, td { border: 1px solid #d5d5d5; padding: 2px 7px; text-align: right; }
th { background: #f2f2f2; vertical-align: bottom; }
td:first-child, th:first-child, td:nth-child(2), th:nth-child(2) { text-align: left; }
.mark { background: #ffd9d2; } .green { background: #d5efd5; } .amber { background: #ffe8b8; } .red { background: #ffc9c0; }
.not-judged { color: #888; } li { max-width: 110ch; }
"""
GRADES = {"green": "green", "amber": "amber", "red": "red", "not judged": "not-judged"}


def page(title: str, lead: str, parts: list[str]) -> str:
    """The whole document."""
    return (f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)}</title>\n'
            f"<style>{STYLE}</style></head>\n<body>\n<h1>{escape(title)}</h1>\n<p>{escape(lead)}</p>\n"
            + "\n".join(parts) + "\n</body>\n</html>\n")


def heading(text: str) -> str:
    """A section's heading."""
    return f"<h2>{escape(text)}</h2>"


def sentences(items: list[str]) -> str:
    """Sentences as a list."""
    return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>" if items else ""


def picture(data: bytes, caption: str) -> str:
    """A PNG inside the page."""
    source = base64.b64encode(data).decode("ascii")
    words = escape(caption)
    return f'<figure><img alt="{words}" src="data:image/png;base64,{source}"><figcaption>{words}</figcaption></figure>'


def table(what: Table) -> str:
    """A table; marked cells and grades are coloured."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in what.head)
    rows = []
    for i, row in enumerate(what.rows):
        cells = []
        for j, cell in enumerate(row):
            kind = "mark" if (i, j) in what.marks else GRADES.get(cell, "")
            cells.append(f'<td class="{kind}">{escape(cell)}</td>' if kind else f"<td>{escape(cell)}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
