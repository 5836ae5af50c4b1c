# SPDX-License-Identifier: GPL-3.0-or-later
"""The handbook: its pages for a browser, its commands run, its pictures drawn.

    scripts/docs html FOLDER                                             FOLDER is a copy of docs
    scripts/docs examples [--clip FILE.bvh] [--keep FOLDER] [--long]     every `lope` command of README and handbook
    scripts/docs pictures [WORD ...] [--list]                            docs/pictures/NAME.png or .jpg

`examples`: the commands run in the pages' order in one folder, beside the files that a reader is taken to have: a scene with
rigs by the names that the pages use, the shot list of a page, a clip (without `--clip` what needs one is left out). Searches and
whole batches take many minutes each and run with `--long` only; commands for another machine's scheduler are left out. A command
has to end with 0, or with 1 (the character fell) where it says what happens after a fall. Exit code 1 where one did not.

`pictures`: all of them (a few minutes), or those whose name holds one of the words. Those of rigs, `sheet`, `boxes`, `creatures`
and `muscles-shown` need Blender's module. `own-clip`, `follow` and `jump` need the clips that the tests use, beside the project;
where they are not, these are left as they are. The pictures in a Blender window are made by scripts/gui.
"""

from __future__ import annotations

from lope.scripts.tools.common import ROOT, leave, parser_of

# isort: split
import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from html import escape
from importlib import import_module
from io import BytesIO
from pathlib import Path

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
BIN = ROOT / ".venv" / "bin"
RIGS = ("Astronaut", "Hero", "Rig")
"""What the pages call the reader's armature."""
MEANT_TO_FALL = "--after-fall"
ELSEWHERE = "tcp://"
WAY = "0,0\n2,0.5\n4,0\n6,-0.5\n9,0\n"
CELLS = [{"row": "Moon", "column": "walk", "pictures": ["cell.png"], "lines": ["0.5 m/s"]}]
LONGEST_S = 1800.0

JPEG = b"\xff\xd8"
"""What a JPEG begins with: renders are stored so, at a tenth of a PNG's size."""
DRAWN = {
    "motions": {"gaits-on-the-moon": "gaits_on_the_moon", "own-clip": "own_clip", "styles": "styles",
                "push-and-fall": "push_and_fall", "limp": "limp", "hits": "hits", "follow": "follow", "jump": "jump",
                "moves": "moves", "reflex": "reflex"},
    "plans": {"speed-and-strides": "speed_and_strides", "ranges": "ranges", "footsteps": "footsteps",
              "locked-footprint": "locked_footprint", "pendulum": "pendulum", "bounce": "bounce", "foot-map": "foot_map",
              "traces": "traces", "activations": "activations"},
    "shown": {"conditions": "conditions", "muscles-shown": "muscles_shown", "sheet": "batch_sheet", "boxes": "boxes",
              "creatures": "creatures"},
    "rigs": {"bone-map": "bone_map", "foot-lock": "foot_lock"},
}
"""Modules of `pictures`, and pictures by their names with the functions that draw them."""
SCENE = """
import bpy
from lope.addon.rigs.astronaut.astronaut import add_astronaut
bpy.ops.wm.read_homefile(use_empty=True)
for number, name in enumerate({rigs!r}):
    add_astronaut(bpy.context, name=name).location.x = 3.0 * number
render = bpy.context.scene.render
render.resolution_x, render.resolution_y = 160, 90
bpy.ops.wm.save_as_mainfile(filepath={path!r})
"""


def blocks(page: Path) -> list[tuple[str, str]]:
    """(language, text) of every block of code of a page."""
    return FENCE.findall(page.read_text(encoding="utf-8"))


def commands(page: Path) -> list[str]:
    """Command lines `lope ...` of a page's blocks of code, without comments and continued lines joined."""
    found = []
    for _, block in blocks(page):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"\s+#.*$", "", line).strip()
            line = re.sub(r"\s{3,}\S.*$", "", line)  # words beside a command, as in tables of commands
            match = re.match(r"(?:\.venv/bin/)?lope (.+)|\S*blender .*--command lope (.+)", line)
            if match and "VERB" not in line:
                found.append(match[1] or match[2])
    return found


