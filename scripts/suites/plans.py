# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the plan is what is then simulated: the first landings of every gait on every world, level ground.

    scripts/check plans [--gaits walk run] [--worlds moon mars] [--landings 4] [--start standing]

The largest distance and delay of planned landings from simulated ones; they must lie within 5 cm.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world, world_names
from lope.scripts.suites.runner import Case, Figures, Suite, Table, at_most

GAITS = ("walk", "run", "turn", "lope", "skip", "hop")


def cases(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Every gait."""
    return zip(args.gaits, args.gaits, strict=True)


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """The largest distance and delay, and every landing's; no number where the plan has too few or they are not made."""
    shot = Shot(motion=Gait(case.what, start=args.start), world=load_world(case.world), duration_s=60.0)
    plan, count = preview(shot), args.landings
    steps = np.flatnonzero(plan.footstep_time_s > 0.0)[:count]
    if len(steps) < count:
        return {"off_cm": np.nan, "planned": len(steps)}
    enough = plan.footstep_time_s[steps[-1]] + 0.5 / plan.stride_frequency_hz
    take = simulate(replace(shot, duration_s=max(float(enough), 0.5)))
    if len(take.plan_footstep_m) < count:
        return {"off_cm": np.nan, "landings": len(take.plan_footstep_m), "fell": take.fell}
    off = 100.0 * np.linalg.norm(take.plan_footstep_m[:count, :2] - plan.footstep_m[steps, :2], axis=1)
    late = take.plan_footstep_time_s[:count] - plan.footstep_time_s[steps]
    return {"off_cm": float(off.max()), "late_s": float(np.abs(late).max()), "each_cm": " ".join(f"{x:.1f}" for x in off),
            "same_feet": bool((take.plan_footstep_side[:count] == plan.footstep_side[steps]).all())}


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--gaits", nargs="+", default=GAITS)
    parser.add_argument("--landings", type=int, default=4)
    parser.add_argument("--start", default="moving")


SUITE = Suite({"plans": Table(cases, measure, {"off_cm": at_most(5.0)})}, options,
              {"gaits": ["walk"], "worlds": ["earth", "moon"]}, worlds=tuple(name for name in world_names() if name != "custom"),
              jobs=2)
