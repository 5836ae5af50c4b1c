# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits made from other gaits: retimed, re-phased, brought to both feet at once or to one side, and held differently.

For gaits of which there are no clips: the loping run, the skip and the hop of low gravity.

A walk with another duty factor: the same motion, its double supports shorter or longer and its single supports the reverse.

Shoulders against hips in gaits with flight: the pelvis turns with the legs, and a loaded trunk turns less.

In the captured run the pelvis lags the legs by a quarter of a stride, so that shoulders, which turn against the legs, go neither
against the hips nor with them. Other runners' pelvis lags little (Preece, Mason and Bramah 2016), as in a walk.
"""

from __future__ import annotations

import cmath
import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.interpolate import PchipInterpolator

from ..bodies.body import Body
from ..bodies.human.body import Human
from ..bodies.kinematics import contact_point_positions, segment_poses
from ..bodies.makers import make_body
from ..maths.curves import coefficients_of, shifted
from ..maths.rotations import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply
from ..specs.shot import BodySpec
from .cycle import ContactPhases, Cycle, layout, pose
from .style import ROOT_TURN, SPINE, fitted, sample_phases

SAMPLES = 256
HARMONICS = 8
HEIGHT_HARMONICS = 3
MID_STANCE = 0.42
"""Share of the stance at which a foot lies flat, as for the planned feet."""
LANDING = 0.12
"""Share of the cycle before and after a landing within which the foot's pitch is changed for it."""
LEGS = ("thigh", "shank", "foot", "toes")


def from_samples(cycle: Cycle, samples: np.ndarray, harmonics: int = HARMONICS) -> Cycle:
    """`cycle` with channels fitted to samples (N, 54) of one period."""
    return dataclasses.replace(cycle, coefficients=coefficients_of(np.fft.rfft(samples, axis=0) / len(samples), harmonics))


def retimed(cycle: Cycle, knots: Sequence[tuple[float, float]]) -> Cycle:
    """The same poses at other phases: at phase `new` the pose that was at `old`, for `knots` (new, old) that rise from
    (0, 0) within one period; smooth between them. Contact phases move along."""
    new, old = (np.array(column) for column in zip(*knots, strict=True))
    around = [np.concatenate([x - 1.0, x, x + 1.0, [2.0]]) for x in (new, old)]
    way = PchipInterpolator(*around)
    phases = np.arange(SAMPLES) / SAMPLES
    dense = np.linspace(-0.5, 1.5, 4001)
    back = np.interp(np.linspace(-0.5, 1.5, 4001), way(dense), dense)

    def moved(phase: float) -> float:
        return float(np.interp(phase, dense, back)) % 1.0

    contacts = {side: ContactPhases(*(moved(x) for x in dataclasses.astuple(c))) for side, c in cycle.contact_phases.items()}
    return dataclasses.replace(from_samples(cycle, cycle.evaluate(way(phases) % 1.0)), contact_phases=contacts)


def held(cycle: Cycle, factors: Mapping[str, float], means: Mapping[str, float]) -> Cycle:
    """The cycle with swings about the mean multiplied by `factors` and means set to `means` [rad]; both go by a channel's
    name without its side, and a mean counts for the left one: the right one is its mirror image."""
    places, coefficients = layout(), cycle.coefficients.copy()
    for i, name in enumerate(places.names):
        stem = name.replace("_L", "").replace("_R", "")
        coefficients[i, 1:] *= factors.get(stem, factors.get(stem.split(".")[0], 1.0))
        if stem in means:
            coefficients[i, 0] = means[stem] * (places.mirror_sign[i] if "_R" in name else 1.0)
    return dataclasses.replace(cycle, coefficients=coefficients)


def swung(cycle: Cycle, name: str, amplitude_rad: float, forward_at: float, mean_rad: float = 0.0) -> Cycle:
    """The cycle with a limb of both sides swinging like a pendulum: `name` is the segment without its side, such as
    "upper_arm"; it is farthest forward at phase `forward_at`."""
    places, coefficients, angle = layout(), cycle.coefficients.copy(), 2.0 * np.pi * forward_at
    for side in "LR":
        row = coefficients[places.names.index(f"{name}_{side}.ry")]
        row[:] = 0.0
        row[0], row[1], row[1 + cycle.harmonics] = mean_rad, -amplitude_rad * np.cos(angle), -amplitude_rad * np.sin(angle)
    return dataclasses.replace(cycle, coefficients=coefficients)


