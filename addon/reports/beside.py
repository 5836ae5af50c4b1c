# SPDX-License-Identifier: GPL-3.0-or-later
"""What is other about a gait than about the healthy one of the same shot: each sign beside its own, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..specs.shot import Shot
from ..take import Take
from .signs import BOTH_UNITS, LEG_UNITS, MUSCLES, UNITS, signs
from .strides import WholeStrides, sample_lengths_s, whole_strides
from .transport import cost_of_transport

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
"""What a table calls each sign."""
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
        """How much more it is here."""
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
        """Plain JSON values."""
        return {"signs": _plain(self.signs), "groups": _plain(self.groups), "said": list(self.said),
                "not_measured": dict(self.not_measured)}

    def text(self) -> str:
        """Tables for people, and what is said."""
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
    """What is other about a take than about the healthy one of the same shot. Raises nothing for takes that are too short or
    fall too early: what is not measured is told."""
    here, there = signs(take), signs(healthy)
    found = {name: Sign(unit, there.values[name], here.values[name]) for name, unit in UNITS.items()}
    found[TRANSPORT] = Sign("J/kg/m", _transport(healthy), _transport(take))
    sums = group_forces_n(healthy), group_forces_n(take)
    groups = {name: Sign("N", sums[0].get(name), value) for name, value in sums[1].items()}
    reasons = {name: f"healthy: {words}" for name, words in there.reasons.items()} | here.reasons
    said = (*_other_shot(take.shot, healthy.shot), *_cut_short(take, healthy, found, reasons), *_of_both(found), *_said(found))
    return Beside(found, groups, said, reasons)


def group_forces_n(take: Take) -> dict[str, float]:
    """Mean over the whole strides of the sum of the forces of each group's muscles [N], by the group's name and "_L" or "_R";
    nothing of a take without muscles or strides."""
    strides, actuation = whole_strides(take), take.shot.actuation
    if MUSCLES not in take.channels or strides is None or actuation is None:
        return {}
    from ..bodies.muscles.of_shot import muscles_of

    groups = {muscle.name: (muscle.groups, muscle.side) for muscle in muscles_of(take.shot, take.body)}
    means = _mean(take, strides, take.channels[MUSCLES].values)
    found: dict[str, float] = {}
    for name, force in zip(take.stats["muscles"], means, strict=True):
        of, side = groups.get(name, ((), ""))
        for group in of:
            found[f"{group}_{side}"] = found.get(f"{group}_{side}", 0.0) + float(force)
    return dict(sorted(found.items()))


def _mean(take: Take, strides: WholeStrides, values: np.ndarray) -> np.ndarray:
    """Mean over the time of whole strides of values (T, ...)."""
    rows = strides.rows(take.time_s)
    return np.average(values[rows], axis=0, weights=sample_lengths_s(take.time_s)[rows])


def _transport(take: Take) -> float | None:
    """Of the whole strides."""
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
