# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick creature as a controller: how it begins, and which way it goes, along its path until it is steered."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...bodies.body import COORDINATES, Body, Foot
from ...bodies.makers import make_body
from ...engines.engine import Command, Torques
from ...errors import InputError
from ...maths.rotations import quat_from_rotvec
from ...specs.motion import MOVING
from ...specs.motions import Creature
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...worlds.ground import Ground, make_ground
from ...worlds.paths import Path, make_path, offset
from ..controller import Controller, Part, Physics, Reading, Sensed, Setup, State, Steerable, Wish
from .felt import Senses, felt_of
from .law import USUAL_SPEED, CreatureLaw, run_up
from .parameters import TICK_STEPS, creature_physics, time_unit_s

NOISE_M_S, NOISE_RAD_S = 0.048, 0.048
"""Deviation of the velocities at the start for a noise of 1, over sqrt(g L) and sqrt(g / L): of a leg of 1 m on Earth 0.15 m/s
and 0.15 rad/s (a prototype's)."""
ASTRIDE, NARROW = 0.17, 0.1
"""Over the leg: feet that are drawn farther beside the middle than the first stand as far as the second at the start: nobody
lifts a foot out of a straddle. Found on two rigs with legs apart: as drawn the untuned law falls within a second, so it walks."""


