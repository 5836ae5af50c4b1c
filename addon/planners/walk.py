# SPDX-License-Identifier: GPL-3.0-or-later
"""The walking planner: phases of the feet, centre of pressure, footsteps, and the reference pose, from the measured state."""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
import numpy as np

from ..bodies.kinematics import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..bodies.state import BodyState
from ..gaits.froude import GaitVariables
from .capture import Piece, backward, remaining
from .cart import CartPlan
from .foot_path import HEEL_UP, FootGeometry, FootPath, FootPose, Footstep
from .footsteps import PREVIEW_STEPS, StanceTimes, StepGeometry, StepPlanner, StepSettings, heading_vector
from .gait_tables import GaitTables
from .pendulum import Pendulum
from .pose import SIDES, PosePlanner, turns
from .targets import FootTarget, Targets

OTHER = {"L": "R", "R": "L"}
SIGN = {"L": 1, "R": -1}
ORBIT_SAMPLES = 64
FOOT_AHEAD_S, POSE_AHEAD_S = 0.005, 0.01
"""Time steps of the difference quotients that give the feet's and the pose's velocities."""


@dataclass(frozen=True)
class WalkSettings:
    """Settings of the planner beyond foot placement."""

    interval_s: float = 0.015
    """Time from plan step to plan step."""
    clearance_m: float = 0.012
    """Raise of the swing foot over the cycle's own path at mid swing."""
    early_landing: float = 0.6
    """Share of the swing after which a loaded foot counts as landed (Lee 2010: 0.7)."""
    lowering_m_s: float = 0.35
    """Speed at which a late foot is lowered on Earth; scales with sqrt(g)."""
    cart_share: float = 1.0
    """How far the steps follow the cart's own way back to the wanted velocity; 0 takes it up at once."""
    hurry_rate: float = 12.0
    """How fast the hurry may change [1/s], over the gait's frequency."""
    speed_integral: float = 0.15
    """Share of the speed's error made up each second, by asking the cart for more."""
    lateral_gain: float = 0.25
    """Sideways velocity per distance from the path [1/s]."""
    height_bend: float = 0.5
    """Largest vertical acceleration of the planned COM over gravity."""
    reach: float = 0.992
    """Largest distance of ankle from hip over the leg's length that the plan asks for."""
    drop_rate: float = 12.0
    rise_rate: float = 3.0
    """Rates at which the planned COM gives way to the legs' reach and comes back [1/s], on Earth."""
    expected_height_m: float = 0.004
    """The same for a point that should be on the ground: pressing on it brings it down."""
    active_height_m: float = 0.004
    """A contact point lower than this may push."""


class Foot:
    """What the planner knows of one foot."""

    def __init__(self, path: FootPath, step: Footstep) -> None:
        self.path, self.step = path, step
        self.swinging, self.landed = False, True
        self.lift: FootPose | None = None
        self.lowered_m = 0.0


