#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast Lope is on this machine: one core, processor time, medians of interleaved repeats.

Run it as `scripts/bench --json`.

- `sim_s_per_cpu_s`: simulated seconds per CPU second of a walk, from Shot to Take. Higher is better; 6.5 or more is required,
  10 is the aim. It depends on the machine, and on what else runs on it: measure with nothing else running.
- `tracking_over_physics`: processor time of the same simulation over that of stepping the same MuJoCo model at the same step,
  as many steps, with constant torques. Lower is better; 1.8 or less is required. The torques are the walk's own means. What
  is left to constant torques soon lies on the ground, so the plain stepping starts anew from the walk's first pose every half
  second: it has feet on the ground, as the walk has.
- `muscles`, by set of muscles, of a walk on Earth that they pull: `sim_s_per_cpu_s` as above, 2 or more of the legs', 1 or
  more of the whole body's are required; `over_torques`, its processor time over that of the same walk by torques, in the same
  run; `stands`, whether it was walked to its end: nothing is held of one that fell.
- `plan_ms`: wall time of the plan preview of 10 s of walking; under 50 ms is required.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from dataclasses import replace

import own_python

try:
    import mujoco
    import numpy as np

    from lope.addon.bodies.model import build_model
    from lope.addon.maths.quaternions import rotvec_from_quat
    from lope.addon.progress import Progress
    from lope.addon.simulate import preview, simulate
    from lope.addon.specs.actuation import Actuation
    from lope.addon.specs.shot import Shot
    from lope.addon.take import Take
    from lope.addon.worlds.planets import load_world
except ImportError as absent:
    own_python.start_again(absent)

SPEED_LIMIT, TRACKING_LIMIT, PLAN_LIMIT_MS = 6.5, 1.8, 50.0
MUSCLES_LIMIT = {"legs": 2.0, "full": 1.0}
"""Simulated seconds per CPU second with each set of muscles."""
FALLING_S = 0.5
PLAN_SECONDS = 10.0
PLAN_REPEATS = 21


