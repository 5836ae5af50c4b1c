# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope presets`: what can be named on the command line, how each kind is shown, and whether a file of one's own is sound."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..bodies.creature import template as known
from ..bodies.creature.body import make_creature
from ..bodies.human import suit as suits
from ..bodies.makers import make_body
from ..errors import InputError, unknown_name
from ..files import read_json, reading
from ..gaits import pose_gaits, ranges
from ..gaits import tuned_maps as store
from ..gaits.choice import choose_gait
from ..locomotion.creature import stored
from ..locomotion.reflex import walkers
from ..locomotion.registry import controller_names, find_controller, find_listing
from ..motions import library
from ..motions.moves.library import MOVES_FOLDER, load_move, read_move
from ..options.outputs import blender_room, check_input
from ..specs import muscles as condition_presets
from ..specs.motions import AUTO, PEOPLE, Gait
from ..specs.settings import PRESETS, known_file
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot
from ..worlds import planets
from .outcome import Outcome, shown, table

EXAMPLE = """examples:
  lope presets
  lope presets gait walk          how it was made, and at which speeds it stands where
  lope presets controller tracking   its settings: unit, range, default, source
  lope presets condition waddle   what is weak there, and by whose figures
  lope presets rig mixamo         the bone map: which bone is which
  lope presets check my-suit.json"""

CHECK = "check"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", metavar="KIND",
                        help=f"gait, move, reflex, world, suit, muscles, condition, creature, creature-gait, "
                             f"controller or rig; or {CHECK}")
    parser.add_argument("name", nargs="?", metavar="NAME", help=f"show this one; after {CHECK}: the JSON file")
    parser.add_argument("--kind", metavar="KIND", help=f"after {CHECK}: what the file is meant to be (default: as it looks)")


def run(args: argparse.Namespace) -> Outcome:
    """List, show or check."""
    if args.what == CHECK:
        return _checked(args.name, args.kind)
    if args.kind is not None:
        raise InputError(f"--kind belongs to `lope presets {CHECK} FILE.json`.")
    if args.what is None:
        return _all()
    return _listed(args.what) if args.name is None else _shown(args.what, args.name)


def _all() -> Outcome:
    """The names of every kind."""
    report = {kind.plural: kind.names() for kind in KINDS.values()}
    lines = [f"{plural:14} {', '.join(names)}" for plural, names in report.items()]
    lines.append("`lope presets KIND` says more about them, `lope presets KIND NAME` about one.")
    return Outcome(report, "\n".join(lines))


def _kind(word: str) -> Kind:
    """The Kind of that name, singular or plural. Raises InputError."""
    plurals = {kind.plural: kind for kind in KINDS.values()}
    kind = {**KINDS, **plurals}.get(word.lower().replace("-", "_"))
    if kind is None:
        raise unknown_name("kind of preset", word, [*KINDS, CHECK])
    return kind


def _listed(word: str) -> Outcome:
    """One line on each preset of a kind."""
    kind = _kind(word)
    details = [kind.listed(name) for name in kind.names()]
    width = max((len(entry["name"]) for entry in details), default=0)
    lines = [f"{entry['name']:{width}}  {kind.line(entry)}" for entry in details]
    return Outcome({kind.plural: details}, "\n".join(lines))


def _shown(word: str, name: str) -> Outcome:
    """Everything about one preset."""
    details = _kind(word).show(name)
    tables = {key: value for key, value in details.items() if isinstance(value, dict)}
    parts = [table({key: value for key, value in details.items() if key not in tables})]
    for key, entries in tables.items():
        width = max(map(len, entries), default=0)
        parts.append("\n".join([f"{key}:", *(f"  {entry:{width}}  {shown(value)}" for entry, value in entries.items())]))
    return Outcome(details, "\n".join(parts))


def _checked(name: str | None, kind: str | None) -> Outcome:
    """Check a file; raises InputError with what is wrong in it."""
    if name is None:
        raise InputError(f"`lope presets {CHECK}` needs the JSON file: lope presets {CHECK} my-suit.json.")
    path = check_input(name, "preset file")
    if kind is not None and kind not in CHECKS:
        raise unknown_name("kind of preset", kind, CHECKS)
    kind = kind or kind_of_file(path)
    CHECKS[kind](path)
    return Outcome({"file": str(path), "kind": kind, "sound": True}, f"{path} is a sound {kind}.")


