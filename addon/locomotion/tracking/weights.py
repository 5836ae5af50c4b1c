# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights, gains and torque limits of the tracking quadratic program."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ...bodies.body import FREEDOM, Body
from ...bodies.human.load import arm_moments
from ...errors import InputError
from ...specs.load import HAND, HANDS
from ...specs.settings import FIRST_GUESS, Checked, computed, setting
from ...specs.shot import EARTH_GRAVITY_M_S2


@dataclass(frozen=True)
class TrackerSettings(Checked):
    """Weights per squared acceleration and gains of the desired accelerations (Kim 2017, eq. 11-15). The thesis prints no
    weights: these are from single trials of our own (docs/notes/controller.md). What names no source is a first guess."""

    WHOSE, FIELD, SOURCE = "The tracker's", "tracker setting", FIRST_GUESS
    com_weight: float = setting(60.0, 0.0, 1e6, help="Weight of the centre of mass' horizontal acceleration")
    height_weight: float = setting(40.0, 0.0, 1e6, help="Weight of the centre of mass' vertical acceleration")
    swing_weight: float = setting(8.0, 0.0, 1e6, help="Weight of the swinging feet's places")
    foot_orientation_weight: float = setting(4.0, 0.0, 1e6, help="Weight of the feet's orientation",
                                             formerly=("foot_turn_weight",))
    pelvis_weight: float = setting(6.0, 0.0, 1e6, help="Weight of the pelvis' orientation")
    chest_weight: float = setting(3.0, 0.0, 1e6, help="Weight of the chest's orientation")
    head_weight: float = setting(0.0, 0.0, 1e6, help="Weight of the head's orientation, where it goes: 0 leaves it to its joints")
    angular_momentum_weight: float = setting(30.0, 0.0, 1e6, help="Weight of the rate of centroidal angular momentum over body "
                                             "mass, on the ground before a flight", formerly=("spin_weight",))
    leg_weight: float = setting(0.05, 0.0, 1e6, help="Weight of the legs' joints")
    arm_weight: float = setting(0.3, 0.0, 1e6, help="Weight of the arms' joints")
    spine_weight: float = setting(0.3, 0.0, 1e6, help="Weight of the joints of spine, neck and head")
    contact_weight: float = setting(15.0, 0.0, 1e6, help="Weight of contact points that are to stop")
    torque_weight: float = setting(2e-6, 0.0, 1.0, help="Weight of joint torques")
    force_weight: float = 1e-5  # Weight of contact forces
    height_gain: float = setting(80.0, 0.0, 1e6, "1/s^2", "Gain of the centre of mass' height")
    swing_gain: float = setting(400.0, 0.0, 1e6, "1/s^2", "Gain of the swinging feet's places")
    stance_orientation_gain: float = setting(300.0, 0.0, 1e6, "1/s^2", "Gain of the standing feet's orientation",
                                             formerly=("stance_turn_gain",))
    pelvis_gain: float = setting(250.0, 0.0, 1e6, "1/s^2", "Gain of the pelvis' orientation")
    chest_gain: float = setting(200.0, 0.0, 1e6, "1/s^2", "Gain of the chest's orientation")
    head_gain: float = setting(200.0, 0.0, 1e6, "1/s^2", "Gain of the head's orientation")
    joint_gain: float = setting(200.0, 0.0, 1e6, "1/s^2", "Gain of the joints' angles")
    hover_gain: float = setting(2000.0, 0.0, 1e6, "1/s^2", "Brings a point down that should touch: a ball that hovers leaves the "
                                "toes alone to push, and the plan's centre of pressure out of reach")
    contact_damping: float = 40.0  # Rate at which contact points stop [1/s]
    # Rate at which the velocity cone lets an approaching contact point stop [1/s] (the offset o_c of Kim 2017, eq. 10; its size
    # a first guess)
    cone_damping: float = 40.0
    limit_horizon_s: float = 0.04  # Time within which a hinge may not run over its limit [s]
    limit_margin_deg: float = 2.0  # Distance that it keeps from its limit [degrees]
    # How far long toes are as strong as they are long: a walk rolls over them, and on legs as short as a toy's falls where the
    # rear ones push on
    toe_strength: float = 0.0
    # Least share of Earth's that the gain of the standing feet's orientation falls to under low gravity
    least_stance_gain: float = 0.0
    friction_fraction: float = 0.75  # Fraction of the ground's friction the controller counts on

    def under(self, gravity_m_s2: float) -> TrackerSettings:
        """The same settings for another gravity: gains scale with g, damping with sqrt(g), as all rates of a similar motion."""
        ratio = gravity_m_s2 / EARTH_GRAVITY_M_S2
        gains = {f.name: getattr(self, f.name) * ratio for f in fields(self) if f.name.endswith("_gain")}
        gains["swing_gain"] = self.swing_gain * max(ratio, 0.5)
        gains["stance_orientation_gain"] = self.stance_orientation_gain * max(ratio, self.least_stance_gain)
        dampings = {f.name: getattr(self, f.name) * ratio**0.5 for f in fields(self) if f.name.endswith("_damping")}
        return computed(self, **gains, **dampings)


