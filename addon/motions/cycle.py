# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait as a periodic function of phase: Fourier series with exact derivatives, and the figures that go with them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from ..bodies.body import Body
from ..bodies.makers import make_body
from ..checks import Choice, Maybe, Number, Part, Series, Table, Text, Whole
from ..errors import ClipError, InputError
from ..maths.curves import basis_at, coefficients_of, derivative_of, shifted
from ..maths.rotations import quat_from_rotvec, rotvec_from_quat
from ..specs.settings import Checked, setting
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec

SCHEMA = "lope-cycle"
PHASE = Number(0.0, 1.0, "cycles")
COEFFICIENT = Number(-1e3, 1e3, "rad or leg lengths")


@dataclass(frozen=True)
class PhasesFile(Checked):
    WHOSE, FIELD = "The contact phase", "contact phase"
    strike: float = setting(rule=PHASE)
    flat: float = setting(rule=PHASE)
    heel_off: float = setting(rule=PHASE)
    toe_off: float = setting(rule=PHASE)


@dataclass(frozen=True)
class SidesFile(Checked):
    FIELD = "side"
    L: PhasesFile = setting(rule=Part(PhasesFile))
    R: PhasesFile = setting(rule=Part(PhasesFile))


@dataclass(frozen=True)
class SeriesFile(Checked):
    WHOSE, FIELD = "A channel's", "channel field"
    mean: float = setting(rule=COEFFICIENT)
    cos: tuple[float, ...] = setting(rule=Series(COEFFICIENT))
    sin: tuple[float, ...] = setting(rule=Series(COEFFICIENT))


@dataclass(frozen=True)
class CircleFile(Checked):
    WHOSE, FIELD = "The default path's", "default path field"
    kind: str = setting(rule=Choice("kind of default path", ("circle",)))
    radius_leg_lengths: float = setting(rule=Number(-100.0, 100.0, "leg lengths"))


@dataclass(frozen=True)
class CycleFile(Checked):
    FIELD = "gait field"
    schema: str = setting(rule=Choice("schema", (SCHEMA,)))
    format: int = setting(rule=Whole(1))
    name: str = setting(rule=Text())
    source: str = setting(rule=Text())
    speed_m_s: float = setting(rule=Number(0.05, 15.0, "m/s"))
    stride_frequency_hz: float = setting(rule=Number(0.05, 10.0, "Hz"))
    leg_length_m: float = setting(rule=Number(0.1, 3.0, "m"))
    step_width_m: float = setting(rule=Number(-1.0, 1.0, "m"))
    contact_phases: SidesFile = setting(rule=Part(SidesFile))
    channels: dict[str, SeriesFile] = setting(rule=Table(Part(SeriesFile)))
    default_path: CircleFile | None = setting(None, rule=Maybe(Part(CircleFile)))
    sided: bool = setting(False)


ROOT_CHANNELS = ("root.x", "root.y", "root.z", "root.rx", "root.ry", "root.rz")


@dataclass(frozen=True)
class Layout:
    """Where the channels stand: `names` (54,), `slices` of a segment, `axes`: a segment's hinge axis (3,), None for a ball.
    `mirror_order` and `mirror_sign` (54,) make the mirror image of a pose: `values[..., mirror_order] * mirror_sign`."""

    names: tuple[str, ...]
    slices: dict[str, slice]
    axes: dict[str, np.ndarray | None]
    mirror_order: np.ndarray
    mirror_sign: np.ndarray


@cache
def ankle_height_per_leg() -> float:
    """Height of the ankle centre over the sole of the standard body, in leg lengths: what `root.z` counts for the foot."""
    body = make_body(BodySpec())
    return -body.sole_height_m / body.leg_length_m


@cache
def layout() -> Layout:
    """Channels of the standard body: the root's six, then each joint's in the order of `Body.joint_segments`."""
    names, slices, axes = list(ROOT_CHANNELS), {}, {}
    for segment in make_body(BodySpec()).segments[1:]:
        new = [segment.name] if segment.joint == "hinge" else [f"{segment.name}.{k}" for k in ("rx", "ry", "rz")]
        slices[segment.name] = slice(len(names), len(names) + len(new))
        axes[segment.name] = segment.axis
        names += new
    swap = {"_L": "_R", "_R": "_L"}
    order, sign = [], []
    for name in names:
        stem, dot, part = name.partition(".")
        order.append(names.index(stem[:-2] + swap[stem[-2:]] + dot + part if stem[-2:] in swap else name))
        sign.append(-1.0 if part in ("y", "rx", "rz") else 1.0)
    return Layout(tuple(names), slices, axes, np.array(order), np.array(sign))


