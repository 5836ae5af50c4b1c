# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits made from other gaits: retimed, re-phased, brought to both feet at once or to one side, held differently, averaged.

For presets: gaits of which there are no clips, as the loping run, the skip and the hop of low gravity, and means of several
clips. Contacts of a gait with flight are sharpened: a running foot is near the ground and slow for longer than it is on it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.interpolate import PchipInterpolator

from lope.addon.bodies.human.body import Human
from lope.addon.bodies.human.landmarks import SIDES
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import ClipError
from lope.addon.files import write_whole
from lope.addon.maths.curves import coefficients_of, shifted
from lope.addon.maths.rotations import about_y, matrix_from_quat, quat_from_matrix
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.cycle import ContactPhases, Cycle, channel_values, layout, pose
from lope.addon.motions.fitting import find_repeats, fit_cycle, fit_steps, stride_samples
from lope.addon.motions.retarget import Motion, retarget
from lope.addon.motions.skeletons import sole_at_zero
from lope.addon.motions.strides import DURATION_SPREAD, Contact, Stride, find_contacts, find_strides
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec

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


TOUCH_SAMPLES = 500
TOUCHING_PER_LEG = 0.009
"""A sole lower than this touches, as a share of the leg; the shoe's and the fit's own error is half of it."""
SEARCH = 0.12
"""How far from the contact phases of the clip the sharpened ones are looked for."""


def with_sharp_contacts(cycle: Cycle) -> Cycle:
    """The cycle with strikes and toe-offs where its soles come within `TOUCHING_PER_LEG` of the ground, seen on the standard
    body; phase 0 is the left strike again. Raises ClipError where a foot never comes down."""
    phases = np.arange(TOUCH_SAMPLES) / TOUCH_SAMPLES
    body = make_body(BodySpec())
    root, quats, joints = pose(cycle.evaluate(phases), body)
    soles = contact_point_positions(body, *segment_poses(body, root, quats, joints))[..., 2]
    contacts = {}
    for side, contact in cycle.contact_phases.items():
        rows = [i for i, p in enumerate(body.contact_points) if p.side == side]
        contacts[side] = _sharpened(soles[:, rows].min(axis=1), contact, TOUCHING_PER_LEG * body.leg_length_m, side)
    return rephased(dataclasses.replace(cycle, contact_phases=contacts), contacts["L"].strike)


def _sharpened(height: np.ndarray, contact: ContactPhases, threshold_m: float, side: str) -> ContactPhases:
    """Contact phases of one foot from the height (SAMPLES,) of its lowest point."""
    since = (np.arange(TOUCH_SAMPLES) / TOUCH_SAMPLES - contact.strike + SEARCH) % 1.0 - SEARCH
    order = np.argsort(since)
    since, height = since[order], height[order]
    standing = (since > 0.0) & (since < contact.stance)
    window = since < contact.stance + SEARCH
    touching = window & (height < np.median(height[standing]) + threshold_m)
    if not touching.any():
        raise ClipError(f"The {'left' if side == 'L' else 'right'} foot of this cycle never comes down to the ground.")
    on, off = since[touching][0], since[touching][-1]
    flat, heel_off, _ = contact.since_strike()
    events = on, min(max(flat, on), off), min(max(heel_off, on), off), off
    return ContactPhases(*((contact.strike + float(x)) % 1.0 for x in events))


def rephased(cycle: Cycle, by: float) -> Cycle:
    """The same motion with phase 0 at phase `by` of the cycle."""
    return dataclasses.replace(cycle, coefficients=shifted(cycle.coefficients, by),
                               contact_phases={side: c.shifted(-by) for side, c in cycle.contact_phases.items()})
LEAST_TURNING_RAD_S = np.radians(5.0)


def circle_of_clip(path: str | Path) -> float:
    """Radius over leg length, left positive, of the circle that a clip's strides go round. Raises ClipError where it goes
    straight."""
    motion = retarget(read_bvh(path))
    joints = channel_values(motion.body, motion.joint_quaternions)
    tracks = [stride_samples(motion, joints, stride)[1] for stride in find_strides(motion, find_contacts(motion))]
    speed, turning = (float(np.mean([getattr(t, name) for t in tracks])) for name in ("speed_m_s", "turning_rad_s"))
    if abs(turning) < LEAST_TURNING_RAD_S:
        raise ClipError(f"{path} goes straight: it turns by {np.degrees(turning):.1f} degrees a second on "
                        "average. A gait that goes in a circle needs a clip of that.")
    return speed / turning / motion.skeleton.leg_length_m


