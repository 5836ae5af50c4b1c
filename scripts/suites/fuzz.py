# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether files that are damaged, or made to do harm, end in one sentence.

    scripts/check fuzz [--count 4000] [--seed N] [--only WORD] [--number N ...] [--keep FOLDER] [--quick] [--json]

Lope makes small sound files of every kind first, which all have to be read. Then come six bombs: archives and arrays that unpack
to gigabytes, a picture that says it is huge, JSON nested deep or with an endless number. Then each of so many inputs is a sound
file, or a command line, with a random fault, given to a verb in a process that is ended when it takes too long. It counts what
no user may see: tracebacks (exit code 3, or a process that died), more than 2 GB of memory, more than 30 s of processor time, bad
input not told in one line. Exit code 1 where there is any. `--quick` is 200 inputs, `--only` those of verbs and files whose name
has the word, `--keep` holds on to all files, `--number` runs some again. The same seed makes the same inputs. Linux only: /proc
tells the most memory that an input takes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import re
import resource
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from lope.addon.bodies.creature.template import FOLDER as CREATURES
from lope.addon.cli import main as lope
from lope.addon.commands.presets import FOLDERS
from lope.addon.errors import InputError
from lope.addon.motions.bvh import write_bvh
from lope.addon.motions.moves.library import MOVES_FOLDER
from lope.addon.motions.pressure.files import read_pressure
from lope.addon.motions.responses.response import Library, load_library
from lope.addon.options.body_options import body_text
from lope.addon.sim.drive_script import ScriptWriter
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.motions import Gait, Stand
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.specs.steering import Steering
from lope.scripts.suites.faults import (
    Random,
    archive_fault,
    array_fault,
    json_fault,
    lines_fault,
    make_bombs,
    picture_fault,
    words_fault,
    wrong_words,
)
from lope.scripts.tools.common import parser_of

MOST_MB, MOST_S = 2000.0, 30.0
ADDRESSES_GB = 12
"""Addresses that a process may ask for: what unpacks to more is seen long before."""
LONGEST_SHOT_S = 5.0
WAIT_S = 300.0
"""A process is not waited for any longer, busy as the machine may be."""
LONGEST_WORDS = 2100
"""Letters that one sentence may have, with the list of known names."""
NO_MEMORY = re.compile(r"MemoryError|not enough memory|Unable to allocate", re.IGNORECASE)
LIST = """out = "there"
[defaults]
world = "moon"
bake = false
seconds = 1.0

[[shots]]
name = "a"
gait = "walk"
push = ["0.4,0.2,0,75,0"]

[[grids]]
name = "g"
gait = ["walk", "run"]
world = ["earth", "mars"]
speed = 0.9
"""
"""A shot list."""



@dataclass(frozen=True)
class Form:
    """A verb that reads a file: `words`, in which FILE stands for it, BESIDE for the folder of sound files. `member` is what of
    a folder gets the fault."""

    name: str
    source: Path
    words: tuple[str, ...]
    fault: Callable[[bytes, Random], bytes]
    member: str = ""


@dataclass
class Found:
    """What became of an input."""

    number: int
    name: str
    code: int | None = None
    seconds: float = 0.0
    most_mb: float = 0.0
    said: str = ""
    wrong: list[str] = field(default_factory=list)
    place: str = ""
    """Where a traceback ends in Lope."""
    words: list[str] = field(default_factory=list)


# --- the sound files -----------------------------------------------------------------------------------------------------------


