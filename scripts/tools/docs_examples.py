#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run every `lope` command of README and handbook, page by page, and say which did not end as the page says.

    scripts/run_docs [--clip FILE.bvh] [--keep FOLDER] [--long]

The commands run in the pages' order in one folder, beside the files that a reader is taken to have: a scene with rigs by the
names that the pages use, the shot list of a page, a clip (without `--clip` the commands that need one are left out). Searches and
whole batches take many minutes each and run with `--long` only; commands for another machine's scheduler are left out. A command
has to end with 0, or with 1 (the character fell) where it says what happens after a fall. Exit code 1 where one did not.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from handbook import DOCS, PAGES, ROOT, blocks, commands

BIN = ROOT / ".venv" / "bin"
RIGS = ("Astronaut", "Hero", "Rig")
"""What the pages call the reader's armature."""
MEANT_TO_FALL = "--after-fall"
ELSEWHERE = "tcp://"
WAY = "0,0\n2,0.5\n4,0\n6,-0.5\n9,0\n"
CELLS = [{"row": "Moon", "column": "walk", "pictures": ["cell.png"], "lines": ["0.5 m/s"]}]
LONGEST_S = 1800.0

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--clip", type=Path, help="a captured walk")
    parser.add_argument("--keep", type=Path, help="where the commands run; a temporary folder without it")
    parser.add_argument("--long", action="store_true", help="searches and whole batches too")
    asked = parser.parse_args()
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


if __name__ == "__main__":
    sys.exit(main())
