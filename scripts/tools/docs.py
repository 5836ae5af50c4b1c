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
from importlib import import_module
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
    from lope.scripts.tools.docs_html import write

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


if __name__ == "__main__":
    leave(main())
