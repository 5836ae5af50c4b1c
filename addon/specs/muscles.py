# SPDX-License-Identifier: GPL-3.0-or-later
"""What pulls at the joints, torques or muscles of a set, and what is other than healthy about a body that muscles move; several
conditions compose. Plain values that travel as JSON; the conditions that ship are files in `presets/conditions`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..checks import Choice, Maybe, Number, Part, Series, Text, Whole, check_number
from ..errors import InputError
from .settings import FIRST_GUESS, PRESETS, Checked, known_file, names_in, read_json, read_preset, setting, settings_of

WEAK, TIGHT, PAIN, DISPLACED, UNLOADED = KINDS = ("weak", "tight", "pain", "displaced", "unloaded")
LEFT, RIGHT, BOTH = SIDES = ("L", "R", "both")
FOOT, BODY = "foot", "body"
JOINTS = ("hip", "knee", "ankle")
"""Joints that can be out of their place."""
GROUPS = ("plantar_flexors", "dorsiflexors", "ankle_evertors", "ankle_invertors", "knee_extensors", "knee_flexors", "hamstrings",
          "hip_flexors", "hip_extensors", "hip_abductors", "hip_adductors", "hip_rotators", "trunk_extensors", "trunk_flexors",
          "trunk_benders", "shoulder_flexors", "shoulder_extensors", "shoulder_abductors", "shoulder_adductors", "elbow_flexors",
          "elbow_extensors")
"""What muscles do, and so the names by which many are meant at once (`bodies.muscles`)."""
EVERYDAY = {"calf": "plantar_flexors", "calves": "plantar_flexors", "shin": "dorsiflexors", "quads": "knee_extensors",
            "quadriceps": "knee_extensors", "glutes": "hip_extensors", "back": "trunk_extensors", "belly": "trunk_flexors",
            "abs": "trunk_flexors", "groin": "hip_adductors", "triceps": "elbow_extensors"}
"""Groups by what people call them."""
NEAREST = 3
WITH_MUSCLES = ("reflex",)
"""Controllers that have muscles of their own."""
NAME_LETTERS = set("abcdefghijklmnopqrstuvwxyz0123456789_")

RULES = {
    WEAK: Number(0.0, 4.0, "times the healthy one"),
    TIGHT: Number(0.5, 1.5, "times the healthy one"),
    PAIN: Number(0.0, 1000.0, "times the weight of effort"),
    DISPLACED: Number(-0.1, 0.1, "m outward"),
    UNLOADED: Number(0.0, 36.0, "months"),
}
"""What the value of each kind of change is."""
VALUED = {WEAK: "The force of {0}", TIGHT: "The tendon length of {0}", PAIN: "The pain in {0}",
          DISPLACED: "The way of the {0} out of its place", UNLOADED: "The time of the {0} without gravity"}
"""What messages call the value of each kind."""
HEALTHY = {WEAK: 1.0, TIGHT: 1.0, PAIN: 0.0, DISPLACED: 0.0, UNLOADED: 0.0}
"""The value of each kind that changes nothing."""


def unknown_muscle(target: str, known: Iterable[str]) -> InputError:
    """Error for what is neither a muscle nor a group of them: names the nearest, and where to see them all."""
    names, given = sorted(set(known)), target.lower()
    usual = [EVERYDAY[given]] if given in EVERYDAY else []
    near = list(dict.fromkeys([*usual, *difflib.get_close_matches(given, names, n=NEAREST, cutoff=0.0)]))[:NEAREST]
    return InputError(f"There is no muscle and no group of muscles named {target!r}. Nearest: {', '.join(near)}. All of "
                      "them: lope presets muscles legs, or full.")


@dataclass(frozen=True)
class Change(Checked):
    """One thing that is other than healthy, on one side or both. "weak": the greatest force of the muscles that `target` names
    becomes `value` of itself (above 1 they are stronger); "tight": their tendons' slack length does; "pain": their force, or a
    foot's force on the ground ("foot"), is weighed by `value` over the weight of effort; "displaced": a joint of `JOINTS` lies so
    many metres further out; "unloaded": the body ("body") has been without gravity for so many months. A `target` of the first
    three is one of `GROUPS`, a muscle's name without its side, or the beginning of several muscles' names ("gluteus_medius")."""

    WHOSE, FIELD = "The condition's", "field of a change"
    kind: str = setting(rule=Choice("kind of change", KINDS), words="kind of change")
    target: str = setting(rule=Text(), words="target")
    side: str = setting(BOTH, rule=Choice("side", SIDES))
    value: float = setting(1.0, -1000.0, 1000.0, words="value")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind == DISPLACED and self.target not in JOINTS:
            raise InputError(f"{self.target!r} is no joint that can be out of its place: that can be {', '.join(JOINTS)}.")
        if self.kind == UNLOADED and (self.target != BODY or self.side != BOTH):
            raise InputError(f"The whole body is without gravity: the change {UNLOADED!r} has the target {BODY!r} and the side "
                             f"{BOTH!r}, got {self.target!r} and {self.side!r}.")
        bare, _, last = self.target.rpartition("_")
        last = last.upper()
        if self.kind in (WEAK, TIGHT, PAIN) and bare and last in (LEFT, RIGHT):
            raise InputError(f"The name {self.target!r} has a side in it, which stands beside the name: write {bare}:{last} on a "
                             f"command line, or choose {bare} and the side {last}.")
        if self.kind in (WEAK, TIGHT, PAIN) and (
                not set(self.target) <= NAME_LETTERS or self.target in JOINTS or self.target == BODY
                or (self.target == FOOT and self.kind != PAIN)):
            raise unknown_muscle(self.target, (*GROUPS, *((FOOT,) if self.kind == PAIN else ())))
        rule = RULES[self.kind]
        check_number(VALUED[self.kind].format(self.target), self.value, rule.low, rule.high, rule.unit)

    @property
    def sides(self) -> tuple[str, ...]:
        return (LEFT, RIGHT) if self.side == BOTH else (self.side,)

    @property
    def words(self) -> str:
        """What it is in plain words, such as "plantar flexors on the left with 10 % of their force"."""
        what = self.target.replace("_", " ") + {LEFT: " on the left", RIGHT: " on the right", BOTH: ""}[self.side]
        return {WEAK: f"{what} with {self.value:.0%} of the force",
                TIGHT: f"{what} with tendons of {self.value:.0%} of the length",
                PAIN: f"{what} hurts", DISPLACED: f"{what} {100.0 * self.value:.1f} cm further out",
                UNLOADED: f"{self.value:g} months without gravity"}[self.kind]


@dataclass(frozen=True)
class Condition(Checked):
    """What is other than healthy, by a name. Of one target factors multiply; weights, metres and months add up."""

    WHOSE, FIELD = "The condition's", "condition field"
    name: str = setting(rule=Text(), words="name")
    changes: tuple[Change, ...] = setting((), rule=Series(Part(Change), each="change {n} of the condition"), words="changes")

    @property
    def plain(self) -> bool:
        return all(change.value == HEALTHY[change.kind] for change in self.changes)

    @property
    def one_sided(self) -> bool:
        return any(change.side != BOTH and change.value != HEALTHY[change.kind] for change in self.changes)

    @property
    def words(self) -> str:
        return "; ".join(change.words for change in self.changes) or "nothing is other than healthy"


def composed(conditions: Sequence[Condition], changes: Sequence[Change] = ()) -> Condition | None:
    """Several conditions at once, and single changes on top; None of nothing. Its name joins theirs by " + "."""
    parts = [*conditions, *([Condition("own", tuple(changes))] if changes else [])]
    if not parts:
        return None
    return Condition(" + ".join(part.name for part in parts), tuple(change for part in parts for change in part.changes))


def scaled(condition: Condition, amount: float) -> Condition:
    """A condition as far as `amount` in [0, 2]: 0 healthy, 1 as it is. Raises InputError outside."""
    amount = check_number(f"How much of {condition.name} there is", amount, 0.0, 2.0, "of it")

    def to(change: Change) -> Change:
        none, rule = HEALTHY[change.kind], RULES[change.kind]
        return replace(change, value=min(rule.high, max(rule.low, none + amount * (change.value - none))))

    return replace(condition, changes=tuple(map(to, condition.changes)))


def mirrored(condition: Condition) -> Condition:
    other = {LEFT: RIGHT, RIGHT: LEFT, BOTH: BOTH}
    return replace(condition, changes=tuple(replace(change, side=other[change.side]) for change in condition.changes))


def check_condition(condition: Condition | None, muscled: bool, controller: str) -> None:
    """Raises InputError for a condition of a body without muscles: neither a set of them (`muscled`) nor its controller's."""
    if condition is not None and not muscled and controller not in WITH_MUSCLES:
        raise InputError("A condition is felt by muscles alone, and torques move this body: let muscles move it, or leave the "
                         "condition out.")


