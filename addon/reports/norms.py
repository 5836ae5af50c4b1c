# SPDX-License-Identifier: GPL-3.0-or-later
"""Hip, knee and ankle over the cycle beside published normal gait: Schwartz, Rozumalski and Trost 2008 (J. Biomech. 41:1639),
five speeds, interpolated to the gait's dimensionless speed v / sqrt(g l); and the adult of OpenSim's example "subject01", CSV
files in a folder that the caller names. The standard score, the mean of |angle - norm's mean| over the norm's deviation at 100
points of the cycle, is that of Wang et al. 2012 ("Optimizing locomotion controllers using biologically-based actuators and
objectives"). And facts printed in Kim, Y. 2017, "Physics-based Animation of Full-body Human Locomotion in Altered Gravity",
Master's thesis, Ewha Womans University: Table 1 (bodies), Table 2 (speeds, stride frequencies, stride lengths), section 6.3
(ground force)."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..bodies.body import Body
from ..bodies.human.body import KIND as HUMAN
from ..bodies.makers import KIND as PLANAR
from ..errors import InputError
from ..files import read_text, reading
from ..gaits.froude import froude_number
from ..maths.rotations import matrix_from_quat, plane_angle
from ..sim.take import Take
from ..specs.shot import EARTH_GRAVITY_M_S2
from .strides import SKIPPED, cycles_s

PERCENT = np.arange(100.0)
LEGGED = (HUMAN, PLANAR)
"""Kinds of bodies whose legs are a human's."""
SOURCE = ("Schwartz, Rozumalski and Trost 2008 (J. Biomech. 41:1639): 83 children and adolescents, whose spread is wider than "
          "adults', at the take's own dimensionless speed")
JOINTS = {"hip": "hip_flexion_deg", "knee": "knee_flexion_deg", "ankle": "ankle_dorsiflexion_deg"}
TILT = "pelvis_tilt_deg"


@dataclass(frozen=True)
class Curves:
    """Angles [deg] over the cycle from heel strike: joint -> (N strides, 100); pelvis pitch (N, 100), forward positive."""

    title: str
    angles: dict[str, np.ndarray]
    pelvis: np.ndarray
    speed_star: float


@dataclass(frozen=True)
class Score:
    """Of one joint: mean absolute standard score and difference from the adult [deg], and curves in the norm's pelvis plane: the
    strides' `own` (N, 100), the norm's `mean` and `sd_deg` (100,), and the `adult`'s (100,)."""

    sd: float
    adult_deg: float
    own: np.ndarray
    mean: np.ndarray
    sd_deg: np.ndarray
    adult: np.ndarray


def joint_angles(body: Body, orientations: np.ndarray, side: str) -> dict[str, np.ndarray]:
    """Sagittal angles [deg] (T,): hip flexion, knee flexion, ankle dorsiflexion, forward pitch of the pelvis (planar: trunk)."""
    root = body.segments[0].name
    turn = {name: matrix_from_quat(orientations[:, body.index[name]])
            for name in (root, f"thigh_{side}", f"shank_{side}", f"foot_{side}")}

    def relative(parent: str, child: str) -> np.ndarray:
        return np.swapaxes(turn[parent], 1, 2) @ turn[child]

    thigh = relative(root, f"thigh_{side}")
    shank = relative(f"thigh_{side}", f"shank_{side}")
    foot = relative(f"shank_{side}", f"foot_{side}")
    forward, up = turn[root][:, :, 0], turn[root][:, :, 2]
    level = forward[:, :2] / np.linalg.norm(forward[:, :2], axis=1, keepdims=True)
    found = {"hip": plane_angle(-thigh[:, 0, 2], thigh[:, 2, 2]), "knee": plane_angle(shank[:, 0, 2], shank[:, 2, 2]),
             "ankle": plane_angle(foot[:, 2, 0], foot[:, 0, 0]),
             "pelvis": plane_angle((up[:, :2] * level).sum(axis=1), up[:, 2])}
    return {name: np.degrees(values) for name, values in found.items()}


