# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of simulated clips that land elsewhere, as pressure: the points of the foot that lands press so far aside, for
`check_pressure_steps`."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import contact_point_positions
from lope.addon.maths.quaternions import quat_rotate
from lope.addon.motions.pressure.counts import MOST_PA
from lope.addon.motions.pressure.images import Pressure, as_measured
from lope.addon.motions.pressure.soles import MAT_RATE_HZ, mat_pressure
from lope.addon.motions.responses.measuring import spans
from lope.addon.reports.floor_forces import forces_on_floor
from lope.addon.reports.pressure import way_cells
from lope.addon.take import Take
from lope.addon.tuning.pressed_clips import FOLLOWED, SETTLED, pressed_clip
from pressure_sessions import PACES, SESSIONS

LIGHT = 0.02
"""Share of the weight under which a foot is up."""
SWINGS_S, FAR_M = 0.12, 0.05
"""A foot that is up for so long and comes down so far from where it stood has stepped."""
SOLES_M = 0.07
"""Points of two soles are no nearer than this: feet are wider than their points."""
BESIDE_M = 0.45
"""Ankles of feet that stand beside one another are no farther apart."""
HOURS = 12
"""Directions: straight ahead, then on to the left."""


@dataclass(frozen=True, eq=False)
class Walked:
    """A simulated clip: how it was made, what presses each contact point (T, P) [N], where the feet are (T, 2, 2) [m] as
    in `feet_m`, and for each foot (L, R) the samples from which to which it is up."""

    name: str
    how: str
    take: Take
    force_n: np.ndarray
    feet_m: np.ndarray
    swings: tuple[list[tuple[int, int]], list[tuple[int, int]]]

    @property
    def step_s(self) -> float:
        """Time from sample to sample."""
        return float(self.take.time_s[-1] - self.take.time_s[0]) / (len(self.take.time_s) - 1)

    def frame(self, sample: int) -> int:
        """The frame of the mat that a sample lies in."""
        return int((sample - SETTLED) * self.step_s * MAT_RATE_HZ)


@dataclass(frozen=True)
class Step:
    """A foot (0 left, 1 right) that is up from one sample to another, and stands until the third."""

    foot: int
    up: int
    down: int
    until: int


def walked(clip: Path, session: str, folder: Path) -> Walked:
    """A clip in a session; simulated once, and kept in the folder."""
    kept, how = folder / f"{clip.stem}-{session}-take.npz", folder / f"{clip.stem}-{session}-take.txt"
    if not how.exists():
        own = (SESSIONS | PACES)[session]
        made = pressed_clip(clip, **{name: value for name, value in own.items() if name != "sensor"})
        made.take.save(kept)
        how.write_text(made.how, encoding="utf-8")
    take, told = Take.load(kept), how.read_text(encoding="utf-8")
    force = take.contact_point_force_n if told == FOLLOWED else forces_on_floor(take)
    light = LIGHT * take.body.mass_kg * take.shot.world.gravity_m_s2
    step_s = float(take.time_s[-1] - take.time_s[0]) / (len(take.time_s) - 1)
    swings = tuple([(up, down) for up, down in spans(force[:, list(foot.points)].sum(axis=1) < light)
                    if up > SETTLED and down < len(force) and (down - up) * step_s >= SWINGS_S] for foot in take.body.feet)
    return Walked(clip.stem, told, take, force, feet_m(take.body, *take.segment_poses), swings)