def show_creature(name: str) -> dict[str, Any]:
    """What a creature is, its sizes, its parts of each kind, and its template."""
    path = known_file(known.FOLDER, "creature", name)
    told = json.loads(path.read_text(encoding="utf-8"))
    body = make_creature(known.creature_from_file(path))
    creature = body.creature
    return {"name": name, "summary": told["summary"], "source": told["source"], "mass_kg": round(body.mass_kg, 2),
            "leg_length_m": round(body.leg_length_m, 3), "degrees_of_freedom": body.degrees_of_freedom,
            "leg": [part.name for part in creature.legs[0]],
            "segments": {kind: len(creature.of_kind(kind)) for kind in ("trunk", "neck", "head", "tail", "arm")},
            "template": {key: value for key, value in told.items() if key not in ("format", "name", "summary", "source")}}


def show_creature_gait(name: str) -> dict[str, Any]:
    """Whose gait it is and what moves it, how fast it goes, how it did in its trial, and the numbers of its law."""
    gait = stored.load_gait(name)
    figures = {} if gait.trial is None else dataclasses.asdict(gait.trial)
    trial = {key: value for key, value in figures.items() if value is not None}
    by = "torques" if gait.muscles is None else "muscles"
    return {"name": gait.name, "summary": f"{gait.creature} by {by}", "creature": gait.creature, "moved_by": by,
            "source": gait.source, "speed_m_s": gait.speed_m_s, "dimensionless_speed": round(gait.dimensionless_speed, 3),
            "gravity_m_s2": gait.gravity_m_s2, "leg_length_m": gait.leg_length_m, "mass_kg": gait.mass_kg,
            "trial": trial, "parameters": gait.parameters}


def creature_gait_line(details: dict[str, Any]) -> str:
    """What a list says of one."""
    trial = details["trial"]
    stood = f"; {trial['stood']} of {trial['starts']} starts stood for {trial['seconds']:.0f} s" if "stood" in trial else ""
    return f"{details['summary']}, {details['speed_m_s']:.2f} m/s under {details['gravity_m_s2']:.2f} m/s^2{stood}"


MUSCLES_FOLDER = PRESETS / "muscles"


def show_condition(name: str) -> dict[str, Any]:
    """What a condition looks like, what is other than healthy, and whose figures they are."""
    preset = condition_presets.condition_preset(name)
    sides = {"L": " left", "R": " right", "both": ""}
    return {"name": preset.name, "label": preset.label, "sign": preset.sign, "source": preset.source,
            "changes": {f"{change.kind} {change.target}{sides[change.side]}": change.value for change in preset.changes}}


def show_muscles(name: str) -> dict[str, Any]:
    """Whose figures a set of muscles has, and the muscles of one side by what they do first, with their force on its own body."""
    from ..bodies.muscles import sets  # loads the engine, which most kinds do without

    told = json.loads(known_file(MUSCLES_FOLDER, "set of muscles", name).read_text(encoding="utf-8"))
    muscles = sets.reference_set(name).muscles
    forces: dict[str, list[str]] = {}
    for muscle in muscles:
        if muscle.side != "R":
            forces.setdefault(muscle.group, []).append(f"{muscle.name.removesuffix('_L')} {muscle.max_force_n:.0f} N")
    return {"name": name, "label": told["label"], "muscles": len(muscles), "source": told["source"],
            "groups": {group: ", ".join(some) for group, some in sorted(forces.items())}}


def read_muscles(path: Path) -> object:
    """A set's file. Raises InputError for a bad one."""
    from ..bodies.muscles import sets

    return sets.read_file(path, sets.Preset, "set of muscles", newest=sets.FORMAT)


RIGS_FOLDER = planets.FOLDER.parent / "rigs"
SHOWN_WORLDS = ("moon", "mars", "earth", "neptune", "jupiter")
"""Worlds for which a gait's speeds are shown: those of Kim 2017."""