WALKING = TrackerSettings(height_weight=100.0, least_stance_gain=0.5)
"""The same for walks, whose pushes off come with the height that is planned. Under low gravity strides slow down by less than
similar ones would: a foot held as softly as gravity is low slapped the ground with 3 m g on the Moon (docs/notes/alive.md)."""

UPRIGHT_LEG_SHARE = 0.1
"""Weight of the legs' joints over their own in an upright walk: the pose knows no accelerations, and legs held to it strike the
ground with 0.15 m g more (docs/notes/alive.md)."""

RUNNING = TrackerSettings(com_weight=300.0, height_weight=100.0, angular_momentum_weight=450.0, pelvis_weight=2.0,
                           chest_weight=2.0, head_weight=2.0, swing_weight=25.0, arm_weight=0.2, hover_gain=8000.0,
                           leg_weight=0.02, limit_horizon_s=0.02, toe_strength=1.0)
"""The same for gaits with flight, which do everything in a third of a walk's time: what the body lacks at take-off no
contact can make up for, and a sole must be flat at once. What the legs' angular momentum leaves over in the air the arms take
rather than the trunk, under a head that looks where it goes, and the feet of all least (docs/notes/running.md)."""

BY_MUSCLES = {"com_weight": 200.0 / 60.0, "swing_weight": 0.5, "foot_orientation_weight": 0.5,
              "stance_orientation_gain": 1.0 / 3.0, "contact_weight": 3.0}
"""What these are over their own in a walk by muscles that spare themselves: the way must weigh against effort, or the push-off
is spared and the walk slow; feet held less stiffly cost less; what they stand on must stop as before (found by a sweep,
docs/notes/muscle-qp.md)."""


def by_muscles(settings: TrackerSettings) -> TrackerSettings:
    """The settings of a walk by muscles that spare themselves."""
    return computed(settings, **{name: share * getattr(settings, name) for name, share in BY_MUSCLES.items()})


SHORT_LEG_M = 0.87
"""Legs that are shorter than this, a little less than those of 1.80 m, get weights by their length."""


def on_short_legs(settings: TrackerSettings, leg_length_m: float) -> TrackerSettings:
    """The weights of a motion on short legs: places weigh as much more as the squares of lengths are less there, angular
    momentum by the square of that. Otherwise the feet of a child, 8 cm off their path, would weigh no more than its trunk."""
    square = min(1.0, leg_length_m / SHORT_LEG_M) ** 2
    places = ("com_weight", "height_weight", "swing_weight", "contact_weight")
    weights = {name: getattr(settings, name) / square for name in places}
    return computed(settings, **weights, angular_momentum_weight=settings.angular_momentum_weight / square**2)


TORQUE_LIMIT_NM = {
    "lower_spine": 350.0, "chest": 300.0, "neck": 60.0, "head": 40.0, "clavicle": 150.0, "upper_arm": 120.0, "forearm": 90.0,
    "hand": 30.0, "thigh": 320.0, "shank": 320.0, "foot": 260.0, "toes": 60.0,
}
"""Largest joint torque of a 75 kg body a coordinate: isokinetic strength of young men (Anderson et al. 2007; Kumar 1996),
rounded up; scales with mass, with the length of long legs and of long toes, the neck's with a large head's inertia."""
USUAL_TOES_M = 0.076
"""Toes of that body, from their joint to the tip. On toes twice as long its strength held half the load at push-off, and runs of
such a body did not leave the ground in time."""
USUAL_HEAD_KG_M2 = 0.0635
"""Largest inertia of that body's head about its joint. A neck that could not turn its head would whip the trunk."""
HEAD_INERTIA = 0.3492
"""A head's largest inertia about its joint over its mass and squared length: that of the anthropometric table."""
STRONG_LEG_M = 0.884
"""Leg of the 75 kg body of 1.80 m whose strength that is. Who weighs as much on longer legs needs as much more torque to carry
it: a giant with legs of 1.55 m fell in runs, skips and hops on Earth."""


