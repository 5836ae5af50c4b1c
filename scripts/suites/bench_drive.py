#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long it is from a key to the pose on the armature that has it in it, at a view of 60 Hz that costs no drawing, and how fast
the clock goes: the figures of docs/notes/drive.md. Usage: .venv/bin/python scripts/bench_drive [--world earth] [--by GAIT]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

import bpy

import lope

KEYS = ("UP_ARROW", "DOWN_ARROW", "LEFT_ARROW", "RIGHT_ARROW")
HELD_S, PATIENCE_S, BEGUN_S = 0.4, 60.0, 3.0


def main() -> None:
    """Drive the astronaut, one key after the other, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="earth")
    parser.add_argument("--by", default="MOVES", choices=("MOVES", "GAIT"))
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    lope.register()
    from lope.operators import driving

    bpy.context.scene.lope.world = args.world
    bpy.ops.lope.add_astronaut()
    armature = bpy.context.object
    armature.lope.motion, armature.lope.drive_by = "DRIVE", args.by
    drive = driving.begin(armature, bpy.context.scene, None)
    frame(lambda: drive.state == "ready", driving)
    drive.space()
    frame(lambda: drive.state == "driving", driving)
    drive.press("ONE")
    frame(lambda: drive.view["time_s"] > BEGUN_S, driving)
    count = 0
    while drive.view["time_s"] < args.seconds and drive.state == "driving":
        key = KEYS[count % len(KEYS)]
        drive.press(key)
        until = time.perf_counter() + HELD_S
        frame(lambda: time.perf_counter() >= until, driving)  # noqa: B023
        drive.release(key)
        count += 1
    drive.keep()
    frame(lambda: driving.going is None, driving)
    delays = sorted(1e3 * delay for delay in drive.delays_s)
    print(json.dumps({"world": args.world, "words": len(delays), "median_ms": round(statistics.median(delays), 1),
                      "p95_ms": round(delays[int(0.95 * (len(delays) - 1))], 1), "most_ms": round(delays[-1], 1),
                      **drive.order.job.report["drive"], "fell": drive.order.job.report["fell"]}))
    lope.unregister()


def frame(done, driving) -> None:
    """Draw nothing sixty times a second until something has come about."""
    end = time.perf_counter() + PATIENCE_S
    while not done():
        began = time.perf_counter()
        if began > end:
            raise SystemExit("waited in vain")
        driving._step()
        bpy.context.view_layer.update()
        time.sleep(max(driving.LOOK_S - (time.perf_counter() - began), 0.0))


if __name__ == "__main__":
    main()