def mean_cycle(cycles: Sequence[Cycle], name: str, source: str) -> Cycle:
    """The mean of several cycles, all brought to the same dimensionless form (leg length, and time sqrt(l / g))."""
    if not cycles:
        raise ClipError("A mean needs at least one cycle.")
    harmonics = max(c.harmonics for c in cycles)
    leg = float(np.mean([c.leg_length_m for c in cycles]))
    root = np.sqrt([EARTH_GRAVITY_M_S2 * c.leg_length_m for c in cycles])
    speed = np.mean([c.speed_m_s for c in cycles] / root) * np.sqrt(EARTH_GRAVITY_M_S2 * leg)
    rate = np.mean([c.stride_frequency_hz * c.leg_length_m for c in cycles] / root) * np.sqrt(EARTH_GRAVITY_M_S2 / leg)
    width = np.mean([c.step_width_m / c.leg_length_m for c in cycles]) * leg
    right = float(np.mean([c.contact_phases["R"].strike for c in cycles]))
    since = {s: np.mean([c.contact_phases[s].since_strike() for c in cycles], axis=0) for s in "LR"}
    contacts = {s: ContactPhases(0.0, *(float(x) for x in since[s])) for s in "LR"}
    return dataclasses.replace(
        cycles[0], name=name, source=source, speed_m_s=float(speed), stride_frequency_hz=float(rate), leg_length_m=leg,
        step_width_m=float(width), contact_phases={"L": contacts["L"], "R": contacts["R"].shifted(right)},
        coefficients=np.mean([_padded(c.coefficients, harmonics) for c in cycles], axis=0))


def _padded(coefficients: np.ndarray, harmonics: int) -> np.ndarray:
    """Coefficients with zeros for the harmonics they lack."""
    h = (coefficients.shape[1] - 1) // 2
    gap = np.zeros((len(coefficients), harmonics - h))
    return np.hstack([coefficients[:, :h + 1], gap, coefficients[:, h + 1:], gap])


def with_level_head(cycle: Cycle) -> Cycle:
    """The cycle with the head's mean pitch changed so that it looks at the horizon on average; its nodding stays."""
    trunk = ("root", "lower_spine", "chest", "neck", "head")
    names = layout().names
    coefficients = cycle.coefficients.copy()
    coefficients[names.index("head.ry"), 0] -= sum(coefficients[names.index(f"{part}.ry"), 0] for part in trunk)
    return dataclasses.replace(cycle, coefficients=coefficients)


def with_trunk_lean(cycle: Cycle, lean_rad: float) -> Cycle:
    """The cycle with the chest leaning forward by `lean_rad` on average, changed in the lower spine; the head keeps its pitch."""
    names = layout().names
    coefficients = cycle.coefficients.copy()
    mean = {part: names.index(f"{part}.ry") for part in ("root", "lower_spine", "chest", "head")}
    change = lean_rad - sum(coefficients[mean[part], 0] for part in ("root", "lower_spine", "chest"))
    coefficients[mean["lower_spine"], 0] += change
    coefficients[mean["head"], 0] -= change
    return dataclasses.replace(cycle, coefficients=coefficients)
TOGETHER = 0.15
"""Largest share of a hop by which its feet may land apart."""


def cycle_from_hops(path: str | Path) -> Cycle:
    """The mean hop of a BVH clip, both sides doing the same. Raises ClipError for a clip without two hops in a row."""
    motion = retarget(read_bvh(path))
    contacts = find_contacts(motion)
    return in_phase(fit_cycle(motion, contacts, _hops(contacts, str(path))))


def _hops(contacts: list[Contact], path: str) -> list[Stride]:
    """Strides from a landing of both feet to the next one, the unusually long or short ones left out."""
    left, right = (np.array([c.strike_s for c in contacts if c.side == side and np.isfinite(c.strike_s)]) for side in "LR")
    hops = []
    for start, end in zip(left, left[1:], strict=False):
        apart = (right - start) / (end - start) if len(right) else np.array([np.inf])
        nearest = float(apart[np.abs(apart).argmin()])
        if abs(nearest) <= TOGETHER:
            hops.append(Stride("L", float(start), float(end), nearest, 0.0, 0.0))
    if not hops:
        raise ClipError(f"{path} holds no hops: nowhere do both feet land together twice in a row.")
    usual = float(np.median([h.duration_s for h in hops]))
    return [h for h in hops if abs(h.duration_s / usual - 1.0) < DURATION_SPREAD]