def with_touch_down_pitch(cycle: Cycle, pitch_rad: float) -> Cycle:
    """The cycle with feet that land at a pitch from that of their mid stance: 0 flat, positive on the ball, negative on the
    heel; turned at the ankle, and less and less within `LANDING` before and after the landing."""
    places, phases = layout(), np.arange(SAMPLES) / SAMPLES
    values = cycle.evaluate(phases)
    for side, contact in cycle.contact_phases.items():
        away = np.abs((phases - contact.strike + 0.5) % 1.0 - 0.5)
        window = np.where(away < LANDING, 0.5 + 0.5 * np.cos(np.pi * away / LANDING), 0.0)
        flat = foot_pitch(cycle, side, contact.strike + MID_STANCE * contact.stance)
        change = flat + pitch_rad - foot_pitch(cycle, side, contact.strike)
        values[:, places.names.index(f"foot_{side}.ry")] += change * window
    return from_samples(cycle, values, cycle.harmonics)


def foot_pitch(cycle: Cycle, side: str, phase: float) -> float:
    """Pitch of a foot of the standard body, positive with the heel up [rad]."""
    body = make_body(BodySpec())
    _, orientations = segment_poses(body, *pose(cycle.evaluate(np.array([phase])), body))
    forward = matrix_from_quat(orientations[0, body.index[f"foot_{side}"]])[:, 0]
    return float(np.arctan2(-forward[2], forward[0]))


def sides_shifted(cycle: Cycle, by: Mapping[str, float]) -> Cycle:
    """The cycle with the limbs of some segments' chains later by a share of the cycle, such as {"leg_R": -0.3}; the trunk,
    which cannot follow both sides, keeps still at its mean. Contacts move with the legs."""
    places, shifts = layout(), np.zeros(len(layout().names))
    coefficients = cycle.coefficients.copy()
    for i, name in enumerate(places.names):
        part = name.partition(".")[0]
        if part[-2:] not in ("_L", "_R"):
            coefficients[i, 1:] = 0.0
            continue
        limb = ("leg" if part[:-2] in LEGS else "arm") + part[-2:]
        shifts[i] = -by.get(limb, 0.0)
    contacts = {side: c.shifted(by.get(f"leg_{side}", 0.0)) for side, c in cycle.contact_phases.items()}
    return dataclasses.replace(cycle, coefficients=shifted(coefficients, shifts), contact_phases=contacts, sided=True)


def with_legs(cycle: Cycle, left: Cycle, right: Cycle) -> Cycle:
    """The cycle with the left leg of one cycle and the right leg of another, contacts with them."""
    coefficients = cycle.coefficients.copy()
    for i, name in enumerate(layout().names):
        part = name.partition(".")[0]
        if part[:-2] in LEGS:
            coefficients[i] = (left if part.endswith("L") else right).coefficients[i]
    contacts = {"L": left.contact_phases["L"], "R": right.contact_phases["R"]}
    return dataclasses.replace(cycle, coefficients=coefficients, contact_phases=contacts)


def in_phase(cycle: Cycle) -> Cycle:
    """The cycle in which both sides do the same at once: the mean of itself and its mirror image."""
    places = layout()
    image = cycle.coefficients[places.mirror_order] * places.mirror_sign[:, None]
    left, right = (np.array(dataclasses.astuple(cycle.contact_phases[side])) for side in "LR")
    mean = left + 0.5 * ((right - left + 0.5) % 1.0 - 0.5)
    contact = ContactPhases(*(float(x) % 1.0 for x in mean))
    return dataclasses.replace(cycle, coefficients=0.5 * (cycle.coefficients + image),
                               contact_phases={"L": contact, "R": contact}, sided=True)


