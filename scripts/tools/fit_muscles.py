# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the presets of the muscles from the models of MyoLeg and MASS.

    scripts/tools/fit_muscles.py MODELS [--out FOLDER] [--compare]

MODELS is the folder with `myoleg/myolegs_nomesh.xml` and `mass/human.xml`, `mass/muscle284.xml`.
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from lope.addon.bodies.body import Body, kind_of
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.human.landmarks import neutral_alignments
from lope.addon.bodies.human.tree import neutral_landmarks
from lope.addon.bodies.muscle import MuscleSet
from lope.addon.bodies.muscles.paths import PathKinematics
from lope.addon.bodies.muscles.sets import FOLDER, FORMAT, Placing, reference_set
from lope.addon.files import write_whole
from lope.scripts.tools.muscles import tables
from lope.scripts.tools.muscles.knee import (
    SOURCE_NAME,
    fit_give,
    fit_knee,
    grouped,
    knee_pose,
    lengths_by_rule,
    slack_as_in_the_source,
)
from lope.scripts.tools.muscles.sources import MASS_KG as SOURCE_KG
from lope.scripts.tools.muscles.sources import PATELLA, SOLE_BELOW_ANKLE_M, Mass, MyoLeg

SOURCE = (
    "Legs: MyoLeg (github.com/MyoHub/myo_sim, Apache-2.0, Vikash Kumar, Vittorio Caggiano, Huawei Wang; after Rajagopal et al. "
    "2016), paths over the knee fitted to a hinge, forces halved (30 in place of 60 N/cm^2); trunk{more}: paths of MASS "
    "(github.com/lsw9021/MASS, Apache-2.0, (c) 2019 Seunghwan Lee). Pennation and some fibres: Ward et al. 2009; fibre types: "
    "Johnson et al. 1973; strength of the trunk: "
    "Anderson and Pandy 1999, Christophy et al. 2012, first guesses{arms}. Made by scripts/tools/fit_muscles.py.")
STRESS_PA = 0.3e6
"""Of these forces over the sections they are from. By it both legs' muscles have 15.7 kg; people of that size have 15.8
(Handsfield et al. 2014)."""


def main() -> int:
    """Fit, tell, write."""
    parser = parser_of(__doc__)
    parser.add_argument("models", type=Path, help="folder of the models, with myoleg and mass in it")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER", help="where the files go (default: presets)")
    parser.add_argument("--compare", action="store_true", help="write nothing; a table of the shipped legs' arms beside MyoLeg's")
    options = parser.parse_args()
    leg, source = MyoLeg(options.models / "myoleg" / "myolegs_nomesh.xml"), Mass(options.models / "mass")
    body, theirs, landmarks, align = bodies(leg, source)
    ankle, knee = leg.landmarks()["ankle"], leg.landmarks()["knee"]
    lean_rad = float(np.arctan2(knee[0] - ankle[0], knee[2] - ankle[2]))
    if options.compare:
        shipped = reference_set("legs").muscles
        left = MuscleSet(tuple(m for m in shipped if m.side == "L" and m.name[:-2] in tables.LEG.values()))
        print("\n".join(table(leg, body, left, lean_rad)))
        return 0
    legs = leg_entries(leg, align)
    fit_knee(legs, leg, body, lean_rad)
    slack_as_in_the_source(legs, leg, body, lean_rad)
    short = len(legs)
    under_the_toes(legs, body)
    lengths_by_rule(legs[short:], body)
    fit_give(legs, body, lean_rad)
    placing = Placing(theirs, body)
    trunk, rest = (mass_entries(source, placing, table) for table in (tables.TRUNK, {**tables.ARMS, **tables.NECK}))
    for entries in (trunk, rest):
        lengths_by_rule(entries, body)
    for name, label, entries, more, arms in (
            ("legs", "Legs and trunk", [*legs, *trunk], "", ""),
            ("full", "Full body", [*legs, *trunk, *rest], ", arms and neck",
             ", of arms: Holzbaur et al. 2005, of the neck: Vasavada et al. 1998")):
        grouped(entries, body)
        text = json.dumps({"format": FORMAT, "name": name, "label": label, "source": SOURCE.format(more=more, arms=arms),
                           "mass_kg": MASS_KG, "stress_pa": STRESS_PA, "landmarks": landmarks, "muscles": entries},
                          indent=1, default=rounded)
        write_whole(options.out / f"{name}.json", flat(text) + "\n", "muscle set")
        print(f"{options.out / name}.json: {2 * len(entries)} muscles")
    return 0


