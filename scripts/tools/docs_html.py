# SPDX-License-Identifier: GPL-3.0-or-later
"""The handbook as pages for a browser, written beside docs/*.md when the extension is packaged, so that its help buttons open no
text editor. It knows the Markdown that the handbook uses: headings, paragraphs, lists, tables, code, pictures, links, formulas.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path

STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1.5rem; color: #1b1b1b;
       background: #fff; } h1, h2 { line-height: 1.25; } h2 { margin-top: 2em; border-bottom: 1px solid #ddd; }
img { max-width: 100%; } table { border-collapse: collapse; font-size: 15px; margin: 1em 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #d8d8d8; padding: 4px 9px; text-align: left; vertical-align: top; } th { background: #f3f3f3; }
code { background: #f2f2f2; padding: 1px 4px; border-radius: 3px; font-size: 90%; } pre code { background: none; padding: 0; }
pre { background: #f2f2f2; padding: 0.8em 1em; overflow-x: auto; border-radius: 4px; } nav { font-size: 14px; color: #666; }
svg.formula { vertical-align: middle; } div.formula { text-align: center; margin: 1em 0; overflow-x: auto; }
@media (prefers-color-scheme: dark) { body { background: #1e1e1e; color: #ddd; } a { color: #8ab4f8; } th { background: #2b2b2b; }
  code, pre { background: #2b2b2b; } th, td, h2 { border-color: #444; }
  svg.formula { filter: invert(1); } }
"""
ITEM = re.compile(r"(-|\d+\.) +(.*)")
TOKEN = re.compile(r"(`[^`]+`)|(\$[^$\n]+\$)|(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)|(\*\*[^*]+\*\*)|(\*[^*\s][^*]*\*)")
WORDS = {r"\!": "", r"\;": r"\ ", r"\,": r"\ ", r"\left": "", r"\right": "", r"\Big": "", r"\big": "", r"\text": r"\mathrm",
         r"\tfrac": r"\frac", r"\dfrac": r"\frac", r"\lVert": r"\|", r"\rVert": r"\|", r"\lvert": "|", r"\rvert": "|",
         r"\le": r"\leq", r"\ge": r"\geq", r"\qquad": r"\ \ \ ", r"\quad": r"\ \ "}
"""Words of TeX that matplotlib's formulas do not know, and others that they do."""


def page(text: str, title_of_book: str = "Lope") -> str:
    """A Markdown page as a whole HTML document."""
    title = re.search(r"^# (.+)$", text, re.M)
    head = escape(re.sub(r"[*`]", "", title[1]) if title else title_of_book)
    return ('<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">\n'
            f"<title>{head}</title><style>{STYLE}</style></head>\n<body>\n"
            f'<nav><a href="README.html">The handbook of {title_of_book}</a></nav>\n'
            + "\n".join(blocks(text)) + "\n</body>\n</html>\n")