def torque_limits(body: Body, gravity_m_s2: float = EARTH_GRAVITY_M_S2, toe_strength: float = 1.0) -> np.ndarray:
    """(nv - 6,) [N m]: a strong person's, long toes' by `toe_strength` as they are long; above Earth's gravity as much more as
    the body weighs more, since nobody could stand there otherwise. How far a take exceeds human limits is for its report to
    tell."""
    limits, long = [], max(1.0, body.leg_length_m / STRONG_LEG_M)
    neck = max(long, _head_inertia(body) / (USUAL_HEAD_KG_M2 * body.bare_mass_kg / 75.0))
    for name in body.joint_segments:
        kind = name.removesuffix("_L").removesuffix("_R")
        strong = neck if kind in ("neck", "head") else long
        if kind == "toes":
            strong = max(long, 1.0 + toe_strength * (_length(body, name) / USUAL_TOES_M - 1.0))
        limit = TORQUE_LIMIT_NM[kind] * strong
        limits += [limit] * (3 if body.segment(name).joint == "ball" else 1)
    return np.array(limits) * (body.bare_mass_kg / 75.0) * max(1.0, gravity_m_s2 / EARTH_GRAVITY_M_S2)


GRIP_N, GLOVED = 490.0, 0.58
"""What a hand of a 75 kg body holds on to, near men's grip strength (Mathiowetz et al. 1985, Arch. Phys. Med. Rehabil. 66:69),
and how much of it is left in a suit's glove under pressure (Roesch 1986, Virginia Polytechnic Institute)."""


def check_load(body: Body, gravity_m_s2: float, gloved: bool) -> None:
    """Raises InputError for a load that hands or arms cannot hold while the body stands under a gravity."""
    if body.carries is None:
        return
    load, moments = body.carries.load, arm_moments(body)
    grips = {HAND: 1, HANDS: 2}.get(load.place, 0)
    grip_kg = grips * GRIP_N * (GLOVED if gloved else 1.0) * body.bare_mass_kg / 75.0 / gravity_m_s2
    if grips and load.mass_kg > grip_kg:
        raise InputError(f"A load of {load.mass_kg:g} kg slips out of the grip, which holds {grip_kg:.0f} kg there. Carry less, "
                         "or carry it in the arms or on the back.")
    limits, at = torque_limits(body, gravity_m_s2), 0
    for name in body.joint_segments:
        asked, most = gravity_m_s2 * moments.get(name, 0.0), float(limits[at])
        if asked > most:
            raise InputError(f"A load of {load.mass_kg:g} kg is too heavy for these arms: a joint would have to hold {asked:.0f} "
                             f"N m and can hold {most:.0f}. Carry less, or carry it on the back.")
        at += 3 if body.segment(name).joint == "ball" else 1


def _length(body: Body, name: str) -> float:
    """Length of a segment from its joint to its tip [m]."""
    return float(np.linalg.norm(body.segment(name).tip))


def _head_inertia(body: Body) -> float:
    """Largest inertia of the bare head about the joint that it hangs on [kg m^2]; 0 without a head. What is worn on it is not
    the neck's: strength is the bare body's."""
    if "head" not in body.index:
        return 0.0
    head = body.segment("head")
    flesh_kg = head.mass_kg if head.flesh_kg is None else head.flesh_kg
    return HEAD_INERTIA * flesh_kg * float(head.tip @ head.tip)


HELD_WEIGHT, HUNG_WEIGHT = 30.0, 1.0
"""Weight of the joints that hold a load: at 3 hands that carry 10 kg between them come 3.4 mm nearer to each other, at 10 by 1.2
mm, at 30 by 0.3 (measured); one arm that a bag hangs from gives way."""


def held_joints(body: Body) -> np.ndarray:
    """Which coordinates (nv,) are of joints that hold a load firmly."""
    load = None if body.carries is None else body.carries.load.place
    held = {} if load in (None, HAND) else body.carries.held
    return np.repeat([False, *(name in held for name in body.joint_segments)],
                     [body.root_freedom, *(FREEDOM[body.segment(name).joint] for name in body.joint_segments)])


def joint_weights(body: Body, settings: TrackerSettings) -> np.ndarray:
    """(nv,) weight of each coordinate's acceleration; zero for the free pelvis, which has objectives of its own."""
    weights = [0.0] * 6
    for name in body.joint_segments:
        leg = name.startswith(("thigh", "shank", "foot", "toes"))
        spine = name in ("lower_spine", "chest", "neck", "head")
        weight = settings.leg_weight if leg else settings.spine_weight if spine else settings.arm_weight
        if body.carries is not None and name in body.carries.held:
            weight = HUNG_WEIGHT if body.carries.load.place == HAND else HELD_WEIGHT
        weights += [weight] * (3 if body.segment(name).joint == "ball" else 1)
    return np.array(weights)
