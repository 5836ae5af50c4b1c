# SPDX-License-Identifier: GPL-3.0-or-later
"""The law of a walk on two virtual legs: from what N walkers of one body feel to their joints' torques. Lengths are over L, the
length of a leg's segments in a line, times over T = sqrt(L / g), torques over m g L, so that one set of numbers serves every
size under every gravity. Vectors are in the frame of the heading: x ahead, y left, z up."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...bodies.body import Body
from ...maths.curves import cubic, share
from ...maths.rotations import about_y, about_z, cross, length, plane_angle
from ...specs.shot import EARTH_GRAVITY_M_S2
from .felt import Felt, Layout, off, see
from .parameters import ORDER, time_unit_s, vector_of
from .swing import Fold, LegStates, Swing

STIFFNESS, DAMPING = 3.0, 0.35
"""Stiffness over the moment of what hangs on a joint, laid level, and damping over stiffness in units of time (a prototype's)."""


class Upper:
    """Torques and damping of all joints of no leg. `gain` (N,) multiplies stiffness and damping."""

    def __init__(self, body: Body, layout: Layout, gravity_m_s2: float, time_s: float, gain: np.ndarray) -> None:
        self.layout = layout
        com, joint = neutral(body)
        moment = layout.subtree_kg * gravity_m_s2 * np.linalg.norm(com - joint, axis=1)
        self._weight = layout.subtree_kg * gravity_m_s2
        self._balls, self._hinges = (STIFFNESS * moment[rows] * gain[:, None] for rows in (layout.others, layout.bends))
        self.damping = np.zeros((len(gain), layout.torques))
        self.damping[:, layout.other] = DAMPING * time_s * self._balls[..., None]
        self.damping[:, layout.bend] = DAMPING * time_s * self._hinges

    def torque(self, felt: Felt, torque: np.ndarray) -> None:
        """Write into the torques (N, nv - 6)."""
        layout = self.layout
        rows = layout.others
        if len(rows):
            turn = felt.turn.take(rows, 1)
            pull = self._balls[..., None] * off(felt.turn.take(layout.other_parent, 1), turn) + self._held(felt, rows)
            torque[:, layout.other] = (turn.swapaxes(-1, -2) @ pull[..., None])[..., 0]
        rows = layout.bends
        if len(rows):
            axis = (felt.turn.take(rows, 1) @ layout.bend_axis[..., None])[..., 0]
            torque[:, layout.bend] = (axis * self._held(felt, rows)).sum(axis=-1) - self._hinges * felt.qpos[:, layout.bend_at]

    def _held(self, felt: Felt, rows: np.ndarray) -> np.ndarray:
        """Moments (N, B, 3) that hold what hangs on these joints."""
        return _held(felt.below.take(rows, 1) - felt.place.take(rows, 1), self._weight[rows])


def neutral(body: Body) -> tuple[np.ndarray, np.ndarray]:
    """Centres of mass (S, 3) of each segment with all that hangs on it, and joints (S, 3) [m], in the neutral pose."""
    index = body.index
    joint = np.zeros((len(body.segments), 3))
    for i, segment in enumerate(body.segments[1:], start=1):
        joint[i] = joint[index[segment.hangs_on]] + segment.offset
    mass = np.array([s.mass_kg for s in body.segments])
    moment = mass[:, None] * (joint + np.array([s.com for s in body.segments]))
    for segment in reversed(body.segments[1:]):
        i, above = index[segment.name], index[segment.hangs_on]
        mass[above] += mass[i]
        moment[above] += moment[i]
    return moment / mass[:, None], joint


RAMP = 50.0
"""Time in which a walk from rest takes up sqrt(g L), in units of sqrt(L / g): 1 m/s in 5 s on a leg of 1 m (a prototype's)."""
MEND = 0.3
"""Share of a step's lack that is mended by the next one, at a gain of 1."""
EVEN = 8.0
"""Time in units of sqrt(L / g) from there on until steps are even: five or six of them."""
BEHIND = 0.75
"""How far a walk from rest lags behind what is aimed at, over the leg: ostrich and human at 0.3 sqrt(g L)."""
MOST_FROUDE = 1.0
"""What is aimed at is at most this times sqrt(g L)."""


def run_up(speed_m_s: float, leg_m: float, time_s: float) -> tuple[float, float]:
    """How long [s] and how far [m] a walk from rest takes until it goes evenly at that speed, `time_s` being sqrt(L / g)."""
    rising_s = RAMP * time_s * time_s * speed_m_s / leg_m
    return rising_s + EVEN * time_s, max(speed_m_s * (0.5 * rising_s + EVEN * time_s) - BEHIND * leg_m, 0.0)


class Pace:
    """`command_m_s` (N,) is what is aimed at, `wished_m_s` (N,) what is wished for now, `step_m_s` (N,) the last step's mean
    speed, `lack_m_s` (N,) what steps have lacked, summed up."""

    def __init__(self, gain: np.ndarray, leg_m: float, time_s: float) -> None:
        n = len(gain)
        self._gain, self._most_m_s = MEND * gain, MOST_FROUDE * leg_m / time_s
        self._rate = leg_m / time_s / (RAMP * time_s)
        self.wished_m_s, self.command_m_s, self.step_m_s, self.lack_m_s = np.zeros((4, n))
        self._from, self._step_s = np.zeros((n, 2)), np.zeros(n)

    def begin(self, com: np.ndarray) -> None:
        self._from[:] = com[:, :2]
        self._step_s[:] = 0.0

    def step(self, dt: float, com: np.ndarray, heading: np.ndarray, speed_m_s: np.ndarray, landed: np.ndarray) -> None:
        """Go on by `dt` [s] at centres of mass (N, 3), towards a speed (N,) [m/s]; `landed` (N, 2) tells which feet have."""
        self._step_s += dt
        most = self._rate * dt
        self.wished_m_s += (speed_m_s - self.wished_m_s).clip(-most, most)
        if landed.any():
            landed = landed.any(axis=1)
            way = com[:, :2] - self._from
            mean = (way[:, 0] * np.cos(heading) + way[:, 1] * np.sin(heading)) / np.maximum(self._step_s, 1e-6)
            self.step_m_s = np.where(landed, mean, self.step_m_s)
            lack = np.where(landed, self._gain * (self.wished_m_s - mean), 0.0)
            self.lack_m_s += lack
            self._from[landed] = com[landed, :2]
            self._step_s[landed] = 0.0
        self.command_m_s = (self.wished_m_s + self.lack_m_s).clip(-self._most_m_s, self._most_m_s)
        self.lack_m_s = self.command_m_s - self.wished_m_s


FOOT_DAMPING = 0.1
"""Damping of a standing foot over that of a swinging one: the ground holds it, and rolling over it would cost speed."""
FREED = (1.0 - FOOT_DAMPING) * np.array((1.0, 1.0, 0.0))
LOADED_SHARE = 0.25
"""A leg that carries this share of the weight gives the trunk all that it can."""
STANCE_DAMPING, ALONG_DAMPING, ALONG_STIFFNESS = 0.03, 0.3, 0.3
"""Damping of a standing hip over that of a swinging one; of turning about the leg over those of swinging it."""
PRESSURE_SHARE = 0.9
"""The pressure stays within this share of the sole."""
LEAN_SPEED = 1.5
"""How far ahead the pressure goes with the speed while it leans over its first standing foot, in sqrt(L / g)."""
EXTENDING = 0.1
"""A leg that lands short takes up its length this fast, in sqrt(g L), and later than `soft` says: else it throws the body up."""
USUAL_HEIGHT = 1.1
"""Height of a human's centre of mass over the leg: what stands higher is held as much more stiffly."""
USUAL_SPEED, MOST_PUSH = 0.3, 0.6
"""A usual walk, over sqrt(g L), and the most that a leg pushes off with, over the weight."""
MOST_TORQUE = 1.25
"""Largest torque of a joint, over m g L."""


class CreatureLaw:
    """N walkers of one body, the left leg first. Each has parameters of its own, (N, K) in `parameters.ORDER`, or named values.
    `speed_m_s` (N,) is the speed wished for, `heading` (N,) [rad] the way to go: write into both while it goes. `states` tells
    which legs stand, `pace` the speed that is aimed at, `seen` what is felt in the frame of the heading, `phase` (N, 2) how much
    of the stance is gone, or 1 and how much of the swing, `extending` how fast legs take up their length. Times and gains are
    those of another gravity where it is `scaled_for_m_s2`; the weight is always known."""

    def __init__(self, body: Body, parameters: Mapping[str, float] | np.ndarray, n: int = 1,
                 gravity_m_s2: float = EARTH_GRAVITY_M_S2, *, scaled_for_m_s2: float | None = None) -> None:
        vector = parameters if isinstance(parameters, np.ndarray) else vector_of(parameters)
        values = np.broadcast_to(vector, (n, len(ORDER)))
        gains = self.gains = {name: values[:, i].copy() for i, name in enumerate(ORDER)}
        self.body, self.n, self.gravity_m_s2 = body, n, gravity_m_s2
        layout = self.layout = Layout(body)
        self.fold = Fold(body, layout)
        leg = self.leg_m = body.leg_length_m
        scaled = gravity_m_s2 if scaled_for_m_s2 is None else scaled_for_m_s2
        self.time_unit_s = time_unit_s(leg, scaled)
        self.weight_n = body.mass_kg * gravity_m_s2
        self.speed_m_s, self.heading = np.zeros(n), np.zeros(n)
        self.extending = EXTENDING
        self._unit = body.mass_kg * scaled * leg
        self._leg_inertia = _leg_inertia(body, layout)
        self._leg_weight = layout.subtree_kg[layout.legs[:, 0]] * gravity_m_s2
        self.states = LegStates(n)
        self.pace = Pace(gains["speed_gain"], leg, self.time_unit_s)
        self.swing = Swing(self.fold, gains, leg, self.time_unit_s, -body.sole_height_m,
                           time_unit_s(_height_m(body, layout), scaled))
        self.upper = Upper(body, layout, gravity_m_s2, self.time_unit_s, gains["neck_gain"])
        damping = gains["damping"] * self.time_unit_s * self._unit
        self._hip_damping = (damping * gains["hip_gain"])[:, None, None] * np.array((1.0, 1.0, ALONG_DAMPING))
        tall = _height_m(body, layout) / (USUAL_HEIGHT * leg)
        self.damping = self.upper.damping.copy()
        self.damping[:, layout.hinge] = (damping * gains["leg_gain"])[:, None, None]
        self._foot_damping = np.repeat((damping * gains["foot_gain"])[:, None, None], 3, axis=-1)[..., :layout.foot.shape[1]]
        self._foot_damping[..., -1] = ALONG_DAMPING * (damping * gains["hip_gain"])[:, None]
        self._fix(gains, tall, damping)
        points = [np.array([body.contact_points[i].position[0] for i in foot.points]) for foot in body.feet]
        self._heel_m, self._toe_m = PRESSURE_SHARE * points[0].min(), PRESSURE_SHARE * points[0].max()
        self._landing_m = np.zeros((n, 2))
        self._last_s: float | None = None

    def _fix(self, gains: Mapping[str, np.ndarray], tall: float, damping: np.ndarray) -> None:
        """What no step changes, with axes as steps want them: `tall` over usual bodies, `damping` (N,) [N m s/rad]."""
        unit, time_s, thighs = self._unit, self.time_unit_s, self.layout.legs[:, 0]
        self._swing_s, self._double_s = gains["swing_time"] * time_s, gains["double"] * time_s
        self._torque_range = np.array(-MOST_TORQUE * unit), np.array(MOST_TORQUE * unit)
        self._hip_stiffness, self._leg_stiffness, self._foot_stiffness = (
            (gains[f"{joint}_gain"] * unit)[:, None, None] for joint in ("hip", "leg", "foot"))
        self._hip_twist = ALONG_STIFFNESS * self._hip_stiffness
        self._foot_twist = (ALONG_STIFFNESS * gains["hip_gain"] * unit)[:, None]
        self._trunk_stiffness = (tall * unit * gains["trunk_gain"])[:, None]
        self._trunk_damping = (tall * damping * gains["trunk_gain"])[:, None]
        self._upright = about_y(gains["trunk_pitch"])
        self._rest_kg = self.body.mass_kg - self.layout.subtree_kg[thighs]
        self._rest_weight = self._rest_kg * self.gravity_m_s2
        self._thigh_kg = self.layout.subtree_kg[thighs, None]
        self._whole_m = gains["stance_length"][:, None] * self.fold.drawn_m
        self._soft, self._roll, self._toe_off = (gains[name][:, None] for name in ("soft", "roll", "toe_off"))
        self._pressure_m = gains["pressure"][:, None] * self.leg_m
        self._pressure_s = (gains["pressure_speed"] * time_s)[:, None]
        self._toes_up = -gains["foot_landing"][:, None]
        self._push_end = np.tanh(0.5 * gains["swing_time"])

    def reset(self, felt: Felt, time_s: float = 0.0, leans: bool = True) -> None:
        """Begin in a state: it stands, and lifts the leg that the body moves away from, the left one where it is still; who
        `leans` not before the body is under way to the other side."""
        self.pace.begin(felt.com)
        self.felt = felt
        seen = self.seen = see(felt, self.layout, self.heading, self.weight_n)
        self._landing_m[:] = seen.reach
        self.states.begin((seen.velocity[:, 1] > 0.0).astype(int), leans)
        self.swing.begin(self.states.lifted, seen.joints[:, :, -1])
        self._last_s = time_s

    def step(self, felt: Felt, time_s: float) -> tuple[np.ndarray, np.ndarray]:
        """Torques and damping (N, nv - 6) [N m], [N m s/rad] of the time until the next step."""
        dt = time_s - (time_s if self._last_s is None else self._last_s)
        self._last_s = time_s
        self.felt = felt
        seen = self.seen = see(felt, self.layout, self.heading, self.weight_n)
        states, swing_s = self.states, self._swing_s
        if states.leaning:
            leant = states.leans.copy()
            states.go(self.swing.under_way(seen, states.over), swing_s)
            leant &= ~states.leans
            self._landing_m[leant] = seen.reach[leant]
        states.step(dt, seen.share, swing_s, self._double_s)
        self.pace.step(dt, felt.com, self.heading, self.speed_m_s, states.landed)
        if states.changed:
            self._landing_m[states.landed] = seen.reach[states.landed]
            self.swing.landed(states.landed, states.lasted_s / swing_s[:, None])
            self.swing.begin(states.lifted, seen.joints[:, :, -1])
        torque = np.zeros((self.n, self.layout.torques))
        self.upper.torque(felt, torque)
        loaded = share(seen.share / LOADED_SHARE) * states.stands
        self._hips(torque, loaded)
        freed = loaded[..., None] * FREED
        self.damping[:, self.layout.foot] = self._foot_damping * (1.0 - freed)
        carries = loaded * states.over
        self._hinges(torque, carries)
        self._feet(torque)
        return torque.clip(*self._torque_range), self.damping

    @property
    def phase(self) -> np.ndarray:
        """How far each leg (N, 2) is: 0 to 1 standing, 1 to 2 swinging."""
        gone = self.states.since_s / self._swing_s[:, None]
        return share(gone) + ~self.states.stands

    def _hips(self, torque: np.ndarray, loaded: np.ndarray) -> None:
        """Swinging thighs follow their targets; standing ones hold the trunk, against what the others do to it too."""
        felt, seen, layout = self.felt, self.seen, self.layout
        thighs = layout.legs[:, 0]
        thigh, trunk_turn = seen.frames[:, :, 0], felt.turn[:, layout.trunk]
        swings = ~self.states.stands
        wanted, self._swing_hinge, rate, self._swing_rate, gathers = self.swing.target(
            seen, self.states, self.pace.command_m_s, felt.com)
        wanted = seen.back[:, None] @ wanted
        rate = rate @ seen.turn  # to the world
        damping = self._hip_damping * np.where(swings, 1.0, 1.0 - (1.0 - STANCE_DAMPING) * loaded)[..., None]
        damping[..., 2] = self._hip_damping[..., 2]  # nothing else keeps a standing leg from turning about itself
        self.damping[:, layout.hip] = damping
        own = self._hip_stiffness * off(wanted, thigh)
        rates = np.empty((2, *rate.shape))
        rates[0] = rate
        np.subtract(felt.spin.take(thighs, 1), felt.spin[:, None, layout.trunk], out=rates[1])
        driven, damped = _along(thigh, damping, rates)
        own += driven
        inertia = self._leg_inertia * (seen.reach / self.leg_m) ** 2
        own += inertia[..., None] * (gathers @ seen.turn)
        hips, below = seen.joints[:, :, 0], felt.below.take(thighs, 1)
        held = _held(below - hips, self._leg_weight)
        reaction = (own - damped) * swings[..., None]
        # the trunk
        trunk = self._trunk_stiffness * off(seen.back @ self._upright, trunk_turn)
        trunk -= self._trunk_damping * felt.spin[:, layout.trunk]
        middle = (self.body.mass_kg * felt.com[:, None] - self._thigh_kg * below) / self._rest_kg[:, None]
        carried = _held(middle - hips, self._rest_weight)
        # what the hip is pressed with goes along the leg, about which it turns nothing
        line = self._line = seen.ways @ seen.turn / seen.reach[..., None]
        carried -= (carried * line).sum(axis=-1, keepdims=True) * line
        carries = loaded * self.states.over
        stance = -carries[..., None] * (trunk[:, None] + carried + reaction.sum(axis=1)[:, None])
        twist = off(trunk_turn[:, None], thigh)
        twist = (twist * thigh[..., 2]).sum(axis=-1, keepdims=True) * thigh[..., 2]
        stance = stance + self._hip_twist * twist
        both = np.where(swings[..., None], own + held, stance)
        self._hip_torque = both
        torque[:, layout.hip] = (thigh.swapaxes(-1, -2) @ both[..., None])[..., 0]

    def _hinges(self, torque: np.ndarray, carries: np.ndarray) -> None:
        """Joints between thigh and foot: the fold of the swing's length, or of the standing leg's, with the weight on it and
        what it pushes off with."""
        felt, seen, layout, states, whole = self.felt, self.seen, self.layout, self.states, self._whole_m
        soft = self._soft + np.maximum(whole - self._landing_m, 0.0) / (self.extending * self.leg_m)
        since = states.since_s
        if states.leaning:
            since = np.where(states.leans[:, None], since.max(axis=1, keepdims=True), since)  # both alike
        taken = cubic(share(since / (soft * self.time_unit_s)))
        stance = self.fold.at(self._landing_m + (whole - self._landing_m) * taken)[2]
        wanted = np.where(states.stands[..., None], stance, self._swing_hinge)
        pull = self._leg_stiffness * (wanted - felt.qpos[:, layout.hinge_at])
        pull += np.where(states.stands[..., None], 0.0, self.damping[:, layout.hinge] * self._swing_rate)
        axis = (seen.frames[:, :, 1:-1] @ layout.hinge_axis[..., None])[..., 0]
        ahead = -seen.feet[..., 0]
        pressure = (self._pressure_m + self._roll * ahead + self._pressure_s
                    * (seen.velocity[:, :1] - self.pace.command_m_s[:, None]))
        if states.leaning:  # nobody falls ahead before a foot is lifted
            still = ahead + LEAN_SPEED * self.time_unit_s * seen.velocity[:, :1]
            pressure = np.where(states.leans[:, None], still, pressure)
        self._pressure = pressure.clip(self._heel_m, self._toe_m)
        centre = seen.joints[:, :, -1] + self._pressure[..., None] * seen.turn[:, None, 0]
        arm = centre[:, :, None] - seen.joints[:, :, 1:-1]
        way = centre - seen.joints[:, :, 0]
        force = (self.weight_n * self._push(ahead) * carries / length(way))[..., None] * way
        force[..., 2] -= self.weight_n * carries
        self._down = -force[..., 2]
        torque[:, layout.hinge] = pull + (axis * cross(arm, force[:, :, None])).sum(axis=-1)

    def _push(self, ahead: np.ndarray) -> np.ndarray:
        """What legs push off with (N, 2), over the weight, the body being so far ahead of their feet [m]."""
        gains, unit = self.gains, self.leg_m / self.time_unit_s
        wished = self.pace.wished_m_s / unit
        most = gains["push"] * wished / USUAL_SPEED + self.pace.lack_m_s / unit
        end = np.maximum(wished * self._push_end, 0.05) * self.leg_m
        return most.clip(0.0, MOST_PUSH)[:, None] * share(2.0 * ahead / end[:, None] - 1.0)

    def _feet(self, torque: np.ndarray) -> None:
        """Feet lie level, toes up in the swing; standing, the pressure is where it mends the speed, and the heel rises when
        the body has gone ahead of the toes."""
        felt, seen, layout, states = self.felt, self.seen, self.layout, self.states
        beyond = np.maximum(-seen.feet[..., 0] - self._toe_m, 0.0) / self.leg_m
        pitch = np.where(states.stands, self._toe_off * beyond, self._toes_up)
        turn, shank = seen.frames[:, :, -1], seen.frames[:, :, -2]
        wanted = about_z(plane_angle(-shank[..., 0, 1], shank[..., 1, 1])) @ about_y(pitch)
        error = off(wanted, turn)
        pull = self._foot_stiffness * error
        # about the leg foot and shank are one: what twists the leg at the hip goes to the ground
        line = self._line
        twist = self._foot_twist * (error * line).sum(axis=-1)
        twist += np.where(states.stands, (self._hip_torque * line).sum(axis=-1), 0.0)
        pull += twist[..., None] * line
        # the engine damps the foot against the shank; swinging, it is to be still in the world
        pull -= _along(turn, self.damping[:, layout.foot], felt.spin.take(layout.legs[:, -2], 1)) * ~states.stands[..., None]
        pull += (self._down * self._pressure)[..., None] * seen.back[:, None, :, 1]
        torque[:, layout.foot] = (turn.swapaxes(-1, -2) @ pull[..., None])[..., 0]


def _height_m(body: Body, layout: Layout) -> float:
    """Height [m] of the centre of mass over the soles as drawn."""
    com, joint = neutral(body)
    return float(com[0, 2] - joint[layout.legs[0, -1], 2] - body.sole_height_m)


def _leg_inertia(body: Body, layout: Layout) -> float:
    """Moment of inertia [kg m^2] of a leg in a line about the hip, each segment a rod."""
    below, inertia = 0.0, 0.0
    for row in layout.legs[0]:
        segment = body.segments[row]
        below += float(np.linalg.norm(segment.offset)) if row != layout.legs[0, 0] else 0.0
        half = float(np.linalg.norm(segment.com))
        inertia += segment.mass_kg * ((below + half) ** 2 + half**2 / 3.0)
    return inertia


def _held(arm: np.ndarray, weight_n: np.ndarray) -> np.ndarray:
    """Moments (..., 3) that hold weights [N] at these arms (..., 3) [m]."""
    out = np.zeros(arm.shape)
    out[..., 0], out[..., 1] = arm[..., 1] * weight_n, -arm[..., 0] * weight_n
    return out


def _along(turn: np.ndarray, damping: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Moments (..., 3), world axes, of damping (..., 3) along the axes of `turn` (..., 3, 3) at rates (..., 3), world axes."""
    local = (turn.swapaxes(-1, -2) @ rate[..., None])[..., 0]
    return (turn @ (damping * local)[..., None])[..., 0]
