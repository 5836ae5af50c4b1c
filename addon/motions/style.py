# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait's cycle changed: a style's changes of its pose (arms, trunk, hips, head, the feet's distance), its duty factor, and how
far the pelvis turns with the legs. A walk that spares a sore leg hurries through that leg's stance (antalgic gait; Perry and
Burnfield 2010, "Gait analysis"); beside a weak hip the pelvis drops, and the trunk leans over it. In a suit the trunk leans until
the centre of mass stands over the hips as without the pack, and the arms give way to the suit's springs. Another duty factor
makes a walk's double supports shorter or longer and its single supports the reverse. In gaits with flight the pelvis turns with
the legs, and a loaded trunk turns less: in the captured run the pelvis lags the legs by a quarter of a stride, so that shoulders,
which turn against the legs, go neither against the hips nor with them. Others' lags little (Preece, Mason and Bramah 2016)."""

from __future__ import annotations

import cmath
import dataclasses
import math
from collections.abc import Mapping

import numpy as np

from ..bodies.body import Body, kind_of
from ..bodies.human.body import Human
from ..bodies.human.load import HIPS, NECK, SPINE, hinge_angle, leaning
from ..bodies.human.tree import ARM_CHAIN
from ..bodies.kinematics import centre_of_mass, segment_poses
from ..maths.curves import coefficients_of, smoothstep
from ..maths.rotations import matrix_from_quat, plane_angle, quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..maths.splines import monotone
from ..specs.motion import Style
from ..specs.muscles import FOOT, LEFT, PAIN, RIGHT, Condition
from .cycle import ContactPhases, Cycle, continuous_rotvec, layout, pose

LIMP_SAMPLES = 256
MOST_SPARED = 0.14
"""Share of the cycle by which the good foot strikes earlier at most: beyond it the sore leg's step is a hop."""
HALF_SPARED = 15.0
"""Pain of a foot, in weights of effort, with which half of that is spared (first guess)."""
OF_MUSCLES = 0.43
"""What pain of a muscle counts beside a foot's: it hurts only as far as it pulls (first guess)."""


def spared_share(condition: Condition | None) -> float:
    """By what share of the cycle the right foot strikes earlier, so that the left is spared; negative the other way. The worst
    pain of a side over the other's counts."""
    worst = {LEFT: 0.0, RIGHT: 0.0}
    for change in condition.changes if condition else ():
        if change.kind == PAIN:
            for side in change.sides:
                worst[side] = max(worst[side], change.value * (1.0 if change.target == FOOT else OF_MUSCLES))
    over = worst[LEFT] - worst[RIGHT]
    return MOST_SPARED * over / (abs(over) + HALF_SPARED)


def sparing(cycle: Cycle, share: float) -> Cycle:
    """The cycle in which the right foot strikes by `share` of it earlier than half a cycle after the left; the same for 0. All
    phases move along smoothly, and the pelvis with them, so that a standing foot stands."""
    if share == 0.0:
        return cycle
    dense = np.linspace(-1.0, 2.0, 6001)
    dense_new = dense - share * np.sin(np.pi * dense) ** 2
    phases = np.arange(LIMP_SAMPLES) / LIMP_SAMPLES
    was = np.interp(phases, dense_new, dense)
    values = cycle.evaluate(was)
    values[:, 0] += (was - phases) * cycle.stride_length_m / cycle.leg_length_m
    spectrum = np.fft.rfft(values, axis=0) / LIMP_SAMPLES
    contacts = {side: ContactPhases(*(float(np.interp(e, dense, dense_new)) % 1.0 for e in dataclasses.astuple(p)))
                for side, p in cycle.contact_phases.items()}
    return dataclasses.replace(cycle, coefficients=coefficients_of(spectrum, cycle.harmonics), contact_phases=contacts)


ARMS = ("upper_arm_L", "upper_arm_R")
"""Joints that go on hanging while the trunk leans."""
MOST_LEAN_RAD = math.radians(30.0)
"""Beyond that a back would ache; what is left of the load behind stays to the legs."""
LEAN_SAMPLES = 24
ARM_STIFFNESS_NM_RAD = {"upper_arm": 15.0, "forearm": 10.0, "hand": 3.0}
"""How stiffly people hold their arms while these swing: of the order that was measured at the elbow in cyclic movement (Bennett
et al. 1992, Experimental Brain Research 88:433-442). Legs do not give way: their feet have to be where they are planned."""


