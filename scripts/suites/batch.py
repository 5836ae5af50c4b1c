# SPDX-License-Identifier: GPL-3.0-or-later
"""Kill a batch again and again, and look whether anything is lost, done twice or half made; or measure its throughput.

    scripts/check batch --rig A.glb --rig B.glb     the astronaut and two rigs x 3 gaits x 3 worlds, killed five times
    scripts/check batch --throughput                8 simulations with 1 worker and with 2: simulated seconds a second

Needs a Python with the bpy module for the first. Exit code 0 where all holds, 1 where something does not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lope.addon.batch.made import NOTES, Made
from lope.addon.batch.state import DONE, State, state_file
from lope.addon.sim.take import Take

GAITS, WORLDS = ("walk", "run", "lope"), ("moon", "mars", "earth")
KILLS = 5
LONGEST_DELAY_S = 3.0
"""How long after a stage's end the kill comes at the latest, so that it may hit anything."""
PNG_END = b"IEND\xaeB`\x82"
THROUGHPUT_SHOTS, THROUGHPUT_S = 8, 20.0


def main() -> int:
    """Drill or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rig", action="append", default=[], metavar="FILE", help="a rig beside the astronaut; repeatable")
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="length of each shot (default: %(default)g)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the kills' moments (default: %(default)s)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to work (default: a temporary folder)")
    parser.add_argument("--throughput", action="store_true", help="measure simulations with one worker and with two")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lope-check-batch-") as temporary:
        folder = options.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        return throughput(folder) if options.throughput else drill(folder, options)


def drill(folder: Path, options: argparse.Namespace) -> int:
    """Kill a batch five times, let it finish, and check what is there."""
    path = folder / "drill.toml"
    rigs = ["astronaut", *(str(Path(rig).resolve()) for rig in options.rig)]
    last = round(24 * options.seconds)
    path.write_text(f"""[defaults]
seconds = {options.seconds}
render = {{ size = "64x64", samples = 1, frames = "1,{last},{last - 1}" }}
[[grids]]
name = "d"
rig = {json.dumps(rigs)}
gait = {json.dumps(GAITS)}
world = {json.dumps(WORLDS)}
""", encoding="utf-8")
    chance = random.Random(options.seed)
    stages = len(rigs) * (1 + 4 * len(GAITS) * len(WORLDS))
    begun, orphans = time.monotonic(), 0
    for number in range(KILLS):
        after, delay = chance.randint(0, stages // (KILLS + 1)), chance.uniform(0.0, LONGEST_DELAY_S)
        seen, left = killed_run(path, after, delay)
        orphans += left
        print(f"kill {number + 1}: {seen} stages were done in that run, {delay:.1f} s after the last; "
              f"children left after 10 s: {left}", flush=True)
    done = subprocess.run(batch_words(path, "--json"), capture_output=True, text=True)
    report = json.loads(done.stdout)
    words = [shot["word"] for shot in report["shots"]]
    print(f"last run: exit code {done.returncode}, {({word: words.count(word) for word in sorted(set(words))})}; "
          f"{time.monotonic() - begun:.0f} s in all")
    for shot in report["shots"]:
        if shot["sentence"]:
            print(f"  {shot['name']}: {shot['sentence']}")
    faults = [*checked_state(path), *checked_files(folder / "drill-out", report), *["an orphan went on"] * orphans]
    if {"failed", "to do"} & set(words):
        faults.append("not every shot came to its end")
    again = subprocess.run(batch_words(path, "--json"), capture_output=True, text=True)
    if '"event": "done"' in again.stderr:
        faults.append("a run after the last one found something to do")
    print("\n".join(faults) or "nothing lost, nothing done twice, every output whole")
    return 1 if faults else 0


def batch_words(path: Path, *words: str) -> list[str]:
    """The batch's command line."""
    return [sys.executable, "-m", "lope", "batch", str(path), *words]


def killed_run(path: Path, after: int, delay: float) -> tuple[int, int]:
    """Start a batch, kill it -9 a while after so many stages; gives how many it did and how many children lived on."""
    process = subprocess.Popen(batch_words(path, "--json"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seen = 0
    for line in process.stderr:
        seen += line.startswith('{"event": "done"')
        if seen >= after:
            break
    time.sleep(delay)
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout.split()
    process.send_signal(signal.SIGKILL)
    rest = process.stderr.read()
    process.wait()
    time.sleep(10.0)
    alive = subprocess.run(["ps", "-o", "pid=", "-p", ",".join(found)], capture_output=True, text=True) if found else None
    return seen + rest.count('{"event": "done"'), len(alive.stdout.split()) if alive else 0


def checked_state(path: Path) -> list[str]:
    """What the state says against the batch."""
    state = State(state_file(path), Made(path.parent))
    counts = state.counts()
    state.close()
    twice = [f"{unit} {stage} was done {states[DONE]} times" for (unit, stage, _), states in counts.items()
             if states.get(DONE, 0) > 1]
    attempts = sum(sum(states.values()) for states in counts.values())
    done = sum(states.get(DONE, 0) for states in counts.values())
    print(f"{len(counts)} stages, {attempts} attempts: {done} done, {attempts - done} cut off or failed; "
          f"{len(twice)} stages done twice")
    return twice


def checked_files(out: Path, report: dict) -> list[str]:
    """Which outputs are not whole, and what was left half made."""
    faults = [f"left half made: {path}" for path in out.rglob(".*") if not path.name.startswith(NOTES)]
    pictures = takes = 0
    for shot in report["shots"]:
        folder = out / shot["name"]
        if "simulate" in shot["stages"] and shot["stages"]["simulate"] == DONE:
            Take.load(folder / "take.npz")
            takes += 1
        if shot["stages"].get("render") == DONE:
            for picture in (folder / "frames").glob("*.png"):
                pictures += 1
                if not picture.read_bytes().endswith(PNG_END):
                    faults.append(f"cut short: {picture}")
    print(f"{takes} takes and {pictures} pictures read")
    return faults


def throughput(folder: Path) -> int:
    """Simulated seconds a second with one worker and with two."""
    rates = []
    for workers in (1, 2):
        path = folder / f"workers{workers}.toml"
        path.write_text(f'[defaults]\nseconds = {THROUGHPUT_S}\nbake = false\nreport = false\n[[grids]]\nname = "t"\n'
                        f"seed = {list(range(THROUGHPUT_SHOTS))}\nnoise = 0.01\n", encoding="utf-8")
        begun = time.monotonic()
        subprocess.run(batch_words(path, "--workers", str(workers)), check=True, capture_output=True)
        wall = time.monotonic() - begun
        state = State(state_file(path), Made(folder))
        peak = max(attempt.report["peak_mb"] for attempt in state.latest().values())
        state.close()
        rates.append(THROUGHPUT_SHOTS * THROUGHPUT_S / wall)
        print(f"{workers} worker{'s' * (workers > 1)}: {wall:.1f} s, {rates[-1]:.2f} simulated seconds a second, "
              f"at most {peak:.0f} MB a worker (load of the machine {os.getloadavg()[0]:.1f})", flush=True)
    print(f"2 workers over 1: {rates[1] / rates[0]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
