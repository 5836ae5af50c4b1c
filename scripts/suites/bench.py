# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast Lope is on this machine; exit code 1 where a limit is not held.

    scripts/bench [speed] [--json]                          simulations: one core, processor time, medians of interleaved repeats
    scripts/bench bake [--json]                             bakes: 300 frames on the rig that Rigify generates of its metarig
    scripts/bench drive [--world earth] [--by GAIT]         a drive: from a key to the pose that has it in it
    scripts/bench --profile [--only WORD] [--json]          what a control step costs, part by part (docs/notes/speed.md)

`speed`:

- `sim_s_per_cpu_s`: simulated seconds per CPU second of a walk, from Shot to Take. Higher is better; 9 or more is required,
  10 is the aim. It depends on the machine, and on what else runs on it: measure with nothing else running.
- `over_bare_1ms`: processor time of the same simulation over that of stepping the same MuJoCo model for as long, 1 ms a step,
  with constant torques: a unit that goes with the machine. Lower is better; 3 or less is required. The torques are the walk's
  own means. What is left to constant torques soon lies on the ground, so the plain stepping starts anew from the walk's first
  pose every half second: it has feet on the ground, as the walk has.
- `over_bare`: the same at the walk's own step, which is longer. No limit: it rises with every step that is spared.
- `muscles`, by set of muscles, of a walk on Earth that they pull: `sim_s_per_cpu_s` as above, 2 or more of the legs', 1 or
  more of the whole body's are required; `over_torques`, its processor time over that of the same walk by torques, in the same
  run; `stands`, whether it was walked to its end: nothing is held of one that fell.
- `plan_ms`: wall time of the plan preview of 10 s of walking; under 50 ms is required.