SETS = ("legs", "full")
"""Shipped sets of muscles: of legs and trunk, of the whole body."""
TENDONS = RIGID, ELASTIC = ("rigid", "elastic")
MUSCLE_ENGINES = ("mujoco", "pybullet")
"""Engines in which muscles pull: those that take torques for a body of any kind."""


@dataclass(frozen=True)
class Actuation(Checked):
    """The joints are pulled by muscles of a set, with tendons that are rigid or give. Every muscle's active force is `strength`
    times that scaled to the body, its passive tissue stays; `tone` is the excitation of one that nobody commands, as of a body
    that lets go. Joints without muscles keep their torques. What effort costs is the controller's own matter: its settings."""

    WHOSE, FIELD = "The actuation's", "field of an actuation"
    muscles: str = setting("legs", rule=Choice("set of muscles", SETS), words="set of muscles")
    tendon: str = setting(RIGID, rule=Choice("kind of tendon", TENDONS), words="tendons")
    strength: float | None = setting(None, rule=Maybe(Number(0.1, 5.0)), help="Active force of every muscle, over that of a "
                                     "person of this size; passive tissue stays (none: as the gait asks for, 1 or a run's 2)")
    tone: float = setting(0.01, 0.0, 0.5, help="Excitation of muscles that nobody commands", source=FIRST_GUESS)