def main() -> int:
    """Measure, print, and give exit code 1 where a limit is not held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="of walking in each repeat (default: %(default)g)")
    parser.add_argument("--repeats", type=int, default=5, help="of each measurement (default: %(default)s)")
    parser.add_argument("--worlds", nargs="+", default=["earth", "moon"], help="default: earth moon")
    parser.add_argument("--muscles", nargs="*", default=list(MUSCLES_LIMIT), choices=list(MUSCLES_LIMIT),
                        help="sets of muscles; none to leave them out (default: legs full)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    progress = Progress(sys.stderr)
    report = {"machine": platform.processor() or platform.machine(), "python": platform.python_version(),
              "mujoco": mujoco.__version__, "numpy": np.__version__, "seconds": args.seconds, "repeats": args.repeats}
    for done, world in enumerate(args.worlds):
        progress(done / len(args.worlds), f"measuring on {world}")
        report[world] = bench_world(Shot(world=load_world(world), duration_s=args.seconds), args.repeats)
    for name in args.muscles:
        progress(1.0, f"measuring the muscles of the set {name}")
        report.setdefault("muscles", {})[name] = bench_muscles(Shot(duration_s=args.seconds), Actuation(name), args.repeats)
    progress(1.0, "measured")
    progress.close()
    held = all(report[w]["sim_s_per_cpu_s"] >= SPEED_LIMIT and report[w]["tracking_over_physics"] <= TRACKING_LIMIT
               and report[w]["plan_ms"] <= PLAN_LIMIT_MS for w in args.worlds)
    held &= all(report["muscles"][m]["stands"] and report["muscles"][m]["sim_s_per_cpu_s"] >= MUSCLES_LIMIT[m]
                for m in args.muscles)
    print(json.dumps(report, indent=2) if args.json else in_words(report, args.worlds))
    return 0 if held else 1


def bench_world(shot: Shot, repeats: int) -> dict[str, float]:
    """The measurements in one world."""
    take = simulate(shot)  # also warms everything up
    duration = float(take.time_s[-1] - take.time_s[0])
    model = build_model(take.body, shot.world)
    tracking, physics = [], []
    for _ in range(repeats):
        tracking.append(processor_s(lambda: simulate(shot)))
        physics.append(processor_s(lambda: step_physics(model, take, duration)))
    plan = Shot(world=shot.world, duration_s=PLAN_SECONDS)
    preview(plan)
    ratios = [t / p for t, p in zip(tracking, physics, strict=True)]
    return {
        "simulated_s": duration,
        "tracking_over_physics": statistics.median(ratios),
        "tracking_over_physics_min": min(ratios),
        "tracking_over_physics_max": max(ratios),
        "tracking_cpu_s": statistics.median(tracking),
        "physics_cpu_s": statistics.median(physics),
        "sim_s_per_cpu_s": duration / statistics.median(tracking),
        "plan_ms": 1e3 * statistics.median(wall_s(lambda: preview(plan)) for _ in range(PLAN_REPEATS)),
    }


def bench_muscles(shot: Shot, actuation: Actuation, repeats: int) -> dict[str, float | bool]:
    """The same walk by muscles and by torques, by turns."""
    pulled = replace(shot, actuation=actuation)
    take = simulate(pulled)
    duration = float(take.time_s[-1] - take.time_s[0])
    muscles, torques = [], []
    for _ in range(repeats):
        muscles.append(processor_s(lambda: simulate(pulled)))
        torques.append(processor_s(lambda: simulate(shot)))
    over = statistics.median(muscles) / duration / (statistics.median(torques) / shot.duration_s)
    return {"count": len(take.stats["muscles"]), "stands": not take.fell and take.lost is None, "simulated_s": duration,
            "sim_s_per_cpu_s": duration / statistics.median(muscles), "over_torques": over}


def step_physics(model: mujoco.MjModel, take: Take, duration_s: float) -> None:
    """Step the take's model for that long with constant torques, starting anew from the first pose every `FALLING_S`."""
    data = mujoco.MjData(model)
    start, torque = first_pose(take), take.torque_nm.mean(axis=0)
    steps = round(duration_s / model.opt.timestep)
    batch = round(FALLING_S / model.opt.timestep)
    while steps > 0:
        mujoco.mj_resetData(model, data)
        data.qpos[:] = start
        data.qfrc_applied[6:] = torque
        mujoco.mj_step(model, data, min(batch, steps))
        steps -= batch


def first_pose(take: Take) -> np.ndarray:
    """The take's first pose as MuJoCo's coordinates (nq,)."""
    body = take.body
    joints = [quaternion if body.segment(name).joint == "ball" else [rotvec_from_quat(quaternion) @ body.segment(name).axis]
              for name, quaternion in zip(body.joint_segments, take.joint_quaternions[0], strict=True)]
    return np.concatenate([take.root_position_m[0], take.root_quaternion[0], *joints])


def processor_s(work) -> float:
    """Processor time of a call [s]."""
    before = time.process_time()
    work()
    return time.process_time() - before


def wall_s(work) -> float:
    """Wall time of a call [s]."""
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def in_words(report: dict, worlds: list[str]) -> str:
    """The report for people."""
    lines = [f"Python {report['python']}, MuJoCo {report['mujoco']}, {report['machine']}, one core, "
             f"median of {report['repeats']} runs of {report['seconds']:g} s"]
    for world in worlds:
        found = report[world]
        lines.append(f"{world:8} {found['sim_s_per_cpu_s']:.2f} simulated seconds per CPU second ({SPEED_LIMIT:g} or more)   "
                     f"over bare stepping {found['tracking_over_physics']:.2f} ({TRACKING_LIMIT:g} or less)   "
                     f"plan of 10 s {found['plan_ms']:.1f} ms ({PLAN_LIMIT_MS:g} or less)")
    for name, found in report.get("muscles", {}).items():
        lines.append(f"{name:8} {found['sim_s_per_cpu_s']:.2f} simulated seconds per CPU second ({MUSCLES_LIMIT[name]:g} or more)"
                     f", {found['count']} muscles   over torques {found['over_torques']:.2f}"
                     + ("" if found["stands"] else f"   fell after {found['simulated_s']:.1f} s"))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