`bake` needs Blender's module. It tells the processor time of a bake (median of the repeats; scene as an artist has it open,
nothing warmed up but the first run), the growth of the saved file, uncompressed, and the number of keys; dense, and with keys
left out within 0.5 mm. Limits: 100 ms, 5 MB, 1 MB after key reduction. `drive`, at a view of 60 Hz that costs no drawing, gives
the figures of docs/notes/drive.md.
"""

from __future__ import annotations

from lope.scripts.tools.common import leave, parser_of

# isort: split
import argparse
import json
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np

from lope.addon.bodies.model import build_model
from lope.addon.maths.rotations import rotvec_from_quat
from lope.addon.progress import Progress
from lope.addon.sim.sequence import physics_of
from lope.addon.sim.simulation import preview, simulate
from lope.addon.sim.take import Take
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.muscles import Actuation
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world

SPEED_LIMIT, BARE_LIMIT, PLAN_LIMIT_MS = 9.0, 3.0, 50.0
BARE_STEP_S = 0.001
MUSCLES_LIMIT = {"legs": 2.0, "full": 1.0}
"""Simulated seconds per CPU second with each set of muscles."""
FALLING_S = 0.5
PLAN_SECONDS = 10.0
PLAN_REPEATS = 21
FRAMES = 300
LIMIT_MS, LIMIT_MB, LIMIT_REDUCED_MB = 100.0, 5.0, 1.0
ERROR_M = 0.0005
KEYS = ("UP_ARROW", "DOWN_ARROW", "LEFT_ARROW", "RIGHT_ARROW")
HELD_S, PATIENCE_S, BEGUN_S = 0.4, 60.0, 3.0


def speed(args: argparse.Namespace) -> int:
    """Measure simulations."""
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
    held = all(report[w]["sim_s_per_cpu_s"] >= SPEED_LIMIT and report[w]["over_bare_1ms"] <= BARE_LIMIT
               and report[w]["plan_ms"] <= PLAN_LIMIT_MS for w in args.worlds)
    held &= all(report["muscles"][m]["stands"] and report["muscles"][m]["sim_s_per_cpu_s"] >= MUSCLES_LIMIT[m]
                for m in args.muscles)
    print(json.dumps(report, indent=2) if args.json else in_words(report, args.worlds))
    return 0 if held else 1


def bench_world(shot: Shot, repeats: int) -> dict[str, float]:
    """The measurements in one world."""
    take = simulate(shot)  # also warms everything up
    duration = float(take.time_s[-1] - take.time_s[0])
    physics = physics_of(shot)
    models = [build_model(take.body, shot.world, replace(physics, step_s=step_s)) for step_s in (physics.step_s, BARE_STEP_S)]
    whole, bare, bare_1ms = [], [], []
    for _ in range(repeats):
        whole.append(processor_s(lambda: simulate(shot)))
        for model, found in zip(models, (bare, bare_1ms), strict=True):
            found.append(processor_s(lambda model=model: step_physics(model, take, duration)))
    plan = Shot(world=shot.world, duration_s=PLAN_SECONDS)
    preview(plan)
    ratios = [one / unit for one, unit in zip(whole, bare_1ms, strict=True)]
    return {
        "simulated_s": duration,
        "over_bare_1ms": statistics.median(ratios),
        "over_bare_1ms_min": min(ratios),
        "over_bare_1ms_max": max(ratios),
        "over_bare": statistics.median(one / unit for one, unit in zip(whole, bare, strict=True)),
        "whole_cpu_s": statistics.median(whole),
        "bare_1ms_cpu_s": statistics.median(bare_1ms),
        "sim_s_per_cpu_s": duration / statistics.median(whole),
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
                     f"over bare steps of 1 ms {found['over_bare_1ms']:.2f} ({BARE_LIMIT:g} or less), "
                     f"of its own {found['over_bare']:.2f}   "
                     f"plan of 10 s {found['plan_ms']:.1f} ms ({PLAN_LIMIT_MS:g} or less)")
    for name, found in report.get("muscles", {}).items():
        lines.append(f"{name:8} {found['sim_s_per_cpu_s']:.2f} simulated seconds per CPU second ({MUSCLES_LIMIT[name]:g} or more)"
                     f", {found['count']} muscles   over torques {found['over_torques']:.2f}"
                     + ("" if found["stands"] else f"   fell after {found['simulated_s']:.1f} s"))
    return "\n".join(lines)


def bake(args: argparse.Namespace) -> int:
    """Measure bakes."""
    with tempfile.TemporaryDirectory() as folder:
        report = bench_bakes(Path(folder), args.repeats)
    held = (max(report[kind]["bake_ms"] for kind in ("dense", "reduced")) <= LIMIT_MS
            and report["dense"]["growth_mb"] <= LIMIT_MB and report["reduced"]["growth_mb"] <= LIMIT_REDUCED_MB)
    print(json.dumps(report, indent=2) if args.json else bakes_in_words(report))
    return 0 if held else 1


def bench_bakes(folder: Path, repeats: int) -> dict:
    """The report."""
    import bpy

    from lope.addon.rigs.read.armature import read_figure

    base = folder / "rig.blend"
    make_rig(bpy, base)
    figure = read_figure(rig_of(bpy))
    take = simulate(Shot(body=figure.body_spec(75.0), world=load_world("earth"), duration_s=FRAMES / 24.0 + 0.1))
    report = {"blender": bpy.app.version_string, "machine": platform.processor() or platform.machine(), "frames": FRAMES,
              "bones": len(rig_of(bpy).data.bones), "file_mb": base.stat().st_size / 1e6}
    for kind, error in (("dense", None), ("reduced", ERROR_M)):
        options = BakeOptions(frame_range=(1, FRAMES), reduce_error_m=error)
        report[kind] = bench_bake(bpy, base, folder / f"{kind}.blend", take, options, repeats)
    return report


def make_rig(bpy, path: Path) -> None:
    """A file with nothing in it but the generated rig."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_human_metarig_add()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.data.objects.remove(metarig)
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)


def rig_of(bpy):
    """The armature of the open file."""
    return next(item for item in bpy.data.objects if item.type == "ARMATURE")


def bench_bake(bpy, base: Path, out: Path, take, options, repeats: int) -> dict[str, float]:
    """Times, growth and keys of one kind of bake."""
    from lope.addon.rigs.bake.bake import bake_take, prepare
    from lope.addon.rigs.read.actions import curves_of

    times, wall = [], []
    for _ in range(repeats + 1):
        bpy.ops.wm.open_mainfile(filepath=str(base))
        rig = rig_of(bpy)
        bpy.context.view_layer.update()  # a file that is open has been drawn
        started, began = time.process_time(), time.perf_counter()
        action = bake_take(rig, take, options=options)
        times.append(1e3 * (time.process_time() - started))
        wall.append(1e3 * (time.perf_counter() - began))
    curves = list(curves_of(action))
    bpy.ops.wm.save_as_mainfile(filepath=str(out), compress=False)
    error = prepare(rig, take, options, None, bpy.context.scene).error_m
    return {"bake_ms": statistics.median(times[1:]), "wall_ms": statistics.median(wall[1:]), "first_ms": times[0],
            "growth_mb": (out.stat().st_size - base.stat().st_size) / 1e6, "curves": len(curves),
            "keys": sum(len(curve.keyframe_points) for curve in curves), "error_mm": 1e3 * error}


