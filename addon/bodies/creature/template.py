# SPDX-License-Identifier: GPL-3.0-or-later
"""A creature by a few sizes: legs of a kind, a trunk, a neck, a tail, arms; and its shape as it stands over its feet.
Creatures by name, from the shipped templates or an artist's own file: a template, or a shape as a rig was read."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...checks import Choice, Maybe, Number, Series, Text, Whole
from ...errors import InputError
from ...specs.creature import SIDES, Creature, CreaturePart, read_creature
from ...specs.settings import PRESETS, Checked, file_of, names_in, read_json, read_preset, setting
from .feet import centre_of_mass_m

FORMAT = 1
LENGTH, RADIUS = Number(0.02, 10.0, "m"), Number(0.005, 5.0, "m")
LEGS = ("human", "inverted")
"""Knees that fold back, and birds' legs, whose last joint above the foot folds forward."""
LEG_NAMES = {2: ("thigh", "shank"), 3: ("thigh", "shank", "metatarsus"), 4: ("thigh", "shank", "hock", "metatarsus")}
ARM_NAMES = ("upper_arm", "forearm")
STANDS_DEG = {"human": 12.0, "inverted": 60.0}
"""How far each joint of a leg is bent as it stands, where the template says nothing."""
MOST_LEAN = 0.5
"""Sine of the farthest lean of a leg that brings the feet under the body."""
ROUNDS = 30


