# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick way to take hits: the root is moved along the motion, whatever happens, and the joints yield and come back (Yin
2007, chapter 5). The springs aim at where the motion is after the step, with the velocity that the body then has, so that they
are stable at any stiffness (the thesis's linearly implicit form). Velocities and accelerations are differences over the engine's
step, and torques the inverse dynamics of these, so an engine that is given them goes along the motion exactly. In the thesis
stiffness goes with the torque that the motion needs. That is least where a segment stands upright over its joint, and there
gravity pulls it down: a share of the weight's moment is added (docs/notes/hits-on-rails.md)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import COORDINATES, FREEDOM, Body
from ...bodies.capsules import Bars, bar_pairs, depths_along
from ...bodies.model import PHYSICS_STEP_S, build_model
from ...bodies.of_shot import shot_body
from ...bodies.state import BodyState
from ...engines.engine import Accelerations, Rails, Torques
from ...errors import ClipError, InputError
from ...specs.disturbances import HIT, RAILS, Hit, Reaction, check_in_motion
from ...specs.motions import Clip
from ...specs.settings import Checked, setting
from ...specs.shot import DURATION_RANGE_S, EARTH_GRAVITY_M_S2, Shot, World
from ..clip.bound import coordinates
from ..clip.clip import FollowedClip, followed_clip
from ..clip.follow import Follow
from ..controller import Controller, Part, Physics, Plan, Reading, Sensed, Setup, State
from ..tracking.yielding import OFF, chains_of, off_deg

SHORTEST_S = 0.2
"""A motion is to last so long: a joint that is hit has not yet yielded by then."""
SPARE_RAD, SPARE_M = 0.02, 0.005
"""A joint's limits lie so far beyond the motion's own ends, and shapes may come so much deeper into each other."""
LOOK_S = 1.0 / 30.0
"""How often it is looked at how deep they are."""
GROUND = "ground"
"""What the names of the ground's shapes in the model begin with."""


@dataclass(frozen=True)
class Played:
    """A clip, how many times longer than in it everything lasts, and its coordinates (N, nq)."""

    clip: FollowedClip
    slow: float
    coordinates: np.ndarray

    @property
    def times_s(self) -> np.ndarray:
        """(N,) from 0, in the shot's time."""
        return self.slow * (self.clip.times_s - self.clip.start_s)

    @property
    def duration_s(self) -> float:
        return self.slow * self.clip.duration_s

    def rails(self, world: World) -> Rails:
        """What it rides on: joints go as far, and segments as deep into each other and into the ground, as it has them."""
        reach, at = {}, self.clip.body.root_coordinates
        for segment in self.clip.body.segments[1:]:
            if segment.joint == "hinge":
                angle = self.coordinates[:, at]
                reach[segment.name] = float(angle.min()) - SPARE_RAD, float(angle.max()) + SPARE_RAD
                at += 1
            else:
                widest = 2.0 * float(np.arccos(np.clip(np.abs(self.coordinates[:, at]), 0.0, 1.0)).max())
                reach[segment.name] = 0.0, min(widest + SPARE_RAD, np.pi)
                at += 4
        return Rails(reach, self._bars(world))

    def _bars(self, world: World) -> Bars:
        body = self.clip.body
        plain = build_model(body, world)
        grounds = [name for i in range(plain.ngeom) if (name := plain.geom(i).name).startswith(GROUND)]
        pairs = bar_pairs(body, grounds)
        model = build_model(body, world, bars=dict.fromkeys(pairs, 0.0))
        poses = self.coordinates[::max(1, round(LOOK_S / self.clip.step_s))]
        return {pair: depth + SPARE_M for pair, depth in depths_along(model, pairs, poses).items()}

    def check_hits(self, hits: Sequence[Hit]) -> None:
        """Raises InputError for a hit after the motion's end, and BodyError for one on a segment that there is not."""
        for hit in hits:
            self.clip.body.pushed(hit.segment)
        check_in_motion(hits, self.duration_s)


def played_clip(shot: Shot, body: Body) -> Played:
    """The motion of a shot on its body. Raises InputError for what cannot be played so, ClipError for a clip that is no use."""
    follow = shot.motion
    if not isinstance(follow, Clip):
        raise InputError("This shot names no motion to play.")
    if follow.repeat:
        raise InputError("On rails a motion is played once: leave repeating and the library of moves out.")
    if shot.world.gravity_ramp:
        raise InputError("A motion is played under one gravity: take the change of gravity out.")
    clip = followed_clip(follow, body, on_feet=False)
    if clip.duration_s < SHORTEST_S:
        raise ClipError(f"{follow.file} is too short to be hit: it lasts {clip.duration_s:.2f} s, and {SHORTEST_S:g} s are "
                        "needed. Use a longer clip.")
    slow = follow.time_scale(shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2, clip.leg_ratio)
    return Played(clip, slow, coordinates(clip))


def cut_to_motion(shot: Shot, played: Played) -> Shot:
    """A shot that ends where its motion does, or before. Raises LopeError for hits that miss it."""
    played.check_hits(shot.hits)
    low, high = DURATION_RANGE_S
    whole_s = max(round(played.duration_s, 3), low)
    return replace(shot.with_motion(until_end=False), duration_s=min(whole_s, high if shot.until_end else shot.duration_s))


@dataclass(frozen=True)
class RailsSettings(Checked):
    """A joint's stiffness is M (w^2 + s |tau|) + t k + h m g_E l + u m g l up: M the inertia of what it moves, tau the torque
    that the motion needs there, k the relaxed joint's own stiffness, m g l the most that gravity can turn it by, g_E the Earth's,
    and `up` the share of l that stands over it. Its damping is a share of the critical one. All of it follows from the motion
    alone: what hits the body changes nothing."""

    WHOSE, SOURCE = "The rails'", "measured over clips and hits (docs/notes/hits-on-rails.md)"
    stiffness_rad_s: float = setting(4.0, 0.0, 100.0, "rad/s", "w: natural frequency of a joint without torque or gravity")
    per_torque: float = setting(1.0, 0.0, 100.0, "1/(N m s^2)", "s: what each newton metre that the motion needs adds to w"
                                " squared", source="the law of Yin 2007, chapter 5; its size measured")
    tissue: float = setting(4.0, 0.0, 20.0, help="t: stiffness over that of the relaxed joint, as it was measured on people")
    held: float = setting(0.75, 0.0, 10.0, help="h: stiffness over the most that the Earth's gravity can turn a joint "
                          "by: muscles are as strong on the Moon")
    held_up: float = setting(2.0, 0.0, 10.0, help="u: what is added where all of that stands over its joint; trunk and arms "
                             "that stand straight up need 2.4 in all to stay up by themselves")
    damping: float = 0.8  # Damping of a joint over the critical one
    stiff_rad_s: float = 20.0  # Natural frequency at a looseness of 0; at 1 it is w [rad/s]


TORQUE_SMOOTHING_S = 0.05
"""Standard deviation of the Gaussian over the size of torques: a capture's trembling is no reason to be stiff."""


@dataclass(frozen=True)
class RailsGains:
    """`stiffness` [N m/rad] and `damping` [N m s/rad] (N, nv - r) at N times `step_s` apart."""

    step_s: float
    stiffness: np.ndarray
    damping: np.ndarray

    def at(self, time_s: float) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness and damping (nv - r,) at a time, between the nearest two."""
        place = min(max(time_s / self.step_s, 0.0), len(self.stiffness) - 1.0)
        row = min(int(place), len(self.stiffness) - 2)
        share = place - row
        stiffness, damping = ((1.0 - share) * rows[row] + share * rows[row + 1] for rows in (self.stiffness, self.damping))
        return stiffness, damping


def gains_along(state: BodyState, step_s: float, qpos: np.ndarray, qvel: np.ndarray, qacc: np.ndarray, settings: RailsSettings,
                looseness: float = 1.0) -> RailsGains:
    """The gains of a motion (N, nq), (N, nv), (N, nv), N at least 2, on a body whose `state` may be changed."""
    root, model = state.body.root_freedom, state.model
    inertia, torque, standing = np.zeros((3, len(qpos), model.nv - root))
    bodies = model.dof_bodyid[root:]
    for i, (q, v, a) in enumerate(zip(qpos, qvel, qacc, strict=True)):
        state.update(q, v)
        inertia[i] = state.mass_matrix.diagonal()[root:]
        torque[i] = (state.mass_matrix @ a + state.bias_force)[root:]
        standing[i] = _weights_arms(state, bodies)[:, 2]
    state.update(model.qpos0, np.zeros(model.nv))
    at_home = EARTH_GRAVITY_M_S2 / np.linalg.norm(state.gravity)
    most = at_home * np.linalg.norm(_weights_arms(state, bodies), axis=1)
    tissue = np.concatenate([np.full(FREEDOM[segment.joint], state.body.passive_joint(segment.name).stiffness_nm)
                             for segment in state.body.segments[1:]])
    needed = gaussian_filter1d(np.abs(torque), TORQUE_SMOOTHING_S / step_s, axis=0, mode="nearest")
    frequency = settings.stiff_rad_s**(1.0 - looseness) * settings.stiffness_rad_s**looseness
    stiffness = (inertia * (frequency**2 + settings.per_torque * needed)
                 + settings.tissue * tissue + settings.held * most + settings.held_up * np.maximum(standing, 0.0))
    hanging = np.maximum(-standing, 0.0)  # gravity's own stiffness, which is damped too
    return RailsGains(step_s, stiffness, 2.0 * settings.damping * np.sqrt((stiffness + hanging) * inertia))


def _weights_arms(state: BodyState, bodies: np.ndarray) -> np.ndarray:
    """Weight of what hangs on joints, by their bodies' numbers (K,), times its centre's way from the joint (K, 3) [N m]."""
    data = state.data
    weight = np.linalg.norm(state.gravity) * state.model.body_subtreemass[bodies]
    return weight[:, None] * (data.subtree_com[bodies] - data.xpos[bodies])


PIECE = 128
"""Steps that are worked out at a time: a long motion would not fit as a whole."""
GAINS_STEP_S = 1.0 / 60.0
"""Time between gains: they follow the motion's torques, smoothed."""


class Step(NamedTuple):
    """The motion at one step: `qpos` (nq,), `qvel` (nv,) with which it came there, and `torque` (nv - r,) [N m] by which it goes
    on to the next."""

    qpos: np.ndarray
    qvel: np.ndarray
    torque: np.ndarray


class RailsMotion:
    """A motion (N, nq) at times (N,) [s] from 0 on, N at least 4; quaternions without changes of sign. `state` is the body's,
    and nobody else's."""

    def __init__(self, state: BodyState, times_s: np.ndarray, coordinates: np.ndarray, step_s: float) -> None:
        self._state, self.step_s, self.end_s = state, step_s, float(times_s[-1])
        self._way = CubicSpline(times_s, coordinates, axis=0)
        self._quaternions = _quaternion_columns(state)
        self._pieces: OrderedDict[int, list[Step]] = OrderedDict()

    def at(self, step: int) -> Step:
        piece = step // PIECE
        if piece not in self._pieces:
            self._pieces[piece] = found = []
            state, root = self._state, self._state.body.root_freedom
            for q, v, a in zip(*self._differences(piece * PIECE, PIECE, self.step_s), strict=True):
                state.update(q, v)
                found.append(Step(q, v, (state.mass_matrix @ a + state.bias_force)[root:]))
            if len(self._pieces) > 2:
                self._pieces.popitem(last=False)
        return self._pieces[piece][step % PIECE]

    def gains(self, settings: RailsSettings, looseness: float = 1.0) -> RailsGains:
        count = max(int(np.ceil(self.end_s / GAINS_STEP_S)) + 1, 2)
        qpos, qvel, qacc = self._differences(0, count, GAINS_STEP_S)
        return gains_along(self._state, GAINS_STEP_S, qpos, qvel, qacc, settings, looseness)

    def _differences(self, first: int, count: int, step_s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates (count, nq), the velocities (count, nv) that led there in one step and the accelerations (count, nv) to
        those of the next step, from step `first` on; the first step of all begins with the velocity it goes on with."""
        qpos = self._way(step_s * np.arange(first - 1, first + count + 1))
        for columns in self._quaternions:
            qpos[:, columns] /= np.linalg.norm(qpos[:, columns], axis=1, keepdims=True)
        model = self._state.model
        qvel = np.zeros((count + 1, model.nv))
        for row, before, after in zip(qvel, qpos[:-1], qpos[1:], strict=True):
            mujoco.mj_differentiatePos(model, row, step_s, before, after)
        if first == 0:
            qvel[0] = qvel[1]
        return qpos[1:-1], qvel[:-1], np.diff(qvel, axis=0) / step_s


def _quaternion_columns(state: BodyState) -> list[slice]:
    found, at = [], 0
    for segment in state.body.segments:
        size = COORDINATES[segment.joint]
        if segment.joint in ("free", "ball"):
            found.append(slice(at + size - 4, at + size))
        at += size
    return found


SMALL_RAD = 0.02
"""Joints that are so near to the motion turn about its axes."""


class RailsLaw:
    """Commands for a body along a motion; each is for one step of it."""

    def __init__(self, state: BodyState, motion: RailsMotion, gains: RailsGains) -> None:
        self._model, self._motion, self._gains = state.model, motion, gains
        self._root = state.body.root_freedom
        columns, at = [], 0
        for segment in state.body.segments[1:]:
            if segment.joint == "ball":
                columns.append(np.arange(at, at + 3))
            at += 3 if segment.joint == "ball" else 1
        self._balls = np.array(columns, dtype=int).reshape(-1, 3)
        self._off = np.zeros(state.model.nv)

    def command(self, step: int, qpos: np.ndarray, qvel: np.ndarray) -> Torques:
        """What takes the body from a state at a step to the motion's next one, or towards it."""
        step_s, root = self._motion.step_s, self._root
        ahead = self._motion.at(step + 1)
        mujoco.mj_differentiatePos(self._model, self._off, 1.0, qpos, ahead.qpos)
        off = self._off[root:]
        stiffness, damping = self._gains.at(step * step_s)
        rate = self._turned(ahead.qvel[root:], off)
        return Torques(self._motion.at(step).torque + stiffness * off + damping * rate, damping + step_s * stiffness,
                       (self._off[:root] / step_s - qvel[:root]) / step_s)

    def off_rad(self, step: int, qpos: np.ndarray) -> np.ndarray:
        """How far each coordinate of the joints (nv - r,) is from the motion's at a step [rad]."""
        found = np.zeros(self._model.nv)
        mujoco.mj_differentiatePos(self._model, found, 1.0, self._motion.at(step).qpos, qpos)
        return found[self._root:]

    def _turned(self, rate: np.ndarray, off: np.ndarray) -> np.ndarray:
        """The motion's angular velocities (nv - r,) in the axes of segments that `off` (nv - r,) turns to be as it has them."""
        vector = off[self._balls]
        size = np.sqrt((vector * vector).sum(axis=1, keepdims=True))
        if not (size > SMALL_RAD).any():
            return rate
        rate, spin = rate.copy(), rate[self._balls]
        axis = vector / np.maximum(size, 1e-12)
        cos, along = np.cos(size), (axis * spin).sum(axis=1, keepdims=True)
        rate[self._balls] = cos * spin + np.sin(size) * np.cross(axis, spin) + (1.0 - cos) * along * axis
        return rate


LOOP_ACTS = 5
"""Steps of the physics in one of the loop: a take is sampled every 10 ms, as of every controller."""


def on_rails(shot: Shot) -> bool:
    return (shot.reaction or Reaction()).law == RAILS


def _played(shot: Shot) -> Played:
    return played_clip(shot, shot_body(shot))


class RailsController(Controller):
    """See `controller.Controller`: what takes hits on rails, and chooses who follows the motion on its feet where a shot has no
    rails. Raises LopeError for a shot whose motion cannot be played, or whose hits miss it."""

    name = HIT
    kinds = ("human",)
    commands = (Torques, Accelerations)
    who = "A character that plays a motion"

    def __init__(self, setup: Setup) -> None:
        if setup.wants is not Torques:
            raise InputError("On rails a body is moved by torques: choose the engine mujoco.")
        self.control_step_s = PHYSICS_STEP_S
        self.state, body, shot = setup.state, setup.body, setup.shot
        self.played: Played = played_clip(shot, body)
        self.played.check_hits(shot.hits)
        self.subject = Path(self.played.clip.path).stem
        groups = setup.settings or self.changed(shot.gains)
        own = BodyState(body, self.state.model)
        self.motion = RailsMotion(own, self.played.times_s, self.played.coordinates, PHYSICS_STEP_S)
        self.gains = self.motion.gains(groups["rails"], (shot.reaction or Reaction()).looseness)
        self.law = RailsLaw(self.state, self.motion, self.gains)
        self._most_deg, self._step, self._chains = 0.0, 0, chains_of(body)

    @classmethod
    def choose(cls, setup: Setup) -> Controller:
        return cls(setup) if on_rails(setup.shot) else Follow.choose(setup)

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        Follow.check_parts(parts, body)

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        if not on_rails(shot):
            return Follow.physics(shot)
        return Physics(acts=LOOP_ACTS, rails=_played(shot).rails(shot.world))

    @classmethod
    def plan_of(cls, shot: Shot) -> Plan | None:
        """See `Controller.plan_of`: the plan of the steps; None on rails, where the motion is played as it is."""
        return None if on_rails(shot) else Follow.plan_of(shot)

    @classmethod
    def to_path_end(cls, shot: Shot) -> Shot:
        return cut_to_motion(shot, _played(shot)) if on_rails(shot) else Follow.to_path_end(shot)

    @classmethod
    def groups(cls) -> dict[str, Any]:
        return {**Follow.groups(), "rails": RailsSettings()}

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`. Raises InputError for a state that is not the motion's own."""
        if state is not None:
            raise InputError("A motion on rails begins in its first frame, not in another state: put it first.")
        first = self.motion.at(0)
        return first.qpos, first.qvel

    def sense(self, sensed: Sensed) -> None:
        self._qpos, self._qvel = sensed.qpos, sensed.qvel
        self._step = round(sensed.time_s / PHYSICS_STEP_S)

    def act(self) -> Torques:
        return self.law.command(self._step, self._qpos, self._qvel)

    def channels(self) -> Mapping[str, Reading]:
        joints, most, at = self.law.off_rad(self._step, self._qpos), 0.0, 0
        for segment in self.state.body.segments[1:]:
            size = FREEDOM[segment.joint]
            most = max(most, float(np.linalg.norm(joints[at:at + size])))
            at += size
        off = float(np.degrees(most))
        self._most_deg = max(self._most_deg, off)
        error = np.concatenate([np.zeros(self.state.body.root_freedom), joints])
        return {"follow_clip_time_s": Reading("s", self._step * PHYSICS_STEP_S / self.played.slow),
                OFF: Reading("deg", off_deg(self._chains, error)),
                "hit_off_motion_deg": Reading("deg", off)}

    def stats(self) -> Mapping[str, Any]:
        return {**dict(self.played.clip.told), "hit_off_motion_deg": round(self._most_deg, 3)}

    def make_way(self, shot: Shot) -> None:
        raise InputError("No gait takes over from a motion that is played: take the keys out.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Controller.set_gravity`: shots whose gravity changes are refused before (`played`)."""
        raise InputError("A motion is played under one gravity: take the change of gravity out.")

    def fallen(self) -> bool:
        return False
