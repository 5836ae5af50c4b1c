# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives Lope's command line in a real Blender, started by scripts/gui cli: every verb once well and once badly.

Usage: python cli_drive.py OUT_FOLDER -- BLENDER [WORDS ...]; the extension is installed in that Blender.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CLIP = """HIERARCHY
ROOT Hips
{
 OFFSET 0 0 0
 CHANNELS 3 Xposition Yposition Zposition
 End Site
 {
  OFFSET 0 1 0
 }
}
MOTION
Frames: 2
Frame Time: 0.1
0 0 0
0 0 0
"""
LIST = """{
 "defaults": {"seconds": 1, "render": {"size": "64x64", "samples": 1, "frames": "1,3,2"}},
 "shots": [{"name": "moon", "world": "moon"}]
}
"""
RIG = "import bpy, sys; bpy.ops.lope.add_astronaut(); bpy.ops.wm.save_as_mainfile(filepath='rig.blend'); sys.exit(0)"
PATIENCE_S = 600.0
REAL_CLIP = Path(__file__).resolve().parents[4] / "shared" / "motion" / "bvh" / "07_01_walk_normal.bvh"
"""A captured walk, where the project's reference data is there."""

Report = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One call: words after `lope`, the exit code it has to have, a word its error has to hold, files that have to be there
    afterwards, and what its report has to be. `file` is opened by Blender first; `script` goes by --python."""

    name: str
    words: str
    code: int = 0
    told: str = ""
    files: tuple[str, ...] = ()
    holds: Callable[[Report], bool] | None = field(default=None, repr=False)
    file: str | None = None
    script: bool = False


SIZE = "--size 64x64 --samples 1"
STEPS = (
    Step("no arguments", "", 2, "lope VERB --help"),
    Step("help", "--help"),
    Step("version", "--version"),
    Step("a typo in a verb", "simulat", 2, "Did you mean 'simulate'"),
    Step("a typo in a preset", "simulate --world mon", 2, "Did you mean 'moon'"),
    Step("doctor", "doctor --json", holds=lambda r: r["works"]),
    Step("presets", "presets --json", holds=lambda r: "walk" in r["gaits"]),
    Step("presets of a kind", "presets gait walk --json", holds=lambda r: r["worlds"]["moon"]["speed_m_s"] > 0.2),
    Step("plan", "plan --world moon --json", holds=lambda r: len(r["footsteps"]) > 3),
    Step("simulate", "simulate --world moon --seconds 3 --out take.npz --json", files=("take.npz",),
         holds=lambda r: r["fell"] is False and r["gravity_m_s2"] == 1.62),
    Step("a fall", "simulate --gait walk --seconds 4 --push 1,0.5,0,900,0 --json", 1, holds=lambda r: r["fell"] is True),
    Step("simulate for a rig", "simulate --blend rig.blend --seconds 1 --out rig.npz --json", files=("rig.npz",),
         holds=lambda r: r["fell"] is False),
    Step("simulate for the open file", "simulate --armature Astronaut --seconds 1 --json", file="rig.blend",
         holds=lambda r: r["fell"] is False),
    Step("measure", "measure take.npz --json", holds=lambda r: "card" in r),
    Step("measure what is not there", "measure nowhere.npz", 2, "There is no take at nowhere.npz"),
    Step("inspect", "inspect snake.bvh", 2, "snake.bvh"),
    Step("tune", "tune --iterations 1 --population 4 --strides 3 --workers 2 --out map.json --json", files=("map.json",),
         holds=lambda r: r["cost_after"] <= r["cost_before"]),
    Step("doctor of a rig", "doctor --blend rig.blend --body body.json --json", files=("body.json",),
         holds=lambda r: r["usable"] and r["rig"] == "Lope astronaut"),
    Step("doctor with repairs", "doctor --fix repaired.blend --json", file="rig.blend", files=("repaired.blend",),
         holds=lambda r: r["usable"]),
    Step("plan for a body", "plan --body body.json --json", holds=lambda r: r["speed_m_s"] > 0.5),
    Step("bake", "bake --blend rig.blend --take take.npz --out walked.blend --json", files=("walked.blend",),
         holds=lambda r: r["frame_end"] - r["frame_start"] > 60),
    Step("bake in the open file", "bake --armature Astronaut --take take.npz --out walked2.blend", file="rig.blend",
         files=("walked2.blend",)),
    Step("bake nowhere", "bake --blend rig.blend --armature Nobody --take take.npz --out x.blend", 2, "'Nobody'"),
    Step("render", f"render --blend walked.blend --out frames --frames 1,3,2 {SIZE} --json",
         files=("frames/frame_0003.png",), holds=lambda r: len(r["frames"]) == 2),
    Step("render the open file", f"render --out film.mp4 --frames 1,4 {SIZE}", file="walked.blend", files=("film.mp4",)),
    Step("batch", "batch list.json --json", files=("list-out/moon/take.npz", "list-out/moon/report.json")),
    Step("batch again", "batch list.json --status"),
    Step("report", "report --matrix matrix --gaits walk --worlds moon --seconds 2 --no-plots --json",
         files=("matrix/report.html",), holds=lambda r: r["takes"] == 1),
    Step("classic", f"render --out classic --frames 1,1 {SIZE}", file="walked.blend", script=True,
         files=("classic/frame_0001.png",)),
    Step("classic with a fault", "simulate --world mon", 2, "Did you mean 'moon'", script=True),
)


def call(blender: Sequence[str], step: Step) -> subprocess.CompletedProcess[str]:
    """Run one step in Blender."""
    opened = [step.file] if step.file else []
    how = ["--python", "render_batch.py", "--"] if step.script else ["--command", "lope"]
    return subprocess.run([*blender, "--quiet", "--background", *opened, *how, *step.words.split()], capture_output=True,
                          text=True, timeout=PATIENCE_S)


def faults(step: Step, run: subprocess.CompletedProcess[str]) -> list[str]:
    """What is not as it has to be."""
    found = []
    if run.returncode != step.code:
        found.append(f"exit code {run.returncode}, expected {step.code}")
    if step.told not in run.stderr:
        found.append(f"does not say {step.told!r}")
    if "Traceback" in run.stderr:
        found.append("a traceback")
    found += [f"{name} is not there" for name in step.files if not Path(name).exists() or not size(Path(name))]
    if step.holds is not None:
        lines = run.stdout.strip().splitlines()  # a Blender in a chroot may warn before
        try:
            if not step.holds(json.loads(lines[-1])):
                found.append(f"the report is not as expected: {lines[-1][:300]}")
        except (IndexError, ValueError, KeyError, TypeError) as error:
            found.append(f"no report on standard output ({error!r}): {run.stdout[-300:]}")
        found += [f"also on standard output: {line}" for line in lines[:-1] if "WARNING" not in line]
    return found


def size(path: Path) -> int:
    """Bytes of a file; of a folder how much is in it."""
    return len(list(path.iterdir())) if path.is_dir() else path.stat().st_size


def main() -> int:
    """Prepare, run every step, write the report."""
    cut = sys.argv.index("--")
    out, blender = Path(sys.argv[1]).resolve(), sys.argv[cut + 1:]
    (out / "snake.bvh").write_text(CLIP, encoding="utf-8")
    shutil.copy(Path(__file__).resolve().parents[2] / "tools" / "render_batch.py", out)
    (out / "list.json").write_text(LIST, encoding="utf-8")
    steps = STEPS
    if REAL_CLIP.is_file():
        (out / "walk.bvh").write_bytes(REAL_CLIP.read_bytes())
        steps += (Step("inspect a real clip", "inspect walk.bvh --json", holds=lambda r: len(r["strides"]) >= 2),)
    subprocess.run([*blender, "--background", "--python-expr", RIG], check=True, capture_output=True, cwd=out)
    seen, failed = [], 0
    for step in steps:
        began = time.monotonic()
        run = call(blender, step)
        seconds, wrong = round(time.monotonic() - began, 1), faults(step, run)
        failed += bool(wrong)
        seen.append({"step": step.name, "words": step.words, "exit_code": run.returncode, "seconds": seconds,
                     "faults": wrong, **({"stderr": run.stderr[-3000:]} if wrong else {})})
        print(f"{'FAILED' if wrong else 'ok':6}  {seconds:6.1f} s  {step.name:28} {'; '.join(wrong)}", flush=True)
    (out / "report.json").write_text(json.dumps({"passed": not failed, "steps": seen}, indent=1) + "\n", encoding="utf-8")
    print(f"{len(steps) - failed} of {len(steps)} passed; {out / 'report.json'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
