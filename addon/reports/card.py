# SPDX-License-Identifier: GPL-3.0-or-later
"""The physics card of a take: green, amber or red for each measure that a wrong motion would betray, why, and where to look. It
judges physics and visible faults, not taste; thresholds with their sources stand in `rules.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from string import Formatter
from typing import Any

import numpy as np

from ..locomotion.tracking.weights import torque_limits
from ..sim.take import Take
from ..specs.motions import Jump, Stand
from .creature import CREATURE_MUSCLED, creature_rules, of_creature
from .feet import depths_m, flights, friction_series, stance_slips
from .following import JOINT_ERROR, OFF_PLAN, worst_s
from .measures import hardest_landing_s, study
from .needs import GAIT, MUSCLES, Measured
from .rules import AMBER, GREEN, MUSCLED, NOT_JUDGED, RED, WALKED, Measures, Rule, rules_of, whole_grade
from .strides import end_of_walking_s, known_strides


def _fall(take: Take) -> float | None:
    fell_s = take.stats.get("time_fell_s")
    return None if fell_s is None else float(fell_s)


def _lost(take: Take) -> float:
    return float(take.time_s[-1])


def _slip(take: Take) -> float | None:
    """Start of the stance that slips most."""
    worst = max(stance_slips(take), key=lambda stance: stance.slip_m, default=None)
    return None if worst is None else worst.start_s


def _depth(take: Take) -> float:
    return float(take.time_s[depths_m(take).max(axis=1).argmax()])


def _force(take: Take) -> float:
    """The hardest sample of the whole strides."""
    vertical = take.grf_n[:, :, 2].sum(axis=1)
    return float(take.time_s[np.where(known_strides(take).rows(take.time_s), vertical, -1.0).argmax()])


def _friction(take: Take) -> float:
    return float(take.time_s[np.nan_to_num(friction_series(take), nan=-1.0).max(axis=1).argmax()])


def _flight(take: Take) -> float:
    """The take-off to the flight that obeys gravity least."""
    return max(flights(take), key=lambda flight: abs(flight.over_ballistic - 1.0)).start_s


def _torque(take: Take) -> float:
    share = (np.abs(take.torque_nm) / torque_limits(take.body)).max(axis=1)
    return float(take.time_s[np.where(take.time_s <= end_of_walking_s(take), share, -1.0).argmax()])


MOMENTS: Mapping[str, Callable[[Take], float | None]] = {
    "fall": _fall, "simulation": _lost, "slip": _slip, "penetration": _depth, "peak force": _force, "friction": _friction,
    "flight": _flight, "torque": _torque, "pose": lambda take: worst_s(take, JOINT_ERROR),
    "way": lambda take: worst_s(take, OFF_PLAN),
    "smoothness": lambda take: hardest_landing_s(take, known_strides(take)),
}
"""By a line's name: when [s] it is worst, in a take for which it is judged; lines on the whole take have no moment."""


ONE_SIDED_GAITS = ("skip",)
"""Gaits in which one foot leads by design."""

NO_STEPS = "who stands has no strides"
"""Why strides of somebody who stands are not judged."""

NO_REASONS: Mapping[str, str] = {}

JOINTS = {"thigh": "hip", "shank": "knee", "foot": "ankle", "toes": "toes", "clavicle": "collar bone",
          "upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist"}
"""What people call the joint above a segment."""


def joint_words(segment: str | None) -> str:
    """The joint above a segment in words: "the left knee" for "shank_L"."""
    kind, _, side = (segment or "").rpartition("_")
    if kind not in JOINTS or side not in ("L", "R"):
        return f"the joint of {segment}"
    return f"the left {JOINTS[kind]}" if side == "L" else f"the right {JOINTS[kind]}"


@dataclass(frozen=True)
class Line:
    """One judged line of the card; `advice` where it is amber or red, `at_s` to look at, None for a line about all of it."""

    name: str
    grade: str
    value: float | None
    green: float
    amber: float
    unit: str
    reason: str
    advice: str = ""
    at_s: float | None = None


@dataclass(frozen=True)
class Card:
    """All lines and the grade of them all."""

    lines: tuple[Line, ...]
    tells_worst: bool = False
    """Whether the headline names the worst lines, and `short` begins with them."""
    undone: tuple[str, ...] = ()
    """What the character did otherwise than asked, in clauses: red lines that decide. A fall and a loss are not among them."""

    @property
    def grade(self) -> str:
        """The worst of the lines' grades; not judged where nothing is wrong, and nothing known of the gait either."""
        return whole_grade((line.name, line.grade) for line in self.lines)

    @property
    def why(self) -> str:
        """Why the whole is not judged, in a clause; "" where it is."""
        if self.grade != NOT_JUDGED:
            return ""
        return next((line.reason for line in self.lines if line.name in WALKED and line.grade == NOT_JUDGED), "")

    def to_dict(self) -> dict[str, Any]:
        return {"grade": self.grade, "why": self.why, "undone": list(self.undone),
                "lines": [{**vars(line)} for line in self.lines]}

    def short(self) -> str:
        """The grade, and one line for each measure that is not green."""
        wrong = [line for line in self.lines if line.grade in (AMBER, RED)]
        if self.tells_worst:
            wrong.sort(key=lambda line: line.grade != RED)
        return "\n".join([self._headline(), *(f"  {line.name}: {line.reason}{_what_to_do(line)}" for line in wrong)])

    def text(self) -> str:
        rows = [f"  {line.grade:10}  {line.name:23}  {line.reason}{_what_to_do(line)}" for line in self.lines]
        return "\n".join([self._headline(), *rows])

    def _headline(self) -> str:
        because = f"nothing to judge: {self.why}" if self.why else ""
        if self.tells_worst and self.grade in (AMBER, RED):
            because = ", ".join(line.name for line in self.lines if line.grade == self.grade)
        return f"physics card: {self.grade}" + (f" ({because})" if because else "")


