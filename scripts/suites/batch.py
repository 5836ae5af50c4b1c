# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a batch that is killed again and again loses nothing, does nothing twice and leaves nothing half made; its throughput.

    scripts/check batch [drill] [--rig A.glb --rig B.glb]     the astronaut and those rigs x 3 gaits x 3 worlds, killed five times
    scripts/check batch throughput                            8 simulations with 1 worker and with 2, told and not judged
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lope.addon.batch.made import NOTES, Made
from lope.addon.batch.state import DONE, State, state_file
from lope.addon.sim.take import Take
from lope.scripts.suites.runner import Case, Figures, Row, Suite, Table, is_

GAITS, WORLDS = ("walk", "run", "lope"), ("moon", "mars", "earth")
LONGEST_DELAY_S = 3.0
"""How long after a stage's end the kill comes at the latest, so that it may hit anything."""
PNG_END = b"IEND\xaeB`\x82"
THROUGHPUT_SHOTS, THROUGHPUT_S = 8, 20.0


def work_in(args: argparse.Namespace) -> None:
    """The folder to work in."""
    args.out = args.out or Path(tempfile.mkdtemp(prefix="lope-check-batch-"))
    args.out.mkdir(parents=True, exist_ok=True)


def drill(args: argparse.Namespace) -> Iterator[tuple[str, tuple[Path, int, float] | Path]]:
    """So many kills, and the run that comes to the end."""
    path = args.out / "drill.toml"
    rigs = ["astronaut", *(str(Path(rig).resolve()) for rig in args.rig)]
    last = round(24 * args.seconds)
    path.write_text(f"""[defaults]
seconds = {args.seconds}
render = {{ size = "64x64", samples = 1, frames = "1,{last},{last - 1}" }}
[[grids]]
name = "d"
rig = {json.dumps(rigs)}
gait = {json.dumps(GAITS[:args.gaits])}
world = {json.dumps(WORLDS[:args.gaits])}
""", encoding="utf-8")
    chance = random.Random(args.seed)
    stages = len(rigs) * (1 + 4 * min(args.gaits, 3) ** 2)
    for number in range(args.kills):
        yield f"kill {number + 1}", (path, chance.randint(0, stages // (args.kills + 1)), chance.uniform(0.0, LONGEST_DELAY_S))
    yield "the end", path


def drilled(case: Case, args: argparse.Namespace) -> Figures:
    """What a run that is killed leaves behind; or what there is in the end."""
    if isinstance(case.what, tuple):
        seen, left = killed_run(*case.what)
        return {"stages_done": seen, "delay_s": case.what[2], "orphans": left}
    done = subprocess.run(batch_words(case.what, "--json"), capture_output=True, text=True)
    report = json.loads(done.stdout)
    words = [shot["word"] for shot in report["shots"]]
    again = subprocess.run(batch_words(case.what, "--json"), capture_output=True, text=True)
    return {"exit_code": done.returncode, "shots": len(words), **state_of(case.what), **files_of(args.out / "drill-out", report),
            "all_ended": not {"failed", "to do"} & set(words), "nothing_more_to_do": '"event": "done"' not in again.stderr,
            "sentences": "; ".join(f"{shot['name']}: {shot['sentence']}" for shot in report["shots"] if shot["sentence"]) or None}


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


def state_of(path: Path) -> Figures:
    """What the state says against the batch."""
    state = State(state_file(path), Made(path.parent))
    counts = state.counts()
    state.close()
    attempts = sum(sum(states.values()) for states in counts.values())
    done = sum(states.get(DONE, 0) for states in counts.values())
    return {"stages": len(counts), "attempts": attempts, "cut_off_or_failed": attempts - done,
            "done_twice": sum(states.get(DONE, 0) > 1 for states in counts.values())}


def files_of(out: Path, report: dict) -> Figures:
    """Outputs that were read, and how many are not whole."""
    half, pictures, takes = [str(path) for path in out.rglob(".*") if not path.name.startswith(NOTES)], 0, 0
    for shot in report["shots"]:
        folder = out / shot["name"]
        if shot["stages"].get("simulate") == DONE:
            Take.load(folder / "take.npz")
            takes += 1
        if shot["stages"].get("render") == DONE:
            for picture in (folder / "frames").glob("*.png"):
                pictures += 1
                half += [] if picture.read_bytes().endswith(PNG_END) else [str(picture)]
    return {"takes": takes, "pictures": pictures, "half_made": ", ".join(half) or None}


def throughput(case: Case, args: argparse.Namespace) -> Figures:
    """Simulated seconds a second with so many workers."""
    path = args.out / f"workers{case.what}.toml"
    path.write_text(f'[defaults]\nseconds = {THROUGHPUT_S}\nbake = false\nreport = false\n[[grids]]\nname = "t"\n'
                    f"seed = {list(range(THROUGHPUT_SHOTS))}\nnoise = 0.01\n", encoding="utf-8")
    begun = time.monotonic()
    subprocess.run(batch_words(path, "--workers", str(case.what)), check=True, capture_output=True)
    wall = time.monotonic() - begun
    state = State(state_file(path), Made(path.parent))
    peak = max(attempt.report["peak_mb"] for attempt in state.latest().values())
    state.close()
    return {"wall_s": wall, "rate": THROUGHPUT_SHOTS * THROUGHPUT_S / wall, "peak_mb_a_worker": peak}


def speed_up(rows: list[Row], args: argparse.Namespace) -> Iterator[Row]:
    """Two workers over one."""
    rates = [row.figures["rate"] for row in rows]
    yield Row("throughput", "2 workers over 1", {"speed_up": rates[-1] / rates[0]})


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--rig", action="append", default=[], metavar="FILE", help="a rig beside the astronaut; repeatable")
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="length of each shot (default: %(default)g)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the kills' moments (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=5, metavar="N", help="default: %(default)s")
    parser.add_argument("--gaits", type=int, default=3, metavar="N", help="so many gaits on as many worlds (default: 3)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to work (default: a temporary folder)")


BOUNDS = {"orphans": is_(0), "exit_code": is_(0), "done_twice": is_(0), "all_ended": is_(True), "half_made": is_(None),
          "nothing_more_to_do": is_(True)}
SUITE = Suite({"drill": Table(drill, drilled, BOUNDS, begin=work_in),
               "throughput": Table(lambda args: ((f"{n} workers", n) for n in (1, 2)), throughput, begin=work_in, end=speed_up)},
              options, {"kills": 1, "gaits": 1}, default=("drill",), jobs=0)