@dataclass(frozen=True)
class Template(Checked):
    """Sizes of a creature. Lengths of legs and arms are listed from the body outward, a leg's radii with its foot's at the end;
    necks and tails taper to `taper` of their radius. The trunk's pitch is 0 where it lies and 90 where it stands, a neck's and a
    tail's the angle over the horizon, forward and backward. Hips lie at `hips_share` of the trunk from its rear end; unsaid, they
    lie under what they carry. `foot_m` is a whole sole, `heel_share` what lies behind its joint, `foot_height_m` high."""

    WHOSE, FIELD = "The template's", "field of a creature's template"
    name: str = setting(rule=Text())
    leg_m: tuple[float, ...] = setting(rule=Series(LENGTH), words="leg")
    leg_radius_m: tuple[float, ...] = setting(rule=Series(RADIUS))
    foot_m: float = setting(rule=LENGTH)
    trunk_m: float = setting(rule=LENGTH)
    trunk_radius_m: float = setting(rule=RADIUS)
    legs: str = setting("human", rule=Choice("kind of legs", LEGS))
    bend_deg: tuple[float, ...] | None = setting(None, rule=Maybe(Series(Number(0.0, 140.0, "degrees"))))
    heel_share: float = setting(0.25, 0.0, 0.5)
    foot_height_m: float = setting(0.08, 0.01, 1.0, "m")
    foot_width_m: float | None = setting(None, rule=Maybe(Number(0.01, 2.0, "m")))
    hip_width_m: float = setting(0.2, 0.02, 5.0, "m")
    hips_share: float | None = setting(None, rule=Maybe(Number(0.0, 1.0)))
    trunk_pitch_deg: float = setting(80.0, -30.0, 90.0, "degrees")
    neck: int = setting(1, rule=Whole(0, 16), words="number of the neck's segments")
    neck_m: float = setting(0.1, rule=LENGTH)
    neck_pitch_deg: float = setting(80.0, -60.0, 90.0, "degrees")
    neck_radius_m: float = setting(0.04, rule=RADIUS)
    head_m: float = setting(0.18, rule=LENGTH)
    head_pitch_deg: float = setting(0.0, -90.0, 90.0, "degrees")
    head_radius_m: float = setting(0.06, rule=RADIUS)
    tail: int = setting(0, rule=Whole(0, 16), words="number of the tail's segments")
    tail_m: float = setting(0.1, rule=LENGTH)
    tail_pitch_deg: float = setting(0.0, -80.0, 80.0, "degrees")
    tail_radius_m: float = setting(0.05, rule=RADIUS)
    taper: float = setting(0.6, 0.1, 1.0)
    arm_m: tuple[float, ...] = setting((), rule=Series(LENGTH), words="arm")
    arm_radius_m: float = setting(0.04, rule=RADIUS)
    shoulder_width_m: float = setting(0.36, 0.02, 5.0, "m")
    summary: str = setting("a creature of these sizes", rule=Text())
    source: str = setting("sizes of a template", rule=Text())
    format: int = setting(FORMAT, rule=Whole(1, FORMAT))

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.leg_m) not in LEG_NAMES:
            raise InputError(f"The template {self.name} has legs of {len(self.leg_m)} segments over the foot: give the lengths "
                             "of 2 to 4.")
        if len(self.leg_radius_m) != len(self.leg_m) + 1:
            raise InputError(f"The template {self.name} gives {len(self.leg_radius_m)} radii of a leg of {len(self.leg_m)} "
                             "segments: give one for each, and the foot's at the end.")
        if self.bend_deg is not None and len(self.bend_deg) != len(self.leg_m) - 1:
            raise InputError(f"The template {self.name} bends {len(self.bend_deg)} joints of a leg that has "
                             f"{len(self.leg_m) - 1} between hip and foot: give one angle for each.")
        if len(self.arm_m) > len(ARM_NAMES):
            raise InputError(f"The template {self.name} has arms of {len(self.arm_m)} segments: give {len(ARM_NAMES)} at most.")

    @property
    def bends(self) -> tuple[float, ...]:
        """Angle [rad] of each joint between hip and foot as it stands, positive where it folds back."""
        joints = len(self.leg_m) - 1
        last = 1 if self.legs == "human" and joints % 2 else -1
        angles = self.bend_deg or (STANDS_DEG[self.legs],) * joints
        return tuple(math.radians(angle) * last * (-1) ** (joints - 1 - i) for i, angle in enumerate(angles))

    def creature(self) -> Creature:
        """The shape, standing with the middle of its soles under its centre of mass as far as its legs can lean."""
        upper = self._upper()
        share = self.hips_share
        rear, front = (np.array(place) for place in (upper[0].joint_m, upper[0].tip_m))
        if share is None:
            along = front[0] - rear[0]
            upright = abs(along) < 0.2 * self.trunk_m
            share = 0.0 if upright else float(np.clip((centre_of_mass_m(upper)[0] - rear[0]) / along, 0.1, 0.9))
        hips, lean = rear + share * (front - rear), 0.0
        for _ in range(ROUNDS):
            legs = self._legs(hips, lean)
            foot = next(part for part in legs if part.name == "foot_L")
            middle = foot.joint_m[0] + (0.5 - self.heel_share) * self.foot_m
            reach = math.hypot(foot.joint_m[0] - hips[0], foot.joint_m[2] - hips[2])
            now = (foot.joint_m[0] - hips[0]) / reach
            wanted = np.clip(now + 0.7 * (centre_of_mass_m([*upper, *legs])[0] - middle) / reach, -MOST_LEAN, MOST_LEAN)
            lean += math.asin(wanted) - math.asin(now)
        up = self.foot_height_m - foot.joint_m[2]
        raised = (dataclasses.replace(part, joint_m=_place(np.add(part.joint_m, (0.0, 0.0, up))),
                                      tip_m=_place(np.add(part.tip_m, (0.0, 0.0, up)))) for part in (*upper, *legs))
        return Creature(self.name, tuple(raised), self.source)

    def _upper(self) -> list[CreaturePart]:
        """Trunk, neck, head, tail and arms, the trunk's rear end at zero."""
        trunk = _chain(["trunk"], "trunk", None,
                       Line((0.0, 0.0, 0.0), _way(self.trunk_pitch_deg), self.trunk_m, self.trunk_radius_m))
        front, rear = trunk[0].tip_m, trunk[0].joint_m
        neck = _chain([f"neck_{i + 1}" for i in range(self.neck)], "neck", "trunk",
                      Line(front, _way(self.neck_pitch_deg), self.neck_m, self.neck_radius_m, self.taper))
        above, start = (neck[-1].name, neck[-1].tip_m) if neck else ("trunk", front)
        head = _chain(["head"], "head", above, Line(start, _way(self.head_pitch_deg), self.head_m, self.head_radius_m))
        tail = _chain([f"tail_{i + 1}" for i in range(self.tail)], "tail", "trunk",
                      Line(rear, _way(180.0 - self.tail_pitch_deg), self.tail_m, self.tail_radius_m, self.taper))
        arms: list[CreaturePart] = []
        for side, left in zip(SIDES, (0.5, -0.5), strict=True):
            parent, place = "trunk", (front[0], left * self.shoulder_width_m, front[2])
            for name, length in zip(ARM_NAMES, self.arm_m, strict=False):
                arms += _chain([f"{name}_{side}"], "arm", parent, Line(place, _way(-90.0), length, self.arm_radius_m), side)
                parent, place = arms[-1].name, arms[-1].tip_m
        return [*trunk, *neck, *head, *tail, *arms]

    def _legs(self, hips: np.ndarray, lean: float) -> list[CreaturePart]:
        """Both legs under the hips' middle, the thighs turned forward by `lean` [rad] from where they hang."""
        made: list[CreaturePart] = []
        for side, left in zip(SIDES, (0.5, -0.5), strict=True):
            parent, angle = "trunk", lean
            place = (float(hips[0]), left * self.hip_width_m, float(hips[2]))
            for i, name in enumerate(LEG_NAMES[len(self.leg_m)]):
                angle -= self.bends[i - 1] if i else 0.0
                line = Line(place, (math.sin(angle), 0.0, -math.cos(angle)), self.leg_m[i], self.leg_radius_m[i])
                made += _chain([f"{name}_{side}"], "leg", parent, line, side)
                if i:
                    made[-1] = dataclasses.replace(made[-1], bend=int(math.copysign(1.0, self.bends[i - 1])))
                parent, place = made[-1].name, made[-1].tip_m
            ahead = (1.0 - self.heel_share) * self.foot_m
            down = max(self.foot_height_m - self.leg_radius_m[-1], 0.0)
            tip = _place(np.add(place, (ahead, 0.0, -down)))
            made.append(CreaturePart(f"foot_{side}", "leg", place, tip, self.leg_radius_m[-1], parent, side,
                                     heel_m=self.heel_share * self.foot_m, width_m=self.foot_width_m))
        return made