def rounded(values: np.ndarray) -> list[float]:
    """Numbers to a hundredth of a millimetre."""
    return [round(float(v), 5) + 0.0 for v in values]


def flat(text: str) -> str:
    """JSON with each part of a path, and each list of numbers, on one line."""
    out, depth = [], 0
    for line in text.split("\n"):
        stripped = line.strip()
        inside = depth >= 4
        depth += stripped.count("{") + stripped.count("[") - stripped.count("}") - stripped.count("]")
        if inside:
            out[-1] += ("" if out[-1].endswith(("[", "{")) or stripped.startswith(("]", "}")) else " ") + stripped
        else:
            out.append(line)
    return "\n".join(out)


MASS_KG = 75.3
"""Of the person whose muscles Rajagopal et al. 2016 took, 1.70 m high."""
STRESS_SHARE = 0.5
"""Of MyoLeg's forces, which have Rajagopal's 60 N/cm^2 over sections from volumes measured on people: that gives twice the
torques that people reach on a dynamometer, so 30 N/cm^2 here (docs/notes/muscles-geometry.md)."""
TOE_HEAD_M = 0.009
"""Of the heads of the metatarsals with the sesamoids, around which flexors run: MyoLeg's, on points alone, get above the joint as
toes bend up (first guess)."""
HEEL_BONE_M = (-0.035, -0.005, -0.052)
BEHIND_TOES_M, UNDER_TOES_M = np.array([-0.014, -0.006, -0.011]), (0.025, -0.006, -0.011)
INTRINSIC_N = 450.0
"""Flexor digitorum brevis for all short flexors of the toes, which no model at hand has: from the heel bone to the toes, under
their joint; 15 cm^2 at 30 N/cm^2 (first guesses, sections near those of Kura et al. 1997, Anat. Rec. 249)."""
TOES_M = 0.065
"""From the toes' joint to their end."""
HIP_FRONT = {"segment": "thigh", "position": np.zeros(3), "wrap": "cylinder", "radius_m": 0.0345,
             "axis": np.array([0.0, 1.0, 0.0]), "beside": np.array([0.06, 0.0, 0.01])}
"""What the iliacus winds around in place of MyoLeg's sphere in the pelvis, which a point of the thigh enters on bodies whose
pelvis is larger beside the thigh: a cylinder around the hip, which none enters in any pose; radius by its arms from -30 to 20
degrees."""


