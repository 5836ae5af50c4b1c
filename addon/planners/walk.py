# SPDX-License-Identifier: GPL-3.0-or-later
"""The walking planner: from the measured state to centre of pressure, footsteps, and the whole reference pose."""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np

from ..bodies.state import BodyState
from ..gaits.froude import GaitVariables
from ..shot import EARTH_GRAVITY_M_S2
from .capture import Piece, backward, remaining
from .cart import CartPlan
from .feet import FeetPose, Feet
from .foot_path import FootGeometry, Footstep
from .footsteps import PREVIEW_STEPS, StepPlanner, StepSettings, heading_vector, step_geometry
from .gait_tables import GaitTables
from .height import HeightPlan
from .orbit import PeriodicOrbit
from .pendulum import Pendulum
from .pose import PosePlanner
from .rhythm import OTHER, SIGN, Rhythm
from .settings import WalkSettings
from .targets import Targets

FOOT_STEP_S, POSE_STEP_S = 0.005, 0.01
"""Times over which the feet's and the reference pose's velocities are taken."""


class WalkPlanner:
    """Plans a walk of one body under one gravity.

    `start` gives the first state; then `update` is called every plan interval with the state as measured. `footsteps` lists
    (time, Footstep) of the feet that struck. `heading` [rad] may be changed while walking.
    """

    def __init__(
        self, state: BodyState, tables: GaitTables, gait: GaitVariables, gravity_m_s2: float, *, scaling: str = "similar",
        settings: WalkSettings | None = None, step_settings: StepSettings | None = None,
    ) -> None:
        self.state, self.tables, self.gait = state, tables, gait
        self.settings, self._step_settings = settings or WalkSettings(), step_settings or StepSettings()
        body, self.gravity, self.heading = state.body, gravity_m_s2, 0.0
        self._time_scale = math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2)
        self.omega = math.sqrt(gravity_m_s2 / tables.com_height_mean_m)
        self.width = tables.width_m
        self.rhythm = Rhythm(tables, gait.stride_frequency_hz, self._step_settings.double_hurry)
        geometry = FootGeometry(body, "L")
        shifts = tables.displacement.cop_shifts(self.rhythm.stance_times("L"), gait.stride_frequency_hz)
        self.steps = StepPlanner(self._step_settings, body.leg_length_m, geometry.ball_x, geometry.tip_x, shifts)
        self.orbit = PeriodicOrbit(self.steps, self.rhythm, 0.5 * gait.stride_length_m, self.width, self.omega)
        self.height = HeightPlan(tables, self.rhythm, gravity_m_s2, self.settings)
        stride_ratio = gait.stride_length_m / tables.stride_m
        self.poses = PosePlanner(tables, body)
        self.poses.swing_scale = min(max(stride_ratio, 0.4), 1.3)
        pendulum = Pendulum(gravity_m_s2, tables.com_height_mean_m, body.mass_kg, scaling)
        self.cart = CartPlan(pendulum, self.settings.interval_s, 0.5 / gait.stride_frequency_hz, PREVIEW_STEPS + 1,
                             complex(gait.speed_m_s))
        places = {"L": 0.5j * self.width, "R": complex(-0.5 * gait.stride_length_m, -0.5 * self.width)}
        first = {side: Footstep(side, place, tables.foot_yaw[side]) for side, place in places.items()}
        self.feet = Feet(state, tables, self.rhythm, self.settings, min(max(stride_ratio, 0.3), 1.15), first)
        self._hip_m = abs(float(body.segment("thigh_L").offset[1]))
        self.speed_bias, self.footsteps = 0.0, []
        self._strikes: dict[str, tuple[float, complex]] = {}

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (nq,) and velocities (nv,) of a body already walking along x, a quarter into a left single support,
        its COM on the periodic orbit, so that the first step is like any other."""
        double, whole = self.rhythm.fractions("L")
        self.rhythm.local = double + 0.25 * (whole - double)
        right = self.feet["R"]
        right.swinging, right.landed = True, False
        right.lift = right.path.standing(right.step, [right.path.phases.toe_off], self.heading)[0]
        landing, nominal, pieces = self._plan_step(heading_vector(self.heading), complex(self.gait.speed_m_s))
        com = self.feet["L"].step.place + self.orbit.now()[0]
        self.feet.target = self._step_at(nominal)
        feet = self.feet.poses(self.heading, (0.0, POSE_STEP_S))
        return self._pose_pair(com, self.omega * (backward(landing, pieces, self.omega) - com), feet)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        """Plan from the state measured now. `loaded` tells which feet carry weight; `dt` [s] is the time since the last call,
        0 for the first."""
        heading, com = heading_vector(self.heading), complex(*self.state.com[:2])
        velocity = complex(*self.state.com_velocity[:2])
        if dt > 0.0:
            self._advance(dt, loaded, time_s)
        desired = self._desired_velocity(com, heading)
        if dt > 0.0:
            sway = velocity / heading - self.orbit.now()[1]
            self.cart.update(com / heading, self.gait.speed_m_s + sway, desired)
        cop = self._plan_landing(com, velocity, heading, desired, dt)
        before, now, after, later = self.feet.poses(self.heading, (-FOOT_STEP_S, 0.0, FOOT_STEP_S, POSE_STEP_S))
        if dt > 0.0:
            self.height.follow(self._needed_drop(com, now), dt)
        pose, pose_velocity = self._pose_pair(com, velocity, (now, later))
        active, expected = self.feet.contact_points()
        cop = self._supported(cop, expected, heading)
        feet = self.feet.wanted(self.heading, before, now, after, FOOT_STEP_S, active)
        return Targets(time_s, cop, self.omega, self.height.now(), pose, pose_velocity, np.zeros_like(pose_velocity), feet,
                       active, expected, self.heading)

    def _advance(self, dt: float, loaded: dict[str, bool], time_s: float) -> None:
        """Move the clock; lift the rear foot at the end of double support; change feet at the strike.

        A foot that comes down early stands where it is while the clock runs on; one that is late is lowered while the clock
        waits for it.
        """
        rhythm, side = self.rhythm, OTHER[self.rhythm.stance]
        double, whole = rhythm.fractions(rhythm.stance)
        local = rhythm.local if rhythm.local < 0.9 else 0.0
        ahead, foot = local + rhythm.rate * dt, self.feet[side]
        if not foot.swinging and double <= ahead < whole:
            self.feet.lift(side, self.heading)
        if foot.swinging and not foot.landed and loaded[side]:
            if (local - double) / (whole - double) > self.settings.early_landing:
                self.feet.land(side)
        if ahead < whole:
            rhythm.local = ahead
        elif foot.swinging and not foot.landed:
            rhythm.local = whole - 1e-6
            foot.lowered_m += dt * self.settings.lowering_m_s * self._time_scale
            self.feet[rhythm.stance].overrun += dt * rhythm.rate
        else:
            rhythm.change_feet()
            rhythm.local = 0.0 if foot.lowered_m > 0.0 else ahead - whole
            foot.swinging, foot.landed = False, True
            self.footsteps.append((time_s, foot.step))
            self._correct_speed(side, time_s)

    def _correct_speed(self, side: str, time_s: float) -> None:
        """At a strike: ask for more or less by a share of what the stride since this foot's last strike lacked."""
        com, wish = complex(*self.state.com[:2]), self.gait.speed_m_s
        if side in self._strikes:
            before_s, before = self._strikes[side]
            speed = ((com - before) / heading_vector(self.heading)).real / (time_s - before_s)
            limit = self.settings.speed_limit * wish
            self.speed_bias = min(max(self.speed_bias + self.settings.speed_share * (wish - speed), -limit), limit)
        self._strikes[side] = (time_s, com)

    def _desired_velocity(self, com: complex, heading: complex) -> complex:
        """Wanted mean velocity, forward + i left: the gait's, the speed's slow correction, and back to the path."""
        s, wish = self.settings, self.gait.speed_m_s
        away = (com / heading).imag
        sideways = -s.lateral_gain * self._time_scale * away
        return complex(wish + self.speed_bias, min(max(sideways, -0.15 * wish), 0.15 * wish))

    def _plan_step(self, heading: complex, desired: complex) -> tuple[complex, complex, list[Piece]]:
        """The capture point wanted at this step's end, the nominal next place, and the pieces left of this step."""
        stance = self.rhythm.stance
        foot, rear, side = self.feet[stance].step, self.feet[OTHER[stance]].step, SIGN[stance]
        share, stride = self.settings.cart_share, desired * self.cart.step_s
        travel = [stride + share * (distance - stride) for distance in self.cart.displacements(desired)]
        nominal = foot.place + heading * (stride - 1j * side * self.width)
        end = self.steps.cop_places(foot.place, side, heading)[-1]
        landing = self.steps.landing_capture(end, nominal, step_geometry(travel[1:], -side, self.width), heading, self.omega,
                                             self.rhythm.stance_times(OTHER[stance]))
        previous = self.steps.cop_places(rear.place, -side, heading)[-1]
        pieces = self.steps.pieces(previous, foot.place, side, heading, self.rhythm.stance_times(stance))
        return landing, nominal, remaining(pieces, self.rhythm.elapsed_s)

    def _plan_landing(self, com: complex, velocity: complex, heading: complex, desired: complex, dt: float) -> complex:
        """Choose the next landing and the hurry; returns the centre of pressure wanted now."""
        landing, nominal, pieces = self._plan_step(heading, desired)
        capture = com + velocity / self.omega
        wanted = backward(landing, self.steps.hurried(pieces, self.rhythm.hurry), self.omega)
        shift = self.steps.cop_shift(capture - wanted, heading)
        stance = self.rhythm.stance
        other = self.feet[OTHER[stance]]
        if not (other.swinging and other.landed):
            shifted = [Piece(p.start + shift, p.end + shift, p.duration_s) for p in pieces]
            place, hurry = self.steps.place(
                capture, shifted, nominal, landing, self.feet[stance].step.place, -SIGN[stance], heading, self.omega,
                self.rhythm.stance_times(OTHER[stance]).double, self._fastest(),
                com - heading * 1j * SIGN[stance] * self._hip_m, velocity)
            self.feet.target = self._step_at(place)
            change = self.settings.hurry_rate * dt * self.rhythm.frequency
            self.rhythm.hurry += min(max(hurry - self.rhythm.hurry, -change), change)
        return pieces[0].start + shift

    def _supported(self, cop: complex, expected: np.ndarray, heading: complex) -> complex:
        """The centre of pressure moved between the points that should push: one they cannot give would be made up for by the
        swing leg's inertia, which kicks it off its path."""
        if not expected.any():
            return cop
        points = self.state.contact_point_m[expected]
        local = (points[:, 0] + 1j * points[:, 1]) / heading
        wish = cop / heading
        return heading * complex(min(max(wish.real, local.real.min()), local.real.max()),
                                 min(max(wish.imag, local.imag.min()), local.imag.max()))

    def _fastest(self) -> float:
        """Largest hurry for this step: its swing takes the least time."""
        times, s = self.rhythm.stance_times(self.rhythm.stance), self._step_settings
        shortest = s.shortest_swing_s * self._time_scale ** (-2.0 * s.swing_exponent)
        return max((times.flat + times.raised) / shortest, 1.0)

    def _step_at(self, place: complex) -> Footstep:
        """A footstep of the swing foot at a place, turned as the cycle's foot is."""
        side = OTHER[self.rhythm.stance]
        return Footstep(side, place, self.heading + self.tables.foot_yaw[side])

    def _needed_drop(self, com: complex, feet: FeetPose) -> float:
        """How much lower than the cycle's the COM must be for the legs to reach both feet."""
        row = self.tables.table.value(self.rhythm.phase)
        return self.poses.shortfall(com, self.height.undropped(row), self.heading, row, feet, self.settings.reach)

    def _pose_pair(self, com: complex, velocity: complex, feet: Sequence[FeetPose]) -> tuple[np.ndarray, np.ndarray]:
        """Reference pose (nq,) now and its velocity (nv,), with the feet now and `POSE_STEP_S` later."""
        times = np.array([0.0, POSE_STEP_S])
        phases, places = self.rhythm.phase + self.rhythm.rate * times, com + times * velocity
        rows = self.tables.table.value(phases)
        coms = np.column_stack([places.real, places.imag, self.height.undropped(rows) - self.height.drop_m])
        now, later = self.poses.poses(phases, np.full(2, self.heading), coms, feet, rows)
        rate = np.empty(self.state.model.nv)
        mujoco.mj_differentiatePos(self.state.model, rate, POSE_STEP_S, now, later)
        return now, rate
