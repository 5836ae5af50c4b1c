# SPDX-License-Identifier: GPL-3.0-or-later
"""The eight muscle-tendon units of a leg, by the angles of the joints that they cross (Geyer and Herr 2010)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.muscles.conditioned import left_of_force
from ...errors import InputError
from ...specs.muscles import DISPLACED, TIGHT, UNLOADED, WEAK, Condition

GEYER_LEG_M, GEYER_MASS_KG = 1.0, 80.0
"""The body that the table is for (Geyer and Herr 2010): hip to ankle, and mass. Lengths go with the leg, forces with the mass."""
JOINTS = ("hip", "knee", "ankle")
NAMES = ("GLU", "HFL", "HAM", "RF", "VAS", "GAS", "SOL", "TA")
GLU, HFL, HAM, RF, VAS, GAS, SOL, TA = range(8)
ANATOMY = {"GLU": "gluteals", "HFL": "hip_flexors", "HAM": "hamstrings", "RF": "rectus_femoris", "VAS": "vasti",
           "GAS": "gastrocnemius", "SOL": "soleus", "TA": "tibialis_anterior"}
DELAY_S = np.array([0.005, 0.005, 0.005, 0.005, 0.010, 0.020, 0.020, 0.020])
"""From muscle to muscle by the spine (Wang 2012, section 4.1): hip 5, vasti 10, ankle 20 ms."""
DENSITY_KG_M3, STRESS_PA = 1059.7, 0.25e6
"""Of muscle, for its mass (SCONE's figures)."""


class Crossing(NamedTuple):
    """How a unit crosses a joint: arm [m], the angle where it is largest [deg] (None: a constant arm), the angle at which the
    unit is at rest [deg], the share of its way that the fibres see (pennation), +1 where a rising angle lengthens it, and how
    much faster than the angle the arm's cosine goes."""

    arm_m: float
    best_deg: float | None
    rest_deg: float
    share: float
    sign: float
    pace: float = 1.0


class Unit(NamedTuple):
    """One muscle-tendon unit: largest force [N], optimal fibre [m], fastest shortening [1/s], slack tendon [m], share of slow
    fibres, and the joints it crosses. Angles are Geyer's: hip and knee 180 when straight, less when bent; ankle 90 when
    square. The rectus femoris is Song and Geyer's (2015)."""

    force_n: float
    fibre_m: float
    speed: float
    slack_m: float
    slow: float
    joints: dict[str, Crossing]


_RF_PACE = math.acos(0.04 / 0.06) / math.radians(165 - 45)  # the arm goes from 6 to 4 cm between 165 and 45 degrees
UNITS: dict[str, Unit] = {
    "GLU": Unit(1500.0, 0.11, 12.0, 0.13, 0.50, {"hip": Crossing(0.10, None, 150, 0.5, -1)}),
    "HFL": Unit(2000.0, 0.11, 12.0, 0.10, 0.50, {"hip": Crossing(0.10, None, 180, 0.5, 1)}),
    "HAM": Unit(3000.0, 0.10, 12.0, 0.31, 0.44, {"hip": Crossing(0.08, None, 155, 0.7, -1),
                                                 "knee": Crossing(0.05, 180, 180, 0.7, 1)}),
    "RF": Unit(1200.0, 0.08, 12.0, 0.35, 0.42, {"hip": Crossing(0.08, None, 170, 0.3, 1),
                                                "knee": Crossing(0.06, 165, 125, 0.5, -1, _RF_PACE)}),
    "VAS": Unit(6000.0, 0.08, 12.0, 0.23, 0.50, {"knee": Crossing(0.06, 165, 125, 0.7, -1)}),
    "GAS": Unit(1500.0, 0.05, 12.0, 0.40, 0.54, {"knee": Crossing(0.05, 140, 165, 0.7, 1),
                                                 "ankle": Crossing(0.05, 110, 80, 0.7, -1)}),
    "SOL": Unit(4000.0, 0.04, 6.0, 0.26, 0.81, {"ankle": Crossing(0.05, 110, 80, 0.5, -1)}),
    "TA": Unit(800.0, 0.06, 12.0, 0.24, 0.70, {"ankle": Crossing(0.04, 80, 110, 0.7, 1)}),
}


class Routing:
    """Length and moment arms of the eight units over the angles of a leg, for a body of any size. `force_n`, `fibre_m`,
    `slack_m`, `speed`, `slow`, `mass_kg` are (8,); weaken a unit by its `force_n`."""

    def __init__(self, body: Body) -> None:
        long, heavy = body.leg_length_m / GEYER_LEG_M, body.bare_mass_kg / GEYER_MASS_KG
        units = [UNITS[name] for name in NAMES]
        self.force_n = heavy * np.array([u.force_n for u in units])
        self.fibre_m = long * np.array([u.fibre_m for u in units])
        self.slack_m = long * np.array([u.slack_m for u in units])
        self.speed, self.slow = np.array([u.speed for u in units]), np.array([u.slow for u in units])
        self.mass_kg = self.force_n / STRESS_PA * DENSITY_KG_M3 * self.fibre_m
        rows = [(m, j, unit.joints[joint]) for m, unit in enumerate(units) for j, joint in enumerate(JOINTS)
                if joint in unit.joints]
        self._unit, self._joint = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
        ways = [r[2] for r in rows]
        constant = np.array([w.best_deg is None for w in ways])
        self._best = np.radians([w.best_deg or 0.0 for w in ways])
        self._pace = np.array([w.pace for w in ways])
        self._rest = np.radians([w.rest_deg for w in ways])
        arm = long * np.array([w.arm_m * w.sign for w in ways])
        stretch = arm * np.array([w.share for w in ways]) / self._pace
        self._straight, self._round = stretch * constant, stretch * ~constant
        self._arm_constant, self._arm_round = arm * constant, arm * ~constant
        self._rest_sine = np.sin(self._pace * (self._rest - self._best))
        self._sum = np.zeros((len(rows), len(NAMES)))  # crossings to units
        self._sum[np.arange(len(rows)), self._unit] = 1.0
        self._pull = np.zeros((len(rows), len(JOINTS)))
        self._pull[np.arange(len(rows)), self._joint] = 1.0

    def length_and_arm_m(self, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lengths (..., 8) [m] of units at Geyer's angles (..., 3) [rad], and their arms [m], one a crossing, for `torque_nm`."""
        there = angle.take(self._joint, -1)
        way = self._pace * (there - self._best)
        bent = self._straight * (there - self._rest) + self._round * (np.sin(way) - self._rest_sine)
        return (bent @ self._sum + self.fibre_m + self.slack_m, self._arm_constant + self._arm_round * np.cos(way))

    def length_m(self, angle: np.ndarray) -> np.ndarray:
        return self.length_and_arm_m(angle)[0]

    def torque_nm(self, arm_m: np.ndarray, force_n: np.ndarray) -> np.ndarray:
        """Torques (..., 3) [N m] that raise Geyer's angles, of forces (..., 8) [N] with these arms."""
        return -(arm_m * force_n.take(self._unit, -1)) @ self._pull


GROUPS: dict[str, tuple[str, ...]] = {
    "plantar_flexors": ("SOL", "GAS"), "dorsiflexors": ("TA",), "knee_extensors": ("VAS", "RF"), "hamstrings": ("HAM",),
    "knee_flexors": ("HAM", "GAS"), "hip_flexors": ("HFL", "RF"), "hip_extensors": ("GLU", "HAM")}
"""Units by what they do (`bodies.muscles` groups' names)."""
PARTS: dict[str, tuple[str, ...]] = {
    "GLU": ("gluteals", "gluteus_maximus"), "HFL": ("hip_flexors", "iliacus", "psoas", "iliopsoas"),
    "HAM": ("hamstrings", "biceps_femoris", "semimembranosus", "semitendinosus"), "RF": ("rectus_femoris",),
    "VAS": ("vasti", "vastus"), "GAS": ("gastrocnemius",), "SOL": ("soleus",), "TA": ("tibialis_anterior",)}
"""What a unit stands for: beginnings of muscles' names."""


def conditioned(routing: Routing, condition: Condition) -> None:
    """Change the units' forces and slack tendons, which are (2, 8) then, left leg first. Raises InputError for what eight units a
    leg do not have, and for what is no matter of muscles."""
    force, slack = (np.tile(values, (len(SIDES), 1)) if values.ndim == 1 else values
                    for values in (routing.force_n, routing.slack_m))
    for change in condition.changes:
        if change.kind == DISPLACED:
            continue  # it is the body's, which has it already
        if change.kind == UNLOADED:
            force *= [left_of_force(groups_of(name), change.value) for name in NAMES]
            continue
        if change.kind not in (WEAK, TIGHT):
            raise InputError(f"A reflex walker's muscles can be weak or tight; a change of the kind {change.kind!r} is for a "
                             "body whose muscles are all there: choose the controller tracking with muscles.")
        units = [NAMES.index(name) for name in units_of(change.target)]
        for side in change.sides:
            (force if change.kind == WEAK else slack)[SIDES.index(side), units] *= change.value
    routing.force_n, routing.slack_m = force, slack


def groups_of(unit: str) -> tuple[str, ...]:
    return tuple(group for group, units in GROUPS.items() if unit in units)


def units_of(target: str) -> tuple[str, ...]:
    """The units that are meant by a group or by the beginning of a muscle's name. Raises InputError where there are none."""
    found = GROUPS.get(target) or tuple(unit for unit, names in PARTS.items() if any(
        name.startswith(target) or target.startswith(name) for name in names))
    if not found:
        raise InputError(f"A reflex walker has no {target}: its legs have {', '.join(ANATOMY[name] for name in NAMES)}.")
    return found