def _way(pitch_deg: float) -> tuple[float, float, float]:
    """The direction so far over the horizon, forward."""
    return math.cos(math.radians(pitch_deg)), 0.0, math.sin(math.radians(pitch_deg))


class Line(NamedTuple):
    """Where a line of parts begins [m], its direction, each part's length [m], and the first radius [m], down to `taper`."""

    start: Sequence[float]
    way: Sequence[float]
    length: float
    radius: float
    taper: float = 1.0


def _chain(names: Sequence[str], kind: str, parent: str | None, line: Line, side: str = "") -> list[CreaturePart]:
    made: list[CreaturePart] = []
    places = [_place(np.add(line.start, i * line.length * np.array(line.way))) for i in range(len(names) + 1)]
    for i, name in enumerate(names):
        thick = line.radius * (1.0 - (1.0 - line.taper) * i / max(len(names) - 1, 1))
        made.append(CreaturePart(name, kind, places[i], places[i + 1], thick, parent, side))
        parent = name
    return made


def _place(numbers: np.ndarray) -> tuple[float, float, float]:
    """A place [m] to the nanometre, so that files stay short."""
    x, y, z = (round(float(number), 9) + 0.0 for number in numbers)
    return x, y, z


FOLDER = PRESETS / "creatures"
RIG_FILES = (".blend", ".fbx", ".glb", ".gltf", ".vrm", ".bvh")
"""Endings of files that hold a rig, of which a creature is read first."""


def creature_names() -> list[str]:
    return names_in(FOLDER)


def creature_from_file(path: Path) -> Creature:
    """The creature of a file, which holds its parts or a template. Raises InputError naming the file and what does not fit."""
    data = read_json(path, "creature")
    if isinstance(data, dict) and "parts" in data:
        return read_creature(path)
    return read_preset(path, Template, "creature's template", newest=FORMAT).creature()


def find_creature(name: str) -> Creature:
    """The creature of a shipped one's name, or of a file whose name ends in .json. Raises InputError for neither."""
    if Path(name).suffix.lower() in RIG_FILES and Path(name).is_file():
        raise InputError(f"{name} is a rig: read the creature from it first, lope creature from --blend {name} --out "
                         "creature.json, then give that file.")
    return creature_from_file(file_of(FOLDER, "creature", name))


