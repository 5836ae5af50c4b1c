# SPDX-License-Identifier: GPL-3.0-or-later
"""The physics card of a take: green, amber or red for each measure that a wrong motion would betray, and why, in words.

Thresholds stand in one table, `RULES`, each with its source or reason. They judge physics and visible faults, not taste; a
take on a heavy planet may be red for torques no person has and still be the motion that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..take import Take
from .gait_measures import study
from .needs import Measured

GREEN, AMBER, RED, NOT_JUDGED = "green", "amber", "red", "not judged"
ORDER = (NOT_JUDGED, GREEN, AMBER, RED)
ONE_SIDED_GAITS = ("skip",)
"""Gaits in which one foot leads by design."""

NO_REASONS: Mapping[str, str] = {}

Measures = dict[str, Any]


@dataclass(frozen=True)
class Rule:
    """One line of the card: up to `green` is green, up to `amber` amber, beyond red.

    `value` takes the figure that is judged from the measures, None where there is none; `says` words it; `why` gives the
    thresholds' source or reason. Where there is no figure, the reason why one of the measures `of` is not there is given, or
    else `absent`.
    """

    name: str
    green: float
    amber: float
    unit: str
    value: Callable[[Measures], float | None]
    says: str
    why: str
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


def _peak(flying: bool) -> Callable[[Measures], float | None]:
    """Peak force of a gait with flight, or of one without."""
    return lambda found: found[PEAK] if bool(found[FLIGHTS]) is flying else None


PEAK, FLIGHTS, FLIGHT, SPEED = "grf_peak_over_mg", "flights_per_stride", "flight_over_ballistic_worst", "mean_speed_m_s"
SLIP, DEPTH, MEAN, FRICTION = "foot_slip_mm_per_stride", "penetration_mm_max", "grf_mean_over_mg", "friction_use_typical"
TORQUE, JERK = "torque_over_human_max", "joint_acceleration_over_clip_above_feet"
ASYMMETRY = ("asymmetry_step_time_percent", "asymmetry_stance_time_percent")

RULES: tuple[Rule, ...] = (
    Rule("fall", 0.0, 0.0, "falls", lambda found: float(found["fell"]), "{outcome}",
         "a character that falls has not done what was asked"),
    Rule("simulation", 0.0, 0.0, "losses", lambda found: float(found["lost"] is not None), "{kept}",
         "what an engine has lost is no motion: neither a fall nor a walk"),
    Rule("slip", 10.0, 30.0, "mm", _plain(SLIP), "the worst foot slips {value:.1f} mm a stride",
         "up to 10 mm the contact spheres' rolling can explain; slips under 30 mm go mostly unnoticed by the walker "
         "(Leamon and Li 1990)", (SLIP,)),
    Rule("penetration", 5.0, 15.0, "mm", _plain(DEPTH), "soles sink {value:.1f} mm at most",
         "a heel pad or a shoe's sole gives way by about as much (9 mm, De Clercq et al. 1994); deeper is seen", (DEPTH,)),
    Rule("mean force", 0.02, 0.05, "", _off_one(MEAN), "the mean vertical force is off m g by {value:.1%}",
         "over whole strides the ground must give the weight's impulse, on every planet; 2 % is for strides that differ",
         (MEAN,)),
    Rule("peak force, walking", 1.6, 2.5, "m g", _peak(False), "the ground's peak force is {value:.2f} m g",
         "people walk with 1.2 to 1.5 m g (Keller et al. 1996); 2.5 is a running person's, and a walker's hard step",
         (PEAK,), "there is flight: see the peak force with flight"),
    Rule("peak force, with flight", 3.0, 4.5, "m g", _peak(True), "the ground's peak force is {value:.2f} m g",
         "people run with 2.5 m g, at a slow jog with more than half as much again (Keller et al. 1996); beyond 4.5 is the "
         "landing of a jump", (PEAK,), "no flight"),
    Rule("friction", 0.6, 0.9, "", _plain(FRICTION), "95 % of the time no more than {value:.0%} of the friction is used",
         "at 100 % the foot slides; walking people use a quarter to a third of a dry floor's", (FRICTION,)),
    Rule("flight", 0.05, 0.15, "", _off_one(FLIGHT), "the time of the worst flight is off 2 v / g by {value:.1%}",
         "in the air nothing but gravity acts; 5 % is the sampling of the shortest flights", (FLIGHT,)),
    Rule("torque", 0.9, 1.0, "", _plain(TORQUE),
         "the largest joint torque is {value:.0%} of a strong person's ({torque_joint})",
         "strength of young men on dynamometers, scaled with body mass; over 100 % nobody could do it", (TORQUE,)),
    Rule("symmetry", 5.0, 10.0, "%", _asymmetry, "left and right differ by {value:.1f} % in step or stance time",
         "differences within 10 % are those of healthy people (Robinson et al. 1987)", ASYMMETRY,
         "one foot leads by design"),
    Rule("smoothness", 3.0, 6.0, "times", _plain(JERK),
         "landings jerk the joints above the feet {value:.1f} times as hard as in the reference motion",
         "no norm is published; the reference is a smoothed capture, and up to 3 times nothing is seen in a strip", (JERK,)),
    Rule("speed", 0.05, 0.10, "", _speed_off, "the speed is off the planned one by {value:.1%}",
         "5 % is what the character is asked to keep", (SPEED, "planned_speed_m_s"), "it was asked to stand"),
)


@dataclass(frozen=True)
class Line:
    """One judged line of the card."""

    name: str
    grade: str
    value: float | None
    green: float
    amber: float
    unit: str
    reason: str


@dataclass(frozen=True)
class Card:
    """All lines and the worst grade among them."""

    lines: tuple[Line, ...]

    @property
    def grade(self) -> str:
        """The worst of the lines' grades."""
        return max((line.grade for line in self.lines), key=ORDER.index)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"grade": self.grade, "lines": [{**vars(line)} for line in self.lines]}

    def text(self) -> str:
        """One line a measure, for people."""
        rows = [f"  {line.grade:10}  {line.name:23}  {line.reason}" for line in self.lines]
        return "\n".join([f"physics card: {self.grade}", *rows])


def physics_card(take: Take, known: Measured | None = None) -> Card:
    """The card of a take. `known` may give its `study`, if it is known already."""
    known = study(take) if known is None else known
    found = dict(known.values)
    found["outcome"] = "the character stands to the end"
    if take.broken_off:
        found["outcome"] = f"the character falls after {found['time_fell_s']:.1f} s"
    elif take.fell:
        found["outcome"] = f"the character falls after {found['time_fell_s']:.1f} s and goes on as the shot says"
    elif take.lost is not None:
        found["outcome"] = "the character had not fallen when the simulation was lost"
    found["kept"] = take.lost or "the engine kept the simulation to the end"
    found["one_sided"] = take.shot.gait in ONE_SIDED_GAITS or take.shot.path.kind != "straight"
    return Card(tuple(judged(rule, found, known.reasons) for rule in RULES))


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
    return Line(rule.name, grade, float(value), rule.green, rule.amber, rule.unit, f"{says} ({bounds}: {rule.why})")


def bound(value: float, unit: str) -> str:
    """A threshold as people read it; shares in percent."""
    return f"{value:g} {unit}" if unit else f"{100.0 * value:g} %"