def yielded(cycle: Cycle, body: Body) -> Cycle:
    """The cycle with arms where two springs in a row bring them to rest: the wearer's towards the gait's angles, the suit's
    towards its own rest pose; the cycle itself where the suit has no springs in its arms."""
    coefficients = cycle.coefficients.copy()
    for name in body.joint_segments:
        own, suit = ARM_STIFFNESS_NM_RAD.get(kind_of(name)), body.segment(name)
        if own is not None and suit.stiffness_nm_rad > 0.0:
            rows, share = layout().slices[name], own / (own + suit.stiffness_nm_rad)
            coefficients[rows] *= share
            coefficients[rows, 0] += (1.0 - share) * suit.rest_rad
    changed = not np.array_equal(coefficients, cycle.coefficients)
    return dataclasses.replace(cycle, coefficients=coefficients) if changed else cycle


def load_lean_rad(cycle: Cycle, body: Body) -> float:
    """How far the trunk leans forward (or back) to bring the COM of `body`, suit and all, over the hips as far as the bare body's
    is in the cycle; 0 for a body without suit or without a spine. What it carries counts by itself (`holding`)."""
    if not isinstance(body, Human) or body.suit.mass_kg == 0.0 or not any(name in body.index for name in SPINE):
        return 0.0
    from scipy.optimize import brentq

    bare = com_ahead(cycle, Human.from_landmarks(body.landmarks, body.bare_mass_kg))
    if body.carries is not None:
        body = Human.from_landmarks(body.landmarks, body.bare_mass_kg, body.suit)

    def miss(lean: float) -> float:
        return com_ahead(bent(cycle, body, lean), body) - bare

    if miss(MOST_LEAN_RAD) <= 0.0:
        return MOST_LEAN_RAD
    if miss(-MOST_LEAN_RAD) >= 0.0:
        return -MOST_LEAN_RAD
    return float(brentq(miss, -MOST_LEAN_RAD, MOST_LEAN_RAD, xtol=1e-4))


def bent(cycle: Cycle, body: Body, lean_rad: float) -> Cycle:
    coefficients = cycle.coefficients.copy()
    for names, total in ((SPINE, lean_rad), (NECK, -lean_rad), (ARMS, -len(ARMS) * lean_rad)):
        present = [name for name in names if name in body.index]
        for name in present:  # mean rotation vectors of the trunk lie so near each other that they may be added
            coefficients[layout().slices[name].start + 1, 0] += total / len(present)
    return dataclasses.replace(cycle, coefficients=coefficients)


def holding(cycle: Cycle, body: Body) -> Cycle:
    """The cycle with what its body carries: the trunk leans from the hips up, arms hold; the cycle itself with empty hands."""
    carried, places = body.carries, layout()
    if carried is None:
        return cycle
    coefficients = cycle.coefficients.copy()
    own = cycle.evaluate(sample_phases())
    for name, turn in leaning(carried.lean, body).items():
        if name in HIPS:
            rows = places.slices[name]
            coefficients[rows] = fitted(quat_multiply(turn, quat_from_rotvec(own[:, rows])), cycle.harmonics)
        else:  # mean rotation vectors of the trunk lie so near each other that they may be added
            start = ROOT_LIST if name == body.role("root") else places.slices[name].start
            coefficients[start:start + 3, 0] += rotvec_from_quat(turn)
    for name in ARMS:
        coefficients[places.slices[name].start:places.slices[name].start + 2, 0] -= carried.lean
    for name, held in carried.held.items():
        rows, quat = places.slices[name], np.array(held)
        coefficients[rows] = 0.0
        coefficients[rows, 0] = rotvec_from_quat(quat) if places.axes[name] is None else hinge_angle(quat, body.segment(name))
    return dataclasses.replace(cycle, coefficients=coefficients)


def com_ahead(cycle: Cycle, body: Body) -> float:
    """Mean distance [m] of the centre of mass ahead of the pelvis origin, which lies between the hips."""
    root, root_quats, joints = pose(cycle.evaluate(np.arange(LEAN_SAMPLES) / LEAN_SAMPLES), body)
    com = centre_of_mass(body, *segment_poses(body, root, root_quats, joints))
    return float((com - root)[:, 0].mean())


SAMPLES = 64
"""Samples of a cycle where rotations are composed: eight to the highest harmonic that gaits have."""
ROOT_LIST, ROOT_TURN = 3, 5
"""Channels of the pelvis' rotation about the forward and the upward axis."""