class WalkPlanner:
    """Plans a walk of one body under one gravity. `update` is called every plan interval with the measured state."""

    def __init__(
        self, state: BodyState, tables: GaitTables, gait: GaitVariables, gravity_m_s2: float, *, scaling: str = "similar",
        settings: WalkSettings | None = None, step_settings: StepSettings | None = None,
    ) -> None:
        self.state, self.body, self.tables, self.gait = state, state.body, tables, gait
        self.gravity, self.settings = gravity_m_s2, settings or WalkSettings()
        foot = FootGeometry(self.body, "L")
        self.steps = StepPlanner(step_settings or StepSettings(), self.body.leg_length_m, foot.ball_x, foot.tip_x)
        self.heading = 0.0
        self.frequency, self.hurry = gait.stride_frequency_hz, 1.0
        self.omega = math.sqrt(gravity_m_s2 / tables.com_height_mean_m)
        self.stride_ratio = gait.stride_length_m / tables.stride_m
        self.width = tables.cycle.step_width_m * self.body.leg_length_m / tables.cycle.leg_length_m
        self.poses = PosePlanner(tables, self.body)
        self.poses.swing_scale = min(max(self.stride_ratio, 0.4), 1.3)
        pendulum = Pendulum(gravity_m_s2, tables.com_height_mean_m, self.body.mass_kg, scaling)
        velocity = complex(gait.speed_m_s, 0.0)
        self.cart = CartPlan(pendulum, self.settings.interval_s, 0.5 / self.frequency, PREVIEW_STEPS + 1, velocity)
        self.height_scale = min(1.0, self._height_limit())
        self.drop_m = self.drop_rate = self.speed_bias = 0.0
        self.heel_rise = {side: FootPath(tables, side, 0.0).heel_rise() for side in ("L", "R")}
        self.path_origin, self.phase = 0j, 0.0
        self._orbits = {side: self._periodic_orbit(side, 1 + 0j) for side in ("L", "R")}
        self.feet: dict[str, Foot] = {}
        self.stance = "L"
        self._frames = {side: state.frame(f"foot_{side}") for side in ("L", "R")}
        self._point_rows = {s: np.array([i for i, p in enumerate(self.body.contact_points) if p.side == s]) for s in "LR"}
        self._heels = np.array([p.kind == "heel" for p in self.body.contact_points])
        self.target_step: Footstep | None = None
        self.footsteps: list[tuple[float, Footstep]] = []

    def _height_limit(self) -> float:
        """Factor on the COM's rise and fall that keeps its acceleration within the settings' share of gravity."""
        bends = [self.tables.table.bend(p)[0] for p in np.linspace(0.0, 1.0, 60, endpoint=False)]
        largest = max(abs(min(bends)), abs(max(bends))) * self.frequency**2
        return self.settings.height_bend * self.gravity / max(largest, 1e-9)

    # --- phases -------------------------------------------------------------------------------------------------------

    def step_fractions(self, side: str) -> tuple[float, float]:
        """Double support and whole duration of the step that begins at `side`'s strike, as fractions of the cycle."""
        own, other = self.tables.phases[side], self.tables.phases[OTHER[side]]
        whole = (other.strike - own.strike) % 1.0
        double = other.toe_off - (1.0 - whole)
        return max(double, 0.02), whole

    def stance_times(self, side: str) -> StanceTimes:
        """Durations of the step on `side` at the gait's frequency."""
        double, whole = self.step_fractions(side)
        flat = min(max(self.heel_rise[side], double + 0.02), whole - 0.02) - double
        return StanceTimes(*(share / self.frequency for share in (double, flat, whole - double - flat)))

    @property
    def rate(self) -> float:
        """Rate of the phase now [1/s]: the gait's frequency, more when the step hurries."""
        double, _ = self.step_fractions(self.stance)
        factor = self.steps.double_factor(self.hurry) if self.since_strike() < double else self.hurry
        return self.frequency * factor

    def since_strike(self) -> float:
        """Phase since the stance foot's strike."""
        return self.tables.phases[self.stance].since_strike(self.phase)

    def _advance(self, dt: float, loaded: dict[str, bool], time_s: float) -> None:
        """Move the clock; lift the rear foot at the end of double support; change feet at the strike."""
        double, whole = self.step_fractions(self.stance)
        local = self.since_strike() if self.since_strike() < 0.9 else 0.0
        ahead = local + self.rate * dt
        other = self.feet[OTHER[self.stance]]
        if not other.swinging and ahead >= double and ahead < whole:
            self._lift(OTHER[self.stance])
        if other.swinging and not other.landed:
            progress = (local - double) / (whole - double)
            if loaded[other.path.side] and progress > self.settings.early_landing:
                self._land(other)
        if ahead >= whole:
            if other.swinging and not other.landed:
                ahead = whole - 1e-6
                other.lowered_m += dt * self.settings.lowering_m_s * math.sqrt(self.gravity / 9.81)
            else:
                self._change_feet(time_s)
                return
        self.phase = (self.tables.phases[self.stance].strike + ahead) % 1.0

    def _lift(self, side: str) -> None:
        foot, frame = self.feet[side], self._frames[side]
        foot.swinging, foot.landed, foot.lowered_m = True, False, 0.0
        turn = np.array([math.cos(0.5 * self.heading), 0.0, 0.0, math.sin(0.5 * self.heading)])
        rotvec = rotvec_from_quat(quat_multiply(quat_conjugate(turn), frame.quaternion))
        planned = foot.path.standing(foot.step, foot.path.phases.toe_off, self.heading)
        foot.lift = FootPose(frame.position.copy(), rotvec, planned.toe)

    def _land(self, foot: Foot) -> None:
        """The foot is down: its footstep is where it really stands."""
        frame = self._frames[foot.path.side]
        forward = frame.matrix[:, 0]
        yaw = math.atan2(forward[1], forward[0])
        pitch = math.atan2(-forward[2], math.hypot(forward[0], forward[1]))
        foot.step = Footstep(foot.path.side, foot.path.geometry.place_of(frame.position, yaw, pitch), yaw)
        foot.landed = True

    def _change_feet(self, time_s: float) -> None:
        self.stance = OTHER[self.stance]
        foot = self.feet[self.stance]
        foot.swinging, foot.landed = False, True
        self.phase = self.tables.phases[self.stance].strike
        self.hurry = 1.0
        self.footsteps.append((time_s, foot.step))

    # --- start --------------------------------------------------------------------------------------------------------

    def start(self, phase: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (nq,) and velocities (nv,) of a body already walking: in the middle of a left stance.

        The lateral and forward COM are those of the periodic plan, so the first step is like any other.
        """
        heading = heading_vector(self.heading)
        self.stance = "L"
        double, whole = self.step_fractions("L")
        local = double + 0.25 * (whole - double)
        self.phase = (self.tables.phases["L"].strike + local) % 1.0
        stride = self.gait.stride_length_m
        places = {"L": 0.5j * self.width, "R": complex(-0.5 * stride, -0.5 * self.width)}
        for side in ("L", "R"):
            path = FootPath(self.tables, side, self.settings.clearance_m)
            path.amplitude = min(max(self.stride_ratio, 0.3), 1.15)
            self.feet[side] = Foot(path, Footstep(side, heading * places[side], self.heading + self.tables.foot_yaw[side]))
        right = self.feet["R"]
        right.swinging, right.landed = True, False
        right.lift = right.path.standing(right.step, right.path.phases.toe_off, self.heading)
        desired = complex(self.gait.speed_m_s, 0.0)
        landing, nominal, pieces = self._plan_step(heading, desired)
        capture = backward(landing, pieces, self.omega)
        com = places["L"] + self._orbit_row()[0]
        self.path_origin = 0j
        self.target_step = self._step_at(nominal)
        velocity = self.omega * (capture - com)
        return self._pose_pair(com, velocity, self._foot_poses(0.0), self._foot_poses(POSE_AHEAD_S))

    def _periodic_orbit(self, side: str, heading: complex) -> np.ndarray:
        """COM and its velocity (ORBIT_SAMPLES, 2), complex, over a step on `side` of the periodic gait, from the foot.

        c' = omega (xi - c) is stable, so some steps of it from anywhere end there.
        """
        length, warm_up = 0.5 * self.gait.stride_length_m, 20
        times = self.stance_times(side)
        dt = sum(times) / ORBIT_SAMPLES
        foot, sign = 0j, SIGN[side]
        end = self.steps.cop_places(foot - heading * complex(length, sign * self.width), -sign, heading)[-1]
        com, orbit = end, np.empty((ORBIT_SAMPLES, 2), dtype=complex)
        for n in range(warm_up + 1):
            after = foot + heading * complex(length, -sign * self.width)
            pieces = self.steps.pieces(end, foot, sign, heading, times)
            geometry = self._geometry([complex(length, 0.0)] * PREVIEW_STEPS, -sign)
            landing = self.steps.landing_capture(pieces[-1].end, after, geometry, heading, self.omega, times)
            for i in range(ORBIT_SAMPLES):
                velocity = self.omega * (backward(landing, remaining(pieces, (i + 0.5) * dt), self.omega) - com)
                orbit[i] = com - foot, velocity
                com += dt * velocity
            end, foot, sign = pieces[-1].end, after, -sign
        return orbit

    def _orbit_row(self) -> np.ndarray:
        """COM from the stance foot and COM velocity (2,), complex, that the periodic gait has now."""
        _, whole = self.step_fractions(self.stance)
        orbit = self._orbits[self.stance]
        at = min(self.since_strike() / whole * ORBIT_SAMPLES, ORBIT_SAMPLES - 1.001)
        low = int(at)
        return orbit[low] + (at - low) * (orbit[low + 1] - orbit[low])

    # --- the step -----------------------------------------------------------------------------------------------------

    def _geometry(self, travel: list[complex], side: int) -> StepGeometry:
        """Displacements of the feet from the cart's travel: the foot on `side` has just landed; feet stand a width apart."""
        displacements, sides = [], []
        for distance in travel[:PREVIEW_STEPS]:
            side = -side
            displacements.append(distance + 1j * side * self.width)
            sides.append(side)
        return StepGeometry(tuple(displacements), tuple(sides))

    def _plan_step(self, heading: complex, desired: complex) -> tuple[complex, complex, list[Piece]]:
        """The capture point wanted at this step's end, the nominal next place, and the pieces left of this step."""
        foot, rear = self.feet[self.stance].step, self.feet[OTHER[self.stance]].step
        side = SIGN[self.stance]
        share, stride = self.settings.cart_share, desired * self.cart.step_s
        travel = [stride + share * (distance - stride) for distance in self.cart.displacements(desired)]
        nominal = foot.place + heading * (travel[0] - 1j * side * self.width)
        end = self.steps.cop_places(foot.place, side, heading)[-1]
        landing = self.steps.landing_capture(end, nominal, self._geometry(travel[1:], -side), heading, self.omega,
                                             self.stance_times(OTHER[self.stance]))
        previous = self.steps.cop_places(rear.place, -side, heading)[-1]
        pieces = self.steps.pieces(previous, foot.place, side, heading, self.stance_times(self.stance))
        return landing, nominal, remaining(pieces, self.since_strike() / self.frequency)

    def _fastest(self) -> float:
        """Largest hurry for this step: its swing takes the least time."""
        double, whole = self.step_fractions(self.stance)
        shortest = self.steps.settings.shortest_swing_s * (9.81 / self.gravity) ** self.steps.settings.swing_exponent
        return max((whole - double) / self.frequency / shortest, 1.0)

    def _step_at(self, place: complex) -> Footstep:
        side = OTHER[self.stance]
        return Footstep(side, place, self.heading + self.tables.foot_yaw[side])

    def _desired_velocity(self, dt: float, heading: complex) -> complex:
        """Wanted mean velocity, forward + i left: the gait's, the speed's slow correction, and back to the path."""
        s, wish = self.settings, self.gait.speed_m_s
        error = wish - self.cart.mean_velocity.real
        self.speed_bias = min(max(self.speed_bias + dt * s.speed_integral * error, -0.25 * wish), 0.25 * wish)
        local = (complex(*self.state.com[:2]) - self.path_origin) / heading
        away = local.imag
        sideways = min(max(-s.lateral_gain * self.omega / 3.3 * away, -0.15 * wish), 0.15 * wish)
        return complex(wish + self.speed_bias, sideways)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        """Plan from the state measured now. `loaded` tells which feet carry weight; `dt` is the time since the last call."""
        if dt > 0.0:
            self._advance(dt, loaded, time_s)
        heading = heading_vector(self.heading)
        com = complex(*self.state.com[:2])
        velocity = complex(*self.state.com_velocity[:2])
        desired = self._desired_velocity(dt, heading)
        if dt > 0.0:
            away = velocity / heading - self._orbit_row()[1]
            self.cart.update(com / heading, complex(self.gait.speed_m_s) + away, desired)
        landing, nominal, pieces = self._plan_step(heading, desired)
        capture = com + velocity / self.omega
        wanted = backward(landing, self.steps.hurried(pieces, self.hurry), self.omega)
        shift = self.steps.cop_shift(capture - wanted, heading)
        foot, other = self.feet[self.stance], self.feet[OTHER[self.stance]]
        if not other.landed or not other.swinging:
            shifted = [Piece(p.start + shift, p.end + shift, p.duration_s) for p in pieces]
            place, factor = self.steps.place(
                capture, shifted, nominal, landing, foot.step.place, -SIGN[self.stance], heading, self.omega,
                self.stance_times(OTHER[self.stance]).double, self._fastest())
            self.target_step = self._step_at(place)
            change = self.settings.hurry_rate * dt * self.frequency
            self.hurry += min(max(factor - self.hurry, -change), change)
        self._follow_reach(dt, com)
        cop = pieces[0].start + shift
        return self._targets(time_s, cop, com, velocity)

    # --- targets ------------------------------------------------------------------------------------------------------

    def _foot_pose(self, side: str, ahead_s: float) -> FootPose:
        """Planned pose of a foot a little ahead in time."""
        foot = self.feet[side]
        since = foot.path.phases.since_strike(self.phase)
        if not foot.swinging:
            since = 0.0 if since > 0.95 else since
            return foot.path.standing(foot.step, since + self.rate * ahead_s, self.heading)
        if foot.landed:
            return foot.path.standing(foot.step, 0.0, self.heading)
        pose = foot.path.swinging(foot.lift, self.target_step, min(since + self.rate * ahead_s, 1.0), self.heading)
        pose.ankle[2] -= foot.lowered_m
        return pose

    def _height_share(self) -> float:
        """Share of the cycle's rise and fall: less in a hurried step, whose bounce would throw the body off the ground."""
        return self.height_scale / self.hurry**2

    def _com_height(self, height: float | np.ndarray) -> float | np.ndarray:
        """Planned COM height [m] where the cycle's own is `height`."""
        mean = self.tables.com_height_mean_m
        return mean + self._height_share() * (height - mean) - self.drop_m

    def _height(self, phase: float) -> tuple[float, float, float]:
        """Planned COM height, velocity, acceleration at a phase."""
        t, rate = self.tables.table, self._height_share() * self.rate
        return (self._com_height(t.value(phase)[0]), rate * t.slope(phase)[0] - self.drop_rate,
                self.rate * rate * t.bend(phase)[0])

    def _follow_reach(self, dt: float, com: complex) -> None:
        """Lower the planned COM while a leg would be too short for it, quickly down and slowly up again."""
        if dt <= 0.0:
            return
        row = self.tables.table.value(self.phase)
        need = self.poses.shortfall(com, self._com_height(row[0]) + self.drop_m, self.heading, row, self._foot_poses(0.0),
                                    self.settings.reach)
        rate = self.settings.drop_rate if need > self.drop_m else self.settings.rise_rate
        self.drop_rate = rate * math.sqrt(self.gravity / 9.81) * (need - self.drop_m)
        self.drop_m += dt * self.drop_rate

    def _foot_poses(self, ahead_s: float) -> dict[str, FootPose]:
        """Planned poses of both feet a little ahead in time."""
        return {side: self._foot_pose(side, ahead_s) for side in SIDES}

    def _pose_pair(
        self, com: complex, velocity: complex, now: dict[str, FootPose], later: dict[str, FootPose]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Reference pose (nq,) and its velocity (nv,), given the feet now and `POSE_AHEAD_S` later."""
        times = np.array([0.0, POSE_AHEAD_S])
        phases, places = self.phase + self.rate * times, com + times * velocity
        rows = self.tables.table.value(phases)
        coms = np.column_stack([places.real, places.imag, self._com_height(rows[:, 0])])
        pose, after = self.poses.poses(phases, np.full(2, self.heading), coms, (now, later), rows)
        rate = np.empty(self.state.model.nv)
        mujoco.mj_differentiatePos(self.state.model, rate, POSE_AHEAD_S, pose, after)
        return pose, rate

    def _targets(self, time_s: float, cop: complex, com: complex, velocity: complex) -> Targets:
        before, now, after, later = (self._foot_poses(t) for t in (-FOOT_AHEAD_S, 0.0, FOOT_AHEAD_S, POSE_AHEAD_S))
        pose, pose_velocity = self._pose_pair(com, velocity, now, later)
        active, expected = self._contact_points()
        feet = self._foot_targets(before, now, after, active)
        return Targets(time_s, cop, self.omega, self._height(self.phase), pose, pose_velocity,
                       np.zeros_like(pose_velocity), feet, active, expected, self.heading)

    def _foot_targets(
        self, before: dict[str, FootPose], now: dict[str, FootPose], after: dict[str, FootPose], active: np.ndarray
    ) -> dict[str, FootTarget]:
        """Wanted motion of the feet; one that should stand but does not touch is led to the ground like a swinging one."""
        moments, dt = (before, now, after), FOOT_AHEAD_S
        ankles = np.array([[feet[side].ankle for side in SIDES] for feet in moments])
        rotvecs = np.array([[feet[side].rotvec for side in SIDES] for feet in moments])
        quats = quat_multiply(turns(self.heading), quat_from_rotvec(rotvecs))
        spins = rotvec_from_quat(quat_multiply(quats[2], quat_conjugate(quats[0]))) / (2.0 * dt)
        velocities = (ankles[2] - ankles[0]) / (2.0 * dt)
        accelerations = (ankles[2] - 2.0 * ankles[1] + ankles[0]) / dt**2
        stances = [self.feet[side].landed and bool(active[self._point_rows[side]].any()) for side in SIDES]
        return {side: FootTarget(ankles[1, i], velocities[i], accelerations[i], quats[1, i], spins[i], stances[i])
                for i, side in enumerate(SIDES)}

    def _contact_points(self) -> tuple[np.ndarray, np.ndarray]:
        """Contact points that may push, and those that should be on the ground (both (P,) bool).

        A standing foot expects its heel until the heel is to rise, ball and toes once it is to be flat; a point may push
        when its foot stands and it touches.
        """
        touching = self.state.contact_point_m[:, 2] < self.settings.active_height_m
        expected = np.zeros(len(touching), dtype=bool)
        for side in ("L", "R"):
            foot, rows = self.feet[side], self._point_rows[side]
            if foot.swinging and not foot.landed:
                touching[rows] = False
                continue
            since = 0.0 if foot.swinging else foot.path.phases.since_strike(self.phase)
            pitch = foot.path.stance_pitch(since)
            heels = self._heels[rows]
            if pitch > HEEL_UP:
                touching[rows] &= ~heels
            expected[rows] = np.where(heels, pitch <= HEEL_UP, pitch > -0.01)
        touching |= expected & (self.state.contact_point_m[:, 2] < self.settings.expected_height_m)
        return touching, expected | touching
