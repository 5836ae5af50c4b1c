# SPDX-License-Identifier: GPL-3.0-or-later
"""The handbook's pages for the browser: whole, linked among each other, nothing of Markdown left."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
ALONE = {"meta", "img", "br"}


@pytest.fixture(scope="module")
def docs_html():
    pytest.importorskip("matplotlib", reason="draws the formulas")
    from lope.scripts.tools import docs as docs_html

    return docs_html


@pytest.fixture(scope="module")
def made(docs_html, tmp_path_factory):
    """Every page by its file."""
    folder = tmp_path_factory.mktemp("docs") / "docs"
    shutil.copytree(ROOT / "docs", folder)
    return {path: path.read_text(encoding="utf-8") for path in docs_html.write(folder)}


class Reader(HTMLParser):
    """Collects links and ids, and whether every tag that opens closes."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.ids, self.words = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.links += [found[name] for name in ("href", "src") if name in found and tag in ("a", "img")]
        self.ids.add(found.get("id"))
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"code", "pre", "style", "svg"} & set(self.open):
            self.words.append(data)


def test_every_page_is_whole_and_its_links_lead_somewhere(made):
    pages = {path: Reader(text) for path, text in made.items()}
    assert len(pages) > 30
    for path, page in pages.items():
        assert page.open == [], path.name
        for target in page.links:
            name, _, anchor = unquote(target).partition("#")
            file = (path.parent / name).resolve() if name else path
            if "://" in target or (ROOT.name not in file.parts and not file.is_relative_to(path.parents[1])):
                continue  # leads out of the handbook
            assert file.exists() or not file.is_relative_to(path.parent), f"{path.name}: {target}"
            assert not anchor or file not in pages or anchor in pages[file].ids, f"{path.name}: {target}"


def test_nothing_of_markdown_is_left(made):
    for path, text in made.items():
        words = "".join(Reader(text).words)
        left = re.search(r"\]\(|^\||\*\*|`|\$\$|^#+ ", words, re.M)
        assert left is None, f"{path.name}: {words[max(0, left.start() - 40):left.end() + 40]!r}"


def test_formulas_are_drawn(made):
    drawn = [svg for text in made.values() for svg in re.findall(r"<svg.*?</svg>", text, re.S)]
    assert len(drawn) > 80 and all(ElementTree.fromstring(svg) is not None for svg in drawn)
    assert not [text for text in made.values() if re.search(r"<code>[^<]*\\(frac|sqrt|text)[^<]*</code>", text)]


def test_each_kind_of_block(docs_html):
    page = docs_html.page("# A `title`\n\nOne *word*, **bold**, [a link](panel.md#bake) & <tag>.\n\n- first\n  goes on\n"
                          "- `a*b*c`\n\n| x | y |\n|---|---|\n| 1 | $v^2$ |\n\n```\nlope <x>\n```\n")
    for part in ('<h1 id="a-title">A <code>title</code></h1>', '<i>word</i>, <b>bold</b>, <a href="panel.html#bake">a link</a>',
                 "&amp; &lt;tag&gt;", "<ul><li>first\ngoes on</li><li><code>a*b*c</code></li></ul>", "<th>x</th>",
                 '<svg class="formula"', "<pre><code>lope &lt;x&gt;</code></pre>"):
        assert part in page, part


def test_help_opens_the_browser_where_the_pages_are_made(tmp_path, monkeypatch):
    pytest.importorskip("bpy", reason="the button is Blender's")
    from lope.operators import status_bar as help

    monkeypatch.setattr(help, "DOCS", tmp_path)
    assert help.page_file("panel") == tmp_path / "panel.md"
    (tmp_path / "panel.html").touch()
    assert help.page_file("panel") == tmp_path / "panel.html"