def physics_card(take: Take, known: Measured | None = None) -> Card:
    """The card of a take. `known` may give its `study`, if it is known already."""
    known = study(take) if known is None else known
    found = dict(known.values)
    found["fell"] = take.broken_off or take.stats.get("got_up") is False  # a fall from which it goes on as it shall was asked for
    found["outcome"] = "the character stands to the end"
    if take.stats.get("changed"):
        found["outcome"] = f"the character stands to the end: {take.stats['changed']}"
    if take.broken_off:
        found["outcome"] = f"the character falls after {found['time_fell_s']:.1f} s"
    elif take.stats.get("got_up"):
        found["outcome"] = (f"the character falls after {found['time_fell_s']:.1f} s and is up "
                            f"{found['time_up_s']:.1f} s after it lay still")
    elif take.stats.get("got_up") is False:
        found["outcome"] = f"the character falls after {found['time_fell_s']:.1f} s and does not get up"
    elif take.fell:
        found["outcome"] = f"the character falls after {found['time_fell_s']:.1f} s and goes on as the shot says"
    elif take.lost is not None:
        found["outcome"] = "the character had not fallen when the simulation was lost"
    found["kept"] = take.lost or "the engine kept the simulation to the end"
    found["one_sided"] = take.shot.motion.name in ONE_SIDED_GAITS or take.shot.motion.path.kind != "straight"
    found["steered"] = bool(take.shot.motion.steering)
    found["joint"] = joint_words(found["torque_joint"])
    reasons = known.reasons
    if take.shot.controller in (*Stand.CONTROLLERS, *Jump.CONTROLLERS):
        reasons = {name: NO_STEPS if words == GAIT.absent else words for name, words in reasons.items()}
    drawn = of_creature(take.shot)
    own = creature_rules(take) if drawn else rules_of(take.shot, take.stats.get("clip_flights", 0))
    by_muscles = CREATURE_MUSCLED if drawn else MUSCLED
    rules = (*own, *(by_muscles if MUSCLES.met(take) else ()))
    lines = [judged(rule, found, reasons) for rule in rules]
    stood = not take.broken_off and take.lost is None
    undone = tuple(line.reason.partition(" (green to")[0] for rule, line in zip(rules, lines, strict=True)
                   if rule.decides and line.grade == RED and stood)
    return Card(tuple(_placed(line, take) if line.grade in (AMBER, RED) else line for line in lines), drawn, undone)


def _placed(line: Line, take: Take) -> Line:
    moment = MOMENTS.get(line.name)
    return line if moment is None else replace(line, at_s=moment(take))


def judged(rule: Rule, found: Measures, reasons: Mapping[str, str] = NO_REASONS) -> Line:
    """A rule's line for these measures; `reasons` say why some are None."""
    value = rule.value(found)
    if value is None:
        absent = next((reasons[name] for name in rule.of if name in reasons), rule.absent)
        return Line(rule.name, NOT_JUDGED, None, rule.green, rule.amber, rule.unit, absent)
    rounded = as_said(value, rule.says)
    grade = GREEN if rounded <= rule.green else AMBER if rounded <= rule.amber else RED
    says = rule.says.format(**(found | {"value": value}))
    bounds = f"green to {bound(rule.green, rule.unit)}, amber to {bound(rule.amber, rule.unit)}"
    return Line(rule.name, grade, float(value), rule.green, rule.amber, rule.unit, f"{says} ({bounds}: {rule.why})",
                "" if grade == GREEN else rule.advice)


def as_said(value: float, says: str) -> float:
    """The figure as a line's words round it, so that "10 %" is never beyond 10 %; as it is where they leave it out."""
    spec = next((spec or "" for _, name, spec, _ in Formatter().parse(says) if name == "value"), "")
    digits = int(spec[1:-1]) + 2 * spec.endswith("%") if spec else 9
    return round(value, digits)


def _what_to_do(line: Line) -> str:
    """Where to look and what to change, for people."""
    where = "" if line.at_s is None else f"; worst at {line.at_s:.2f} s"
    return f"{where}; try {line.advice}" if line.advice else where


def bound(value: float, unit: str) -> str:
    """A threshold as people read it; shares in percent."""
    return f"{value:g} {unit}" if unit else f"{100.0 * value:g} %"