def channel_values(body: Body, joint_quaternions: np.ndarray) -> np.ndarray:
    """Joint channels (T, 48) of a motion's joint quaternions (T, S-1, 4); joints that the body lacks stay at zero. Rotation
    vectors are continuous in time."""
    places = layout()
    values = np.zeros((len(joint_quaternions), len(places.names) - 6))
    for i, name in enumerate(body.joint_segments):
        vectors = continuous_rotvec(joint_quaternions[:, i])
        axis, where = places.axes[name], places.slices[name]
        values[:, where.start - 6:where.stop - 6] = vectors if axis is None else (vectors @ axis)[:, None]
    return values


def continuous_rotvec(quaternions: np.ndarray) -> np.ndarray:
    """Rotation vectors (T, 3) of quaternions (T, 4) without jumps of a whole turn."""
    vectors = rotvec_from_quat(quaternions)
    for t in range(1, len(vectors)):
        angle = np.linalg.norm(vectors[t])
        if angle > 1e-9:
            axis = vectors[t] / angle
            vectors[t] += axis * 2.0 * np.pi * np.round(((vectors[t - 1] - vectors[t]) @ axis) / (2.0 * np.pi))
    return vectors


def pose(values: np.ndarray, body: Body) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A body's pose from channel values (..., 54) as `Cycle.evaluate` gives them, lengths in leg lengths. Returns the root's
    position (..., 3) [m] in the travelling frame, its quaternion (..., 4) relative to the heading, and the joint quaternions
    (..., S-1, 4) in the order of `body.joint_segments`. Channels of joints that the body lacks go unused. A body whose ankles
    stand higher over the sole than the standard body's has its root higher by as much."""
    places = layout()
    joints = []
    for name in body.joint_segments:
        part = values[..., places.slices[name]]
        axis = places.axes[name]
        joints.append(quat_from_rotvec(part if axis is None else part * axis))
    root = values[..., :3] * body.leg_length_m
    root[..., 2] -= body.sole_height_m + ankle_height_per_leg() * body.leg_length_m
    return root, quat_from_rotvec(values[..., 3:6]), np.stack(joints, axis=-2)


FORMAT = 1
DIGITS = 6


@dataclass(frozen=True)
class ContactPhases:
    """One foot's stance as fractions of the cycle in [0, 1), counted from the left heel strike; all wrap at 1."""

    strike: float
    flat: float
    heel_off: float
    toe_off: float

    @property
    def stance(self) -> float:
        """Share of the cycle that the foot is down: the duty factor."""
        return (self.toe_off - self.strike) % 1.0

    def shifted(self, by: float) -> ContactPhases:
        return ContactPhases(*((x + by) % 1.0 for x in dataclasses.astuple(self)))

    def since_strike(self) -> np.ndarray:
        """(flat, heel off, toe off) as fractions after the strike."""
        return (np.array([self.flat, self.heel_off, self.toe_off]) - self.strike) % 1.0


