# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope plan`: what the pendulum says will happen, in moments: a walk without physics, of bounces the first few stepped."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from ..bodies.human.landmarks import SIDES
from ..bodies.of_shot import shot_body
from ..errors import InputError
from ..gaits.choice import advise, is_suited, shot_choice
from ..gaits.ranges import promised_range, top_heavy, unlike
from ..options.shot_options import add_shot_options, shot_from
from ..specs.motions import Followed
from .outcome import Outcome, table

if TYPE_CHECKING:
    from ..locomotion.controller import Plan
    from ..specs.shot import Shot


EXAMPLE = """examples:
  lope plan --gait walk --world mars --json
  lope plan --follow left.bvh --world moon --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shot_options(parser)
    parser.add_argument("--paths", action="store_true", help="also list time, centre of mass and cart of every sample")


def run(args: argparse.Namespace) -> Outcome:
    """Plan; the report holds the gait variables and the footsteps, with --paths also the paths."""
    shot = shot_from(args)
    from ..sim.simulation import preview

    if shot.until_end or isinstance(shot.motion, Followed):
        from ..sim.simulation import resolved

        shot = resolved(shot)
    plan = preview(shot)
    if plan is None:
        raise InputError(f"The controller {shot.controller} plans nothing ahead; simulate to see what it does.")
    report = {
        "gravity_m_s2": shot.world.gravity_m_s2, "duration_s": shot.duration_s, "speed_m_s": float(plan.speed_m_s),
        **({"clip": shot.called} if isinstance(shot.motion, Followed) else _strides(plan)), **_bends(plan), **_judged(shot, plan),
        **({"note": plan.note} if plan.note else {}),
    }
    steps = [{"time_s": float(time), "side": SIDES[int(side)], "place_m": [float(x) for x in place]}
             for time, side, place in zip(plan.footstep_time_s, plan.footstep_side, plan.footstep_m, strict=True)]
    text = table({**report, "footsteps": len(steps)})
    report["footsteps"] = steps
    if args.paths:
        report |= {name: getattr(plan, name).tolist() for name in ("time_s", "com_m", "cart_m")}
    return Outcome(report, text)


def _strides(plan: Plan) -> dict[str, float]:
    """Stride frequency [1/s] and length [m] of a gait, and its Froude number."""
    return {"stride_frequency_hz": float(plan.stride_frequency_hz),
            "stride_length_m": float(plan.speed_m_s / plan.stride_frequency_hz), "froude": float(plan.froude)}


def _bends(plan: Plan) -> dict[str, object]:
    """Of a path whose bends slow the walk down: its length [m], the least speed [m/s], and the speed at places along it."""
    if plan.along is None:
        return {}
    length = plan.along.length_m
    return {"path_length_m": length if math.isfinite(length) else None, "slowest_m_s": plan.along.slowest_m_s,
            "speed_along_path": [{"place_m": [x, y], "speed_m_s": speed} for x, y, speed in plan.along.marks]}


def _judged(shot: Shot, plan: Plan) -> dict[str, object]:
    """What is known of a built-in gait at the planned speed: advice in words, and the speeds [m/s] at which it stands."""
    if shot.motion.source_file is not None:
        return {}
    body, gravity = shot_body(shot), shot.world.gravity_m_s2
    choice, leg = shot_choice(shot, body.leg_length_m, is_suited(body), top_heavy(body)), body.leg_length_m
    gait = shot.motion.name if choice is None else choice.gait
    known, why = promised_range(gait, gravity, body), unlike(body)
    return {"gait": gait, **({} if choice is None else {"chosen_because": choice.words}),
            "advice": advise(gait, float(plan.speed_m_s), gravity, leg, shot.world.name),
            "feasible_speed_m_s": None if known is None else [round(v, 3) for v in known],
            **({} if why is None else {"not_promised": why})}