def begin(body: Body, heading: float, ground: Ground, behind_m: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates (nq,) and velocities (nv,) of a body at rest as drawn, at the origin or so far behind it, facing its heading
    [rad]; legs that are drawn astride turn in at the hips, the feet staying level."""
    segments = body.segments[1:]
    qpos = np.zeros(body.coordinates)
    qpos[3:7] = quat_from_rotvec(np.array([0.0, 0.0, heading]))
    at, places = body.root_coordinates, {}
    for segment in segments:
        places[segment.name] = at
        if segment.joint == "ball":
            qpos[at] = 1.0
        at += COORDINATES[segment.joint]
    c, s = math.cos(heading), math.sin(heading)
    qpos[:2] = -behind_m * c, -behind_m * s
    lift = -math.inf
    for foot in body.feet:
        joint, turn = _turned_in(body, foot)
        qpos[places[foot.leg[0]]:][:4] = quat_from_rotvec(np.array([turn, 0.0, 0.0]))
        qpos[places[foot.segment]:][:4] = quat_from_rotvec(np.array([-turn, 0.0, 0.0]))
        for point in (body.contact_points[i] for i in foot.points):
            place = joint + point.position
            x, y = qpos[0] + c * place[0] - s * place[1], qpos[1] + s * place[0] + c * place[1]
            lift = max(lift, float(ground.height(x, y)) + point.radius_m - float(place[2]))
    qpos[2] = lift
    return qpos, np.zeros(body.degrees_of_freedom)


def _turned_in(body: Body, foot: Foot) -> tuple[np.ndarray, float]:
    """Where a foot's joint (3,) is at the start, from the root's, and how far [rad] its leg turns about x there."""
    hip = sum((body.segment(name).offset for name in body.way_to(foot.leg[0])[1:]), np.zeros(3))
    way = sum((body.segment(name).offset for name in foot.leg[1:]), np.zeros(3))
    side = 1.0 if foot.side == "L" else -1.0
    far, drawn = math.hypot(way[1], way[2]), side * (hip[1] + way[1])
    wanted = NARROW * body.leg_length_m
    sine = (side * wanted - hip[1]) / max(far, 1e-9)
    if drawn <= ASTRIDE * body.leg_length_m or abs(sine) >= 1.0:
        return hip + way, 0.0
    turn = math.asin(sine) - math.atan2(way[1], -way[2])
    return hip + (way[0], side * wanted - hip[1], -far * math.cos(math.asin(sine))), turn


def noise_of(body: Body, leg_m: float, gravity_m_s2: float, size: float, draw: np.random.Generator) -> np.ndarray:
    """Velocities (nv,) to be added at the start for a noise."""
    speed, rate = math.sqrt(gravity_m_s2 * leg_m), math.sqrt(gravity_m_s2 / leg_m)
    sizes = np.full(body.degrees_of_freedom, NOISE_RAD_S * rate)
    sizes[:3] = NOISE_M_S * speed
    return size * sizes * draw.standard_normal(len(sizes))


BACK = 0.15
"""Turn [rad] back to the path of a body that is one leg's length off it (first guess)."""
MOST_BACK_RAD = 0.5
QUICKEST = 0.15
"""Fastest turn, in radians a unit of time sqrt(L / g): half a radian a second of a leg of 1 m on Earth."""


class Course:
    """`heading` [rad] is the way to go now."""

    def __init__(self, path: Path, leg_m: float, time_s: float) -> None:
        self._path, self._leg_m, self._most = path, leg_m, QUICKEST / time_s
        self.heading = path.heading(0.0)
        self._way_m, self._steered, self._rate, self._left = 0.0, False, 0.0, 0.0

    def wish(self, wish: Mapping[str, Any]) -> None:
        """Take over a rate of turning [rad/s] or an angle to turn by [rad]; who turns leaves the path."""
        if "turn_rad_s" in wish:
            self._steered, self._rate, self._left = True, float(wish["turn_rad_s"]), 0.0
        if "turn_rad" in wish:
            self._steered, self._rate, self._left = True, 0.0, float(wish["turn_rad"])

    def go(self, place: complex, dt: float) -> None:
        """Go on by `dt` [s], the centre of mass being over `place` [m]."""
        most = self._most * dt
        if self._steered:
            turn = min(max(self._left, -most), most)
            self._left -= turn
            self.heading += turn + min(max(self._rate * dt, -most), most)
            return
        self._way_m = way = self._path.locate(place, self._way_m)
        back = -BACK * offset(self._path, way, place) / self._leg_m
        wanted = self._path.heading(way) + min(max(back, -MOST_BACK_RAD), MOST_BACK_RAD)
        self.heading += min(max(math.remainder(wanted - self.heading, math.tau), -most), most)


USUAL, FASTEST = USUAL_SPEED, 0.8
"""The speed of a walk for which none is asked, and the fastest that one can be steered to, over sqrt(g L)."""
FALL_SHARE, FALL_TILT_RAD = 0.6, 1.1
"""Who is lower than this share of the height in standing, or with the trunk tilted by more, has fallen."""


def asked_speed_m_s(shot: Shot, body: Body) -> float:
    """The speed [m/s] of a shot: the one asked for, else its gait's own brought to its leg and gravity by similarity."""
    if shot.motion.speed_m_s is not None:
        return shot.motion.speed_m_s
    gait = shot.motion_as(Creature).gait
    return (USUAL if gait is None else gait.dimensionless_speed) * math.sqrt(shot.world.gravity_m_s2 * body.leg_length_m)


def run_up_of(shot: Shot, body: Body) -> tuple[float, float]:
    """How long [s] and how far [m] a creature goes before its shot begins; nothing in one that starts standing, on ground that is
    no plane, and with loose objects, which would not wait."""
    if shot.motion.start != MOVING or shot.world.ground.kind != "plane" or shot.loose:
        return 0.0, 0.0
    leg_m = body.leg_length_m
    return run_up(asked_speed_m_s(shot, body), leg_m, time_unit_s(leg_m, shot.world.gravity_m_s2))


class CreatureController(Controller):
    """See `controller.Controller`. Raises BodyError for a body that has no two legs alike."""

    name = "creature"
    kinds = ("creature",)
    who = "A creature"
    steered_by = ("speed_m_s", "turn_rad_s", "turn_rad")

    def __init__(self, setup: Setup) -> None:
        shot, self.body, self.state = setup.shot, setup.body, setup.state
        self.shot, gravity = shot, shot.world.gravity_m_s2
        self.subject = self.body.kind if shot.body.creature is None else shot.body.creature.name
        self.control_step_s = setup.control_step_s or TICK_STEPS * creature_physics(self.body, gravity).step_s
        gait = shot.motion_as(Creature).gait
        self.law = self._make_law({} if gait is None else gait.parameters)
        self.senses = Senses(self.law.layout)
        self.speed_m_s = asked_speed_m_s(shot, self.body)
        self.course = Course(make_path(shot.motion.path), self.law.leg_m, self.law.time_unit_s)
        self.law.speed_m_s[:] = self.speed_m_s
        self.law.heading[:] = self.course.heading
        self._sensed: Sensed | None = None
        self._height_m = 0.0

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        raise InputError("A creature has one gait, which goes at any speed: steer it, and take the keys out.")

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        """See `Controller.physics`: two milliseconds for a leg of a metre on Earth, and the time to get under way."""
        body = make_body(shot.body)
        return replace(cls.steps_of(body, shot.world.gravity_m_s2), run_up_s=run_up_of(shot, body)[0])

    @classmethod
    def steps_of(cls, body: Body, gravity_m_s2: float) -> Physics:
        return creature_physics(body, gravity_m_s2)

    @classmethod
    def steerable(cls, shot: Shot) -> Steerable:
        body = make_body(shot.body)
        unit_m_s = math.sqrt(shot.world.gravity_m_s2 * body.leg_length_m)
        return Steerable(asked_speed_m_s(shot, body), 0.0, max(FASTEST * unit_m_s, asked_speed_m_s(shot, body)))

    def _make_law(self, numbers: Mapping[str, float]) -> CreatureLaw:
        """The quick law of these numbers, with gains and times of its gait's own gravity where a shot wants them unscaled."""
        shot, gait = self.shot, self.shot.motion_as(Creature).gait
        gravity = shot.world.gravity_m_s2
        own = gravity if shot.motion.scaling == "similar" else EARTH_GRAVITY_M_S2 if gait is None else gait.gravity_m_s2
        return CreatureLaw(self.body, numbers, 1, gravity, scaled_for_m_s2=own)

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`: at rest as drawn, as far behind the origin as it takes to get under way."""
        if state is not None:
            raise InputError("A creature begins as it is drawn, and takes no body over.")
        gravity = self.shot.world.gravity_m_s2
        behind_m = run_up_of(self.shot, self.body)[1]
        qpos, qvel = begin(self.body, self.course.heading, make_ground(self.shot.world.ground), behind_m)
        if self.shot.noise:
            qvel += noise_of(self.body, self.law.leg_m, gravity, self.shot.noise, np.random.default_rng(self.shot.seed))
        return qpos, qvel

    def sense(self, sensed: Sensed) -> None:
        force = sensed.contact_force_n
        if force is None:
            raise RuntimeError("A creature feels the ground: an engine without contact cannot be walked in.")
        felt = felt_of(self.senses, self.state, force)
        if self._sensed is None:
            self.law.reset(felt, sensed.time_s)
            self._height_m = float(self.state.com[2])
        self._sensed, self._felt = sensed, felt

    def act(self) -> Command:
        assert self._sensed is not None
        com = self.state.com
        self.course.go(complex(com[0], com[1]), self.control_step_s)
        self.law.heading[:] = self.course.heading
        torque, damping = self.law.step(self._felt, self._sensed.time_s)
        return Torques(torque[0], damping[0])

    def steer(self, wish: Wish) -> None:
        if "speed_m_s" in wish:
            self.law.speed_m_s[:] = float(wish["speed_m_s"])
        self.course.wish(wish)

    def make_way(self, shot: Shot) -> None:
        raise InputError("No gait takes over from a creature's: take the keys out.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        raise InputError("A creature knows one gravity: take the gravity's ramp out.")

    def fallen(self) -> bool:
        state = self.state
        if state.com[2] - float(state.ground.height(state.com[0], state.com[1])) < FALL_SHARE * self._height_m:
            return True
        return float(state.data.xmat[1 + self.law.layout.trunk, 8]) < math.cos(FALL_TILT_RAD)

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: where each leg is in its stance (0 to 1) or its swing (1 to 2), the share of the weight that
        it carries, and the way that is gone."""
        return {"creature_phase": Reading("", self.law.phase[0]), "creature_load": Reading("1", self.law.seen.share[0]),
                "plan_heading_rad": Reading("rad", float(self.law.heading[0]))}

    def stats(self) -> Mapping[str, Any]:
        gait = self.shot.motion_as(Creature).gait
        unit = time_unit_s(self.law.leg_m, self.shot.world.gravity_m_s2)
        step_s = float(self.law.gains["swing_time"][0]) * unit
        return {"creature": self.subject, "creature_gait": None if gait is None else gait.name,
                "planned_speed_m_s": self.speed_m_s, "planned_stride_frequency_hz": 0.5 / step_s,
                "leg_length_m": self.law.leg_m}