def feet_m(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """Where each foot is (T, F, 2) [m] by the points of its ball, of segments (T, S, 3), (T, S, 4): where its ankle is when
    all of the sole is on the ground, so that feet of any length, and those whose heel is up, are alike."""
    points, found = contact_point_positions(body, positions, orientations), []
    for foot in body.feet:
        rows = [row for row in foot.points if body.contact_points[row].kind == "ball"
                and body.contact_points[row].segment == foot.segment]
        ahead = quat_rotate(orientations[:, body.index[foot.segment]], np.array([1.0, 0.0, 0.0]))[:, :2]
        ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
        x, y = np.mean([body.contact_points[row].position for row in rows], axis=0)[:2]
        left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
        found.append(points[:, rows, :2].mean(axis=1) - x * ahead - y * left)
    return np.stack(found, axis=1)


def first_step(one: Walked) -> Step | None:
    """The first step of a clip, None where none is taken."""
    found = []
    for foot, swings in enumerate(one.swings):
        for k, (up, down) in enumerate(swings):
            until = swings[k + 1][0] if k + 1 < len(swings) else len(one.take.time_s)
            lands, stood = (np.median(one.feet_m[a:b, foot], axis=0) for a, b in ((down, until), (max(up - 30, 0), up)))
            if float(np.linalg.norm(lands - stood)) > FAR_M:
                found.append(Step(foot, up, down, until))
                break
    return min(found, key=lambda step: step.down) if found else None


def offset_m(hour: int, far_m: float) -> np.ndarray:
    """An offset (2,) ahead and to the left."""
    turn = 2.0 * math.pi * hour / HOURS
    return far_m * np.array([math.cos(turn), math.sin(turn)])


def landed(one: Walked, step: Step, by_m: np.ndarray) -> Walked:
    """The same, but that the step lands so far (2,) aside, until the foot is up again; the load on each foot is as it was, so its
    centre goes along. A foot that lands beside it meanwhile does so there, too."""
    points, feet = one.take.contact_point_m.copy(), one.feet_m.copy()
    for up, down, until, foot in [(step.up, step.down, step.until, step.foot), *_beside(one, step)]:
        again = next((end for begin, end in one.swings[foot] if begin == until), until)
        stays = slice((up + down) // 2, (until + again) // 2)
        points[stays, list(one.take.body.feet[foot].points), :2] += by_m
        feet[stays, foot] += by_m
    take = replace(one.take, arrays={**one.take.arrays, "contact_point_m": points})
    return replace(one, take=take, feet_m=feet)


def _beside(one: Walked, step: Step) -> list[tuple[int, int, int, int]]:
    """The other foot's steps to beside the one that has stepped: up, down, until when it stands, and which foot."""
    other, found = 1 - step.foot, []
    swings = [*one.swings[other], (len(one.take.time_s),) * 2]
    for (up, down), (until, _) in zip(swings[:-1], swings[1:], strict=True):
        if step.down < down < step.until and float(np.linalg.norm(one.feet_m[down, 0] - one.feet_m[down, 1])) < BESIDE_M:
            found.append((up, down, until, other))
    return found


def possible(one: Walked, step: Step) -> bool:
    """Whether the foot that lands does not land in the other one."""
    rows = slice(step.down, step.until)
    mine, other = (one.take.contact_point_m[rows, list(one.take.body.feet[foot].points), :2]
                   for foot in (step.foot, 1 - step.foot))
    light = LIGHT * one.take.body.mass_kg * one.take.shot.world.gravity_m_s2
    both = np.all([one.force_n[rows, list(foot.points)].sum(axis=1) > light for foot in one.take.body.feet], axis=0)
    apart = np.linalg.norm(mine[both][::8, :, None] - other[both][::8, None], axis=-1)
    return not apart.size or float(apart.min()) > SOLES_M


def crossed(one: Walked, step: Step) -> bool:
    """Whether the foot that lands stands on the other one's side of it, as the person looks: legs crossed."""
    after = slice(step.down, step.until)
    return float(np.median(one.feet_m[after, 0, 1] - one.feet_m[after, 1, 1])) < 0.0


def felt(one: Walked, session: str) -> Pressure:
    """What a mat of 8 bits feels of it."""
    own, kept = (SESSIONS | PACES)[session], slice(SETTLED, None)
    cells, middle = way_cells(one.take, one.force_n)
    mat = mat_pressure(one.take.body, one.take.time_s[kept], one.take.contact_point_m[kept], one.force_n[kept], cells=cells,
                       middle_m=middle)
    return as_measured(mat, MOST_PA, own.get("sensor", 0.0), own.get("seed", 0))