def curves_of_take(take: Take) -> Curves:
    """Curves of all strides of both legs but the first two. Raises InputError for a take without strides, or of another body."""
    if take.body.kind not in LEGGED:
        raise InputError(f"Normal gait is a human's; this take is of a body of the kind {take.body.kind}.")
    rows, speeds = [], []
    for i, foot in enumerate(take.body.feet):
        angles = joint_angles(take.body, take.segment_poses[1], foot.side)
        for start, end in cycles_s(take, i):
            times = start + PERCENT / 100.0 * (end - start)
            rows.append({name: np.interp(times, take.time_s, values) for name, values in angles.items()})
            places = [[np.interp(t, take.time_s, take.root_position_m[:, k]) for k in (0, 1)] for t in (start, end)]
            speeds.append(np.linalg.norm(np.subtract(places[0], places[1])) / (end - start))
    if not rows:
        raise InputError(f"This take has fewer than {SKIPPED + 1} whole strides; simulate for longer.")
    gravity = take.shot.world.gravity_m_s2
    title = f"take on {take.shot.world.name}, {take.shot.engine}, {np.mean(speeds):.2f} m/s, {len(rows)} strides"
    angles = {joint: np.array([r[joint] for r in rows]) for joint in JOINTS}
    return Curves(title, angles, np.array([r["pelvis"] for r in rows]),
                  float(np.mean(speeds) / np.sqrt(gravity * take.body.leg_length_m)))


def scores(curves: Curves, folder: Path) -> dict[str, Score]:
    """Each joint's distance from the norms in `folder`, both our pelvis and the adult's given the norm's mean tilt, as the
    published plane leans forward of ours. Raises InputError where they are not there."""
    norm, grown = schwartz(folder, curves.speed_star), adult(folder)
    tilt = float(norm[TILT][0].mean())
    found = {}
    for joint, column in JOINTS.items():
        own, other = curves.angles[joint], grown[column]
        if joint == "hip":
            own = own + tilt - curves.pelvis.mean()
            other = other + tilt + grown[TILT].mean()  # OpenSim's pelvis tilt is positive backward
        mean, sd = norm[column]
        usual = own.mean(axis=0)
        standard, degrees = np.abs(usual - mean) / sd, np.abs(usual - other)
        found[joint] = Score(float(standard.mean()), float(degrees.mean()), own, mean, sd, other)
    return found


def score_rows(take: Take, folder: Path) -> dict[str, Any]:
    """What `lope measure` tells beside the norms in `folder`: scores by joint and their mean. Raises InputError."""
    curves = curves_of_take(take)
    found = scores(curves, folder)
    return {**{f"{joint}_score": score.sd for joint, score in found.items()},
            "mean_score": float(np.mean([score.sd for score in found.values()])), "strides": len(curves.pelvis),
            "speed_over_sqrt_gl": curves.speed_star, "source": SOURCE}


def schwartz(folder: Path, speed_star: float) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """column -> (mean, SD) over PERCENT at a dimensionless speed, linear between the published five, and between their points."""
    path = folder / "schwartz2008_children_5speeds.csv"
    rows, out = read_table(path), {}
    with reading(f"{path} cannot be read as norms"):
        stars, points = (sorted({float(r[column]) for r in rows}) for column in ("v_star", "percent"))
        for column in (*JOINTS.values(), TILT):
            both = []
            for kind in ("mean", "sd"):
                table = np.array([[float(r[f"{column}_{kind}"]) for r in rows if float(r["v_star"]) == v] for v in stars])
                at_speed = [np.interp(speed_star, stars, table[:, k]) for k in range(table.shape[1])]
                both.append(np.interp(PERCENT, points, at_speed))
            out[column] = both[0], both[1]
    return out


