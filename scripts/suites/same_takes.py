# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a change leaves every Take as it was: runs a matrix of short shots, and compares two such folders byte by byte.

    scripts/check same_takes make OUT [--clips FOLDER] [--lope LOPE] [--only TEXT]   the shots of same_takes.txt, by that `lope`
    scripts/check same_takes compare OLD NEW [--only TEXT]                           exit code 1 where anything differs

Run it at the commit before a refactor and at the one after; `--lope` is the command of another checkout
(`/path/to/it/.venv/bin/lope`). Of a take are compared all arrays, by type, shape and bytes, and its statistics, by value; the
shot's description and versions are not. Of any other file all bytes are compared. A shot that is refused must be refused with the
same sentence. The clips are those of your own; without them the shots that need one are left out.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import time
import zipfile
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from lope.scripts.tools.common import ROOT, parser_of

TABLE = Path(__file__).with_suffix(".txt")
PROCESSES = 2
COMPARED = (".npz", ".csv", ".bvh", ".json", ".said", ".refused")
REFUSED = ".refused"
"""What the file ends with that holds why a shot was refused."""
TOLD = ".said"

INDEXED = ("reactions/snu_kick_low", "reactions/snu_stand_quiet", "turns/snu_walk_slow")
"""Clips of the database by which pressure is read."""
GIVEN = {
    "moves.drive": [
        {"drive": 1, "shot": {"follow": {"moves": True}, "controller": "follow", "world": {"name": "moon", "gravity_m_s2": 1.62},
                              "duration_s": 3600}},
        {"steer": {"time_s": 0.5, "gait": "walk", "speed_m_s": 0.6}},
        {"steer": {"time_s": 2.0, "turn_rad": 1.57}},
        {"push": {"start_s": 3.0, "duration_s": 0.2, "force_n": [0, 60, 0], "segment": "chest"}},
        {"end_s": 5.0},
    ],
    "thrown.json": [
        [{"name": "Crate", "size_m": [0.6, 0.4, 0.4], "mass_kg": 3, "place_m": [1.5, 0.1, 0.2]},
         {"name": "Ball", "shape": "sphere", "size_m": [0.2, 0.2, 0.2], "density_kg_m3": 500, "place_m": [0.5, -2, 1.3],
          "velocity_m_s": [0, 6, 1], "release_s": 0.5}],
    ],
}
"""Files that shots read, and what stands in them line by line."""


def shots(only: str, clips: bool) -> dict[str, list[str]]:
    """File of each shot that is wanted and its words for `lope`, those before it that it reads from included."""
    table = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, *words = shlex.split(line)
            table[name] = words
    wanted: dict[str, list[str]] = {}
    left_out = set()
    for name, words in table.items():
        if not clips and any(word.startswith(("clips/", "given/clips")) or word in left_out for word in words):
            left_out.add(name)
    for name, words in reversed(table.items()):
        if name not in left_out and (only in name or any(name in other for other in wanted.values())):
            wanted[name] = words
    return dict(reversed(wanted.items()))


def lay_out(folder: Path, clips: Path | None) -> None:
    """Put the files into the folder that shots read."""
    (folder / "given").mkdir(parents=True, exist_ok=True)
    for name, lines in GIVEN.items():
        (folder / "given" / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    heights = [[0.03 * ((3 * row + column) % 4) for column in range(40)] for row in range(40)]
    (folder / "given" / "heights.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in heights), encoding="utf-8")
    if clips is not None:
        (folder / "clips").unlink(missing_ok=True)
        (folder / "clips").symlink_to(clips.resolve())
        (folder / "given" / "clips").mkdir(exist_ok=True)
        for clip in INDEXED:
            path = clips / f"{clip}.bvh"
            (folder / "given" / "clips" / path.name).write_bytes(path.read_bytes())


def run_shot(lope: Path, folder: Path, name: str, words: list[str], before: list[Future]) -> str:
    """Run one shot once those before it are done; gives what to print of it."""
    for shot in before:
        shot.result()
    for old in (name, name + REFUSED):
        (folder / old).unlink(missing_ok=True)
    began = time.monotonic()
    told = name.endswith(TOLD)
    command = [lope, *words, *([] if told else ["--out", name])]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        (folder / (name + REFUSED)).write_text((run.stderr.strip().splitlines() or [""])[-1] + "\n", encoding="utf-8")
    elif told:
        (folder / name).write_text(run.stdout, encoding="utf-8")
    return f"{name}: {run.returncode}, {time.monotonic() - began:.1f} s"


def make(args: argparse.Namespace) -> int:
    """Run the matrix."""
    lay_out(args.out, args.clips)
    began = time.monotonic()
    with ThreadPoolExecutor(PROCESSES) as pool:
        running: dict[str, Future] = {}
        for name, words in shots(args.only, args.clips is not None).items():
            before = [running[word] for word in words if word in running]
            running[name] = pool.submit(run_shot, args.lope.absolute(), args.out, name, words, before)
        for shot in running.values():
            print(shot.result(), flush=True)
    print(f"{len(running)} shots in {time.monotonic() - began:.0f} s")
    return 0


def difference(old: Path, new: Path) -> str:
    """What differs between two files of the same name; empty where nothing does."""
    if old.suffix != ".npz":
        return "" if old.read_bytes() == new.read_bytes() else "other bytes"
    with zipfile.ZipFile(old) as first, zipfile.ZipFile(new) as second:
        members = [{n: z.read(n) for n in z.namelist()} for z in (first, second)]
    takes = [m.pop("take.json", b"{}") for m in members]
    stats = [json.loads(take).get("stats", {}) for take in takes]
    found = [name for one, other in (members, stats) for name in sorted({*one, *other})
             if name not in one or name not in other or one[name] != other[name]]
    return ", ".join(found)


def compare(args: argparse.Namespace) -> int:
    """Compare two folders of takes."""
    names = sorted({p.name for folder in (args.old, args.new) for p in folder.iterdir() if p.suffix in COMPARED
                    and args.only in p.name})
    wrong = 0
    for name in names:
        old, new = args.old / name, args.new / name
        if not (old.exists() and new.exists()):
            said = f"only in {args.old if old.exists() else args.new}"
        else:
            said = difference(old, new)
        if said:
            wrong += 1
            print(f"{name}: {said}")
    print(f"{len(names) - wrong} of {len(names)} the same")
    return 1 if wrong or not names else 0


def main() -> int:
    """Make or compare."""
    parser = parser_of(__doc__)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("make")
    verb.add_argument("out", type=Path)
    verb.add_argument("--clips", type=Path, help="folder of BVH clips; without it none are simulated")
    verb.add_argument("--lope", type=Path, default=ROOT / ".venv/bin/lope",
                      help="the command that runs them (default: this checkout's)")
    verb.set_defaults(run=make)
    verb = verbs.add_parser("compare")
    verb.add_argument("old", type=Path)
    verb.add_argument("new", type=Path)
    verb.set_defaults(run=compare)
    for verb in verbs.choices.values():
        verb.add_argument("--only", default="", metavar="TEXT", help="shots whose name holds this")
    args = parser.parse_args()
    return args.run(args)