def bakes_in_words(report: dict) -> str:
    """The report for people."""
    lines = [f"Blender {report['blender']}, {report['machine']}: {report['frames']} frames on {report['bones']} bones"]
    for kind, limit in (("dense", LIMIT_MB), ("reduced", LIMIT_REDUCED_MB)):
        found = report[kind]
        lines.append(f"{kind:8} {found['bake_ms']:.0f} ms (limit {LIMIT_MS:g})   file grows by "
                     f"{found['growth_mb']:.2f} MB (limit {limit:g})   {found['keys']} keys on {found['curves']} curves, "
                     f"off by {found['error_mm']:.2f} mm at most")
    return "\n".join(lines)


def drive(args: argparse.Namespace) -> int:
    """Drive the astronaut, one key after the other."""
    import bpy

    import lope

    bpy.ops.wm.read_factory_settings(use_empty=True)
    lope.register()
    from lope.operators import driving

    bpy.context.scene.lope.world = args.world
    bpy.ops.lope.add_astronaut()
    armature = bpy.context.object
    armature.lope.motion, armature.lope.drive_by = "DRIVE", args.by
    going = driving.begin(armature, bpy.context.scene, None)
    frame(lambda: going.state == "ready", driving)
    going.space()
    frame(lambda: going.state == "driving", driving)
    going.press("ONE")
    frame(lambda: going.view["time_s"] > BEGUN_S, driving)
    count = 0
    while going.view["time_s"] < args.seconds and going.state == "driving":
        key = KEYS[count % len(KEYS)]
        going.press(key)
        until = time.perf_counter() + HELD_S
        frame(lambda: time.perf_counter() >= until, driving)  # noqa: B023
        going.release(key)
        count += 1
    going.keep()
    frame(lambda: driving.going is None, driving)
    delays = sorted(1e3 * delay for delay in going.delays_s)
    print(json.dumps({"world": args.world, "words": len(delays), "median_ms": round(statistics.median(delays), 1),
                      "p95_ms": round(delays[int(0.95 * (len(delays) - 1))], 1), "most_ms": round(delays[-1], 1),
                      **going.order.job.report["drive"], "fell": going.order.job.report["fell"]}))
    lope.unregister()
    return 0


def frame(done: Callable[[], bool], driving) -> None:
    """Draw nothing sixty times a second until something has come about."""
    import bpy

    end = time.perf_counter() + PATIENCE_S
    while not done():
        began = time.perf_counter()
        if began > end:
            raise SystemExit("waited in vain")
        driving._step()
        bpy.context.view_layer.update()
        time.sleep(max(driving.LOOK_S - (time.perf_counter() - began), 0.0))


def profile(args: argparse.Namespace) -> int:
    """Tell what a control step costs by part."""
    from .step_costs import CASES, costs, table

    found = {name: costs(words, args.seconds) for name, words in CASES.items() if args.only in name}
    print(json.dumps(found, indent=2) if args.json else table(found))
    return 0


def main() -> int:
    """Measure, print, and give exit code 1 where a limit is not held."""
    if "--profile" in sys.argv:
        sys.argv[sys.argv.index("--profile")] = "profile"
    if len(sys.argv) == 1 or (sys.argv[1].startswith("-") and sys.argv[1] not in ("-h", "--help")):
        sys.argv.insert(1, "speed")
    parser = parser_of(__doc__)
    whats = parser.add_subparsers(required=True)
    one = whats.add_parser("speed")
    one.set_defaults(run=speed)
    one.add_argument("--seconds", type=float, default=10.0, help="of walking in each repeat (default: %(default)g)")
    one.add_argument("--worlds", nargs="+", default=["earth", "moon"], help="default: earth moon")
    one.add_argument("--muscles", nargs="*", default=list(MUSCLES_LIMIT), choices=list(MUSCLES_LIMIT),
                     help="sets of muscles; none to leave them out (default: legs full)")
    whats.add_parser("bake").set_defaults(run=bake)
    for one in whats.choices.values():
        one.add_argument("--repeats", type=int, default=5, help="of each measurement (default: %(default)s)")
        one.add_argument("--json", action="store_true", help="print one JSON object")
    one = whats.add_parser("drive")
    one.set_defaults(run=drive)
    one.add_argument("--world", default="earth")
    one.add_argument("--by", default="MOVES", choices=("MOVES", "GAIT"))
    one.add_argument("--seconds", type=float, default=20.0)
    one = whats.add_parser("profile")
    one.set_defaults(run=profile)
    one.add_argument("--only", default="", metavar="WORD", help="only cases whose name holds this")
    one.add_argument("--seconds", type=float, default=5.0, help="of each shot (default: %(default)g)")
    one.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    return args.run(args)


if __name__ == "__main__":
    leave(main())