def check_actuation(actuation: Actuation | None, engine: str, kind: str) -> None:
    """Raises InputError for muscles in an engine in which none pull, or on a body of a kind that has none."""
    if actuation is None:
        return
    if engine not in MUSCLE_ENGINES:
        raise InputError(f"No muscles pull in the engine {engine}: choose the engine {' or '.join(MUSCLE_ENGINES)}, or let "
                         "torques move the body.")
    if kind != "human":
        raise InputError(f"Muscles are laid on a human body; this one is {kind}: choose a human, or let torques move the body.")


FORMAT = 1
FOLDER = PRESETS / "conditions"


@dataclass(frozen=True)
class ConditionPreset(Checked):
    """What a condition's file holds. `label`: what it is called; `sign`: what it looks like; `source`: whose figures."""

    FIELD = "condition preset field"
    format: int = setting(rule=Whole(1))
    name: str = setting(rule=Text())
    label: str = setting(rule=Text())
    sign: str = setting(rule=Text())
    source: str = setting(rule=Text())
    changes: tuple[Change, ...] = setting(rule=Series(Part(Change), each="change {n}"))

    @property
    def condition(self) -> Condition:
        return Condition(self.name, self.changes)


def condition_names() -> list[str]:
    return names_in(FOLDER)


def read_condition(path: Path) -> ConditionPreset:
    """A condition's file. Raises InputError naming the file and the fault."""
    if not Path(path).is_file():
        raise InputError(f"There is no condition's file {str(path)!r}: look at its folder and its name.")
    data = read_json(path, "condition")
    if isinstance(data, dict) and (lacking := [name for name in settings_of(ConditionPreset) if name not in data]):
        raise InputError(f"The file {str(path)!r} is no condition: it says nothing of its {', '.join(lacking)}. One that ships, "
                         f"such as {str(FOLDER / 'waddle.json')!r}, shows how it is written.")
    return read_preset(path, ConditionPreset, "condition", newest=FORMAT)


def condition_preset(name: str) -> ConditionPreset:
    """The shipped one of that name. Raises InputError listing those there are."""
    return read_condition(known_file(FOLDER, "condition", name))


def load_condition(name: str) -> Condition:
    """The condition of that name, or from that JSON file (a path that ends in .json). Raises InputError for neither."""
    if str(name).endswith(".json"):
        return read_condition(Path(name)).condition
    return condition_preset(name).condition


def presets_in(changes: Sequence[Change]) -> tuple[tuple[ConditionPreset, ...], tuple[Change, ...]]:
    """The shipped conditions that are among changes with all that they change, those that change most first; and the rest."""
    rest, found = list(changes), []
    for preset in sorted(map(condition_preset, condition_names()), key=lambda preset: -len(preset.changes)):
        if all(rest.count(change) >= preset.changes.count(change) for change in preset.changes):
            found.append(preset)
            for change in preset.changes:
                rest.remove(change)
    return tuple(found), tuple(rest)
