# SPDX-License-Identifier: GPL-3.0-or-later
"""What is other about a gait than about the healthy one of the same shot. A foot stands alone from the moment the other has left
the ground until it lands again; angles there are the largest of each such time, or their mean over it, and all are means over the
stances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..maths.rotations import matrix_from_quat, plane_angle
from ..sim.take import Take
from ..specs.shot import Shot
from .effort import FORCE
from .events import clean_stances, stances_of, steps_of
from .needs import HUMAN, TWO_FEET, WALKED, Group, Measured, answers, cost_of_transport, joint_powers
from .norms import joint_angles
from .strides import WholeStrides, known_strides, weight_n, whole_strides

LEG_UNITS: dict[str, str] = {
    "pelvic_drop_deg": "deg", "trunk_lean_deg": "deg", "knee_flexion_stance_deg": "deg", "hip_flexion_stance_deg": "deg",
    "push_off_deg": "deg", "push_off_power_w_kg": "W/kg", "step_length_m": "m", "step_time_s": "s", "stance_time_s": "s",
    "foot_force_over_mg": "", "muscle_force_n": "N",
}
"""What is measured of each leg, by names that end in _L and _R, and its unit."""
BOTH_UNITS: dict[str, str] = {
    "mean_speed_m_s": "m/s", "stride_length_m": "m", "stride_frequency_hz": "1/s", "step_width_m": "m",
    "asymmetry_step_length_percent": "%", "asymmetry_step_time_percent": "%", "asymmetry_stance_time_percent": "%",
}
UNITS: dict[str, str] = {**BOTH_UNITS, **{f"{name}_{side}": unit for name, unit in LEG_UNITS.items() for side in "LR"}}
LATE = 0.5
"""A foot pushes off in this last share of its stance."""


def signs(take: Take) -> Measured:
    """All of `UNITS`, as plain JSON values, and why some are not measured."""
    return answers(take, (Group(tuple(UNITS), _signs, (HUMAN, TWO_FEET, *WALKED), dict.fromkeys(
        UNITS, "not every stride has a stance of each foot alone") | dict.fromkeys(
        ("muscle_force_n_L", "muscle_force_n_R"), "no muscles move this body")),), tuple(UNITS))


def _signs(take: Take) -> dict[str, Any]:
    strides = known_strides(take)
    found: dict[str, Any] = _way(take, strides)
    stances = {side: stances_of(take, strides, row) for row, side in enumerate("LR")}
    if min(map(len, stances.values())) == 0:
        return found
    turns = {name: matrix_from_quat(take.segment_poses[1][:, take.body.index[name]])
             for name in (take.body.role("root"), take.body.role("trunk"))}
    powers, names = joint_powers(take), list(take.body.joint_segments)
    for row, side in enumerate("LR"):
        alone = _alone(take, stances[side], row)
        if not alone:
            continue
        outward = 1.0 if side == "L" else -1.0
        left, up = turns[take.body.role("root")][:, :, 1], turns[take.body.role("trunk")][:, :, 2]
        drop = np.degrees(outward * np.arcsin(np.clip(left[:, 2], -1.0, 1.0)))
        lean = np.degrees(outward * plane_angle((up * _level(left)).sum(axis=1), up[:, 2]))
        angles = joint_angles(take.body, take.segment_poses[1], side)
        late = [(take.time_s > end - LATE * (end - start)) & (take.time_s <= end) for start, end in stances[side]]
        power = powers[:, names.index(take.body.feet[row].segment)] / take.body.mass_kg
        found |= {
            f"pelvic_drop_deg_{side}": np.mean([drop[one].max() for one in alone]),
            f"trunk_lean_deg_{side}": np.mean([lean[one].max() for one in alone]),
            f"knee_flexion_stance_deg_{side}": np.mean([angles["knee"][one].mean() for one in alone]),
            f"hip_flexion_stance_deg_{side}": np.mean([angles["hip"][one].mean() for one in alone]),
            f"push_off_deg_{side}": np.mean([-angles["ankle"][one].min() for one in late]),
            f"push_off_power_w_kg_{side}": np.mean([power[one].max() for one in late]),
            f"stance_time_s_{side}": np.mean([end - start for start, end in stances[side]]),
            f"foot_force_over_mg_{side}": strides.mean(take.time_s, take.grf_n[:, row, 2] / weight_n(take)),
            **_muscles(take, strides, side),
        }
    return found | steps_of(take, strides, list(stances.values()))


def _way(take: Take, strides: WholeStrides) -> dict[str, Any]:
    way = float(strides.chords_m(take).sum())
    return {"mean_speed_m_s": way / strides.duration_s, "stride_length_m": way / strides.count,
            "stride_frequency_hz": strides.count / strides.duration_s}


def _alone(take: Take, stances: list[tuple[float, float]], row: int) -> list[np.ndarray]:
    """The samples (T,) of each stance of a foot in which the other does not stand, of those that have some."""
    others = [(start, end) for side, start, end in clean_stances(take) if side != row]
    stood = np.any([(take.time_s >= start) & (take.time_s <= end) for start, end in others], axis=0)
    found = [(take.time_s >= start) & (take.time_s <= end) & ~stood for start, end in stances]
    return [rows for rows in found if rows.any()]


def _level(axis: np.ndarray) -> np.ndarray:
    """Directions (T, 3), level and of length 1."""
    level = axis * [1.0, 1.0, 0.0]
    return level / np.linalg.norm(level, axis=1, keepdims=True)


def _muscles(take: Take, strides: WholeStrides, side: str) -> dict[str, Any]:
    """Mean over time of the sum of one side's muscle forces [N]."""
    if FORCE not in take.channels:
        return {}
    columns = [i for i, name in enumerate(take.stats["muscles"]) if name.endswith(f"_{side}")]
    return {f"muscle_force_n_{side}": strides.mean(take.time_s, take.channels[FORCE].values[:, columns].sum(axis=1))}