def styled(cycle: Cycle, body: Body, style: Style) -> Cycle:
    """The cycle as a style bends it, for one body; the cycle itself where the style changes none of it."""
    if style.arm_swing != 1.0:
        cycle = _with_arms(cycle, style.arm_swing)
    if style.arm_spread_deg != 0.0:
        cycle = _with_arms_out(cycle, math.radians(style.arm_spread_deg))
    if style.hip_sway != 1.0:
        cycle = _with_hips(cycle, body, style.hip_sway)
    if style.trunk_lean_deg != 0.0:
        cycle = bent(cycle, body, math.radians(style.trunk_lean_deg))
    if style.head_steadiness != 0.0:
        cycle = _with_steady_head(cycle, body, style.head_steadiness)
    if style.step_width_m != 0.0:
        wider = style.step_width_m * cycle.leg_length_m / body.leg_length_m
        cycle = dataclasses.replace(cycle, step_width_m=cycle.step_width_m + wider)
    return cycle


def _with_arms(cycle: Cycle, scale: float) -> Cycle:
    coefficients = cycle.coefficients.copy()
    for name, rows in layout().slices.items():
        if kind_of(name) in ARM_CHAIN:
            coefficients[rows, 1:] *= scale
    return dataclasses.replace(cycle, coefficients=coefficients)


def _with_arms_out(cycle: Cycle, angle_rad: float) -> Cycle:
    """The upper arms turned out to the sides about the trunk's forward axis."""
    coefficients = cycle.coefficients.copy()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        rows = layout().slices[f"upper_arm_{side}"]
        out = quat_from_rotvec(np.array([sign * angle_rad, 0.0, 0.0]))
        coefficients[rows] = fitted(quat_multiply(out, quat_from_rotvec(cycle.evaluate(sample_phases())[:, rows])),
                                    cycle.harmonics)
    return dataclasses.replace(cycle, coefficients=coefficients)


def _with_hips(cycle: Cycle, body: Body, scale: float) -> Cycle:
    """Drop and turn of the pelvis about their means, scaled; the thighs and the trunk go on facing where they did."""
    coefficients = cycle.coefficients.copy()
    coefficients[[ROOT_LIST, ROOT_TURN], 1:] *= scale
    swayed = dataclasses.replace(cycle, coefficients=coefficients)
    before, after = (quat_from_rotvec(c.evaluate(sample_phases())[:, 3:6]) for c in (cycle, swayed))
    back, own = quat_multiply(quat_conjugate(after), before), cycle.evaluate(sample_phases())
    for name in ("thigh_L", "thigh_R", *[s.name for s in body.segments if s.parent == "pelvis" and "thigh" not in s.name]):
        rows = layout().slices[name]
        coefficients[rows] = fitted(quat_multiply(back, quat_from_rotvec(own[:, rows])), cycle.harmonics)
    return dataclasses.replace(cycle, coefficients=coefficients)


def _with_steady_head(cycle: Cycle, body: Body, share: float) -> Cycle:
    """The head's turning about its mean direction taken out by a share; the joints below the head give way alike."""
    joints = [name for name in ("neck", "head") if name in body.index]
    if not joints:
        return cycle
    values = cycle.evaluate(sample_phases())
    _, orientations = segment_poses(body, *pose(values, body))
    head = orientations[:, body.index[joints[-1]]]
    mean = _mean_rotation(head)
    away = rotvec_from_quat(quat_multiply(quat_conjugate(mean), head))
    wanted = quat_multiply(mean, quat_from_rotvec((1.0 - share) * away))
    missing = rotvec_from_quat(quat_multiply(wanted, quat_conjugate(head)))
    below = orientations[:, body.index[body.segment(joints[0]).hangs_on]]
    coefficients = cycle.coefficients.copy()
    for i, name in enumerate(joints, start=1):
        turned = quat_multiply(quat_from_rotvec(i / len(joints) * missing), orientations[:, body.index[name]])
        coefficients[layout().slices[name]] = fitted(quat_multiply(quat_conjugate(below), turned), cycle.harmonics)
        below = turned
    return dataclasses.replace(cycle, coefficients=coefficients)


