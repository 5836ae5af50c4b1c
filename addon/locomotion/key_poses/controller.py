# SPDX-License-Identifier: GPL-3.0-or-later
"""The controller by key poses: a machine says what the body is drawn to, a law with two balance gains draws it there; beside it
which way and how fast it is to go, and when one gait can become another."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import mujoco
import numpy as np

from ...bodies.body import Body
from ...bodies.makers import KIND as PLANAR
from ...bodies.makers import make_body
from ...bodies.of_shot import shot_body
from ...engines.engine import Torques
from ...errors import InputError
from ...gaits import pose_gaits
from ...gaits.pose_gaits import check_reach, gait_wished, load_pose_gait, pose_gait_names
from ...specs.motions import KeyPoses
from ...specs.path import PathSpec
from ...specs.pose_gait import PoseGait
from ...specs.shot import EARTH_GRAVITY_M_S2, NO_SUIT, Shot
from ...specs.steering import check_wishes
from ...worlds.paths import Path, make_path, offset
from ..controller import Controller, Part, Physics, Reading, Sensed, Setup, State, Steerable, Wish
from ..legged.targets import FootLoads
from .law import Law, lean_under_load
from .machine import Along, Catcher, Machine, on_slope
from .planar_law import PlanarLaw, PlanarSettings, acts
from .skill import made_skill
from .strength import PoseGaitSettings, Scale

MOST_STEERING_RAD = 0.3
"""A body that is off its path turns back towards it by so much at most."""
TURN_RAD_S = 0.6
"""A turn by an angle is made so quickly on Earth: what the thesis's walk was shown to turn by is 0.24 (section 7.4)."""
GAINS_G = 0.08
"""A speed that is wished for is come to at this fraction of gravity, 0.8 m/s^2 on Earth (first guess)."""


class Course:
    """`heading` [rad], `speed_m_s` and `sideways_m_s` that are wanted now; the speed stays `between_m_s` whatever the wish."""

    def __init__(
        self, path: Path, scale: Scale, speed_m_s: float, sideways_m_s: float, steering: float, turn_rad_s: float = 0.0,
    ) -> None:
        self._path, self.scale, self._steering, self._way_m = path, scale, steering, 0.0
        self.speed_m_s, self.sideways_m_s = speed_m_s, sideways_m_s
        self.heading, self.steered = path.heading(0.0), turn_rad_s != 0.0
        self._wished_m_s, self._turn_rad_s, self._left_rad = speed_m_s, turn_rad_s, 0.0
        self._own_turn_rad_s = turn_rad_s
        self._sideways_m_s = sideways_m_s
        self.between_m_s = -math.inf, math.inf

    def go_sideways(self, speed_m_s: float) -> None:
        """Come to a speed to the left [m/s]."""
        self._sideways_m_s = speed_m_s

    def go_round(self, turn_rad_s: float) -> None:
        """Turn at a rate [rad/s] of the gait's own, in place of the gait's before, unless it was steered to another meanwhile."""
        if self._turn_rad_s == self._own_turn_rad_s:
            self._turn_rad_s, self.steered = turn_rad_s, self.steered or turn_rad_s != 0.0
        self._own_turn_rad_s = turn_rad_s

    def wish(self, wish: Mapping[str, Any]) -> None:
        """Take over a speed [m/s], a rate of turning [rad/s], or an angle to turn by [rad]; who turns leaves the path."""
        if "speed_m_s" in wish:
            self._wished_m_s = float(wish["speed_m_s"])
        if "turn_rad_s" in wish:
            self.steered, self._left_rad, self._turn_rad_s = True, 0.0, float(wish["turn_rad_s"])
        if "turn_rad" in wish:
            self.steered, self._left_rad, self._turn_rad_s = True, float(wish["turn_rad"]), 0.0

    def go(self, place: complex, dt: float, gravity_m_s2: float) -> None:
        most = GAINS_G * gravity_m_s2 * dt
        low, high = self.between_m_s
        self.speed_m_s += min(max(min(max(self._wished_m_s, low), high) - self.speed_m_s, -most), most)
        self.sideways_m_s += min(max(self._sideways_m_s - self.sideways_m_s, -most), most)
        if self.steered:
            most = TURN_RAD_S / self.scale.time * dt
            turn = min(max(self._left_rad, -most), most)
            self._left_rad -= turn
            self.heading += turn + self._turn_rad_s * dt
            return
        self._way_m = self._path.locate(place, self._way_m)
        back = 0.0
        if not self.sideways_m_s:
            off = offset(self._path, self._way_m, place) / self.scale.length
            back = min(max(self._steering * off, -MOST_STEERING_RAD), MOST_STEERING_RAD)
        self.heading = self._path.heading(self._way_m) - back