def save_gait(cycle: Cycle, path: str | Path) -> None:
    """Write a cycle as JSON, one line a channel. Raises InputError where the place cannot be written."""
    data = cycle.to_dict()
    channels = data.pop("channels")
    head = json.dumps(data, indent=1, ensure_ascii=False)[:-2]
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(series)}" for name, series in channels.items())
    write_whole(path, f"{head},\n \"channels\": {{\n{lines}\n }}\n}}\n", "gait")


def straightened_cycle(path: str | Path, flexion_rad: float) -> Cycle:
    """`fitting.cycle_from_clip` of a clip whose leg bones are first set so that its knees straighten to a flexion."""
    motion = retarget(read_bvh(path))
    contacts = find_contacts(motion)
    strides, steps = find_repeats(motion, contacts)
    motion = with_straightest_knee(motion, flexion_rad)
    return fit_cycle(motion, contacts, strides) if strides else fit_steps(motion, contacts, steps)


STRAIGHTEST_SHARE = 0.03  # share of the frames in which the knee may be straighter still
LARGEST_CHANGE = 0.06  # of the bones' length; more is no error of measurement


def with_straightest_knee(motion: Motion, flexion_rad: float) -> Motion:
    """The motion with thighs and shanks scaled so that each knee's straightest flexion is `flexion_rad`.

    Hips, ankles and feet stay where they are; only the knees move, in their plane. Marker sets place hip and ankle centres
    to a centimetre, so the bones of a captured leg are often a little too long and its knee never straightens. Raises
    ClipError where the bones would have to change by more than measurement can explain (a crouched gait).
    """
    positions, quats = motion.poses()
    body, index = motion.body, motion.body.index
    turns = {name: matrix_from_quat(quats[:, i]) for name, i in index.items()}
    rest = dict(motion.skeleton.rest)
    joints = motion.joint_quaternions.copy()
    factors = []
    for side in SIDES:
        thigh, shank, foot = f"thigh_{side}", f"shank_{side}", f"foot_{side}"
        a, b = (np.linalg.norm(body.segment(s).offset) for s in (shank, foot))
        way = positions[:, index[foot]] - positions[:, index[thigh]]
        d = np.linalg.norm(way, axis=1)
        factor = np.quantile(d, 1.0 - STRAIGHTEST_SHARE) / np.sqrt(a * a + b * b + 2.0 * a * b * np.cos(flexion_rad))
        if abs(factor - 1.0) > LARGEST_CHANGE:
            raise ClipError(f"{motion.clip.path}: the {side} knee never comes near {np.degrees(flexion_rad):.0f} degrees; "
                            f"its leg bones would have to change by {100.0 * (factor - 1.0):+.0f} %. Fit this gait without "
                            "straight knees.")
        factors.append(factor)
        a, b = a * factor, b * factor
        reach = np.minimum(d, a + b)
        flexion = np.pi - np.arccos(np.clip((a * a + b * b - reach**2) / (2.0 * a * b), -1.0, 1.0))
        lead = np.arccos(np.clip((a * a + reach**2 - b * b) / (2.0 * a * reach), -1.0, 1.0))[:, None]
        left, down = turns[thigh][:, :, 1], way / d[:, None]
        along = np.cos(lead) * down - np.sin(lead) * np.cross(left, down)
        turned = np.stack([np.cross(left, -along), left, -along], axis=2)
        lower = turned @ about_y(flexion)
        for name, relative in ((thigh, np.swapaxes(turns["pelvis"], 1, 2) @ turned), (shank, about_y(flexion)),
                               (foot, np.swapaxes(lower, 1, 2) @ turns[foot])):
            joints[:, index[name] - 1] = quat_from_matrix(relative)
        _shorten(rest, side, factor)
    leg = motion.skeleton.leg_length_m * float(np.mean(factors))
    rest = sole_at_zero(rest, leg)
    skeleton = dataclasses.replace(motion.skeleton, rest=rest, leg_length_m=leg)
    body = Human.from_landmarks(rest, body.mass_kg)
    return dataclasses.replace(motion, body=body, skeleton=skeleton, joint_quaternions=joints)


def _shorten(rest: dict[str, np.ndarray], side: str, factor: float) -> None:
    """Scale a leg's bones in the rest landmarks, in place: hips and all above stay, the foot moves with the ankle."""
    hip, knee, ankle = (rest[f"{n}_{side}"] for n in ("hip", "knee", "ankle"))
    new_knee = hip + factor * (knee - hip)
    new_ankle = new_knee + factor * (ankle - knee)
    for name in ("ankle", "heel", "toes", "toe_tip"):
        if f"{name}_{side}" in rest:
            rest[f"{name}_{side}"] = rest[f"{name}_{side}"] + new_ankle - ankle
    rest[f"knee_{side}"] = new_knee