def adult(folder: Path) -> dict[str, np.ndarray]:
    """column -> mean over PERCENT of the OpenSim adult's cycles."""
    path = folder / "opensim_subject01_adult_walk.csv"
    rows = read_table(path)
    with reading(f"{path} cannot be read as norms"):
        return {column: np.array([np.mean([float(r[column]) for r in rows if float(r["percent"]) == p]) for p in PERCENT])
                for column in (*JOINTS.values(), TILT)}


def read_table(path: Path) -> list[dict[str, str]]:
    """Rows of a norm file, comments left out. Raises InputError where it is not there, or is no table."""
    if not path.is_file():
        raise InputError(f"There is no norm file at {path}; say with --norms where the folder gait_norms is.")
    with reading(f"{path} cannot be read as norms"):
        return list(csv.DictReader(line for line in read_text(path).splitlines() if not line.startswith("#")))


KRAM = "Kram, Domingo and Ferris 1997, J. Exp. Biol. 200:821"
CARR = "Carr and McGee 2009, PLoS ONE 4:e6614"
DE_WITT = "De Witt et al. 2014, J. Exp. Biol. 217:3200"
DONELAN = "Donelan and Kram 1997, J. Exp. Biol. 200:3193"
POLET = "Polet et al. 2018, J. Exp. Biol. 221:jeb162024"
CAVAGNA = "Cavagna, Willems and Heglund 1998, Nature 393:636"
APOLLO = "Working on the Moon, astronaut mobility (workingonthemoon.com, 2010)"

MOON_SHARE = 1.62 / EARTH_GRAVITY_M_S2
STEADY_SHARE = 0.4
"""Above this share of the Earth's gravity the walk-run transition stays near one Froude number (Carr and McGee 2009)."""
TRANSITION_FROUDE = 0.5
"""Froude number at which people begin to run, from 0.4 g to 1 g (Kram et al. 1997)."""
MOON_TRANSITION_FROUDE = (0.9, 1.39)
"""The same on the Moon: 0.9 in simulated 1/6 g (Carr and McGee 2009) to 1.39 in parabolic flight (De Witt et al. 2014)."""
DE_WITT_MOON, DE_WITT_SPREAD = 1.39, 0.45
WALKING_LIMIT_FROUDE = 1.0
"""A point mass on a stiff leg leaves the ground above this (the inverted pendulum's limit)."""
OPTIMAL_FROUDE = 0.25
MARS_WALK_M_S, EARTH_WALK_M_S = 0.94, 1.53
"""Optimal walking speeds (Cavagna et al. 1998)."""
DUTY_FACTOR_SHARE = 0.10
"""Duty factors at equal Froude number are nearly the same under 0.25 to 1 g (Donelan and Kram 1997); held against 10 %."""


@dataclass(frozen=True)
class ApolloRun:
    """A stretch walked or run by a suited astronaut: speed [m/s], least and most where it is not known better."""

    mission: str
    what: str
    least_m_s: float
    most_m_s: float


APOLLO_RUNS = (
    ApolloRun("Apollo 11", "run, 22 m", 1.00, 1.00),
    ApolloRun("Apollo 12", "return walk, 310 m", 3.3 / 3.6, 5.5 / 3.6),
    ApolloRun("Apollo 12", "run, 220 m", 1.10, 1.10),
    ApolloRun("Apollo 14", "short run, 15 m", 1.00, 1.00),
    ApolloRun("Apollo 15", "skip, 20 m", 5.1 / 3.6, 5.1 / 3.6),
    ApolloRun("Apollo 15", "lope, 40 m", 5.3 / 3.6, 5.3 / 3.6),
    ApolloRun("Apollo 15", "lope, 45 m, the fastest", 7.0 / 3.6, 7.0 / 3.6),
)
"""Distances from maps and orbiter pictures, times from the recordings: a few per cent to a tenth uncertain."""