@dataclass(frozen=True)
class Cycle:
    """A gait: 54 channels (see `channels.layout`) as Fourier series of the phase; phase 0 is the left heel strike. `coefficients`
    (54, 2 H + 1): mean, H cosines, H sines. Root x, y, z are multiples of the leg length, relative to a frame that travels at the
    mean speed along the heading, z above the sole plane (for feet of the standard body's proportions). Angles are radians:
    rotation vectors of the root relative to the heading and of each ball joint relative to its parent, one angle a hinge.
    `circle_radius_legs` is the radius over leg length, positive to the left, of the circle that the gait goes round when no path
    is asked for; 0 for gaits that go straight."""

    name: str
    source: str
    speed_m_s: float
    stride_frequency_hz: float
    leg_length_m: float
    step_width_m: float
    contact_phases: dict[str, ContactPhases]
    coefficients: np.ndarray
    circle_radius_legs: float = 0.0
    sided: bool = False
    """Whether left and right do different things on purpose, or the same at once: such a cycle is not to be symmetrised."""
    own_duty_factor: float | None = None
    """Duty factor that a retimed cycle had before; None for one as it was captured."""

    def __post_init__(self) -> None:
        coefficients = np.array(self.coefficients, dtype=float)
        channels = len(layout().names)
        if coefficients.ndim != 2 or coefficients.shape[0] != channels or coefficients.shape[1] % 2 == 0:
            raise ClipError(f"A cycle needs {channels} channels of an odd number of coefficients, got {coefficients.shape}.")
        if not np.all(np.isfinite(coefficients)):
            raise ClipError(f"The cycle {self.name!r} holds coefficients that are not finite.")
        coefficients.setflags(write=False)
        object.__setattr__(self, "coefficients", coefficients)

    @property
    def harmonics(self) -> int:
        return (self.coefficients.shape[1] - 1) // 2

    @cached_property
    def _matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coefficients of the function and of its first two derivatives, transposed (2 H + 1, 54)."""
        slope = derivative_of(self.coefficients)
        value, first, second = (np.ascontiguousarray(m.T) for m in (self.coefficients, slope, derivative_of(slope)))
        return value, first, second

    def evaluate(self, phase: float | np.ndarray, derivative: int = 0) -> np.ndarray:
        """Channels (..., 54) at `phase` (...,), or their first or second derivative with respect to phase; exact."""
        return basis_at(phase, self.harmonics) @ self._matrices[derivative]

    def part(self, channels: Sequence[slice]) -> CyclePart:
        """Some of the channels as a function of their own, in the order given."""
        columns = np.concatenate([np.arange(*where.indices(len(self.coefficients))) for where in channels])
        return CyclePart(self._matrices[0][:, columns])

    @property
    def root_height_m(self) -> float:
        """Mean height of the pelvis origin above the sole plane, for the cycle's own leg length."""
        return float(self.coefficients[2, 0] * self.leg_length_m)

    @property
    def froude(self) -> float:
        """Froude number v^2 / (g l) on Earth, l being the leg length (thigh and shank)."""
        return self.speed_m_s**2 / (EARTH_GRAVITY_M_S2 * self.leg_length_m)

    @property
    def duty_factor(self) -> float:
        """Share of the cycle that one foot is down, mean of both."""
        return 0.5 * (self.contact_phases["L"].stance + self.contact_phases["R"].stance)

    @property
    def reference_duty_factor(self) -> float:
        return self.duty_factor if self.own_duty_factor is None else self.own_duty_factor

    @property
    def stride_length_m(self) -> float:
        return self.speed_m_s / self.stride_frequency_hz

    def mirrored(self) -> Cycle:
        left = self.contact_phases["R"].strike
        places = layout()
        moved = shifted(self.coefficients, left)[places.mirror_order] * places.mirror_sign[:, None]
        contacts = {"L": self.contact_phases["R"].shifted(-left), "R": self.contact_phases["L"].shifted(-left)}
        return dataclasses.replace(self, coefficients=moved, contact_phases=contacts)

    def symmetrised(self) -> Cycle:
        """The cycle in which the right side does exactly what the left does, half a cycle later."""
        mean = 0.5 * (self.coefficients + self.mirrored().coefficients)
        places = layout()
        half = shifted(mean, 0.5)[places.mirror_order] * places.mirror_sign[:, None]
        since = 0.5 * (self.contact_phases["L"].since_strike() + self.contact_phases["R"].since_strike())
        left = ContactPhases(0.0, *(float(x) for x in since))
        contacts = {"L": left, "R": left.shifted(0.5)}
        return dataclasses.replace(self, coefficients=0.5 * (mean + half), contact_phases=contacts)

    def to_dict(self) -> dict[str, Any]:
        """JSON form; `from_dict` gives the cycle back to six digits."""
        h = self.harmonics
        series = {name: {"mean": round(float(c[0]), DIGITS), "cos": [round(float(x), DIGITS) for x in c[1:h + 1]],
                         "sin": [round(float(x), DIGITS) for x in c[h + 1:]]}
                  for name, c in zip(layout().names, self.coefficients, strict=True)}
        figures: dict[str, Any] = {f: round(float(getattr(self, f)), DIGITS)
                   for f in ("speed_m_s", "stride_frequency_hz", "leg_length_m", "step_width_m")}
        contacts = {side: {k: round(v, DIGITS) for k, v in dataclasses.asdict(c).items()}
                    for side, c in self.contact_phases.items()}
        if self.circle_radius_legs:
            figures["default_path"] = {"kind": "circle", "radius_leg_lengths": round(self.circle_radius_legs, DIGITS)}
        sided = {"sided": True} if self.sided else {}
        return {"schema": SCHEMA, "format": FORMAT, "name": self.name, "source": self.source, **sided, **figures,
                "contact_phases": contacts, "channels": series}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "This cycle") -> Cycle:
        """The cycle that `to_dict` wrote. `where` names the file in messages. Raises ClipError saying what is wrong."""
        if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
            raise ClipError(f"{where} is not a gait: expected a JSON object with \"schema\": \"{SCHEMA}\".")
        if not isinstance(data.get("format"), int) or not 1 <= data["format"] <= FORMAT:
            raise ClipError(f"{where} has gait format {data.get('format')!r}; this Lope reads formats 1 to {FORMAT}. "
                            "Update Lope.")
        try:
            found = CycleFile.from_dict(data)
        except InputError as error:
            raise ClipError(f"{where} is damaged: {error}") from error
        contacts = {side: ContactPhases(**vars(getattr(found.contact_phases, side))) for side in "LR"}
        return cls(found.name, found.source, float(found.speed_m_s), float(found.stride_frequency_hz),
                   float(found.leg_length_m), float(found.step_width_m), contacts, _read_channels(found.channels, where),
                   _read_circle(found.default_path, where), found.sided)