Details = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """A kind of presets. `check(path)` raises InputError for a bad file; `show(name)` tells about one of ours."""

    name: str
    plural: str
    folder: Path
    check: Callable[[Path], object]
    show: Callable[[str], Details]
    line: Callable[[Details], str] = field(repr=False)
    """What a list says of one, in a few words."""

    def names(self) -> list[str]:
        """Names of the shipped presets; a planar body's, planar/NAME, come last."""
        files = [*sorted(self.folder.glob("*.json")), *sorted(self.folder.glob("planar/*.json"))]
        return [path.relative_to(self.folder).with_suffix("").as_posix() for path in files]

    def listed(self, name: str) -> Details:
        """What `line` is made from."""
        return self.show(name)


def show_gait(name: str) -> Details:
    """How a gait was made, how fast it goes and at which speeds it is known to stand on some worlds."""
    if name == AUTO:
        return show_auto()
    from ..locomotion.gait.shot_gait import gait_variables, shot_cycle

    cycle, body = library.load_gait(name), make_body(BodySpec())
    worlds = {}
    for world in map(planets.load_world, SHOWN_WORLDS):
        shot = Shot(motion=Gait(name, law=PEOPLE), world=world)
        known = ranges.feasible_range(name, world.gravity_m_s2, body.leg_length_m)
        worlds[world.name] = {
            "speed_m_s": round(gait_variables(shot, shot_cycle(shot), body).speed_m_s, 3),
            "feasible_speed_m_s": None if known is None else [round(speed, 3) for speed in known]}
    maps = store.tuning_file(name)
    return {"name": name, "made_from": cycle.source, "captured_speed_m_s": cycle.speed_m_s,
            "captured_stride_frequency_hz": cycle.stride_frequency_hz, "captured_leg_length_m": cycle.leg_length_m,
            "froude": round(cycle.froude, 4), "duty_factor": round(cycle.duty_factor, 4), "one_sided": cycle.sided,
            "circle_radius_leg_lengths": cycle.circle_radius_legs or None, "for_a_body_of_m": BodySpec().height_m,
            "worlds": worlds, "tuned_for": [m.world for m in store.read_maps(maps)] if maps.is_file() else []}


def show_auto() -> Details:
    """Which gait people choose on some worlds, and why."""
    from ..locomotion.gait.shot_gait import gait_variables, shot_cycle

    body, worlds = make_body(BodySpec()), {}
    for world in map(planets.load_world, SHOWN_WORLDS):
        choice = choose_gait(world.gravity_m_s2, body.leg_length_m, world=world.name)
        shot = Shot(motion=Gait(choice.gait, law=PEOPLE), world=world)
        worlds[world.name] = {"gait": choice.gait, "because": choice.words,
                              "speed_m_s": round(gait_variables(shot, shot_cycle(shot), body).speed_m_s, 3)}
    return {"name": AUTO, "made_from": "the gait that people choose there, at the speed asked or of their own choice",
            "for_a_body_of_m": BodySpec().height_m, "worlds": worlds}


def gait_line(details: Details) -> str:
    """What a list says of a gait."""
    worlds = details["worlds"]
    if details["name"] == AUTO:
        return "as people choose: " + ", ".join(f"{worlds[name]['gait']} on {label}" for name, label in
                                                (("earth", "Earth"), ("mars", "Mars"), ("moon", "the Moon")))
    return f"{worlds['earth']['speed_m_s']:.2f} m/s on Earth, {worlds['moon']['speed_m_s']:.2f} on the Moon"


@dataclass(frozen=True)
class Gaits(Kind):
    """The gaits: files, and the one that is chosen."""

    def names(self) -> list[str]:
        return [AUTO, *super().names()]


def show_world(name: str) -> Details:
    """Gravity of a world, and where the figure is from."""
    world = planets.load_world(name)
    preset = planets.read_preset(known_file(planets.FOLDER, "world", world.name))
    return {"name": world.name, "label": preset.label, "gravity_m_s2": world.gravity_m_s2,
            "gravity_in_g": round(world.gravity_m_s2 / EARTH_GRAVITY_M_S2, 4),
            "settable": preset.settable, "source": preset.source}


