# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits made from other gaits: retimed, re-phased, brought to both feet at once or to one side, and held differently.

For gaits of which there are no clips: the loping run, the skip and the hop of low gravity.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.interpolate import PchipInterpolator

from ..bodies.kinematics import contact_point_positions, segment_poses
from ..bodies.makers import make_body
from ..maths.periodic import coefficients_of, shifted
from ..maths.quaternions import matrix_from_quat
from ..specs.shot import BodySpec
from .channels import layout, pose
from .cycle import ContactPhases, Cycle

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