def reference_landmarks(leg: MyoLeg, rest: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The reference body at rest: MyoLeg's legs, MASS's trunk and arms above midway between the hips."""
    low = leg.landmarks()
    pelvis = np.array([0.0, 0.0, SOLE_BELOW_ANKLE_M - low["ankle"][2]])
    marks = {name: point - rest["pelvis"] + pelvis for name, point in rest.items()
             if kind_of(name) not in ("hip", "knee", "ankle", "heel", "toes", "toe_tip")}
    for name in ("hip", "knee", "ankle", "toes"):
        marks[f"{name}_L"] = low[name] + pelvis
    marks["heel_L"] = (low["calcaneus"] + pelvis) * [1.0, 1.0, 0.0] - [0.005, 0.0, 0.0]
    marks["toe_tip_L"] = (marks["toes_L"] + [TOES_M, 0.0, 0.0]) * [1.0, 1.0, 0.0]
    return marks | {f"{name[:-2]}_R": point * [1.0, -1.0, 1.0] for name, point in marks.items() if name.endswith("_L")}


def leg_entries(leg: MyoLeg, align: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    """MyoLeg's muscles as a file has them, in the neutral pose's frames; the patella's points left out."""
    entries = []
    for muscle in leg.muscles():
        path = []
        for segment, place, wrap in muscle.parts:
            if segment == PATELLA:
                continue
            turn = align.get(f"{segment}_L", np.eye(3))
            part = {"segment": segment, "position": turn @ place}
            if wrap is not None and muscle.name == "iliacus":
                path.append(dict(HIP_FRONT))
                continue
            if wrap is not None:
                kind, radius, axis, beside = wrap
                part |= {"wrap": kind, "radius_m": radius}
                if kind == "cylinder":
                    part["axis"] = turn @ axis
                if beside is not None:
                    part["beside"] = turn @ beside
            path.append(part)
        name = muscle.name
        entries.append({"name": tables.LEG[name], "groups": [], "max_force_n": round(STRESS_SHARE * muscle.force_n, 1),
                        "optimal_fibre_m": tables.FIBRE_M.get(name, round(muscle.fibre_m, 4)),
                        "tendon_slack_m": round(muscle.slack_m, 4),
                        "pennation_deg": tables.by_beginning(tables.PENNATION_DEG, name) or 0.0, "path": path})
    return entries


def under_the_toes(entries: list[dict[str, Any]], body: Body) -> None:
    """Lead the long flexors under the toes' joint, around its head, and add what flexes toes within the foot, in place."""
    joint = body.segment("toes_L").offset
    wrap = {"segment": "foot", "position": joint, "wrap": "cylinder", "radius_m": TOE_HEAD_M, "axis": np.array([0.0, 1.0, 0.0]),
            "beside": joint - [0.0, 0.0, 0.03]}
    for entry in entries:
        if entry["name"] in ("flexor_digitorum_longus", "flexor_hallucis_longus"):
            at = {"foot": joint, "toes": np.zeros(3)}
            path = [part for part in entry["path"] if part["segment"] not in at
                    or np.linalg.norm((part["position"] - at[part["segment"]])[[0, 2]]) > 1.1 * TOE_HEAD_M]
            first = next(i for i, part in enumerate(path) if part["segment"] == "toes")
            entry["path"] = [*path[:first], dict(wrap), *path[first:]]
    points = [("foot", HEEL_BONE_M), ("foot", joint + BEHIND_TOES_M), None, ("toes", UNDER_TOES_M)]
    path = [dict(wrap) if point is None else {"segment": point[0], "position": np.array(point[1])} for point in points]
    entries.append({"name": "flexor_digitorum_brevis", "groups": [], "max_force_n": INTRINSIC_N, "optimal_fibre_m": 0.027,
                    "tendon_slack_m": 0.0, "path": path})


def mass_entries(source: Mass, placing: Placing, table: dict[str, tuple]) -> list[dict[str, Any]]:
    """MASS's muscles on the reference body, without fibres' and tendons' lengths where these go by rule (zero)."""
    entries = []
    for name, (unit, force, fibre, whose) in table.items():
        points = tables.COMPOSED.get(name) or [(unit, i) for i in range(len(source.path(unit)))]
        path = [_wrap(point, placing.body) if isinstance(point, str) else _point(source, placing, *point) for point in points]
        share = tables.by_beginning(tables.SLOW_SHARE, name)
        entries.append({"name": name, "groups": [], "max_force_n": force, "optimal_fibre_m": fibre or 0.0, "tendon_slack_m": 0.0,
                        **({} if share is None else {"slow_share": share}),
                        **({"stress_pa": tables.STRESS_PA[whose]} if whose in tables.STRESS_PA else {}), "path": path})
    return entries


def _point(source: Mass, placing: Placing, unit: str, which: int) -> dict[str, Any]:
    """One of a unit's way points on the reference body."""
    points = source.path(unit)
    point = points[which]
    if which == len(points) - 1 and unit in tables.LAST_ON:
        point = source.on(point, tables.LAST_ON[unit])
    place = placing.place(*point)
    return {"segment": kind_of(place.segment), "position": place.position}


def _wrap(name: str, body: Body) -> dict[str, Any]:
    """One of `tables.WRAPS`, at the upper arm's end."""
    centre = body.segment("upper_arm_L").tip
    return {"segment": "upper_arm", "position": centre, "wrap": "cylinder", "radius_m": tables.ELBOW_M,
            "axis": np.array([0.0, 1.0, 0.0]), "beside": centre + tables.WRAPS[name]}


def bodies(leg: MyoLeg, source: Mass) -> tuple[Human, Human, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The reference body, MASS's, the reference's landmarks in the neutral pose, and its segments' turns from rest to it."""
    rest = reference_landmarks(leg, source.landmarks)
    neutral = neutral_landmarks(rest)
    theirs = Human.from_landmarks(source.landmarks, SOURCE_KG)
    return Human.from_landmarks(neutral, MASS_KG), theirs, neutral, neutral_alignments(rest)


SWEEPS: dict[str, tuple[str, str, int, float, np.ndarray]] = {
    "hip flexion": ("hip_flexion_r", "thigh_L", 1, -1.0, np.arange(-30.0, 91.0, 5.0)),
    "knee flexion": ("knee_angle_r", "shank_L", 0, 1.0, np.arange(0.0, 101.0, 5.0)),
    "ankle dorsiflexion": ("ankle_angle_r", "foot_L", 1, -1.0, np.arange(-40.0, 31.0, 5.0)),
}
"""The source's coordinate, Lope's joint, axis and sign of it, and the angles [deg]."""


def arms_of_both(leg: MyoLeg, body: Body, muscles: MuscleSet, lean_rad: float, sweep: str) -> tuple[np.ndarray, np.ndarray]:
    """Moment arms (K, M) [m] of Lope's left muscles and of the source's, as the source's sign has it."""
    coordinate, segment, axis, sign, angles = SWEEPS[sweep]
    paths = PathKinematics(body, muscles)
    row = paths.joint_rows()[segment].start + axis
    turned: Callable[[float], np.ndarray] = {
        "hip_flexion_r": lambda angle: knee_pose(paths.model, lean_rad, 0.0, hip_rad=angle),
        "knee_angle_r": lambda angle: knee_pose(paths.model, lean_rad, angle),
        "ankle_angle_r": lambda angle: knee_pose(paths.model, lean_rad, 0.0, ankle_rad=angle),
    }[coordinate]
    ours, theirs = [], []
    for angle in np.radians(angles):
        paths.update(turned(float(angle)), np.zeros(paths.model.nv))
        ours.append(sign * paths.arms_m[row])
        source = leg.arms(coordinate, **{coordinate: float(angle)})
        theirs.append([source[SOURCE_NAME[name[:-2]]] for name in muscles.names])
    return np.array(ours), np.array(theirs)


def table(leg: MyoLeg, body: Body, muscles: MuscleSet, lean_rad: float) -> Iterable[str]:
    """Rows of a Markdown table: joint, group, muscles, greatest arm and rms error [mm]."""
    yield "| joint, range | group | muscles | rms of arm, mm | rms error, mm | worst muscle, rms mm |"
    yield "|---|---|---|---|---|---|"
    for sweep, (*_, angles) in SWEEPS.items():
        ours, theirs = arms_of_both(leg, body, muscles, lean_rad, sweep)
        moved = abs(theirs).max(axis=0) > 0.005
        for group in dict.fromkeys(muscle.group for muscle, at in zip(muscles, moved, strict=True) if at):
            rows = [i for i, muscle in enumerate(muscles) if muscle.group == group and moved[i]]
            errors = np.sqrt(np.mean((ours - theirs)[:, rows] ** 2, axis=0))
            worst = rows[int(errors.argmax())]
            yield (f"| {sweep}, {angles[0]:.0f} to {angles[-1]:.0f} | {group.replace('_', ' ')} | {len(rows)} | "
                   f"{1e3 * np.sqrt(np.mean(theirs[:, rows] ** 2)):.0f} | {1e3 * np.sqrt(np.mean(errors ** 2)):.1f} | "
                   f"{muscles.names[worst][:-2].replace('_', ' ')} {1e3 * errors.max():.1f} |")


if __name__ == "__main__":
    sys.exit(main())