def show_suit(name: str) -> Details:
    """Masses of a suit and its pack, its stiff joints, and where the figures are from."""
    suit = suits.load_suit(name)
    pack_kg = suit.pack.mass_kg if suit.pack else 0.0
    source = json.loads((suits.FOLDER / f"{suit.name}.json").read_text(encoding="utf-8"))["source"]
    return {"name": suit.name, "label": suit.label, "worn_kg": round(suit.mass_kg - pack_kg, 3), "pack_kg": pack_kg,
            "stiff_joints": sorted(suit.joints), "source": source}


def show_rig(name: str) -> Details:
    """The bone map of a family of rigs: the names under which each segment's bone is looked for."""
    family = blender_room("read.maps").read_map(known_file(RIGS_FOLDER, "rig", name))
    return {"name": name, "label": family.label, "note": family.note, "signature": list(family.signature),
            "root": list(family.root), "controls": family.controls is not None,
            "bones": {segment: list(names) for segment, names in family.bones.items()}}


def show_pose_gait(name: str) -> Details:
    """What a gait from key poses is, its own speed, and its states; one of the planar body is called planar/NAME."""
    kind, _, own_name = name.rpartition("/")
    if kind not in ("", *pose_gaits.KINDS):
        raise unknown_name("pose gait", name, KINDS["pose_gait"].names())
    gait = pose_gaits.load_pose_gait(own_name, kind or pose_gaits.HUMAN)
    told = dataclasses.asdict(gait)
    return {"name": name, "summary": gait.summary, "source": gait.source, "for_a_body_of_m": BodySpec().height_m,
            **{key: value for key, value in told.items() if key not in ("name", "summary", "source", "format")}}


def show_move(name: str) -> Details:
    """A move's gait and kind, how long it lasts and by how much it turns on the standard body, where it is from and how well its
    figures fit that."""
    move, body = load_move(name), make_body(BodySpec())
    unit_s = math.sqrt(body.leg_length_m / EARTH_GRAVITY_M_S2)
    seconds = unit_s * sum(step.duration for step in move.steps)
    return {"name": move.name, "gait": move.gait, "kind": move.kind, "steps": len(move.steps), "seconds": round(seconds, 2),
            "turn_deg": round(math.degrees(move.turn), 1), "made_from": move.clip, "source": move.source,
            "licence": move.licence, "off_the_clip": move.fit}


def move_line(details: Details) -> str:
    """What a list says of a move."""
    turn = f", turns by {details['turn_deg']:.0f} degrees" if abs(details["turn_deg"]) >= 1.0 else ""
    return f"{details['gait']}, {details['kind']} of {details['seconds']:.1f} s{turn}; from {details['made_from']}"


def show_walker(name: str) -> Details:
    """Who goes by reflexes: its speed, how it did in its own trial, and the numbers of its reflexes."""
    walker = walkers.load_walker(name)
    trial = {} if walker.trial is None else {key: value for key, value in dataclasses.asdict(walker.trial).items()
                                             if value is not None}
    return {"name": name, "summary": walker.summary, "source": walker.source, "speed_m_s": walker.speed_m_s,
            "stride_frequency_hz": walker.stride_frequency_hz, "gravity_m_s2": walker.gravity_m_s2,
            "for_a_body_of_m": BodySpec().height_m, "trial": trial, "parameters": walker.parameters}


@dataclass(frozen=True)
class Controllers(Kind):
    """The controllers, which are no files."""

    def names(self) -> list[str]:
        return list(controller_names())

    def listed(self, name: str) -> Details:
        """See `Kind.listed`: of a controller of another package that cannot be used, why not."""
        try:
            return self.show(name)
        except InputError as error:
            return {"name": name, "summary": str(error)}


def show_controller(name: str) -> Details:
    """What a controller is, and its settings with unit, range, default and source."""
    listing, controller = find_listing(name), find_controller(name)
    return {"name": listing.name, "label": listing.title, "summary": listing.summary,
            "bodies": list(controller.kinds) or "any", "takes_over_after_a_fall": controller.after_fall,
            "settings": {row.name: row.to_dict() for row in controller.setting_rows().values()}}