def sagging(cycle: Cycle, sag_deg: Mapping[str, float]) -> Cycle:
    """The cycle with neck and head bent forward and the shoulders hanging by so much [deg]; the same for nothing."""
    if not sag_deg:
        return cycle
    coefficients, slices = cycle.coefficients.copy(), layout().slices
    for name in ("neck", "head"):
        coefficients[slices[name].start + 1, 0] += math.radians(sag_deg[name])
    for side, sign in UP.items():  # rotation vectors this small may be added
        coefficients[slices[f"clavicle_{side}"].start, 0] -= sign * math.radians(sag_deg["clavicle"])
    return dataclasses.replace(cycle, coefficients=coefficients)


def sample_phases() -> np.ndarray:
    """Phases (SAMPLES,) of a cycle where rotations are composed."""
    return np.arange(SAMPLES) / SAMPLES


def _mean_rotation(quaternions: np.ndarray) -> np.ndarray:
    """Mean (4,) of rotations (T, 4) that lie within half a turn of the first: their normalised sum."""
    nearest = quaternions * np.sign(quaternions @ quaternions[0])[:, None]
    total = nearest.sum(axis=0)
    return total / np.linalg.norm(total)


def fitted(quaternions: np.ndarray, harmonics: int) -> np.ndarray:
    """Coefficients (3, 2 H + 1) of the rotation vectors of a cycle's samples (SAMPLES, 4)."""
    spectrum = np.fft.rfft(continuous_rotvec(quaternions), axis=0) / SAMPLES
    return coefficients_of(spectrum, harmonics)


def in_one_piece(cycle: Cycle, body: Body) -> Cycle:
    """The cycle for a body whose trunk has no joints: it goes as the chest does, not as the pelvis, which would swing the whole
    weight of the trunk by 12 degrees from side to side; legs and head face where they did. Else the cycle itself."""
    if any(name in body.index for name in SPINE):
        return cycle
    own = cycle.evaluate(sample_phases())
    turn = {name: quat_from_rotvec(own[:, rows]) for name, rows in layout().slices.items() if rows.stop - rows.start == 3}
    pelvis = quat_from_rotvec(own[:, 3:6])
    trunk = quat_multiply(quat_multiply(pelvis, turn["lower_spine"]), turn["chest"])
    turned = {name: quat_multiply(quat_multiply(quat_conjugate(trunk), pelvis), turn[name]) for name in LEG_CHANNELS}
    if "neck" not in body.index:
        turned["head"] = quat_multiply(turn["neck"], turn["head"])
    coefficients = cycle.coefficients.copy()
    coefficients[3:6] = fitted(trunk, cycle.harmonics)
    for name, quaternions in turned.items():
        coefficients[layout().slices[name]] = fitted(quaternions, cycle.harmonics)
    return dataclasses.replace(cycle, coefficients=coefficients)


COMPENSATION_SAMPLES = 256
UP = {"L": 1.0, "R": -1.0}
"""Sign of the roll about the forward axis by which the pelvis comes up on a side, and so down on the other."""
ROOT_ROLL = 3
"""Channel of the root's rotation about the forward axis."""


def compensating(cycle: Cycle, body: Body, drop_rad: Mapping[str, float], lean_rad: Mapping[str, float]) -> Cycle:
    """The cycle in which the pelvis drops by so much more [rad] on the other side while a leg stands alone, and the trunk leans
    over it by so much, where it has joints; the head stays upright. The same for nothing."""
    if all(name not in body.index for name in SPINE):
        lean_rad = dict.fromkeys(lean_rad, 0.0)
    if not any((*drop_rad.values(), *lean_rad.values())):
        return cycle
    phases = np.arange(COMPENSATION_SAMPLES) / COMPENSATION_SAMPLES
    rolls, leans = np.zeros((2, COMPENSATION_SAMPLES))
    for side, other in (("L", "R"), ("R", "L")):
        alone = _alone(cycle, side, other, phases)
        rolls += UP[side] * drop_rad[side] * alone
        leans += UP[side] * lean_rad[side] * alone
    coefficients = cycle.coefficients.copy()
    for names, values in ((SPINE, -rolls - leans), (NECK, leans)):
        present = [name for name in names if name in body.index]
        for name in present:  # rotation vectors of the trunk lie so near each other that they may be added
            coefficients[layout().slices[name].start] += _series(values, cycle.harmonics) / len(present)
    coefficients[ROOT_ROLL] += _series(rolls, cycle.harmonics)
    return dataclasses.replace(cycle, coefficients=coefficients)