ANY = -math.inf, math.inf
MEAN_S = 0.4
"""The body's speed is its mean over about so long on Earth, a step (first guess)."""
PATIENCE_S = 4.0
"""Where a gait does not come to such a speed, it becomes the other one after so long on Earth (first guess)."""
STAY_S = 1.6
"""A gait that is only gone through stays for so long on Earth, some four steps (first guess)."""
WITHIN_M_S = 0.15
"""Speeds are asked for so far within those at which the other gait takes over, as a gait is up to so far off what it is asked."""


class Crossing:
    """The gaits that are waited for, the first of which comes next: one, or one that is gone through and the one that was asked
    for. Speeds [m/s] are those on Earth on standard legs, times as long as there."""

    def __init__(self) -> None:
        self._gaits: tuple[PoseGait, ...] = ()
        self._mean_m_s: float | None = None
        self._waited_s = self._stays_s = 0.0

    @property
    def gait(self) -> PoseGait | None:
        return self._gaits[0] if self._gaits else None

    def ask(self, *gaits: PoseGait) -> None:
        """From now on wait for these gaits one after the other, or for none."""
        self._gaits, self._waited_s, self._stays_s = gaits, 0.0, 0.0

    def go(self, speed_m_s: float, dt: float) -> None:
        self._waited_s += dt
        mean = speed_m_s if self._mean_m_s is None else self._mean_m_s
        self._mean_m_s = mean + min(dt / MEAN_S, 1.0) * (speed_m_s - mean)

    @property
    def asked_m_s(self) -> tuple[float, float]:
        if self.gait is None or self.gait.enter_m_s is None:
            return ANY
        low, high = self.gait.enter_m_s
        within = min(WITHIN_M_S, 0.5 * (high - low))
        return low + within, high - within

    def due(self) -> PoseGait | None:
        """The gait that is to come with the next change of state, and is waited for no longer; None where none can yet."""
        gait = self.gait
        if gait is None or self._waited_s < self._stays_s:
            return None
        low, high = gait.enter_m_s or ANY
        if not low <= (self._mean_m_s or 0.0) <= high and self._waited_s < self._stays_s + PATIENCE_S:
            return None
        self._gaits, self._waited_s, self._stays_s = self._gaits[1:], 0.0, STAY_S
        return gait


MOST_M_S = 0.6
"""Largest correction on Earth on standard legs: what poses cannot give is not forced (first guess)."""


class Pace:
    """The correction [m/s], which grows with what is missing: the mean speed becomes the one that is wished for."""

    def __init__(self) -> None:
        self.correction_m_s = 0.0
        self._left_m_s, self._left_s, self._fades_s = 0.0, 0.0, 1.0

    def begin_anew(self, over_s: float) -> None:
        """Another gait has come, which finds its own correction; what the one before had fades within a time [s]."""
        self._left_m_s, self._left_s, self._fades_s = self.left_m_s + self.correction_m_s, over_s, max(over_s, 1e-9)
        self.correction_m_s = 0.0

    def pass_by(self, dt: float) -> None:
        self._left_s = max(self._left_s - dt, 0.0)

    @property
    def left_m_s(self) -> float:
        return self._left_m_s * self._left_s / self._fades_s

    def go(self, heading: float, speed_m_s: float, qvel: np.ndarray, share: float, scale: Scale) -> float:
        """Let time pass, so large a `share` of the time in which speed is corrected on Earth; gives the correction now."""
        missing = speed_m_s - (qvel[0] * math.cos(heading) + qvel[1] * math.sin(heading))
        most = MOST_M_S * scale.speed
        self.correction_m_s = float(min(max(self.correction_m_s + share / scale.time * missing, -most), most))
        return self.correction_m_s


def hurry(settings: PoseGaitSettings, qvel: np.ndarray, heading: float, wished: complex, scale: Scale) -> float:
    """The fraction by which time passes quicker in states that last some time. `wished` [m/s] is the speed ahead + i left; slower
    than that is no reason to hurry, but for the side."""
    going = complex(qvel[0], qvel[1]) * cmath.rect(1.0, -heading)
    off = math.hypot(max(abs(going.real) - abs(wished.real), 0.0), going.imag - wished.imag) / scale.speed
    return settings.hurry * max(off - settings.hurry_m_s, 0.0)


