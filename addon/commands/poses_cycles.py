# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope poses --cycles`: a gait along the curves of a clip's mean cycle, and how near it comes to them."""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import replace
from pathlib import Path

from ..gaits.tuned_maps import write_json
from ..motions.bvh import read_bvh
from ..motions.clip_curves import ClipCurves, clip_curves
from ..motions.retarget import retarget
from ..options.follow_options import clip_from
from ..progress import Progress
from ..specs.pose_gait import PoseGait, pose_gait_file
from ..tuning.budget import Budget
from ..tuning.from_curves import gait_along, nearest_along
from .outcome import DONE, Outcome
from .poses_report import TRIED_ON, for_people, tried_on


def along_clip(args: argparse.Namespace, out: Path, base: PoseGait) -> Outcome:
    """Make the gait and write it; the report says how near curves and gait are. Raises LopeError."""
    clip = Path(args.clip) if args.action is None else clip_from(_nowhere(args))
    motion = read_bvh(clip)
    if args.action is not None:
        motion = replace(motion, path=f"The action {args.action!r}")  # which messages name, not the file that it went through
    found = clip_curves(retarget(motion))
    drawn = gait_along(found, out.stem, f"{found.cycles:g} cycles of {clip.stem}")
    if args.speed is not None:
        drawn = replace(drawn, speed_m_s=args.speed, sideways_m_s=0.0)
    body, whose = tried_on(args)
    progress = Progress(sys.stderr, args.json)
    try:
        gait, gave, figures = (drawn, [], {}) if args.as_drawn else nearest_along(
            drawn, base, Budget(args.evaluations, args.minutes, args.seed), progress, body)
    finally:
        progress.close()
    write_json(out, pose_gait_file(gait))
    print(f"Gait written to {out}.", file=sys.stderr)
    report = {"pose_gait": gait.name, **told(found), "speed_m_s": gait.speed_m_s, "sideways_m_s": gait.sideways_m_s,
              "gave": gave, **figures, TRIED_ON: None if args.as_drawn else whose}
    return Outcome(report, for_people(report), DONE)


def _nowhere(args: argparse.Namespace) -> argparse.Namespace:
    """What `clip_from` reads of the options: with no take to lie beside, its clip goes to the folder for temporary ones."""
    return argparse.Namespace(action=args.action, action_armature=args.armature, armature=args.armature, blend=args.blend)


def told(found: ClipCurves) -> dict[str, object]:
    """What a clip's curves are and how near they are to it."""
    curves = found.curves
    series = [*curves.angles.values(), *(one for three in curves.turns.values() for one in three)]
    return {"cycles": found.cycles, "start_s": round(found.start_s, 2), "period_s": curves.period_s,
            "touch_left": curves.touch_left, "touch_right": curves.touch_right,
            "error_legs_deg": round(math.degrees(found.error_legs_rad), 2),
            "error_most_deg": round(math.degrees(max(found.error_rad.values())), 2),
            "harmonics": max(found.harmonics.values()),
            "coefficients": sum(map(len, series))}