LABELS: dict[str, str] = {
    "mean_speed_m_s": "speed", "stride_length_m": "stride", "stride_frequency_hz": "strides a second",
    "step_width_m": "step width",
    "asymmetry_step_length_percent": "steps' lengths differ", "asymmetry_step_time_percent": "steps' times differ",
    "asymmetry_stance_time_percent": "stances' times differ", "cost_of_transport": "energy for a kilogram's metre",
    "pelvic_drop_deg": "pelvis drops beside the standing leg", "trunk_lean_deg": "trunk leans over the standing leg",
    "knee_flexion_stance_deg": "knee bent while the leg stands", "hip_flexion_stance_deg": "hip bent while the leg stands",
    "push_off_deg": "ankle stretched at push-off", "push_off_power_w_kg": "push-off power", "step_length_m": "step",
    "step_time_s": "time of a step", "stance_time_s": "time of a stance", "foot_force_over_mg": "ground force over weight",
    "muscle_force_n": "muscles' force, summed",
}
DEGREES = {"pelvic_drop_deg": 2.0, "trunk_lean_deg": 3.0, "knee_flexion_stance_deg": 5.0, "hip_flexion_stance_deg": 5.0,
           "push_off_deg": 5.0}
"""A change from which it is spoken of: twice and more what a healthy gait's strides differ by (first guess)."""
SHARES = {"push_off_power_w_kg": 0.2, "step_length_m": 0.1, "step_time_s": 0.05, "stance_time_s": 0.1,
          "foot_force_over_mg": 0.1, "muscle_force_n": 0.1}