def no_file(path: Path) -> None:
    """Raises InputError: a controller is code."""
    raise InputError(f"{path} cannot be checked as a controller: controllers are no files.")


KINDS: dict[str, Kind] = {kind.name: kind for kind in (
    Gaits("gait", "gaits", library.GAITS_FOLDER, library.cycle_from_file, show_gait, gait_line),
    Kind("world", "worlds", planets.FOLDER, planets.read_preset, show_world, lambda d: f"{d['gravity_m_s2']:.2f} m/s^2"),
    Kind("suit", "suits", suits.FOLDER, suits.read_preset, show_suit,
         lambda d: f"{d['worn_kg']:g} kg worn, {d['pack_kg']:g} kg on the back"),
    Controllers("controller", "controllers", Path(), no_file, show_controller, lambda d: d["summary"]),
    Kind("pose_gait", "pose_gaits", pose_gaits.FOLDER, pose_gaits.read_pose_gait, show_pose_gait, lambda d: d["summary"]),
    Kind("move", "moves", MOVES_FOLDER, read_move, show_move, move_line),
    Kind("reflex", "reflexes", walkers.FOLDER, walkers.read_walker, show_walker,
         lambda d: f"{d['speed_m_s']:.2f} m/s under {d['gravity_m_s2']:.2f} m/s^2: {d['summary']}"),
    Kind("condition", "conditions", condition_presets.FOLDER, condition_presets.read_condition, show_condition,
         lambda d: d["sign"]),
    Kind("muscles", "muscles", MUSCLES_FOLDER, read_muscles, show_muscles, lambda d: f"{d['label']}, {d['muscles']} of them"),
    Kind("creature", "creatures", known.FOLDER, lambda path: make_creature(known.creature_from_file(path)), show_creature,
         lambda d: f"{d['mass_kg']:.0f} kg on legs of {d['leg_length_m']:.2f} m: {d['summary']}"),
    Kind("creature_gait", "creature_gaits", stored.FOLDER, stored.read_gait, show_creature_gait, creature_gait_line),
    Kind("rig", "rigs", RIGS_FOLDER, lambda path: blender_room("read.maps").read_map(path), show_rig, lambda d: d["label"]),
)}
"""The kinds that ship, by name. A rig is a family's bone map."""

CHECKS: dict[str, Callable[[Path], object]] = {
    **{name: kind.check for name, kind in KINDS.items() if kind.check is not no_file},
    "bone map": lambda path: blender_room("read.own_map").load_map(path),
    "speed range": ranges.read_ranges,
    "tuning": store.read_maps,
}
"""Every kind of JSON file that can be checked: also an artist's own bone map, a gait's speed ranges and its tuned maps."""


FOLDERS: dict[str, Path] = {**{name: kind.folder for name, kind in KINDS.items() if name in CHECKS}, "speed range": ranges.FOLDER,
                            "tuning": store.TUNING_FOLDER}
"""Where the shipped files of each kind lie."""


def kind_of_file(path: Path) -> str:
    """Which kind of preset a JSON file means to be, one of `CHECKS`. Raises InputError where that cannot be told."""
    with reading(f"{path} cannot be read as JSON"):
        data = read_json(path)
    marks = {"tuning": ("maps",), "creature_gait": ("creature",), "reflex": ("parameters",),
             "speed range": ("rows",), "suit": ("garment_kg",), "world": ("gravity_m_s2",),
             "gait": ("channels",), "pose_gait": ("states",), "rig": ("sides", "signature"), "condition": ("changes", "sign"),
             "muscles": ("muscles",), "creature": ("parts", "leg_m")}
    if isinstance(data, dict):
        if str(data.get("schema", "")).startswith("lope-"):
            return {"lope-cycle": "gait", "lope-tuning": "tuning", "lope-move": "move"}.get(data["schema"], "gait")
        if data.get("format") == "lope bone map":
            return "bone map"
        for kind, entries in marks.items():
            if any(entry in data for entry in entries):
                return kind
    raise InputError(f"{path} is no preset of Lope's that can be recognised; say with --kind what it is meant to be: "
                     f"{', '.join(CHECKS)}.")