def _alone(cycle: Cycle, side: str, other: str, phases: np.ndarray) -> np.ndarray:
    """1 while a side's foot stands alone, 0 while the other's does, smoothly between: over a little more than double supports."""
    own, that = cycle.contact_phases[side], cycle.contact_phases[other]
    since = (phases - own.strike) % 1.0
    off, strike, own_off = ((at - own.strike) % 1.0 for at in (that.toe_off, that.strike, own.toe_off))
    return np.where(since < strike, smoothstep(since / max(1.5 * off, 0.05)),
                    1.0 - smoothstep((since - strike) / max(own_off - strike, 0.05)))


def _series(values: np.ndarray, harmonics: int) -> np.ndarray:
    """Fourier coefficients (2 H + 1,) of values over the cycle."""
    return coefficients_of(np.fft.rfft(values[:, None], axis=0) / len(values), harmonics)[0]


DUTY_SAMPLES = 256
SHORTEST_DOUBLE = 0.03
"""Least double support that is made, a fraction of the cycle."""
SAME = 1e-6
"""Duty factors that differ by less are the same."""


def with_duty_factor(cycle: Cycle, duty_factor: float) -> Cycle:
    """The cycle with each foot down for `duty_factor` of it, the mean of both; a cycle that is no walk, and one that has it
    already, is given back. Strikes stay, toe-offs move, and the phase runs slower or faster between them, smoothly. """
    doubles = [_double(cycle, side, other) for side, other in (("L", "R"), ("R", "L"))]
    change = max(duty_factor - cycle.duty_factor, SHORTEST_DOUBLE - min(doubles))
    if abs(change) < SAME or min(doubles) <= 0.0:
        return cycle
    knots = [(0.0, 0.0)]
    for p, other in ((cycle.contact_phases["L"], "R"), (cycle.contact_phases["R"], "L")):
        off = p.strike + _double(cycle, "L" if other == "R" else "R", other)
        knots += [(p.strike, p.strike), (off + change, off)]
    within = {(round(n % 1.0, 12), round(o - (n - n % 1.0), 12)) for n, o in knots}  # the new in [0, 1), the old alike
    new, old = (np.array(column) for column in zip(*sorted(within), strict=True))
    tiled = [np.concatenate([column - 1.0, column, column + 1.0]) for column in (new, old)]
    warp = monotone(*tiled)
    phases = np.arange(DUTY_SAMPLES) / DUTY_SAMPLES
    was = warp(phases)
    values = cycle.evaluate(was)
    values[:, 0] += (was - phases) * cycle.stride_length_m / cycle.leg_length_m
    spectrum = np.fft.rfft(values, axis=0) / DUTY_SAMPLES
    dense = np.linspace(-0.5, 1.5, 4001)
    dense_was = warp(dense)

    def later(phase: float) -> float:
        return float(np.interp(phase, dense_was, dense)) % 1.0

    contacts = {side: ContactPhases(p.strike, *(later(e) for e in (p.flat, p.heel_off, p.toe_off)))
                for side, p in cycle.contact_phases.items()}
    return dataclasses.replace(cycle, coefficients=coefficients_of(spectrum, cycle.harmonics), contact_phases=contacts,
                               own_duty_factor=cycle.reference_duty_factor)


def _double(cycle: Cycle, side: str, other: str) -> float:
    """Double support after a side's strike, a fraction of the cycle; 0 or less where there is none."""
    strike, off = cycle.contact_phases[side].strike, cycle.contact_phases[other].toe_off
    return (off - strike + 0.5) % 1.0 - 0.5


LEG_CHANNELS, FEET = ("thigh_L", "thigh_R"), ("foot_L", "foot_R")
UPPER_BODY = (*SPINE, "neck", "head")
LEAST_LOADED_TURN = 0.4
"""Of what the bare trunk turns, whatever it carries: taste. By inertia alone one with a Moon suit's pack would hardly turn."""
STILL = 1e-3
"""Turn of the pelvis [rad] and lead of a foot [leg lengths] below which there is none."""


def counter_turned(cycle: Cycle, body: Body, share: float) -> Cycle:
    """The cycle with its pelvis turning with the legs by a `share` (0: as it was, 1: wholly), legs and trunk facing where they
    did; and with a trunk that turns as much less, by the same share, as `loaded_turn` says. Where the legs swing alike, or the
    pelvis does not turn, it stays."""
    if share == 0.0 or any(name not in body.index for name in (*SPINE, *LEG_CHANNELS, *FEET)):
        return cycle
    less = 1.0 - share * (1.0 - loaded_turn(body))
    turned = _with_pelvis_along(cycle, body, share)
    return turned if less == 1.0 else _with_trunk_turn(turned, body, less)


