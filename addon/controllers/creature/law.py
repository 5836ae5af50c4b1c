# SPDX-License-Identifier: GPL-3.0-or-later
"""The law of a walk on two virtual legs: from what N walkers of one body feel to their joints' torques.

Lengths are over L, the length of a leg's segments in a line, times over T = sqrt(L / g), torques over m g L, so that one set of
numbers serves every size under every gravity. Vectors are in the frame of the heading: x ahead, y left, z up.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...bodies.body import Body
from ...specs.shot import EARTH_GRAVITY_M_S2
from .felt import Felt, off
from .fold import Fold
from .layout import Layout
from .pace import Pace
from .parameters import ORDER, vector_of
from .seen import see
from .states import LegStates
from .swing import Swing
from .timing import straight_leg_m, time_unit_s
from .upper import Upper

LOADED_SHARE = 0.25
"""A leg that carries this share of the weight gives the trunk all that it can."""
STANCE_DAMPING, ALONG_DAMPING = 0.03, 0.3
"""Damping of a standing hip over that of a swinging one, and of turning about the thigh over that of swinging it."""
PRESSURE_SHARE = 0.8
"""The pressure stays within this share of the sole."""
MOST_TORQUE = 1.25
"""Largest torque of a joint, over m g L."""


class CreatureLaw:
    """N walkers of one body, the left leg first. Each has parameters of its own, (N, K) in `parameters.ORDER`, or named values.

    `speed_m_s` (N,) is the speed wished for, `heading` (N,) [rad] the way to go: write into both while it goes. `states` tells
    which legs stand, `pace` the speed that is aimed at, `seen` what is felt in the frame of the heading, `phase` (N, 2) how much
    of the stance is gone, or 1 and how much of the swing. Times and gains are those of another gravity where it is
    `scaled_for_m_s2`; the weight is always known.
    """

    def __init__(self, body: Body, parameters: Mapping[str, float] | np.ndarray, n: int = 1,
                 gravity_m_s2: float = EARTH_GRAVITY_M_S2, *, scaled_for_m_s2: float | None = None) -> None:
        vector = parameters if isinstance(parameters, np.ndarray) else vector_of(parameters)
        values = np.broadcast_to(vector, (n, len(ORDER)))
        gains = self.gains = {name: values[:, i].copy() for i, name in enumerate(ORDER)}
        self.body, self.n, self.gravity_m_s2 = body, n, gravity_m_s2
        layout = self.layout = Layout(body)
        self.fold = Fold(body, layout)
        leg = self.leg_m = straight_leg_m(body)
        scaled = gravity_m_s2 if scaled_for_m_s2 is None else scaled_for_m_s2
        self.time_unit_s = time_unit_s(leg, scaled)
        self.weight_n = body.mass_kg * gravity_m_s2
        self.speed_m_s, self.heading = np.zeros(n), np.zeros(n)
        self._unit = body.mass_kg * scaled * leg
        self._leg_weight = layout.subtree_kg[layout.legs[:, 0]] * gravity_m_s2
        self.states = LegStates(n)
        self.pace = Pace(gains["speed_gain"], leg, self.time_unit_s)
        self.swing = Swing(self.fold, gains, leg, self.time_unit_s)
        self.upper = Upper(body, layout, gravity_m_s2, self.time_unit_s, gains["neck_gain"])
        damping = gains["damping"] * self.time_unit_s * self._unit
        self._hip_damping = (damping * gains["hip_gain"])[:, None, None] * np.array((1.0, 1.0, ALONG_DAMPING))
        self._trunk_damping = damping * gains["trunk_gain"]
        self.damping = self.upper.damping.copy()
        self.damping[:, layout.hinge] = (damping * gains["leg_gain"])[:, None, None]
        self.damping[:, layout.foot] = (damping * gains["foot_gain"])[:, None, None]
        points = [np.array([body.contact_points[i].position[0] for i in foot.points]) for foot in body.feet]
        self._heel_m, self._toe_m = PRESSURE_SHARE * points[0].min(), PRESSURE_SHARE * points[0].max()
        self._landing_m = np.zeros((n, 2))
        self._last_s: float | None = None

    def reset(self, felt: Felt, time_s: float = 0.0) -> None:
        """Begin in a state: it stands, and lifts the leg that is behind, the left one of two abreast."""
        self.states.begin(0)
        self.pace.begin(felt.com, self.heading)
        self.felt = felt
        seen = self.seen = see(felt, self.layout, self.heading, self.weight_n)
        self._landing_m[:] = np.linalg.norm(seen.ways, axis=-1)
        self.swing.begin(self.states.lifted, seen.feet)
        self._last_s = time_s

    def step(self, felt: Felt, time_s: float) -> tuple[np.ndarray, np.ndarray]:
        """Torques and damping (N, nv - 6) [N m], [N m s/rad] of the time until the next step."""
        dt = time_s - (time_s if self._last_s is None else self._last_s)
        self._last_s = time_s
        self.felt = felt
        seen = self.seen = see(felt, self.layout, self.heading, self.weight_n)
        states, gains = self.states, self.gains
        swing_s = gains["swing_time"] * self.time_unit_s
        states.step(dt, seen.share, swing_s)
        self._landing_m = np.where(states.landed, np.linalg.norm(seen.ways, axis=-1), self._landing_m)
        self.pace.step(dt, felt.com, self.heading, self.speed_m_s, states.landed.any(axis=1))
        self.swing.begin(states.lifted, seen.feet)
        torque = np.zeros((self.n, self.layout.torques))
        self.upper.torque(felt, torque)
        loaded = np.clip(seen.share / LOADED_SHARE, 0.0, 1.0) * states.stands
        self._hips(torque, loaded, dt)
        self._hinges(torque, loaded, dt)
        self._feet(torque, loaded)
        np.clip(torque, -MOST_TORQUE * self._unit, MOST_TORQUE * self._unit, out=torque)
        return torque, self.damping

    @property
    def phase(self) -> np.ndarray:
        """How far each leg (N, 2) is: 0 to 1 standing, 1 to 2 swinging."""
        gone = self.states.since_s / (self.gains["swing_time"] * self.time_unit_s)[:, None]
        return np.clip(gone, 0.0, 1.0) + ~self.states.stands

    def _hips(self, torque: np.ndarray, loaded: np.ndarray, dt: float) -> None:
        """Swinging thighs follow their targets; standing ones hold the trunk, against what the others do to it too."""
        felt, seen, gains, layout = self.felt, self.seen, self.gains, self.layout
        thighs = layout.legs[:, 0]
        thigh = felt.turn[:, thighs]
        swings = ~self.states.stands
        wanted, self._swing_hinge, rate, self._swing_rate = self.swing.target(seen, self.states, self.pace.command_m_s, dt)
        wanted = seen.back[:, None] @ wanted
        rate = rate @ seen.turn  # to the world
        damping = self._hip_damping * np.where(swings, 1.0, 1.0 - (1.0 - STANCE_DAMPING) * loaded)[..., None]
        damping[..., 2] = self._hip_damping[..., 2]  # nothing else keeps a standing leg from turning about itself
        self.damping[:, layout.hip] = damping
        own = (gains["hip_gain"] * self._unit)[:, None, None] * off(wanted, thigh)
        relative = felt.thigh_rate - felt.trunk_rate[:, None]
        own += _along(thigh, damping, rate)
        arm = felt.below[:, thighs] - felt.place[:, thighs]
        held = _held(arm, self._leg_weight)
        reaction = (own - _along(thigh, damping, relative)) * swings[..., None]
        # the trunk
        pitch = gains["trunk_pitch"]
        upright = seen.back @ _about_y(pitch)
        trunk = (gains["trunk_gain"] * self._unit)[:, None] * off(upright, felt.turn[:, layout.trunk])
        trunk -= self._trunk_damping[:, None] * felt.trunk_rate
        rest = self.body.mass_kg - layout.subtree_kg[thighs]
        middle = (self.body.mass_kg * felt.com[:, None] - layout.subtree_kg[thighs, None] * felt.below[:, thighs]) / rest[:, None]
        carried = _held(middle - felt.place[:, thighs], rest * self.gravity_m_s2)
        share = loaded / np.maximum(loaded.sum(axis=1, keepdims=True), 1.0)
        stance = -share[..., None] * (trunk[:, None] + carried + reaction.sum(axis=1)[:, None])
        twist = off(felt.turn[:, layout.trunk][:, None], thigh)
        twist = (twist * thigh[..., 2]).sum(axis=-1, keepdims=True) * thigh[..., 2]
        stance = stance + ALONG_DAMPING * (gains["hip_gain"] * self._unit)[:, None, None] * twist
        both = np.where(swings[..., None], own + held, stance)
        torque[:, layout.hip] += (thigh.swapaxes(-1, -2) @ both[..., None])[..., 0]

    def _hinges(self, torque: np.ndarray, loaded: np.ndarray, dt: float) -> None:
        """Joints between thigh and foot: the fold of the swing's length, or of the standing leg's, with the weight on it."""
        felt, seen, gains, layout, states = self.felt, self.seen, self.gains, self.layout, self.states
        taken = np.clip(states.since_s / (gains["soft"] * self.time_unit_s)[:, None], 0.0, 1.0)
        taken = taken * taken * (3.0 - 2.0 * taken)
        ahead = -seen.feet[..., 0]
        whole = gains["stance_length"][:, None] * self.leg_m + gains["push"][:, None] * ahead
        stance = self.fold.at(self._landing_m + (whole - self._landing_m) * taken)[2]
        wanted = np.where(states.stands[..., None], stance, self._swing_hinge)
        stiff = (gains["leg_gain"] * self._unit)[:, None, None]
        pull = stiff * (wanted - felt.qpos[:, layout.hinge_at])
        pull += np.where(states.stands[..., None], 0.0, self.damping[:, layout.hinge] * self._swing_rate)
        rows = layout.legs[:, 1:-1]
        axis = (felt.turn[:, rows] @ layout.hinge_axis[..., None])[..., 0]
        self._pressure = np.clip(gains["pressure"][:, None] * self.leg_m + (gains["pressure_speed"] * self.time_unit_s)[:, None]
                                 * (seen.velocity[:, :1] - self.pace.command_m_s[:, None]), self._heel_m, self._toe_m)
        centre = felt.place[:, layout.legs[:, -1]] + self._pressure[..., None] * seen.turn[:, None, 0]
        arm = centre[:, :, None] - felt.place[:, rows]
        weight = self.weight_n * loaded
        push = -(axis[..., 1] * -arm[..., 0] + axis[..., 0] * arm[..., 1]) * weight[..., None]
        torque[:, layout.hinge] += pull + push

    def _feet(self, torque: np.ndarray, loaded: np.ndarray) -> None:
        """Feet lie level, toes up in the swing; standing, the pressure is where it mends the speed."""
        felt, seen, gains, layout, states = self.felt, self.seen, self.gains, self.layout, self.states
        rows = layout.legs[:, -1]
        ahead = np.maximum(-seen.feet[..., 0], 0.0) / self.leg_m
        pitch = np.where(states.stands, gains["toe_off"][:, None] * ahead, -gains["foot_landing"][:, None])
        wanted = seen.back[:, None] @ _about_y(pitch)
        turn = felt.turn[:, rows]
        pull = (gains["foot_gain"] * self._unit)[:, None, None] * off(wanted, turn)
        pull += (self.weight_n * loaded * self._pressure)[..., None] * seen.turn[:, None, 1]
        torque[:, layout.foot] += (turn.swapaxes(-1, -2) @ pull[..., None])[..., 0]


def _held(arm: np.ndarray, weight_n: np.ndarray) -> np.ndarray:
    """Moments (..., 3) that hold weights [N] at these arms (..., 3) [m]."""
    out = np.zeros(arm.shape)
    out[..., 0], out[..., 1] = arm[..., 1] * weight_n, -arm[..., 0] * weight_n
    return out


def _along(turn: np.ndarray, damping: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Moments (..., 3), world axes, of damping (..., 3) along the axes of `turn` (..., 3, 3) at rates (..., 3), world axes."""
    local = (turn.swapaxes(-1, -2) @ rate[..., None])[..., 0]
    return (turn @ (damping * local)[..., None])[..., 0]


def _about_y(angle: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) about y."""
    out = np.zeros((*angle.shape, 3, 3))
    c, s = np.cos(angle), np.sin(angle)
    out[..., 0, 0] = out[..., 2, 2] = c
    out[..., 0, 2], out[..., 2, 0], out[..., 1, 1] = s, -s, 1.0
    return out