CONTROL_STEP_S = 0.005
"""On Earth and below; a stronger pull wants a shorter one, as the terms against the world are explicit."""
START_SPAN_S = 0.01
"""Velocities at the start of a gait along curves are those of so long."""
FALL_HEIGHT_FRACTION = 0.5
"""Below this fraction of its standing height, or with the trunk tilted past `FALL_TILT` more than asked, it has fallen."""
FALL_TILT = math.radians(65.0)
PLANAR_FALL_TILT = 2.0
"""Of the planar body, whose bent walk carries its trunk level: the authors' planar demonstration's."""
FASTER, SLOWEST_MOST_M_S = 1.4, 1.0
"""How much faster than its own speed a gait may be asked to go, and to what speed on Earth at the least."""


class PoseGaitController(Controller):
    """See `controller.Controller`. Raises InputError for a shot that has no key poses."""

    name = "pose_gait"
    kinds = ("human", "planar")
    steered_by = ("speed_m_s", "turn_rad_s", "turn_rad", "gait", "pose_gait", "over_s", "via")

    def __init__(self, setup: Setup) -> None:
        shot = setup.shot
        self.shot, self.body, self.state, self.gait = shot, setup.body, setup.state, pose_gait_in(shot)
        self._planar = self.body.kind == PLANAR
        self.settings: PoseGaitSettings | PlanarSettings = (
            self.changed(shot.gains)["planar"] if self._planar else PoseGaitSettings())
        if self._planar and shot.motion.path != PathSpec():
            raise InputError("A planar body goes straight on, along +x: leave its path and heading out, or choose a human.")
        gravity = shot.world.gravity_m_s2
        self.subject = self.gait.name
        check_reach(self.gait, self.body)
        self.scale = Scale.of(self.body, gravity)
        self.control_step_s = (setup.control_step_s or control_step_s(gravity)) / (acts(self.scale) if self._planar else 1)
        self.machine = Machine(self.gait, self.scale.time, self.settings.ramp_s, self.settings.touch_s, self.settings.change_s)
        self._leans = 0.0 if shot.suit == NO_SUIT else lean_under_load(self.body, make_body(shot.body))
        self.law, self.pace = self._made_law(), Pace()
        self.skill = self.law.skill = made_skill(self.machine, self.law, self.state, self.scale, self.control_step_s)
        speed = self.gait.speed_m_s * self.scale.speed if shot.motion.speed_m_s is None else shot.motion.speed_m_s
        self.course = Course(make_path(shot.motion.path), self.scale, speed, self.gait.sideways_m_s * self.scale.speed,
                             self.settings.steering, self.gait.turn_rad_s / self.scale.time)
        self._loads, self._gravity_m_s2 = FootLoads(self.body, gravity), gravity
        self._sensed: Sensed
        self._gone, self._at_own_speed, self._crossing = self.gait, False, Crossing()
        self._crossed = 0
        self._catcher = None if self.gait.catching is None else Catcher(self.gait)
        self._stature_m = self.body.pelvis_height_m

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        raise InputError("A gait from key poses cannot be keyed with gaits of the planner: steer it to other gaits from key "
                         "poses, or choose the controller tracking.")

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        if shot.body.kind != PLANAR:
            return Physics()
        return Physics(acts=acts(Scale.of(make_body(shot.body), shot.world.gravity_m_s2)))

    @classmethod
    def steerable(cls, shot: Shot) -> Steerable:
        """See `Controller.steerable`: the shipped gaits at their own speeds, and from standing to somewhat faster than the shot's
        own gait goes."""
        gait = pose_gait_in(shot)
        faster = Scale.of(shot_body(shot), shot.world.gravity_m_s2).speed
        kind = shot.body.kind
        own = gait.speed_m_s * faster if shot.motion.speed_m_s is None else shot.motion.speed_m_s
        gaits = tuple((name, round(max(load_pose_gait(name, kind).speed_m_s, 0.0) * faster, 3)) for name in pose_gait_names(kind))
        return Steerable(own, 0.0, max(FASTER * own, SLOWEST_MOST_M_S * faster), gaits)

    @classmethod
    def carried(cls, shot: Shot) -> Shot:
        return pose_gaits.carried(shot) if shot.motion.steering else shot

    @classmethod
    def groups(cls) -> dict[str, Any]:
        return {"planar": PlanarSettings()}

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`: it stands on both feet, or goes along its curves already, or is taken over as it is."""
        if state is None:
            qpos, qvel = self._begin()
            lifted = self.law.height_at
            if self.shot.noise:
                sizes = np.full(len(qvel), 1.0 / self.scale.time)  # [rad/s], and of the root's places [m/s]
                sizes[:lifted + 1] = abs(self.course.speed_m_s) + 0.5 * self.scale.speed
                qvel = qvel + self.shot.noise * sizes * np.random.default_rng(self.shot.seed).standard_normal(len(qvel))
            state = qpos, qvel
        self.state.update(*state)
        self.machine.begin(self.law.now(self.course.heading))
        if self.skill is not None:
            self.skill.begin()
        return state

    def _begin(self) -> State:
        law, gait, state = self.law, self.gait, self.state
        if gait.start is not None:
            if not isinstance(law, PlanarLaw):
                raise InputError(f"The pose gait {gait.name} starts in a state of the planar body: choose that body, or take the "
                                 "start out of the gait's file.")
            qpos, qvel = law.begin_in(gait.start)
            qpos[law.height_at] += float(state.ground.height(0.0, 0.0))
            return qpos, qvel
        qpos, qvel = law.begin(gait.start_m_s * self.scale.speed, self.course.heading, gait.start_spread, self._rise(0.0, 0.0))
        if self.machine.along is not None:
            if not isinstance(law, Law):
                raise InputError(f"The pose gait {gait.name} goes along curves, which a planar body does not: choose a human.")
            self._start_along(law, self.machine.along, qpos, qvel)
        state.update(qpos, qvel)
        qpos[law.height_at] -= float((state.contact_height_m / state.contact_normal[:, 2]).min())  # straight up
        return qpos, qvel

    def _made_law(self) -> Law | PlanarLaw:
        if isinstance(self.settings, PlanarSettings):
            return PlanarLaw(self.state, self.scale, self.settings)
        return Law(self.state, self.scale, self.settings, self._leans)

    def _start_along(self, law: Law, along: Along, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """A pose and velocities in the midst of going along curves, as a foot has just come down."""
        heading, swing = self.course.heading, self.machine.state.swing
        later = qpos.copy()
        for pose, since_s in ((qpos, 0.0), (later, START_SPAN_S)):
            law.posed(pose, along.angles(swing, since_s), along.turns(swing, since_s), heading)
        mujoco.mj_differentiatePos(self.state.model, qvel, START_SPAN_S * self.scale.time, qpos, later)
        ahead, left, up = (self.scale.speed * faster for faster in along.going(swing))
        going = complex(self.course.speed_m_s + ahead, self.course.sideways_m_s + left) * cmath.rect(1.0, heading)
        qvel[:3] = going.real, going.imag, up

    def sense(self, sensed: Sensed) -> None:
        self._sensed = sensed

    def act(self) -> Torques:
        course, dt = self.course, self.control_step_s
        course.go(complex(*self.state.data.xpos[1, :2].tolist()), dt, self._gravity_m_s2)
        self._cross(dt)
        if self._catcher is not None:
            self._catcher.go(self.machine, complex(*self.state.com_velocity[:2].tolist()), course.heading, dt, self.scale)
        if isinstance(self.settings, PoseGaitSettings) and self.settings.hurry:
            wished = complex(course.speed_m_s, course.sideways_m_s)
            self.machine.hasten(dt * hurry(self.settings, self.state.qvel, course.heading, wished, self.scale))
        self.machine.advance(dt, self._loads.loaded(self._sensed.contact_force_n, self.state),
                             partial(self.law.now, course.heading))
        if self.machine.gait is not self._gone:
            self._go_as(self.machine.gait)
        if self.skill is not None:
            self.skill.go(dt, self.law)
        self.law.spring_by(self.machine.springs())
        self.pace.pass_by(dt)
        speed = course.speed_m_s + self.machine.ahead_m_s * self.scale.speed + self.pace.left_m_s
        if self.machine.gait.pace_s:
            speed += self.pace.go(course.heading, course.speed_m_s, self.state.qvel, dt / self.machine.gait.pace_s, self.scale)
        targets = on_slope(self.machine.targets(), self.machine.gait, self.machine.state.swing,
                           self._rise(*self.state.data.xpos[1, :2].tolist()))
        torque = self.law.torques(self.machine.state, targets, course.heading, speed, course.sideways_m_s, self.machine.manner())
        return Torques(torque, self.law.damping)

    def _rise(self, x: float, y: float) -> float:
        """The angle [rad] by which the ground at a place [m] rises where the body heads."""
        if self.state.ground.level:
            return 0.0
        along_x, along_y = (float(slope) for slope in self.state.ground.slope(x, y))
        return math.atan(along_x * math.cos(self.course.heading) + along_y * math.sin(self.course.heading))

    def steer(self, wish: Wish) -> None:
        """See `Controller.steer`: speed, turn, another pose gait at the next change of state, and one that is being edited."""
        check_wishes(self.name, self.steered_by, list(wish))
        if self._planar and (wish.get("turn_rad") or wish.get("turn_rad_s")):
            raise InputError("A planar body cannot turn: it goes ahead and back alone.")
        gait, over_s = gait_wished(wish, self.body.kind), wish.get("over_s")
        if gait is not None:
            self._crossing.ask()
            if over_s is not None:
                self.machine.blend_to(gait, float(over_s))
            elif "gait" in wish:
                self._crossing.ask(*(one for one in (wish.get("via"), gait) if one is not None))
            else:
                self.machine.revise(gait)
        self._at_own_speed = "speed_m_s" not in wish and (gait is not None or self._at_own_speed)
        self.course.wish(wish)
        if self._crossing.gait is not None and self._at_own_speed:
            self.course.wish({"speed_m_s": self._crossing.gait.speed_m_s * self.scale.speed})

    def _cross(self, dt: float) -> None:
        """Become the gait that was asked for, once the body goes at a speed at which that one takes it over."""
        crossing, faster = self._crossing, self.scale.speed
        ahead = float(self.state.qvel[0])
        if not self._planar:
            ahead = ahead * math.cos(self.course.heading) + float(self.state.qvel[1]) * math.sin(self.course.heading)
        crossing.go(ahead / faster, dt / self.scale.time)
        coming = crossing.due()
        if coming is not None:
            self.machine.change_to(coming)
        low, high = crossing.asked_m_s
        self.course.between_m_s = low * faster, high * faster

    def _go_as(self, gait: PoseGait) -> None:
        """It has become another gait: go at its speeds, unless a speed was wished for."""
        self._gone = gait
        if self.machine.crossed > self._crossed:
            self._crossed = self.machine.crossed
            self.pace.begin_anew(self.settings.change_s * self.scale.time)
        if self._at_own_speed:
            speed = gait.speed_m_s * self.scale.speed
            if self._planar:  # its gaits ask for no speed but their own, which must not count as another one's meanwhile
                self.course.speed_m_s = speed
            self.course.wish({"speed_m_s": speed})
        self.course.go_sideways(gait.sideways_m_s * self.scale.speed)
        self.course.go_round(gait.turn_rad_s / self.scale.time)

    def make_way(self, shot: Shot) -> None:
        raise InputError("No gait takes over from key poses: take the keys out.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        self.scale, self._gravity_m_s2 = Scale.of(self.body, gravity_m_s2), gravity_m_s2
        self.course.scale = self.scale
        self.law = self._made_law()
        if self.skill is not None:
            self.law.skill = self.skill
            self.skill.rescale(self.law, self.scale)
        self.machine.slow_to(self.scale.time)
        self._loads.set_gravity(gravity_m_s2)

    def fallen(self) -> bool:
        x, y, z = self.state.data.xpos[1].tolist()
        ground = self.state.ground
        if z - (0.0 if ground.level else float(ground.height(x, y))) < FALL_HEIGHT_FRACTION * self._stature_m:
            return True
        up = self.state.data.xmat[1, 8]
        most = PLANAR_FALL_TILT if self._planar else min(FALL_TILT + abs(self.machine.state.torso - self._leans), 0.5 * math.pi)
        return bool(up < math.cos(most))

    def channels(self) -> Mapping[str, Reading]:
        told = {"pose_state": Reading("", float(self.machine.at)), "plan_heading_rad": Reading("rad", self.course.heading)}
        if self.skill is not None:
            told |= {name: Reading("N m", value) for name, value in self.skill.readings.items()}
        return told

    def stats(self) -> Mapping[str, Any]:
        found = {"pose_gait": self.gait.name, "pose_switches": self.machine.switches, "pose_steps": self.machine.steps,
                 "planned_speed_m_s": self.course.speed_m_s}
        step_s = self.machine.step_s
        if self.machine.changed:
            found["pose_changes"] = [[round(time_s, 4), name] for time_s, name in self.machine.changed]
        return found if step_s is None else found | {"planned_stride_frequency_hz": 0.5 / step_s}


def pose_gait_in(shot: Shot) -> PoseGait:
    """The shot's key poses. Raises InputError where it has none."""
    if not isinstance(shot.motion, KeyPoses):
        raise InputError("This shot has no pose gait: give it one, or choose the controller tracking.")
    return shot.motion.gait


def control_step_s(gravity_m_s2: float) -> float:
    """Time from act to act [s] under a gravity, in whole milliseconds."""
    return max(round(1e3 * CONTROL_STEP_S * min(math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2), 1.0)), 1) / 1e3
