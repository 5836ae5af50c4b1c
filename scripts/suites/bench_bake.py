#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast a bake is and how much a file grows by it: 300 frames on the rig that Rigify generates of its human metarig.

Run it with the project's Python: `.venv/bin/python scripts/bench_bake --json`. Needs Blender's module (bpy). Prints the
processor time of a bake (median of the repeats; scene as an artist has it open, nothing warmed up but the first run), the
growth of the saved file, uncompressed, and the number of keys; dense, and with keys left out within 0.5 mm. Ends with 1
where a limit is not held: 100 ms, 5 MB, 1 MB after key reduction.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[name] = "1"  # before numpy is loaded

import argparse  # noqa: E402
import json  # noqa: E402
import platform  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

FRAMES = 300
LIMIT_MS, LIMIT_MB, LIMIT_REDUCED_MB = 100.0, 5.0, 1.0
ERROR_M = 0.0005


def main() -> int:
    """Measure and report; 0 where every limit is held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="bakes of each kind (default 5)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("BLENDER_USER_RESOURCES", folder)
        report = measure(Path(folder), args.repeats)
    held = (max(report[kind]["bake_ms"] for kind in ("dense", "reduced")) <= LIMIT_MS
            and report["dense"]["growth_mb"] <= LIMIT_MB and report["reduced"]["growth_mb"] <= LIMIT_REDUCED_MB)
    print(json.dumps(report, indent=2) if args.json else in_words(report))
    sys.stdout.flush()
    os._exit(0 if held else 1)  # Blender's module does not end its interpreter once Rigify has run in it


def measure(folder: Path, repeats: int) -> dict:
    """The report."""
    import bpy

    from lope.addon.rigs.read.armature import read_figure
    from lope.addon.simulate import simulate
    from lope.addon.specs.bake_options import BakeOptions
    from lope.addon.specs.shot import Shot
    from lope.addon.worlds.planets import load_world

    base = folder / "rig.blend"
    make_rig(bpy, base)
    figure = read_figure(rig_of(bpy))
    take = simulate(Shot(body=figure.body_spec(75.0), world=load_world("earth"), duration_s=FRAMES / 24.0 + 0.1))
    report = {"blender": bpy.app.version_string, "machine": platform.processor() or platform.machine(), "frames": FRAMES,
              "bones": len(rig_of(bpy).data.bones), "file_mb": base.stat().st_size / 1e6}
    for kind, error in (("dense", None), ("reduced", ERROR_M)):
        options = BakeOptions(frame_range=(1, FRAMES), reduce_error_m=error)
        report[kind] = one_kind(bpy, base, folder / f"{kind}.blend", take, options, repeats)
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


def one_kind(bpy, base: Path, out: Path, take, options, repeats: int) -> dict[str, float]:
    """Times, growth and keys of one kind of bake."""
    from lope.addon.rigs.bake.bake import bake_take
    from lope.addon.rigs.bake.prepare import prepare
    from lope.addon.rigs.read.curves import curves_of

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


def in_words(report: dict) -> str:
    """The report for people."""
    lines = [f"Blender {report['blender']}, {report['machine']}: {report['frames']} frames on {report['bones']} bones"]
    for kind, limit in (("dense", LIMIT_MB), ("reduced", LIMIT_REDUCED_MB)):
        found = report[kind]
        lines.append(f"{kind:8} {found['bake_ms']:.0f} ms (limit {LIMIT_MS:g})   file grows by "
                     f"{found['growth_mb']:.2f} MB (limit {limit:g})   {found['keys']} keys on {found['curves']} curves, "
                     f"off by {found['error_mm']:.2f} mm at most")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