def make_inputs(folder: Path) -> None:
    """Write small sound files of every kind that Lope reads into a folder. Raises RuntimeError where a verb fails."""
    takes = {"walk": Shot(duration_s=1.0), "stand": Shot(motion=Stand(), duration_s=3.0),
             "begin": Shot(motion=Gait(start="standing"), duration_s=4.5)}
    clips = folder / "clips"
    clips.mkdir()
    for name, shot in takes.items():
        take = simulate(shot)
        take.save(folder / f"{name}.npz")
        every = slice(None, None, 4)
        step_s = 4.0 * float(take.time_s[1] - take.time_s[0])
        write_bvh((folder if name == "walk" else clips) / f"{name}.bvh", take.body, step_s, take.root_position_m[every],
                  take.root_quaternion[every], take.joint_quaternions[every])
    for words in (("pressure", "of", f"{folder}/begin.npz", "--out", f"{folder}/mat.csv"),
                  ("pressure", "of", f"{folder}/begin.npz", "--out", f"{folder}/mat.npz"),
                  ("pressure", "of", f"{folder}/begin.npz", "--insoles", "--rate", "12", "--out", f"{folder}/soles.npz"),
                  ("pressure", "index", str(clips), "--licence", "CC0-1.0", "--out", f"{folder}/known.npz")):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            if lope(list(words)):
                raise RuntimeError(f"lope {' '.join(words)}: {said.getvalue()}")
    _pictures(folder)
    own = load_library()
    Library("three", "CC0-1.0", own.responses[::max(len(own.responses) // 3, 1)][:3]).save(folder / "three.npz")
    writer = ScriptWriter(folder / "way.drive", Shot(duration_s=1.0))
    writer.steer(Steering(0.1, speed_m_s=0.8))
    writer.push(Push(0.3, 0.1, (20.0, 0.0, 0.0)))
    writer.came_to(0.6)
    writer.end(0.8)
    _texts(folder)


def _pictures(folder: Path) -> None:
    """The mat as a folder of pictures, and heights as a table and an array."""
    from PIL import Image

    (mat,) = read_pressure(folder / "mat.npz")
    frames = folder / "frames"
    frames.mkdir()
    for i, image in enumerate(mat.images[:30]):
        Image.fromarray(np.flip(image / max(mat.images.max(), 1.0) * 255.0).astype(np.uint8)).save(frames / f"{i:03d}.png")
    (frames / "head.json").write_text(json.dumps({"rate_hz": 12.0, "pitch_m": 0.0127, "unit": "counts"}), encoding="utf-8")
    heights = np.round(0.02 * np.random.default_rng(1).random((12, 12)), 4)
    np.save(folder / "hill.npy", heights)
    np.savetxt(folder / "hill.csv", heights, delimiter=",", fmt="%.4f")


def _texts(folder: Path) -> None:
    """Gains, a body, objects, a shot list in both its languages."""
    gains = {"schema": "lope-gains", "format": 1, "controller": "tracking", "gains": {"walk": {"clearance_m": 0.02}}}
    (folder / "gains.json").write_text(json.dumps(gains), encoding="utf-8")
    (folder / "pose.json").write_text(json.dumps({"turns": {"thigh_L": [0.0, -0.2, 0.0]}}), encoding="utf-8")
    (folder / "body.json").write_text(body_text(BodySpec()), encoding="utf-8")
    box = {"name": "crate", "shape": "box", "size_m": [0.3, 0.3, 0.3], "mass_kg": 2.0, "place_m": [2.0, 0.0, 0.15]}
    (folder / "objects.json").write_text(json.dumps([box]), encoding="utf-8")
    (folder / "list.toml").write_text(LIST, encoding="utf-8")
    shots = [{"name": "a", "gait": "walk", "seconds": 1, "bake": False}, {"name": "b", "world": "mars", "bake": False}]
    (folder / "list.json").write_text(json.dumps({"shots": shots, "defaults": {"friction": 0.8}}), encoding="utf-8")


def forms(folder: Path) -> list[Form]:
    """All verbs that read a file, with the file that each gets."""
    short = ("--seconds", "0.5", "--no-retry")
    mat, known = f"{folder}/mat.csv", f"{folder}/known.npz"
    made = [
        *(Form(f"take {name}", folder / "walk.npz", words, archive_fault) for name, words in {
            "measure": ("measure", "FILE"), "mat": ("pressure", "of", "FILE"), "soles": ("pressure", "of", "FILE", "--insoles"),
            "after": ("plan", "--after", "FILE", *short), "drive": ("drive", "--script", "FILE"),
            "beside": ("measure", f"{folder}/walk.npz", "--beside", "FILE")}.items()),
        Form("stand take", folder / "stand.npz", ("measure", "FILE"), archive_fault),
        Form("drive script", folder / "way.drive", ("drive", "--script", "FILE"), lines_fault),
        Form("pose gait", FOLDERS["pose_gait"] / "walk.json", ("simulate", "--pose-gait", "FILE", *short), json_fault),
        Form("gait", FOLDERS["gait"] / "walk.json", ("plan", "--motion", "FILE", *short), json_fault),
        Form("walker", FOLDERS["reflex"] / "walk.json", ("simulate", "--gait", "reflex", "--walker", "FILE", *short), json_fault),
        Form("condition", FOLDERS["condition"] / "waddle.json", ("plan", "--condition", "FILE", *short), json_fault),
        Form("creature", CREATURES / "human.json", ("simulate", "--creature", "FILE", "--quick", *short), json_fault),
        Form("creature gait", FOLDERS["creature_gait"] / "human.json",
             ("simulate", "--creature", "human", "--quick", "--creature-gait", "FILE", *short), json_fault),
        Form("clip inspect", folder / "walk.bvh", ("inspect", "FILE"), lines_fault),
        Form("clip gait", folder / "clips" / "begin.bvh", ("plan", "--motion", "FILE", *short), lines_fault),
        Form("clip followed", folder / "walk.bvh", ("plan", "--follow", "FILE"), lines_fault),
        Form("heights array", folder / "hill.npy", ("plan", "--heightfield", "FILE,0.5", *short), array_fault),
        Form("heights table", folder / "hill.csv", ("plan", "--heightfield", "FILE,0.5", *short), lines_fault),
        Form("gains", folder / "gains.json", ("plan", "--gains-file", "FILE", *short), json_fault),
        Form("body", folder / "body.json", ("plan", "--body", "FILE", *short), json_fault),
        Form("objects", folder / "objects.json", ("plan", "--objects", "FILE", *short), json_fault),
        Form("stance", folder / "pose.json", ("simulate", "--gait", "stand", "--stance", "pose=FILE", *short), json_fault),
        *(Form(f"list {name}", folder / f"list.{name}", ("batch", "FILE", "--dry-run"), fault)
          for name, fault in (("toml", lines_fault), ("json", json_fault))),
        Form("list flamenco", folder / "list.toml", ("batch", "FILE", "--flamenco"), lines_fault),
        *(Form(f"pressure {name}", folder / name, ("pressure", "read", "FILE", "--database", known), fault)
          for name, fault in (("mat.csv", lines_fault), ("mat.npz", archive_fault), ("soles.npz", archive_fault))),
        *(Form(f"pictures {name}", folder / "frames", ("pressure", "read", "FILE", "--database", known), fault, name)
          for name, fault in (("004.png", picture_fault), ("000.png", picture_fault), ("head.json", json_fault))),
        Form("database", folder / "known.npz", ("pressure", "read", mat, "--database", "FILE"), archive_fault),
        Form("motions list", folder / "clips", ("pressure", "index", "FILE", "--licence", "x", "--out", "FILE/../known.npz"),
             json_fault, "../known.json"),
        Form("library", folder / "three.npz", ("responses", "find", "--library", "FILE", "--push", "left,0.4"), archive_fault),
        *(Form(f"{kind.replace('_', ' ')} preset", sorted(shipped.glob("*.json"))[0],
               ("presets", "check", "FILE", "--kind", kind), json_fault) for kind, shipped in FOLDERS.items()),
        Form("any preset", MOVES_FOLDER / "walk_normal.json", ("presets", "check", "FILE"), json_fault),
    ]
    arguments = [Form(f"words of {form.name}", form.source, form.words, words_fault, form.member) for form in made[::3]]
    return [*made, *arguments]


# --- running -------------------------------------------------------------------------------------------------------------------


def prepared(form: Form, number: int, rng: Random, folder: Path) -> list[str]:
    """Write an input's file into an empty folder; gives the words."""
    target = folder / form.source.name
    if form.source.is_dir():
        shutil.copytree(form.source, target)
        if form.member.startswith("../"):
            shutil.copy(form.source / form.member, target / form.member)
    else:
        shutil.copy(form.source, target)
    spot = target / form.member if form.member else target
    if number >= 0:
        spot.write_bytes(form.fault(spot.read_bytes(), rng))
    words = [word.replace("FILE", str(target)) for word in form.words]
    return wrong_words(words, rng) if number >= 0 and form.fault is words_fault else words


def run_words(found: Found, words: list[str], said: Path) -> None:
    """Run the command line in this process and note what became of it; what it says goes into a file."""
    kept, result = [os.dup(i) for i in (1, 2)], said.with_suffix(".out")
    for i, target in zip((1, 2), (result, said), strict=True):
        with target.open("w") as stream:
            os.dup2(stream.fileno(), i)
    Path("/proc/self/clear_refs").write_text("5")
    begun = time.process_time()
    try:
        found.code = lope(words)
    except BaseException:
        found.wrong.append("traceback")
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        found.seconds = time.process_time() - begun
        for i, old in zip((1, 2), kept, strict=True):
            os.dup2(old, i)
            os.close(old)
    found.most_mb = int(re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())[1]) / 1024.0
    found.said = said.read_bytes().decode(errors="replace")[-20_000:]
    _judge(found, result.stat().st_size > 0)


def _judge(found: Found, has_result: bool) -> None:
    """Note what is wrong with an outcome; who prints a result says in that what is wrong."""
    if "Traceback (most recent call last)" in found.said or found.code == 3:
        found.wrong = ["traceback"]
        frames = re.findall(r'File "[^"]*/addon/([^"]*)", line (\d+)', found.said)
        found.place = ":".join(frames[-1]) if frames else ""
        found.said = found.said.rsplit("\nlope: this is a fault", 1)[0].rstrip().rpartition("\n")[2][:300]
    elif found.code == 2 and not has_result:
        last = found.said.rstrip("\n").rpartition("\n")[2]
        if not last.startswith("lope: ") or len(last) > LONGEST_WORDS or "Warning" in found.said:
            found.wrong.append("no sentence")
    if found.most_mb > MOST_MB or NO_MEMORY.search(found.said):
        found.wrong.append("memory")
    if found.seconds > MOST_S:
        found.wrong.append("time")


def refuse_long() -> None:
    """Let no simulation begin that is sound but long: of an hour that a fault asks for nothing is to be learnt."""
    begin = Simulation.__init__

    def checked(self: Simulation, shot: Shot, *rest: Any, **named: Any) -> None:
        if shot.duration_s > LONGEST_SHOT_S and not shot.until_end:  # till its clip's end: clips here are short
            raise InputError(f"A shot of {shot.duration_s:g} s is not simulated in this check.")
        begin(self, shot, *rest, **named)

    Simulation.__init__ = checked  # type: ignore[method-assign]


def work(inputs: Path, every: list[Form], bombs: list[tuple[str, tuple[str, ...]]], seed: int, pipe: Connection) -> None:
    """A process that runs inputs by their numbers as they come; below 0 a form's sound file, and then a bomb."""
    most = ADDRESSES_GB << 30
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    refuse_long()
    while (number := pipe.recv()) is not None:
        with tempfile.TemporaryDirectory(dir=inputs) as name:
            folder = Path(name)
            rng = Random(f"{seed} {number}")
            if number < -len(every):
                bomb, words = bombs[-number - len(every) - 1]
                found = Found(number, bomb, words=list(words))
            else:
                form = every[-number - 1] if number < 0 else rng.choice(every)
                found = Found(number, form.name)
                found.words = prepared(form, number, rng, folder)
            pipe.send(found)
            os.chdir(folder)
            run_words(found, found.words, folder / "said.txt")
            if number < 0 and found.code not in (0, 1) and not found.name.startswith(("bomb", "words")):
                found.wrong.append("sound file refused")
            kept = Path(tempfile.mkdtemp(dir=inputs)) if found.wrong else None
            if kept is not None:
                shutil.copytree(folder, kept, dirs_exist_ok=True, ignore=lambda _, names: [n for n in names if n == "there"])
                found.words = [word.replace(str(folder), str(kept)) for word in found.words]
            os.chdir(inputs)
        pipe.send(found)


class Runner:
    """One process at a time that runs inputs; a new one where it has to be ended."""

    def __init__(self, *about: Any) -> None:
        self._about = about
        self._process: Any = None

    def run(self, number: int) -> Found:
        """What becomes of an input."""
        if self._process is None:
            self._pipe, other = multiprocessing.Pipe()
            self._process = multiprocessing.get_context("fork").Process(target=work, args=(*self._about, other), daemon=True)
            self._process.start()
            other.close()
        self._pipe.send(number)
        found = Found(number, "?")
        begun = time.monotonic()
        try:
            for _ in range(2):
                if not self._pipe.poll(WAIT_S):
                    found.wrong, found.seconds = ["time"], time.monotonic() - begun
                    self.close()
                    return found
                found = self._pipe.recv()
        except (EOFError, ConnectionResetError):
            found.wrong, found.said = ["traceback"], "the process died"
            self.close()
            return found
        if found.most_mb > MOST_MB:
            self.close()
        return found

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None


def main() -> int:
    """Run it; gives the exit code."""
    args = _arguments()
    if args.keep is not None:
        args.keep.mkdir(parents=True, exist_ok=True)
    inputs = Path(tempfile.mkdtemp(prefix="lope-fuzz-", dir=args.keep))
    runner = None
    try:
        make_inputs(inputs)
        every = [form for form in forms(inputs) if args.only in form.name]
        bombs = [bomb for bomb in make_bombs(inputs, FOLDERS["pose_gait"] / "walk.json") if args.only in bomb[0]]
        numbers = [*range(-1, -1 - len(every) - len(bombs), -1), *range(args.count)]
        if args.number is not None:
            numbers = args.number
        begun, wrong, codes, most = time.monotonic(), [], Counter(), Found(0, "")
        runner = Runner(inputs, every, bombs, args.seed)
        for i, found in enumerate(map(runner.run, numbers)):
            codes[found.code] += 1
            most = max(most, found, key=lambda one: one.most_mb)
            if found.wrong:
                wrong.append(found)
                print(f"{found.number} {found.name}: {', '.join(found.wrong)} {found.place} {found.said[-300:]}", file=sys.stderr)
            if i % 200 == 199:
                print(f"{i + 1} of {len(numbers)}, {time.monotonic() - begun:.0f} s", file=sys.stderr)
    finally:
        if runner is not None:
            runner.close()
        if args.keep is None:
            shutil.rmtree(inputs, ignore_errors=True)
    return _report(args, wrong, codes, most, time.monotonic() - begun)


def _arguments() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="WORD", help="only forms whose name has this word")
    parser.add_argument("--number", type=int, nargs="+", help="only the inputs of these numbers")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where all files stay")
    parser.add_argument("--quick", action="store_true", help="200 inputs")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    args = parser.parse_args()
    if args.quick:
        args.count = 200
    return args


def _report(args: argparse.Namespace, wrong: list[Found], codes: Counter[int | None], most: Found, seconds: float) -> int:
    kinds = Counter(kind for found in wrong for kind in found.wrong)
    figures = {
        "inputs": sum(codes.values()), "tracebacks": kinds["traceback"], "over_2_gb": kinds["memory"], "over_30_s": kinds["time"],
        "no_sentence": kinds["no sentence"], "sound_refused": kinds["sound file refused"],
        "places": dict(Counter(found.place for found in wrong if found.place).most_common()),
        "codes": {str(code): count for code, count in sorted(codes.items(), key=str)},
        "most_mb": round(most.most_mb), "most_by": most.name, "seconds": round(seconds)}
    if args.json:
        print(json.dumps({**figures, "wrong": [asdict(found) for found in wrong]}))
    else:
        for name, value in figures.items():
            print(f"{name:14} {value}")
    return 1 if wrong else 0
