# SPDX-License-Identifier: GPL-3.0-or-later
"""How far hip, knee and ankle of a gait or a take are from published normal gait.

    scripts/check norms walk --picture docs/notes/walk-vs-norms.png       a gait preset, a gait's JSON file, or a BVH clip
    scripts/check norms TAKE.npz ... [--norms FOLDER]                     simulated takes

Norms: Schwartz, Rozumalski and Trost 2008 (J. Biomech. 41:1639), five speeds, interpolated to the gait's dimensionless speed
v / sqrt(g l); and the adult of OpenSim's example "subject01". The files are looked for beside the project, in
../shared/motion/gait_norms, or where --norms says. The distances are told, and not judged.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.files import written_whole
from lope.addon.motions.cycle import Cycle, pose
from lope.addon.motions.library import cycle_from_file, load_gait
from lope.addon.reports.norms import JOINTS, PERCENT, Curves, Score, curves_of_take, joint_angles, schwartz, scores
from lope.addon.reports.plots import new_figure
from lope.addon.sim.take import Take
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec
from lope.scripts.suites.runner import Case, Figures, Suite, Table
from lope.scripts.tools.common import SHARED


def curves_of(name: str) -> Curves:
    """Curves of a take, a gait preset, a gait file or a clip."""
    if name.endswith(".npz"):
        return curves_of_take(Take.load(name))
    return curves_of_cycle(cycle_from_file(name) if Path(name).suffix else load_gait(name))


def draw(curves: Curves, found: dict[str, Score], out: str) -> None:
    """The picture: every stride and their mean over the norm's band."""
    figure, axes = new_figure(15.0, 4.6, 1, 3)
    for axis, (joint, score) in zip(axes, found.items(), strict=True):
        axis.fill_between(PERCENT, score.mean - score.sd_deg, score.mean + score.sd_deg, color="0.85",
                          label=f"Schwartz 2008, v* {curves.speed_star:.2f}: mean ± SD")
        axis.plot(PERCENT, score.mean, color="0.55")
        axis.plot(PERCENT, score.adult, color="tab:green", linestyle="--", label="OpenSim adult, 1.13 m/s")
        axis.plot(PERCENT, score.own.T, color="tab:blue", linewidth=0.6, alpha=0.5)
        axis.plot(PERCENT, score.own.mean(axis=0), color="tab:blue", linewidth=2.2, label=curves.title)
        axis.set(title=f"{joint}: {score.sd:.2f} SD", xlabel="% of the cycle from heel strike", ylabel="degrees")
    axes[1].legend(loc="upper left", fontsize=8)
    with written_whole(out, "picture") as partial:
        figure.savefig(partial, dpi=90)


def cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[Curves, dict[str, Score]]]]:
    """Everything that is compared."""
    for what in args.what:
        curves = curves_of(what)
        yield Path(what).stem, (curves, scores(curves, args.norms))


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """The distances of the three joints."""
    curves, found = case.what
    if args.picture:
        draw(curves, found, args.picture)
    tilt = float(schwartz(args.norms, curves.speed_star)["pelvis_tilt_deg"][0].mean())
    figures: Figures = {"title": curves.title.replace("\n", " "), "speed_star": curves.speed_star,
                        "pelvis_turned_deg": tilt - float(curves.pelvis.mean())}
    for joint in JOINTS:
        score, own = found[joint], found[joint].own.mean(axis=0)
        figures |= {f"{joint}_sd": score.sd, f"{joint}_off_adult_deg": score.adult_deg,
                    f"{joint}_range_deg": f"{own.min():.0f}..{own.max():.0f}",
                    f"{joint}_norm_deg": f"{score.mean.min():.0f}..{score.mean.max():.0f}"}
    return figures | {"mean_sd": float(np.mean([score.sd for score in found.values()]))}


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("what", nargs="*", default=["walk"], help="gaits' names or JSON files, BVH clips, or takes (.npz)")
    parser.add_argument("--picture", metavar="FILE.png", help="every stride and their mean over the norm's band")
    parser.add_argument("--norms", type=Path, default=SHARED / "motion" / "gait_norms")


SUITE = Suite({"norms": Table(cases, measure)}, options)


def curves_of_cycle(cycle: Cycle) -> Curves:
    """Curves of both legs of a gait, on the standard body."""
    body = make_body(BodySpec())
    rows = []
    for side in "LR":
        phases = cycle.contact_phases[side].strike + PERCENT / 100.0
        _, orientations = segment_poses(body, *pose(cycle.evaluate(phases), body))
        rows.append(joint_angles(body, orientations, side))
    angles = {joint: np.array([row[joint] for row in rows]) for joint in JOINTS}
    return Curves(f"gait {cycle.name}, {cycle.speed_m_s:.2f} m/s", angles, np.array([row["pelvis"] for row in rows]),
                  float(cycle.speed_m_s / np.sqrt(EARTH_GRAVITY_M_S2 * cycle.leg_length_m)))