"""The same as a share: of the healthy gait's for push-off, of the other leg's for the rest (first guess)."""
SAID = {
    "pelvic_drop_deg": ("The pelvis drops by {by:.1f} degrees more while the {side} leg stands.",
                        "The pelvis drops by {by:.1f} degrees less while the {side} leg stands."),
    "trunk_lean_deg": ("The trunk leans {by:.1f} degrees further over the {side} leg while it stands.",
                       "The trunk leans {by:.1f} degrees less over the {side} leg while it stands."),
    "knee_flexion_stance_deg": ("The {side} knee is {by:.1f} degrees more bent while the leg stands.",
                                "The {side} knee is {by:.1f} degrees straighter while the leg stands."),
    "hip_flexion_stance_deg": ("The {side} hip is {by:.1f} degrees more bent while the leg stands.",
                               "The {side} hip is {by:.1f} degrees straighter while the leg stands."),
    "push_off_deg": ("The {side} ankle stretches {by:.1f} degrees further at push-off.",
                     "The {side} ankle stretches {by:.1f} degrees less at push-off."),
    "push_off_power_w_kg": ("The {side} foot pushes off with {by:.0f} % more power.",
                            "The {side} foot pushes off with {by:.0f} % less power."),
    "step_length_m": ("", "Steps of the {side} foot are {by:.0f} % shorter than the other's."),
    "step_time_s": ("Steps come in unequal times: the {side} foot's take {by:.0f} % longer than the other's.", ""),
    "stance_time_s": ("", "The {side} foot stands for {by:.0f} % less time than the other."),
    "foot_force_over_mg": ("", "The {side} foot bears {by:.0f} % less than the other."),
    "muscle_force_n": ("", "Muscles of the {side} side pull {by:.0f} % less than the other's."),
}
"""What is said of more, and of less."""
AGAINST_OTHER = frozenset(SHARES) - {"push_off_power_w_kg"}
"""Signs of a leg that are told beside the other leg's."""
SPEED_SHARE = 0.05
"""A change of speed from which it is spoken of: what a character is asked to keep (as the physics card)."""
STEP_WIDTH_M = 0.02
"""The same of the steps' width: what the steps of a healthy walk differ by among themselves (first guess)."""
LANDED = frozenset(UNITS) - {"mean_speed_m_s", "stride_length_m", "stride_frequency_hz"}
"""Signs by which a limp is told: where there is none of them, nothing is compared."""
TOO_FEW = "too few stances of each foot alone"
WORDS = {"L": "left", "R": "right"}
TRANSPORT = "cost_of_transport"


@dataclass(frozen=True)
class Sign:
    """One sign in both takes; None where it is not measured."""

    unit: str
    healthy: float | None
    here: float | None

    @property
    def change(self) -> float | None:
        return None if self.healthy is None or self.here is None else self.here - self.healthy


@dataclass(frozen=True)
class Beside:
    """The signs of a take beside the healthy one's by their names, sums of forces [N] by group of muscles and side, what is to
    be said of them, and why some are not measured."""

    signs: Mapping[str, Sign]
    groups: Mapping[str, Sign]
    said: tuple[str, ...]
    not_measured: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {"signs": _plain(self.signs), "groups": _plain(self.groups), "said": list(self.said),
                "not_measured": dict(self.not_measured)}

    def text(self) -> str:
        wide = max(map(len, [*LABELS.values(), *(name.replace("_", " ") for name in self._group_names())]))
        lines = [f"{'':{wide}}  {'healthy':>15}  {'here':>15}", f"{'':{wide}}" + 2 * f"  {'left':>7} {'right':>7}"]
        for name, unit in LEG_UNITS.items():
            both = [self.signs[f"{name}_{side}"] for side in "LR"]
            lines.append(_line(LABELS[name], wide, [one.healthy for one in both], [one.here for one in both], unit))
        for group in self._group_names():
            both = [self.groups.get(f"{group}_{side}", Sign("N", None, None)) for side in "LR"]
            lines.append(_line(group.replace("_", " "), wide, [one.healthy for one in both], [one.here for one in both], "N"))
        for name in (*BOTH_UNITS, TRANSPORT):
            one = self.signs[name]
            lines.append(_line(LABELS[name], wide, [one.healthy], [one.here], one.unit))
        return "\n".join([*lines, "", *(self.said or ("Nothing to speak of is other than in the healthy gait.",))])

    def _group_names(self) -> list[str]:
        return list(dict.fromkeys(name[:-2] for name in self.groups))


def beside(take: Take, healthy: Take) -> Beside:
    """What is other about a take than about the healthy one of the same shot; of what is not measured, why."""
    here, there = signs(take), signs(healthy)
    found = {name: Sign(unit, there.values[name], here.values[name]) for name, unit in UNITS.items()}
    found[TRANSPORT] = Sign("J/kg/m", _transport(healthy), _transport(take))
    sums = group_forces_n(healthy), group_forces_n(take)
    groups = {name: Sign("N", sums[0].get(name), value) for name, value in sums[1].items()}
    reasons = {name: f"healthy: {words}" for name, words in there.reasons.items()} | here.reasons
    said = (*_other_shot(take.shot, healthy.shot), *_cut_short(take, healthy, found, reasons), *_of_both(found), *_said(found))
    return Beside(found, groups, said, reasons)