class CyclePart:
    """Some channels of a cycle, without the others' cost. `mean` (C,) is theirs over the cycle."""

    def __init__(self, matrix: np.ndarray) -> None:
        self._matrix, self._harmonics, self.mean = np.ascontiguousarray(matrix), len(matrix) // 2, matrix[0]

    def evaluate(self, phase: float | np.ndarray) -> np.ndarray:
        """Channels (..., C) at `phase` (...,); see `Cycle.evaluate`."""
        return basis_at(phase, self._harmonics) @ self._matrix


def _read_circle(path: CircleFile | None, where: str) -> float:
    """Radius over leg length of a gait's default path; 0 where it has none."""
    radius = 0.0 if path is None else float(path.radius_leg_lengths)
    if path is not None and abs(radius) < 0.3:
        raise ClipError(f"{where} has a default circle of {radius:g} leg lengths; expected at least 0.3 to either side.")
    return radius


def _read_channels(series: Mapping[str, SeriesFile], where: str) -> np.ndarray:
    """Coefficients (54, 2 H + 1) from the file's channels."""
    names = layout().names
    missing, unknown = sorted(set(names) - set(series)), sorted(set(series) - set(names))
    if missing or unknown:
        raise ClipError(f"{where} has the wrong channels (missing: {', '.join(missing) or 'none'}; unknown: "
                        f"{', '.join(unknown) or 'none'}).")
    counts = {len(part) for n in names for part in (series[n].cos, series[n].sin)}
    if len(counts) != 1:
        raise ClipError(f"{where} has channels with different numbers of harmonics ({sorted(counts)}).")
    return np.array([[series[n].mean, *series[n].cos, *series[n].sin] for n in names], dtype=float)


SAMPLES = 64
HARMONICS = range(6, 9)
RESIDUAL_RAD = np.radians(0.4)  # root mean square over all angles that the left-out harmonics may have


def fourier_coefficients(spectrum: np.ndarray) -> np.ndarray:
    """Real coefficients (54, 2 H + 1) of a cycle's spectrum (F, 54), `rfft` over the number of samples."""
    return coefficients_of(spectrum, _harmonics_needed(spectrum))


def _harmonics_needed(spectrum: np.ndarray) -> int:
    """Least number of harmonics that leaves out less than the allowed residual."""
    power = 2.0 * np.mean(np.abs(spectrum[:, 3:]) ** 2, axis=1)
    for h in HARMONICS:
        if np.sqrt(power[h + 1:].sum()) < RESIDUAL_RAD:
            return h
    return HARMONICS[-1]