def blocks(text: str) -> Iterator[str]:
    """The blocks of a page as HTML, one after the other."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        start = at
        if not line.strip():
            at += 1
        elif line.startswith("```"):
            at = next((k for k in range(at + 1, len(lines)) if lines[k].startswith("```")), len(lines)) + 1
            yield f"<pre><code>{escape(chr(10).join(lines[start + 1:at - 1]))}</code></pre>"
        elif line.startswith("$$"):
            end = at if line.rstrip().endswith("$$") and len(line.strip()) > 2 else next(
                k for k in range(at + 1, len(lines)) if lines[k].rstrip().endswith("$$"))
            at = end + 1
            yield f'<div class="formula">{formula(" ".join(lines[start:at]).replace("$$", ""))}</div>'
        elif line.startswith("#"):
            at += 1
            depth = len(line) - len(line.lstrip("#"))
            yield f'<h{depth} id="{anchor(line[depth:].strip())}">{inline(line[depth:].strip())}</h{depth}>'
        elif line.startswith("|"):
            at = _while(lines, at, lambda row: row.startswith("|"))
            yield table(lines[start:at])
        elif ITEM.match(line):
            at = _while(lines, at, lambda row: bool(ITEM.match(row)) or row.startswith("  "))
            yield listed(lines[start:at])
        else:
            at = _while(lines, at, lambda row: bool(row.strip()) and not row.startswith(("```", "#", "|", "$$"))
                        and not ITEM.match(row))
            yield f"<p>{inline(chr(10).join(lines[start:at]))}</p>"


def _while(lines: list[str], at: int, goes_on) -> int:
    """The first line after `at` that is not of the block."""
    at += 1
    while at < len(lines) and goes_on(lines[at]):
        at += 1
    return at


def listed(lines: list[str]) -> str:
    """A list, numbered or not; lines that are indented go on with the item before."""
    items: list[str] = []
    for line in lines:
        found = ITEM.match(line)
        if found:
            items.append(found[2])
        else:
            items[-1] += "\n" + line.strip()
    kind = "ul" if lines[0].startswith("-") else "ol"
    return f"<{kind}>" + "".join(f"<li>{inline(item)}</li>" for item in items) + f"</{kind}>"


def table(lines: list[str]) -> str:
    """A table: a row of heads, a row of dashes, rows."""
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    head = "".join(f"<th>{inline(cell)}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>" for row in rows[2:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def inline(text: str) -> str:
    """Code, formulas, pictures, links, bold and slanted words in a text."""
    parts, at = [], 0
    for found in TOKEN.finditer(text):
        parts.append(escape(text[at:found.start()], quote=False))
        code, maths, shown, words, target, bold, slanted = found.groups()
        if code:
            parts.append(f"<code>{escape(code[1:-1], quote=False)}</code>")
        elif maths:
            parts.append(formula(maths.strip("$")))
        elif target:
            parts.append(f'<img src="{escape(target)}" alt="{escape(words)}">' if shown else
                         f'<a href="{escape(linked(target))}">{inline(words)}</a>')
        else:
            parts.append(f"<b>{inline(bold[2:-2])}</b>" if bold else f"<i>{inline(slanted[1:-1])}</i>")
        at = found.end()
    return "".join([*parts, escape(text[at:], quote=False)])


def linked(target: str) -> str:
    """A link to another page of the handbook leads to its HTML."""
    name, mark, rest = target.partition("#")
    return target if "://" in name or not name.endswith(".md") else name.removesuffix(".md") + ".html" + mark + rest


def anchor(title: str) -> str:
    """What a heading is called in links, as GitHub makes it."""
    plain = re.sub(r"[`*]|\[|\]\([^)]*\)", "", title)
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def formula(tex: str) -> str:
    """A formula drawn by matplotlib, as SVG inside the page; its TeX where matplotlib does not know it."""
    from matplotlib import mathtext
    from matplotlib.font_manager import FontProperties

    words = plain_tex(tex)
    out = BytesIO()
    try:
        mathtext.math_to_image(f"${words}$", out, prop=FontProperties(size=12), format="svg")
    except ValueError:
        return f"<code>{escape(tex.strip())}</code>"
    drawn = out.getvalue().decode()
    drawn = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", drawn[drawn.index("<svg"):], flags=re.S)
    drawn = re.sub(r'<g id="patch_1">.*?</g>', "", drawn, count=1, flags=re.S)  # the white card behind it
    name = f"f{zlib.crc32(words.encode()):08x}"  # several formulas stand in one page
    drawn = re.sub(r'(id="|href="#|url\(#)', lambda at: at[0] + name, drawn)
    return drawn.replace("<svg ", f'<svg class="formula" role="img" aria-label="{escape(tex.strip())}" ', 1).strip()


def plain_tex(tex: str) -> str:
    """A formula in the TeX that matplotlib knows: other words, and braces around what stands alone."""
    words = re.sub(r"\\[a-zA-Z]+|\\[!;,]", lambda word: WORDS.get(word[0], word[0]), tex.strip())
    words = re.sub(r"\\frac ?(\w)(\w)", r"\\frac{\1}{\2}", words)
    words = re.sub(r"\\(sqrt|bar|hat|dot) ?(\w)", r"\\\1{\2}", words)
    return re.sub(r"([_^])(\\mathrm\{[^}]*\})", r"\1{\2}", words)


def write(folder: Path) -> list[Path]:
    """Write every page of a copy of docs as HTML beside it; gives the files."""
    made = []
    for source in sorted(folder.rglob("*.md")):
        target = source.with_suffix(".html")
        text = page(source.read_text(encoding="utf-8"))
        if source.parent != folder:
            text = text.replace('href="README.html"', 'href="../README.html"', 1)
        target.write_text(text, encoding="utf-8")
        made.append(target)
    return made