def group_forces_n(take: Take) -> dict[str, float]:
    """Mean over whole strides of the sum of a group's muscle forces [N], by the group's name and side; else nothing."""
    strides, actuation = whole_strides(take), take.shot.actuation
    if FORCE not in take.channels or strides is None or actuation is None:
        return {}
    from ..bodies.of_shot import muscles_of

    groups = {muscle.name: (muscle.groups, muscle.side) for muscle in muscles_of(take.shot, take.body)}
    means = strides.mean(take.time_s, take.channels[FORCE].values)
    found: dict[str, float] = {}
    for name, force in zip(take.stats["muscles"], means, strict=True):
        of, side = groups.get(name, ((), ""))
        for group in of:
            found[f"{group}_{side}"] = found.get(f"{group}_{side}", 0.0) + float(force)
    return dict(sorted(found.items()))


def _transport(take: Take) -> float | None:
    strides = whole_strides(take)
    return None if strides is None else cost_of_transport(take, strides.rows(take.time_s))


def _other_shot(here: Shot, healthy: Shot) -> Iterator[str]:
    """Sentences on why what differs need not be the condition's doing."""
    gravity = here.world.gravity_m_s2, healthy.world.gravity_m_s2
    if gravity[0] != gravity[1]:
        yield (f"They are of different planets: gravity is {gravity[0]:.2f} m/s2 here, {gravity[1]:.2f} m/s2 for the healthy "
               "one. What differs may come from that.")
    if here.called != healthy.called:
        yield (f"They go in different gaits: {here.called} here, {healthy.called} the healthy one. "
               "What differs may come from that.")


def _of_both(found: Mapping[str, Sign]) -> Iterator[str]:
    """Sentences on what both legs do together."""
    speed, width = found["mean_speed_m_s"], found["step_width_m"]
    if speed.change is not None and speed.healthy and abs(speed.change) >= SPEED_SHARE * speed.healthy:
        yield f"It goes {100.0 * abs(speed.change) / speed.healthy:.0f} % {'faster' if speed.change > 0.0 else 'slower'}."
    if width.change is not None and abs(width.change) >= STEP_WIDTH_M:
        yield f"Its steps are {100.0 * abs(width.change):.1f} cm {'wider' if width.change > 0.0 else 'narrower'}."


def _cut_short(take: Take, healthy: Take, found: Mapping[str, Sign], reasons: Mapping[str, str]) -> Iterator[str]:
    """Sentences on what could be compared only in part, or not at all."""
    nothing = all(one.change is None for name, one in found.items() if name in LANDED)
    for one, words in ((take, "The character"), (healthy, "The healthy one")):
        if one.fell:
            left = "only its strides up to there are compared" if whole_strides(one) else "that is too short to compare"
            yield f"{words} falls after {one.stats['time_fell_s']:.1f} s: {left}."
    if nothing:
        yield f"Nothing could be compared: {next((reasons[name] for name in found if name in reasons), TOO_FEW)}."


def _said(found: Mapping[str, Sign]) -> Iterator[str]:
    """A sentence for each leg's sign that is worth one."""
    for name, (more, less) in SAID.items():
        for side, other in ("LR", "RL"):
            sign, beside_it = found[f"{name}_{side}"], found[f"{name}_{other}"]
            if sign.healthy is None or sign.here is None:
                continue
            if name in DEGREES:
                by, least = sign.here - sign.healthy, DEGREES[name]
            else:
                least = 100.0 * SHARES[name]
                of, was = (beside_it.here, beside_it.healthy) if name in AGAINST_OTHER else (sign.healthy, sign.healthy)
                if not of or not was:
                    continue
                by = 100.0 * (sign.here / of - 1.0)
                if abs(by - 100.0 * (sign.healthy / was - 1.0)) < least:  # the healthy gait's legs are as unlike
                    continue
            sentence = more if by > 0.0 else less
            if abs(by) >= least and sentence:
                yield sentence.format(by=abs(by), side=WORDS[side])


def _line(label: str, wide: int, healthy: list[float | None], here: list[float | None], unit: str) -> str:
    """A row of the table: two legs, or both together."""
    cells = ["  ".join(" ".join(_cell(value, 15 if len(values) == 1 else 7) for value in values) for values in (healthy, here))]
    return f"{label:{wide}}  {cells[0]} {unit}".rstrip()


def _cell(value: float | None, wide: int) -> str:
    return f"{'-' if value is None else f'{value:.3g}' if abs(value) < 1000.0 else f'{value:.0f}':>{wide}}"


def _plain(signs: Mapping[str, Sign]) -> dict[str, Any]:
    return {name: {"unit": one.unit, "healthy": one.healthy, "here": one.here, "change": one.change}
            for name, one in signs.items()}