def loaded_turn(body: Body) -> float:
    """How far a body's trunk turns over what it would bare: as much less as what it wears adds to the inertia of trunk and head
    about the upright axis, at least `LEAST_LOADED_TURN`. With packs people turn their trunks less (LaFiandra et al. 2003)."""
    if not isinstance(body, Human) or body.suit.mass_kg == 0.0:
        return 1.0
    bare = Human.from_landmarks(body.landmarks, body.bare_mass_kg)
    return max(_upright_inertia(bare) / _upright_inertia(body), LEAST_LOADED_TURN)


def _upright_inertia(body: Body) -> float:
    """Inertia [kg m^2] of trunk and head about the upright axis through the root, in the neutral pose."""
    place, total = np.zeros(3), 0.0
    for name in UPPER_BODY:
        if name in body.index:
            segment = body.segment(name)
            place = place + segment.offset
            away = place + segment.com
            total += float(segment.inertia[2, 2] + segment.mass_kg * (away[0] ** 2 + away[1] ** 2))
    return total


def _with_pelvis_along(cycle: Cycle, body: Body, share: float) -> Cycle:
    """The pelvis' turn brought into step with the legs: its first harmonic later or earlier, as far as it went before."""
    own, coefficients, sines = cycle.coefficients, cycle.coefficients.copy(), 1 + cycle.harmonics
    turn, ahead = complex(own[ROOT_TURN, 1], -own[ROOT_TURN, sines]), _lead(cycle, body)
    if abs(turn) < STILL or abs(ahead) < STILL:
        return cycle
    late = cmath.phase(-ahead / turn)  # a turn is positive to the left: with the left leg ahead it is negative
    turn *= cmath.exp(1j * share * late)
    coefficients[ROOT_TURN, 1], coefficients[ROOT_TURN, sines] = turn.real, -turn.imag
    along = dataclasses.replace(cycle, coefficients=coefficients)
    before, after = (quat_from_rotvec(c.evaluate(sample_phases())[:, 3:6]) for c in (cycle, along))
    back, values = quat_multiply(quat_conjugate(after), before), cycle.evaluate(sample_phases())
    facing = coefficients.copy()
    for name in (*LEG_CHANNELS, SPINE[0]):
        rows = layout().slices[name]
        facing[rows] = fitted(quat_multiply(back, quat_from_rotvec(values[:, rows])), cycle.harmonics)
    return dataclasses.replace(cycle, coefficients=facing)


def _with_trunk_turn(cycle: Cycle, body: Body, scale: float) -> Cycle:
    """The chest's turn about the upright axis, away from its mean, scaled; the spine shares it, the head faces where it did."""
    values = cycle.evaluate(sample_phases())
    _, orientations = segment_poses(body, *pose(values, body))
    chest = matrix_from_quat(orientations[:, body.index["chest"]])
    yaw = np.unwrap(plane_angle(chest[:, 1, 0], chest[:, 0, 0]))
    change = (scale - 1.0) * (yaw - yaw.mean())
    coefficients, below = cycle.coefficients.copy(), orientations[:, 0]
    chain = [(SPINE[0], 0.5), (SPINE[1], 1.0), *[("neck", 0.0)] * ("neck" in body.index)]
    for name, part in chain:
        upright = quat_from_rotvec(np.outer(part * change, (0.0, 0.0, 1.0)))
        turned = quat_multiply(upright, orientations[:, body.index[name]])
        coefficients[layout().slices[name]] = fitted(quat_multiply(quat_conjugate(below), turned), cycle.harmonics)
        below = turned
    return dataclasses.replace(cycle, coefficients=coefficients)


def _lead(cycle: Cycle, body: Body) -> complex:
    """First harmonic of the left foot's lead over the right one, over leg length: its size and phase."""
    phases = sample_phases()
    places, _ = segment_poses(body, *pose(cycle.evaluate(phases), body))
    left, right = (places[:, body.index[name], 0] for name in FEET)
    return complex(2.0 * np.mean((left - right) * np.exp(-2j * np.pi * phases)) / body.leg_length_m)