def transition_band(gravity_m_s2: float) -> tuple[float, float]:
    """Least and most Froude number of the walk-run transition under a gravity. Half from `STEADY_SHARE` up; below, straight lines
    to the Moon's two values, and on at the Moon's below it: lower gravities have not been measured."""
    share = gravity_m_s2 / EARTH_GRAVITY_M_S2
    low = min(max((STEADY_SHARE - share) / (STEADY_SHARE - MOON_SHARE), 0.0), 1.0)
    least, most = (TRANSITION_FROUDE + low * (end - TRANSITION_FROUDE) for end in MOON_TRANSITION_FROUDE)
    return least, most


WORLDS = {"moon": 1.62, "mars": 3.71, "earth": 9.81, "neptune": 11.15, "jupiter": 24.79}
"""The five worlds, gravity in m/s^2."""

LEG_LENGTH_M = {"walk": 0.82, "run": 0.93, "turn": 1.00}
"""Table 1."""

AGREES = 0.03
"""Speed and frequency times length agree within this share where nothing but the rounding of two decimals lies between."""


@dataclass(frozen=True)
class PrintedRow:
    """A row of Table 2: speed, strides a second, stride length."""

    speed_m_s: float
    frequency_hz: float
    length_m: float

    @property
    def product_m_s(self) -> float:
        """The speed that frequency and length give: it must be the speed printed."""
        return self.frequency_hz * self.length_m

    @property
    def contradicts_itself(self) -> bool:
        """Whether speed and frequency times length differ by more than rounding can explain."""
        return abs(self.product_m_s / self.speed_m_s - 1.0) > AGREES


WALK_ROWS = {"moon": PrintedRow(0.50, 0.52, 0.96), "mars": PrintedRow(0.80, 0.74, 1.08),
             "earth": PrintedRow(1.28, 0.89, 1.44), "neptune": PrintedRow(1.30, 1.01, 1.25),
             "jupiter": PrintedRow(1.32, 0.76, 1.06)}
RUN_ROWS = {"moon": PrintedRow(1.09, 0.54, 2.05), "mars": PrintedRow(1.10, 0.63, 1.75),
            "earth": PrintedRow(0.97, 0.93, 1.05), "neptune": PrintedRow(1.07, 1.26, 1.35),
            "jupiter": PrintedRow(0.91, 1.31, 1.22)}
TURN_ROWS = {"moon": PrintedRow(0.51, 0.66, 0.78), "mars": PrintedRow(0.58, 0.66, 0.87),
             "earth": PrintedRow(0.70, 0.85, 0.82), "neptune": PrintedRow(0.42, 0.84, 0.73)}
TABLE_2 = {"walk": WALK_ROWS, "run": RUN_ROWS, "turn": TURN_ROWS}
"""Turning on Jupiter has no row: it fell."""

FORCE_CHANGE_PERCENT = {
    "walk": {"moon": -75.0, "mars": -65.0, "neptune": 15.0, "jupiter": 130.0},
    "run": {"moon": -59.0, "mars": -26.0, "neptune": 41.0, "jupiter": 54.0},
    "turn": {"moon": -80.0, "mars": -65.0, "neptune": 170.0},
}
"""Ground reaction force against the Earth's, from the text of section 6.3; it does not say whether mean or peak."""

TURN_RADIUS_M = {"moon": 3.5, "mars": 2.5, "earth": 1.0}
"""Radius of the turn, text to Figure 18."""


def expected_change_percent(world: str) -> float:
    """Change of the mean vertical force against the Earth's that any periodic gait must have: that of gravity."""
    return 100.0 * (WORLDS[world] / WORLDS["earth"] - 1.0)


def printed_froude(gait: str, world: str) -> float:
    """Froude number of a printed speed, with the thesis's own leg length."""
    return froude_number(TABLE_2[gait][world].speed_m_s, WORLDS[world], LEG_LENGTH_M[gait])