def run(program: str, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A program of the environment, in the folder."""
    return subprocess.run([str(BIN / program), *words], cwd=folder, capture_output=True, text=True, timeout=LONGEST_S)


def what_a_reader_has(folder: Path, clip: Path | None) -> None:
    """Put the files into the folder that the pages take for given."""
    made = run("python", ["-c", SCENE.format(rigs=RIGS, path=str(folder / "scene.blend"))], folder)
    if made.returncode:
        raise SystemExit(made.stderr)
    (folder / "way.txt").write_text(WAY, encoding="utf-8")
    (folder / "cells.json").write_text(json.dumps(CELLS), encoding="utf-8")
    shutil.copy(DOCS / "pictures" / "sheet.png", folder / "cell.png")
    shutil.copytree(DOCS / "lists", folder / "docs" / "lists")
    shutil.copy(sorted((ROOT / "presets" / "suits").glob("*.json"))[0], folder / "my-suit.json")
    (folder / "OUT").mkdir()
    ((_, night),) = [block for block in blocks(DOCS / "batch.md") if block[0] == "toml"]
    (folder / "night.toml").write_text(night, encoding="utf-8")
    if clip is not None:
        shutil.copy(clip, folder / "clip.bvh")


def why_left_out(line: str, clip: Path | None, long: bool) -> str | None:
    """Why a command is not run, or None."""
    if ELSEWHERE in line:
        return "needs another machine"
    if not long and (line.startswith("tune") or "--gains-file" in line):
        return "a search, or what it finds"
    if not long and line.startswith("batch") and "--dry-run" not in line and "--status" not in line:
        return "a whole batch"
    if line.startswith("bake") and "--blend" not in line:
        return "for a Blender that has the file open"
    if clip is None and "clip.bvh" in line:
        return "no clip was given"
    return None


def examples(asked: argparse.Namespace) -> int:
    """Run the commands, page by page."""
    folder = asked.keep or Path(tempfile.mkdtemp(prefix="lope-docs-"))
    folder.mkdir(parents=True, exist_ok=True)
    what_a_reader_has(folder, asked.clip)
    done: set[str] = set()
    failed = skipped = 0
    for page in (ROOT / "README.md", *PAGES):
        for line in commands(page):
            if line in done:
                continue
            done.add(line)
            why = why_left_out(line, asked.clip, asked.long)
            if why is not None:
                skipped += 1
                print(f"  -   {page.name:18s} {line}   ({why})", flush=True)
                continue
            begun = time.monotonic()
            ended = run("lope", shlex.split(line), folder)
            held = ended.returncode in ((0, 1) if MEANT_TO_FALL in line else (0,))
            failed += not held
            print(f"{ended.returncode:3d}   {page.name:18s} {line}   {time.monotonic() - begun:.0f} s", flush=True)
            if not held:
                print("      " + "\n      ".join((ended.stderr or ended.stdout).strip().splitlines()[-6:]), flush=True)
    print(f"{len(done) - failed - skipped} ended as the pages say, {failed} did not, {skipped} were left out; in {folder}")
    return 1 if failed else 0


def pictures(asked: argparse.Namespace) -> int:
    """Draw. Exit code 2 for a word that no name holds."""
    from lope.addon.errors import LopeError

    known = {name: module for module, names in DRAWN.items() for name in names}
    names = [name for name in known if not asked.words or any(word in name for word in asked.words)]
    if not names:
        print(f"docs: no picture's name holds {' or '.join(asked.words)}; there are {', '.join(known)}.", file=sys.stderr)
        return 2
    for name in names:
        if asked.list:
            print(name)
            continue
        try:
            print(draw(known[name], name), flush=True)
        except LopeError as error:
            print(f"docs: {name}: {error}", file=sys.stderr)
    return 0


def draw(module: str, name: str) -> Path:
    """Draw one picture; gives its file. The module of rigs starts Blender."""
    from lope.addon.reports.plots import png

    drawn = getattr(import_module(f"lope.scripts.tools.pictures.{module}"), DRAWN[module][name])()
    picture = drawn if isinstance(drawn, bytes) else png(drawn)
    file = DOCS / "pictures" / f"{name}.{'jpg' if picture.startswith(JPEG) else 'png'}"
    file.write_bytes(picture)
    return file


def html(asked: argparse.Namespace) -> int:
    """Write every page of a copy of docs as HTML beside it."""
    print(f"{len(write(asked.folder))} pages")
    return 0


def main() -> int:
    """Do what is asked for."""
    parser = parser_of(__doc__)
    whats = parser.add_subparsers(required=True)
    one = whats.add_parser("html")
    one.set_defaults(run=html)
    one.add_argument("folder", type=Path, metavar="FOLDER")
    one = whats.add_parser("examples")
    one.set_defaults(run=examples)
    one.add_argument("--clip", type=Path, help="a captured walk")
    one.add_argument("--keep", type=Path, help="where the commands run; a temporary folder without it")
    one.add_argument("--long", action="store_true", help="searches and whole batches too")
    one = whats.add_parser("pictures")
    one.set_defaults(run=pictures)
    one.add_argument("words", nargs="*", metavar="WORD", help="only pictures whose name holds it")
    one.add_argument("--list", action="store_true", help="tell what would be drawn")
    asked = parser.parse_args()
    return asked.run(asked)


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
            + "\n".join(block_elements(text)) + "\n</body>\n</html>\n")


def block_elements(text: str) -> Iterator[str]:
    """The block_elements of a page as HTML, one after the other."""
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


if __name__ == "__main__":
    leave(main())
