# SPDX-License-Identifier: GPL-3.0-or-later
"""The physics card of a take: green, amber or red for each measure that a wrong motion would betray, and why, in words.

Thresholds stand in one table, `RULES`, each with its source or reason. They judge physics and visible faults, not taste; a
take on a heavy planet may be red for torques no person has and still be the motion that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..take import Take
from .gait_measures import study
from .grades import AMBER, GREEN, NOT_JUDGED, RED, whole_grade
from .moments import MOMENTS
from .needs import Measured

ONE_SIDED_GAITS = ("skip",)
"""Gaits in which one foot leads by design."""

NO_REASONS: Mapping[str, str] = {}

Measures = dict[str, Any]


@dataclass(frozen=True)
class Rule:
    """One line of the card: up to `green` is green, up to `amber` amber, beyond red.

    `value` takes the figure that is judged from the measures, None where there is none; `says` words it, for somebody who looks
    at the motion; `advice` is what to change where it is not green; `why` gives the thresholds' source or reason. Where there
    is no figure, the reason why one of the measures `of` is not there is given, or else `absent`.
    """

    name: str
    green: float
    amber: float
    unit: str
    value: Callable[[Measures], float | None]
    says: str
    why: str
    advice: str
    of: tuple[str, ...] = ()
    absent: str = "not measured"


def _off_one(key: str) -> Callable[[Measures], float | None]:
    """Distance of a ratio from 1."""
    return lambda found: None if found[key] is None else abs(found[key] - 1.0)


def _plain(key: str) -> Callable[[Measures], float | None]:
    """The measure itself."""
    return lambda found: found[key]


def _speed_off(found: Measures) -> float | None:
    """Speed reached off the speed planned, as a share."""
    if found["mean_speed_m_s"] is None or not found["planned_speed_m_s"]:
        return None
    return abs(found["mean_speed_m_s"] / found["planned_speed_m_s"] - 1.0)


def _asymmetry(found: Measures) -> float | None:
    """The larger of the asymmetries of step time and of stance time, in percent."""
    sides = [found[name] for name in ASYMMETRY]
    return None if found["one_sided"] or None in sides else max(sides)


PEAK, FLIGHT, SPEED = "grf_peak_over_soft", "flight_over_ballistic_worst", "mean_speed_m_s"
SLIP, DEPTH, MEAN, FRICTION = "foot_slip_mm_per_stride", "penetration_mm_max", "grf_mean_over_mg", "friction_use_typical"
TORQUE, JERK = "torque_over_human_max", "jolt_over_clip"
ASYMMETRY = ("asymmetry_step_time_percent", "asymmetry_stance_time_percent")

SLOWER = "a slower gait, or less Bounce under Style"

RULES: tuple[Rule, ...] = (
    Rule("fall", 0.0, 0.0, "falls", lambda found: float(found["fell"]), "{outcome}",
         "a character that falls has not done what was asked", "a slower or calmer shot; the top of the tab offers one"),
    Rule("simulation", 0.0, 0.0, "losses", lambda found: float(found["lost"] is not None), "{kept}",
         "what an engine has lost is no motion: neither a fall nor a walk", "another engine under More, or a gentler shot"),
    Rule("slip", 15.0, 30.0, "mm", _plain(SLIP), "planted feet slide {value:.0f} mm a stride",
         "slips under 30 mm go mostly unnoticed by the walker (Leamon and Li 1990), half of that surely; up to 10 mm are the "
         "contact spheres' rolling", "bake with Lock Feet, or give the ground more friction", (SLIP,)),
    Rule("penetration", 9.0, 15.0, "mm", _plain(DEPTH), "soles sink {value:.0f} mm into the ground",
         "a heel pad gives way by as much (9 mm, De Clercq et al. 1994), and so does a boot's sole; deeper is seen",
         "a slower gait, or a lower mass", (DEPTH,)),
    Rule("mean force", 0.02, 0.05, "", _off_one(MEAN),
         "on average the ground carries {value:.1%} more or less than the weight",
         "over whole strides the ground must give the weight's impulse, on every planet; 2 % is for strides that differ",
         "a longer shot: its strides differ too much to be judged", (MEAN,)),
    Rule("peak force", 1.3, 2.0, "times", _plain(PEAK), "landings press {value:.1f} times as hard as soft ones would",
         "a soft landing presses like a half sine wave over the time on the ground; people walk with 0.8 to 1 of that and run "
         "with 1.1 (1.2 to 1.5 and 2.5 m g, Keller et al. 1996), at a slow jog with 1.7", SLOWER, (PEAK,)),
    Rule("friction", 0.6, 0.9, "", _plain(FRICTION), "feet use {value:.0%} of the ground's grip",
         "at 100 % the foot slides; walking people use a quarter to a third of a dry floor's",
         "more friction under World, or a slower gait", (FRICTION,)),
    Rule("flight", 0.05, 0.15, "", _off_one(FLIGHT), "the oddest flight is {value:.0%} longer or shorter than gravity has it",
         "in the air nothing but gravity acts, and a flight lasts 2 v / g; 5 % is the sampling of the shortest flights",
         "another engine under More, or a gentler shot", (FLIGHT,)),
    Rule("torque", 1.0, 1.2, "", _plain(TORQUE), "{joint} works at {value:.0%} of a strong person's strength",
         "strength of young men on dynamometers, scaled with body mass, from which strong ones differ by a fifth; beyond "
         "nobody could do it",
         "a slower gait, or less gravity: nobody could do this", (TORQUE,)),
    Rule("symmetry", 5.0, 10.0, "%", _asymmetry, "left and right steps differ by {value:.0f} % in time",
         "differences within 10 % are those of healthy people (Robinson et al. 1987)",
         "a longer shot, or a clip whose steps are more alike", ASYMMETRY, "one foot leads by design"),
    Rule("smoothness", 2.0, 4.0, "times", _plain(JERK),
         "landings jolt the body {value:.1f} times as hard as in the captured motion",
         "from picture to picture of a film; no norm is published, the reference is a smoothed capture, and up to twice its "
         "jolts nothing is seen in a strip", SLOWER, (JERK,)),
    Rule("speed", 0.05, 0.10, "", _speed_off, "its speed is {value:.0%} off the planned one",
         "5 % is what the character is asked to keep", "a longer shot, or a speed nearer to the gait's own",
         (SPEED, "planned_speed_m_s"), "it was asked to stand"),
)
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
    """One judged line of the card. `advice` is what to change where it is amber or red, and `at_s` the moment to look at, None
    where the line is about the whole take."""

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

    @property
    def grade(self) -> str:
        """The worst of the lines' grades; not judged where nothing is wrong, and nothing known of the gait either."""
        return whole_grade((line.name, line.grade) for line in self.lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"grade": self.grade, "lines": [{**vars(line)} for line in self.lines]}

    def short(self) -> str:
        """The grade, and one line for each measure that is not green."""
        return "\n".join([f"physics card: {self.grade}", *(
            f"  {line.name}: {line.reason}{_what_to_do(line)}" for line in self.lines if line.grade in (AMBER, RED))])

    def text(self) -> str:
        """One line a measure, for people."""
        rows = [f"  {line.grade:10}  {line.name:23}  {line.reason}{_what_to_do(line)}" for line in self.lines]
        return "\n".join([f"physics card: {self.grade}", *rows])