def on_the_ground(cycle: Cycle) -> Cycle:
    """The cycle with the root at the height at which the soles stand on the ground while a foot is down, and on a smooth arc
    in the air: for a re-phased cycle, whose body no longer moves up and down with its legs."""
    phases, body, places = np.arange(SAMPLES) / SAMPLES, make_body(BodySpec()), layout()
    values = cycle.evaluate(phases)
    root, quats, joints = pose(values, body)
    soles = contact_point_positions(body, *segment_poses(body, root, quats, joints))[..., 2]
    down = np.zeros(SAMPLES, dtype=bool)
    lowest = np.full(SAMPLES, np.inf)
    for side, contact in cycle.contact_phases.items():
        rows = [i for i, p in enumerate(body.contact_points) if p.side == side]
        stands = (phases - contact.strike) % 1.0 <= contact.stance
        lowest[stands] = np.minimum(lowest[stands], soles[stands][:, rows].min(axis=1))
        down |= stands
    height = values[:, 2].copy()
    height[down] -= lowest[down] / body.leg_length_m
    # Least squares of few harmonics over the ground phase alone: the air follows from smoothness.
    angles = 2.0 * np.pi * np.outer(phases, np.arange(1, HEIGHT_HARMONICS + 1))
    basis = np.hstack([np.ones((SAMPLES, 1)), np.cos(angles), np.sin(angles)])
    ridge = np.diag([0.0] + [1e-3 * k**4 * down.sum() for k in (1, 2, 3)] * 2)
    solution = np.linalg.solve(basis[down].T @ basis[down] + ridge, basis[down].T @ height[down])
    coefficients = cycle.coefficients.copy()
    i, h = places.names.index("root.z"), cycle.harmonics
    coefficients[i] = 0.0
    coefficients[i, 0], coefficients[i, 1:1 + HEIGHT_HARMONICS] = solution[0], solution[1:1 + HEIGHT_HARMONICS]
    coefficients[i, 1 + h:1 + h + HEIGHT_HARMONICS] = solution[1 + HEIGHT_HARMONICS:]
    return dataclasses.replace(cycle, coefficients=coefficients)


SHORTEST_DOUBLE = 0.03
"""Least double support that is made, a fraction of the cycle."""
SAME = 1e-6
"""Duty factors that differ by less are the same."""


def with_duty_factor(cycle: Cycle, duty_factor: float) -> Cycle:
    """The cycle with each foot down for `duty_factor` of it, the mean of both; a cycle that is no walk, and one that has it
    already, is given back.

    Strikes stay, toe-offs move, and the phase runs slower or faster between them, smoothly. The pelvis goes with it, so that a
    standing foot stands.
    """
    doubles = [_double(cycle, side, other) for side, other in (("L", "R"), ("R", "L"))]
    change = max(duty_factor - cycle.duty_factor, SHORTEST_DOUBLE - min(doubles))
    if abs(change) < SAME or min(doubles) <= 0.0:
        return cycle
    knots = [(0.0, 0.0)]
    for p, other in ((cycle.contact_phases["L"], "R"), (cycle.contact_phases["R"], "L")):
        off = p.strike + _double(cycle, "L" if other == "R" else "R", other)
        knots += [(p.strike, p.strike), (off + change, off)]
    new, old = (np.array(column) for column in zip(*sorted(set(_in_cycle(knots))), strict=True))
    tiled = [np.concatenate([column - 1.0, column, column + 1.0]) for column in (new, old)]
    warp = PchipInterpolator(*tiled)
    phases = np.arange(SAMPLES) / SAMPLES
    was = warp(phases)
    values = cycle.evaluate(was)
    values[:, 0] += (was - phases) * cycle.stride_length_m / cycle.leg_length_m
    spectrum = np.fft.rfft(values, axis=0) / SAMPLES
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


def _in_cycle(knots: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Pairs of new and old phase with the new one in [0, 1), the old one moved alike."""
    return [(round(n % 1.0, 12), round(o - (n - n % 1.0), 12)) for n, o in knots]


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
    yaw = np.unwrap(np.arctan2(chest[:, 1, 0], chest[:, 0, 0]))
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