def physics_card(take: Take, known: Measured | None = None) -> Card:
    """The card of a take. `known` may give its `study`, if it is known already."""
    known = study(take) if known is None else known
    found = dict(known.values)
    found["fell"] = take.broken_off  # a fall that the shot says how it goes on from is what was asked
    found["outcome"] = "the character stands to the end"
    if take.stats.get("changed"):
        found["outcome"] = f"the character stands to the end: {take.stats['changed']}"
    if take.broken_off:
        found["outcome"] = f"the character falls after {found['time_fell_s']:.1f} s"
    elif take.fell:
        found["outcome"] = f"the character falls after {found['time_fell_s']:.1f} s and goes on as the shot says"
    elif take.lost is not None:
        found["outcome"] = "the character had not fallen when the simulation was lost"
    found["kept"] = take.lost or "the engine kept the simulation to the end"
    found["one_sided"] = take.shot.gait in ONE_SIDED_GAITS or take.shot.path.kind != "straight"
    found["joint"] = joint_words(found["torque_joint"])
    lines = (judged(rule, found, known.reasons) for rule in RULES)
    return Card(tuple(_placed(line, take) if line.grade in (AMBER, RED) else line for line in lines))


def _placed(line: Line, take: Take) -> Line:
    """A line with the moment to look at."""
    moment = MOMENTS.get(line.name)
    return line if moment is None else replace(line, at_s=moment(take))


def judged(rule: Rule, found: Measures, reasons: Mapping[str, str] = NO_REASONS) -> Line:
    """A rule's line for these measures; `reasons` say why some are None."""
    value = rule.value(found)
    if value is None:
        absent = next((reasons[name] for name in rule.of if name in reasons), rule.absent)
        return Line(rule.name, NOT_JUDGED, None, rule.green, rule.amber, rule.unit, absent)
    rounded = round(value, 9)  # a torque at its limit may be over it by the last digit
    grade = GREEN if rounded <= rule.green else AMBER if rounded <= rule.amber else RED
    says = rule.says.format(**(found | {"value": value}))
    bounds = f"green to {bound(rule.green, rule.unit)}, amber to {bound(rule.amber, rule.unit)}"
    return Line(rule.name, grade, float(value), rule.green, rule.amber, rule.unit, f"{says} ({bounds}: {rule.why})",
                "" if grade == GREEN else rule.advice)


def _what_to_do(line: Line) -> str:
    """Where to look and what to change, for people."""
    where = "" if line.at_s is None else f"; worst at {line.at_s:.2f} s"
    return f"{where}; try {line.advice}" if line.advice else where


def bound(value: float, unit: str) -> str:
    """A threshold as people read it; shares in percent."""
    return f"{value:g} {unit}" if unit else f"{100.0 * value:g} %"
